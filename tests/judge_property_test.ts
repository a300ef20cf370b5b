/** Judging never throws, is the same each time, and needs no rule that was not loaded. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { examine, judge } from "../src/judge.ts";
import { loadAllRules, loadRulesFor } from "../src/rules_loader.ts";
import { builtInPolicy } from "../src/policy/built_in.ts";
import type { Action, Context, HookCall, Policy, Rule } from "../src/types.ts";

const rules = await loadAllRules();

function callOf(...actions: Action[]): HookCall {
  return { host: "claude", event: "pre_tool", nativeEvent: "PreToolUse", cwd: "/home/eva/shop", actions };
}

function contextFor(call: HookCall, policy: Policy = builtInPolicy): Context {
  return makeContext({
    call,
    home: "/home/eva",
    processDirectory: "/",
    facts: fakeFacts({ git: {} }, "/home/eva/shop"),
    policy,
  });
}

const shell = (command: string): Action => ({ kind: "shell", command, dialect: "posix" });

const words = fc.constantFrom(
  "rm",
  "-rf",
  "-r",
  "~",
  "/",
  ".",
  "*",
  "src",
  "git",
  "push",
  "--force",
  "reset",
  "--hard",
  "cat",
  ".env",
  "~/.ssh/id_rsa",
  "|",
  "&&",
  ";",
  ">",
  ">>",
  "$X",
  '"$X/"',
  "$(mktemp)",
  "sudo",
  "xargs",
  "find",
  "-delete",
  "-exec",
  "{}",
  "\\;",
  "bash",
  "-c",
  "'rm -rf ~'",
  "curl",
  "https://example.com/x",
  "-d",
  "@.env",
  "mv",
  "cp",
  "sed",
  "-i",
  "chmod",
  "777",
  "guard",
  "allow",
  "tee",
  "~/.bashrc",
  "cd",
  "..",
  "node_modules",
  "&",
  "(",
  ")",
  "{",
  "}",
  "\n",
  "<<EOF",
  "EOF",
  "'",
  '"',
  "`",
  "\\",
  "é",
  "\u0000",
);
const line = fc.array(words, { maxLength: 14 }).map((parts) => parts.join(" "));

Deno.test("commands made of dangerous words: total, deterministic, and alike with the rules loaded for them", async () => {
  await fc.assert(
    fc.asyncProperty(line, async (command) => {
      const call = callOf(shell(command));
      const verdict = judge(call, rules, contextFor(call));
      assert.equal(verdict.failure, undefined, command);
      assert.deepEqual(judge(callOf(shell(command)), rules, contextFor(call)), verdict);
      const context = contextFor(call);
      assert.deepEqual(judge(call, await loadRulesFor(call, context), context), verdict);
      for (const { evidence } of verdict.findings) {
        if (evidence.span === undefined) continue;
        assert.ok(evidence.span.start >= 0 && evidence.span.end <= command.length);
      }
    }),
    { numRuns: 400 },
  );
});

Deno.test("any text and any tool input: total", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.jsonValue(), (text, input) => {
      const call = callOf(
        shell(text),
        { kind: "shell", command: text, dialect: "powershell" },
        { kind: "shell", command: text, dialect: "cmd" },
        { kind: "file", operation: "write", path: text, content: text },
        { kind: "file", operation: "delete", path: text },
        { kind: "fetch", url: text },
        { kind: "mcp", server: text, tool: text, input },
        { kind: "unknown", tool: text, input: { path: text, command: input, args: [text] } },
        { kind: "prompt", text },
        { kind: "output", tool: text, text },
      );
      assert.equal(judge(call, rules, contextFor(call)).failure, undefined);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a rule that throws makes a failure by the policy's mode, and the other rules still count", () => {
  const broken: Rule = {
    on: "action",
    id: "test/broken",
    title: "Broken",
    severity: "low",
    decision: "ask",
    rationale: "x",
    advice: "x",
    kinds: ["shell"],
    examples: { match: [], pass: [] },
    match() {
      throw new Error("no luck");
    },
  };
  const call = callOf(shell("git status"));
  const open = contextFor(call, { ...builtInPolicy, onError: "none" });
  assert.equal(judge(call, [broken], contextFor(call)).decision, "deny");
  assert.match(judge(call, [broken], contextFor(call)).failure ?? "", /test\/broken.*no luck/);
  assert.equal(judge(call, [broken], open).decision, "none");
  const bad = callOf(shell("rm -rf ~"));
  assert.equal(judge(bad, [broken, ...rules], open).decision, "deny");
});

const policyTable: readonly [name: string, command: string, policy: Partial<Policy>, decision: string][] = [
  ["off", "rm -rf ~", { rules: { "filesystem/delete-root": "off" } }, "none"],
  ["lowered", "rm -rf ~", { rules: { "filesystem/*": "ask" } }, "ask"],
  ["raised", "rm .env", { rules: { "filesystem/delete-precious": "deny" } }, "deny"],
  ["an id counts before its category", "rm .env", {
    rules: { "filesystem/*": "off", "filesystem/delete-precious": "deny" },
  }, "deny"],
  [
    "below the floor",
    "rm -rf ~",
    {
      rules: { "filesystem/*": "off" },
      floor: { ...builtInPolicy, rules: { "filesystem/delete-root": "deny" } },
    },
    "deny",
  ],
  [
    "an exception",
    "rm -rf ../old",
    { exceptions: [{ rule: "filesystem/delete-outside", reason: "x" }] },
    "none",
  ],
  ["an exception for another text", "rm -rf ../old", {
    exceptions: [{ rule: "filesystem/*", reason: "x", match: "*new*" }],
  }, "ask"],
  ["an exception elsewhere", "rm -rf ../old", {
    exceptions: [{ rule: "filesystem/*", reason: "x", under: "/srv" }],
  }, "ask"],
  ["an exception that ran out", "rm -rf ../old", {
    exceptions: [{ rule: "filesystem/*", reason: "x", expires: "2001-01-01" }],
  }, "ask"],
  ["an exception with a broken date", "rm -rf ../old", {
    exceptions: [{ rule: "filesystem/*", reason: "x", expires: "soon" }],
  }, "ask"],
  ["a protected path", "echo x > docs/a.md", { protectedPaths: ["docs/**"] }, "deny"],
  ["a directory that holds a protected path", "mv docs old", { protectedPaths: ["docs/a.md"] }, "deny"],
  ["an unprotected path", "echo x > src/a.md", { protectedPaths: ["docs"] }, "none"],
  ["an allowed command", "npm test -- --watch", { allowedCommands: ["npm test"] }, "allow"],
  ["only a part is allowed", "npm test && npm run lint", { allowedCommands: ["npm test"] }, "none"],
  ["allowed, but dangerous", "rm -rf ~", { allowedCommands: ["rm"] }, "deny"],
  ["allowed, but it writes", "npm test > package.json", { allowedCommands: ["npm test"] }, "none"],
  ["allowed, but with another environment", "PATH=. npm test", { allowedCommands: ["npm test"] }, "none"],
  ["allowed by name, but another program", "./npm test", { allowedCommands: ["npm test"] }, "none"],
];

for (const [name, command, policy, decision] of policyTable) {
  Deno.test(`policy: ${name}: ${command}`, () => {
    const call = callOf(shell(command));
    const context = contextFor(call, { ...builtInPolicy, ...policy });
    const verdict = judge(call, rules, context);
    assert.equal(verdict.decision, decision, JSON.stringify(verdict.findings.map((finding) => finding.rule)));
    if (name === "an exception") assert.equal(verdict.excepted.length, 1);
  });
}

Deno.test("the strictest of several actions decides, and findings tell whose they are", () => {
  const call = callOf(shell("ls"), { kind: "file", operation: "read", path: "/home/eva/.ssh/id_rsa" });
  const verdict = judge(call, rules, contextFor(call));
  assert.equal(verdict.decision, "deny");
  assert.deepEqual(verdict.findings.map((finding) => finding.action), [1]);
});

Deno.test("judging takes about a millisecond or less", () => {
  const commands = ["git status", "rm -rf ~", "npm test 2>&1 | tail -20", "cd src && grep -rn foo . | head"];
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const call = callOf(shell(commands[round % commands.length]!));
    const context = contextFor(call);
    const before = performance.now();
    examine(call, rules, context);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  assert.ok(times[100]! < 2, `median ${times[100]} ms`);
});

Deno.test("hostile commands of the greatest length are judged in bounded time", () => {
  const parts: readonly string[] = [
    "rm -rf src/a ",
    "cat a ",
    "echo > a ",
    "ln -s a b; cat b; ",
    "-name a -o ",
    "a*b?[x]/ ",
    "../",
    "~/.ssh/id_rsa ",
    "-exec rm {} \\; ",
  ];
  for (const part of parts) {
    const start = /^-/.test(part) ? "find . " : /^[a-z]+ /.test(part) ? "" : "rm ";
    const call = callOf(shell(start + part.repeat(Math.floor(110_000 / part.length))));
    const before = performance.now();
    const verdict = judge(call, rules, contextFor(call));
    const took = performance.now() - before;
    assert.equal(verdict.failure, undefined);
    assert.ok(took < 4000, `${took} ms for ${JSON.stringify(part)}`);
  }
});
