/** What the policy makes of findings, and which commands it allows. */

import type { Examination } from "../judge.ts";
import { decisionAt, floorAt } from "../levels.ts";
import { matchesGlob } from "../paths/glob.ts";
import { isWithin, normalise } from "../paths/normal.ts";
import { isCovered } from "./covered.ts";
import type { Action, Context, Exception, Finding, HookCall, Policy, RuleOverride } from "../types.ts";

/** Rule overrides, the managed floor, and exceptions. */
export function applyPolicy(
  findings: readonly Finding[],
  call: HookCall,
  context: Context,
): { readonly kept: readonly Finding[]; readonly excepted: readonly Finding[] } {
  const { policy } = context;
  const kept: Finding[] = [];
  const excepted: Finding[] = [];
  for (const finding of findings) {
    const decision = overridden(finding, policy);
    if (decision === "off") continue;
    const told = finding.advisory === true && !isDecided(finding, policy);
    const judged = decision === finding.decision && told === (finding.advisory === true)
      ? finding
      : { ...finding, decision, advisory: told };
    const action = call.actions[finding.action];
    const holds = finding.excepted === true ||
      policy.exceptions.some((exception) => covers(exception, judged, action, context));
    (holds ? excepted : kept).push(judged);
  }
  return { kept, excepted };
}

type Outcome = "off" | "ask" | "deny";
type Overrides = Policy["rules"];
const strictness: Readonly<Record<Outcome, number>> = { off: 0, ask: 1, deny: 2 };

function overridden(finding: Finding, { rules, level, floor, ownRules }: Policy): Outcome {
  // Own rules decide what the policy writes, at every level.
  const levelled = level !== "standard" && !ownRules.some((rule) => rule.id === finding.rule);
  const own = outcome(lookUp(rules, finding.rule), finding) ??
    (levelled ? decisionAt(finding.rule, finding.decision, level) : finding.decision);
  const least = floor === undefined ? undefined : outcome(lookUp(floor.rules, finding.rule), finding) ??
    (levelled ? floorAt(finding.rule, floor.level) : undefined);
  return least !== undefined && strictness[least] > strictness[own] ? least : own;
}

function outcome(said: RuleOverride | undefined, { decision }: Finding): Outcome | undefined {
  return said !== "deny-only" ? said : decision === "deny" ? "deny" : "off";
}

/** Whether the policy says what a rule decides, so that its own opinion of a match does not count. */
function isDecided({ rule }: Finding, { rules, floor }: Policy): boolean {
  return [rules, floor?.rules ?? {}].some((overrides) =>
    /^(?:ask|deny)$/.test(lookUp(overrides, rule) ?? "")
  );
}

function lookUp(overrides: Overrides, rule: string): RuleOverride | undefined {
  const category = `${rule.slice(0, rule.indexOf("/"))}/*`;
  if (Object.hasOwn(overrides, rule)) return overrides[rule];
  return Object.hasOwn(overrides, category) ? overrides[category] : undefined;
}

function covers(
  exception: Exception,
  finding: Finding,
  action: Action | undefined,
  context: Context,
): boolean {
  const { rule } = exception;
  const category = rule.endsWith("/*") && finding.rule.startsWith(rule.slice(0, -1));
  if (rule !== finding.rule && rule !== "*" && !category) return false;
  if (exception.under !== undefined) {
    const under = normalise(exception.under, "/", context);
    if (!isWithin(context.cwd, under)) return false;
  }
  if (exception.expires !== undefined) {
    // A day without a time holds to its end; an unreadable date does not hold.
    const day = /^\d{4}-\d{2}-\d{2}$/.test(exception.expires);
    const end = Date.parse(day ? `${exception.expires}T23:59:59.999Z` : exception.expires);
    if (!(Date.now() <= end)) return false;
  }
  if (exception.match === undefined) return true;
  const texts = [finding.evidence.text];
  if (action?.kind === "shell") texts.push(action.command);
  else if (action?.kind === "file") texts.push(action.path);
  else if (action?.kind === "fetch") texts.push(action.url);
  return texts.some((text) => matchesGlob(text, exception.match!, { slashes: true }));
}

/** True when the policy's allowed commands and tools cover every part of every action. */
export function isAllowed(call: HookCall, examined: readonly Examination[], context: Context): boolean {
  const { allowedCommands, tools } = context.policy;
  if ((allowedCommands.length === 0 && tools.length === 0) || call.actions.length === 0) return false;
  return call.actions.every((action, index) => {
    const one = examined.find((entry) => entry.index === index && entry.action === action);
    if (one?.allowedTool === true) return true;
    if (action.kind !== "shell" || allowedCommands.length === 0) return false;
    const invocations = one?.understanding?.invocations ?? [];
    return invocations.length > 0 && one?.understanding?.doubts.length === 0 &&
      invocations.every((invocation) => isCovered(invocation, allowedCommands));
  });
}
