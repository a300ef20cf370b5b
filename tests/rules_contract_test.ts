/** What holds for every rule: ids, texts, examples, and that the advice itself passes. */

import assert from "node:assert/strict";
import { judge } from "../src/judge.ts";
import { loadAllRules, loadRulesFor } from "../src/rules_loader.ts";
import type { Decision, Example, FakeFacts, Level, Verdict } from "../src/types.ts";
import { exampleCall } from "./example_call.ts";

const all = await loadAllRules();

function verdictOn(example: Example, level: Level = "standard"): Verdict {
  const { call, context } = exampleCall(example, { level });
  return judge(call, all, context);
}

/** A topic branch with a modified file: where advice is usually taken. */
const topic: FakeFacts = {
  git: { branch: "topic", default: "main", modified: ["src/app.ts"], untracked: [], ignored: [] },
};

/** The commands that an advice names. */
function commandsIn(advice: string): readonly string[] {
  return [...advice.matchAll(/`([^`]+)`/g)].map((found) => found[1]!)
    // One word names a file, an option or a program, and no way to go.
    .filter((text) => /\s/.test(text));
}

function label(example: Example): string {
  return typeof example.action === "string" ? example.action : JSON.stringify(example.action);
}

Deno.test("ids are unique, and of the form category/bad-pattern", () => {
  const ids = all.map((rule) => rule.id);
  assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), []);
  for (const id of ids) assert.match(id, /^[a-z]+(?:-[a-z]+)*\/[a-z0-9]+(?:-[a-z0-9]+)*$/);
});

for (const rule of all) {
  Deno.test(`${rule.id}: its texts are sentences and its examples are enough`, () => {
    assert.ok(rule.title.length > 5 && !rule.title.endsWith("."), "a title without a full stop");
    assert.match(rule.rationale, /^[A-Z].*\.$/s);
    assert.match(rule.advice, /^[A-Z`].*\.$/s);
    assert.ok(rule.examples.match.length >= 3, "at least three examples that match");
    assert.ok(rule.examples.pass.length >= 3, "at least three examples that pass");
  });

  for (const example of rule.examples.match) {
    Deno.test(`${rule.id} matches: ${label(example)}`, () => {
      const verdict = verdictOn(example, rule.level);
      assert.equal(verdict.failure, undefined);
      const found = verdict.findings.filter((finding) => finding.rule === rule.id);
      const wanted: Decision = example.decision ?? rule.decision;
      assert.ok(
        found.some((finding) => finding.decision === wanted),
        `expected ${wanted}, got ${JSON.stringify(verdict.findings.map((one) => [one.rule, one.decision]))}`,
      );
      for (const { evidence, message, advice } of found) {
        assert.ok(message !== "" && advice !== "");
        if (evidence.span === undefined || typeof example.action !== "string") continue;
        const { start, end } = evidence.span;
        assert.ok(start >= 0 && start <= end && end <= example.action.length, "a span within the command");
      }
    });
  }

  for (const example of rule.examples.pass) {
    Deno.test(`${rule.id} passes: ${label(example)}`, () => {
      const verdict = verdictOn(example, rule.level);
      assert.equal(verdict.failure, undefined);
      const own = verdict.findings.filter((finding) => finding.rule === rule.id);
      assert.deepEqual(own, []);
      if (example.decision !== undefined) assert.equal(verdict.decision, example.decision);
    });
  }

  Deno.test(`${rule.id}: the commands that its advice names pass`, () => {
    // What it says in a case of its own as well.
    const advices = new Set([rule.advice]);
    for (const example of rule.examples.match) {
      for (const finding of verdictOn(example, rule.level).findings) {
        if (finding.rule === rule.id) advices.add(finding.advice);
      }
    }
    for (const command of [...advices].flatMap(commandsIn)) {
      const verdict = verdictOn({ action: command, facts: topic }, rule.level);
      assert.deepEqual(verdict.findings.map((finding) => finding.rule), [], command);
    }
  });

  for (const example of [...rule.examples.match, ...rule.examples.pass]) {
    Deno.test(`${rule.id}: rules loaded for the call decide alike: ${label(example)}`, async () => {
      const { call, context } = exampleCall(example, { level: rule.level ?? "standard" });
      const some = judge(call, await loadRulesFor(call, context), context);
      assert.deepEqual(some, verdictOn(example, rule.level));
    });
  }
}

Deno.test("what has no rule gives advice without commands", () => {
  const examples: readonly Example[] = [
    { action: 'python3 -c "$CODE"' },
    { action: "echo 'a; rm x" },
    { action: `${"a; ".repeat(1200)}` },
    { action: `rm ${"a/b ".repeat(900)}` },
  ];
  for (const example of examples) {
    const { findings } = verdictOn(example);
    assert.notEqual(findings.length, 0, label(example).slice(0, 40));
    for (const { rule, advice } of findings) {
      if (rule.startsWith("shell/")) assert.match(advice, /^[A-Z][^`]*\.$/, rule);
    }
  }
});

Deno.test("an everyday command loads few rules", async () => {
  for (const command of ["ls -la", "npm test", "cargo build --release"]) {
    const { call, context } = exampleCall({ action: command });
    const loaded = await loadRulesFor(call, context);
    assert.ok(loaded.length <= 6, `${command} loads ${loaded.length} of ${all.length} rules`);
  }
});
