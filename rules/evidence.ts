/** Naming what a finding is about. */

import type { Invocation } from "../src/shell/model.ts";
import type { Evidence } from "../src/types.ts";

/** The command as words, shortened. */
export function evidenceOf(invocation: Invocation): Evidence {
  return { text: commandText(invocation), span: invocation.span, ...withinOf(invocation) };
}

/** The file that holds an invocation, as a part of evidence. */
export function withinOf(invocation: Invocation | undefined): Pick<Evidence, "within"> {
  return invocation?.within === undefined ? {} : { within: invocation.within.text };
}

/** The program and its arguments, shortened to a length that a message can carry. */
function commandText(invocation: Invocation): string {
  return shorten([invocation.word, ...invocation.args].map((word) => word.text).join(" "), 120);
}

/** Cuts a text that is longer than `limit` and keeps it on one line. */
export function shorten(text: string, limit: number): string {
  const line = text.slice(0, limit * 2).replaceAll(/\s+/g, " ");
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
