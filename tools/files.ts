/** Finding files of the checkout. */
import { root } from "./deno.ts";

const skipped = new Set([".git", ".cache", "dist", "coverage", "node_modules"]);

/** Files below `folder` (relative to the checkout, "" is all of it) that `wanted` picks; relative paths with `/`, sorted. */
export function files(folder: string, wanted: (path: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (path: string) => {
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(`${root}/${path}`)];
    } catch {
      return;
    }
    for (const entry of entries) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory && !skipped.has(entry.name)) visit(inner);
      else if (entry.isFile && wanted(inner)) found.push(inner);
    }
  };
  visit(folder);
  return found.toSorted();
}
