/** Pieces of words while they are expanded, and the words made of them. */

import type { Invocation, Piece, Span, UnknownOrigin, Word } from "./model.ts";

/** Text during expansion; `split` marks the result of an unquoted expansion, which is split into fields. */
export interface TextAtom {
  readonly kind: "text";
  readonly text: string;
  readonly quoted: boolean;
  readonly split?: boolean;
}

/** A piece during expansion. `break` is a field boundary (`"$@"`), `brace` a brace expansion not yet done. */
export type Atom =
  | TextAtom
  | Exclude<Piece, { kind: "text" }>
  | { readonly kind: "break" }
  | { readonly kind: "brace"; readonly alternatives: readonly (readonly Atom[])[] };

/** Text that needs no further expansion. */
export function plain(text: string): TextAtom {
  return { kind: "text", text, quoted: true };
}

/** An unknown piece. */
export function unknown(
  source: string,
  origin: UnknownOrigin,
  more: { name?: string; mayBeEmpty?: boolean; invocations?: readonly Invocation[] } = {},
): Extract<Piece, { kind: "unknown" }> {
  return { kind: "unknown", source, origin, mayBeEmpty: true, ...more };
}

/** Joins neighbouring text of the same kind and drops what is only needed during expansion. */
function toPieces(atoms: readonly Atom[]): Piece[] {
  const pieces: Piece[] = [];
  let text: string[] = [];
  let quoted = false;
  const flush = () => {
    if (text.length > 0) pieces.push({ kind: "text", text: text.join(""), quoted });
    text = [];
  };
  for (const atom of atoms) {
    if (atom.kind === "text") {
      if (atom.text === "") continue;
      if (text.length > 0 && atom.quoted !== quoted) flush();
      quoted = atom.quoted;
      text.push(atom.text);
    } else if (atom.kind === "glob" || atom.kind === "unknown") {
      flush();
      pieces.push(atom);
    }
  }
  flush();
  return pieces;
}

/** Builds a word of the model from expanded atoms. */
export function makeWord(atoms: readonly Atom[], span: Span): Word {
  const pieces = toPieces(atoms);
  return {
    pieces,
    text: piecesText(pieces),
    isStatic: pieces.every((piece) => piece.kind === "text"),
    hasGlob: pieces.some((piece) => piece.kind === "glob"),
    span,
  };
}

/** True for a word of which nothing is left when what is unknown in it is empty: `$x`, but not `"$x"`. */
export function mayVanish({ pieces }: Word): boolean {
  return pieces.length > 0 &&
    pieces.every((piece) => piece.kind === "unknown" && piece.mayBeEmpty && piece.quoted !== true);
}

/** A word whose text is known. */
export function textWord(text: string, span: Span): Word {
  return makeWord([plain(text)], span);
}

/** All text joined, globs as written, unknown pieces as their source text. */
export function piecesText(pieces: readonly (Piece | Atom)[]): string {
  if (pieces.length === 1 && pieces[0]?.kind === "text") return pieces[0].text;
  const parts: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === "text" || piece.kind === "glob") parts.push(piece.text);
    else if (piece.kind === "unknown") parts.push(piece.source);
  }
  return parts.join("");
}

/** The exact text, or undefined when a piece is not known. */
export function staticText(pieces: readonly (Piece | Atom)[] | undefined): string | undefined {
  if (pieces === undefined) return undefined;
  const parts: string[] = [];
  for (const piece of pieces) {
    if (piece.kind !== "text") return undefined;
    parts.push(piece.text);
  }
  return parts.join("");
}

/** The part of a word from a text offset on; the offset must lie in leading text. */
export function dropText(word: Word, count: number): Word {
  return makeWord(dropAtoms(word.pieces, count), word.span);
}

/** Atoms without the first `count` characters of text. */
export function dropAtoms(atoms: readonly Atom[], count: number): Atom[] {
  const rest: Atom[] = [];
  let left = count;
  for (const atom of atoms) {
    if (left > 0 && (atom.kind === "text" || atom.kind === "glob")) {
      if (atom.text.length <= left) {
        left -= atom.text.length;
        continue;
      }
      rest.push({ ...atom, text: atom.text.slice(left) });
      left = 0;
    } else {
      left = 0;
      rest.push(atom);
    }
  }
  return rest;
}

/** Values with spaces between them, as `"$*"` and `echo` join them. */
export function joinAtoms(groups: readonly (readonly Atom[])[], separator = " "): Atom[] {
  const joined: Atom[] = [];
  groups.forEach((group, index) => {
    if (index > 0) joined.push(plain(separator));
    joined.push(...group);
  });
  return joined;
}

/** One value behind another. */
export function concat(first: readonly Atom[], second: readonly Atom[]): readonly Atom[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return [...first, ...second];
}

/** Splits at white space; quoted text in it is text like any other. */
export function splitWhite(atoms: readonly Atom[], separator = /\s+/): Atom[][] {
  const fields: Atom[][] = [];
  let field: Atom[] | undefined;
  for (const atom of atoms) {
    if (atom.kind !== "text") {
      (field ??= []).push(atom);
      continue;
    }
    const chunks = atom.text.split(separator);
    chunks.forEach((chunk, index) => {
      if (index > 0 && field !== undefined) {
        fields.push(field);
        field = undefined;
      }
      if (chunk !== "") (field ??= []).push(plain(chunk));
    });
  }
  if (field !== undefined) fields.push(field);
  return fields;
}
