/** Deleting files and directories. */

import type { Context, Match, PathRule } from "../../src/types.ts";
import type { Invocation, PathUse } from "../../src/shell/model.ts";
import { locate, type Location, shown } from "../../src/paths.ts";
import {
  isBuildOutput,
  isLockFile,
  isScratchName,
  isVersionControl,
  isVersionControlRoot,
} from "../../src/paths/place.ts";
import { matchesGlob } from "../../src/paths/glob.ts";
import { nameOf, normalise } from "../../src/paths/normal.ts";
import { parseArguments } from "../options.ts";
import {
  atStake,
  evidenceOf,
  holdsTracked,
  isBroad,
  isCommitted,
  isPrecious,
  isScratchFilter,
  nameSome,
} from "./uses.ts";

/** Most files that may be deleted by name in one command without a question. */
const manyFiles = 10;

const moves = new Set(["mv", "move", "move-item", "ren", "rename", "rename-item"]);

/** Moving takes a path away without losing what is in it; other rules judge it. */
export function isMove(use: PathUse): boolean {
  return use.invocation !== undefined && moves.has(use.invocation.program);
}

type Kind =
  | "root"
  | "workspace"
  | "history"
  | "outside"
  | "work"
  | "precious"
  | "many"
  | "unknown"
  | "remote";

interface Loss {
  readonly kind: Kind;
  readonly message: string;
}

const severity: readonly Kind[] = [
  "root",
  "workspace",
  "history",
  "outside",
  "precious",
  "work",
  "many",
  "unknown",
  "remote",
];

const known = new WeakMap<PathUse, readonly [Context, Loss | undefined]>();

/** The worst that a deletion does; each rule below answers for one kind. */
function lossOf(use: PathUse, context: Context): Loss | undefined {
  const before = known.get(use);
  if (before !== undefined && before[0] === context) return before[1];
  const loss = computeLoss(use, context);
  known.set(use, [context, loss]);
  return loss;
}

function computeLoss(use: PathUse, context: Context): Loss | undefined {
  if (isMove(use) || isFresh(use) || stopsOnEmpty(use)) return undefined;
  const { locations, unknown } = locate(use, context);
  let worst: Loss | undefined;
  const consider = (loss: Loss | undefined) => {
    if (loss === undefined) return;
    if (worst === undefined || severity.indexOf(loss.kind) < severity.indexOf(worst.kind)) worst = loss;
  };
  for (const location of locations) consider(lossAt(use, location, context));
  // A task takes its settings from the environment; where nothing stands in them is judged as a place.
  if (unknown && !(isTask(use) && isSetting(use))) {
    consider({
      kind: "unknown",
      message: `What ${use.path.text} names cannot be told before it is deleted.`,
    });
  }
  // Temporary files in a container are as little missed as here.
  const contained =
    use.invocation?.via.some((one) => /^(?:docker|podman|nerdctl|kubectl|oc)\b/.test(one)) === true;
  const scratch = contained && locations.length > 0 &&
    locations.every((location) => location.place === "temp");
  if (worst === undefined && use.remote !== undefined && !scratch) {
    consider({
      kind: "remote",
      message: `This deletes ${use.path.text} on another machine (${use.remote}).`,
    });
  }
  return worst;
}

/** True for a word whose unknown parts are variables alone. */
function isSetting({ path }: PathUse): boolean {
  return path.pieces.every((piece) => piece.kind !== "unknown" || piece.origin === "variable");
}

/** Names that lie directly in a root. */
const topNames = (
  "bin boot dev etc home lib lib32 lib64 media mnt nix opt private proc root run sbin snap srv sys tmp usr var Applications " +
  "Library System Users Volumes Windows ProgramData"
).split(" ");

/** False for a glob in a root that matches none of the directories that systems have there. */
function reachesTop({ contents, filter }: Location, use: PathUse, { caseInsensitive }: Context): boolean {
  if (!contents || filter === undefined || use.filter !== undefined) return true;
  const [first = ""] = filter.split("/");
  return topNames.some((name) => matchesGlob(name, first, { caseInsensitive }));
}

/** True for a glob that also matches the repository's own directory, as `.git*` does. */
function takesHistory({ path, contents, filter, place }: Location, context: Context): boolean {
  if (!contents || filter === undefined || !/^[.[\\{]/.test(filter) || filter.includes("/")) return false;
  return matchesGlob(".git", filter, { caseInsensitive: context.caseInsensitive }) &&
    (place === "workspace" || context.facts.kind(`${path}/.git`) === "directory");
}

/** A name that `mktemp` just made. */
function isFresh(use: PathUse): boolean {
  const [first, ...rest] = use.path.pieces;
  return first?.kind === "unknown" && (first.invocations?.length ?? 0) > 0 &&
    first.invocations!.every((one) => one.program === "mktemp") &&
    rest.every((piece) => piece.kind === "text" && !piece.text.includes(".."));
}

/** `"${DIR:?}"/cache`: the safe way to delete below a variable, since the shell stops when it is empty. */
function stopsOnEmpty({ path, remote }: PathUse): boolean {
  const [first, next] = path.pieces;
  return remote === undefined && first?.kind === "unknown" && first.origin === "variable" &&
    first.name !== undefined && !first.mayBeEmpty && next?.kind === "text" && next.text.startsWith("/") &&
    !path.text.includes("..");
}

function lossAt(use: PathUse, location: Location, context: Context): Loss | undefined {
  const { path, place, contents } = location;
  // Both a glob of the shell and the names that find looks for narrow what goes.
  const filter = location.filter ?? use.filter;
  const narrow = { ...location, filter, contents: contents || filter !== undefined };
  const whole = use.recursive || contents;
  const all = isBroad(filter);
  const name = shown(path, context);
  switch (place) {
    case "root":
    case "system":
    case "homes":
    case "home":
    case "other-home":
    case "ancestor":
      if (all || (place === "root" && reachesTop(location, use, context)) || place === "system") {
        return { kind: "root", message: `This deletes ${whole ? "everything in " : ""}${name}.` };
      }
      return { kind: "outside", message: `This deletes files in ${name}, outside the project.` };
    case "device":
      return { kind: "root", message: `This deletes the device ${name}.` };
    case "null-device":
      return undefined;
    case "temp-root":
      if (location.assumedEmpty) {
        return { kind: "unknown", message: `If the variable is empty, this deletes everything in ${name}.` };
      }
      if (location.unknownBelow || !all) return undefined;
      return { kind: "root", message: `This deletes everything in ${name}, which other programs share.` };
    case "temp":
      return undefined;
    case "workspace":
      if (location.unknownBelow) break;
      if (filter === undefined && !contents) {
        return { kind: "workspace", message: "This deletes the whole project together with its history." };
      }
      if (filter !== undefined && /^(?:\.\*|\.\?\?\*|\.\[[!^]\.\]\*)$/.test(filter)) {
        return {
          kind: "workspace",
          message: "This deletes all hidden files of the project, its history among them.",
        };
      }
      break;
  }
  if (use.recursive && takesHistory(location, context)) {
    return {
      kind: "history",
      message: `This deletes the history in ${name}, and every commit that was not pushed.`,
    };
  }
  if (isVersionControl(path)) {
    const file = nameOf(path);
    if (isVersionControlRoot(path) || (whole && !/\/\.git\/(?:modules|worktrees|rebase-)/.test(path))) {
      return {
        kind: "history",
        message: `This deletes the history in ${name}, and every commit that was not pushed.`,
      };
    }
    return /\.lock$|^(?:MERGE_|REBASE_|CHERRY_|ORIG_HEAD|COMMIT_EDITMSG|FETCH_HEAD)/.test(file)
      ? undefined
      : { kind: "work", message: `This deletes ${name}, a part of the repository's data.` };
  }
  if (place === "elsewhere") {
    return { kind: "outside", message: `This deletes ${name}, outside the project.` };
  }
  return lossInside(use, narrow, whole, name, context);
}

function lossInside(
  use: PathUse,
  location: Location,
  whole: boolean,
  name: string,
  context: Context,
): Loss | undefined {
  const { path, filter } = location;
  const single = filter === undefined && !location.contents;
  if (single && isLockFile(nameOf(path))) return undefined;
  // Recursion changes nothing for a single file.
  const kind = whole && single ? context.facts.kind(path) : undefined;
  // A tool, unlike a line of commands, deletes what is there now.
  if (kind === "file" || (kind === "missing" && use.invocation === undefined)) {
    return lossInside({ ...use, recursive: false }, location, false, name, context);
  }
  if (isBuildOutput(path, context) && !location.unknownBelow) {
    if (!holdsTracked(path, context)) return undefined;
    return isCommitted(location, whole, context)
      ? undefined
      : { kind: "work", message: `${name} looks like build output, but git tracks files in it.` };
  }
  if (filter !== undefined && isScratchFilter(filter)) return undefined;
  if (!whole && filter === undefined) {
    if (isPrecious(path, context) && !isCommitted(location, false, context)) {
      return { kind: "precious", message: `No other copy of ${name} exists.` };
    }
    if (location.unknownBelow) {
      if (isTask(use) && isSetting(use)) return undefined;
      return { kind: "unknown", message: `What ${use.path.text} names cannot be told before it is deleted.` };
    }
    if (isScratchName(nameOf(path)) || operandCount(use) <= manyFiles) return undefined;
    return isCommitted(location, false, context)
      ? undefined
      : { kind: "many", message: `This deletes ${operandCount(use)} files by name.` };
  }
  const stake = atStake(location, whole, context);
  if (stake !== undefined) {
    // What a task of the project takes away and git ignores is what another task makes.
    const ignored = isTask(use)
      ? stake.ignored.filter((one) => isPrecious(normalise(one, context.workspace, context), context))
      : stake.ignored;
    const lost = [...stake.modified, ...stake.untracked, ...ignored];
    if (lost.length > 0) {
      return { kind: "work", message: `This deletes work that is not committed: ${nameSome(lost)}.` };
    }
    if (isCommitted(location, whole, context)) return undefined;
    if ((filter !== undefined && !use.recursive) || isTask(use)) return undefined;
  }
  return use.recursive || filter === undefined
    ? {
      kind: "work",
      message: `This deletes everything in ${name}, and what of it is committed is not known.`,
    }
    : { kind: "many", message: `This deletes every file that ${use.path.text} matches.` };
}

/** True in a task of the project that its people run by its name: `npm run clean`. */
function isTask({ invocation }: PathUse): boolean {
  return invocation?.within?.task === true;
}

const counts = new WeakMap<Invocation, number>();

function operandCount({ invocation }: PathUse): number {
  if (invocation === undefined) return 1;
  let count = counts.get(invocation);
  if (count === undefined) counts.set(invocation, count = parseArguments(invocation.args).operands.length);
  return count;
}

function matchKind(...kinds: readonly Kind[]) {
  return (use: PathUse, context: Context): Match | undefined => {
    const loss = lossOf(use, context);
    return loss !== undefined && kinds.includes(loss.kind)
      ? { evidence: evidenceOf(use), message: loss.message }
      : undefined;
  };
}

/** A repository in which git can tell nothing. */
const unseen = { git: {} };
const clean = {
  git: {
    modified: [],
    untracked: [],
    ignored: ["node_modules/"],
    tracked: ["src/app.ts", "src/lib/a.ts", "notes.txt"],
  },
};
const dirty = {
  git: {
    modified: ["src/app.ts"],
    untracked: ["draft.txt"],
    ignored: [],
    tracked: ["src/app.ts", "src/lib/a.ts"],
  },
};

export const deletion: readonly PathRule[] = [
  {
    on: "path",
    id: "filesystem/delete-root",
    title: "Deletes a root, a system directory, a home directory or what holds the project",
    severity: "critical",
    decision: "deny",
    rationale: "Nothing brings these files back, and no task of a project needs them gone.",
    advice: "Name the exact files below the project that should go, and look at them first with `ls`.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm -rf /" },
        { action: "rm -rf ~" },
        { action: 'rm -rf "$HOME"/' },
        { action: "rm -rf /usr/*" },
        { action: 'rm -rf "$UNSET"/*' },
        { action: "cd ../.. && rm -rf *" },
        { action: "rm -r --force /tmp" },
        { action: "find ~ -mindepth 1 -delete" },
        { action: "rsync -a --delete empty/ ~/" },
        { action: "rm -f /etc/hosts" },
        { action: { kind: "file", operation: "delete", path: "/home/dev" } },
      ],
      pass: [
        { action: "rm -rf /tmp/scratch" },
        { action: "rm -rf ./node_modules" },
        { action: "echo rm -rf /" },
        { action: "ls -la /" },
      ],
    },
    match: matchKind("root"),
  },
  {
    on: "path",
    id: "filesystem/delete-project",
    title: "Deletes the whole project",
    severity: "critical",
    decision: "deny",
    rationale: "The project's directory holds its history, so nothing is left to restore it from.",
    advice: "Name the files that should go. `git clean -n` lists what is untracked.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm -rf ." },
        { action: "rm -rf /home/dev/app" },
        { action: "find . -delete" },
        { action: "rm -rf .*" },
      ],
      pass: [
        { action: "find . -name '*.pyc' -delete" },
        { action: "rm -rf dist" },
        { action: "rm notes.txt" },
      ],
    },
    match: matchKind("workspace"),
  },
  {
    on: "path",
    id: "filesystem/delete-history",
    title: "Deletes the data of version control",
    severity: "critical",
    decision: "deny",
    rationale: "Branches, stashes and commits that were not pushed exist nowhere else.",
    advice: "Leave the repository's data alone; `git status` shows what is wrong with the working tree.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm -rf .git" },
        { action: "rm -rf .git/objects" },
        { action: "cd .git && rm -rf *" },
      ],
      pass: [
        { action: "rm -f .git/index.lock" },
        { action: "rm -rf dist" },
        { action: "ls .git" },
      ],
    },
    match: matchKind("history"),
  },
  {
    on: "path",
    id: "filesystem/delete-outside",
    title: "Deletes files outside the project",
    severity: "high",
    decision: "ask",
    rationale: "What lies outside the project belongs to something else, and no repository keeps a copy.",
    advice: "Leave it, or move it into a directory below /tmp, from where it can be brought back.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm -rf ../other" },
        { action: "rm ~/notes.txt" },
        { action: "rsync -a --delete empty/ /data/photos/" },
        { action: "find ~ -name '*.log' -delete" },
      ],
      pass: [
        { action: "rm /tmp/x/a.txt" },
        { action: "rm -rf build" },
        { action: "rsync -a src/ /data/photos/" },
      ],
    },
    match: matchKind("outside"),
  },
  {
    on: "path",
    id: "filesystem/delete-work",
    title: "Deletes a directory of the project that holds work",
    severity: "high",
    decision: "ask",
    rationale: "Files that are not committed have no other copy.",
    advice: "Commit or stash first (`git stash push -u`), or name the single files that should go.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm -rf src", facts: dirty },
        { action: "rm -r docs", facts: unseen },
        { action: "rm -rf *", facts: unseen },
        { action: "find . -type f -exec rm {} +", facts: unseen },
      ],
      pass: [
        { action: "rm -rf src", facts: clean },
        { action: "rm -rf node_modules dist", facts: unseen },
        { action: "find . -type d -name __pycache__ -prune -exec rm -rf {} +", facts: unseen },
      ],
    },
    match: matchKind("work"),
  },
  {
    on: "path",
    id: "filesystem/delete-precious",
    title: "Deletes a file with secrets or a database",
    severity: "high",
    decision: "ask",
    rationale: "Such files are ignored by git, so no copy exists.",
    advice: "Keep it. To set it aside, rename it: `mv .env .env.old`.",
    operations: ["delete"],
    examples: {
      match: [{ action: "rm .env" }, { action: "rm -f data/app.sqlite3" }, { action: "unlink dev.db" }],
      pass: [{ action: "rm .env.example" }, { action: "rm src/database.ts" }, { action: "rm old.txt" }],
    },
    match: matchKind("precious"),
  },
  {
    on: "path",
    id: "filesystem/delete-many",
    title: "Deletes many files at once",
    severity: "medium",
    decision: "ask",
    rationale: "A glob takes files that nobody looked at.",
    advice: "List the files first with `ls`, then delete those that are meant, by name.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "rm *.txt", facts: unseen },
        { action: "rm a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2", facts: unseen },
        { action: "rm data/*.csv", facts: unseen },
      ],
      pass: [
        { action: "rm notes.txt old.txt", facts: unseen },
        { action: "rm -f *.log *.tmp", facts: unseen },
        { action: "rm *.txt", facts: clean },
      ],
    },
    match: matchKind("many"),
  },
  {
    on: "path",
    id: "filesystem/delete-unknown",
    title: "Deletes something that cannot be told beforehand",
    severity: "high",
    decision: "ask",
    rationale: "An empty or unexpected variable has deleted whole homes.",
    advice: "Write the path out, or use the form that stops on an empty variable and a fixed name below it.",
    operations: ["delete"],
    examples: {
      match: [{ action: 'rm -rf "$BUILD_DIR"' }, { action: "rm -rf $(cat list)" }, {
        action: 'rm -rf "/tmp/$X"',
      }],
      pass: [
        { action: 'T=$(mktemp -d); rm -rf "$T"' },
        { action: 'rm -rf "${OUT:?}/cache"' },
        { action: 'D=dist; rm -rf "$D"' },
        { action: 'ls "$BUILD_DIR"' },
      ],
    },
    match: matchKind("unknown"),
  },
  {
    on: "path",
    id: "filesystem/delete-remote",
    title: "Deletes files on another machine or in a container",
    severity: "high",
    decision: "ask",
    rationale: "What is deleted there cannot be looked at from here, and often it is in use.",
    advice: "List it first, as in `ssh host ls -la /srv/old`, and ask the person to delete it.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "ssh dev@build.example.com 'rm -rf /tmp/old'" },
        { action: "ssh build.example.com rm /tmp/old.log" },
        { action: "ssh dev@build.example.com rm -r /tmp/releases" },
      ],
      pass: [
        { action: "ssh build.example.com ls /tmp" },
        { action: "ssh build.example.com 'cat /tmp/old.log'" },
        { action: "rm /tmp/old.log" },
      ],
    },
    match: matchKind("remote"),
  },
];
