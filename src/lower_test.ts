import assert from "node:assert/strict";
import { lower, type LowerFrame } from "./lower.ts";
import type { Decision, HostCapabilities, Verdict } from "./types.ts";

const capabilities: HostCapabilities = {
  ask: "always",
  allow: true,
  promptBlock: true,
  replaceOutput: false,
  rewriteInput: false,
  addContext: false,
  limits: [],
};
const frame: LowerFrame = {
  event: "pre_tool",
  gates: true,
  capabilities,
  policy: { mode: "enforce", whenAskUnsupported: "deny" },
};

function verdict(decision: Decision): Verdict {
  return { decision, findings: [], notes: [], excepted: [] };
}

function lowered(decision: Decision, change: Partial<LowerFrame> = {}) {
  const { answer, enforced } = lower(verdict(decision), { ...frame, ...change });
  return [answer.decision, enforced];
}

Deno.test("a host that can do everything is told the verdict", () => {
  for (const decision of ["deny", "ask", "none", "allow"] as const) {
    assert.deepEqual(lowered(decision), [decision, true]);
  }
});

Deno.test("a question to a host that cannot ask is what the policy says", () => {
  for (const ask of ["never", "interactive"] as const) {
    const cannot = { capabilities: { ...capabilities, ask } };
    assert.deepEqual(lowered("ask", cannot), ["deny", true]);
    const policy = { mode: "enforce", whenAskUnsupported: "none" } as const;
    assert.deepEqual(lowered("ask", { ...cannot, policy }), ["none", false]);
  }
});

Deno.test("no question is put where the mode of the call asks nobody", () => {
  const quiet = { capabilities: { ...capabilities, modesWithoutAsk: ["quiet"] } };
  assert.deepEqual(lowered("ask", { ...quiet, mode: "quiet" }), ["deny", true]);
  assert.deepEqual(lowered("ask", { ...quiet, mode: "default" }), ["ask", true]);
  assert.deepEqual(lowered("ask", quiet), ["ask", true]);
  assert.deepEqual(lowered("none", { ...quiet, mode: "quiet" }), ["none", true]);
});

Deno.test("a question about a prompt is never asked", () => {
  assert.deepEqual(lowered("ask", { event: "prompt" }), ["deny", true]);
});

Deno.test("allow is said only to hosts that have it, and only before a tool", () => {
  assert.deepEqual(lowered("allow", { capabilities: { ...capabilities, allow: false } }), ["none", true]);
  assert.deepEqual(lowered("allow", { event: "permission" }), ["none", true]);
  assert.deepEqual(lowered("allow", { event: "prompt" }), ["none", true]);
});

Deno.test("what cannot be stopped is not claimed to be", () => {
  assert.deepEqual(lowered("deny", { event: "post_tool", gates: false }), ["none", false]);
  assert.deepEqual(
    lowered("deny", { event: "prompt", capabilities: { ...capabilities, promptBlock: false } }),
    [
      "none",
      false,
    ],
  );
});

Deno.test("observing says nothing and does not count as enforced", () => {
  const policy = { mode: "observe", whenAskUnsupported: "deny" } as const;
  assert.deepEqual(lowered("deny", { policy }), ["none", false]);
  assert.deepEqual(lowered("ask", { policy }), ["none", false]);
  assert.deepEqual(lowered("none", { policy }), ["none", true]);
  assert.deepEqual(lowered("allow", { policy }), ["none", true]);
});

Deno.test("a failure at an event that stops nothing is noted", () => {
  const failed: Verdict = { ...verdict("deny"), failure: "the policy cannot be read" };
  const { answer } = lower(failed, { ...frame, event: "post_tool", gates: false });
  assert.equal(answer.decision, "none");
  assert.match(answer.notes[0]?.text ?? "", /^guard: .*the policy cannot be read/);
});
