/** Links resolved, also where the path does not exist yet. */

import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/** Most links that are followed in one path, as Linux does. */
const hopLimit = 40;

/**
 * Follows links also where the end of the path does not exist yet: writing to a dangling link makes its
 * target. A loop gives the input back.
 */
export function realPath(path: string): string {
  let current = resolve(path);
  /** What was cut off because it does not exist, innermost first. */
  const missing: string[] = [];
  for (let hops = 0; hops <= hopLimit;) {
    try {
      return join(Deno.realPathSync(current), ...missing.toReversed());
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.NotADirectory)) {
        return path;
      }
    }
    const target = linkTarget(current);
    if (target !== undefined) {
      hops++;
      current = target;
      continue;
    }
    const parent = dirname(current);
    if (parent === current) return path;
    missing.push(basename(current));
    current = parent;
  }
  return path;
}

/** Absolute target of a link; relative targets count from where the link really is. */
function linkTarget(path: string): string | undefined {
  try {
    const target = Deno.readLinkSync(path);
    return isAbsolute(target) ? target : resolve(Deno.realPathSync(dirname(path)), target);
  } catch {
    return undefined;
  }
}
