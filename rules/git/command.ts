/** Reads a git command line the way git does: global options, inline aliases, settings, the subcommand. */

import type { Assignment, Invocation, Understanding, Word } from "../../src/shell/model.ts";
import type { Context, GitFacts } from "../../src/types.ts";
import { isAbsolute, isWithin, normalise, parentOf } from "../../src/paths/normal.ts";
import { dropStart, staticWord } from "../../src/words.ts";
import { matchesGlob } from "../../src/paths/glob.ts";
import { parseArguments } from "../options.ts";

/** A configuration value given for one run: `-c`, `--config-env`, `GIT_CONFIG_KEY_n`. */
export interface Setting {
  /** Lower case; `section.subsection.key`. */
  readonly name: string;
  /** Undefined for `--config-env`, whose value is not on the command line. */
  readonly value: Word | undefined;
}

export interface GitCommand {
  readonly invocation: Invocation;
  /** Subcommand with aliases of this command line written out; `!` for an alias that is a shell command. */
  readonly verb: string;
  /** Arguments of the subcommand. */
  readonly args: readonly Word[];
  readonly settings: readonly Setting[];
  /** What the line puts into its environment, exports of earlier commands included. */
  readonly environment: readonly Assignment[];
  /** `--exec-path=…`, from which git takes its own programs. */
  readonly execPath: Word | undefined;
  /** Absolute directories in which it may run, in normal form; undefined stands for one that is not known. */
  readonly directories: readonly (string | undefined)[];
  /** The repository is named apart from the directory (`--git-dir`, `GIT_DIR`, `--work-tree`). */
  readonly detached: boolean;
}

const globals = {
  values: [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
    "--super-prefix",
    "--attr-source",
    "--list-cmds",
  ],
  attached: ["--exec-path"],
  stopAtOperand: true,
} as const;

/** Programs of git that can also be started by their own name. */
export const gitPrograms = [
  "git",
  "git-branch",
  "git-checkout",
  "git-clean",
  "git-config",
  "git-filter-branch",
  "git-filter-repo",
  "git-gc",
  "git-prune",
  "git-push",
  "git-reflog",
  "git-reset",
  "git-restore",
  "git-stash",
  "git-switch",
  "git-update-ref",
  "git-worktree",
] as const;

const cache = new WeakMap<Understanding, readonly GitCommand[]>();

/** All git commands of a line in the order in which they run. */
export function gitCommands(understanding: Understanding, context: Context): readonly GitCommand[] {
  let commands = cache.get(understanding);
  if (commands === undefined) {
    const exported: Assignment[] = [];
    commands = understanding.invocations.flatMap((one) => {
      exported.push(...exportsOf(one));
      return gitCommand(one, context, exported) ?? [];
    });
    cache.set(understanding, commands);
  }
  return commands;
}

/** Undefined for another program and for git without a subcommand. */
function gitCommand(
  invocation: Invocation,
  context: Context,
  exported: readonly Assignment[],
): GitCommand | undefined {
  const { program } = invocation;
  if (program !== "git" && !program.startsWith("git-")) return undefined;
  const args = program === "git"
    ? invocation.args
    : [staticWord(program.slice("git-".length), invocation.word.span), ...invocation.args];
  const parsed = parseArguments(args, globals);
  const environment = [...exported, ...invocation.assignments];
  const settings: Setting[] = environmentSettings(environment);
  let { directories, detached } = startDirectories(invocation);
  for (const option of parsed.options) {
    const value = option.value;
    if (value === undefined) continue;
    if (option.name === "-C") {
      directories = directories.map((one) => change(one, value, context));
    } else if (option.name === "-c") {
      settings.push(settingOf(value));
    } else if (option.name === "--config-env") {
      settings.push({ ...settingOf(value), value: undefined });
    }
  }
  const gitDirectory = parsed.value("--git-dir") ?? assigned(environment, "GIT_DIR");
  const workTree = parsed.value("--work-tree") ?? assigned(environment, "GIT_WORK_TREE");
  if (gitDirectory !== undefined || workTree !== undefined) {
    const trees = workTree === undefined
      ? directories
      : directories.map((one) => change(one, workTree, context));
    // A repository in its usual place inside the work tree is what git would find by itself.
    detached = gitDirectory === undefined || !trees.every((tree, index) => {
      const at = change(directories[index], gitDirectory, context);
      return tree !== undefined && at !== undefined && at.endsWith("/.git") && parentOf(at) === tree;
    });
    directories = trees;
  }
  const verbWord = parsed.operands[0];
  if (verbWord === undefined) return undefined;
  let verb = verbWord.text;
  let rest = parsed.operands.slice(1);
  for (let depth = 0; depth < 8; depth++) {
    const alias = settings.find((setting) => setting.name === `alias.${verb.toLowerCase()}`);
    if (alias === undefined) break;
    const text = alias.value?.isStatic ? alias.value.text.trim() : undefined;
    if (text === undefined || text.startsWith("!")) {
      verb = "!";
      break;
    }
    const [first = "", ...words] = splitAlias(text);
    verb = first;
    rest = [...words.map((word) => staticWord(word, alias.value?.span)), ...rest];
  }
  return {
    invocation,
    verb,
    args: rest,
    settings,
    environment,
    execPath: parsed.value("--exec-path") ?? assigned(environment, "GIT_EXEC_PATH"),
    directories,
    detached,
  };
}

/** Variables that `export NAME=value` hands to the commands after it. */
function exportsOf(invocation: Invocation): readonly Assignment[] {
  const { program, args } = invocation;
  const exports = program === "export" ||
    (/^(?:declare|typeset)$/.test(program) && args.some((word) => /^-[a-z]*x/.test(word.text)));
  if (!exports) return [];
  return args.flatMap((word) => {
    const name = /^([A-Za-z_]\w*)=/.exec(word.text)?.[1];
    return name === undefined ? [] : [{ name, value: dropStart(word, name.length + 1) }];
  });
}

/** Value of a variable; the last assignment counts. */
function assigned(environment: readonly Assignment[], name: string): Word | undefined {
  return environment.findLast((one) => one.name === name)?.value;
}

function startDirectories(invocation: Invocation): Pick<GitCommand, "directories" | "detached"> {
  if (invocation.remote !== undefined) return { directories: [undefined], detached: true };
  const { path, certain, alternatives = [] } = invocation.directory;
  return { directories: certain ? [path] : [path, ...alternatives], detached: false };
}

function change(directory: string | undefined, word: Word, context: Context): string | undefined {
  if (!word.isStatic) return undefined;
  if (word.text === "") return directory;
  const text = word.text === "~" || word.text.startsWith("~/")
    ? context.home + word.text.slice(1)
    : word.text;
  const style = { windows: context.windows };
  if (isAbsolute(text, style)) return normalise(text, "/", style);
  return directory === undefined ? undefined : normalise(text, normalise(directory, "/", style), style);
}

/** `name=value` of `-c`; a name alone means true. */
export function settingOf(word: Word): Setting {
  const equals = word.text.indexOf("=");
  if (equals < 0) return { name: word.text.toLowerCase(), value: staticWord("true", word.span) };
  return { name: word.text.slice(0, equals).toLowerCase(), value: dropStart(word, equals + 1) };
}

function environmentSettings(environment: readonly Assignment[]): Setting[] {
  const settings: Setting[] = [];
  for (const { name, value } of environment) {
    if (!name.startsWith("GIT_CONFIG_KEY_")) continue;
    const index = name.slice("GIT_CONFIG_KEY_".length);
    settings.push({
      name: value.text.toLowerCase(),
      value: assigned(environment, `GIT_CONFIG_VALUE_${index}`),
    });
  }
  return settings;
}

/** Words of an alias: git splits at blanks and knows quotes and backslashes. */
function splitAlias(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) {
      quote = char;
      word ??= "";
    } else if (char === "\\" && quote !== "'" && at + 1 < text.length) word = (word ?? "") + text[++at];
    else if (quote === "" && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/**
 * The repositories that a command may work on; undefined stands for one whose state is not known. Never empty.
 */
export function repositories(command: GitCommand, context: Context): readonly (GitFacts | undefined)[] {
  if (command.detached) return [undefined];
  return command.directories.map((one) => one === undefined ? undefined : context.facts.git(one));
}

/** Files of a repository (relative to its root) that pathspecs select; an unknown pathspec selects all. */
export function selected(
  names: readonly string[],
  pathspecs: readonly Word[],
  directory: string,
  root: string,
  context: Context,
): readonly string[] {
  const style = { windows: context.windows };
  const top = normalise(root, "/", style);
  const real = normalise(context.facts.realPath(directory), "/", style);
  const base = isWithin(real, top) ? real : normalise(directory, "/", style);
  if (pathspecs.length > 200) return names;
  const tests: ((path: string) => boolean)[] = [];
  for (const word of pathspecs) {
    const { text } = word;
    if (/^:[!^]|^:\([^)]*exclude/.test(text)) continue;
    if (word.pieces.some((piece) => piece.kind === "unknown") || text.startsWith(":(")) return names;
    const fromTop = text.startsWith(":/");
    const path = fromTop ? text.slice(2) : text;
    if (fromTop && path === "") return names;
    const full = normalise(path, fromTop ? top : base, style);
    if (/[*?[]/.test(path)) tests.push((candidate) => matchesGlob(candidate, full, { slashes: true }));
    tests.push((candidate) => isWithin(candidate, full) || isWithin(full, candidate));
  }
  if (tests.length === 0) return names;
  return names.filter((name) => {
    const full = normalise(name, top, style);
    return tests.some((test) => test(full));
  });
}
