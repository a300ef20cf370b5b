/** Levels: each only tightens what the one below says, and `standard` is what the rules say by themselves. */

import assert from "node:assert/strict";
import { catalogue, entryAt } from "../src/cli/all_rules.ts";
import { judge } from "../src/judge.ts";
import { decisionAt, deltas, levels } from "../src/levels.ts";
import { builtInPolicy } from "../src/policy/built_in.ts";
import { loadAllRules, loadRulesFor } from "../src/rules_loader.ts";
import type { Decision, Example, Level, Policy, Rule, Verdict } from "../src/types.ts";
import { exampleCall } from "./example_call.ts";

const rules = await loadAllRules();
const order: Readonly<Record<Decision, number>> = { none: 0, allow: 0, ask: 1, deny: 2 };

function verdict(example: Example, policy: Partial<Policy>, asked: readonly Rule[] = rules): Verdict {
  const { call, context } = exampleCall(example, policy);
  return judge(call, asked, context);
}

/** Whether everything that a verdict objects to is objected to by another as strongly. */
function holds(mild: Verdict, strict: Verdict): boolean {
  return order[strict.decision] >= order[mild.decision] &&
    mild.findings.every((finding) =>
      strict.findings.some((other) =>
        other.rule === finding.rule && order[other.decision] >= order[finding.decision] &&
        other.evidence.text === finding.evidence.text
      )
    );
}

for (const rule of rules) {
  Deno.test(`levels only tighten what is said about the examples of ${rule.id}`, () => {
    for (const example of [...rule.examples.match, ...rule.examples.pass]) {
      const [standard, strict, paranoid] = levels.map((level) => verdict(example, { level }));
      assert.ok(holds(standard!, strict!), `standard to strict: ${JSON.stringify(example.action)}`);
      assert.ok(holds(strict!, paranoid!), `strict to paranoid: ${JSON.stringify(example.action)}`);
    }
  });
}

Deno.test("at standard, rules of a higher level and the differences of levels do nothing", () => {
  const always = rules.filter((rule) => rule.level === undefined);
  assert.ok(always.length < rules.length);
  for (const rule of rules) {
    for (const example of [...rule.examples.match, ...rule.examples.pass]) {
      assert.deepEqual(verdict(example, {}), verdict(example, {}, always));
      for (const finding of verdict(example, {}).findings) {
        const own = always.find((one) => one.id === finding.rule);
        if (own !== undefined) assert.equal(own.level, undefined);
      }
    }
  }
});

Deno.test("each difference is about a rule that is there, and tightens it", async () => {
  const known = await catalogue();
  for (const level of levels) {
    for (const [id, says] of Object.entries(deltas[level])) {
      const meant = known.filter((rule) =>
        rule.id === id || (id.endsWith("/*") && rule.id.startsWith(id.slice(0, -1)))
      );
      assert.ok(meant.length > 0, `no rule has the id ${id}`);
      assert.equal(says, "deny", id);
    }
  }
});

Deno.test("decisions of the catalogue never loosen from level to level", async () => {
  const strength = { off: 0, ask: 1, deny: 2 };
  for (const entry of await catalogue()) {
    const [standard, strict, paranoid] = levels.map((level) => strength[entryAt(entry, level)]);
    assert.ok(standard! <= strict! && strict! <= paranoid!, entry.id);
  }
  assert.equal(decisionAt("git/clean", "ask", "standard"), "ask");
  assert.equal(decisionAt("git/clean", "ask", "strict"), "deny");
  assert.equal(decisionAt("git/delete-branch", "ask", "strict"), "ask");
  assert.equal(decisionAt("git/delete-branch", "ask", "paranoid"), "deny");
});

const table: readonly [string, Record<Level, Decision>][] = [
  ["git status", { standard: "none", strict: "none", paranoid: "none" }],
  ["npm test", { standard: "none", strict: "none", paranoid: "none" }],
  ["printenv", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["git commit --no-verify -m x", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["git push origin main", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["npm install left-pad", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["npm ci", { standard: "none", strict: "none", paranoid: "ask" }],
  ["curl https://api.unheard-of.dev/v1", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["curl http://localhost:3000/", { standard: "none", strict: "none", paranoid: "ask" }],
  ["cat ../other/README.md", { standard: "none", strict: "ask", paranoid: "ask" }],
  ["./deploy", { standard: "none", strict: "none", paranoid: "ask" }],
  ["rm -rf ../other", { standard: "ask", strict: "deny", paranoid: "deny" }],
  ["sudo reboot", { standard: "ask", strict: "ask", paranoid: "deny" }],
  ["rm -rf /", { standard: "deny", strict: "deny", paranoid: "deny" }],
];

for (const [command, wanted] of table) {
  Deno.test(`by level: ${command}`, async () => {
    for (const level of levels) {
      assert.equal(verdict({ action: command }, { level }).decision, wanted[level], level);
      const { call, context } = exampleCall({ action: command }, { level });
      const some = judge(call, await loadRulesFor(call, context), context);
      assert.deepEqual(some, verdict({ action: command }, { level }), `${level}: rules loaded for the call`);
    }
  });
}

Deno.test("a policy's word about a rule counts before the level", async () => {
  const example = { action: "printenv" };
  assert.equal(
    verdict(example, { level: "strict", rules: { "strict/print-environment": "off" } }).decision,
    "none",
  );
  // By its id a rule is switched on below its level.
  const policies: readonly Partial<Policy>[] = [
    { rules: { "strict/print-environment": "deny" } },
    { rules: { "strict/*": "ask" } },
  ];
  for (const policy of policies) {
    const { call, context } = exampleCall(example, policy);
    const loaded = judge(call, await loadRulesFor(call, context), context);
    assert.notEqual(loaded.decision, "none");
    assert.deepEqual(loaded, verdict(example, policy));
  }
  assert.equal(
    verdict({ action: "rm -rf ../other" }, { level: "strict", rules: { "filesystem/*": "ask" } }).decision,
    "ask",
  );
});

Deno.test("a level of the administrator holds whatever else the policy says", () => {
  const floor = { ...builtInPolicy, level: "strict", rules: {} } as const;
  const off = { level: "strict", rules: { "strict/*": "off", "filesystem/*": "off" }, floor } as const;
  assert.equal(verdict({ action: "printenv" }, off).decision, "ask");
  assert.equal(verdict({ action: "rm -rf ../other" }, off).decision, "deny");
  // About what a level does not change, the user decides.
  assert.equal(
    verdict({ action: "rm -rf /" }, off).findings.some(({ rule }) => rule === "filesystem/delete-root"),
    false,
  );
});

Deno.test("rules of a higher level are not even loaded at standard", async () => {
  const { call, context } = exampleCall({ action: "printenv" }, {});
  assert.ok((await loadRulesFor(call, context)).every((rule) => rule.level === undefined));
});
