/** What rules may ask about the world, answered from the disk: read only, memoised, never blocking. */

import type { Facts } from "../types.ts";
import { environment } from "./environment.ts";
import { gitLookup, type GitOptions } from "./git.ts";
import { openText } from "./open.ts";
import { realPath } from "./real_path.ts";

/** Most names that `list` gives back. */
const listLimit = 4096;

/** How facts are looked up. */
export interface DiskOptions {
  /** How git may be asked; false never starts it. */
  readonly git: GitOptions | false;
}

/**
 * Facts from disk for one judging; make a new one for the next, since answers are remembered.
 * Nothing in it throws: what cannot be read is undefined.
 */
export function diskFacts(options: DiskOptions): Facts {
  const git = options.git === false ? () => undefined : gitLookup(options.git);
  const absent = new Map<string, string>();
  return {
    realPath: memo((path) => realPath(path, absent)),
    kind: memo(kind),
    size: memo(size),
    list: memo(list),
    text(path, limit) {
      const opened = openText(path, limit);
      return opened.state === "text" ? opened.text : undefined;
    },
    git,
    environment,
  };
}

function memo<T>(answer: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (known.has(path)) return known.get(path) as T;
    const value = answer(path);
    known.set(path, value);
    return value;
  };
}

function kind(path: string): ReturnType<Facts["kind"]> {
  try {
    const status = Deno.lstatSync(path);
    if (status.isSymlink) return "link";
    if (status.isFile) return "file";
    return status.isDirectory ? "directory" : "other";
  } catch (error) {
    const absent = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
    return absent ? "missing" : undefined;
  }
}

function size(path: string): number | undefined {
  try {
    const status = Deno.statSync(path);
    return status.isFile ? status.size : undefined;
  } catch {
    return undefined;
  }
}

function list(path: string): readonly string[] | undefined {
  try {
    const names: string[] = [];
    for (const entry of Deno.readDirSync(path)) {
      if (names.push(entry.name) >= listLimit) break;
    }
    return names;
  } catch {
    return undefined;
  }
}
