/** Losing commits: branches, stashes, reflogs, worktrees, rewritten history. */

import type { Match } from "../../src/types.ts";
import { shorten } from "../evidence.ts";
import { isOn, parseArguments } from "../options.ts";
import type { GitCommand } from "./command.ts";
import { gitRule, type World } from "./rule.ts";

type Found = Omit<Match, "evidence"> | undefined;

const branchSpec = {
  values: ["-u", "--set-upstream-to", "--sort", "--points-at", "--format"],
  attached: ["--contains", "--no-contains", "--merged", "--no-merged", "--color", "--column", "--track"],
  long: [
    "--delete",
    "--force",
    "--move",
    "--copy",
    "--remotes",
    "--all",
    "--list",
    "--show-current",
    "--edit-description",
    "--unset-upstream",
    "--create-reflog",
    "--ignore-case",
    "--quiet",
    "--verbose",
  ],
} as const;

export const deleteBranch = gitRule({
  id: "git/delete-branch",
  title: "Deleting or moving a branch that may not be merged",
  severity: "medium",
  decision: "ask",
  rationale:
    "Commits that only this branch holds are left without a name; the reflog finds them for a while, and only on this machine.",
  advice:
    "Use `git branch -d`, which refuses unless the branch is merged; look with `git log` at what only it holds.",
  examples: {
    match: [
      { action: "git branch -D topic", decision: "ask" },
      { action: "git branch -df topic", decision: "ask" },
      { action: "git branch --delete --force topic", decision: "ask", facts: { git: { merged: [] } } },
      { action: "git branch -D old topic", decision: "ask", facts: { git: { merged: ["old"] } } },
      { action: "git branch --list 'x/*' | xargs git branch -D", decision: "ask" },
      { action: "git branch -f topic HEAD~3", decision: "ask" },
      { action: "git checkout -B topic origin/main", decision: "ask", facts: { git: { merged: [] } } },
    ],
    pass: [
      { action: "git branch -d topic" },
      { action: "git branch -D topic", facts: { git: { merged: ["topic"] } } },
      { action: "git branch -rD origin/topic" },
      { action: "git branch -M main" },
      { action: "git branch topic" },
      { action: "git checkout -B topic origin/topic" },
    ],
  },
}, (command, world) => {
  if (command.verb === "checkout" || command.verb === "switch") return forcedCreation(command, world);
  if (command.verb !== "branch") return undefined;
  const parsed = parseArguments(command.args, branchSpec);
  if (parsed.has("-r", "--remotes")) return undefined;
  const forced = parsed.has("-f", "--force");
  const deletes = parsed.has("-D") || (parsed.has("-d", "--delete") && forced);
  const moves = forced && !deletes && !parsed.has("-m", "-c", "--move", "--copy");
  if (!deletes && !moves) return undefined;
  const names = moves ? parsed.operands.slice(0, 1) : parsed.operands;
  if (names.length === 0 && !command.invocation.moreArguments) return undefined;
  const lost = names.filter((word) => !(word.isStatic && isMerged(word.text, world)));
  if (lost.length === 0 && !command.invocation.moreArguments) return undefined;
  const shown = lost.map((word) => shorten(word.text, 60)).join(", ") || "branches named elsewhere";
  const what = deletes ? "would be deleted" : "would be moved";
  return { message: `${shown} ${what} though it may hold commits that no other branch has.` };
});

export const deleteTag = gitRule({
  id: "git/delete-tag",
  title: "Deleting a tag",
  severity: "low",
  decision: "ask",
  rationale: "A tag that was never pushed exists only here, and no reflog keeps it.",
  advice: "Look at what it names with `git show --stat TAG`, and make a new tag beside it.",
  examples: {
    match: [
      { action: "git tag -d v1.0", decision: "ask" },
      { action: "git tag --delete v1.0 v1.1", decision: "ask" },
      { action: "git tag -l 'rc-*' | xargs git tag -d", decision: "ask" },
    ],
    pass: [{ action: "git tag v1.1" }, { action: "git tag -l 'v1.*'" }, {
      action: "git tag -a v1.1 -m 'drop -d'",
    }],
  },
}, (command) => {
  if (command.verb !== "tag") return undefined;
  const parsed = parseArguments(command.args, {
    values: [
      "-m",
      "-F",
      "-u",
      "--message",
      "--file",
      "--local-user",
      "--sort",
      "--format",
      "--cleanup",
      "--points-at",
    ],
    attached: ["-n", "--contains", "--no-contains", "--merged", "--no-merged", "--color", "--column"],
    long: [
      "--delete",
      "--list",
      "--verify",
      "--annotate",
      "--sign",
      "--force",
      "--create-reflog",
      "--ignore-case",
    ],
  });
  if (!parsed.has("-d", "--delete")) return undefined;
  const names = parsed.operands.map((word) => shorten(word.text, 60)).join(", ") || "Tags named elsewhere";
  return { message: `${names} would be deleted.` };
});

function isMerged(branch: string, world: World): boolean {
  return world.repositories.every((facts) => facts?.merged(branch) === true);
}

/** `checkout -B` and `switch -C` are ordinary ways to begin a branch; they matter when one is known to lose commits. */
function forcedCreation(command: GitCommand, world: World): Found {
  const parsed = parseArguments(command.args, {
    values: ["-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan", "--conflict"],
    long: ["--create", "--force-create", "--detach", "--discard-changes"],
  });
  const name = parsed.value("-B", "-C", "--force-create");
  if (name === undefined || !name.isStatic) return undefined;
  if (!world.repositories.some((facts) => facts?.merged(name.text) === false)) return undefined;
  return { message: `${name.text} would be moved though it holds commits that no other branch has.` };
}

export const dropStash = gitRule({
  id: "git/drop-stash",
  title: "Dropping stashed work",
  severity: "high",
  decision: "ask",
  rationale:
    "A stash is often the only copy of work, and all worktrees of a repository share the list: the entry may be somebody else's.",
  advice:
    "Look with `git stash list` and `git stash show -p`; bring the work back with `git stash pop` or `git stash branch`.",
  examples: {
    match: [
      { action: "git stash drop", decision: "ask" },
      { action: "git stash drop stash@{2}", decision: "ask" },
      { action: "git stash clear", decision: "deny" },
    ],
    pass: [
      { action: "git stash" },
      { action: "git stash pop" },
      { action: "git stash push -m 'drop me later'" },
      { action: "git stash list" },
    ],
  },
}, (command) => {
  if (command.verb !== "stash") return undefined;
  const verb = command.args[0]?.text;
  if (verb === "clear") return { decision: "deny", message: "Every stash of the repository would be lost." };
  if (verb !== "drop") return undefined;
  const entry = command.args.slice(1).find((word) => !word.text.startsWith("-"));
  return { message: `The stash ${entry === undefined ? "on top" : shorten(entry.text, 40)} would be lost.` };
});

/** Ages at which git prunes by itself are no loss that a person would notice. */
const late = /^(?:never|false|\d*[. ]?(?:weeks?|months?|years?)(?:[. ]?ago)?)$/i;

/** Deletes entries of reflogs. */
function expiresReflog(command: GitCommand): boolean {
  if (command.verb !== "reflog") return false;
  const verb = command.args[0]?.text;
  const parsed = parseArguments(command.args.slice(1), { values: ["--expire", "--expire-unreachable"] });
  if (isOn(parsed, "-n", "--dry-run")) return false;
  if (verb === "delete") return true;
  if (verb !== "expire") return false;
  return parsed.values("--expire", "--expire-unreachable").some((word) => !late.test(word.text));
}

/** Deletes objects that nothing names. */
function prunesObjects(command: GitCommand): boolean {
  if (command.verb === "prune") {
    const parsed = parseArguments(command.args, { values: ["--expire"] });
    if (isOn(parsed, "-n", "--dry-run")) return false;
    const age = parsed.value("--expire");
    return age === undefined || !late.test(age.text);
  }
  if (command.verb !== "gc") return false;
  const parsed = parseArguments(command.args, {
    attached: ["--prune"],
    long: ["--aggressive", "--auto", "--quiet", "--force", "--keep-largest-pack", "--no-prune"],
  });
  if (parsed.has("--no-prune")) return false;
  const given = parsed.value("--prune") ??
    command.settings.findLast((one) => one.name === "gc.pruneexpire")?.value;
  return given !== undefined && !late.test(given.text);
}

const pairs = new WeakMap<readonly GitCommand[], boolean>();

function removesBoth(commands: readonly GitCommand[]): boolean {
  let both = pairs.get(commands);
  if (both === undefined) {
    both = commands.some(expiresReflog) && commands.some(prunesObjects);
    pairs.set(commands, both);
  }
  return both;
}

export const removeNet = gitRule({
  id: "git/remove-safety-net",
  title: "Deleting reflog entries or unreachable objects",
  severity: "high",
  decision: "ask",
  rationale:
    "Reflog and unreachable objects are how lost commits are found again. Expiring the one and pruning the other makes every earlier mistake final.",
  advice: "Leave it to git, which keeps both for weeks: plain `git gc` frees the space that is safe to free.",
  examples: {
    match: [
      { action: "git reflog expire --expire=now --all", decision: "ask" },
      { action: "git reflog delete HEAD@{1}", decision: "ask" },
      { action: "git gc --prune=now", decision: "ask" },
      { action: "git prune", decision: "ask" },
      { action: "git reflog expire --expire=now --all && git gc --prune=now --aggressive", decision: "deny" },
    ],
    pass: [
      { action: "git reflog" },
      { action: "git reflog expire --expire=90.days --dry-run --all" },
      { action: "git gc" },
      { action: "git gc --prune=2.weeks.ago" },
      { action: "git remote prune origin" },
      { action: "git fetch --prune" },
    ],
  },
}, (command, world) => {
  const reflog = expiresReflog(command);
  const objects = !reflog && prunesObjects(command);
  if (!reflog && !objects) return undefined;
  if (removesBoth(world.commands)) {
    return {
      decision: "deny",
      message: "Expiring the reflog and pruning what it named makes every lost commit unrecoverable.",
    };
  }
  return {
    message: reflog
      ? "Reflog entries would be deleted, by which lost commits are found again."
      : "Objects that nothing names would be deleted, lost commits and dropped stashes among them.",
  };
});

export const removeWorktree = gitRule({
  id: "git/remove-worktree",
  title: "Removing a worktree with its changes",
  severity: "high",
  decision: "ask",
  rationale:
    "With --force a worktree goes although it holds uncommitted or untracked files, or is locked by somebody.",
  advice: "Use `git worktree remove` without force: it refuses when something would be lost.",
  examples: {
    match: [
      { action: "git worktree remove --force ../wt", decision: "ask" },
      { action: "git worktree remove -f -f ../wt", decision: "ask" },
      { action: "git -C /srv/app worktree remove ../wt --force", decision: "ask" },
    ],
    pass: [
      { action: "git worktree remove ../wt" },
      { action: "git worktree add -f ../wt topic" },
      { action: "git worktree prune" },
    ],
  },
}, (command) => {
  if (command.verb !== "worktree" || command.args[0]?.text !== "remove") return undefined;
  const parsed = parseArguments(command.args.slice(1), { long: ["--force"] });
  if (!parsed.has("-f", "--force")) return undefined;
  const path = parsed.operands[0];
  return {
    message: `The worktree ${
      path === undefined ? "" : `${shorten(path.text, 60)} `
    }would go with its changes.`,
  };
});

export const rewriteHistory = gitRule({
  id: "git/rewrite-history",
  title: "Rewriting the whole history or deleting refs",
  severity: "high",
  decision: "ask",
  rationale:
    "Every commit gets a new identity, clones and open reviews no longer fit, and what a filter removes is gone from all branches.",
  advice:
    "Work on a fresh clone (`git clone --mirror`) so that the original stays, and agree on it with those who share the repository.",
  examples: {
    match: [
      { action: "git filter-branch --tree-filter 'rm -f big.bin' HEAD", decision: "ask" },
      { action: "git filter-repo --path secrets --invert-paths", decision: "ask" },
      { action: "git update-ref -d refs/heads/topic", decision: "ask" },
      { action: "git lfs migrate import --everything", decision: "ask" },
    ],
    pass: [
      { action: "git filter-repo --analyze" },
      { action: "git update-ref refs/heads/topic HEAD" },
      { action: "git rebase --abort" },
      { action: "git commit --amend --no-edit" },
      { action: "git lfs migrate info" },
    ],
  },
}, (command) => {
  const { verb, args } = command;
  if (verb === "filter-branch") return { message: "`git filter-branch` would rewrite the history." };
  if (verb === "filter-repo") {
    if (args.some((word) => /^--(?:analyze|dry-run|help|version)$/.test(word.text)) || args.length === 0) {
      return undefined;
    }
    return { message: "`git filter-repo` would rewrite the history of all branches." };
  }
  if (verb === "lfs" && args[0]?.text === "migrate" && /^(?:import|export)$/.test(args[1]?.text ?? "")) {
    return { message: "`git lfs migrate` would rewrite the history." };
  }
  if (verb === "update-ref") {
    const parsed = parseArguments(args, {
      values: ["-m"],
      long: ["--stdin", "--no-deref", "--create-reflog"],
    });
    if (parsed.has("-d")) {
      const name = parsed.operands[0];
      return {
        message: `The ref ${name === undefined ? "" : `${shorten(name.text, 60)} `}would be deleted.`,
      };
    }
    if (parsed.has("--stdin")) {
      return { message: "Refs would be changed or deleted by a list on standard input." };
    }
  }
  return undefined;
});
