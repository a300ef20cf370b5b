/** Conditions and loops: every branch is followed, and what they leave behind is joined. */

import type { CommandNode, CompoundList, For, Select, TestExpression, While } from "unbash";
import { evaluateArithmetic } from "./arithmetic.ts";
import type { Evaluation } from "./evaluate.ts";
import { expandFields, expandSingle } from "./expand.ts";
import type { Frame, Output } from "./frame.ts";
import { compilePattern, matchesPattern } from "./pattern.ts";
import { risky } from "./names.ts";
import { type Atom, concat, joinAtoms, makeWord, splitWhite, staticText, unknown } from "./pieces.ts";
import { adoptScope, alternativesOf, mergeScope, type Scope } from "./scope.ts";
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
  }
  return undefined;
}

/** `for` and `select` over words. */
export function runFor(evaluation: Evaluation, node: For | Select, scope: Scope, frame: Frame): Output {
  const expander = evaluation.expander(scope, frame);
  const name = node.name.value;
  const values = node.wordlist === undefined
    ? scope.positional ?? [[unknown('"$@"', "positional", { name: "@" })]]
    : node.wordlist.flatMap((word) => expandFields(word, expander));
  const before = scope.directory;
  const inner = evaluation.fork(scope);
  let output: Output = [];
  let runs = 0;
  for (const value of values) {
    if (
      (runs >= maxLoopRuns || evaluation.invocations.length > maxLoopPrograms) &&
      isPlainName(evaluation, value, scope)
    ) continue;
    runs++;
    inner.variables.set(name, { values: [value] });
    const printed = runStatements(evaluation, node.body.commands, inner, frame);
    output = output === undefined || printed === undefined ? undefined : concat(output, printed);
    settle(inner);
    evaluation.step();
  }
  if (values.length > runs) {
    // The plain names among them are taken at once, as not known.
    inner.variables.set(name, { values: [[unknown(`$${name}`, "limit", { name, mayBeEmpty: false })]] });
    runStatements(evaluation, node.body.commands, inner, frame);
    output = undefined;
  }
  const moved = inner.directory !== before && inner.directory.path !== before.path;
  if (values.length === 0 || moved) mergeScope(scope, inner);
  else adoptScope(scope, inner);
  return output;
}

/** `for ((…))`. */
export function runArithmeticFor(
  evaluation: Evaluation,
  node: Extract<CommandNode, { type: "ArithmeticFor" }>,
  scope: Scope,
  frame: Frame,
): Output {
  const expander = evaluation.expander(scope, frame);
  const part = { pos: node.pos, end: node.end, text: "" };
  evaluateArithmetic(node.initialize, expander, part);
  evaluateArithmetic(node.test, expander, part);
  const before = new Map(scope.variables);
  evaluation.step(before.size);
  evaluateArithmetic(node.update, expander, part);
  // What a round changes has another value in each round.
  for (const name of new Set([...before.keys(), ...scope.variables.keys()])) {
    if (scope.variables.get(name) === before.get(name)) continue;
    const value = unknown(`$${name}`, "arithmetic", { name, mayBeEmpty: false });
    scope.variables.set(name, { values: [[value]] });
  }
  runLoopBody(evaluation, node.body, scope, frame);
  return undefined;
}

function runLoopBody(evaluation: Evaluation, body: CompoundList, scope: Scope, frame: Frame): void {
  const before = scope.directory;
  const inner = evaluation.fork(scope);
  runStatements(evaluation, body.commands, inner, frame);
  settle(inner);
  const moved = inner.directory !== before && inner.directory.path !== before.path;
  mergeScope(scope, inner);
  if (moved) {
    // Each further round may go further.
    scope.directory = { path: undefined, certain: false, alternatives: alternativesOf(scope.directory) };
  }
}

/** `case`. */
export function runCase(
  evaluation: Evaluation,
  node: Extract<CommandNode, { type: "Case" }>,
  scope: Scope,
  frame: Frame,
): Output {
  const expander = evaluation.expander(scope, frame);
  const subject = staticText(expandSingle(node.word, expander));
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
    case "TestUnary":
      expandSingle(expression.operand, evaluation.expander(scope, frame));
      break;
    case "TestBinary":
      expandSingle(expression.left, evaluation.expander(scope, frame));
      expandSingle(expression.right, evaluation.expander(scope, frame));
      break;
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
