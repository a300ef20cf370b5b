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

/** The same of bare text. */
export function activeTokens(text: string, expander: Expander): BraceToken[] {
  const tokens: BraceToken[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "\\") {
      // The end of a line behind it is not there at all.
      const next = text[++index];
      if (next !== undefined && next !== "\n") tokens.push(plain(next));
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
    const sequence = sequenceOf(inner);
    return sequence ?? [textAtoms(tokens)];
  }
  return items.flatMap((item) => expandBraces(tokensToAtoms(item, expander), expander));
}

function sequenceOf(inner: readonly BraceToken[]): Atom[][] | undefined {
  return braceSequence(inner.every((token) => typeof token === "string") ? inner.join("") : "");
}

/** Turns the tokens of a word back into atoms, with braces as brace atoms. */
export function tokensToAtoms(tokens: readonly BraceToken[], expander: Expander): Atom[] {
  const atoms: Atom[] = [];
  let from = 0;
  const lasts = lastBelow(tokens);
  const last = Math.max(tokens.lastIndexOf(","), lastDots(tokens));
  for (let at = 0; at < last; at++) {
    if (tokens[at] !== "{" || (at === from && tokens[at + 1] === "}")) continue;
    const end = lasts[at] === true ? closingBrace(tokens, at, expander) : undefined;
    if (end === undefined) continue;
    atoms.push(...textAtoms(tokens.slice(from, at)));
    const inner = tokens.slice(at + 1, end);
    if (inner.includes(",")) {
      atoms.push({ kind: "brace", alternatives: braceAlternatives(tokens.slice(at, end + 1), expander) });
    } else {
      const sequence = sequenceOf(inner);
      if (sequence !== undefined) atoms.push({ kind: "brace", alternatives: sequence });
      // What only looks like one is text as a whole, with the braces in it.
      else atoms.push(...textAtoms(tokens.slice(at, end + 1)));
    }
    from = end + 1;
    at = end;
  }
  atoms.push(...textAtoms(tokens.slice(from)));
  return atoms;
}

/** For each place, whether behind it more braces are closed than opened somewhere: only there one ends that opens here. */
function lastBelow(tokens: readonly BraceToken[]): boolean[] {
  const below: boolean[] = [];
  // The least depth behind a place, seen from there.
  let least = 0;
  for (let at = tokens.length - 1; at >= 0; at--) {
    below[at] = least < 0;
    if (tokens[at] === "{") least = Math.min(0, least + 1);
    else if (tokens[at] === "}") least = Math.min(0, least) - 1;
  }
  return below;
}

/** Where the last sequence (`..`) of a word stands. */
function lastDots(tokens: readonly BraceToken[]): number {
  for (let at = tokens.length - 1; at > 0; at--) if (tokens[at] === "." && tokens[at - 1] === ".") return at;
  return -1;
}

/**
 * The brace that closes the one at a place: the first one on its level behind a comma or `..`. Those without
 * either before them are text, as in `{a},b}`.
 */
function closingBrace(tokens: readonly BraceToken[], open: number, expander: Expander): number | undefined {
  let depth = 0;
  let separated = false;
  for (let at = open + 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "}" && depth === 0 && separated) {
      expander.step(1 + ((at - open) >> 4));
      return at;
    }
    if (token === "{") depth++;
    else if (token === "}" && depth > 0) depth--;
    else if (depth > 0) continue;
    else if (token === ",") separated = true;
    else if (token === "." && tokens[at + 1] === "." && tokens[at + 2] !== "}") separated = true;
  }
  expander.step(1 + ((tokens.length - open) >> 4));
  return undefined;
}

/** Tokens as atoms, with braces as text. */
function textAtoms(tokens: readonly BraceToken[]): Atom[] {
  const atoms: Atom[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") atoms.push({ kind: "text", text, quoted: false });
    text = "";
  };
  for (const token of tokens) {
    if (token === "*" || token === "?" || token === "[") {
      flush();
      atoms.push({ kind: "glob", text: token });
    } else if (typeof token === "string") text += token;
    else {
      flush();
      atoms.push(token);
    }
  }
  flush();
  return atoms;
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
    // It quotes what follows, and is not there itself.
    if (letters && letter === "\\") return [plain("")];
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
