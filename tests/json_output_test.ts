/** The documents that guard writes for programs have the keys that docs/json.md names, and no others. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { makePlace, type Place, runGuard, type Target, targets } from "./hook_process.ts";

const page = Deno.readTextFileSync(fileURLToPath(new URL("../docs/json.md", import.meta.url)));

/** Keys of the table below a heading, with whether they are always there. */
function keysOf(heading: string): Map<string, boolean> {
  const part = page.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`));
  assert.ok(part !== undefined, `docs/json.md has no heading ${heading}`);
  const rows = [...part.matchAll(/^\| `(\w+)` +\| (yes|no) +\|/gm)];
  assert.ok(rows.length > 0, `docs/json.md has no table below ${heading}`);
  return new Map(rows.map(([, key, always]) => [key!, always === "yes"]));
}

type Document = Readonly<Record<string, unknown>>;

/** Compares a document with a table, or with several of them together. */
function agrees(document: Document, ...headings: readonly string[]): void {
  const known = new Map(headings.flatMap((heading) => [...keysOf(heading)]));
  for (const key of Object.keys(document)) {
    assert.ok(known.has(key), `${key} is not documented: ${headings.join(", ")}`);
  }
  for (const [key, always] of known) {
    if (always) assert.ok(key in document, `${key} is missing: ${headings.join(", ")}`);
  }
}

function hasKeys(document: Document, ...keys: readonly string[]): void {
  assert.deepEqual(Object.keys(document).sort(), [...keys].sort());
}

async function run(target: Target, place: Place, args: readonly string[], stdin = ""): Promise<Document[]> {
  const { stdout, stderr } = await runGuard(target, place, args, { stdin });
  assert.notEqual(stdout.trim(), "", stderr);
  return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Elements of a list in a document; at least one. */
function listIn(document: Document, key: string): readonly Document[] {
  const value = document[key];
  assert.ok(Array.isArray(value) && value.length > 0, `${key} is a list that is not empty`);
  return value;
}

// Judged, and never run.
const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");
const command = "sudo rm -rf ../other; ssh web1 rm -r /srv/x";

/** Keys that `guard explain --json` has promised: one that goes away or changes its type means a new major version. */
const promised: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "guard explain --json": {
    action: "object",
    cwd: "string",
    workspace: "string",
    decision: "string",
    invocations: "array",
    doubts: "array",
    uses: "array",
    findings: "array",
    mode: "string",
    level: "string",
  },
  "Explained invocation": {
    program: "string",
    args: "array",
    known: "boolean",
    directory: "string or null",
    otherDirectories: "array",
    via: "array",
    privileged: "boolean",
    provenance: "string",
  },
  "Explained use": {
    operation: "string",
    written: "string",
    recursive: "boolean",
    reaches: "array",
    unknown: "boolean",
  },
  "Finding": {
    rule: "string",
    decision: "string",
    severity: "string",
    message: "string",
    advice: "string",
    evidence: "object",
    action: "number",
  },
  "Explained finding": { title: "string", rationale: "string", effective: "string" },
};

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** A document has what was promised, and so does the page. */
function keeps(document: Document, heading: string): void {
  const known = keysOf(heading);
  for (const [key, type] of Object.entries(promised[heading]!)) {
    assert.equal(known.get(key), true, `docs/json.md no longer promises ${key} of ${heading}`);
    const found = typeOf(document[key]);
    assert.ok(type.split(" or ").includes(found), `${key} of ${heading}: expected ${type}, found ${found}`);
  }
}

for (const target of targets()) {
  const test = (name: string, body: (place: Place) => Promise<void>) =>
    Deno.test(`${target.name}: ${name}`, async () => {
      const place = makePlace();
      try {
        await body(place);
      } finally {
        place.remove();
      }
    });

  test("check --json is as documented", async (place) => {
    const [answer] = await run(target, place, ["check", "--json", "--", command]);
    agrees(answer!, "guard check --json");
    for (const finding of listIn(answer!, "findings")) {
      agrees(finding, "Finding");
      hasKeys(finding.evidence as Document, "text", "span");
    }
  });

  test("mcp --json is as documented", async (place) => {
    const definition = (name: string) =>
      Deno.writeTextFileSync(
        `${place.project}/.mcp.json`,
        JSON.stringify({ mcpServers: { docs: { command: name } } }),
      );
    definition("docs-server");
    const payload = {
      hook_event_name: "PreToolUse",
      cwd: place.project,
      tool_name: "mcp__docs__search",
      tool_input: {},
    };
    const state = ["--state", place.state];
    const hook = ["hook", "--host", "claude", "--event", "PreToolUse", "--policy", place.policy, ...state];
    await runGuard(target, place, hook, { stdin: JSON.stringify(payload) });
    definition("other-server");
    const [servers] = await run(target, place, ["mcp", "--json", ...state]);
    const [server] = servers as unknown as Document[];
    agrees(server!, "guard mcp --json");
    assert.match(String(server!.changed), /other-server/);
  });

  test("check --jsonl is as documented", async (place) => {
    const lines = [JSON.stringify({ id: 1, command }), "nonsense"].join("\n");
    const [judged, bad] = await run(target, place, ["check", "--jsonl"], lines);
    agrees(judged!, "guard check --jsonl");
    agrees(bad!, "guard check --jsonl");
    hasKeys(bad!, "id", "error");
    for (const finding of listIn(judged!, "findings")) hasKeys(finding, "rule", "decision", "message");
  });

  test("explain --json is as documented", async (place) => {
    const [explained] = await run(target, place, ["explain", "--json", "--", command]);
    agrees(explained!, "guard explain --json");
    for (const one of listIn(explained!, "invocations")) agrees(one, "Explained invocation");
    for (const one of listIn(explained!, "findings")) agrees(one, "Finding", "Explained finding");
    for (const one of listIn(explained!, "uses")) {
      agrees(one, "Explained use");
      for (const reached of listIn(one, "reaches")) {
        hasKeys(reached, "path", "place", "contents", "linked", "onlyIfEmpty");
      }
    }
    const [doubtful] = await run(target, place, ["explain", "--json", "--", "rm 'a"]);
    for (const doubt of listIn(doubtful!, "doubts")) hasKeys(doubt, "reason", "message", "span");
  });

  test("explain --json keeps what it has promised, and says the same every time", async (place) => {
    const args = ["explain", "--json", "--cwd", "/home/eva/shop", "--", command];
    const [explained] = await run(target, place, args);
    keeps(explained!, "guard explain --json");
    for (const one of listIn(explained!, "invocations")) keeps(one, "Explained invocation");
    for (const one of listIn(explained!, "uses")) keeps(one, "Explained use");
    for (const one of listIn(explained!, "findings")) {
      keeps(one, "Finding");
      keeps(one, "Explained finding");
    }
    const [again] = await run(target, place, args);
    assert.deepEqual(again, explained);
    const programs = listIn(explained!, "invocations").map(({ program, remote }) => [program, remote ?? ""]);
    assert.deepEqual(programs, [["rm", ""], ["ssh", ""], ["rm", "web1"]]);
  });

  test("explain --json says what the level of the policy changed", async (place) => {
    Deno.writeTextFileSync(place.policy, '{"level": "strict"}');
    const args = ["explain", "--json", "--policy", place.policy, "--", command];
    const [explained] = await run(target, place, args);
    assert.equal(explained!.level, "strict");
    const finding = listIn(explained!, "findings").find(({ rule }) => rule === "filesystem/delete-outside");
    agrees(finding!, "Finding", "Explained finding");
    assert.deepEqual([finding!.decision, finding!.effective], ["ask", "deny"]);
    assert.match(String(finding!.policy), /the level strict of the user policy/);
  });

  test("rules --json is as documented", async (place) => {
    const [rules] = await run(target, place, ["rules", "--json", "--level", "strict"]);
    for (const rule of rules as unknown as readonly Document[]) agrees(rule, "guard rules --json");
    const decisions = new Set((rules as unknown as readonly Document[]).map(({ decision }) => decision));
    assert.deepEqual([...decisions].sort(), ["ask", "deny", "off"]);
    const [rule] = await run(target, place, ["rules", "show", "git/clean", "--json"]);
    agrees(rule!, "guard rules show ID --json");
    assert.deepEqual(rule!.decisions, { standard: "ask", strict: "deny", paranoid: "deny" });
  });

  test("policy --json is as documented", async (place) => {
    Deno.writeTextFileSync(place.policy, '{"level": "strict", "rules": {"git/nosuch": "ask"}}');
    const [policy] = await run(target, place, ["policy", "--json", "--policy", place.policy]);
    agrees(policy!, "guard policy --json");
    assert.equal((policy!.policy as Document).level, "strict");
    assert.equal((policy!.origins as Document).level, "user");
    hasKeys(listIn(policy!, "files")[0]!, "layer", "path", "present");
    assert.equal((policy!.warnings as readonly string[]).length, 1);
  });

  test("log --json is as documented", async (place) => {
    const payload = {
      session_id: "s",
      cwd: place.project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "t",
    };
    await run(target, place, ["hook", "--host", "claude"], JSON.stringify(payload));
    const [record] = await run(target, place, ["log", "--json"]);
    agrees(record!, "guard log --json");
  });

  test("doctor --json is as documented", async (place) => {
    const [report] = await run(target, place, ["doctor", "--json", "--host", "claude"]);
    agrees(report!, "guard doctor --json");
    for (const host of listIn(report!, "hosts")) agrees(host, "Host of doctor");
    for (const check of listIn(report!, "general")) {
      assert.deepEqual(["name", "status", "detail"].filter((key) => !(key in check)), []);
    }
  });

  test("status --json is as documented", async (place) => {
    const [report] = await run(target, place, ["status", "--json"]);
    agrees(report!, "guard status --json");
    for (const host of listIn(report!, "hosts")) agrees(host, "Host of status");
  });

  test("scan --json is as documented", async (place) => {
    const stdin = `postgres://svc:${password}@db.acme.dev/app\n`;
    const [scan] = await run(target, place, ["scan", "--json", "-"], stdin);
    agrees(scan!, "guard scan --json");
    for (const leak of listIn(scan!, "leaks")) agrees(leak, "Leak");
    const mail = ["erika.muster", "posteo.de"].join("@");
    const more = `${stdin.trim()} # guard:allow content/secret-in-file\n${mail}\n`;
    const [personal] = await run(target, place, ["scan", "--personal", "--json", "-"], more);
    const leaks = listIn(personal!, "leaks");
    assert.deepEqual(leaks.map(({ kind, commented }) => [kind, commented]), [
      ["url-password", true],
      ["personal-email", undefined],
    ]);
    for (const leak of leaks) agrees(leak, "Leak");
  });

  test("hosts --json is as documented", async (place) => {
    const [hosts] = await run(target, place, ["hosts", "--json"]);
    for (const host of hosts as unknown as readonly Document[]) {
      agrees(host, "guard hosts --json");
      if (host.verified !== undefined) agrees(host.verified as Document, "Verification");
    }
    const [named] = await run(target, place, ["hosts", "--json", "claude"]);
    const [claude] = named as unknown as readonly Document[];
    assert.deepEqual([claude!.host, claude!.stops], ["claude", ["pre_tool", "prompt"]]);
  });
}
