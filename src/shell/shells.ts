/** Shells that a command starts, with the script they are given as text, file or input. */

import type { Call, Evaluation, Output } from "./evaluate.ts";
import { type Atom, plain } from "./pieces.ts";
import { nested, noteUnknownCode } from "./programs.ts";
import { forkScope, type Scope } from "./scope.ts";
import type { Word } from "./model.ts";

/** Programs that run shell scripts. */
export const shellNames: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh ksh93 mksh ash fish rbash rzsh yash posh elvish xonsh csh tcsh".split(" "),
);

const optionValues = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-C", "--init-command"]);

/** Runs `sh -c code`, `sh file`, `sh <<EOF`, `… | sh`. */
export function runShell(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { args } = call;
  let code = false;
  let fromInput = false;
  let index = 0;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === "--" || text === "-") {
      index++;
      break;
    }
    if (optionValues.has(text)) {
      index++;
      continue;
    }
    if (text === "--command") {
      code = true;
      continue;
    }
    if (text === "--version" || text === "--help") return undefined;
    if (text.startsWith("--")) continue;
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith("-") && text.includes("c")) code = true;
    if (text.startsWith("-") && text.includes("s")) fromInput = true;
    if (/o$/i.test(text)) index++;
  }
  const operands = args.slice(index);
  const scope = shellScope(call.scope);
  if (code) return runCodeArgument(evaluation, call, operands, scope);
  const [file, ...rest] = operands;
  if (file !== undefined && !fromInput && file.text !== "/dev/stdin") {
    scope.zero = file.text;
    scope.positional = call.frame.moreArguments ? undefined : rest.map((word) => word.pieces);
    const content = evaluation.fileContent(file, call.scope);
    if (content === undefined) return undefined;
    return evaluation.runCode(
      content,
      file.span,
      scope,
      nested(call, "script-file", call.program, { stdin: undefined }),
    );
  }
  const input = call.frame.stdin?.atoms;
  scope.positional = operands.map((word) => word.pieces);
  if (input === undefined || input.length === 0) return undefined;
  const piped = call.redirections.some((one) => one.operator === "<<" || one.operator === "<<<")
    ? "heredoc"
    : "pipe";
  noteUnknownCode(evaluation, call, input);
  return evaluation.runCode(
    input,
    inputSpan(call),
    scope,
    nested(call, piped, call.program, { stdin: undefined }),
  );
}

function inputSpan(call: Call) {
  const redirection = call.redirections.findLast((one) => one.body !== undefined);
  return redirection?.body?.span ?? call.span;
}

function runCodeArgument(
  evaluation: Evaluation,
  call: Call,
  operands: readonly Word[],
  scope: Scope,
): Output {
  const [code, zero, ...rest] = operands;
  if (code === undefined) return undefined;
  if (zero !== undefined) scope.zero = zero.text;
  scope.positional = call.frame.moreArguments ? undefined : rest.map((word) => word.pieces);
  noteUnknownCode(evaluation, call, code.pieces);
  return evaluation.runCode(
    withoutShebang(code.pieces),
    code.span,
    scope,
    nested(call, "nested-script", `${call.program} -c`, { moreArguments: false }),
  );
}

function withoutShebang(code: readonly Atom[]): readonly Atom[] {
  return code.length === 0 ? [plain("")] : code;
}

/** A new shell sees the variables (they may be exported) but not functions and aliases. */
function shellScope(scope: Scope): Scope {
  const inner = forkScope(scope);
  inner.aliases.clear();
  inner.exitOnError = false;
  return inner;
}
