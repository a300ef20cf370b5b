/** Rules in data form, as a policy writes them, made into rules that are judged like built-in ones. */

import { readAction, standsFor } from "./reading.ts";
import { locate } from "./paths.ts";
import { matchesGlob } from "./paths/glob.ts";
import { parseArguments } from "../rules/options.ts";
import type { Invocation, PathUse } from "./shell/model.ts";
import type { Action, ActionRule, Context, Evidence, Match, Rule, RuleMatcher, Severity } from "./types.ts";

/** A rule as a policy file writes it. */
export interface RuleForm {
  readonly id: string;
  readonly title: string;
  readonly decision: "ask" | "deny";
  readonly severity?: Severity;
  readonly rationale?: string;
  readonly advice: string;
  readonly match: RuleMatcher;
}

/** Tells whether a regular expression occurs in a text, in time linear in it. */
export type TextTest = (text: string) => boolean;

/** Options of well-known programs that stand in front of the subcommand and take a value. */
const globalValues: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace"],
  docker: ["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"],
  kubectl: ["-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user"],
  npm: ["--prefix", "-w", "--workspace"],
  pnpm: ["-C", "--dir", "--filter"],
  yarn: ["--cwd"],
  aws: ["--profile", "--region", "--output", "--endpoint-url"],
  gcloud: ["--project", "--account", "--format"],
  terraform: [],
};

const kinds: ActionRule["kinds"] = ["shell", "file", "fetch", "mcp", "prompt", "output", "unknown"];

/**
 * Makes a rule of its data form: it matches when all conditions that are given hold, the conditions about a
 * program all for one and the same invocation.
 *
 * @param compileText compiles `match.text`; needed only for forms that have one
 * @throws Error when the form has a `text` and nothing compiles it, or the expression is wrong
 */
export function compileRule(form: RuleForm, compileText?: (source: string) => TextTest): Rule {
  const { match } = form;
  let text: TextTest | undefined;
  if (match.text !== undefined) {
    if (compileText === undefined) throw new Error(`rule ${form.id} has a text, and nothing compiles it`);
    text = compileText(match.text);
  }
  return {
    on: "action",
    id: form.id,
    title: form.title,
    severity: form.severity ?? "medium",
    decision: form.decision,
    rationale: form.rationale ?? form.title,
    advice: form.advice,
    examples: { match: [], pass: [] },
    kinds,
    match: (action, context) => matchAction(match, text, action, context),
  };
}

function matchAction(
  match: RuleMatcher,
  text: TextTest | undefined,
  action: Action,
  context: Context,
): Match | undefined {
  let evidence: Evidence = { text: textOf(action).slice(0, 200) };
  if (match.tool !== undefined && !matchesTool(match.tool, action)) return undefined;
  if (text !== undefined && !text(textOf(action))) return undefined;
  const aboutProgram = match.program !== undefined || match.subcommand !== undefined ||
    match.anyOption !== undefined || match.allOptions !== undefined || match.noOption !== undefined ||
    match.operand !== undefined;
  const aboutPath = match.path !== undefined || match.operation !== undefined;
  const all = standsFor(action).map((one) => readAction(one, context));
  const invocations = all.flatMap(({ understanding }) => understanding?.invocations ?? []);
  if (aboutProgram) {
    const found = invocations.find((invocation) =>
      matchesInvocation(match, invocation) &&
      (!aboutPath || all.some(({ uses }) =>
        uses.some((use) => use.invocation === invocation && matchesUse(match, use, context))
      )) &&
      (match.url === undefined || invocation.args.some((word) => matchesHost(match.url!, word.text)))
    );
    if (found === undefined) return undefined;
    return { evidence: { text: found.word.text, span: found.span } };
  }
  if (aboutPath) {
    const use = all.flatMap(({ uses }) => uses).find((one) => matchesUse(match, one, context));
    if (use === undefined) return undefined;
    evidence = { text: use.path.text, span: action.kind === "shell" ? use.span : undefined };
  }
  if (match.url !== undefined) {
    const fetched = standsFor(action).some((one) => one.kind === "fetch" && matchesHost(match.url!, one.url));
    const given = invocations.find((one) => one.args.some((word) => matchesHost(match.url!, word.text)));
    if (!fetched && given === undefined) return undefined;
    if (given !== undefined) evidence = { text: given.word.text, span: given.span };
  }
  return { evidence };
}

function matchesTool(glob: string, action: Action): boolean {
  if (action.kind === "mcp") {
    return matchesGlob(`${action.server}/${action.tool}`, glob, { slashes: true }) ||
      matchesGlob(action.tool, glob);
  }
  return (action.kind === "unknown" || action.kind === "output") &&
    matchesGlob(action.tool, glob, { slashes: true });
}

function matchesInvocation(match: RuleMatcher, invocation: Invocation): boolean {
  const { program, args } = invocation;
  const names = match.program === undefined ? undefined : [match.program].flat();
  if (names !== undefined && !names.some((name) => matchesGlob(program, name))) return false;
  const parsed = parseArguments(args, { values: globalValues[program] ?? [] });
  const { subcommand } = match;
  if (subcommand !== undefined) {
    const leading = parsed.operands.slice(0, subcommand.length).map((word) => word.text);
    if (leading.length < subcommand.length) return false;
    if (!subcommand.every((choices, index) => choices.split("|").includes(leading[index]!))) return false;
  }
  const has = (option: string) =>
    parsed.has(option) || args.some(({ text }) => text === option || text.startsWith(`${option}=`));
  if (match.anyOption !== undefined && !match.anyOption.some(has)) return false;
  if (match.allOptions !== undefined && !match.allOptions.every(has)) return false;
  if (match.noOption !== undefined && match.noOption.some(has)) return false;
  const { operand } = match;
  return operand === undefined ||
    parsed.operands.some((word) => matchesGlob(word.text, operand, { slashes: !operand.includes("/") }));
}

function matchesUse(match: RuleMatcher, use: PathUse, context: Context): boolean {
  if (match.operation !== undefined && !match.operation.includes(use.operation)) return false;
  if (match.path === undefined) return true;
  const globs = [match.path].flat().map((glob) =>
    /^(?:[\\/]|[A-Za-z]:|\*\*)/.test(glob)
      ? glob
      : glob.startsWith("~/")
      ? context.home + glob.slice(1)
      : glob.includes("/")
      ? `${context.workspace}/${glob}`
      : `**/${glob}`
  );
  const options = { caseInsensitive: context.caseInsensitive };
  return locate(use, context).locations.some(({ path }) =>
    globs.some((glob) => matchesGlob(path, glob, options))
  );
}

/** Host name of a URL or of `host/path` as curl takes it; never resolves anything. */
function matchesHost(wanted: string, text: string): boolean {
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)(?:[^/?#@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(text)?.[1]
    ?.toLowerCase();
  if (host === undefined) return false;
  const name = wanted.toLowerCase();
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name || matchesGlob(host, name);
}

/** The text of an action on which `text` is tried. */
function textOf(action: Action): string {
  switch (action.kind) {
    case "shell":
      return action.command;
    case "file":
      return action.content === undefined ? action.path : `${action.path}\n${action.content}`;
    case "fetch":
      return action.url;
    case "mcp":
      return `${action.server}/${action.tool} ${inputText(action.input)}`;
    case "unknown":
      return `${action.tool} ${inputText(action.input)}`;
    case "prompt":
    case "output":
      return action.text;
    case "session":
      return action.detail ?? "";
  }
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input) ?? "";
}

/** Compiles regular expressions with RE2, which takes time linear in the text whatever the expression. */
export async function textCompiler(): Promise<(source: string) => TextTest> {
  const { RE2JS } = await import("re2js");
  return (source) => {
    const compiled = RE2JS.compile(source);
    return (text) => compiled.matcher(text).find();
  };
}
