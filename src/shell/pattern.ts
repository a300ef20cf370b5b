/** Shell patterns on constant text (`${x#pattern}`, `case`), matched without backtracking blow-up. */

import type { Atom } from "./pieces.ts";

type Token =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly [string, string][] };

/** A compiled shell pattern. */
export type Pattern = readonly Token[];

/** A character of a pattern; `quoted` means that it stands for itself. */
interface Char {
  readonly char: string;
  readonly quoted: boolean;
}

/** Compiles expanded atoms; undefined when a piece is unknown or an extended pattern is used. */
export function compilePattern(atoms: readonly Atom[]): Pattern | undefined {
  const chars: Char[] = [];
  for (const atom of atoms) {
    if (atom.kind !== "text" && atom.kind !== "glob") return undefined;
    const quoted = atom.kind === "text" && atom.quoted;
    let escaped = false;
    for (const char of atom.text) {
      // In a pattern that an expansion has made a backslash quotes.
      if (char === "\\" && !quoted && !escaped) escaped = true;
      else {
        chars.push({ char, quoted: quoted || escaped });
        escaped = false;
      }
    }
    if (escaped) chars.push({ char: "\\", quoted: true });
  }
  return compileChars(chars);
}

function compileChars(chars: readonly Char[]): Pattern | undefined {
  const tokens: Token[] = [];
  const is = (at: number, signs: string) =>
    at < chars.length && !chars[at]!.quoted && signs.includes(chars[at]!.char);
  for (let index = 0; index < chars.length; index++) {
    const { char } = chars[index]!;
    if (is(index, "(") && index > 0 && is(index - 1, "?*+@!")) return undefined;
    if (is(index, "*")) tokens.push({ kind: "star" });
    else if (is(index, "?")) tokens.push({ kind: "any" });
    else if (is(index, "[")) {
      let end = index + 1;
      const negated = is(end, "!^");
      if (negated) end++;
      const start = end;
      if (is(end, "]")) end++;
      while (end < chars.length && !is(end, "]")) end++;
      if (end >= chars.length) {
        tokens.push({ kind: "char", char });
        continue;
      }
      const ranges: [string, string][] = [];
      for (let at = start; at < end; at++) {
        if (is(at, "[") && is(at + 1, ":.=")) return undefined;
        const one = chars[at]!.char;
        if (is(at + 1, "-") && at + 2 < end) {
          ranges.push([one, chars[at + 2]!.char]);
          at += 2;
        } else ranges.push([one, one]);
      }
      tokens.push({ kind: "class", negated, ranges });
      index = end;
    } else tokens.push({ kind: "char", char });
  }
  return tokens;
}

/** True when the pattern matches all of the text. */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const chars = [...text];
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    const current = pattern[token];
    if (current?.kind === "star") {
      star = token++;
      starAt = at;
    } else if (current !== undefined && matchesOne(current, chars[at]!)) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (pattern[token]?.kind === "star") token++;
  return token === pattern.length;
}

function matchesOne(token: Token, char: string): boolean {
  if (token.kind === "any") return true;
  if (token.kind === "char") return token.char === char;
  if (token.kind === "class") {
    return token.negated !== token.ranges.some(([low, high]) => low <= char && char <= high);
  }
  return false;
}

/** Longest text on which pattern operators are carried out; longer values stay unknown. */
export const patternTextLimit = 512;

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}` on known text. */
export function removePattern(text: string, operator: "#" | "##" | "%" | "%%", pattern: Pattern): string {
  const lengths = Array.from({ length: text.length + 1 }, (_, index) => index);
  if (operator.length === 2) lengths.reverse();
  for (const length of lengths) {
    if (operator[0] === "#") {
      if (matchesPattern(pattern, text.slice(0, length))) return text.slice(length);
    } else if (matchesPattern(pattern, text.slice(text.length - length))) {
      return text.slice(0, text.length - length);
    }
  }
  return text;
}

/** `${x/p/r}`, `//`, `/#`, `/%` on known text. */
export function replacePattern(
  text: string,
  operator: "/" | "//" | "/#" | "/%",
  pattern: Pattern,
  replacement: string,
): string {
  let result = "";
  let at = 0;
  while (at <= text.length) {
    let length = -1;
    for (let end = text.length; end >= at; end--) {
      if (operator === "/%" && end !== text.length) break;
      if (matchesPattern(pattern, text.slice(at, end))) {
        length = end - at;
        break;
      }
    }
    if (length > 0 || (length === 0 && (operator === "/#" || operator === "/%"))) {
      result += replacement;
      at += length;
      if (operator !== "//") return result + text.slice(at);
    } else {
      if (operator === "/#") return text;
      if (at < text.length) result += text[at];
      at++;
    }
  }
  return result;
}
