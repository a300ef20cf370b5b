import assert from "node:assert/strict";
import fc from "fast-check";
import { makeContext } from "../context.ts";
import { fakeFacts } from "../facts/fake.ts";
import { judge } from "../judge.ts";
import { loadAllRules } from "../rules_loader.ts";
import type { Action, Decision, HookCall, Policy, ToolPermission } from "../types.ts";
import { builtInPolicy } from "./built_in.ts";
import { canonicalGlob, fold } from "./tool_permissions.ts";

const rules = await loadAllRules();

interface Said {
  readonly tools?: readonly (Omit<ToolPermission, "layer"> & Partial<Pick<ToolPermission, "layer">>)[];
  readonly defaults?: Policy["toolDefaults"];
  readonly host?: string;
  readonly native?: string;
  readonly event?: HookCall["event"];
}

function verdictOf(
  action: Action,
  { tools = [], defaults = [], host = "claude", native, event = "pre_tool" }: Said,
) {
  const call: HookCall = {
    host,
    event,
    nativeEvent: "PreToolUse",
    cwd: "/home/eva/shop",
    ...(native === undefined ? {} : { tool: native }),
    actions: [action],
  };
  const policy = {
    ...builtInPolicy,
    tools: tools.map((one): ToolPermission => ({ layer: "user", ...one })),
    toolDefaults: defaults,
  };
  const context = makeContext({
    call,
    home: "/home/eva",
    processDirectory: "/home/eva/shop",
    facts: fakeFacts({ git: {}, links: { "/home/eva/shop/out": "/etc" } }, "/home/eva/shop"),
    policy,
  });
  const verdict = judge(call, rules, context);
  assert.equal(verdict.failure, undefined);
  return verdict;
}

const mcp = (server: string, tool: string, input: unknown = {}): Action => ({
  kind: "mcp",
  server,
  tool,
  input,
});
const shell = (command: string): Action => ({ kind: "shell", command, dialect: "posix" });
const read = (path: string): Action => ({ kind: "file", operation: "read", path });

function decides(wanted: Decision, action: Action, said: Said): void {
  const verdict = verdictOf(action, said);
  assert.equal(verdict.decision, wanted, JSON.stringify([action, said, verdict.findings]));
}

Deno.test("the hosts' spellings of an MCP tool are one", () => {
  const pairs: readonly (readonly [string, string])[] = [
    ["mcp__github__create_issue", "github/create_issue"],
    ["mcp__my__server__run", "my__server/run"],
    ["mcp__github", "github/*"],
    ["mcp__github__*", "github/*"],
    ["mcp__*", "*/*"],
    ["@github/create_issue", "github/create_issue"],
    ["github:create_issue", "github/create_issue"],
    ["MCP:create_issue", "*/create_issue"],
    ["github/create_issue", "github/create_issue"],
    ["Bash", "Bash"],
    ["@shell", "@shell"],
  ];
  for (const [written, canonical] of pairs) assert.equal(canonicalGlob(written), canonical);
  assert.equal(fold("mcp__GitHub__delete-Repo"), "mcp_github_delete_repo");
});

Deno.test("deny wins over ask, and ask over allow", () => {
  const allow = { tool: "srv/*", decision: "allow" } as const;
  const ask = { tool: "srv/post", decision: "ask" } as const;
  const deny = { tool: "srv/post", decision: "deny" } as const;
  decides("allow", mcp("srv", "post"), { tools: [allow] });
  decides("ask", mcp("srv", "post"), { tools: [allow, ask] });
  decides("deny", mcp("srv", "post"), { tools: [ask, allow, deny] });
  decides("none", mcp("srv", "post"), {});
});

Deno.test("what denies is found in every spelling of the tool's name", () => {
  const calls = [
    mcp("GitHub", "delete-repo"),
    mcp("github", "deleteRepo".replace("R", "_r")),
    mcp("git_hub", "x"),
    mcp("", "delete_repo"),
  ];
  for (
    const tool of [
      "github/delete_repo",
      "mcp__github__delete_repo",
      "mcp_github_delete_repo",
      "@github/delete_repo",
      "github:delete_repo",
      "delete_repo",
    ]
  ) {
    decides("deny", calls[0]!, { tools: [{ tool, decision: "deny" }] });
    decides("deny", calls[1]!, { tools: [{ tool, decision: "deny" }] });
  }
  decides("none", calls[2]!, { tools: [{ tool: "github/x", decision: "deny" }] });
  // Which part of the name is the server is not told on every host.
  decides("deny", mcp("my", "server_run"), { tools: [{ tool: "my_server/run", decision: "deny" }] });
  // A host that does not name the server.
  decides("deny", mcp("", "update"), {
    tools: [{ tool: "github/update", decision: "deny" }],
    native: "MCP:update",
  });
  decides("none", mcp("", "update"), {
    tools: [{ tool: "github/*", decision: "deny" }],
    native: "MCP:update",
  });
  decides("deny", mcp("ｇｉｔｈｕｂ", "push"), { tools: [{ tool: "github/push", decision: "deny" }] });
});

Deno.test("what allows is meant exactly", () => {
  const tools = [{ tool: "github/list_*", decision: "allow" }, { tool: "Read", decision: "allow" }] as const;
  decides("allow", mcp("github", "list_issues"), { tools });
  decides("none", mcp("GitHub", "list_issues"), { tools });
  decides("none", mcp("", "list_issues"), { tools });
  decides("none", mcp("evil", "Read"), { tools });
  decides("none", mcp("github", "list_x/../delete"), { tools });
  decides("allow", read("src/a.ts"), { tools, native: "Read" });
  decides("none", read("src/a.ts"), { tools, native: "read" });
  decides("allow", mcp("a", "b"), { tools: [{ tool: "*", decision: "allow" }] });
  decides("none", mcp("a", "b"), { tools: [{ tool: "a*", decision: "allow" }] });
});

Deno.test("allowing a tool hides nothing that guard finds", () => {
  const tools = [{ tool: "*", decision: "allow" }] as const;
  decides("deny", shell("rm -rf ~"), { tools, native: "Bash" });
  decides("deny", mcp("term", "run_command", { command: "rm -rf ~" }), { tools });
  decides("ask", mcp("postgres", "query", { sql: "drop table users" }), { tools });
});

Deno.test("only calls of tools are meant", () => {
  const said = {
    tools: [{ tool: "*", decision: "deny" }],
    defaults: [{ hosts: { "*": "deny" }, layer: "user" }],
  } as const;
  decides("none", { kind: "prompt", text: "hello" }, { ...said, event: "prompt" });
  decides("none", { kind: "output", tool: "Bash", text: "x" }, { ...said, event: "post_tool" });
  decides("deny", shell("ls"), { ...said, native: "Bash" });
  decides("deny", { kind: "unknown", tool: "TodoWrite", input: {} }, { ...said, native: "TodoWrite" });
});

Deno.test("hosts limit an entry", () => {
  const tools = [{ tool: "srv/*", hosts: ["codex"], decision: "deny" }] as const;
  decides("none", mcp("srv", "x"), { tools });
  decides("deny", mcp("srv", "x"), { tools, host: "codex" });
});

Deno.test("the hosts' own tools have one name everywhere", () => {
  const tools = [{ tool: "@shell", decision: "deny" }, { tool: "@{write,delete}", decision: "ask" }] as const;
  decides("deny", shell("ls"), { tools, native: "run_shell_command", host: "gemini" });
  decides("ask", { kind: "file", operation: "write", path: "a.txt" }, { tools, native: "create" });
  decides("none", read("a.txt"), { tools, native: "view" });
  decides("none", mcp("shell", "x"), { tools });
  // A call that makes several names each.
  const batched: Action = { kind: "shell", command: "ls", dialect: "posix", tool: "bash" };
  decides("deny", batched, {
    tools: [{ tool: "Bash", decision: "deny" }],
    native: "batch",
    host: "opencode",
  });
  decides("none", batched, {
    tools: [{ tool: "batch", decision: "allow" }],
    native: "batch",
    host: "opencode",
  });
});

Deno.test("arguments that deny are found however they are given", () => {
  const tools = [{
    tool: "git/push",
    arguments: { branch: "main", "options.force": true },
    decision: "deny",
  }] as const;
  const given: readonly unknown[] = [
    { branch: "main", options: { force: true } },
    { Branch: "MAIN", options: { Force: "true" } },
    { branch: ["dev", "main"], options: [{ force: true }] },
    { request: { branch: "main", options: { force: true } } },
    { arguments: '{"branch": "main", "options": {"force": true}}' },
    '{"branch": "main", "options": {"force": true}}',
    { branch: " main ", "options.force": true },
    { branch: { name: "main" }, options: { force: true } },
    { branch: "ｍain", options: { force: true } },
    { branch: "dev", BRANCH: "main", options: { force: true } },
    { branch: "x".repeat(20_000), options: { force: true } },
  ];
  for (const input of given) decides("deny", mcp("git", "push", input), { tools });
  const others: readonly unknown[] = [
    {},
    { branch: "main" },
    { branch: "main", options: { force: false } },
    { branch: "dev", options: { force: true } },
    null,
    [],
  ];
  for (const input of others) decides("none", mcp("git", "push", input), { tools });
});

Deno.test("arguments that allow are there, once, and nothing else", () => {
  const tools = [{ tool: "files/read", arguments: { path: "src/*", depth: 2 }, decision: "allow" }] as const;
  decides("allow", mcp("files", "read", { path: "src/a.ts", depth: 2 }), { tools });
  decides("allow", mcp("files", "read", { path: ["src/a.ts", "src/b.ts"], depth: 2 }), { tools });
  const others: readonly unknown[] = [
    {},
    { path: "src/a.ts" },
    { path: "src/a.ts", depth: "2" },
    { path: "src/../.env.example", depth: 2 },
    { path: ["src/a.ts", "README.md"], depth: 2 },
    { path: [], depth: 2 },
    { path: "src/a.ts", Path: "README.md", depth: 2 },
    { given: { path: "src/a.ts", depth: 2 } },
    { path: { text: "src/a.ts" }, depth: 2 },
  ];
  for (const input of others) decides("none", mcp("files", "read", input), { tools });
});

Deno.test("conditions that begin with not", () => {
  const deny = [{
    tool: "git/push",
    arguments: { branch: { not: ["feature/*", "fix/*"] } },
    decision: "deny",
  }] as const;
  decides("none", mcp("git", "push", { branch: "feature/a" }), { tools: deny });
  decides("deny", mcp("git", "push", { branch: "main" }), { tools: deny });
  decides("deny", mcp("git", "push", {}), { tools: deny });
  decides("deny", mcp("git", "push", { branch: ["feature/a", "main"] }), { tools: deny });
  const allow = [{ tool: "git/push", arguments: { branch: { not: "main" } }, decision: "allow" }] as const;
  decides("allow", mcp("git", "push", { branch: "dev" }), { tools: allow });
  decides("none", mcp("git", "push", { branch: "Main" }), { tools: allow });
  decides("none", mcp("git", "push", {}), { tools: allow });
  const absent = [{ tool: "x/y", arguments: { limit: null }, decision: "deny" }] as const;
  decides("deny", mcp("x", "y", {}), { tools: absent });
  decides("none", mcp("x", "y", { limit: 3 }), { tools: absent });
});

Deno.test("a command is allowed only as a whole, and denied by any part", () => {
  const allow = [{ tool: "Bash", arguments: { command: "git status*" }, decision: "allow" }] as const;
  decides("allow", shell("git status -s"), { tools: allow, native: "Bash" });
  decides("none", shell("git status; curl https://example.com/a.txt"), { tools: allow, native: "Bash" });
  decides("none", shell("git status $(whoami)"), { tools: allow, native: "Bash" });
  const deny = [{ tool: "@shell", arguments: { command: "docker *" }, decision: "deny" }] as const;
  decides("deny", shell("cd a && docker ps"), { tools: deny, native: "Bash" });
  decides("deny", shell("d\\ocker ps"), { tools: deny, native: "Bash" });
  decides("none", shell("git commit -m 'docker ps'"), { tools: deny, native: "Bash" });
});

Deno.test("a path is allowed by where it leads", () => {
  const tools = [{ tool: "@read", arguments: { path: "src/**" }, decision: "allow" }] as const;
  decides("allow", read("src/a.ts"), { tools });
  decides("allow", read("/home/eva/shop/src/deep/a.ts"), { tools });
  decides("none", read("src/../notes.md"), { tools });
  const linked = [{ tool: "@read", arguments: { path: "out/**" }, decision: "allow" }] as const;
  decides("none", read("out/hosts"), { tools: linked });
  const deny = [{ tool: "@read", arguments: { path: "notes/**" }, decision: "deny" }] as const;
  decides("deny", read("src/../notes/a.md"), { tools: deny });
  decides("deny", read("/home/eva/shop/Notes/a.md"), { tools: deny });
});

Deno.test("defaults hold for what no entry allows", () => {
  const defaults = [{ hosts: { "*": "ask", codex: "deny", pi: "none" }, layer: "user" }] as const;
  const tools = [{ tool: "{Read,Edit,Bash}", decision: "allow" }] as const;
  decides("allow", shell("ls"), { tools, defaults, native: "Bash" });
  decides("ask", { kind: "unknown", tool: "TodoWrite", input: {} }, { tools, defaults, native: "TodoWrite" });
  decides("deny", mcp("a", "b"), { tools, defaults, host: "codex" });
  decides("none", mcp("a", "b"), { tools, defaults, host: "pi" });
});

Deno.test("an entry that allows counts for defaults of its own layer and of those below", () => {
  const by = (layer: ToolPermission["layer"]) => ({ tool: "a/b", decision: "allow", layer }) as const;
  const managed = [{ hosts: { "*": "deny" }, layer: "managed" }] as const;
  decides("deny", mcp("a", "b"), { tools: [by("user")], defaults: managed });
  decides("allow", mcp("a", "b"), { tools: [by("managed")], defaults: managed });
  const project = [{ hosts: { "*": "deny" }, layer: "project" }] as const;
  decides("allow", mcp("a", "b"), { tools: [by("user")], defaults: project });
  // It is no question any more, and still no permission.
  decides("none", mcp("a", "b"), { tools: [by("project")], defaults: project });
  decides("none", mcp("a", "b"), { tools: [by("project")] });
  const both = [...managed, { hosts: { claude: "none" }, layer: "user" }] as const;
  decides("deny", mcp("a", "b"), { defaults: both });
});

Deno.test("names and members that are none of an object's own, and huge inputs", () => {
  const tools = [
    { tool: "*", arguments: { "constructor.name": "Object" }, decision: "deny" },
    { tool: "*", arguments: { "__proto__.x": "1" }, decision: "deny" },
  ] as const;
  decides("none", mcp("__proto__", "constructor", {}), { tools });
  decides("none", mcp("a", "toString"), {
    tools,
    defaults: [{ hosts: JSON.parse('{"claude":"none"}'), layer: "user" }],
  });
  const reserved = JSON.parse('{"__proto__": {"x": "1"}}');
  decides("deny", mcp("a", "b", reserved), { tools });
  const long = mcp("a", "b".repeat(5000));
  decides("ask", long, { tools: [{ tool: "*", decision: "allow" }] });
  let deep: unknown = "x";
  for (let i = 0; i < 5000; i++) deep = { a: deep };
  assert.notEqual(
    verdictOf(mcp("a", "b", deep), { tools: [{ tool: "a/b", arguments: { z: "1" }, decision: "deny" }] })
      .decision,
    "none",
  );
});

const word = fc.constantFrom(
  "a",
  "b",
  "push",
  "main",
  "Main",
  "dev",
  "x/y",
  "mcp__a__b",
  "",
  "*",
  "__proto__",
);
const scalar = fc.oneof(word, fc.boolean(), fc.constant(null), fc.nat(3));
const permission = fc.record({
  tool: fc.oneof(
    fc.constantFrom("*", "a/*", "a/b", "@shell", "Bash", "b"),
    fc.string({ minLength: 1, maxLength: 8 }),
  ),
  arguments: fc.dictionary(
    fc.constantFrom("branch", "x.y", "constructor"),
    fc.oneof(scalar, fc.record({ not: scalar })),
    {
      maxKeys: 2,
    },
  ),
  decision: fc.constantFrom("allow", "ask", "deny"),
  layer: fc.constantFrom("managed", "user", "project"),
}) as fc.Arbitrary<ToolPermission>;
const anyCall = fc.oneof(
  fc.record({ kind: fc.constant("mcp"), server: word, tool: word, input: fc.dictionary(word, scalar) }),
  fc.record({ kind: fc.constant("unknown"), tool: word, input: fc.anything() }),
  fc.constant(shell("git status")),
) as fc.Arbitrary<Action>;
const rank = { none: 0, allow: 0, ask: 1, deny: 2 };

Deno.test("an entry that asks or denies never loosens, whatever it is", () => {
  fc.assert(
    fc.property(anyCall, fc.array(permission, { maxLength: 3 }), permission, (action, tools, more) => {
      if (more.decision === "allow") return;
      const before = verdictOf(action, { tools }).decision;
      const after = verdictOf(action, { tools: [...tools, more] }).decision;
      assert(rank[after] >= rank[before]);
    }),
  );
});

Deno.test("an entry of a project never loosens and never allows", () => {
  fc.assert(
    fc.property(anyCall, fc.array(permission, { maxLength: 3 }), permission, (action, tools, more) => {
      const defaults = [{ hosts: { "*": "ask" }, layer: "user" }] as const;
      const before = verdictOf(action, { tools, defaults }).decision;
      const after =
        verdictOf(action, { tools: [...tools, { ...more, layer: "project" }], defaults }).decision;
      assert(rank[after] >= rank[before]);
      assert(after !== "allow" || before === "allow");
    }),
  );
});

Deno.test("a project's entry does not take the question about a destructive name away", () => {
  const tool = mcp("github", "delete_repository", { owner: "a", repo: "b" });
  const said = { tool: "github/*", decision: "ask" } as const;
  const rules = (layer: "user" | "project") =>
    verdictOf(tool, { tools: [{ ...said, layer }] }).findings.map(({ rule }) => rule).sort();
  assert.deepEqual(rules("user"), ["policy/ask-tool"]);
  assert.deepEqual(rules("project"), ["mcp/destructive-tool", "policy/ask-tool"]);
});

Deno.test("a value that a lenient server takes for the one that is denied counts", () => {
  const denies = (condition: ToolPermission["arguments"], input: unknown): Decision =>
    verdictOf(mcp("git", "tag", input), {
      tools: [{ tool: "git/tag", decision: "deny", arguments: condition! }],
    }).decision;
  for (const force of [true, "true", "TRUE", "yes", "on", "1", 1, " t ", ["y"]]) {
    assert.equal(denies({ force: true }, { force }), "deny", String(force));
  }
  for (const force of [false, "false", "no", 0, "maybe", 2, "", null]) {
    assert.equal(denies({ force: true }, { force }), "none", String(force));
  }
  for (const force of ["no", "off", 0, "0"]) assert.equal(denies({ force: false }, { force }), "deny");
  for (const count of [5, "5", "5.0", "05", "5e0", " 5", "0x5"]) {
    assert.equal(denies({ count: 5 }, { count }), "deny", String(count));
  }
  for (const count of [4, "55", "five", ""]) assert.equal(denies({ count: 5 }, { count }), "none");
  for (const branch of ["ma\u200bin", "main\u2060", "\ufeffmain"]) {
    assert.equal(denies({ branch: "main" }, { branch }), "deny", JSON.stringify(branch));
  }
  const packed = JSON.stringify(JSON.stringify({ branch: "main" }));
  assert.equal(denies({ branch: "main" }, { args: packed }), "deny");
  const long = "k".repeat(300);
  let input: unknown = { branch: "main" };
  for (let count = 0; count < 8; count++) input = { [long]: input };
  assert.equal(denies({ branch: "main" }, input), "deny");
});
