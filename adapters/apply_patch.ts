/**
 * The patch language of Codex's `apply_patch`: one patch changes many files, and each becomes an action.
 * Format: https://github.com/openai/codex/blob/main/codex-rs/apply-patch/apply_patch_tool_instructions.md
 */

import { PayloadError } from "../src/errors.ts";
import type { Action } from "../src/types.ts";

interface FileChange {
  readonly operation: "write" | "edit" | "delete";
  readonly path: string;
  readonly movedTo: string[];
  readonly added: string[];
  readonly removed: string[];
}

const headers: readonly (readonly [string, FileChange["operation"]])[] = [
  ["*** Add File:", "write"],
  ["*** Update File:", "edit"],
  ["*** Delete File:", "delete"],
];
const moveHeader = "*** Move to:";

/**
 * The file actions of a patch, in order. A header counts even when it is indented, since the client accepts
 * that too. Throws PayloadError when the patch names no file.
 */
export function patchActions(patch: string): Action[] {
  const changes: FileChange[] = [];
  for (const raw of patch.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const change = changes.at(-1);
    const header = startOf(line);
    if (header !== undefined) changes.push(header);
    else if (change !== undefined && trimmed(line).startsWith(moveHeader)) {
      change.movedTo.push(trimmed(trimmed(line).slice(moveHeader.length)));
    } else if (line.startsWith("+")) change?.added.push(line.slice(1));
    else if (line.startsWith("-")) change?.removed.push(line.slice(1));
  }
  if (changes.length === 0) {
    throw new PayloadError("apply_patch: expected a patch that names at least one file, found none");
  }
  return changes.flatMap(actionsOf);
}

function startOf(line: string): FileChange | undefined {
  const header = trimmed(line);
  if (!header.startsWith("*** ")) return undefined;
  for (const [prefix, operation] of headers) {
    if (header.startsWith(prefix)) {
      return { operation, path: trimmed(header.slice(prefix.length)), movedTo: [], added: [], removed: [] };
    }
  }
  return undefined;
}

/** Without the white space of either language at the ends: U+0085 counts for the client and not for `trim`. */
function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line.charAt(start))) start++;
  while (end > start && isSpace(line.charAt(end - 1))) end--;
  return line.slice(start, end);
}

function isSpace(character: string): boolean {
  return character === "\u0085" || character.trim() === "";
}

function actionsOf(change: FileChange): Action[] {
  const { operation, path, movedTo } = change;
  const content = change.added.join("\n");
  const previous = change.removed.join("\n");
  if (operation === "delete") return [{ kind: "file", operation, path }];
  if (operation === "write") return [{ kind: "file", operation, path, content }];
  if (movedTo.length === 0) return [{ kind: "file", operation, path, content, previous }];
  return [
    { kind: "file", operation: "delete", path },
    ...movedTo.map((target): Action => ({ kind: "file", operation: "write", path: target, content })),
  ];
}
