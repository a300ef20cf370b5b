/** Links resolved, also where the path does not exist yet. */

import { native } from "../native_path.ts";

/** Most links that are followed in one path, as Linux does. */
const hopLimit = 40;

/**
 * Follows links also where the end of the path does not exist yet: writing to a dangling link makes its
 * target. A loop gives the input back.
 *
 * @param absent Directories that were found not to exist, with what they resolve to; added to. With it, paths
 *   deep below a missing directory cost no look at the disk: one command can name thousands.
 */
export function realPath(path: string, absent: Map<string, string> = new Map()): string {
  let current = native.resolve(path);
  /** What was cut off because it does not exist, innermost first. */
  const missing: string[] = [];
  const cut: string[] = [];
  const found = (base: string): string => {
    let real = base;
    for (let index = missing.length - 1; index >= 0; index--) {
      real = native.join(real, missing[index] ?? "");
      absent.set(cut[index] ?? "", real);
    }
    return real;
  };
  for (let hops = 0; hops <= hopLimit;) {
    const known = absent.get(current);
    if (known !== undefined) return found(known);
    const parent = native.dirname(current);
    if (!absent.has(parent)) {
      try {
        return found(Deno.realPathSync(current));
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
    }
    if (parent === current) return path;
    missing.push(native.basename(current));
    cut.push(current);
    current = parent;
  }
  return path;
}

/** Absolute target of a link; relative targets count from where the link really is. */
function linkTarget(path: string): string | undefined {
  try {
    const target = Deno.readLinkSync(path);
    return native.isAbsolute(target)
      ? target
      : native.resolve(Deno.realPathSync(native.dirname(path)), target);
  } catch {
    return undefined;
  }
}
