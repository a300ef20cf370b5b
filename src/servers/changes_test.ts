import assert from "node:assert/strict";
import { join } from "node:path";
import type { HookCall, ServerSource } from "../types.ts";
import { serverChanges } from "./changes.ts";
import { definedServers, definitionsOf } from "./definitions.ts";
import { listRecords, writeRecord } from "./records.ts";

const sources: readonly ServerSource[] = [
  { location: { base: "home", segments: [".claude.json"] }, format: "json", at: ["mcpServers"] },
  {
    location: { base: "home", segments: [".claude.json"] },
    format: "json",
    at: ["projects", "{project}", "mcpServers"],
  },
  { location: { base: "project", segments: [".mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
  { location: { base: "home", segments: [".codex", "config.toml"] }, format: "toml", at: ["mcp_servers"] },
];

class Place {
  readonly root = Deno.makeTempDirSync();
  readonly home = join(this.root, "home");
  readonly workspace = join(this.home, "app");
  readonly state = join(this.root, "state");

  constructor() {
    Deno.mkdirSync(join(this.home, ".codex"), { recursive: true });
    Deno.mkdirSync(this.workspace);
  }

  project(servers: unknown): void {
    Deno.writeTextFileSync(join(this.workspace, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  }

  async ask(server = "github", tool = "list", host = "claude"): Promise<readonly string[]> {
    const call: Pick<HookCall, "host" | "actions"> = {
      host,
      actions: [{ kind: "mcp", server, tool, input: {} }],
    };
    const changes = await serverChanges(call, sources, { ...this, cwd: this.workspace }, this.state);
    return changes.map(({ text }) => text);
  }

  get records(): string[] {
    return [...Deno.readDirSync(join(this.state, "servers"))].map(({ name }) =>
      join(this.state, "servers", name)
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

const github = { command: "npx", args: ["-y", "@github/mcp@1.0.0"], env: { GITHUB_TOKEN: "a" } };

Deno.test("a server is what it was until its command, address or variables change", async () => {
  using place = new Place();
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  assert.deepEqual(await place.ask(), []);
  // A new value of a secret, other servers, and settings that say nothing about what runs.
  place.project({
    other: { command: "x" },
    github: { ...github, env: { GITHUB_TOKEN: "b" }, type: "stdio", disabled: false },
  });
  assert.deepEqual(await place.ask(), []);
  place.project({ github: { ...github, args: ["-y", "@github/mcp@1.0.1"] } });
  const [text = ""] = await place.ask();
  assert.match(text, /command was "npx -y @github\/mcp@1\.0\.0" when it was first seen on \d{4}-/);
  assert.match(text, /and is "npx -y @github\/mcp@1\.0\.1"/);
  // It stays a question.
  assert.equal((await place.ask()).length, 1);
  const changed: readonly Record<string, unknown>[] = [
    { ...github, env: { GITHUB_TOKEN: "a", NODE_OPTIONS: "--require ./x.js" } },
    { ...github, cwd: "/tmp" },
    { ...github, env: {} },
    { url: "https://mcp.example.com" },
    { ...github, command: "./npx" },
  ];
  for (const definition of changed) {
    place.project({ github: definition });
    assert.equal((await place.ask()).length, 1, JSON.stringify(definition));
  }
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
});

Deno.test("values that decide what runs count, and secrets are not kept", async () => {
  using place = new Place();
  const secret = ["ghp", "x".repeat(4) + "A1b2C3d4".repeat(4)].join("_");
  place.project({
    github: { ...github, args: ["--token", secret], env: { NODE_OPTIONS: "--max-old-space-size=1" } },
  });
  assert.deepEqual(await place.ask(), []);
  for (const path of place.records) assert(!Deno.readTextFileSync(path).includes(secret));
  place.project({
    github: { ...github, args: ["--token", secret], env: { NODE_OPTIONS: "--require ./evil.js" } },
  });
  assert.match((await place.ask()).join(""), /environment was "NODE_OPTIONS=--max-old-space-size=1"/);
  place.project({
    github: { ...github, args: ["--token", `${secret}9`], env: { NODE_OPTIONS: "--max-old-space-size=1" } },
  });
  const [text = ""] = await place.ask();
  assert(!text.includes(secret));
  assert.match(text, /what differs is not shown/);
});

Deno.test("a definition in another file is a new one, and one that is gone is told", async () => {
  using place = new Place();
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  const home = (value: unknown) =>
    Deno.writeTextFileSync(join(place.home, ".claude.json"), JSON.stringify(value));
  // The same one elsewhere is the same one.
  home({ mcpServers: { github } });
  assert.deepEqual(await place.ask(), []);
  home({ projects: { [place.workspace]: { mcpServers: { github: { command: "evil" } } } } });
  assert.match((await place.ask()).join(""), /"evil"/);
  home({});
  Deno.removeSync(join(place.workspace, ".mcp.json"));
  assert.match((await place.ask()).join(""), /no longer is/);
});

Deno.test("files that cannot be read are told once there is something to compare", async () => {
  using place = new Place();
  const path = join(place.workspace, ".mcp.json");
  Deno.writeTextFileSync(path, "{");
  assert.deepEqual(await place.ask(), []);
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  for (
    const text of [
      "{",
      " ".repeat(9 * 1024 * 1024),
      "[]",
      '{"mcpServers": 3}',
      '{"mcpServers": {"github": null}}',
    ]
  ) {
    Deno.writeTextFileSync(path, text);
    assert.equal((await place.ask()).length, 1, text.slice(0, 40));
  }
  if (Deno.build.os === "windows") return;
  Deno.removeSync(path);
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
  assert.match((await place.ask()).join(""), /not a regular file/);
});

Deno.test("a file that its host is writing is read once it is written", async () => {
  using place = new Place();
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  Deno.writeTextFileSync(join(place.workspace, ".mcp.json"), '{"mcpServers": {');
  const asked = place.ask();
  await new Promise((resolve) => setTimeout(resolve, 20));
  place.project({ github });
  assert.deepEqual(await asked, []);
});

Deno.test("a damaged record is a question, and nothing else is lost with it", async () => {
  using place = new Place();
  place.project({ github, other: { command: "y" } });
  assert.deepEqual(await place.ask(), []);
  assert.deepEqual(await place.ask("other"), []);
  const damaged = place.records.find((path) => Deno.readTextFileSync(path).includes("github"))!;
  const kept = Deno.readTextFileSync(damaged);
  const forged = JSON.parse(kept);
  for (
    const text of [
      "",
      "{",
      "null",
      "[]",
      '{"version": 2}',
      JSON.stringify({ ...forged, server: "other" }),
      JSON.stringify({ ...forged, host: "codex" }),
      JSON.stringify({ ...forged, definitions: [{ fingerprint: 3 }] }),
      JSON.stringify({ ...forged, definitions: "x" }),
      `${"x".repeat(300 * 1024)}`,
    ]
  ) {
    Deno.writeTextFileSync(damaged, text);
    assert.match((await place.ask()).join(""), /damaged/, text.slice(0, 60));
    assert.deepEqual(await place.ask("other"), []);
  }
  Deno.writeTextFileSync(damaged, kept);
  assert.deepEqual(await place.ask(), []);
});

Deno.test("each host, project and server is remembered by itself", async () => {
  using place = new Place();
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  place.project({ github: { command: "z" } });
  assert.deepEqual(await place.ask("github", "list", "codex"), []);
  assert.equal((await place.ask()).length, 1);
  Deno.writeTextFileSync(
    join(place.home, ".codex", "config.toml"),
    '[mcp_servers.docs]\ncommand = "d"\nargs = ["a"]\n',
  );
  assert.deepEqual(await place.ask("docs"), []);
  Deno.writeTextFileSync(join(place.home, ".codex", "config.toml"), '[mcp_servers.docs]\ncommand = "e"\n');
  assert.match((await place.ask("docs")).join(""), /command was "d a"/);
  assert.equal(listRecords(place.state).length, 3);
});

Deno.test("servers are found by the names that hosts make of theirs", async () => {
  using place = new Place();
  place.project({ "My Server": { command: "a" }, my: { command: "b" }, "constructor": { command: "c" } });
  const around = [{ system: "linux" as const, home: place.home, project: place.workspace, env: {} }];
  const commandOf = async (server: string, tool: string) =>
    (await definitionsOf(server, tool, sources, around)).definitions[0]?.command;
  assert.equal(await commandOf("My Server", "x"), "a");
  assert.equal(await commandOf("my_server", "x"), "a");
  // The name of the server ends at the first separator, say some hosts.
  assert.equal(await commandOf("my", "x"), "b");
  place.project({ "my-server": { command: "a" }, "__proto__": { command: "p" } });
  assert.equal(await commandOf("my", "server_run"), "a");
  assert.equal(await commandOf("other", "server_run"), undefined);
  assert.equal(await commandOf("", "x"), undefined);
  assert.equal(await commandOf("toString", "x"), undefined);
  assert((await definedServers(sources, around)).includes("my-server"));
});

Deno.test("many hooks at once write one whole record", async () => {
  using place = new Place();
  place.project({ github });
  const answers = await Promise.all(Array.from({ length: 20 }, () => place.ask()));
  assert(answers.every((texts) => texts.length === 0));
  assert.equal(place.records.length, 1);
  assert.deepEqual(await place.ask(), []);
});

Deno.test("where nothing can be written, nothing is lost but the memory", async () => {
  using place = new Place();
  place.project({ github });
  Deno.writeTextFileSync(place.state, "a file in the place of the directory");
  assert.deepEqual(await place.ask(), []);
});

Deno.test("a file that cannot be looked at any more is told, though another still defines the server", async () => {
  using place = new Place();
  place.project({ github });
  const user = join(place.home, ".claude.json");
  Deno.writeTextFileSync(user, JSON.stringify({ mcpServers: { github } }));
  assert.deepEqual(await place.ask(), []);
  // A host may read what guard does not, and take this one.
  const evil = JSON.stringify({ mcpServers: { github: { command: "evil" } } });
  const path = join(place.workspace, ".mcp.json");
  for (const text of [`${evil}${" ".repeat(9 * 1024 * 1024)}`, `${evil} more`]) {
    Deno.writeTextFileSync(path, text);
    assert.match((await place.ask()).join(""), /cannot be compared/);
  }
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
});

Deno.test("a file that could not be looked at from the beginning is no question", async () => {
  using place = new Place();
  place.project({ github });
  Deno.writeTextFileSync(join(place.home, ".claude.json"), "{");
  assert.deepEqual(await place.ask(), []);
  assert.deepEqual(await place.ask(), []);
});

Deno.test("what is made of other values is no other text, and homes and package managers decide what runs", async () => {
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [{ command: { path: "a" } }, { command: { path: "b" } }],
    [{ command: "npx", args: ["a b"] }, { command: "npx", args: ['"a', 'b"'] }],
    ...["HOME", "XDG_CONFIG_HOME", "npm_config_userconfig", "UV_INDEX", "DOCKER_CONFIG", "NODE_PATH"].map((
      name,
    ) => [{ command: "x", env: { [name]: "/a" } }, { command: "x", env: { [name]: "/b" } }] as const),
  ];
  for (const [before, after] of pairs) {
    using place = new Place();
    place.project({ github: before });
    assert.deepEqual(await place.ask(), []);
    place.project({ github: after });
    assert.equal((await place.ask()).length, 1, JSON.stringify(after));
  }
  using place = new Place();
  for (const token of ["a", "b"]) {
    place.project({
      github: { command: "x", env: { NODE_AUTH_TOKEN: token, npm_config__authToken: token } },
    });
    assert.deepEqual(await place.ask(), []);
  }
});

Deno.test("a definition that takes long to read is not read", async () => {
  using place = new Place();
  Deno.writeTextFileSync(join(place.home, ".codex", "config.toml"), `a${".a".repeat(2_000_000)} = 1`);
  const around = { system: "linux" as const, home: place.home, project: place.workspace, env: {} };
  const started = performance.now();
  const { unreadable } = await definitionsOf("github", "list", sources, [around]);
  assert.match(unreadable ?? "", /expected at most 524288 characters of TOML, found 4000005/);
  assert(performance.now() - started < 2000);
});

Deno.test("a server that a person has trusted without a definition is a question only when it has one again", async () => {
  using place = new Place();
  place.project({ github });
  assert.deepEqual(await place.ask(), []);
  place.project({});
  assert.match((await place.ask())[0] ?? "", /no longer is/);
  await writeRecord(place.state, { ...listRecords(place.state)[0]!, definitions: [] });
  assert.deepEqual(await place.ask(), []);
  place.project({ github });
  assert.equal((await place.ask()).length, 1);
});
