import assert from "node:assert/strict";
import fc from "fast-check";
import { failureText, reasonText, usageText } from "./texts.ts";
import type { Finding, Verdict } from "./types.ts";

const finding: Finding = {
  rule: "git/discard-changes",
  decision: "deny",
  severity: "high",
  message: "This discards three changed files",
  advice: "commit or stash them first",
  evidence: { text: "git reset --hard" },
  action: 0,
};

function verdict(findings: readonly Finding[], more: Partial<Verdict> = {}): Verdict {
  return { decision: "deny", findings, notes: [], excepted: [], ...more };
}

Deno.test("a denial says what was stopped, by which rule, why, and what to do instead", () => {
  assert.equal(
    reasonText(verdict([finding]), "deny"),
    "guard: blocked `git reset --hard` (rule git/discard-changes). This discards three changed files. " +
      "Instead: commit or stash them first.",
  );
});

Deno.test("what was stopped is said in the agent's own words", () => {
  const shell = { kind: "shell", command: "cd .. && git reset --hard", dialect: "posix" } as const;
  assert.match(
    reasonText(verdict([finding]), "deny", [shell]),
    /^guard: blocked `cd \.\. && git reset --hard` /,
  );
  const file = { kind: "file", operation: "write", path: "/srv/key.pem" } as const;
  assert.match(reasonText(verdict([finding]), "deny", [file]), /^guard: blocked `write \/srv\/key\.pem` /);
  const long = { ...shell, command: `${"true; ".repeat(100)}git reset --hard` };
  const spanned = { ...finding, evidence: { text: "x", span: { start: 600, end: 616 } } };
  assert.match(reasonText(verdict([spanned]), "deny", [long]), /^guard: blocked `git reset --hard` /);
});

Deno.test("the code is for a person, and is not named where the host asks by itself", () => {
  const denied = reasonText(verdict([finding], { code: "K7Q2MMTX" }), "cannot-ask");
  assert.match(denied, /a person, not an agent, .* guard allow K7Q2MMTX$/);
  assert.match(denied, /needs a person's consent/);
  assert.doesNotMatch(reasonText(verdict([finding], { code: "K7Q2MMTX" }), "ask"), /K7Q2MMTX/);
});

Deno.test("the code is there however long the rest is", () => {
  const long = { ...finding, message: "word ".repeat(200), advice: "step ".repeat(200) };
  const text = reasonText(verdict([long, long, long], { code: "K7Q2MMTX" }), "deny");
  assert.match(text, /guard allow K7Q2MMTX$/);
});

Deno.test("denials come before questions, and long lists are counted", () => {
  const findings = Array.from({ length: 6 }, (_, index): Finding => ({
    ...finding,
    rule: `git/rule-${index}`,
    decision: index === 5 ? "deny" : "ask",
  }));
  const text = reasonText(verdict(findings), "deny");
  assert.match(text, /^guard: blocked `[^`]+` \(rule git\/rule-5\)/);
  assert.match(text, /3 further findings/);
});

Deno.test("secrets and what a terminal acts on do not get into a text", () => {
  const text = reasonText(
    verdict([{
      ...finding,
      evidence: { text: "curl -H 'Authorization: Bearer abcdefghijklmnop123456' \u001b[2J\u202e x.example" },
    }]),
    "deny",
  );
  assert.doesNotMatch(text, /abcdefghijklmnop/);
  // deno-lint-ignore no-control-regex -- that none is left is what is tested
  assert.doesNotMatch(text, /[\u001b\u202e]/);
});

Deno.test("texts are one bounded line, whatever is in them", () => {
  const any = fc.string({ unit: "binary", maxLength: 5000 });
  fc.assert(
    fc.property(any, any, any, (evidence, message, advice) => {
      const findings = Array.from({ length: 9 }, () => ({
        ...finding,
        evidence: { text: evidence },
        message,
        advice,
      }));
      for (
        const text of [
          reasonText(verdict(findings, { code: "K7Q2MMTX" }), "deny"),
          reasonText(verdict([], { failure: message }), "deny"),
          failureText(message),
          usageText(evidence),
        ]
      ) {
        // deno-lint-ignore no-control-regex -- that none is left is what is tested
        assert.match(text, /^guard: [^\n\r\u0000-\u001f]+$/u);
        assert(text.length < 4200);
      }
    }),
    { numRuns: 50 },
  );
});

Deno.test("a failure names the cause and the next step for a person", () => {
  const text = reasonText(verdict([], { failure: "policy.jsonc:3:7: expected a comma" }), "deny");
  assert.match(text, /policy\.jsonc:3:7: expected a comma/);
  assert.match(text, /guard doctor/);
});
