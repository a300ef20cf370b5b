/** Judging one command by some rules in a made-up world, for the tests of rules. */

import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judge } from "../src/judge.ts";
import { loadAllParts } from "../src/parts.ts";
import type { Action, Decision, Facts, FakeFacts, Finding, Rule } from "../src/types.ts";

await loadAllParts();

export interface World {
  readonly facts?: FakeFacts;
  /** Real facts instead of made-up ones. */
  readonly real?: Facts;
  readonly cwd?: string;
}

export interface Judged {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
}

/** What these rules, and nothing else, find. A text is a POSIX shell command. */
export function judged(action: Action | string, rules: readonly Rule[], world: World = {}): Judged {
  const facts = world.real ?? fakeFacts(world.facts);
  const call = {
    host: "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd: world.cwd ?? "/home/dev/app",
    actions: [
      typeof action === "string" ? { kind: "shell", command: action, dialect: "posix" } as const : action,
    ],
  } as const;
  const context = makeContext({ call, home: "/home/dev", processDirectory: "/", facts, os: "linux" });
  const verdict = judge(call, rules, context);
  if (verdict.failure !== undefined) throw new Error(verdict.failure);
  const ids = new Set(rules.map((rule) => rule.id));
  const findings = verdict.findings.filter((finding) => ids.has(finding.rule));
  const decision = findings.some((finding) => finding.decision === "deny")
    ? "deny"
    : findings.length > 0
    ? "ask"
    : "none";
  return { decision, findings };
}
