/** Operators of parameter expansion: `${x:-word}`, `${x%pattern}`, `${x/a/b}`, `${x:1:2}` and the like. */

import type { ParameterExpansionPart, Word as SyntaxWord } from "unbash";
import { type Atom, plain, staticText, unknown } from "../pieces.ts";
import {
  compilePattern,
  matchesPattern,
  patternTextLimit,
  removePattern,
  replacePattern,
} from "../pattern.ts";
import { expandSingle, wordAtoms } from "../expand.ts";
import { asExpansion, type Expander } from "./expander.ts";
import { expandTilde } from "./fields.ts";
import { giveValue } from "../scope.ts";

/**
 * Carries out an operator; undefined when the result cannot be known.
 *
 * @param isUnset the parameter is surely not set
 */
export function operate(
  value: readonly Atom[] | undefined,
  part: ParameterExpansionPart,
  quoted: boolean,
  expander: Expander,
  isUnset = false,
): readonly Atom[] | undefined {
  const operation = part.operation!;
  const text = staticText(value);
  switch (operation.type) {
    case "Default": {
      const operator = operation.operator;
      const colon = operator[0] === ":";
      const kind = operator[operator.length - 1]!;
      const operand = () => {
        const atoms = wordAtoms(operation.operand, expander, true);
        const tilde = quoted ? atoms : expandTilde(atoms, expander, false);
        return quoted
          ? asExpansion(tilde, true)
          : tilde.map((atom): Atom => atom.kind === "text" && !atom.quoted ? { ...atom, split: true } : atom);
      };
      const empty = value !== undefined && colon && text === "";
      const missing = value === undefined || isUnset || empty;
      // Nobody knows whether it is there: a variable that the line does not set, or a value that may be empty.
      const open = value === undefined || (!missing && colon && mayBeNothing(value));
      if (kind === "+") {
        if (missing && !open) return [];
        const atoms = operand();
        return open && expander.choose(`${operator}${part.parameter}`, 2) === 1 ? [] : atoms;
      }
      if (kind === "?") {
        if (missing || open) operand();
        return missing ? undefined : asExpansion(value, quoted);
      }
      if (!missing) {
        if (open) operand();
        return asExpansion(value, quoted);
      }
      const atoms = operand();
      if (kind === "=" && /^[A-Za-z_]/.test(part.parameter)) {
        giveValue(part.parameter, atoms, expander.scope);
      }
      return atoms;
    }
    case "Remove": {
      const pattern = compilePattern(wordAtoms(operation.operand, expander, true));
      if (pattern === undefined || value === undefined) return undefined;
      if (text === undefined || text.length > patternTextLimit) {
        return removeFromPartly(value, operation.operator, operation.operand.text);
      }
      expander.step(text.length * (1 + pattern.length));
      return [plain(removePattern(text, operation.operator, pattern))];
    }
    case "Replace": {
      const pattern = compilePattern(wordAtoms(operation.pattern, expander, true));
      const replacement = staticText(expandSingle(operation.replacement, expander));
      if (pattern === undefined || replacement === undefined || text === undefined) return undefined;
      if (pattern.every((token) => token.kind === "char")) {
        return [
          plain(replaceLiteral(
            text,
            operation.operator,
            pattern.map((token) => token.kind === "char" ? token.char : "").join(""),
            replacement,
          )),
        ];
      }
      if (text.length > 64) return undefined;
      expander.step(text.length * text.length * (1 + pattern.length));
      return [plain(replacePattern(text, operation.operator, pattern, replacement))];
    }
    case "Slice": {
      const start = smallNumber(operation.offset, expander);
      const length = operation.length === undefined ? undefined : smallNumber(operation.length, expander);
      if (text === undefined || start === undefined) return undefined;
      const count = operation.length === undefined ? text.length : length;
      if (count === undefined) return undefined;
      const from = start < 0 ? text.length + start : start;
      if (from < 0) return [];
      const to = count < 0 ? text.length + count : from + count;
      return [plain(text.slice(from, to))];
    }
    case "CaseModification": {
      const change = (char: string) =>
        operation.operator[0] === "^" ? char.toUpperCase() : char.toLowerCase();
      const pattern = operation.operand === undefined || operation.operand.text === ""
        ? undefined
        : compilePattern(wordAtoms(operation.operand, expander, true));
      if (text === undefined) return undefined;
      if (operation.operand !== undefined && operation.operand.text !== "" && pattern === undefined) {
        return undefined;
      }
      expander.step(text.length);
      const all = operation.operator.length === 2;
      return [
        plain(
          [...text].map((char, index) =>
            (all || index === 0) && (pattern === undefined || matchesPattern(pattern, char))
              ? change(char)
              : char
          ).join(""),
        ),
      ];
    }
    case "Transform": {
      const kind = operation.operand.text;
      if (kind === "P") {
        if (value === undefined || text === undefined || /`|\$\(/.test(text)) {
          expander.promptExpansion(value ?? [unknown(part.text, "variable", { name: part.parameter })], part);
          return undefined;
        }
        return /[$\\]/.test(text) ? undefined : value;
      }
      if (text === undefined) return undefined;
      if (kind === "U") return [plain(text.toUpperCase())];
      if (kind === "L") return [plain(text.toLowerCase())];
      if (kind === "u") return [plain(text.slice(0, 1).toUpperCase() + text.slice(1))];
      if (kind === "Q" && isUnset) return [];
      // Control characters are written in another way.
      // deno-lint-ignore no-control-regex
      if (kind === "Q" && /[\0-\x1f\x7f-\uffff]/.test(text)) return undefined;
      if (kind === "Q") return [plain(`'${text.replaceAll("'", "'\\''")}'`)];
      return undefined;
    }
    default:
      return undefined;
  }
}

/**
 * `${list[@]:from:count}`
 *
 * @param keys of an array with gaps: there the offset is a key
 */
export function sliceList(
  list: readonly (readonly Atom[])[],
  offset: SyntaxWord,
  length: SyntaxWord | undefined,
  expander: Expander,
  keys?: ReadonlyMap<string, unknown>,
): readonly (readonly Atom[])[] | undefined {
  const start = smallNumber(offset, expander);
  const count = length === undefined ? list.length : smallNumber(length, expander);
  if (start === undefined || count === undefined) return undefined;
  const places = keys === undefined ? undefined : [...keys.keys()].map(Number);
  if (places?.some(Number.isNaN)) return undefined;
  const last = places === undefined ? list.length - 1 : Math.max(...places, -1);
  const from = start < 0 ? last + 1 + start : start;
  // Before the beginning there is nothing.
  if (from < 0) return [];
  const first = places === undefined ? from : places.findIndex((place) => place >= from);
  return first < 0 ? [] : list.slice(first, first + Math.max(0, count));
}

/** An offset or a length, which are expressions. */
function smallNumber(word: SyntaxWord, expander: Expander): number | undefined {
  const atoms = expandSingle(word, expander);
  // Nothing at all is zero.
  const value = staticText(atoms)?.trim() === "" ? 0 : expander.arithmetic(atoms);
  return value !== undefined && Math.abs(value) < 1_000_000 ? value : undefined;
}

/** True for a value of which nothing is left when what is unknown in it is empty. */
function mayBeNothing(value: readonly Atom[]): boolean {
  return value.some((atom) => atom.kind === "unknown") &&
    value.every((atom) =>
      atom.kind === "unknown" ? atom.mayBeEmpty : atom.kind === "text" && atom.text === ""
    );
}

function replaceLiteral(
  text: string,
  operator: "/" | "//" | "/#" | "/%",
  pattern: string,
  by: string,
): string {
  if (pattern === "") return operator === "/#" ? by + text : operator === "/%" ? text + by : text;
  if (operator === "/#") return text.startsWith(pattern) ? by + text.slice(pattern.length) : text;
  if (operator === "/%") return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text;
  if (operator === "//") return text.length * by.length > 1 << 20 ? text : text.replaceAll(pattern, () => by);
  return text.replace(pattern, () => by);
}

/** `${x%/}` and `${x%/*}` of a value that ends in known text: the unknown front stays. */
function removeFromPartly(
  value: readonly Atom[],
  operator: string,
  pattern: string,
): readonly Atom[] | undefined {
  const last = value[value.length - 1];
  if (operator !== "%" || last?.kind !== "text") return undefined;
  if (pattern === "/*") {
    const slash = last.text.lastIndexOf("/");
    return slash < 0 ? undefined : [...value.slice(0, -1), { ...last, text: last.text.slice(0, slash) }];
  }
  if (/[*?\[\\$`'"]/.test(pattern) || !last.text.endsWith(pattern)) return undefined;
  return [...value.slice(0, -1), { ...last, text: last.text.slice(0, -pattern.length) }];
}
