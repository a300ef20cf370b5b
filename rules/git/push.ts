/** Rewriting and deleting branches of a remote. */

import type { Word } from "../../src/shell/model.ts";
import type { Match } from "../../src/types.ts";
import { literalStart } from "../../src/words.ts";
import { shorten } from "../evidence.ts";
import { isOn, parseArguments, type ParsedArguments } from "../options.ts";
import type { GitCommand } from "./command.ts";
import { gitRule, type World } from "./rule.ts";

const spec = {
  values: ["-o", "--push-option", "--receive-pack", "--exec", "--repo"],
  attached: ["--force-with-lease", "--signed", "--recurse-submodules"],
  long: [
    "--all",
    "--branches",
    "--mirror",
    "--tags",
    "--follow-tags",
    "--atomic",
    "--dry-run",
    "--force",
    "--force-if-includes",
    "--delete",
    "--prune",
    "--set-upstream",
    "--thin",
    "--quiet",
    "--verbose",
    "--progress",
    "--porcelain",
    "--verify",
    "--no-verify",
    "--no-force",
    "--no-force-with-lease",
    "--no-mirror",
    "--no-delete",
    "--no-prune",
    "--no-dry-run",
    "--ipv4",
    "--ipv6",
  ],
} as const;

/** Branches on which others build, whatever the project's default is. */
const sharedNames =
  /^(?:main|master|trunk|develop|development|production|prod|stable|release|releases?[/-].+|\d+\.\d+|\d+[.-]x|gh-pages)$/i;

/** One ref of the remote that a push would change. */
interface Update {
  /** Branch name; undefined when it cannot be told. */
  readonly branch: string | undefined;
  /** Source text for messages. */
  readonly shown: string;
  readonly tag: boolean;
  readonly kind: "force" | "lease" | "delete" | "plain";
}

function updates(command: GitCommand, parsed: ParsedArguments, world: World): readonly Update[] {
  const force = isOn(parsed, "-f", "--force");
  const lease = isOn(parsed, "--force-with-lease");
  const deletes = isOn(parsed, "-d", "--delete");
  const kind = force ? "force" : lease ? "lease" : "plain";
  const refspecs = parsed.operands.slice(1);
  if (refspecs.length === 0) {
    if (command.invocation.moreArguments && kind !== "plain") {
      return [{ branch: undefined, shown: "a branch named elsewhere", tag: false, kind }];
    }
    if (isOn(parsed, "--tags") && kind !== "plain") return [{ branch: "", shown: "tags", tag: true, kind }];
    return [current(kind, world)];
  }
  const found: Update[] = [];
  for (let index = 0; index < refspecs.length; index++) {
    const word = refspecs[index]!;
    if (word.isStatic && word.text === "tag" && index + 1 < refspecs.length) {
      const name = refspecs[++index]!.text;
      found.push({ branch: name, shown: name, tag: true, kind: deletes ? "delete" : kind });
      continue;
    }
    found.push(updateOf(word, deletes ? "delete" : kind, world));
  }
  return found;
}

function current(kind: Update["kind"], world: World): Update {
  const branch = world.branch;
  return { branch, shown: branch ?? "the current branch", tag: false, kind };
}

function updateOf(word: Word, given: Update["kind"], world: World): Update {
  let text = word.text;
  let kind = given;
  if (literalStart(word).startsWith("+")) {
    text = text.slice(1);
    if (kind !== "delete") kind = "force";
  }
  const colon = text.indexOf(":");
  const source = colon < 0 ? text : text.slice(0, colon);
  let target = colon < 0 ? text : text.slice(colon + 1);
  if (colon === 0 && target !== "") kind = "delete";
  if (text === ":") return { branch: "*", shown: "all matching branches", tag: false, kind };
  if (colon > 0 && target === "") target = source;
  if (kind !== "delete" && (target === "HEAD" || target === "@")) return current(kind, world);
  if (target.startsWith("refs/tags/")) {
    return { branch: target.slice("refs/tags/".length), shown: target, tag: true, kind };
  }
  if (target.startsWith("refs/heads/")) target = target.slice("refs/heads/".length);
  else if (target.startsWith("heads/")) target = target.slice("heads/".length);
  if (isKnownTail(word, target)) return { branch: target, shown: target, tag: false, kind };
  return isCurrentBranchQuery(word)
    ? current(kind, world)
    : { branch: undefined, shown: shorten(target, 60), tag: false, kind };
}

/** True when the destination holds no unknown piece, though the source may (`$SHA:main`). */
function isKnownTail(word: Word, target: string): boolean {
  if (word.isStatic) return true;
  const last = word.pieces.at(-1);
  return last?.kind === "text" && word.text.includes(":") && last.text.includes(":") &&
    word.text.endsWith(target);
}

/** `$(git branch --show-current)` and its like. */
function isCurrentBranchQuery(word: Word): boolean {
  if (word.pieces.length !== 1) return false;
  const [piece] = word.pieces;
  if (piece?.kind !== "unknown" || piece.invocations?.length !== 1) return false;
  const [inner] = piece.invocations;
  if (inner?.program !== "git") return false;
  const text = inner.args.map((argument) => argument.text).join(" ");
  return /^(?:branch --show-current|rev-parse --abbrev-ref (?:HEAD|@)|symbolic-ref (?:-q |--quiet )?--short (?:-q )?HEAD)$/
    .test(text);
}

type Standing = "default" | "shared" | "own" | "unknown";

function standing(branch: string | undefined, world: World): Standing {
  if (branch === undefined) return "unknown";
  if (branch.includes("*")) return "default";
  const defaults = world.repositories.map((facts) => facts?.defaultBranch());
  if (defaults.includes(branch)) return "default";
  if (!sharedNames.test(branch)) return "own";
  return /^(?:main|master|trunk)$/i.test(branch) ? "default" : "shared";
}

function judge(update: Update, world: World): Omit<Match, "evidence"> | undefined {
  if (update.kind === "plain") return undefined;
  const { shown } = update;
  const deletes = update.kind === "delete";
  if (update.tag) {
    if (update.kind === "lease") return undefined;
    return {
      decision: "ask",
      message: deletes
        ? `This push would delete the tag ${shown} on the remote.`
        : `This push would overwrite ${shown === "tags" ? "tags" : `the tag ${shown}`} on the remote.`,
    };
  }
  const place = standing(update.branch, world);
  if (update.kind === "lease") {
    if (place === "own") return undefined;
    return {
      decision: "ask",
      message: place === "unknown"
        ? `This push would rewrite ${shown} on the remote; whether others share that branch could not be told.`
        : `This push would rewrite ${shown}, a branch that others share.`,
    };
  }
  const what = deletes ? "delete" : "overwrite";
  if (place === "own") {
    return { decision: "ask", message: `This push would ${what} the branch ${shown} on the remote.` };
  }
  if (place === "unknown") {
    // A name that is written but not known is asked about; a state that cannot be looked at counts as shared.
    const written = shown !== "the current branch";
    return {
      decision: written ? "ask" : "deny",
      message:
        `This push would ${what} ${shown} on the remote; whether others share that branch could not be told.`,
    };
  }
  return {
    decision: "deny",
    message: `This push would ${what} ${
      shown === "*" ? "all branches" : shown
    } on the remote, a branch that others share.`,
  };
}

export const forcePush = gitRule({
  id: "git/force-push",
  title: "Rewriting or deleting branches of a remote",
  severity: "critical",
  decision: "ask",
  rationale:
    "A forced push replaces what others have pushed; on a default or shared branch it takes everybody's commits, and a lost branch of a remote has no reflog within reach.",
  advice:
    "Push without force (`git pull --rebase`, then `git push`); on a branch of your own use `git push --force-with-lease` naming remote and branch.",
  examples: {
    match: [
      { action: "git push --force origin main", decision: "deny" },
      { action: "git push origin +master", decision: "deny" },
      { action: "git push -uf origin HEAD:refs/heads/develop", decision: "deny" },
      { action: "git push -f", decision: "deny" },
      { action: "git push -f", decision: "deny", facts: { git: { branch: "main", default: "main" } } },
      { action: "git push --force", decision: "ask", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push --force origin fix/login", decision: "ask" },
      { action: "git push origin --delete fix/login", decision: "ask" },
      { action: "git push origin :main", decision: "deny" },
      { action: "git push --mirror backup", decision: "deny" },
      { action: "git push --prune origin", decision: "ask" },
      { action: "git push --force-with-lease origin main", decision: "ask" },
      { action: "git push --force --tags", decision: "ask" },
      {
        action: "git checkout main && git push --force",
        decision: "deny",
        facts: { git: { branch: "topic", default: "main" } },
      },
    ],
    pass: [
      { action: "git push origin main" },
      { action: "git push -u origin HEAD" },
      { action: "git push --force-with-lease", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push --force-with-lease=topic:1a2b3c4 origin topic" },
      { action: "git push --force --dry-run origin main" },
      { action: "git push --tags" },
      { action: "echo git push --force origin main" },
    ],
  },
  references: ["https://git-scm.com/docs/git-push"],
}, (command, world) => {
  if (command.verb !== "push" && command.verb !== "send-pack") return undefined;
  const parsed = parseArguments(command.args, spec);
  if (isOn(parsed, "-n", "--dry-run")) return undefined;
  if (isOn(parsed, "--mirror")) {
    return {
      decision: "deny",
      message: "A mirroring push overwrites every branch of the remote and deletes those that are not here.",
    };
  }
  const all = isOn(parsed, "--all", "--branches");
  if (all && isOn(parsed, "-f", "--force")) {
    return { decision: "deny", message: "This push would overwrite all branches of the remote." };
  }
  let strictest: Omit<Match, "evidence"> | undefined;
  for (const update of updates(command, parsed, world)) {
    const found = judge(update, world);
    if (strictest === undefined || found?.decision === "deny") strictest = found ?? strictest;
  }
  if (strictest !== undefined) return strictest;
  if (isOn(parsed, "--prune")) {
    return { decision: "ask", message: "This push would delete branches of the remote that are not here." };
  }
  return undefined;
});
