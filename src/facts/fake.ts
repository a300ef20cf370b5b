/** A made-up world for the examples of rules and for tests: no disk, no git. */

import { posix } from "node:path";
import type { Facts, FakeFacts, GitFacts } from "../types.ts";

/** Repository root of a fake that does not name one. */
const fakeRoot = "/home/dev/app";

/**
 * Facts that answer from data. Whatever is not listed is missing; a parent of something listed is a
 * directory; files of the faked repository exist. Without `git` there is no repository, and a member that
 * the fake leaves out is unknown.
 *
 * @param fake absolute paths; members of `git` are relative to its root, a directory in them ends in `/`
 * @param root repository root when the fake does not name one
 */
export function fakeFacts(fake: FakeFacts = {}, root: string = fakeRoot): Facts {
  const repositoryRoot = clean(fake.git?.root ?? root);
  const files = new Map(Object.entries(fake.files ?? {}).map(([path, text]) => [clean(path), text]));
  const links = new Map(Object.entries(fake.links ?? {}).map(([path, target]) => [clean(path), target]));
  const directories = new Set<string>();
  const nodes = new Set<string>();
  const addParents = (path: string) => {
    nodes.add(path);
    for (let parent = posix.dirname(path); !directories.has(parent); parent = posix.dirname(parent)) {
      directories.add(parent);
      nodes.add(parent);
      if (parent === posix.dirname(parent)) break;
    }
  };
  const addDirectory = (path: string) => {
    addParents(path);
    directories.add(path);
  };
  for (const path of [...files.keys(), ...links.keys()]) addParents(path);
  for (const path of fake.directories ?? []) addDirectory(clean(path));
  const { git, environment = {} } = fake;
  if (git !== undefined) {
    addDirectory(posix.join(repositoryRoot, ".git"));
    const names = [git.modified, git.untracked, git.ignored, git.tracked].flatMap((list) => list ?? []);
    for (const name of names) {
      const path = clean(posix.join(repositoryRoot, name));
      if (name.endsWith("/")) addDirectory(path);
      else {
        addParents(path);
        if (!files.has(path)) files.set(path, "");
      }
    }
  }

  const known = new Map<string, string>();
  function realPath(path: string): string {
    let real = known.get(path);
    if (real === undefined) known.set(path, real = followed(path));
    return real;
  }

  /** Links resolved component by component; a loop ends in its last path. */
  function followed(path: string): string {
    let rest = clean(path).split("/").filter((part) => part !== "");
    let done = isDrive(path) ? rest.shift() ?? "" : "";
    for (let hops = 0; rest.length > 0;) {
      const next = `${done}/${rest.shift()}`;
      const target = links.get(next);
      if (target === undefined || ++hops > 40) {
        done = next;
        continue;
      }
      const resolved = clean(posix.isAbsolute(target) ? target : posix.join(done || "/", target));
      rest = [...resolved.split("/").filter((part) => part !== ""), ...rest];
      done = "";
    }
    return restore(path, done || "/");
  }
  const resolved = (path: string) => clean(realPath(path));

  const facts: Facts = {
    realPath: (path) => realPath(path),
    kind(path) {
      const at = posix.join(resolved(posix.dirname(clean(path))), posix.basename(clean(path)));
      if (links.has(at)) return "link";
      if (files.has(at)) return "file";
      return directories.has(at) || at === "/" ? "directory" : "missing";
    },
    size(path) {
      const text = files.get(resolved(path));
      return text === undefined ? undefined : new TextEncoder().encode(text).length;
    },
    list(path) {
      const at = resolved(path);
      if (!directories.has(at)) return undefined;
      return [...nodes].filter((node) => node !== at && posix.dirname(node) === at)
        .map((node) => posix.basename(node)).sort();
    },
    text(path, limit) {
      const text = files.get(resolved(path));
      return text === undefined || new TextEncoder().encode(text).length > limit ? undefined : text;
    },
    git(path) {
      if (git === undefined || !isInside(clean(path), repositoryRoot)) return undefined;
      return fakeGit(git, repositoryRoot);
    },
    environment: () => environment,
  };
  return facts;
}

function fakeGit(git: NonNullable<FakeFacts["git"]>, root: string): GitFacts {
  const below = (names: readonly string[] | undefined, path: string) =>
    names?.filter((name) => {
      const full = clean(posix.join(root, name));
      return isInside(full, clean(path)) || isInside(clean(path), full);
    });
  return {
    root,
    branch: () => git.branch,
    defaultBranch: () => git.default,
    modified: () => git.modified,
    untracked: () => git.untracked,
    conflicted: () => git.conflicted,
    tracked: (path, limit) => below(git.tracked, path)?.filter((name) => !name.endsWith("/")).slice(0, limit),
    ignored: (path) => below(git.ignored, path),
    ignores(path) {
      if (git.ignored === undefined) return undefined;
      return git.ignored.some((name) => isInside(clean(path), clean(posix.join(root, name))));
    },
    staged: () => git.staged,
    merged: (branch) => git.merged?.includes(branch),
    ahead: () => git.ahead,
  };
}

function isDrive(path: string): boolean {
  return /^[A-Za-z]:/.test(path);
}

/** One spelling for the tables: forward slashes, no `.` or `..`, no slash at the end. */
function clean(path: string): string {
  const forward = isDrive(path) ? path.replaceAll("\\", "/") : path;
  const normal = posix.normalize(forward);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

/** Gives a path back with the separators in which it was asked for. */
function restore(asked: string, path: string): string {
  return isDrive(asked) && asked.includes("\\") ? path.replaceAll("/", "\\") : path;
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
