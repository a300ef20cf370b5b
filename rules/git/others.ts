/** The same losses in Mercurial, Sapling, Subversion and Jujutsu. */

import type { Invocation } from "../../src/shell/model.ts";
import type { InvocationRule } from "../../src/types.ts";
import { evidenceOf } from "../evidence.ts";
import { isOn, parseArguments } from "../options.ts";

function loss(invocation: Invocation): string | undefined {
  const { program } = invocation;
  const parsed = parseArguments(invocation.args, {
    values: program === "svn"
      ? ["-r", "--revision", "--depth", "--changelist", "--config-dir", "--config-option", "-m", "-F"]
      : ["-R", "--repository", "--cwd", "--config", "-r", "--rev", "-d", "-m", "--at-op", "--at-operation"],
  });
  const verb = parsed.operands[0]?.text;
  if (verb === undefined || isOn(parsed, "-n", "--dry-run")) return undefined;
  if (program === "hg" || program === "sl") {
    if (/^(?:up|update|co|checkout|goto)$/.test(verb) && parsed.has("-C", "--clean")) {
      return "Uncommitted changes would be thrown away.";
    }
    if (verb === "revert" && (parsed.has("-a", "--all", "--no-backup", "-C") || parsed.operands.length > 1)) {
      return "Uncommitted changes would be thrown away.";
    }
    if ((verb === "purge" || verb === "clean") && !parsed.has("-p", "--print")) {
      return "Untracked files would be deleted, of which there is no copy.";
    }
    if (/^(?:strip|debugstrip|rollback)$/.test(verb)) return "Commits would be removed from the repository.";
    if (verb === "push" && parsed.has("-f", "--force")) {
      return "The remote repository would be changed by force.";
    }
    return undefined;
  }
  if (program === "svn") {
    if (verb === "revert" && parsed.operands.length > 1) return "Uncommitted changes would be thrown away.";
    if (verb === "cleanup" && parsed.has("--remove-unversioned", "--remove-ignored")) {
      return "Unversioned files would be deleted, of which there is no copy.";
    }
    if (/^(?:delete|del|remove|rm)$/.test(verb)) {
      if (parsed.operands.slice(1).some((word) => /^(?:\^\/|[a-z+]+:\/\/)/i.test(word.text))) {
        return "Something would be deleted in the shared repository at once.";
      }
      if (parsed.has("--force")) return "Files would be deleted with their uncommitted changes.";
    }
    return undefined;
  }
  const second = parsed.operands[1]?.text;
  if ((verb === "op" || verb === "operation") && second === "abandon") {
    return "The operation log would be cut, by which everything in jj is undone.";
  }
  if (verb === "util" && second === "gc" && parsed.has("--expire")) {
    return "Commits and operations that nothing names would be deleted.";
  }
  return undefined;
}

export const otherSystems: InvocationRule = {
  id: "git/other-systems",
  title: "Throwing away work in Mercurial, Subversion or Jujutsu",
  severity: "high",
  decision: "ask",
  rationale: "Uncommitted and unversioned files have no copy in any version-control system.",
  advice:
    "Look first (`hg status`, `svn status`, `jj op log`) and save what matters with `hg shelve` or a commit.",
  examples: {
    match: [
      { action: "hg update -C default", decision: "ask" },
      { action: "hg revert --all --no-backup", decision: "ask" },
      { action: "svn revert -R .", decision: "ask" },
      { action: "jj op abandon ..@-", decision: "ask" },
    ],
    pass: [
      { action: "hg update default" },
      { action: "hg purge --print" },
      { action: "svn update" },
      { action: "jj abandon @" },
    ],
  },
  on: "invocation",
  programs: ["hg", "sl", "svn", "jj"],
  match(invocation) {
    const message = loss(invocation);
    return message === undefined ? undefined : { message, evidence: evidenceOf(invocation) };
  },
};
