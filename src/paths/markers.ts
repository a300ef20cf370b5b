/** Where marker files lie that name what nobody is to read, write or delete. What they say is for src/paths/ignored.ts. */

import { locate } from "../paths.ts";
import type { PathUse } from "../shell/model.ts";
import type { Action, Context, Facts } from "../types.ts";
import { isWithin, parentOf, rootOf } from "./normal.ts";
import { contextPath } from "./place.ts";

/** Name of the marker file. */
export const markerName = ".guardignore";

const known = new WeakMap<Facts, Map<string, readonly string[]>>();

/** Directories with a marker, from this one upwards to home, or to the root of what is not in home; nearest first. */
export function markedFrom(directory: string, context: Context): readonly string[] {
  let found = known.get(context.facts);
  if (found === undefined) known.set(context.facts, found = new Map());
  const home = contextPath(context.home, context);
  const passed: string[] = [];
  let marked: readonly string[] = [];
  for (let at = directory; at !== rootOf(at); at = parentOf(at)) {
    const before = found.get(at);
    if (before !== undefined) {
      marked = before;
      break;
    }
    // What holds home is not the person's own.
    if (at !== home && isWithin(home, at)) break;
    passed.push(at);
  }
  for (const at of passed.reverse()) {
    if (context.facts.kind(`${at}/${markerName}`) !== "missing") marked = [at, ...marked];
    found.set(at, marked);
  }
  return marked;
}

/** Most directories within one that is used as a whole which are asked for a marker of their own. */
const mostWithin = 200;

/** True when a directory that is used as a whole has a marker right below it, or has more below it than is looked at. */
function holdsMarker(directory: string, context: Context): boolean {
  const { facts } = context;
  let left = mostWithin;
  return (facts.list(directory) ?? []).some((name) =>
    !name.startsWith(".") && name !== "node_modules" && !/\.\w+$/.test(name) &&
    (left-- <= 0 || facts.kind(`${directory}/${name}/${markerName}`) !== "missing")
  );
}

/** True when a marker may speak about something that an action uses. */
export function isMarked(action: Action, uses: readonly PathUse[], context: Context): boolean {
  if (action.kind === "prompt" || action.kind === "output" || action.kind === "session") return false;
  if (action.kind !== "file" && markedFrom(context.cwd, context).length > 0) return true;
  return uses.some((use) =>
    use.remote === undefined && use.operation !== "list" &&
    locate(use, context).locations.some(({ path, contents, unknownBelow, place }) =>
      place !== "null-device" && (
        markedFrom(use.recursive || contents || unknownBelow ? path : parentOf(path), context).length > 0 ||
        // What is denied as a whole anyway is not looked through.
        (use.recursive && (place === "workspace" || place === "inside") && holdsMarker(path, context))
      )
    )
  );
}
