/** Comments `guard:allow <rule>` that stand at secrets. They count only where the policy says so, since agents write them. */

import type { Part } from "./structures.ts";

const WORD = "guard:allow";
/** What begins a comment in some language, at the end of what stands before the word. */
const OPENING = /(?:#|\/\/|\/\*|\*|<!--|--|;|%|\brem)[ \t]{0,20}$/i;
const IDS = /^[ \t]{1,20}([a-z0-9-]+\/[a-z0-9-]+(?:[ \t]*,[ \t]*[a-z0-9-]+\/[a-z0-9-]+)*)(?=\s|$|\*\/|-->)/;
/** Characters after the word in which the ids have to stand. */
const REACH = 300;

/**
 * Whether a comment names this rule on the line where a secret begins, or alone on the line above. Looks at a bounded
 * number of characters around it.
 */
export function isAllowed(text: string, { start }: Pick<Part, "start">, rule: string): boolean {
  const line = lineAround(text, start);
  if (commentIn(line.text, rule) !== undefined) return true;
  // A line that is cut off has none above it.
  if (line.start === 0 || text[line.start - 1] !== "\n") return false;
  const above = lineAround(text, line.start - 1).text;
  const before = commentIn(above, rule);
  return before !== undefined && before.replace(OPENING, "").trim() === "";
}

/** Longest line, to each side, in which a comment is looked for: in what is longer, nobody has put one. */
const maxLine = 2000;

function lineAround(text: string, at: number): { readonly start: number; readonly text: string } {
  let start = at;
  while (start > 0 && at - start < maxLine && text[start - 1] !== "\n") start--;
  let end = at;
  while (end < text.length && end - at < maxLine && text[end] !== "\n") end++;
  return { start, text: text.slice(start, end) };
}

/** What stands before the comment that names the rule, with what opens the comment. */
function commentIn(line: string, rule: string): string | undefined {
  for (let at = line.indexOf(WORD); at >= 0; at = line.indexOf(WORD, at + WORD.length)) {
    const before = line.slice(0, at);
    if (!OPENING.test(before.slice(-30))) continue;
    const from = at + WORD.length;
    const ids = IDS.exec(line.slice(from, from + REACH))?.[1];
    if (ids?.split(",").some((id) => id.trim() === rule)) return before;
  }
  return undefined;
}
