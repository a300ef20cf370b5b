/** Uses of paths that say the same again: a loop that is written out, or a flood that is to take time. */

import type { PathUse, Word } from "./shell/model.ts";

/** With fewer uses than this all of them are looked at: each has its own place in the text. */
const few = 64;

/** The uses without those that repeat an earlier one in every respect but their place in the text. */
export function distinctUses(uses: readonly PathUse[]): readonly PathUse[] {
  if (uses.length < few) return uses;
  const seen = new Set<string>();
  return uses.filter((use) => {
    const key = keyOf(use);
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Undefined for a use that depends on more than its own words. */
function keyOf({ operation, path, directory, recursive, filter, empties, remote, invocation }: PathUse) {
  if (invocation === undefined || remote !== undefined || !path.isStatic) return undefined;
  const { program, word, args, assignments, redirections, pipeline, stdin, provenance } = invocation;
  if (assignments.length > 0 || redirections.length > 0 || pipeline.length > 1 || stdin !== undefined) {
    return undefined;
  }
  if (args.length > 8 || !args.every(({ isStatic, text }) => isStatic && text.length < 200)) return undefined;
  if (path.text.length > 200 || (directory.alternatives?.length ?? 0) > 0) return undefined;
  return JSON.stringify([
    ...[operation, path.text, quotes(path), directory.path, directory.certain, recursive, filter, empties],
    ...[program, word.text, provenance, invocation.via.join(" "), invocation.privileged, invocation.dialect],
    ...[invocation.moreArguments, invocation.background],
    ...args.map((arg) => `${arg.text}\0${quotes(arg)}`),
  ]);
}

function quotes({ pieces }: Word): string {
  return pieces.map((piece) => piece.kind === "text" && piece.quoted === true ? "q" : "p").join("");
}
