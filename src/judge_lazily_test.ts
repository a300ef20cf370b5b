/** Leaving rules out changes no verdict. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { makeContext } from "./context.ts";
import { fakeFacts } from "./facts/fake.ts";
import { broad, judge } from "./judge.ts";
import { judgeLazily } from "./judge_lazily.ts";
import { builtInPolicy } from "./policy/built_in.ts";
import { loadAllRules } from "./rules_loader.ts";
import type { Action, Context, HookCall, Policy } from "./types.ts";

const rules = await loadAllRules();

function callOf(action: Action, cwd: string): HookCall {
  return { host: "claude", event: "pre_tool", nativeEvent: "PreToolUse", cwd, actions: [action] };
}

const own = {
  executable: "/usr/local/bin/guard",
  policies: ["/home/eva/.config/guard/policy.jsonc"],
  state: "/home/eva/.local/state/guard",
};

function contextFor(call: HookCall, policy: Policy): Context {
  return makeContext({
    call,
    home: "/home/eva",
    processDirectory: "/",
    facts: fakeFacts({ git: {} }, "/home/eva/shop"),
    policy,
    own,
    os: "linux",
  });
}

const words = fc.constantFrom(
  ...'rm|-rf|-r|-f|~|~/|/|.|..|*|~/*|/*|/home|/home/eva|/etc|/usr|.git|~/.config|~/.claude|~/.ssh|~/.local|--no-preserve-root|sudo|rmdir|$HOME|"$X"|src|&&|-v|shred|unlink|find|-delete|guard|.claude'
    .split("|"),
);
const line = fc.tuple(
  fc.constantFrom("rm -rf", "rm -r", "rm", "sudo rm -rf", "rmdir", "find", "rm -rf --"),
  fc.array(words, { maxLength: 3 }),
)
  .map(([start, rest]) => [start, ...rest].join(" "));
const policies: readonly Policy[] = [
  builtInPolicy,
  { ...builtInPolicy, rules: { "filesystem/*": "off" } },
  { ...builtInPolicy, exceptions: [{ rule: "self/*", reason: "x" }] },
];

Deno.test("the verdict on a deletion is that by all rules", async () => {
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(
      line,
      fc.constantFrom(...policies),
      fc.constantFrom("/home/eva/shop", "/home/eva", "/"),
      async (command, policy, cwd) => {
        const call = callOf({ kind: "shell", command, dialect: "posix" }, cwd);
        const expected = judge(call, rules, contextFor(call, policy));
        assert.deepEqual(await judgeLazily(call, contextFor(call, policy)), expected, command);
        if (expected.findings.some(({ rule }) => broad.has(rule))) denied++;
      },
    ),
    { numRuns: 1500 },
  );
  assert.ok(denied > 150, `only ${denied} were broad`);
});
