/** Throwing away uncommitted work and commits: reset, checkout, restore, switch, clean. */

import type { Word } from "../../src/shell/model.ts";
import type { Context, GitFacts, Match } from "../../src/types.ts";
import { isDatabase, secretOf } from "../../src/paths/secret.ts";
import { isBuildName, isScratchName } from "../../src/paths/place.ts";
import { matchesGlob } from "../../src/paths/glob.ts";
import { normalise } from "../../src/paths/normal.ts";
import { staticWord } from "../../src/words.ts";
import { isOn, type OptionSpec, parseArguments, type ParsedArguments } from "../options.ts";
import { type GitCommand, selected } from "./command.ts";
import { gitRule, nameFiles, type World } from "./rule.ts";

const commonLong = [
  "--quiet",
  "--progress",
  "--patch",
  "--no-patch",
  "--pathspec-file-nul",
  "--recurse-submodules",
];

const specs = {
  reset: {
    values: ["--pathspec-from-file"],
    long: [
      ...commonLong,
      "--mixed",
      "--soft",
      "--hard",
      "--merge",
      "--keep",
      "--no-refresh",
      "--intent-to-add",
    ],
  },
  checkout: {
    values: [
      "-b",
      "-B",
      "--orphan",
      "--conflict",
      "--pathspec-from-file",
      "-U",
      "--unified",
      "--inter-hunk-context",
    ],
    attached: ["--track"],
    long: [
      ...commonLong,
      "--force",
      "--ours",
      "--theirs",
      "--merge",
      "--detach",
      "--guess",
      "--overlay",
      "--no-overlay",
      "--no-track",
      "--ignore-skip-worktree-bits",
      "--ignore-other-worktrees",
      "--overwrite-ignore",
    ],
  },
  restore: {
    values: [
      "-s",
      "--source",
      "--conflict",
      "--pathspec-from-file",
      "-U",
      "--unified",
      "--inter-hunk-context",
    ],
    long: [
      ...commonLong,
      "--staged",
      "--worktree",
      "--ours",
      "--theirs",
      "--merge",
      "--overlay",
      "--no-overlay",
      "--ignore-unmerged",
      "--ignore-skip-worktree-bits",
    ],
  },
  switch: {
    values: ["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"],
    attached: ["--track"],
    long: [
      ...commonLong,
      "--force",
      "--discard-changes",
      "--merge",
      "--detach",
      "--guess",
      "--no-track",
      "--ignore-other-worktrees",
    ],
  },
  rm: {
    values: ["--pathspec-from-file"],
    long: [
      ...commonLong,
      "--force",
      "--cached",
      "--dry-run",
      "--ignore-unmatch",
      "--sparse",
      "--no-cached",
      "--no-dry-run",
    ],
  },
  clean: {
    values: ["-e", "--exclude"],
    long: ["--force", "--interactive", "--dry-run", "--no-dry-run", "--quiet"],
  },
} as const satisfies Record<string, OptionSpec>;

/** What a command throws away. */
interface Discard {
  /** Files whose changes go, of one repository; undefined when that cannot be told. */
  files(facts: GitFacts, directory: string): readonly string[] | undefined;
  /** Revision to which the branch is moved: commits that it lacks drop out. */
  readonly target?: Word | "HEAD";
}

/** Every uncommitted change. */
const everything: Discard = { files: (facts) => facts.modified() };

function discardOf(command: GitCommand, world: World): Discard | undefined {
  const { args } = command;
  if (asksForHelp(args)) return undefined;
  switch (command.verb) {
    case "reset": {
      const parsed = parseArguments(args, specs.reset);
      if (!parsed.has("--hard", "--merge")) return undefined;
      return { ...everything, target: parsed.operands[0] ?? "HEAD" };
    }
    case "checkout":
      return checkout(args, command, world);
    case "restore": {
      const parsed = parseArguments(args, specs.restore);
      const worktree = parsed.has("-W", "--worktree") || !parsed.has("-S", "--staged");
      if (!worktree || parsed.has("--no-worktree")) return undefined;
      if (parsed.has("--pathspec-from-file")) return everything;
      // With `-p` it goes through all files, and what answers it can be piped in.
      if (parsed.operands.length === 0) return isOn(parsed, "-p", "--patch") ? everything : undefined;
      return paths(parsed, parsed.operands, world.context);
    }
    case "switch": {
      const parsed = parseArguments(args, specs.switch);
      return parsed.has("-f", "--force", "--discard-changes") ? everything : undefined;
    }
    case "read-tree": {
      const parsed = parseArguments(args, { values: ["--prefix", "--index-output"] });
      return parsed.has("--reset") && parsed.has("-u") && !parsed.has("-n", "--dry-run")
        ? everything
        : undefined;
    }
    case "checkout-index": {
      const parsed = parseArguments(args, { values: ["--prefix", "--stage"] });
      return parsed.has("-f", "--force") && parsed.value("--prefix") === undefined ? everything : undefined;
    }
    case "rm": {
      const parsed = parseArguments(args, specs.rm);
      // Without -f git refuses to remove what differs from the last commit.
      if (!isOn(parsed, "-f", "--force") || isOn(parsed, "--cached") || isOn(parsed, "-n", "--dry-run")) {
        return undefined;
      }
      return parsed.has("--pathspec-from-file") ? everything : paths(parsed, parsed.operands, world.context);
    }
    case "submodule": {
      const parsed = parseArguments(args);
      const verb = parsed.operands[0]?.text;
      // What is modified inside the submodules is not looked at.
      return (verb === "update" || verb === "deinit") && parsed.has("-f", "--force")
        ? { files: () => undefined }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** With one of these git prints how the command is used, and does nothing. */
function asksForHelp(args: readonly Word[]): boolean {
  for (const word of args) {
    if (!word.isStatic || word.text === "--") return false;
    // None of these commands has a version: git then only says so.
    if (word.text === "-h" || word.text === "--help" || word.text === "--version") return true;
  }
  return false;
}

function checkout(args: readonly Word[], command: GitCommand, world: World): Discard | undefined {
  const dashes = args.findIndex((word) => word.isStatic && word.text === "--");
  const parsed = parseArguments(dashes < 0 ? args : args.slice(0, dashes), specs.checkout);
  const forced = parsed.has("-f", "--force") ? everything : undefined;
  if (parsed.has("-b", "-B", "--orphan")) return forced;
  if (parsed.has("--pathspec-from-file")) return everything;
  const after = dashes < 0 ? [] : args.slice(dashes + 1);
  // Git refuses to set up tracking and to take files at once.
  if (parsed.has("-t", "--track") && (dashes >= 0 || parsed.operands.length > 1)) return forced;
  if (isOn(parsed, "-p", "--patch") && parsed.operands.length + after.length === 0) return everything;
  const named = dashes < 0 ? pathOperands(parsed.operands, command, world) : after;
  return named.length > 0 ? paths(parsed, named, world.context) : forced;
}

/** Which operands of a checkout without `--` are paths: git takes the first for a revision if it is one. */
function pathOperands(operands: readonly Word[], command: GitCommand, world: World): readonly Word[] {
  const [first, ...rest] = operands;
  if (first === undefined) return [];
  if (isPath(first, command, world)) return operands;
  return rest;
}

function isPath(word: Word, command: GitCommand, world: World): boolean {
  const { text } = word;
  if (word.hasGlob) return true;
  if (!word.isStatic) return false;
  if (/^(?:\.{1,2}(?:\/|$)|:[/(]|\/|~)|\/$/.test(text)) return true;
  let certain = command.directories.length > 0;
  for (const directory of command.directories) {
    if (directory === undefined || command.detached) {
      certain = false;
      continue;
    }
    const style = { windows: world.context.windows };
    const path = normalise(text, normalise(directory, "/", style), style);
    const kind = world.context.facts.kind(path);
    // A name that is both a revision and a file is refused by git.
    if (kind !== undefined && kind !== "missing") return true;
    if (kind === undefined || world.context.facts.git(directory) === undefined) certain = false;
  }
  // Looks like a file; `2.x` is how branches are named.
  return !certain && /[^./]\.[A-Za-z]{1,5}$/.test(text) && !/\d\.x$/i.test(text);
}

function paths(parsed: ParsedArguments, operands: readonly Word[], context: Context): Discard {
  // Choosing a side of a conflict is how conflicts are resolved; the markers are no work.
  const chooses = parsed.has("--ours", "--theirs", "-m", "--merge", "--conflict");
  return {
    files(facts, directory) {
      const modified = facts.modified();
      if (modified === undefined) return undefined;
      const conflicted = chooses ? facts.conflicted() ?? [] : [];
      const names = conflicted.length > 0 ? modified.filter((name) => !conflicted.includes(name)) : modified;
      return selected(names, operands, directory, facts.root, context);
    },
  };
}

export const discardChanges = gitRule({
  id: "git/discard-changes",
  title: "Throwing away uncommitted changes",
  severity: "high",
  decision: "ask",
  rationale:
    "Changes that were never committed have no copy: after reset --hard, a forced checkout or a restore of files nobody can bring them back, not even from the reflog.",
  advice:
    "Keep the work first: `git stash push -u` or a commit on a branch of its own; look at `git status` and `git diff`.",
  examples: {
    match: [
      { action: "git reset --hard", decision: "ask" },
      {
        action: "git reset --hard HEAD",
        decision: "ask",
        facts: { git: { branch: "topic", modified: ["src/a.ts"], ahead: 0 } },
      },
      { action: "git fetch && git reset -q --hard origin/main", decision: "ask" },
      {
        action: "git reset --hard HEAD~2",
        decision: "ask",
        facts: { git: { branch: "topic", modified: [], ahead: 2 } },
      },
      { action: "git checkout -- .", decision: "ask" },
      { action: "git checkout origin/topic -- src", decision: "ask" },
      { action: "git checkout -f main", decision: "ask" },
      { action: "git restore .", decision: "ask" },
      { action: "git restore --source=HEAD~3 -SW lib", decision: "ask" },
      { action: "git switch --discard-changes main", decision: "ask" },
      { action: "git -C ../other -c core.abbrev=12 reset --har", decision: "ask" },
      { action: "git -c alias.undo='reset --hard' undo", decision: "ask" },
      {
        action: "git rm -rf src",
        decision: "ask",
        facts: { git: { modified: ["src/a.ts"], tracked: ["src/a.ts"] } },
      },
      {
        action: "git checkout src/a.ts",
        decision: "ask",
        facts: { git: { modified: ["src/a.ts", "src/b.ts"] } },
      },
    ],
    pass: [
      {
        action: "git reset --hard HEAD",
        decision: "none",
        facts: { git: { branch: "topic", modified: [], ahead: 0 } },
      },
      {
        action: "git reset --hard origin/topic",
        decision: "none",
        facts: { git: { branch: "topic", modified: [], ahead: 0 } },
      },
      { action: "git reset --soft HEAD~1" },
      { action: "git reset HEAD src/a.ts" },
      { action: "git restore --staged ." },
      { action: "git checkout -b fix/force-reset" },
      { action: "git switch main" },
      { action: "git restore --help" },
      {
        action: "git rm -f src/a.ts",
        facts: { git: { modified: ["src/b.ts"], tracked: ["src/a.ts", "src/b.ts"] } },
      },
      { action: "git rm -rf --cached ." },
      {
        action: "git checkout -- src/a.ts",
        decision: "none",
        facts: { git: { modified: ["src/b.ts"], tracked: ["src/a.ts", "src/b.ts"] } },
      },
      {
        action: "git checkout --theirs package-lock.json",
        decision: "none",
        facts: { git: { modified: ["package-lock.json"], conflicted: ["package-lock.json"] } },
      },
      { action: 'git commit -m "never run git reset --hard"' },
      { action: "git merge --abort" },
      { action: "git stash pop" },
    ],
  },
  references: ["https://git-scm.com/docs/git-reset", "https://git-scm.com/docs/git-checkout"],
}, (command, world) => {
  const discard = discardOf(command, world);
  if (discard === undefined) return undefined;
  const files = new Set<string>();
  let dropped = 0;
  let unknown = false;
  for (const [index, facts] of world.repositories.entries()) {
    const directory = command.directories[index] ?? facts?.root;
    const names = facts === undefined || directory === undefined
      ? undefined
      : discard.files(facts, directory);
    if (facts === undefined || names === undefined) {
      unknown = true;
      continue;
    }
    // A file that is already gone from the work tree holds nothing that could be lost.
    for (const name of names) {
      if (world.context.facts.kind(`${facts.root}/${name}`) !== "missing") files.add(name);
    }
    const ahead = droppedCommits(discard.target, facts, world);
    if (ahead === undefined) unknown = true;
    else dropped = Math.max(dropped, ahead);
  }
  const verb = `git ${command.verb}`;
  const losses: string[] = [];
  if (files.size > 0) losses.push(`the uncommitted changes in ${nameFiles([...files])}`);
  if (dropped > 0) losses.push(`${dropped} ${dropped === 1 ? "commit" : "commits"} of this branch`);
  if (losses.length > 0) return { message: `\`${verb}\` would throw away ${losses.join(" and ")}.` };
  if (!unknown) return undefined;
  return {
    message: `\`${verb}\` would throw away uncommitted work; what there is could not be told beforehand.`,
  };
});

function droppedCommits(target: Discard["target"], facts: GitFacts, world: World): number | undefined {
  if (target === undefined) return 0;
  if (target === "HEAD" || (target.isStatic && (target.text === "HEAD" || target.text === "@"))) return 0;
  return target.isStatic && !world.moved ? facts.ahead(target.text) : undefined;
}

export const clean = gitRule({
  id: "git/clean",
  title: "Deleting untracked files",
  severity: "high",
  decision: "ask",
  rationale:
    "Untracked and ignored files are in no commit; git clean deletes them for good, settings and databases with -x included.",
  advice:
    "Look first with `git clean -nd` (with -x or -X: `git clean -ndx`), then delete by name what is really in the way.",
  examples: {
    match: [
      { action: "git clean -fd", decision: "ask" },
      { action: "git clean -d --force src", decision: "ask" },
      { action: "git clean -fdx", decision: "deny" },
      {
        action: "git clean -fd",
        decision: "ask",
        facts: { git: { untracked: ["notes.md", "dist/"] } },
      },
      {
        action: "git clean -ffdx",
        decision: "deny",
        facts: { git: { untracked: [], ignored: ["node_modules/", ".env"] } },
      },
      {
        action: "git clean -Xf",
        decision: "deny",
        facts: { git: { untracked: [], ignored: ["data/app.sqlite3"] } },
      },
      { action: "git -c clean.requireForce=false clean -d", decision: "ask" },
    ],
    pass: [
      { action: "git clean -nfdx" },
      { action: "git clean --dry-run -d" },
      { action: "git clean -fdx", facts: { git: { untracked: [], ignored: ["node_modules/", "dist/"] } } },
      { action: "git clean -fd", facts: { git: { untracked: [], ignored: [".env"] } } },
      {
        action: "git clean -fdx -e .env",
        facts: { git: { untracked: [], ignored: ["node_modules/", ".env"] } },
      },
      { action: "git clean -f", facts: { git: { untracked: ["new/"] } } },
      { action: "grep -rn 'git clean -fdx' docs" },
    ],
  },
  references: ["https://git-scm.com/docs/git-clean"],
}, (command, world) => {
  if (command.verb !== "clean") return undefined;
  const parsed = parseArguments(command.args, specs.clean);
  if (isOn(parsed, "-n", "--dry-run")) return undefined;
  if (!parsed.has("-f", "--force", "-i", "--interactive") && !cleansUnforced(command)) return undefined;
  const onlyIgnored = parsed.has("-X");
  const ignoredToo = onlyIgnored || parsed.has("-x");
  let strictest: Omit<Match, "evidence"> | undefined;
  for (const [index, facts] of world.repositories.entries()) {
    const directory = command.directories[index] ?? facts?.root;
    const names = facts === undefined || directory === undefined
      ? undefined
      : cleaned(facts, directory, parsed, { onlyIgnored, ignoredToo }, world.context);
    const found = judgeCleaned(names, facts?.root ?? "", ignoredToo, world.context);
    if (strictest === undefined || found?.decision === "deny") strictest = found;
  }
  return strictest;
});

/** Without -f git refuses, unless it is configured not to. */
function cleansUnforced(command: GitCommand): boolean {
  const setting = command.settings.findLast((one) => one.name === "clean.requireforce");
  return setting !== undefined && !/^(?:true|yes|on|1)$/i.test(setting.value?.text ?? "");
}

/** What `git clean` would delete, relative to the root; undefined when it cannot be told. */
function cleaned(
  facts: GitFacts,
  directory: string,
  parsed: ParsedArguments,
  options: { readonly onlyIgnored: boolean; readonly ignoredToo: boolean },
  context: Context,
): readonly string[] | undefined {
  const untracked = options.onlyIgnored ? [] : facts.untracked();
  const ignored = options.ignoredToo ? facts.ignored(facts.root) : [];
  if (untracked === undefined || ignored === undefined) return undefined;
  const excluded = parsed.values("-e", "--exclude").filter((word) => word.isStatic).map((word) => word.text);
  const names = [...untracked, ...ignored].filter((name) =>
    // Directories go only with -d.
    (parsed.has("-d") || !name.endsWith("/")) && !excluded.some((pattern) => excludes(pattern, name))
  );
  const pathspecs = parsed.operands.length > 0 ? parsed.operands : [staticWord(".")];
  return selected(names, pathspecs, directory, facts.root, context);
}

/** A pattern of -e spares a name; anything beyond plain names and globs is taken to spare nothing. */
function excludes(pattern: string, name: string): boolean {
  if (pattern.startsWith("!")) return false;
  const plain = pattern.replace(/^\//, "").replace(/\/$/, "");
  const path = name.replace(/\/$/, "");
  if (pattern.slice(0, -1).includes("/")) return matchesGlob(path, plain);
  return path.split("/").some((part) => matchesGlob(part, plain));
}

function judgeCleaned(
  names: readonly string[] | undefined,
  root: string,
  ignoredToo: boolean,
  context: Context,
): Omit<Match, "evidence"> | undefined {
  if (names === undefined) {
    return {
      decision: ignoredToo ? "deny" : "ask",
      message: ignoredToo
        ? "`git clean` would delete ignored files too; which ones could not be told beforehand."
        : "`git clean` would delete untracked files; which ones could not be told beforehand.",
    };
  }
  const isRegenerable = (name: string) => {
    const parts = name.split("/").filter((part) => part !== "");
    return parts.some(isBuildName) || (!name.endsWith("/") && isScratchName(parts.at(-1) ?? ""));
  };
  const lost = names.filter((name) => !isRegenerable(name));
  if (lost.length === 0) return undefined;
  const style = { windows: context.windows };
  const top = normalise(root, "/", style);
  const precious = lost.flatMap((name) => {
    const path = normalise(name, top, style);
    const inside = name.endsWith("/")
      ? (context.facts.list(path) ?? []).map((entry) => `${name}${entry}`)
      : [];
    return [name, ...inside].filter((one) => isPrecious(normalise(one, top, style), context));
  });
  if (precious.length > 0) {
    return {
      decision: "deny",
      message: `\`git clean\` would delete ${nameFiles(precious)}: secrets or data that exist nowhere else.`,
    };
  }
  return {
    decision: "ask",
    message: `\`git clean\` would delete ${nameFiles(lost)}, of which git has no copy.`,
  };
}

function isPrecious(path: string, context: Context): boolean {
  return secretOf(path, context) !== undefined || isDatabase(path);
}
