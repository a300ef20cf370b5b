/** Brace expansion: `{a,b}` and `{1..9}`. */

import type { WordPart } from "unbash";
import { type Atom, piecesText, plain, unknown } from "../pieces.ts";
import { type Expander, placeholderEnd, placeholderStart, withPlaceholders } from "./expander.ts";

/** Longest sequence of which every member becomes a word. */
const maxSequence = 128;
/** Most words that the braces of one word make. */
const maxBraceWords = 1024;

/** An active character of a brace expansion, or what is quoted or expanded in it. */
export type BraceToken = string | Atom;

/**
 * Active characters of a brace expansion, and atoms for everything that is quoted or expanded.
 *
 * @param expandPart expands a part that is no brace expansion
 */
export function braceTokens(
  part: Extract<WordPart, { type: "BraceExpansion" }>,
  expander: Expander,
  expandPart: (part: WordPart) => Atom[],
): BraceToken[] {
  if (part.parts === undefined) return activeTokens(part.text, expander);
  // The parts are what stands between the braces.
  const tokens: BraceToken[] = ["{"];
  for (const child of part.parts) {
    if (child.type === "BraceExpansion") {
      for (const token of braceTokens(child, expander, expandPart)) tokens.push(token);
    } else if (child.type === "Literal") {
      for (const token of activeTokens(child.text, expander)) tokens.push(token);
    } else for (const atom of expandPart(child)) tokens.push(atom);
  }
  tokens.push("}");
  return tokens;
}

function activeTokens(text: string, expander: Expander): BraceToken[] {
  const tokens: BraceToken[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "\\") {
      if (index + 1 < text.length) tokens.push(plain(text[++index]!));
    } else if (char === placeholderStart) {
      const end = text.indexOf(placeholderEnd, index);
      if (end < 0) tokens.push(char);
      else {
        tokens.push(...withPlaceholders(text.slice(index, end + 1), false, expander));
        index = end;
      }
    } else tokens.push(char);
  }
  return tokens;
}

/** Alternatives of the brace expansion that spans all tokens. */
export function braceAlternatives(tokens: readonly BraceToken[], expander: Expander): Atom[][] {
  expander.step(1 + (tokens.length >> 2));
  const inner = tokens.slice(1, -1);
  const items: BraceToken[][] = [[]];
  let depth = 0;
  for (const token of inner) {
    if (token === "," && depth === 0) {
      items.push([]);
      continue;
    }
    if (token === "{") depth++;
    if (token === "}" && depth > 0) depth--;
    items[items.length - 1]!.push(token);
  }
  if (items.length === 1) {
    const sequence = braceSequence(inner.every((token) => typeof token === "string") ? inner.join("") : "");
    return sequence ?? [tokensToAtoms(tokens, expander)];
  }
  return items.flatMap((item) => expandBraces(tokensToAtoms(item, expander), expander));
}

/** Turns tokens back into atoms, with nested braces as brace atoms. */
function tokensToAtoms(tokens: readonly BraceToken[], expander: Expander): Atom[] {
  const closing = matchBraces(tokens);
  const atoms: Atom[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") atoms.push({ kind: "text", text, quoted: false });
    text = "";
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const end = closing.get(index);
    if (end !== undefined) {
      const whole = tokens.slice(index, end + 1);
      if (isBraceExpansion(whole)) {
        flush();
        atoms.push({ kind: "brace", alternatives: braceAlternatives(whole, expander) });
        index = end;
        continue;
      }
    }
    if (typeof token === "string") {
      if (token === "*" || token === "?") {
        flush();
        atoms.push({ kind: "glob", text: token });
      } else text += token;
    } else {
      flush();
      atoms.push(token);
    }
  }
  flush();
  return atoms;
}

function matchBraces(tokens: readonly BraceToken[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token === "{") open.push(index);
    else if (token === "}" && open.length > 0) closing.set(open.pop()!, index);
  });
  return closing;
}

function isBraceExpansion(tokens: readonly BraceToken[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (token === "," && depth === 1) return true;
  }
  const inner = tokens.slice(1, -1);
  return inner.every((token) => typeof token === "string") && braceSequence(inner.join("")) !== undefined;
}

function braceSequence(text: string): Atom[][] | undefined {
  const numbers = /^(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?$/.exec(text);
  const letters = numbers === null ? /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?[0-9]{1,9}))?$/.exec(text) : null;
  const match = numbers ?? letters;
  if (match === null) return undefined;
  const first = numbers ? Number(match[1]) : match[1]!.charCodeAt(0);
  const last = numbers ? Number(match[2]) : match[2]!.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)));
  const padded = numbers !== null && (/^-?0[0-9]/.test(match[1]!) || /^-?0[0-9]/.test(match[2]!));
  const width = padded ? Math.max(match[1]!.length, match[2]!.length) : 0;
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  const render = (value: number): Atom[] => {
    const letter = String.fromCharCode(value);
    if (letters) return [{ kind: "text", text: letter, quoted: !/[A-Za-z]/.test(letter) }];
    const sign = value < 0 ? "-" : "";
    const digits = String(Math.abs(value)).padStart(Math.max(0, width - sign.length), "0");
    return [{ kind: "text", text: sign + digits, quoted: false }];
  };
  const direction = first <= last ? step : -step;
  if (count > maxSequence) {
    return [render(first), [unknown(`{${text}}`, "limit", { mayBeEmpty: false })], render(last)];
  }
  return Array.from({ length: count }, (_, index) => render(first + index * direction));
}

/** True for a word of a sequence, or one like it. */
function isCounted(atoms: readonly Atom[]): boolean {
  return atoms.every((atom) =>
    atom.kind === "unknown" || (atom.kind === "text" && /^[A-Za-z0-9]*$/.test(atom.text))
  );
}

/** The words that brace expansion makes; more than a person writes stay one word with an unknown piece. */
export function expandBraces(atoms: readonly Atom[], expander: Expander): Atom[][] {
  if (!atoms.some((atom) => atom.kind === "brace")) return [[...atoms]];
  let words: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.kind !== "brace") {
      for (const word of words) word.push(atom);
      continue;
    }
    const count = words.length * atom.alternatives.length;
    expander.step(count);
    if (count > maxBraceWords) {
      // Numbers and letters are alike; whatever else so many words hold is not followed.
      if (!atom.alternatives.every(isCounted)) expander.step(Infinity);
      for (const word of words) {
        word.push(unknown(piecesText(atom.alternatives.flat()).slice(0, 40), "limit"));
      }
      continue;
    }
    words = words.flatMap((word) => atom.alternatives.map((alternative) => [...word, ...alternative]));
  }
  return words;
}
