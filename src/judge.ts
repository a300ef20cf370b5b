/** Judges a call by rules and policy. Does no I/O of its own; rules ask `context.facts` once they match. */

import { isLate } from "./bounds.ts";
import { isActive } from "./levels.ts";
import { hasTooManyUses } from "./path_uses.ts";
import { part } from "./parts.ts";
import { applyPolicy, isAllowed } from "./policy/apply.ts";
import type { ToolSaid } from "./policy/tool_permissions.ts";
import { protectedByPolicy } from "./policy/protected_paths.ts";
import { findingNote } from "./finding_note.ts";
import { distinctUses } from "./repeated_uses.ts";
import { isMarked } from "./paths/markers.ts";
import { readAction, standingOf, standsFor } from "./reading.ts";
import type { PathUse, Understanding } from "./shell/model.ts";
import { unknownCode } from "./unknown_code.ts";
import type {
  Action,
  ActionRule,
  CommandRule,
  Context,
  Decision,
  Finding,
  HookCall,
  InvocationRule,
  Match,
  Note,
  PathRule,
  Policy,
  Rule,
  ServerChange,
  Severity,
  Verdict,
} from "./types.ts";

/** What judging an action found out on the way; `guard explain` shows it. */
export interface Examination {
  readonly action: Action;
  /** Index of the call's action that it is, or stands for. */
  readonly index: number;
  readonly understanding?: Understanding;
  readonly uses: readonly PathUse[];
  /** Before policy: as the rules say. */
  readonly findings: readonly Finding[];
  /** The policy allows the tool. */
  readonly allowedTool?: boolean;
}

/** Most findings that a verdict carries. */
const maxFindings = 100;

const order: Readonly<Record<Decision, number>> = { none: 0, allow: 0, ask: 1, deny: 2 };
const severities: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

/**
 * The verdict on a call. Total: a rule that throws makes a verdict with `failure` set, whose decision is the
 * stricter of the policy's failure mode and what the other rules found.
 *
 * @param rules the built-in rules that the call may need; the policy's own rules are added here. Whoever loads
 * them through src/rules_loader.ts has loaded what understanding the call takes as well.
 */
export function judge(call: HookCall, rules: readonly Rule[], context: Context): Verdict {
  const failures: string[] = [];
  const examined = examine(call, rules, context, failures);
  const { kept, excepted } = applyPolicy(examined.flatMap((one) => one.findings), call, context);
  const all = withoutEchoes(unique(kept));
  const notes: Note[] = all.filter((one) => one.advisory === true).slice(0, maxFindings).map(findingNote);
  const sorted = all.filter((one) => one.advisory !== true).sort((a, b) =>
    order[b.decision] - order[a.decision] || severities[b.severity] - severities[a.severity] ||
    a.action - b.action || (a.evidence.span?.start ?? 0) - (b.evidence.span?.start ?? 0) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
  let decision: Decision = "none";
  for (const finding of sorted) decision = stricter(decision, finding.decision);
  // The strictest come first; nobody reads more of them.
  const findings = sorted.slice(0, maxFindings);
  if (failures.length > 0) {
    return {
      decision: stricter(decision, context.policy.onError),
      findings,
      notes,
      excepted,
      failure: failures[0],
    };
  }
  if (findings.length === 0 && isAllowed(call, examined, context)) decision = "allow";
  return { decision, findings, notes, excepted };
}

function stricter(one: Decision, other: Decision): Decision {
  return order[other] > order[one] ? other : one;
}

/** Everything that the rules say about a call, action by action, before the policy. */
export function examine(
  call: HookCall,
  rules: readonly Rule[],
  context: Context,
  failures: string[] = [],
): readonly Examination[] {
  const { ownRules } = context.policy;
  const index = indexOf(rules);
  const own = ownRules.length > 0 ? indexOf(ownRules) : undefined;
  const examined: Examination[] = [];
  for (const [at, action] of call.actions.entries()) {
    for (const one of standsFor(action)) {
      try {
        const { place, understanding, uses } = readAction(one, context);
        const findings: Finding[] = [];
        const asked = { action: one, at, understanding, uses, context: place, findings, failures };
        ask(index, asked);
        if (own !== undefined) ask(own, asked);
        findings.push(...doubtful(one, at, understanding, uses));
        findings.push(...protectedByPolicy(at, uses, place));
        if (one === action && context.serverChanges !== undefined) {
          findings.push(...changedServer(at, context.serverChanges));
        }
        if (context.policy.addresses.length > 0) {
          findings.push(...part("addressPermissions").addressesSay(one, understanding, at, context));
        }
        if (speaksOfPaths(one, uses, place)) {
          findings.push(...part("pathPermissions").pathsSay(one, understanding, uses, at, place));
        }
        const said = one === action && speaksOfTools(context.policy)
          ? part("toolPermissions").toolsSay({ call, action, understanding, at }, context)
          : undefined;
        examined.push({
          action: one,
          index: at,
          understanding,
          uses,
          findings: said === undefined ? findings : withSaid(said, findings, context),
          ...(said?.allowed === true ? { allowedTool: true } : {}),
        });
      } catch (error) {
        if (!isLate(context)) failures.push(`judging a ${one.kind} action failed: ${message(error)}`);
      }
      // What has been found counts, and what has not been looked at is a question.
      if (isLate(context)) {
        examined.push({ action: one, index: at, uses: [], findings: [outOfTime(call, at)] });
        return examined;
      }
    }
  }
  return examined;
}

/** Whether the policy, or a marker file, may say something about the paths of an action. */
export function speaksOfPaths(action: Action, uses: readonly PathUse[], place: Context): boolean {
  return place.policy.paths.length > 0 || isMarked(action, uses, place);
}

/** Whether the policy says something about tools. */
export function speaksOfTools({ tools, toolDefaults }: Policy): boolean {
  return tools.length > 0 || toolDefaults.length > 0;
}

function changedServer(at: number, changes: readonly ServerChange[]): readonly Finding[] {
  return changes.filter(({ action }) => action === at).map(({ server, text }) => ({
    rule: "mcp/changed-server",
    decision: "ask",
    severity: "high",
    message: `The MCP server ${server} is not what it was. ${text}`,
    advice:
      "Tell the person what changed. `guard mcp` shows it, and there they can trust the server as it is.",
    evidence: { text: server },
    action: at,
  }));
}

/** The rule that looks at nothing but the name of a tool. */
const byName = "mcp/destructive-tool";

/** What a name alone makes suspect is no question any more once the policy speaks of the tool. */
function withSaid(said: ToolSaid, findings: readonly Finding[], { policy }: Context): readonly Finding[] {
  const decides = ({ rules }: Pick<Policy, "rules">) =>
    Object.hasOwn(rules, byName) || Object.hasOwn(rules, "mcp/*");
  const stays = !said.spokenOf || decides(policy) || (policy.floor !== undefined && decides(policy.floor));
  return [...said.findings, ...(stays ? findings : findings.filter(({ rule }) => rule !== byName))];
}

function outOfTime(call: HookCall, at: number): Finding {
  return {
    rule: "shell/too-complex",
    decision: "ask",
    severity: "medium",
    message: "There is more in this call than could be looked at in the time that the host gives.",
    advice: "Do it in smaller steps.",
    evidence: { text: call.tool ?? call.nativeEvent },
    action: at,
  };
}

/** A sentence with the file that it is about. */
function placed(sentence: string, within: string | undefined): string {
  return within === undefined ? sentence : `${sentence.replace(/\.$/, "")} (in ${within}).`;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Index {
  readonly invocation: ReadonlyMap<string, readonly InvocationRule[]>;
  readonly path: ReadonlyMap<string, readonly PathRule[]>;
  readonly command: readonly CommandRule[];
  readonly action: ReadonlyMap<string, readonly ActionRule[]>;
}

const indexes = new WeakMap<readonly Rule[], Index>();

function indexOf(rules: readonly Rule[]): Index {
  const known = indexes.get(rules);
  if (known !== undefined) return known;
  const invocation = new Map<string, InvocationRule[]>();
  const path = new Map<string, PathRule[]>();
  const command: CommandRule[] = [];
  const action = new Map<string, ActionRule[]>();
  const add = <R>(map: Map<string, R[]>, key: string, rule: R) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [rule]);
    else list.push(rule);
  };
  for (const rule of rules) {
    if (rule.on === "invocation") { for (const name of new Set(rule.programs)) add(invocation, name, rule); }
    else if (rule.on === "path") { for (const name of new Set(rule.operations)) add(path, name, rule); }
    else if (rule.on === "action") { for (const kind of new Set(rule.kinds)) add(action, kind, rule); }
    else command.push(rule);
  }
  const index = { invocation, path, command, action };
  indexes.set(rules, index);
  return index;
}

interface Asked {
  readonly action: Action;
  readonly at: number;
  readonly understanding: Understanding | undefined;
  readonly uses: readonly PathUse[];
  readonly context: Context;
  readonly findings: Finding[];
  readonly failures: string[];
}

function ask(index: Index, asked: Asked): void {
  const { action, understanding, uses, context } = asked;
  const attempt = (rule: Rule, run: () => Match | readonly Match[] | undefined) => {
    try {
      if (rule.level !== undefined && !isActive(rule, context.policy)) return;
      const result = run();
      if (result === undefined) return;
      for (const match of "length" in result ? result : [result]) {
        asked.findings.push({
          rule: rule.id,
          decision: match.decision ?? rule.decision,
          severity: rule.severity,
          message: placed(match.message ?? rule.title, match.evidence.within),
          advice: match.advice ?? rule.advice,
          evidence: match.evidence,
          action: asked.at,
          ...(match.advisory === true ? { advisory: true } : {}),
          ...(match.excepted === true ? { excepted: true } : {}),
        });
      }
    } catch (error) {
      // Facts refuse to answer then.
      if (isLate(context)) return;
      asked.failures.push(`rule ${rule.id} failed: ${message(error)}`);
    }
  };
  for (const rule of index.action.get(action.kind) ?? []) attempt(rule, () => rule.match(action, context));
  for (const use of distinctUses(uses)) {
    if (isLate(context)) return;
    for (const rule of index.path.get(use.operation) ?? []) {
      attempt(rule, () => rule.match(use, context, action));
    }
  }
  if (understanding === undefined || action.kind !== "shell") return;
  const programs = new Set<string>();
  for (const invocation of understanding.invocations) {
    if (isLate(context)) return;
    programs.add(invocation.program);
    for (const rule of index.invocation.get(invocation.program) ?? []) {
      attempt(rule, () => rule.match(invocation, context));
    }
  }
  for (const rule of index.command) {
    if (isLate(context)) return;
    if (rule.programs.length === 0 || rule.programs.some((name) => programs.has(name))) {
      attempt(rule, () => rule.match(understanding, uses, context, action));
    }
  }
}

/** What could not be resolved is a question. */
function doubtful(
  action: Action,
  at: number,
  understanding: Understanding | undefined,
  uses: readonly PathUse[],
): readonly Finding[] {
  if ((action.kind === "mcp" || action.kind === "unknown") && !standingOf(action).complete) {
    return [{
      rule: "shell/too-complex",
      decision: "ask",
      severity: "medium",
      message: "The tool's input is too large to be looked through.",
      advice: "Do it in smaller steps.",
      evidence: { text: action.tool },
      action: at,
    }];
  }
  if (understanding === undefined || action.kind !== "shell") return [];
  const findings: Finding[] = [...understanding.doubts, ...unknownCode(understanding)].map((doubt) => ({
    rule: `shell/${doubt.reason}`,
    decision: "ask",
    severity: "medium",
    message: doubt.message,
    advice: "Write the command plainly, one step at a time, so that it can be read before it runs.",
    evidence: { text: action.command.slice(doubt.span.start, doubt.span.end), span: doubt.span },
    action: at,
  }));
  if (hasTooManyUses(uses)) {
    findings.push({
      rule: "shell/too-complex",
      decision: "ask",
      severity: "medium",
      message: "The command uses more paths than are looked at in one command.",
      advice: "Do it in smaller steps.",
      evidence: { text: action.command.slice(0, 200) },
      action: at,
    });
  }
  return findings;
}

/** Rules whose denial of a path says all that others could add about what lies below it. */
export const broad: ReadonlySet<string> = new Set(["filesystem/delete-root", "filesystem/delete-project"]);

/** Leaves out what only repeats that everything goes: guard's own files are in a home directory too. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const key = ({ action, evidence: { span, text } }: Finding) =>
    `${action}\n${span?.start},${span?.end}\n${text}`;
  const covered = new Set(
    findings.filter((one) => broad.has(one.rule) && one.decision === "deny").map(key),
  );
  if (covered.size === 0) return [...findings];
  return findings.filter((one) => !/^(?:self|persistence)\//.test(one.rule) || !covered.has(key(one)));
}

function unique(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const { span, text } = finding.evidence;
    const key =
      `${finding.rule}\n${finding.action}\n${finding.decision}\n${span?.start},${span?.end}\n${text}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}
