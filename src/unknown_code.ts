/** Commands that hand something unknown to a shell or an interpreter as its program. */

import type { Doubt, Invocation, Understanding, Word } from "./shell/model.ts";
import { literalStart } from "./words.ts";

const shells: ReadonlySet<string> = new Set("sh bash dash zsh ksh mksh ash fish".split(" "));
const interpreters: ReadonlySet<string> = new Set(
  "python python3 node nodejs perl ruby php lua awk gawk mawk".split(" "),
);

/** Options of these programs that are followed by a value, which is no code. */
const valued =
  /^(?:-[oOWX]|\+[oO]|--(?:rcfile|init-file|title|conditions|input-type|env-file|watch-path|stack-trace-limit|disable-warning))$/;

/** Options that give the code itself, or only check it. */
const coded =
  /^-[a-zA-Z]*[cen]$|^-[a-zA-Z]*[ceEmrpfFv]|^--(?:eval|print|command|version|help|check|test|file)/;

/** Doubts about every program of a command that gets its own code from somewhere unknown. */
export function unknownCode({ invocations }: Understanding): readonly Doubt[] {
  const doubts: Doubt[] = [];
  for (const invocation of invocations) {
    const message = problem(invocation);
    if (message === undefined) continue;
    const { word, span, program } = invocation;
    const at = word.span.end > word.span.start ? word.span : span;
    doubts.push({ reason: program === "" ? "unknown-program" : "unknown-code", message, span: at });
  }
  return doubts;
}

function problem(invocation: Invocation): string | undefined {
  const { program, word, args, dialect, moreArguments } = invocation;
  if (dialect !== "posix") return undefined;
  if (shells.has(program)) return script(invocation);
  if (program === "source" || program === ".") {
    const operands = args.filter((one, index) =>
      one.text !== "--" && one.text !== "-p" && args[index - 1]?.text !== "-p"
    );
    return operands[0] !== undefined && isHidden(operands[0])
      ? `which file ${operands[0].text} names, and what it runs, cannot be told`
      : undefined;
  }
  const fed = isFed(invocation);
  if (fed && interpreters.has(program)) return script(invocation);
  if (fed && program === "git") return gitVerb(args) ?? (moreArguments ? gitMore(args) : undefined);
  if (fed && program === "find" && moreArguments) {
    return "what else find is told cannot be known; it could delete or start programs";
  }
  if (
    program === "parallel" && args.every((one) => one.text.startsWith("-")) && invocation.stdin === undefined
  ) {
    return args.some((one) => /^--(?:version|help|citation|dry-run)$/.test(one.text))
      ? undefined
      : "parallel would run its input, which cannot be told, as commands";
  }
  if (program === "" && !word.isStatic && (fed || invocation.via.at(-1)?.endsWith(" -c") === true)) {
    return isHidden(word) && args.every(isHidden)
      ? `which program ${word.text} starts cannot be told`
      : undefined;
  }
  // No program has such a name: what was meant as a command with arguments, or as a setting, was quoted.
  const unnamed = /^[^/\\]*[\s;|&<>][^/\\]*$/.test(word.text) ||
    (invocation.via.length === 0 && /^[^/\\\s;|&<>]*[\s;|&<>=]/.test(word.text));
  if (word.isStatic && unnamed && invocation.provenance !== "alias") {
    return `${JSON.stringify(word.text.slice(0, 60))} is no name of a program`;
  }
  return undefined;
}

/** True when xargs or parallel hand words to it that are not in the command. */
function isFed({ via }: Invocation): boolean {
  return via.some((one) => one === "xargs" || one === "parallel");
}

/** True for a word of which nothing is known, that the command line itself does not explain. */
function isHidden({ pieces }: Word): boolean {
  return pieces.length > 0 &&
    pieces.every((piece) =>
      piece.kind === "unknown" &&
      (piece.origin === "variable" || piece.origin === "positional" || piece.origin === "stdin")
    );
}

/** A script of which not even the name is known. */
function script(invocation: Invocation): string | undefined {
  const { program, args, moreArguments } = invocation;
  const fed = isFed(invocation);
  const words = program.endsWith("awk");
  // `-s` reads standard input, which is followed elsewhere.
  if (shells.has(program) && args.some((word) => /^-[a-z]*s/.test(word.text))) return undefined;
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    if (word.text === "--" || word.text === "-") continue;
    if (word.isStatic && valued.test(word.text)) {
      index++;
      continue;
    }
    if (word.isStatic && /^[-+]/.test(word.text)) {
      if (shells.has(program) && /^[-+][oO]./.test(word.text)) continue;
      if (!coded.test(word.text)) continue;
      const value = args[index + 1];
      // `-c` alone at the end, or a module or file that is handed over.
      if (
        value === undefined
          ? moreArguments && /[ce]$/.test(word.text)
          : fed && isHidden(value) && /[mrf]$/.test(word.text)
      ) {
        return `what ${program} runs is handed to it and cannot be told`;
      }
      return undefined;
    }
    if (!isHidden(word)) {
      // An option of which a part is unknown can be any.
      return fed && !word.isStatic && word.text.startsWith("-")
        ? `which option ${word.text} gives to ${program} cannot be told`
        : undefined;
    }
    // What find found, and files of a loop, are files of the project; what find itself is handed may be any.
    const found = !fed && invocation.via.some((one) => one.startsWith("find "));
    return found && word.pieces.every((piece) => piece.kind === "unknown" && piece.origin === "stdin")
      ? undefined
      : `which ${words ? "program text" : "script"} ${word.text} names cannot be told`;
  }
  return fed && moreArguments ? `what ${program} runs is handed to it and cannot be told` : undefined;
}

/** Subcommands whose next word decides whether work is lost. */
const deciding: ReadonlySet<string> = new Set(["reset", "stash", "worktree", "reflog", "clean"]);

/** Subcommands that one more option, or one more name, makes lose work. */
const turning: ReadonlySet<string> = new Set([
  "push",
  "reset",
  "clean",
  "checkout",
  "restore",
  "stash",
  "worktree",
  "reflog",
]);

/** What more words, which are not in the command, can do to a git command. */
function gitMore(args: readonly Word[]): string | undefined {
  let index = 0;
  while (args[index]?.text.startsWith("-") === true) {
    index += /^(?:-[Cc]|--git-dir|--work-tree|--namespace)$/.test(args[index]!.text) ? 2 : 1;
  }
  const verb = args[index]?.text;
  if (verb === undefined) return "which command of git is meant cannot be told";
  // Behind `--` there are only names.
  const named = args.some((word) => word.text === "--") &&
    (verb === "push" || verb === "clean" || verb === "reset");
  return turning.has(verb) && !named ? `what else git ${verb} is told cannot be known` : undefined;
}

function gitVerb(args: readonly Word[]): string | undefined {
  const [verb, next] = args;
  if (verb !== undefined && isHidden(verb)) return `which command of git ${verb.text} is cannot be told`;
  const option = args.find((word) => !word.isStatic && /^-[^=]*$|^--config-env=/.test(literalStart(word))) ??
    args.find((word, index) => args[index - 1]?.text === "-c" && isHidden(word));
  if (option !== undefined) return `which option ${option.text} gives to git cannot be told`;
  return verb !== undefined && deciding.has(verb.text) && next !== undefined && isHidden(next)
    ? `what git ${verb.text} ${next.text} does cannot be told`
    : undefined;
}
