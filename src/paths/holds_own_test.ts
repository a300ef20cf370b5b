import assert from "node:assert/strict";
import { makeContext } from "../context.ts";
import { fakeFacts } from "../facts/fake.ts";
import type { FakeFacts, HookCall } from "../types.ts";
import { holdsOwn } from "./protected.ts";

const workspace = "/home/eva/shop";
const policy = `${workspace}/.guard/policy.jsonc`;

function context(facts: FakeFacts) {
  const call: HookCall = {
    host: "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd: workspace,
    actions: [],
  };
  return makeContext({
    call,
    home: "/home/eva",
    processDirectory: workspace,
    facts: fakeFacts({ git: {}, ...facts }, workspace),
    own: {
      policies: ["/home/eva/.config/guard/policy.jsonc", policy],
      state: "/home/eva/.local/state/guard",
    },
  });
}

Deno.test("a project holds something of guard's while it has a policy of its own", () => {
  assert.equal(holdsOwn(workspace, context({ files: { [policy]: "{}" } })), true);
  assert.equal(holdsOwn(workspace, context({})), false);
});

Deno.test("what lies outside the project counts whether it exists or not", () => {
  assert.equal(holdsOwn("/home/eva/.config", context({})), true);
  assert.equal(holdsOwn("/home/eva/.local/state", context({})), true);
  assert.equal(holdsOwn("/home/eva/music", context({})), false);
});
