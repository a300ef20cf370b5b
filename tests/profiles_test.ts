/** What the profiles make of rules: `minimal` loses no denial, `strict` loosens nothing. */

import assert from "node:assert/strict";
import { catalogue } from "../src/cli/all_rules.ts";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judge } from "../src/judge.ts";
import { mergeLayers } from "../src/policy/merge.ts";
import { type Profile, profiles } from "../src/policy/profiles.ts";
import { loadAllRules } from "../src/rules_loader.ts";
import type { Action, Decision, Example } from "../src/types.ts";

const rules = await loadAllRules();
const rank: Readonly<Record<Decision, number>> = { none: 0, allow: 0, ask: 1, deny: 2 };

function policyOf(profile: Profile) {
  return mergeLayers([{ layer: "user", file: { profile } }], {
    now: Date.now(),
    compile: () => {
      throw new Error("no own rules");
    },
  }).policy;
}

const policies = { minimal: policyOf("minimal"), standard: policyOf("standard"), strict: policyOf("strict") };

function verdict(example: Example, profile: Profile) {
  const action: Action = typeof example.action === "string"
    ? { kind: "shell", command: example.action, dialect: "posix" }
    : example.action;
  const cwd = example.cwd ?? "/home/dev/app";
  const call = {
    host: example.host ?? "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd,
    actions: [action],
  } as const;
  const context = makeContext({
    call,
    home: "/home/dev",
    processDirectory: cwd,
    facts: fakeFacts(example.facts ?? { git: {} }, "/home/dev/app"),
    policy: policies[profile],
  });
  return judge(call, rules, context);
}

Deno.test("profiles speak of rules that exist", async () => {
  const ids = new Set((await catalogue()).map(({ id }) => id));
  for (const { rules: said = {} } of Object.values(profiles)) {
    for (const id of Object.keys(said)) assert(ids.has(id), id);
  }
});

Deno.test("minimal leaves out no question that is severe, and none about a secret or about guard", async () => {
  const quiet = profiles.minimal.rules ?? {};
  for (const { id, severity } of await catalogue()) {
    if (!Object.hasOwn(quiet, id)) continue;
    assert(severity === "low" || severity === "medium", id);
    assert(!/^(?:self|secrets|policy)\/|secret/.test(id), id);
  }
});

for (const rule of rules.filter(({ level }) => level === undefined)) {
  Deno.test(`${rule.id}: the profiles keep their order, and every denial is kept`, () => {
    for (const example of [...rule.examples.match, ...rule.examples.pass]) {
      const [minimal, standard, strict] = (["minimal", "standard", "strict"] as const).map((one) =>
        verdict(example, one).decision
      );
      const text = JSON.stringify([example, minimal, standard, strict]);
      assert(rank[minimal!] <= rank[standard!] && rank[standard!] <= rank[strict!], text);
      if (standard === "deny") assert.equal(minimal, "deny", text);
    }
  });
}
