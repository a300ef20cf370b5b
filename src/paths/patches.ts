/** Files that a patch changes, told from its text. */

import type { PathOperation } from "../shell/model.ts";

/** One file in a patch. */
export interface PatchedFile {
  readonly operation: PathOperation;
  /** As it is written, before leading parts are stripped. */
  readonly path: string;
  /** A header of a difference, of which `-p` strips leading parts. */
  readonly strips: boolean;
}

/** Headers of the patch language of `apply_patch`; see adapters/apply_patch.ts. */
const headers: readonly (readonly [string, PathOperation])[] = [
  ["*** Add File:", "write"],
  ["*** Update File:", "append"],
  ["*** Delete File:", "delete"],
  ["*** Move to:", "write"],
];

/** Lines of a unified difference, and of git's own headers, that name a file. */
const named = /^(?:---|\+\+\+|\*\*\*|rename from|rename to|copy to|Index:) +(\S.*)$/;

/** Every file that the patch names, once for each time it is named. Linear in its length; never fails. */
export function patchedFiles(patch: string): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  for (const raw of patch.split("\n")) {
    const line = raw.trim();
    const header = headers.find(([start]) => line.startsWith(start));
    if (header !== undefined) {
      files.push({ operation: header[1], path: line.slice(header[0].length).trim(), strips: false });
      continue;
    }
    const [path = ""] = (named.exec(line)?.[1] ?? "").split("\t");
    const plain = path.replace(/^"(.*)"$/, "$1").trim();
    if (plain === "" || plain === "/dev/null" || plain === "Begin Patch" || plain === "End Patch") continue;
    files.push({
      operation: "append",
      path: plain,
      strips: /^(?:---|\+\+\+|\*\*\*)/.test(line),
    });
  }
  return files;
}

/** A path without its first `count` parts; the last one always stays. */
export function strippedPath(path: string, count: number): string {
  const parts = path.split(/\/+/);
  return parts.slice(Math.min(count, parts.length - 1)).join("/");
}
