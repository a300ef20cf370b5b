/** PowerShell: its program, and the code that it is given. */

import type { Span, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame, Output } from "./frame.ts";
import { type Atom, joinAtoms, plain } from "./pieces.ts";
import { nested, noteUnknownCode } from "./nested.ts";
import { changeDirectory, forkScope, type Scope } from "./scope.ts";
import { encodedCommand } from "./cmdlets.ts";
import { StatementReader } from "./powershell/reader.ts";
import { decodeUtf16, joinLines } from "./powershell/values.ts";

/** Runs text as PowerShell. Returns what it prints when that is known. */
export function runPowerShell(
  evaluation: Evaluation,
  code: readonly Atom[],
  span: Span | undefined,
  scope: Scope,
  frame: Frame,
): Output {
  const { text, inside } = evaluation.foreignCode(code, "powershell", span, frame);
  const items = new StatementReader(evaluation, text, scope, inside).statements("");
  return items === undefined ? undefined : joinLines(items);
}

/** `powershell` and `pwsh` with the code or file that they are given. */
export function runPowerShellProgram(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { args } = call;
  const scope = forkScope(call.scope);
  const run: Run = (code, span, label, provenance = "nested-script") => {
    if (evaluation.isTooDeep(call.frame, "scripts", span)) return undefined;
    noteUnknownCode(evaluation, call, code);
    const given = { stdin: undefined, moreArguments: false };
    const inside = nested(call, provenance, `${call.program}${label}`, given);
    return runPowerShell(evaluation, code, span, scope, inside);
  };
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const text = word.text.toLowerCase();
    const rest = args.slice(index + 1);
    const is = (name: string, least: number) =>
      /^[-/–—]/.test(text) && text.length > least && name.startsWith(text.slice(1));
    if (is("command", 1) || text === "-c" || is("commandwithargs", 12)) {
      if (rest.length === 0 || rest[0]!.text === "-") return fromInput(call, run);
      return run(joinAtoms(rest.map((one) => one.pieces)), rest[0]!.span, " -Command");
    }
    if (encodedCommand.test(text)) {
      const decoded = rest[0]?.isStatic ? decodeUtf16(rest[0].text) : undefined;
      if (rest[0] === undefined) return undefined;
      if (decoded === undefined) {
        evaluation.doubt(
          "encoded-code",
          `${call.program} runs encoded text that cannot be decoded`,
          rest[0].span,
        );
        return undefined;
      }
      return run([plain(decoded)], rest[0].span, " -EncodedCommand");
    }
    if (text === "-") return fromInput(call, run);
    if (is("file", 1)) return runFile(evaluation, call, rest, run);
    if (is("workingdirectory", 1) && !is("windowstyle", 2) || text === "-wd") {
      if (rest[0]?.isStatic) {
        const windows = evaluation.options.windows === true;
        scope.directory = changeDirectory(scope.directory, rest[0].text, windows);
      }
      index++;
    } else if (
      is("executionpolicy", 2) || text === "-ep" || text === "-ex" || is("windowstyle", 1) ||
      is("version", 1) ||
      is("inputformat", 2) || is("outputformat", 1) || is("configurationname", 7) ||
      is("configurationfile", 14) ||
      is("psconsolefile", 1) || is("settingsfile", 2) || is("custompipename", 2)
    ) index++;
    else if (!/^[-/–—]./.test(text)) {
      return /^pwsh/.test(call.program)
        ? runFile(evaluation, call, args.slice(index), run)
        : run(joinAtoms(args.slice(index).map((one) => one.pieces)), word.span, "");
    }
  }
  return fromInput(call, run);
}

type Run = (code: readonly Atom[], span: Span, label: string, provenance?: Frame["provenance"]) => Output;

function fromInput(call: Call, run: Run): Output {
  const input = call.frame.stdin?.atoms;
  return input === undefined || input.length === 0 ? undefined : run(input, call.span, "", "pipe");
}

function runFile(evaluation: Evaluation, call: Call, rest: readonly Word[], run: Run): Output {
  const file = rest[0];
  if (file === undefined) return undefined;
  const content = evaluation.fileContent(file, call.scope);
  return content === undefined ? undefined : run(content, file.span, "", "script-file");
}
