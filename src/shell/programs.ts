/** Runs one program: by its kind, from builtins to interpreters. */

import { runSubscripts } from "./expressions.ts";
import { part } from "../parts.ts";
import { builtins } from "./builtins.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { runGit } from "./git.ts";
import { editors, isInterpreter, runCodeOptions, runInterpreter } from "./interpreters.ts";
import { runLauncher } from "./launch.ts";
import { launchers } from "./launchers.ts";
import type { Word } from "./model.ts";
import { programName, risky } from "./names.ts";
import { nested } from "./nested.ts";
import { mayVanish } from "./pieces.ts";
import { mergeScope } from "./scope.ts";
import { printed, textPrograms } from "./outputs.ts";
import { readOrder, scriptRunners } from "./script_runners.ts";
import { runScriptFile, runShell, shellNames } from "./shells.ts";
import { runSpecial } from "./specials.ts";

/** The system's loader, which starts the program that it is given. */
const loader = { longValues: ["library-path", "preload", "audit", "argv0", "inhibit-rpath"] };

/** Runs one program: notes it, and whatever it starts in its turn. */
export function runProgram(evaluation: Evaluation, call: Call): Output {
  const { program } = call;
  if (program === "") return runUnknown(evaluation, call);
  runCodeOptions(evaluation, call);
  runSubscripts(evaluation, call);
  if (call.assignments.length > 0) part("hiddenCode").runVariables(evaluation, call);
  const builtin = Object.hasOwn(builtins, program) ? builtins[program] : undefined;
  if (builtin !== undefined) return builtin(evaluation, call);
  if (shellNames.has(program)) return runShell(evaluation, call);
  if (program === "git" || program === "hub") return runGit(evaluation, call);
  const runner = Object.hasOwn(scriptRunners, program) ? scriptRunners[program] : undefined;
  const order = runner === undefined ? undefined : readOrder(runner, call.args);
  if (order !== undefined) part("projectScripts").runScripts(evaluation, call, runner!, order);
  const launcher = Object.hasOwn(launchers, program)
    ? launchers[program]
    : /^ld(?:-linux|-musl|\.so|-\d)/.test(program)
    ? loader
    : undefined;
  if (launcher !== undefined) {
    const launched = runLauncher(evaluation, call, launcher);
    if (launched !== undefined) return launched.output;
  }
  const special = runSpecial(evaluation, call);
  if (special !== undefined) return special.output;
  if (isInterpreter(program)) return runInterpreter(evaluation, call);
  if (/^(?:powershell|pwsh)(?:-preview)?$/i.test(program)) {
    return part("powershell").runPowerShellProgram(evaluation, call);
  }
  if (program === "cmd") return part("cmd").runCommandProgram(evaluation, call);
  if (editors.has(program)) return part("editors").runEditor(evaluation, call);
  evaluation.emit(evaluation.invocation(call));
  if (runOwnCode(evaluation, call)) return printed(call);
  const words = launched(evaluation, call);
  if (words !== undefined) {
    const { assignments, redirections, span, scope } = call;
    return evaluation.runWords(
      words,
      assignments,
      redirections,
      span,
      scope,
      nested(call, "wrapper", program),
    );
  }
  if (call.word.isStatic && call.word.text.includes("/")) runScriptFile(evaluation, call);
  return printed(call);
}

/** Lisps that run code given on their command line. */
const lisp =
  /^(?:emacs(?:client)?|guile|racket|sbcl|clisp|ecl|ccl|abcl|clojure|clj|bb|scheme|csi|chez|janet|fennel|hy)$/;

const tcl = /^(?:tclsh|wish|expect|jimsh)[0-9.]*$/;

/** Follows the code of a program that has a language of its own; false for any other program. */
function runOwnCode(evaluation: Evaluation, call: Call): boolean {
  const { program } = call;
  if (program === "sed" || program === "gsed") part("sed").runSed(evaluation, call);
  else if (program === "make" || program === "gmake") part("hiddenCode").runMake(evaluation, call);
  else if (lisp.test(program)) part("hiddenCode").runLisp(evaluation, call);
  else if (tcl.test(program)) part("hiddenCode").runTcl(evaluation, call);
  else return false;
  return true;
}

/**
 * Programs that only speak about a program named to them, or take such names as words like any others. Whatever
 * a rule or the table of paths knows need not be here: see `UnderstandOptions.isKnown`.
 */
const speaking: ReadonlySet<string> = new Set(
  ("man which whereis type whatis apropos info help tldr cheat howto rehash complete compdef compopt bind fc " +
    "say notify-send test [ [[ expr let seq basename dirname realpath readlink ag ack fzf hash pgrep pidof return exit " +
    "readonly true false : wait shift ulimit umask unalias gcc clang ccache bat view code subl open xdg-open " +
    "whoami uname id tree pytest eslint prettier tsc jest vitest cmake ruff mypy black")
    .split(" "),
);

/** Programs whose names do not occur as subcommands of others. */
const unmistakable: ReadonlySet<string> = new Set(["rm", "git", "sh", "bash", "zsh", "find", "dd", "shred"]);

/** Subcommands that say that what follows is run. */
const starting: ReadonlySet<string> = new Set(
  "run exec proxy start spawn launch wrap record profile trace".split(" "),
);

/**
 * What a program that is not known seems to start: a program with arguments, behind options, or behind a
 * subcommand that says so.
 */
function launched(evaluation: Evaluation, { program, args }: Call): readonly Word[] | undefined {
  const skip = (from: number) => {
    let at = from;
    while (args[at]?.isStatic === true && /^-./.test(args[at]!.text)) at++;
    return at;
  };
  const first = skip(0);
  const says = args[first]?.isStatic === true && starting.has(args[first].text);
  // What stands behind `--` is often a command.
  const dashes = args.findIndex(({ text }) => text === "--") + 1;
  const behind = dashes > 0 && args[dashes]?.isStatic === true &&
    unmistakable.has(programName(args[dashes]!));
  const at = behind ? dashes : says ? skip(first + 1) : first;
  const word = args[at];
  if (word?.isStatic !== true || at + 1 >= args.length) return undefined;
  if (!says && !unmistakable.has(programName(word))) return undefined;
  const known = speaking.has(program) || textPrograms.has(program) || program.startsWith("-") ||
    Object.hasOwn(launchers, program) ||
    evaluation.options.isKnown?.(program) === true;
  return known ? undefined : args.slice(at);
}

/** True when the name of a program that is known to do harm, or to start others, can begin or end so. */
function mayBe(text: string, where: "start" | "end"): boolean {
  for (const names of [risky, shellNames, Object.keys(launchers)]) {
    for (const name of names) {
      if (where === "start" ? name.startsWith(text) : name.endsWith(text)) return true;
    }
  }
  return text.includes("/");
}

/** True for a program started with a value that stays one word: no blank or sign in it counts. */
function keepsWords({ via }: Call["frame"]): boolean {
  const last = via.at(-1);
  return last === "parallel" || last === "xargs" || last?.startsWith("find ") === true;
}

function runUnknown(evaluation: Evaluation, call: Call): Output {
  const { word } = call;
  evaluation.emit(evaluation.invocation(call));
  const first = word.pieces[0];
  const last = word.pieces.at(-1);
  const harmless = (first?.kind === "text" && !mayBe(first.text, "start")) ||
    (last?.kind === "text" && keepsWords(call.frame) && !mayBe(last.text, "end"));
  const hidden = word.pieces.find((piece) => piece.kind === "unknown");
  if (hidden?.kind === "unknown") {
    const made = hidden.origin === "stdin" || hidden.origin === "limit" ||
      hidden.invocations?.some((one) => textPrograms.has(one.program)) === true;
    const typed = hidden.name !== undefined && hidden.origin === "variable";
    if (made && !typed && !harmless) {
      evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
    }
    runWithout(evaluation, call);
  } else if (word.hasGlob && !harmless && !word.text.startsWith("./")) {
    evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
  }
  return undefined;
}

/** `$SUDO rm x`: with an empty variable what follows is the command, and with another one it may be started too. */
function runWithout(evaluation: Evaluation, call: Call): void {
  const { word, args, assignments, redirections, span, scope } = call;
  const [first] = args;
  const vanishes = mayVanish(word) && first?.isStatic === true && /^[^-]/.test(first.text);
  const words = vanishes ? args : launched(evaluation, call);
  if (words === undefined) return;
  const branch = evaluation.fork(scope);
  const frame = nested(call, "wrapper", word.text);
  evaluation.runWords(words, assignments, redirections, span, branch, frame);
  mergeScope(scope, branch);
}
