/**
 * Text that bash takes for an expression only when the line runs: values of variables that an expression names,
 * subscripts, operands of `-eq`. The substitutions in the subscripts of such a text are run.
 */

import { parse } from "unbash";
import { evaluateArithmetic } from "./arithmetic.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame } from "./frame.ts";
import { type Atom, staticText } from "./pieces.ts";
import type { Scope } from "./scope.ts";

/** Bash follows values of values much further; nobody writes more than this. */
const maxExpressions = 5;

/** The value of a text as an expression; undefined when it is not known. */
export function evaluateText(
  evaluation: Evaluation,
  text: readonly Atom[],
  scope: Scope,
  frame: Frame,
): number | undefined {
  const known = staticText(text);
  if (known !== undefined && /^\s*-?(?:0|[1-9][0-9]{0,14})\s*$/.test(known)) return Number(known);
  const { expressions = 0 } = frame;
  const code = evaluation.codeText(text);
  evaluation.step(8 + (code.length >> 3));
  if (expressions >= maxExpressions || code.trim() === "") return undefined;
  const [statement] = parse(`((${code}))`).commands;
  if (statement?.command.type !== "ArithmeticCommand") return undefined;
  const { expression } = statement.command;
  const span = evaluation.spanOf({ pos: 0, end: frame.source.text.length }, frame);
  const inner: Frame = {
    ...frame,
    source: { text: `((${code}))`, span },
    provenance: "nested-script",
    expressions: expressions + 1,
  };
  return evaluateArithmetic(expression, evaluation.expander(scope, inner), {
    pos: 0,
    end: code.length,
    text: code,
  });
}

/** Builtins that take names of variables, and in them subscripts: those with an option in front of the name only. */
const naming: ReadonlySet<string> = new Set(
  "declare typeset local export readonly unset read mapfile readarray wait getopts".split(" "),
);
const declaring: ReadonlySet<string> = new Set("declare typeset local export readonly".split(" "));
const namingBehindOption: ReadonlySet<string> = new Set(["printf", "test", "["]);

/** Runs the substitutions that stand in names of array elements (`unset 'x[$(y)]'`). */
export function runSubscripts(evaluation: Evaluation, { program, args, scope, frame }: Call): void {
  const all = naming.has(program);
  if (!all && !namingBehindOption.has(program)) return;
  for (const [index, word] of args.entries()) {
    if (!all && args[index - 1]?.text !== "-v") continue;
    // The cheap questions first: hardly any name has a subscript, and hardly any list stands in quotes.
    if (!/[[(]/.test(word.text) || !/[$`]/.test(word.text)) continue;
    const list = declaring.has(program)
      ? /^[A-Za-z_]\w*\+?=\([^]*\)$/.exec(evaluation.codeText(word.pieces))
      : null;
    if (list !== null && !word.text.endsWith("=(…)")) {
      evaluation.runCode(evaluation.unmark(list[0]), word.span, scope, frame);
      continue;
    }
    const element = /^[A-Za-z_]\w*\[[^]*?\](?=\+?=|$)/.exec(evaluation.codeText(word.pieces))?.[0];
    if (element !== undefined) evaluateText(evaluation, evaluation.unmark(element), scope, frame);
  }
}
