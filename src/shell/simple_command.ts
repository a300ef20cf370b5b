/** Simple commands: their words, assignments and redirections. */

import type {
  Assignment as AssignmentNode,
  Command,
  Redirection as RedirectionNode,
  Word as SyntaxWord,
} from "unbash";
import type { Assignment, Invocation, Redirection, RedirectionOperator, Span, Word } from "./model.ts";
import { assign, type AssignedValue, assignedValue } from "./assignments.ts";
import { overChoices } from "./choices.ts";
import type { Evaluation } from "./evaluate.ts";
import { expandFields, expandHeredoc, expandSingle } from "./expand.ts";
import type { Expander } from "./expand/expander.ts";
import type { Frame, Input, Output } from "./frame.ts";
import { part } from "../parts.ts";
import { concat, plain, staticText, textWord, unknown } from "./pieces.ts";
import { define, fix, makeLocal, type Scope, type Variable } from "./scope.ts";
import { runWatches } from "./traps.ts";

const declarations = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Runs a simple command, once for each of the values that its variables may have. */
export function runSimple(evaluation: Evaluation, node: Command, scope: Scope, frame: Frame): Output {
  const outputs = overChoices(
    evaluation,
    scope,
    frame,
    (expander, branch) => runSimpleOnce(evaluation, node, branch, frame, expander),
  );
  if (scope.watches !== undefined) runWatches(evaluation, scope);
  const [first, ...others] = outputs;
  if (others.length === 0 || outputs.some((one) => one === undefined)) {
    return others.length === 0 ? first : undefined;
  }
  const text = staticText(first);
  if (text !== undefined && others.every((one) => staticText(one) === text)) return first;
  // One of several texts, and it is not known which.
  return [unknown(frame.source.text.slice(node.pos, node.end), "command")];
}

function runSimpleOnce(
  evaluation: Evaluation,
  node: Command,
  scope: Scope,
  frame: Frame,
  expander: Expander,
): Output {
  const span = evaluation.spanOf(node, frame);
  const words: Word[] = [];
  const declared: (readonly [AssignmentNode, AssignedValue])[] = [];
  const name = node.name === undefined ? [] : expandWords(evaluation, node.name, expander, frame);
  words.push(...name);
  const declaring = declarations.has(words[0]?.text ?? "");
  for (const argument of node.args) {
    if (argument.type === "Assignment") {
      const value = assignedValue(argument, expander);
      declared.push([argument, value]);
      words.push(evaluation.word([
        plain(argument.text.slice(0, Math.max(0, argument.text.indexOf("=") + 1))),
        ...("elements" in value ? [plain("(…)")] : value.atoms),
      ], evaluation.spanOf(argument, frame)));
    } else words.push(...expandWords(evaluation, argument, expander, frame));
  }
  const { redirections, stdin } = readRedirections(evaluation, node.redirects, scope, frame, expander);
  const inner = stdin === undefined ? fileInput(evaluation, redirections, scope, frame) : { ...frame, stdin };
  const assignments: Assignment[] = [];
  for (const prefix of node.prefix) {
    if (prefix.type !== "Assignment") continue;
    const value = assignedValue(prefix, expander);
    if (words.length === 0) assign(evaluation, prefix, value, scope, expander);
    if ("atoms" in value) {
      const text = evaluation.word(value.atoms, evaluation.spanOf(prefix, frame));
      assignments.push({ name: prefix.name, value: text });
    }
  }
  if (words.length === 0) {
    if (assignments.some(({ name, value }) => /^PS[0-4]$/.test(name) && /[`$]/.test(value.text))) {
      const word = textWord(":", span);
      const call = { program: ":", word, args: [], assignments, redirections: [], scope, frame, span };
      part("hiddenCode").runVariables(evaluation, call);
    }
    if (redirections.length > 0 || hasCode(assignments)) {
      emitRedirections(evaluation, redirections, assignments, span, scope, frame);
    }
    // `> file` alone prints nothing; `$(< file)` prints the file.
    const [only, ...others] = redirections;
    const alone = others.length === 0 && assignments.length === 0;
    return alone && only?.operator === "<" && (only.descriptor ?? 0) === 0
      ? evaluation.fileData(only.target, scope)
      : [];
  }
  if (declaring) declare(evaluation, words, declared, scope, expander);
  const output = evaluation.runWords(words, assignments, redirections, span, scope, inner);
  noteFedShells(evaluation, [...words, ...redirections.map((one) => one.target)]);
  return redirected(evaluation, output, redirections, scope);
}

/** `local`, `declare` and their kin: in a function the names become local, then they get their values. */
function declare(
  evaluation: Evaluation,
  words: readonly Word[],
  declared: readonly (readonly [AssignmentNode, AssignedValue])[],
  scope: Scope,
  expander: Expander,
): void {
  const [program, ...rest] = words;
  const global = program!.text === "export" || program!.text === "readonly" ||
    rest.some((word) => /^-[A-Za-z]*[gfF]/.test(word.text));
  if (!global) {
    for (const { text } of rest) {
      const name = /^[A-Za-z_][A-Za-z_0-9]*/.exec(text)?.[0];
      if (name !== undefined) makeLocal(scope, name);
    }
  }
  const changing = rest.some((word) => /^-[A-Za-z]*[nliuc]/.test(word.text));
  for (const [assignment, value] of declared) assign(evaluation, assignment, value, scope, expander);
  const counting = rest.some((word) => /^-[A-Za-z]*i/.test(word.text));
  const fixing = program!.text === "readonly" || rest.some((word) => /^-[A-Za-z]*r/.test(word.text));
  if (!changing && !fixing) return;
  for (const { text } of rest) {
    const name = /^[A-Za-z_][A-Za-z_0-9]*/.exec(text)?.[0];
    if (name === undefined) continue;
    if (changing) {
      const number = counting && text.includes("=")
        ? numberOf(scope.variables.get(name), expander)
        : undefined;
      const values = [[
        number === undefined ? unknown(`$${name}`, "variable", { name }) : plain(String(number)),
      ]];
      define(scope, name, { values, odd: true });
    }
    if (fixing) fix(scope, name);
  }
}

/** The value of a variable as an expression, where it has only one. */
function numberOf(variable: Variable | undefined, expander: Expander): number | undefined {
  const [value, ...others] = variable?.values ?? [];
  return value === undefined || others.length > 0 ? undefined : expander.arithmetic(value);
}

/** `>(sh)`: what a command writes there is code, and it is not known here. */
function noteFedShells(evaluation: Evaluation, words: readonly Word[]): void {
  for (const word of words) {
    for (const piece of word.pieces) {
      if (piece.kind !== "unknown" || piece.origin !== "process" || !piece.source.startsWith(">(")) continue;
      if (!piece.invocations?.some((one) => readsCode(one))) continue;
      const message = `${piece.source} runs what is written to it, which cannot be known`;
      evaluation.doubt("unknown-code", message, word.span);
    }
  }
}

/** True for a shell that takes its commands from standard input. */
function readsCode(invocation: Invocation): boolean {
  return /^(?:ba|z|da|k|a|fi)?sh$/.test(invocation.program) && invocation.stdin === undefined &&
    invocation.args.every((word) => /^-[A-Za-z]*s?$/.test(word.text) && !word.text.includes("c"));
}

function expandWords(evaluation: Evaluation, word: SyntaxWord, expander: Expander, frame: Frame): Word[] {
  const span = evaluation.spanOf(word, frame);
  return expandFields(word, expander).map((atoms) => evaluation.word(atoms, span));
}

/** Expands redirections. `stdin` is what they give to standard input, when that is known. */
export function readRedirections(
  evaluation: Evaluation,
  nodes: readonly RedirectionNode[],
  scope: Scope,
  frame: Frame,
  expander = evaluation.expander(scope, frame),
): { redirections: Redirection[]; stdin: Input | undefined } {
  const redirections: Redirection[] = [];
  let stdin: Input | undefined;
  for (const node of nodes) {
    evaluation.step();
    const span = evaluation.spanOf(node, frame);
    const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : undefined;
    if (node.type === "HereDoc") {
      const raw = node.operator === "<<-" ? stripTabs(node.body.text) : node.body.text;
      const body = node.delimiter?.quoted ? [plain(raw)] : expandHeredoc(
        raw,
        node.operator === "<<-" && node.body.parts === undefined ? undefined : node.body.parts,
        expander,
      );
      redirections.push({
        operator: "<<",
        descriptor,
        target: textWord(node.delimiter?.value ?? "", span),
        body: evaluation.word(body, evaluation.spanOf(node.body, frame)),
        span,
      });
      if ((descriptor ?? 0) === 0) stdin = { atoms: body };
    } else if (node.type === "HereString") {
      const body = node.target === undefined ? [] : expandSingle(node.target, expander, true);
      const target = evaluation.word(body, span);
      redirections.push({ operator: "<<<", descriptor, target, body: target, span });
      if ((descriptor ?? 0) === 0) stdin = { atoms: concat(body, [plain("\n")]) };
    } else {
      const target = node.target === undefined ? [] : expandFields(node.target, expander)[0] ?? [];
      redirections.push({
        operator: node.operator as RedirectionOperator,
        descriptor,
        target: evaluation.word(
          target,
          node.target === undefined ? span : evaluation.spanOf(node.target, frame),
        ),
        span,
      });
    }
  }
  return { redirections, stdin };
}

function stripTabs(text: string): string {
  return text.replace(/^\t+/gm, "");
}

/** Stdin from a file that the command itself has written or that can be read. */
export function fileInput(
  evaluation: Evaluation,
  redirections: readonly Redirection[],
  scope: Scope,
  frame: Frame,
): Frame {
  const input = redirections.findLast((one) => one.operator === "<" && (one.descriptor ?? 0) === 0);
  if (input === undefined) return frame;
  const output = evaluation.fileData(input.target, scope);
  return { ...frame, stdin: output === undefined ? undefined : { atoms: output } };
}

/** Notes redirections without a program of their own. */
export function emitRedirections(
  evaluation: Evaluation,
  redirections: readonly Redirection[],
  assignments: readonly Assignment[],
  span: Span,
  scope: Scope,
  frame: Frame,
): void {
  evaluation.emit(evaluation.invocation({
    program: ":",
    word: textWord(":", span),
    args: [],
    assignments,
    redirections,
    scope,
    frame,
    span,
  }));
}

/** Assignments that matter without a command: to git, and to what the shell itself remembers. */
function hasCode(assignments: readonly Assignment[]): boolean {
  return assignments.some((one) => /^(?:GIT_|HIST|SAVEHIST$)/.test(one.name));
}

/** Remembers what is written to a file by `> file`; what goes there is not printed. */
export function redirected(
  evaluation: Evaluation,
  output: Output,
  redirections: readonly Redirection[],
  scope: Scope,
): Output {
  let printed = output;
  for (const one of redirections) {
    const writes = one.operator === ">" || one.operator === ">>" || one.operator === ">|" ||
      one.operator === "&>" ||
      one.operator === "&>>";
    if (!writes || (one.descriptor ?? 1) !== 1) continue;
    evaluation.written(one.target, output, one.operator.includes(">>"), scope);
    printed = [];
  }
  return printed;
}
