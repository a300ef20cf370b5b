/** Overwriting, emptying and moving away. */

import type { Action, Context, InvocationRule, Match, PathRule } from "../../src/types.ts";
import type { Invocation, PathUse } from "../../src/shell/model.ts";
import { locate, type Location, shown } from "../../src/paths.ts";
import { isBuildOutput, isScratchName, isVersionControlRoot } from "../../src/paths/place.ts";
import { nameOf, normalise } from "../../src/paths/normal.ts";
import { isDatabase, secretOf } from "../../src/paths/secret.ts";
import { parseArguments } from "../options.ts";
import { isMove } from "./delete.ts";
import { atStake, evidenceOf, isBroad, nameSome } from "./uses.ts";

const disk =
  /^\/dev\/(?:[shvx]v?d[a-z]|nvme\d|mmcblk\d|r?disk\d|mapper\/|dm-\d|md\d|loop\d|mem$|kmem$|port$|block\/|nbd\d|sr\d|vd[a-z]|disk\/|zvol\/)|^\/\/\.\/|^\/dev\/(?:da|ada)\d/i;
const diskWindows = /^(?:[\\/]{2}[.?][\\/])?(?:physicaldrive\d|harddisk)/i;

function isDisk(location: Location, use: PathUse): boolean {
  return disk.test(location.path) || diskWindows.test(use.path.text);
}

/** Programs that change a file in place as an edit does, when it is named. */
const editors = new Set(["sed", "perl", "sd", "yq", "awk", "gawk", "sort"]);

/** Where copying or moving to a path really puts a file. */
function destinations(use: PathUse, location: Location, context: Context): readonly Location[] {
  const copies = use.invocation !== undefined &&
    /^(?:cp|mv|install|copy|move|copy-item|move-item|ditto|ln|scp)$/.test(use.invocation.program);
  if (!copies || context.facts.kind(location.path) !== "directory") return [location];
  const sources = parseArguments(use.invocation!.args, { values: ["-t"] }).operands
    .filter((word) => word !== use.path && word.isStatic);
  return sources.map((word) => ({
    ...location,
    path: normalise(nameOf(normalise(word.text, "/", context)), location.path, context),
  }));
}

function overwritten(use: PathUse, action: Action, context: Context): Match | undefined {
  // File tools show the person what they write, and hosts have them read the file first.
  if (action.kind === "file" || use.invocation === undefined || use.remote !== undefined) return undefined;
  for (const written of locate(use, context).locations) {
    if (written.place !== "inside" && written.place !== "elsewhere" && written.place !== "workspace") {
      continue;
    }
    if (written.unknownBelow || written.assumedEmpty) continue;
    for (const location of destinations(use, written, context)) {
      const { path } = location;
      if (isBuildOutput(path, context) || isScratchName(nameOf(path))) continue;
      if (isEdit(use, location)) continue;
      const filter = location.filter ?? use.filter;
      const tree = use.recursive || location.contents || filter !== undefined;
      if (!tree && context.facts.kind(path) !== "file") continue;
      if (!tree && context.facts.size(path) === 0) continue;
      const reached = { ...location, filter, contents: location.contents || tree };
      const stake = atStake(reached, tree, context);
      const name = shown(path, context);
      if (stake === undefined) {
        if (tree && use.invocation.program !== "sed") continue;
        return {
          evidence: evidenceOf(use),
          message: `${name} is overwritten, and whether it is committed is not known.`,
        };
      }
      const lost = [...stake.modified, ...(tree ? [] : [...stake.untracked, ...stake.ignored])];
      if (lost.length > 0) {
        return {
          evidence: evidenceOf(use),
          message: `This overwrites work that is not committed: ${nameSome(lost)}.`,
        };
      }
    }
  }
  return undefined;
}

function isEdit(use: PathUse, location: Location): boolean {
  return !location.contents && use.filter === undefined && !use.recursive && use.empties !== true &&
    use.invocation !== undefined && editors.has(use.invocation.program) && use.path.isStatic &&
    use.invocation.args.length <= 40 && parseArguments(use.invocation.args).operands.length <= 4;
}

/** Archives that are unpacked over modified files. */
function unpackedOver(use: PathUse, context: Context): Match | undefined {
  if (!use.recursive || use.invocation === undefined || use.remote !== undefined) return undefined;
  if (!/^(?:tar|bsdtar|unzip|7z|7za|7zz)$/.test(use.invocation.program)) return undefined;
  for (const location of locate(use, context).locations) {
    if (location.place !== "workspace" && location.place !== "inside") continue;
    if (isBuildOutput(location.path, context)) continue;
    const git = context.facts.git(location.path);
    const modified = git?.modified() ?? [];
    const stake = modified.length === 0 ? undefined : atStake(location, true, context);
    const lost = stake?.modified ?? modified;
    if (lost.length > 0) {
      return {
        evidence: evidenceOf(use),
        message: `Unpacking here may overwrite work that is not committed: ${nameSome(lost)}.`,
      };
    }
  }
  return undefined;
}

function movedAway(use: PathUse, context: Context): Match | undefined {
  if (!isMove(use)) return undefined;
  const evidence = evidenceOf(use);
  const target = targetOf(use.invocation!, context);
  const { locations, unknown } = locate(use, context);
  if (target !== undefined && target.place === "null-device") {
    return { decision: "deny", evidence, message: "Moving files onto the empty device destroys them." };
  }
  for (const location of locations) {
    const name = shown(location.path, context);
    const all = isBroad(location.filter);
    switch (location.place) {
      case "root":
      case "system":
      case "homes":
      case "home":
      case "other-home":
      case "ancestor":
        if (all) return { decision: "deny", evidence, message: `This moves ${name} away.` };
        return { evidence, message: `This moves files of ${name} away.` };
      case "workspace":
        if (!location.contents) {
          return { decision: "deny", evidence, message: "This moves the whole project away." };
        }
        if (all) return { evidence, message: "This moves everything in the project." };
        break;
      case "elsewhere":
        if (target?.place === "temp" || target?.place === "temp-root") {
          return { evidence, message: `This moves ${name} into a place that is emptied without notice.` };
        }
        break;
    }
    if (isVersionControlRoot(location.path)) {
      return { evidence, message: `This moves the history in ${name} away.` };
    }
    const precious = secretOf(location.path, context) !== undefined || isDatabase(location.path);
    if (precious && (target?.place === "temp" || target?.place === "temp-root")) {
      return {
        evidence,
        message: `No other copy of ${name} exists, and temporary files are removed without notice.`,
      };
    }
    // PowerShell and cmd rename onto the missing target, one file after the other.
    const folds = use.invocation!.dialect !== "posix" && location.contents && target !== undefined &&
      context.facts.kind(target.path) !== "directory";
    if (folds) {
      return {
        evidence,
        message: "The target is no directory: every file would be renamed onto the same name.",
      };
    }
  }
  return unknown && target?.place === "temp"
    ? { evidence, message: `What ${use.path.text} names cannot be told.` }
    : undefined;
}

const targets = new WeakMap<Invocation, readonly [Context, Location | undefined]>();

/** Where a move puts the files; found once for all of them. */
function targetOf(invocation: Invocation, context: Context): Location | undefined {
  const known = targets.get(invocation);
  if (known !== undefined && known[0] === context) return known[1];
  const target = findTarget(invocation, context);
  targets.set(invocation, [context, target]);
  return target;
}

function findTarget(invocation: Invocation, context: Context): Location | undefined {
  const parsed = parseArguments(invocation.args, {
    values: ["-t", "--target-directory", "-destination", "-Destination"],
    style: invocation.dialect === "powershell" ? "powershell" : "clusters",
  });
  const word = parsed.value("-t", "--target-directory", "-destination") ?? parsed.operands.at(-1);
  if (word === undefined) return undefined;
  const use: PathUse = {
    operation: "write",
    path: word,
    directory: invocation.directory,
    recursive: false,
    invocation,
    span: word.span,
  };
  return locate(use, context).locations[0];
}

const dirty = {
  files: { "/home/dev/app/src/app.ts": "x" },
  git: { modified: ["src/app.ts"], untracked: [], ignored: [], tracked: ["src/app.ts"] },
};
const clean = {
  files: { "/home/dev/app/src/app.ts": "x" },
  git: { modified: [], untracked: [], ignored: [], tracked: ["src/app.ts"] },
};

export const overwriting: readonly (PathRule | InvocationRule)[] = [
  {
    on: "path",
    id: "filesystem/overwrite-disk",
    title: "Writes to a disk or to memory directly",
    severity: "critical",
    decision: "deny",
    rationale: "Raw writes destroy the file system and everything on it.",
    advice: "Write to a file instead, as in `dd if=/dev/zero of=/tmp/disk.img bs=1M count=8`.",
    operations: ["write", "append", "delete", "mode"],
    examples: {
      match: [
        { action: "dd if=/dev/zero of=/dev/sda bs=1M" },
        { action: "echo x > /dev/nvme0n1" },
        { action: "cp disk.img /dev/mmcblk0" },
        { action: "cat image | tee /dev/disk2" },
      ],
      pass: [
        { action: "dd if=/dev/zero of=/tmp/x.img count=1" },
        { action: "make > /dev/null" },
        { action: "echo hi > /dev/stderr" },
        { action: "echo hi > /dev/tty" },
      ],
    },
    match(use, context) {
      const hit = locate(use, context).locations.some((location) => isDisk(location, use));
      return hit ? { evidence: evidenceOf(use) } : undefined;
    },
  },
  {
    on: "path",
    id: "filesystem/overwrite-system",
    title: "Changes a file of the operating system",
    severity: "high",
    decision: "ask",
    rationale: "The machine depends on these files, and they are not the project's.",
    advice: "Keep settings in the project, or ask the person to change the system.",
    operations: ["write", "append"],
    examples: {
      match: [
        { action: "echo '127.0.0.1 api.local' | sudo tee -a /etc/hosts" },
        { action: "cp tool /usr/bin/tool" },
        { action: { kind: "file", operation: "write", path: "/etc/resolv.conf", content: "x" } },
      ],
      pass: [
        { action: "cat /etc/hosts" },
        { action: "cp tool /tmp/tool" },
        { action: { kind: "file", operation: "write", path: "src/hosts.ts", content: "x" } },
      ],
    },
    match(use, context) {
      if (use.remote !== undefined) return undefined;
      const hit = locate(use, context).locations.find((location) =>
        location.place === "system" && !/^\/proc\/self\/|^\/sys\/fs\/cgroup/.test(location.path)
      );
      if (hit === undefined) return undefined;
      return {
        evidence: evidenceOf(use),
        message: `This changes ${hit.path}, a file of the operating system.`,
      };
    },
  },
  {
    on: "path",
    id: "filesystem/overwrite-work",
    title: "Overwrites a file that is not committed",
    severity: "medium",
    decision: "ask",
    rationale: "What a redirection or a copy replaces is gone; only committed files come back.",
    advice: "Commit or stash first (`git stash push`), or write to a new name.",
    operations: ["write"],
    examples: {
      match: [
        { action: "> src/app.ts", facts: dirty },
        { action: "cp other.ts src/app.ts", facts: dirty },
        { action: "mv new.ts src/app.ts", facts: dirty },
        { action: "sed -i s/a/b/ src/*.ts", facts: dirty },
      ],
      pass: [
        { action: "> src/app.ts", facts: clean },
        { action: "npm test > test.log 2>&1", facts: dirty },
        { action: "echo x > new.ts", facts: dirty },
        { action: "sed -i s/a/b/ src/app.ts", facts: dirty },
        { action: "cp -r public/. dist/", facts: dirty },
      ],
    },
    match: (use, context, action) => overwritten(use, action, context),
  },
  {
    on: "path",
    id: "filesystem/unpack-over-work",
    title: "Unpacks an archive over files that are not committed",
    severity: "medium",
    decision: "ask",
    rationale: "Archives overwrite files of the same name without a word.",
    advice: "Unpack into a new directory: `mkdir -p /tmp/unpacked && tar -xzf a.tgz -C /tmp/unpacked`.",
    operations: ["append"],
    examples: {
      match: [
        { action: "tar xzf backup.tgz", facts: dirty },
        { action: "unzip -o release.zip", facts: dirty },
        { action: "tar -xf old.tar -C src", facts: dirty },
      ],
      pass: [
        { action: "tar xzf backup.tgz", facts: clean },
        { action: "tar -xzf backup.tgz -C /tmp/unpacked", facts: dirty },
        { action: "tar tzf backup.tgz", facts: dirty },
      ],
    },
    match: (use, context) => unpackedOver(use, context),
  },
  {
    on: "path",
    id: "filesystem/move-away",
    title: "Moves important files away",
    severity: "high",
    decision: "ask",
    rationale: "Moving onto a device, into temporary space or onto one name loses the files.",
    advice: "Copy first (`cp -r docs docs.old`) and move single files by name.",
    operations: ["delete"],
    examples: {
      match: [
        { action: "mv ~/Pictures /tmp/p" },
        { action: "mv * /dev/null", decision: "deny" },
        { action: "mv .git /tmp/g" },
        { action: "mv /usr /usr.old", decision: "deny" },
      ],
      pass: [
        { action: "mv a.txt b.txt" },
        { action: "mv src/a.ts lib/" },
        { action: "mv .env .env.old" },
      ],
    },
    match: (use, context) => movedAway(use, context),
  },
];
