/** Editors: commands in their options and on their standard input. */

import type { Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { type Atom, dropText, plain, staticText } from "./pieces.ts";
import { nested } from "./nested.ts";

/** Vim and its kin: `-c '!command'`; line editors read such lines from standard input. */
export function runEditor(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const frame = nested(call, "interpreter", call.program, { stdin: undefined, moreArguments: false });
  const command = (atoms: readonly Atom[], span: Word["span"]) => {
    const first = atoms[0];
    const match = first?.kind === "text"
      ? /^[\s:]*(?:silent\s+)?(?:[%.,$0-9]*\s*(?:r|read|w|write)?\s*!|(?:ter(?:minal)?|exe(?:cute)?)\s+)/
        .exec(first.text)
      : null;
    if (match !== null && first?.kind === "text") {
      evaluation.runCode([{ ...first, text: first.text.slice(match[0].length) }, ...atoms.slice(1)], span, {
        ...call.scope,
      }, frame);
      return;
    }
    const called = first?.kind === "text"
      ? /\bsystem(?:list)?\(\s*(['"])(.*?)\1/.exec(first.text.slice(0, 4000))
      : null;
    if (called !== null) evaluation.runCode([plain(called[2]!)], span, { ...call.scope }, frame);
  };
  call.args.forEach((word, index) => {
    const before = call.args[index - 1]?.text ?? "";
    if (/^-[a-zA-Z]*c$|^--cmd$/.test(before)) command(word.pieces, word.span);
    else if (/^\+./.test(word.text)) command(dropText(word, 1).pieces, word.span);
  });
  const text = staticText(call.frame.stdin?.atoms);
  if (text !== undefined && /^(?:ed|ex|red|vim?|nvim)$/.test(call.program)) {
    for (const line of text.split("\n")) {
      evaluation.step();
      if (/^[\s:%.,$0-9]*(?:r|w)?\s*!/.test(line)) command([plain(line)], call.span);
    }
  }
  return undefined;
}
