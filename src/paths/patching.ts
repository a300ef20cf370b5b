/** Paths that programs change which take a patch. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, Word } from "../shell/model.ts";
import { staticWord } from "../words.ts";
import type { Draft } from "./draft.ts";
import { patchedFiles, strippedPath } from "./patches.ts";

/**
 * What a patch changes that stands on the command line.
 *
 * @param strips numbers of leading parts that may be stripped from a path
 */
export function patched(
  invocation: Invocation,
  strips: readonly number[],
  base?: Word,
  text: Word | undefined = invocation.stdin,
): readonly Draft[] {
  if (text === undefined) return [];
  const drafts: Draft[] = [];
  const seen = new Set<string>();
  for (const file of patchedFiles(text.text)) {
    for (const count of file.strips ? strips : [0]) {
      const path = strippedPath(file.path, Number.isInteger(count) ? count : 0);
      const key = `${file.operation} ${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      drafts.push({ operation: file.operation, path: staticWord(path, text.span), base });
    }
  }
  return drafts;
}

/** What `patch` changes: the file that is named, or those that the patch names. */
export function patch(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-p",
      "-i",
      "-d",
      "-o",
      "-r",
      "-B",
      "-D",
      "-F",
      "-V",
      "-Y",
      "-z",
      "--strip",
      "--input",
      "--directory",
      "--output",
    ],
  });
  if (parsed.has("--dry-run", "-C", "--check")) return [];
  const base = parsed.value("-d", "--directory");
  const [original, difference] = parsed.operands;
  const drafts: Draft[] = [];
  for (const path of parsed.values("-i", "--input")) drafts.push({ operation: "read", path, base });
  for (const path of parsed.values("-o", "--output")) drafts.push({ operation: "write", path, base });
  if (difference !== undefined) drafts.push({ operation: "read", path: difference, base });
  if (original !== undefined) return [...drafts, { operation: "append", path: original, base }];
  const strip = parsed.value("-p", "--strip")?.text;
  // Without a number the names lose all their directories.
  drafts.push(...patched(invocation, strip === undefined ? [0, 4096] : [Number(strip)], base));
  if (base !== undefined) drafts.push({ operation: "append", path: base, recursive: true });
  return drafts;
}

/** What `apply_patch` changes, which some hosts understand in a command. */
export function applyPatch(invocation: Invocation): readonly Draft[] {
  return [invocation.stdin, ...invocation.args].flatMap((text) =>
    text === undefined ? [] : patched(invocation, [0], undefined, text)
  );
}
