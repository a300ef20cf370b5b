/** Runs one program: by its kind, from builtins to interpreters. */

import { builtins } from "./builtins.ts";
import { runCommandProgram } from "./cmd.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { runGit } from "./git.ts";
import { editors, isInterpreter, runCodeOptions, runEditor, runInterpreter, runSed } from "./interpreters.ts";
import { runLauncher } from "./launch.ts";
import { launchers } from "./launchers.ts";
import { printed, textPrograms } from "./outputs.ts";
import { runPowerShellProgram } from "./powershell.ts";
import { runScriptFile, runShell, shellNames } from "./shells.ts";
import { runSpecial } from "./specials.ts";

/** Runs one program: notes it, and whatever it starts in its turn. */
export function runProgram(evaluation: Evaluation, call: Call): Output {
  const { program } = call;
  if (program === "") return runUnknown(evaluation, call);
  runCodeOptions(evaluation, call);
  const builtin = Object.hasOwn(builtins, program) ? builtins[program] : undefined;
  if (builtin !== undefined) return builtin(evaluation, call);
  if (shellNames.has(program)) return runShell(evaluation, call);
  if (program === "git" || program === "hub") return runGit(evaluation, call);
  const launcher = Object.hasOwn(launchers, program) ? launchers[program] : undefined;
  if (launcher !== undefined) {
    const launched = runLauncher(evaluation, call, launcher);
    if (launched !== undefined) return launched.output;
  }
  const special = runSpecial(evaluation, call);
  if (special !== undefined) return special.output;
  if (isInterpreter(program)) return runInterpreter(evaluation, call);
  if (/^(?:powershell|pwsh)(?:-preview)?$/i.test(program)) return runPowerShellProgram(evaluation, call);
  if (program === "cmd") return runCommandProgram(evaluation, call);
  if (editors.has(program)) return runEditor(evaluation, call);
  evaluation.emit(evaluation.invocation(call));
  if (program === "sed" || program === "gsed") runSed(evaluation, call);
  else if (call.word.isStatic && call.word.text.includes("/")) runScriptFile(evaluation, call);
  return printed(call);
}

function runUnknown(evaluation: Evaluation, call: Call): Output {
  const { word } = call;
  evaluation.emit(evaluation.invocation(call));
  const hidden = word.pieces.find((piece) => piece.kind === "unknown");
  if (hidden?.kind === "unknown") {
    const made = hidden.origin === "stdin" || hidden.origin === "limit" ||
      hidden.invocations?.some((one) => textPrograms.has(one.program)) === true;
    const typed = hidden.name !== undefined && hidden.origin === "variable";
    if (made && !typed) {
      evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
    }
  } else if (word.hasGlob && !word.text.startsWith("./")) {
    evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
  }
  return undefined;
}
