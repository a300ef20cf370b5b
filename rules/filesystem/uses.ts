/** What the rules about files share: evidence, the state of the repository, kinds of names. */

import type { Context, Evidence } from "../../src/types.ts";
import type { PathUse } from "../../src/shell/model.ts";
import type { Location } from "../../src/paths.ts";
import { below, isWithin, normalise } from "../../src/paths/normal.ts";
import { isBuildOutput, isScratchName } from "../../src/paths/place.ts";
import { matchesGlob } from "../../src/paths/glob.ts";
import { isDatabase, secretOf } from "../../src/paths/secret.ts";
import { withinOf } from "../evidence.ts";

/** The word that a finding about a use points at. */
export function evidenceOf(use: PathUse): Evidence {
  return { text: use.path.text, span: use.span, ...withinOf(use.invocation) };
}

/** True when nothing of a directory is spared by the glob, hidden names aside. */
export function isBroad(filter: string | undefined): boolean {
  if (filter === undefined) return true;
  if (!/[*?]/.test(filter)) return false;
  const parts = filter.replaceAll(/\[[!^]\.\]/g, "?").split("/").filter((part) =>
    part !== "" && part !== "."
  );
  // `*.` asks for names that end in a dot, which hardly any has.
  return parts.every((part) => part === ".." || (/^[.*?]*$/.test(part) && !part.endsWith(".")));
}

/** True when everything that a glob can match is scratch, or regenerable by its name. */
export function isScratchFilter(filter: string): boolean {
  const names = filter.replace(/^\{(.*)\}$/, "$1").split(",");
  return names.every((name) => {
    const last = name.split("/").filter((part) => !/^\*+$/.test(part)).at(-1) ?? "";
    return last !== "" && isScratchName(last.replaceAll(/[*?]/g, "x"));
  });
}

/** What of the working tree lies in reach of a use; undefined when it cannot be looked at. */
export interface AtStake {
  readonly modified: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

/** Files without a copy in the repository that a use reaches. Asks git: call it once a rule has matched. */
export function atStake(location: Location, recursive: boolean, context: Context): AtStake | undefined {
  const git = context.facts.git(location.path);
  if (git === undefined) return undefined;
  const modified = git.modified();
  const untracked = git.untracked();
  if (modified === undefined || untracked === undefined) return undefined;
  const ignored = git.ignored(location.path);
  if (recursive && ignored === undefined) return undefined;
  const root = normalise(git.root, "/", context);
  const reached = (name: string) => reaches(location, normalise(name, root, context), recursive);
  return {
    modified: modified.filter(reached),
    untracked: untracked.filter(reached),
    ignored: (ignored ?? []).filter((name) => {
      const path = normalise(name, root, context);
      return reaches(location, path, recursive) && !isBuildOutput(path, context);
    }),
  };
}

function reaches(location: Location, path: string, recursive: boolean): boolean {
  const inner = below(path, location.path);
  // A directory that is untracked as a whole holds the file in question.
  if (isWithin(location.path, path)) return true;
  if (inner === undefined) return false;
  if (!location.contents && !recursive) return false;
  if (location.filter === undefined) return true;
  const [first = ""] = inner.split("/");
  return matchesGlob(inner, location.filter) || matchesGlob(first, location.filter) ||
    matchesGlob(inner.slice(inner.lastIndexOf("/") + 1), location.filter);
}

/** True when everything that a use reaches is committed. */
export function isCommitted(location: Location, recursive: boolean, context: Context): boolean {
  const stake = atStake(location, recursive, context);
  if (stake === undefined) return false;
  if (stake.modified.length + stake.untracked.length + stake.ignored.length > 0) return false;
  const tracked = context.facts.git(location.path)?.tracked(location.path, 1);
  return tracked !== undefined && tracked.length > 0;
}

/** True when git shows tracked files below what looks like build output. */
export function holdsTracked(path: string, context: Context): boolean {
  const tracked = context.facts.git(path)?.tracked(path, 1);
  return tracked !== undefined && tracked.length > 0;
}

/** Files of which nobody keeps another copy. */
export function isPrecious(path: string, context: Context): boolean {
  return secretOf(path, context) !== undefined || isDatabase(path);
}

/** A few names for a message. */
export function nameSome(names: readonly string[]): string {
  const shownNames = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shownNames} and ${names.length - 3} more` : shownNames;
}
