/** Where the uses of paths in an action lead, and what lies there. */

import type { Context } from "./types.ts";
import type { PathUse } from "./shell/model.ts";
import { below, isWithin, nameOf, normalise, parentOf } from "./paths/normal.ts";
import { contextPath, folded, type Place, placeOf } from "./paths/place.ts";
import { resolveWord, type Target } from "./paths/resolve.ts";

/** A target with its place. A path that leads through a link is given twice: as written and as resolved. */
export interface Location extends Target {
  readonly place: Place;
  /** Reached through a link on disk. */
  readonly linked: boolean;
}

/** Where a use of a path leads. */
export interface Located {
  readonly locations: readonly Location[];
  /** The use may also reach a place about which nothing is known. */
  readonly unknown: boolean;
}

const cache = new WeakMap<Context, WeakMap<PathUse, Located>>();

/** Resolves a use once per context. Asks the facts for one link resolution per target. */
export function locate(use: PathUse, context: Context): Located {
  let known = cache.get(context);
  if (known === undefined) cache.set(context, known = new WeakMap());
  let located = known.get(use);
  if (located === undefined) known.set(use, located = compute(use, context));
  return located;
}

/** Longest path that systems open, with room to spare; a longer one names nothing. */
const maxPath = 8192;

function compute(use: PathUse, context: Context): Located {
  if (use.path.text.length > maxPath) return { locations: [], unknown: true };
  const dialect = use.invocation?.dialect;
  const { targets, unknown } = resolveWord(use.path, use.directory, {
    windows: context.windows,
    home: context.home,
    temporary: context.temporary[0],
    backslashes: dialect === "powershell" || dialect === "cmd",
  });
  const locations: Location[] = [];
  for (const target of targets) {
    const place = placeOf(target.path, context);
    locations.push({ ...target, place, linked: false });
    // The devices for standard streams are links to whatever these are.
    if (use.remote !== undefined || place === "null-device") continue;
    const real = realPath(target, use, context);
    if (folded(real, context) !== folded(target.path, context)) {
      locations.push({ ...target, path: real, place: placeOf(real, context), linked: true });
    }
  }
  return { locations, unknown };
}

/** Deleting or moving a link touches the link; everything else follows it. */
function realPath(target: Target, use: PathUse, context: Context): string {
  const touchesName = (use.operation === "delete" || use.operation === "link") && !target.contents &&
    !use.path.text.endsWith("/");
  const asked = touchesName ? parentOf(target.path) : target.path;
  let real = normalise(context.facts.realPath(asked), "/", context);
  // A workspace, home or temporary directory that is itself reached through a link keeps its name.
  for (const written of [context.workspace, context.home, ...context.temporary]) {
    const named = contextPath(written, context);
    if (!isWithin(asked, named)) continue;
    const resolved = normalise(context.facts.realPath(named), "/", context);
    const rest = real === resolved ? "" : below(real, resolved);
    if (rest === undefined) continue;
    real = rest === "" ? named : `${named}/${rest}`;
    break;
  }
  return touchesName ? normalise(`${real}/${nameOf(target.path)}`, "/", context) : real;
}

/** A path for a message: below home with a tilde, below the workspace relative. */
export function shown(path: string, context: Context): string {
  const inWorkspace = below(path, contextPath(context.workspace, context));
  if (inWorkspace !== undefined) return inWorkspace;
  const home = contextPath(context.home, context);
  const inHome = below(path, home);
  return inHome !== undefined ? `~/${inHome}` : path === home ? "~" : path;
}
