import assert from "node:assert/strict";
import adapter from "./grok.ts";

function told(reason: string): string {
  const answer = { decision: "deny", reason, userMessage: reason, notes: [] } as const;
  const { stdout } = adapter.render(answer, { event: "pre_tool", nativeEvent: "PreToolUse" });
  return JSON.parse(stdout).reason;
}

Deno.test("a long reason keeps its beginning and the code with which a person can allow the action", () => {
  const reason =
    `guard: blocked \`make\` (rule a/b). ${
      "Why it is so. ".repeat(40)
    }If it is really wanted, ask the user: ` +
    "a person, not an agent, can allow exactly this from their own terminal with: guard allow K7QM2XWP";
  const short = told(reason);
  assert.ok(short.length <= 256, String(short.length));
  assert.match(short, /^guard: blocked `make` \(rule a\/b\)\. Why it is so\./);
  assert.match(short, /… A person can allow it with: guard allow K7QM2XWP$/);
});

Deno.test("a long reason without a code is cut, a short one is not", () => {
  assert.equal(told("x".repeat(300)), `${"x".repeat(255)}…`);
  assert.equal(told("guard: no."), "guard: no.");
});
