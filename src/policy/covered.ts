/** Whether what the policy names covers a program that would run. */

import { matchesGlob } from "../paths/glob.ts";
import type { Invocation } from "../shell/model.ts";

/** True when one of these commands (program and leading words, or globs) surely is what would run, and nothing more. */
export function isCovered(invocation: Invocation, allowed: readonly string[]): boolean {
  if (invocation.remote !== undefined || invocation.moreArguments || invocation.privileged) return false;
  // `./git` or `PATH=. git` is not the program that the policy means.
  if (invocation.word.text !== invocation.program || invocation.assignments.length > 0) return false;
  if (
    invocation.args.some((word) => !word.isStatic && word.pieces.some((piece) => piece.kind === "unknown"))
  ) {
    return false;
  }
  const writes = invocation.redirections.some((redirection) =>
    /^(?:[&]?>|<>)/.test(redirection.operator) && !/^(?:\d+-?|-|\/dev\/null)$/.test(redirection.target.text)
  );
  if (writes) return false;
  const words = [invocation.program, ...invocation.args.map((word) => word.text)];
  const text = words.join(" ");
  return allowed.some((entry) => {
    if (/[*?[]/.test(entry)) return matchesGlob(text, entry, { slashes: true });
    const wanted = entry.trim().split(/\s+/);
    return wanted.length <= words.length && wanted.every((word, index) => word === words[index]);
  });
}
