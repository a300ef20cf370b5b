/** A piece of a text marked with carets below it, as compilers show places. */

import { visibleCharacter } from "../visible.ts";
import type { Span } from "../shell/model.ts";
import { characterWidth } from "./terminal.ts";

export interface Underlined {
  /** The line of the text that the span begins in, cut around the span when it is long. */
  readonly text: string;
  /** Blanks and carets; the carets stand below the span. */
  readonly carets: string;
  /** From 1. */
  readonly line: number;
}

/** How much of what stands before the span is shown when the line has to be cut, in columns. */
const BEFORE = 30;

/**
 * Marks a span. Control characters are written as escapes, and wide characters count as two columns, so
 * that the carets stand where they should. A span over several lines is marked to the end of its first.
 *
 * @param columns Most columns that the text may take.
 */
export function underline(source: string, span: Span, columns = 100): Underlined {
  const start = Math.max(0, Math.min(span.start, source.length));
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const feed = source.indexOf("\n", start);
  const lineEnd = feed < 0 ? source.length : feed;
  const end = Math.max(start, Math.min(span.end, lineEnd));
  let before = pieces(source.slice(lineStart, start));
  let marked = pieces(source.slice(start, end));
  let after = pieces(source.slice(end, lineEnd));
  if (total(before) + total(marked) + total(after) > columns) {
    before = total(before) > BEFORE ? [ellipsis, ...tail(before, BEFORE - 1)] : before;
    const room = Math.max(10, columns - total(before));
    marked = total(marked) > room ? [...head(marked, room - 1), ellipsis] : marked;
    const rest = Math.max(0, room - total(marked));
    after = total(after) > rest
      ? [...head(after, Math.max(0, rest - 1)), ...(rest > 0 ? [ellipsis] : [])]
      : after;
  }
  return {
    text: [...before, ...marked, ...after].map((piece) => piece.text).join(""),
    carets: " ".repeat(total(before)) + "^".repeat(Math.max(1, total(marked))),
    line: source.slice(0, lineStart).split("\n").length,
  };
}

interface Piece {
  readonly text: string;
  readonly width: number;
}

const ellipsis: Piece = { text: "…", width: 1 };

function pieces(text: string): Piece[] {
  return Array.from(text, (character) => {
    const shown = visibleCharacter(character);
    return { text: shown, width: shown === character ? characterWidth(character) : shown.length };
  });
}

function total(list: readonly Piece[]): number {
  return list.reduce((sum, piece) => sum + piece.width, 0);
}

function head(list: readonly Piece[], columns: number): Piece[] {
  let used = 0;
  const kept: Piece[] = [];
  for (const piece of list) {
    used += piece.width;
    if (used > columns) break;
    kept.push(piece);
  }
  return kept;
}

function tail(list: readonly Piece[], columns: number): Piece[] {
  return head([...list].reverse(), columns).reverse();
}
