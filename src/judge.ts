/** Judges a call by rules and policy. Does no I/O of its own; rules ask `context.facts` once they match. */

import { GuardError } from "./errors.ts";
import { decisionAt, floorAt, isActive } from "./levels.ts";
import { matchesGlob } from "./paths/glob.ts";
import { isWithin, normalise } from "./paths/normal.ts";
import { locate } from "./paths.ts";
import { secretOf } from "./paths/secret.ts";
import { fileUses, maxUses, pathUses } from "./path_uses.ts";
import { plainUnderstanding } from "./plain_command.ts";
import type { Invocation, PathUse, Understanding } from "./shell/model.ts";
import type { understand } from "./shell/understand.ts";
import { impliedActions } from "./tool_arguments.ts";
import { unknownCode } from "./unknown_code.ts";
import type {
  Action,
  ActionOf,
  ActionRule,
  CommandRule,
  Context,
  Decision,
  Exception,
  Finding,
  HookCall,
  InvocationRule,
  Match,
  Note,
  PathRule,
  Policy,
  Rule,
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
}

/** Most findings that a verdict carries. */
const maxFindings = 100;

/** Longest script file that is looked into, in bytes. */
const maxScript = 64 * 1024;

const order: Readonly<Record<Decision, number>> = { none: 0, allow: 0, ask: 1, deny: 2 };
const severities: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2, critical: 3 };

/**
 * The verdict on a call. Total: a rule that throws makes a verdict with `failure` set, whose decision is the
 * stricter of the policy's failure mode and what the other rules found.
 *
 * @param rules the built-in rules that the call may need; the policy's own rules are added here. Whoever loads
 * them through src/rules_loader.ts has the parser loaded as well.
 */
export function judge(call: HookCall, rules: readonly Rule[], context: Context): Verdict {
  const failures: string[] = [];
  const examined = examine(call, rules, context, failures);
  const { kept, excepted } = applyPolicy(examined.flatMap((one) => one.findings), call, context);
  const sorted = withoutEchoes(unique(kept)).sort((a, b) =>
    order[b.decision] - order[a.decision] || severities[b.severity] - severities[a.severity] ||
    a.action - b.action || (a.evidence.span?.start ?? 0) - (b.evidence.span?.start ?? 0) ||
    (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)
  );
  let decision: Decision = "none";
  for (const finding of sorted) decision = stricter(decision, finding.decision);
  // The strictest come first; nobody reads more of them.
  const findings = sorted.slice(0, maxFindings);
  const notes: Note[] = [];
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
        examined.push({ action: one, index: at, understanding, uses, findings });
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

/** True when the time for judging is over. The clock goes on while the machine is busy with something else. */
function isLate({ until }: Context): boolean {
  return until !== undefined && performance.now() > until;
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

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Standing {
  readonly all: readonly Action[];
  readonly complete: boolean;
}

const standing = new WeakMap<Action, Standing>();

/** An action with all that it stands for: the arguments of an unknown tool are judged as what they look like. */
export function standsFor(action: Action): readonly Action[] {
  return standingOf(action).all;
}

function standingOf(action: Action): Standing {
  let known = standing.get(action);
  if (known === undefined) standing.set(action, known = findStanding(action));
  return known;
}

function findStanding(action: Action): Standing {
  if (action.kind === "mcp" || action.kind === "unknown") {
    const { actions, complete } = impliedActions(action);
    return { all: [action, ...actions], complete };
  }
  if (action.kind === "fetch" && /^file:\/\//i.test(action.url)) {
    return { all: [action, { kind: "file", operation: "read", path: action.url }], complete: true };
  }
  return { all: [action], complete: true };
}

/** What an action does, and the context of the directory in which it does it. */
export interface Reading {
  readonly place: Context;
  readonly understanding?: Understanding;
  readonly uses: readonly PathUse[];
}

const readings = new WeakMap<Action, readonly [Context, Reading]>();

/** Understands an action: what a command runs, and which paths are used. Worked out once per context. */
export function readAction(action: Action, context: Context): Reading {
  const known = readings.get(action);
  if (known !== undefined && known[0] === context) return known[1];
  const reading = read(action, context);
  readings.set(action, [context, reading]);
  return reading;
}

function read(action: Action, context: Context): Reading {
  if (action.kind === "file") return { place: context, uses: fileUses(action, context) };
  if (action.kind !== "shell") return { place: context, uses: [] };
  const place = action.cwd === undefined || action.cwd === ""
    ? context
    : { ...context, cwd: normalise(action.cwd, context.cwd, context) };
  const understanding = understandAction(action, place);
  return { place, understanding, uses: pathUses(understanding, place, action.command) };
}

let parse: typeof understand | undefined;

/** Loads the shell parser, which is the larger part of guard and which plain commands do without. */
export async function loadParser(): Promise<void> {
  parse ??= (await import("./shell/understand.ts")).understand;
}

/** True when the action can be judged only after {@link loadParser}. */
export function needsParser(action: Action, context: Context): boolean {
  return standsFor(action).some((one) => one.kind === "shell" && plainly(one, context) === undefined);
}

function plainly(action: ActionOf<"shell">, place: Context): Understanding | undefined {
  if (action.dialect !== "posix" || place.windows) return undefined;
  return plainUnderstanding(action.command, place.cwd, place.home);
}

function understandAction(action: ActionOf<"shell">, place: Context): Understanding {
  const plain = plainly(action, place);
  if (plain !== undefined) return plain;
  if (parse === undefined) {
    throw new GuardError("the shell parser was not loaded before judging", "guard doctor");
  }
  return parse(action.command, {
    dialect: action.dialect,
    cwd: place.cwd,
    home: place.home,
    windows: place.windows,
    host: place.host,
    workspace: place.workspace,
    isSecret: (path) => secretOf(path, place) !== undefined,
    readFile: (path) => place.facts.text(path, maxScript),
  });
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
          message: match.message ?? rule.title,
          advice: match.advice ?? rule.advice,
          evidence: match.evidence,
          action: asked.at,
        });
      }
    } catch (error) {
      // Facts refuse to answer then.
      if (isLate(context)) return;
      asked.failures.push(`rule ${rule.id} failed: ${message(error)}`);
    }
  };
  for (const rule of index.action.get(action.kind) ?? []) attempt(rule, () => rule.match(action, context));
  for (const use of uses) {
    if (isLate(context)) return;
    for (const rule of index.path.get(use.operation) ?? []) attempt(rule, () => rule.match(use, context, action));
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
  if (uses.length > maxUses) {
    findings.push({
      rule: "shell/too-complex",
      decision: "ask",
      severity: "medium",
      message: `The command uses more than ${maxUses} paths.`,
      advice: "Do it in smaller steps.",
      evidence: { text: action.command.slice(0, 200) },
      action: at,
    });
  }
  return findings;
}

const changes: ReadonlySet<string> = new Set(["write", "append", "delete", "mode", "link"]);

function protectedByPolicy(at: number, uses: readonly PathUse[], context: Context): readonly Finding[] {
  const { protectedPaths } = context.policy;
  if (protectedPaths.length === 0) return [];
  const findings: Finding[] = [];
  for (const use of uses) {
    // The first word of `ln` is only pointed to.
    if (!changes.has(use.operation) || use.operation === "link") continue;
    if (isLate(context)) break;
    for (const { path, contents } of locate(use, context).locations) {
      const glob = protectedPaths.find((written) => reaches(path, written, use.recursive || contents || use.operation === "delete", context));
      if (glob === undefined) continue;
      findings.push({
        rule: "policy/protected-path",
        decision: "deny",
        severity: "high",
        message: `The policy protects ${glob} from changes.`,
        advice: "Leave these files as they are, or ask the person to change them.",
        evidence: { text: use.path.text, span: use.span },
        action: at,
      });
      break;
    }
  }
  return findings;
}

/** True when a path matches a protected glob, lies below it, or (when everything below is reached) holds it. */
function reaches(path: string, glob: string, below: boolean, context: Context): boolean {
  const written = /^(?:~(?=$|\/)|[\\/]|[A-Za-z]:|\*\*)/.test(glob)
    ? glob.replace(/^~/, context.home)
    : `${context.workspace}/${glob}`;
  const options = { caseInsensitive: context.caseInsensitive };
  const clean = written.replace(/\/(?:\*\*)?$/, "");
  if (matchesGlob(path, clean, options) || matchesGlob(path, `${clean}/**`, options)) return true;
  if (!below) return false;
  const fixed = clean.split(/[*?[{]/, 1)[0]!;
  return isWithin(fixed.replace(/\/$/, ""), path);
}

/** Rule overrides, the managed floor, and exceptions. */
function applyPolicy(
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
    const judged = decision === finding.decision ? finding : { ...finding, decision };
    const action = call.actions[finding.action];
    const holds = policy.exceptions.some((exception) => covers(exception, judged, action, context));
    (holds ? excepted : kept).push(judged);
  }
  return { kept, excepted };
}

type Override = "off" | "ask" | "deny";
type Overrides = Readonly<Record<string, Override>>;
const strictness: Readonly<Record<Override, number>> = { off: 0, ask: 1, deny: 2 };

function overridden(finding: Finding, { rules, level, floor, ownRules }: Policy): Override {
  // Own rules decide what the policy writes, at every level.
  const levelled = level !== "standard" && !ownRules.some((rule) => rule.id === finding.rule);
  const own = lookUp(rules, finding.rule) ??
    (levelled ? decisionAt(finding.rule, finding.decision, level) : finding.decision);
  const least = floor === undefined
    ? undefined
    : lookUp(floor.rules, finding.rule) ?? (levelled ? floorAt(finding.rule, floor.level) : undefined);
  return least !== undefined && strictness[least] > strictness[own] ? least : own;
}

function lookUp(overrides: Overrides, rule: string): Override | undefined {
  const category = `${rule.slice(0, rule.indexOf("/"))}/*`;
  if (Object.hasOwn(overrides, rule)) return overrides[rule];
  return Object.hasOwn(overrides, category) ? overrides[category] : undefined;
}

function covers(exception: Exception, finding: Finding, action: Action | undefined, context: Context): boolean {
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

/** Rules whose denial of a path says all that others could add about what lies below it. */
const broad: ReadonlySet<string> = new Set(["filesystem/delete-root", "filesystem/delete-project"]);

/** Leaves out what only repeats that everything goes: guard's own files are in a home directory too. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const key = ({ action, evidence: { span, text } }: Finding) => `${action}\n${span?.start},${span?.end}\n${text}`;
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
    const key = `${finding.rule}\n${finding.action}\n${finding.decision}\n${span?.start},${span?.end}\n${text}`;
    return !seen.has(key) && seen.add(key) !== undefined;
  });
}

/** True when the policy's allowed commands cover every part of every action. */
function isAllowed(call: HookCall, examined: readonly Examination[], context: Context): boolean {
  const { allowedCommands } = context.policy;
  if (allowedCommands.length === 0 || call.actions.length === 0) return false;
  return call.actions.every((action, index) => {
    if (action.kind !== "shell") return false;
    const one = examined.find((entry) => entry.index === index && entry.action === action);
    const invocations = one?.understanding?.invocations ?? [];
    return invocations.length > 0 && one?.understanding?.doubts.length === 0 &&
      invocations.every((invocation) => isCovered(invocation, action, allowedCommands, context));
  });
}

function isCovered(
  invocation: Invocation,
  _action: ActionOf<"shell">,
  allowed: readonly string[],
  context: Context,
): boolean {
  if (invocation.remote !== undefined || invocation.moreArguments || invocation.privileged) return false;
  // `./git` or `PATH=. git` is not the program that the policy means.
  if (invocation.word.text !== invocation.program || invocation.assignments.length > 0) return false;
  if (invocation.args.some((word) => !word.isStatic && word.pieces.some((piece) => piece.kind === "unknown"))) {
    return false;
  }
  const writes = invocation.redirections.some((redirection) =>
    /^(?:[&]?>|<>)/.test(redirection.operator) && !/^(?:\d+-?|-|\/dev\/null)$/.test(redirection.target.text)
  );
  if (writes) return false;
  const words = [invocation.program, ...invocation.args.map((word) => word.text)];
  const text = words.join(" ");
  return allowed.some((entry) => {
    if (/[*?[]/.test(entry)) return matchesGlob(text, entry, { slashes: true });
    const wanted = entry.trim().split(/\s+/);
    return wanted.length <= words.length && wanted.every((word, index) => word === words[index]) &&
      context.policy.allowedCommands.includes(entry);
  });
}
