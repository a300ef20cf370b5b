/** What stands between two values of a JSONC text: white space, comments, at most one comma. */

export interface Gap {
  /** Offset of a comma, when there is one. */
  readonly comma: number | undefined;
  /** Offset after the last comma or comment; the start of the gap when there is neither. */
  readonly tail: number;
  /** A line comment ends at `tail`. */
  readonly lineComment: boolean;
  /** Offset of the first character that belongs to no gap; `to` when there is none. */
  readonly stop: number;
}

/** Looks at the text of `[from, to)`. An unclosed comment counts as no part of the gap. */
export function gapBetween(text: string, from: number, to: number): Gap {
  let comma: number | undefined;
  let tail = from;
  let lineComment = false;
  let offset = from;
  while (offset < to) {
    const char = text[offset];
    if (char === " " || char === "\t" || char === "\r" || char === "\n") {
      offset++;
      continue;
    }
    if (char === "," && comma === undefined) {
      comma = offset++;
      lineComment = false;
    } else if (text.startsWith("//", offset)) {
      const newline = text.slice(offset, to).search(/[\r\n]/);
      offset = newline < 0 ? to : offset + newline;
      lineComment = true;
    } else if (text.startsWith("/*", offset)) {
      const end = text.indexOf("*/", offset + 2);
      if (end < 0 || end + 2 > to) break;
      offset = end + 2;
      lineComment = false;
    } else {
      break;
    }
    tail = offset;
  }
  return { comma, tail, lineComment, stop: offset };
}
