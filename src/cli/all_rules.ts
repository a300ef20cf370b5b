/** All built-in rules, for commands that list or explain them. */

import { decisionAt, reaches } from "../levels.ts";
import { policyAdvice } from "../policy/said.ts";
import { loadAllRules } from "../rules_loader.ts";
import type { Doubt } from "../shell/model.ts";
import type { Level, Rule } from "../types.ts";

/** What is known about a rule, or about a finding that judging makes by itself. */
export interface RuleEntry
  extends
    Pick<Rule, "id" | "title" | "severity" | "decision" | "rationale" | "advice" | "examples" | "level"> {
  readonly references: readonly string[];
}

/** What a rule decides at a level; `off` below the level at which it begins. */
export function entryAt(
  entry: Pick<RuleEntry, "id" | "decision" | "level">,
  level: Level,
): "off" | "ask" | "deny" {
  if (entry.level !== undefined && !reaches(level, entry.level)) return "off";
  return decisionAt(entry.id, entry.decision, level);
}

/** The rules themselves. */
export function allRules(): Promise<readonly Rule[]> {
  return loadAllRules();
}

const PLAINLY = "Write the command plainly, one step at a time, so that it can be read before it runs.";

/** Findings about commands that cannot be followed; they belong to no rule and can be set like one. */
const DOUBTS: Readonly<Record<Doubt["reason"], readonly [title: string, rationale: string]>> = {
  "too-long": ["The command is too long to be read", "What nobody reads can do anything."],
  "too-complex": ["The command is too complex to be followed", "What cannot be followed can do anything."],
  "syntax": ["The command cannot be parsed", "A shell may read it differently than guard."],
  "unknown-program": ["The program is not known before it runs", "A variable or a substitution names it."],
  "unknown-code": [
    "The code that runs is not known before it runs",
    "It comes from where guard cannot look.",
  ],
  "encoded-code": ["The code that runs is encoded", "Encoding hides what a command does."],
  "too-deep": ["Commands are nested too deeply", "What cannot be followed can do anything."],
};

const OWN_FINDINGS: readonly RuleEntry[] = [
  ...Object.entries(DOUBTS).map(([reason, [title, rationale]]): RuleEntry => ({
    id: `shell/${reason}`,
    title,
    rationale,
    decision: "ask",
    severity: "medium",
    advice: PLAINLY,
    examples: { match: [], pass: [] },
    references: [],
  })),
  {
    id: "policy/protected-path",
    title: "The policy protects this path from changes",
    rationale: "The person listed it in protectedPaths.",
    decision: "deny",
    severity: "high",
    advice: "Leave these files as they are, or ask the person to change them.",
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "mcp/changed-server",
    title: "An MCP server is not the one that was first seen",
    rationale:
      "What was trusted was a program or an address. Whoever can edit the host's configuration can put another in its place.",
    decision: "ask",
    severity: "high",
    advice:
      "Tell the person what changed. `guard mcp` shows it, and there they can trust the server as it is.",
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/ask-tool",
    title: "The policy asks about this tool",
    rationale: "The person listed it in tools, or listed others alone (toolDefaults).",
    decision: "ask",
    severity: "medium",
    advice: policyAdvice.tool.ask,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/deny-tool",
    title: "The policy denies this tool",
    rationale: "The person listed it in tools, or listed others alone (toolDefaults).",
    decision: "deny",
    severity: "high",
    advice: policyAdvice.tool.deny,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/ask-address",
    title: "The policy asks about this address",
    rationale:
      "The person set what happens to private networks and to hosts that are not allowed (addresses).",
    decision: "ask",
    severity: "medium",
    advice: policyAdvice.address.ask,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/deny-address",
    title: "The policy denies this address",
    rationale: "The person listed it in addresses, or listed those that are allowed.",
    decision: "deny",
    severity: "high",
    advice: policyAdvice.address.deny,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/ask-path",
    title: "The policy asks about this path",
    rationale: "The person listed it in paths.",
    decision: "ask",
    severity: "medium",
    advice: policyAdvice.path.ask,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/deny-path",
    title: "The policy denies this path",
    rationale: "The person listed it in paths.",
    decision: "deny",
    severity: "high",
    advice: policyAdvice.path.deny,
    examples: { match: [], pass: [] },
    references: [],
  },
  {
    id: "policy/ignored-path",
    title: "A marker file names this path",
    rationale: "A person put .guardignore there, so that nobody reads, writes or deletes what it names.",
    decision: "deny",
    severity: "high",
    advice: "Leave these files out, or ask the person.",
    examples: { match: [], pass: [] },
    references: [],
  },
];

/** Everything that can be found, by id; with the own rules of a policy where they are given. */
export async function catalogue(ownRules: readonly Rule[] = []): Promise<RuleEntry[]> {
  const rules = [...await allRules(), ...ownRules].map((rule) => ({
    ...rule,
    references: rule.references ?? [],
  }));
  return [...rules, ...OWN_FINDINGS].sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
