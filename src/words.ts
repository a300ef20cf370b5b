/** Small helpers on words: building static ones and taking parts of them. */

import type { Piece, Span, Word } from "./shell/model.ts";

const nowhere: Span = { start: 0, end: 0 };

/** A word whose bytes are all known. */
export function staticWord(text: string, span: Span = nowhere): Word {
  return { pieces: [{ kind: "text", text, quoted: true }], text, isStatic: true, hasGlob: false, span };
}

/** A word of which nothing is known; `source` is shown in messages. */
export function unknownWord(source: string, span: Span = nowhere): Word {
  return {
    pieces: [{ kind: "unknown", source, origin: "stdin", mayBeEmpty: false }],
    text: source,
    isStatic: false,
    hasGlob: false,
    span,
  };
}

/** Source text of a piece as it counts in `Word.text`. */
export function pieceText(piece: Piece): string {
  return piece.kind === "unknown" ? piece.source : piece.text;
}

/** A word made of these pieces. */
export function wordOf(pieces: readonly Piece[], span: Span): Word {
  return {
    pieces,
    text: pieces.map(pieceText).join(""),
    isStatic: pieces.every((piece) => piece.kind === "text"),
    hasGlob: pieces.some((piece) => piece.kind === "glob"),
    span,
  };
}

/** The word without its first `count` characters of text; an unknown or glob piece is never cut in two. */
export function dropStart(word: Word, count: number): Word {
  const pieces: Piece[] = [];
  let left = count;
  for (const piece of word.pieces) {
    const length = pieceText(piece).length;
    if (left >= length) {
      left -= length;
    } else if (left > 0 && piece.kind === "text") {
      pieces.push({ kind: "text", text: piece.text.slice(left), quoted: piece.quoted });
      left = 0;
    } else {
      pieces.push(piece);
      left = 0;
    }
  }
  return wordOf(pieces, word.span);
}

/** The literal text with which a word begins, up to its first glob or unknown piece. */
export function literalStart(word: Word): string {
  if (word.isStatic) return word.text;
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}
