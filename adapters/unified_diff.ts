/** The unified format of `git diff`: one action for each file. */

import { PayloadError } from "../src/errors.ts";
import type { Action } from "../src/types.ts";

interface Change {
  readonly path: string;
  operation: "write" | "edit" | "delete";
  readonly added: string[];
  readonly removed: string[];
}

/**
 * The file actions of a difference that git made with the prefixes `a/` and `b/` and without renames. Lines of files
 * are told from headers by the counts of their hunk, not by how they begin. Throws PayloadError for anything else.
 */
export function diffActions(text: string): Action[] {
  const changes: Change[] = [];
  let minus = 0;
  let plus = 0;
  for (const line of text.split("\n")) {
    const change = changes.at(-1);
    if (change !== undefined && (minus > 0 || plus > 0) && /^[-+ ]/.test(line)) {
      if (!line.startsWith("+")) minus--;
      if (!line.startsWith("-")) plus--;
      if (line.startsWith("+")) change.added.push(line.slice(1));
      if (line.startsWith("-")) change.removed.push(line.slice(1));
      continue;
    }
    const counts = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (counts !== null) {
      minus = Number(counts[1] ?? 1);
      plus = Number(counts[2] ?? 1);
    } else if (line.startsWith("diff --git ")) {
      changes.push({
        path: pathOf(line.slice("diff --git ".length)),
        operation: "edit",
        added: [],
        removed: [],
      });
    } else if (change !== undefined && line.startsWith("new file mode ")) {
      change.operation = "write";
    } else if (change !== undefined && line.startsWith("deleted file mode ")) {
      change.operation = "delete";
    } else if (change === undefined && line !== "") {
      throw new PayloadError("expected a difference in git's form on stdin, found other text");
    }
  }
  return changes.map(({ path, operation, added, removed }): Action => {
    if (operation === "delete") return { kind: "file", operation, path };
    const content = added.join("\n");
    return operation === "write"
      ? { kind: "file", operation, path, content }
      : { kind: "file", operation, path, content, previous: removed.join("\n") };
  });
}

/** The path of `a/PATH b/PATH`: both are the same, which tells where a blank in it is. */
function pathOf(header: string): string {
  const path = header.startsWith('"')
    ? unquoted(header.slice(0, (header.length - 1) / 2))
    : header.slice(0, (header.length - 1) / 2);
  if (!path.startsWith("a/") || header.length % 2 === 0) {
    throw new PayloadError("expected the paths a/PATH and b/PATH in the difference, found others");
  }
  return path.slice(2);
}

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** A path in quotes, as git writes those with special characters: escapes of C, octal ones for bytes. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const inner = text.slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== "\\") {
      const character = String.fromCodePoint(inner.codePointAt(at)!);
      bytes.push(...new TextEncoder().encode(character));
      at += character.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(inner.slice(at + 1, at + 4))?.[0];
    bytes.push(octal === undefined ? escapes[inner[at + 1] ?? ""] ?? 92 : parseInt(octal, 8));
    at += octal === undefined ? 1 : 3;
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
