/** Runs one program: by its kind, from builtins to interpreters. */

import { part } from "../parts.ts";
import { builtins } from "./builtins.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { runGit } from "./git.ts";
import { editors, isInterpreter, runCodeOptions, runInterpreter } from "./interpreters.ts";
import { runLauncher } from "./launch.ts";
import { launchers } from "./launchers.ts";
import { risky } from "./names.ts";
import { nested } from "./nested.ts";
import { printed, textPrograms } from "./outputs.ts";
import { runScriptFile, runShell, shellNames } from "./shells.ts";
import { runSpecial } from "./specials.ts";

/** The system's loader, which starts the program that it is given. */
const loader = { longValues: ["library-path", "preload", "audit", "argv0", "inhibit-rpath"] };

/** Runs one program: notes it, and whatever it starts in its turn. */
export function runProgram(evaluation: Evaluation, call: Call): Output {
  const { program } = call;
  if (program === "") return runUnknown(evaluation, call);
  runCodeOptions(evaluation, call);
  if (call.assignments.length > 0) part("hiddenCode").runVariables(evaluation, call);
  const builtin = Object.hasOwn(builtins, program) ? builtins[program] : undefined;
  if (builtin !== undefined) return builtin(evaluation, call);
  if (shellNames.has(program)) return runShell(evaluation, call);
  if (program === "git" || program === "hub") return runGit(evaluation, call);
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
  if (program === "sed" || program === "gsed") part("sed").runSed(evaluation, call);
  else if (program === "make" || program === "gmake") part("hiddenCode").runMake(evaluation, call);
  else if (/^emacs(?:client)?$/.test(program)) part("hiddenCode").runLisp(evaluation, call);
  else if (mayLaunch(call)) {
    const { args, assignments, redirections, span, scope } = call;
    return evaluation.runWords(
      args,
      assignments,
      redirections,
      span,
      scope,
      nested(call, "wrapper", program),
    );
  } else if (call.word.isStatic && call.word.text.includes("/")) runScriptFile(evaluation, call);
  return printed(call);
}

/** Programs that only speak about a program named to them, or take such names as words like any others. */
const speaking: ReadonlySet<string> = new Set(
  ("man which whereis type whatis apropos info help tldr cheat howto hash rehash complete compdef compopt bind history fc " +
    "echo printf print logger say notify-send test [ [[ expr let seq basename dirname realpath readlink ls cat head tail wc " +
    "sort uniq cut tr less more most bat view grep egrep fgrep rg ag ack jq yq fzf diff cmp stat file du df touch mkdir rmdir cp mv ln rm chmod chown " +
    "chgrp tar zip unzip gzip tee brew port apt apt-get aptitude dnf yum pacman apk zypper snap flatpak choco scoop winget pip " +
    "pip3 pipx gem go cargo composer nix-env guix gh glab code subl open xdg-open pgrep pkill killall kill ps pidof return exit " +
    "exec local declare typeset readonly export unset true false : wait sleep trap shift set shopt ulimit umask alias unalias")
    .split(" "),
);

/** Programs whose names do not occur as subcommands of others. */
const unmistakable: ReadonlySet<string> = new Set(["rm", "git", "sh", "bash", "zsh", "find", "dd", "shred"]);

/** True for a program that is not known and is given what looks like a command with arguments: it may run it. */
function mayLaunch({ program, args }: Call): boolean {
  const [first] = args;
  return first?.isStatic === true && args.length > 1 && unmistakable.has(first.text) &&
    !speaking.has(program) &&
    !program.startsWith("-") && !Object.hasOwn(launchers, program);
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
  } else if (word.hasGlob && !harmless && !word.text.startsWith("./")) {
    evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
  }
  return undefined;
}
