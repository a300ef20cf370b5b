/** Conditions and loops: every branch is followed, and what they leave behind is joined. */

import type { CommandNode, CompoundList, For, Select, TestExpression, While } from "unbash";
import { evaluateArithmetic } from "./arithmetic.ts";
import { Choices, overChoices } from "./choices.ts";
import type { Evaluation } from "./evaluate.ts";
import { expandFields, expandSingle } from "./expand.ts";
import type { Frame, Output } from "./frame.ts";
import { compilePattern, matchesPattern } from "./pattern.ts";
import { risky } from "./names.ts";
import { type Atom, concat, joinAtoms, makeWord, splitWhite, staticText, unknown } from "./pieces.ts";
import {
  adoptScope,
  alternativesOf,
  define,
  giveValue,
  joinWaysOut,
  mergeScope,
  type Scope,
  type Values,
} from "./scope.ts";
import { endsList, runStatement, runStatements, settle } from "./statements.ts";

/** After so many rounds, or programs found, plain names are taken together; anything else is still followed. */
const maxLoopRuns = 64;
const maxLoopPrograms = 400;

/** True for a value that is to every rule like any other: a name, or a path of names, without a secret. */
function isPlainName(evaluation: Evaluation, value: readonly Atom[], scope: Scope): boolean {
  evaluation.step();
  const text = staticText(value);
  if (text === undefined || !/^[A-Za-z0-9_][\w.@%+,:=-]*(?:\/[A-Za-z0-9_][\w.@%+,:=-]*)*$/.test(text)) {
    return false;
  }
  if (risky.has(text)) return false;
  const path = evaluation.absolute(makeWord(value, { start: 0, end: 0 }), scope);
  return path !== undefined && evaluation.options.isSecret?.(path) !== true;
}

/** `if`. */
export function runIf(
  evaluation: Evaluation,
  node: Extract<CommandNode, { type: "If" }>,
  scope: Scope,
  frame: Frame,
): Output {
  const result = evaluation.fork(scope);
  let output = runStatements(evaluation, node.clause.commands.slice(0, -1), result, frame);
  output = runCondition(evaluation, node.clause, result, frame) === undefined ? undefined : output;
  const failed = result.failed;
  result.failed = undefined;
  const otherwise = evaluation.fork(result);
  if (failed !== undefined) otherwise.directory = failed;
  runStatements(evaluation, node.then.commands, result, frame);
  const ends = endsList(node.then);
  for (const branch of node.elif) {
    runStatements(evaluation, branch.clause.commands, otherwise, frame);
    const inner = evaluation.fork(otherwise);
    runStatements(evaluation, branch.then.commands, inner, frame);
    mergeScope(otherwise, inner);
  }
  if (node.else !== undefined) runStatements(evaluation, node.else.commands, otherwise, frame);
  adoptScope(scope, otherwise);
  if (!ends) {
    if (node.else !== undefined && endsList(node.else)) adoptScope(scope, result);
    else mergeScope(scope, result);
  }
  return undefined;
}

/** The last statement of a condition, with the state that holds when it succeeded. */
function runCondition(evaluation: Evaluation, clause: CompoundList, scope: Scope, frame: Frame): Output {
  const last = clause.commands[clause.commands.length - 1];
  return last === undefined ? [] : runStatement(evaluation, last, scope, frame);
}

/** `while` and `until`. */
export function runWhile(evaluation: Evaluation, node: While, scope: Scope, frame: Frame): Output {
  const input = frame.stdin;
  const { breaks } = scope;
  const waysOut: Scope[] = scope.breaks = [];
  let rounds = 0;
  let left: readonly Atom[] | undefined;
  do {
    if (++rounds === maxLoopRuns && input !== undefined) {
      const lines = splitWhite(input.atoms, /\n/).filter((line) => !isPlainName(evaluation, line, scope));
      input.atoms = evaluation.weigh(joinAtoms(lines, "\n"));
    }
    left = input?.atoms;
    runStatements(evaluation, node.clause.commands, scope, frame);
    runLoopBody(evaluation, node.body, scope, frame);
    // Only a clause that reads known input is run again.
  } while (input !== undefined && input.atoms !== left && input.atoms.length > 0);
  if (rounds >= maxLoopRuns) {
    // The plain names in the input are taken at once, as not known.
    const rest = { ...frame, stdin: undefined };
    runStatements(evaluation, node.clause.commands, scope, rest);
    runLoopBody(evaluation, node.body, scope, rest);
  } else if (input?.atoms.length === 0) {
    // At the end the clause has found nothing.
    const last = evaluation.fork(scope);
    runStatements(evaluation, node.clause.commands, last, frame);
    mergeScope(scope, last);
  }
  scope.breaks = breaks;
  evaluation.step(10 * waysOut.length);
  joinWaysOut(scope, waysOut);
  return undefined;
}

/** `for` and `select` over words. */
export function runFor(evaluation: Evaluation, node: For | Select, scope: Scope, frame: Frame): Output {
  const { wordlist } = node;
  const lists = wordlist === undefined ? positionals(scope) : overChoices(
    evaluation,
    scope,
    frame,
    (expander) => wordlist.flatMap((word) => expandFields(word, expander)),
  );
  const [first, ...others] = lists;
  const befores = others.map(() => evaluation.fork(scope));
  let output = runForEach(evaluation, node, first!, scope, frame);
  for (const [index, values] of others.entries()) {
    const before = befores[index]!;
    runForEach(evaluation, node, values, before, frame);
    mergeScope(scope, before);
    output = undefined;
  }
  return output;
}

function runForEach(
  evaluation: Evaluation,
  node: For | Select,
  values: Values,
  scope: Scope,
  frame: Frame,
): Output {
  const name = node.name.value;
  const before = scope.directory;
  const inner = evaluation.fork(scope);
  const waysOut: Scope[] = inner.breaks = [];
  let output: Output = [];
  let runs = 0;
  for (const value of values) {
    if (
      (runs >= maxLoopRuns || evaluation.invocations.length > maxLoopPrograms) &&
      isPlainName(evaluation, value, scope)
    ) continue;
    runs++;
    const left = waysOut.length;
    giveValue(name, value, inner);
    const printed = runStatements(evaluation, node.body.commands, inner, frame);
    output = output === undefined || printed === undefined ? undefined : concat(output, printed);
    settle(inner);
    continueWith(evaluation, inner, waysOut.slice(left));
    evaluation.step();
  }
  const open = values.some((value) => value.some((atom) => atom.kind === "unknown" || atom.kind === "glob"));
  if (open) runBodyAgain(evaluation, node.body, scope, inner, frame);
  if (values.length > runs) {
    // The plain names among them are taken at once, as not known.
    giveValue(name, [unknown(`$${name}`, "limit", { name, mayBeEmpty: false })], inner);
    runStatements(evaluation, node.body.commands, inner, frame);
    output = undefined;
  }
  evaluation.step(10 * waysOut.length);
  joinWaysOut(inner, waysOut);
  const moved = inner.directory !== before && inner.directory.path !== before.path;
  if (values.length === 0 || moved) mergeScope(scope, inner);
  else adoptScope(scope, inner);
  return output;
}

/** `for x`: over the positional parameters, of whichever command line. */
function positionals({ positional }: Scope): Values[] {
  const all = positional === undefined ? [undefined] : [positional.values, ...positional.others ?? []];
  return all.map((values) => values ?? [[unknown('"$@"', "positional", { name: "@" })]]);
}

/** `for ((…))`. */
export function runArithmeticFor(
  evaluation: Evaluation,
  node: Extract<CommandNode, { type: "ArithmeticFor" }>,
  scope: Scope,
  frame: Frame,
): Output {
  const part = { pos: node.pos, end: node.end, text: "" };
  overChoices(evaluation, scope, frame, (one) => evaluateArithmetic(node.initialize, one, part));
  const expander = evaluation.expander(scope, frame);
  evaluateArithmetic(node.test, expander, part);
  const before = new Map(scope.variables);
  evaluation.step(before.size);
  evaluateArithmetic(node.update, expander, part);
  // What a round changes has another value in each round.
  for (const name of new Set([...before.keys(), ...scope.variables.keys()])) {
    if (scope.variables.get(name) === before.get(name)) continue;
    const value = unknown(`$${name}`, "arithmetic", { name, mayBeEmpty: false });
    define(scope, name, { values: [[value]] });
  }
  const { breaks } = scope;
  const waysOut: Scope[] = scope.breaks = [];
  runLoopBody(evaluation, node.body, scope, frame);
  scope.breaks = breaks;
  evaluation.step(10 * waysOut.length);
  joinWaysOut(scope, waysOut);
  return undefined;
}

/** The next round may begin in each state in which this one was left. */
function continueWith(evaluation: Evaluation, scope: Scope, states: readonly Scope[]): void {
  evaluation.step(10 * states.length);
  joinWaysOut(scope, states);
}

/** The body of a loop that runs nobody knows how often. */
function runLoopBody(evaluation: Evaluation, body: CompoundList, scope: Scope, frame: Frame): void {
  const before = scope.directory;
  const inner = evaluation.fork(scope);
  runStatements(evaluation, body.commands, inner, frame);
  settle(inner);
  continueWith(evaluation, inner, inner.breaks ?? []);
  runBodyAgain(evaluation, body, scope, inner, frame);
  const moved = inner.directory !== before && inner.directory.path !== before.path;
  mergeScope(scope, inner);
  if (moved) {
    // Each further round may go further.
    scope.directory = { path: undefined, certain: false, alternatives: alternativesOf(scope.directory) };
  }
}

/** More loops inside each other than this are not followed through a second round. */
const maxRepeatedLoops = 3;

/**
 * A second round of a loop, where the body uses variables that it has changed itself: they have the values of the
 * first round, or others that are not known.
 *
 * @param before the state in front of the loop
 * @param scope the state after the first round
 */
function runBodyAgain(
  evaluation: Evaluation,
  body: CompoundList,
  before: Scope,
  scope: Scope,
  frame: Frame,
): void {
  const text = frame.source.text.slice(body.pos, body.end);
  const changed = [...scope.variables].filter(([name, variable]) =>
    before.variables.get(name) !== variable && new RegExp(`\\b${name}\\b`).test(text)
  );
  evaluation.step(changed.length + (text.length >> 4));
  if (changed.length === 0) return;
  const { loops = 0 } = frame;
  if (loops >= maxRepeatedLoops) {
    const span = evaluation.spanOf(body, frame);
    evaluation.doubt("too-complex", "loops are nested too deeply to be followed", span);
    return;
  }
  const again = evaluation.fork(scope);
  for (const [name, { values }] of changed) {
    const other = [unknown(`$${name}`, "limit", { name })];
    define(again, name, { values: [...values.slice(0, 2), other] });
  }
  again.isBranched = true;
  runStatements(evaluation, body.commands, again, { ...frame, loops: loops + 1 });
  settle(again);
  mergeScope(scope, again);
}

/** `case`. */
export function runCase(
  evaluation: Evaluation,
  node: Extract<CommandNode, { type: "Case" }>,
  scope: Scope,
  frame: Frame,
): Output {
  const expander = evaluation.expander(scope, frame);
  const choices = new Choices();
  const text = staticText(expandSingle(node.word, evaluation.expander(scope, frame, choices)));
  // Where such an operator leaves nothing, bash compares something else than the text.
  const odd = /\$\{[^}]*[/^,~@]/.test(node.word.text);
  const subject = choices.several || odd ? undefined : text;
  const result = evaluation.fork(scope);
  let decided = false;
  for (const item of node.items) {
    const patterns = item.pattern.map((word) => expandSingle(word, expander));
    if (subject !== undefined && subject.length < 4096 && !decided) {
      const compiled = patterns.map(compilePattern);
      const known = compiled.every((pattern) => pattern !== undefined);
      evaluation.step(subject.length);
      const matches = compiled.some((pattern) => pattern !== undefined && matchesPattern(pattern, subject));
      if (known && !matches) continue;
      if (known && matches && item.terminator === ";;") decided = true;
    } else if (decided) continue;
    const branch = evaluation.fork(scope);
    runStatements(evaluation, item.body.commands, branch, frame);
    if (decided) adoptScope(result, branch);
    else mergeScope(result, branch);
    if (decided) break;
  }
  adoptScope(scope, result);
  return undefined;
}

/** Expands the words of `[[ … ]]`. */
export function expandTest(
  evaluation: Evaluation,
  expression: TestExpression,
  scope: Scope,
  frame: Frame,
): void {
  evaluation.step();
  switch (expression.type) {
    case "TestUnary": {
      const expander = evaluation.expander(scope, frame);
      const operand = expandSingle(expression.operand, expander);
      if (expression.operator === "-v") expander.arithmetic(operand);
      break;
    }
    case "TestBinary": {
      const expander = evaluation.expander(scope, frame);
      const operands = [expression.left, expression.right].map((word) => expandSingle(word, expander));
      // Numbers are compared as expressions.
      if (/^-(?:eq|ne|l[te]|g[te])$/.test(expression.operator)) {
        operands.forEach((one) => expander.arithmetic(one));
      }
      break;
    }
    case "TestLogical":
      for (const operand of expression.operands) expandTest(evaluation, operand, scope, frame);
      break;
    case "TestNot":
      expandTest(evaluation, expression.operand, scope, frame);
      break;
    case "TestGroup":
      expandTest(evaluation, expression.expression, scope, frame);
      break;
  }
}
