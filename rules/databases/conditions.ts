/** Conditions that restrict nothing: `WHERE 1 = 1`. */

import { isMark, isWord, type SqlToken } from "./sql.ts";

/** Words that end a condition. */
const ends = ["RETURNING", "LIMIT", "ORDER", "OPTION", "SETTINGS", "ON", "USING", "IF"];

/**
 * True when a condition holds for every row as far as can be told from its words.
 *
 * @param base number of parentheses around the WHERE
 */
export function isAlwaysTrue(condition: readonly SqlToken[], base: number): boolean {
  const until = condition.findIndex((token) => token.depth === base && isWord(token, ...ends));
  const own = until < 0 ? condition : condition.slice(0, until);
  if (own.length === 0) return true;
  let least = Infinity;
  for (const token of own) {
    if (token.depth < least && !isMark(token, "(") && !isMark(token, ")")) least = token.depth;
  }
  // OR splits: one side that is always true is enough. AND: all have to be.
  for (const side of split(own, "OR", least)) {
    if (split(side, "AND", least).every(isTrivial)) return true;
  }
  return false;
}

function split(tokens: readonly SqlToken[], word: string, depth: number): readonly (readonly SqlToken[])[] {
  const sides: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.depth === depth && isWord(token, word)) sides.push([]);
    else sides.at(-1)!.push(token);
  }
  return sides;
}

/** A comparison that holds for every row. */
function isTrivial(side: readonly SqlToken[]): boolean {
  const tokens = side.filter((token) => !isMark(token, "(") && !isMark(token, ")"));
  if (tokens.length === 0) return false;
  const constant = (token: SqlToken) =>
    token.kind === "number" || token.kind === "string" ||
    isWord(token, "TRUE", "FALSE", "NOT", "NULL", "IS", "LIKE", "IN") ||
    (token.kind === "mark" && /[=<>!+*/%,-]/.test(token.text));
  if (tokens.every(constant)) return !isFalse(tokens);
  const [left, ...rest] = tokens;
  const said = rest.map((token) => token.text).join(" ");
  if (left?.kind !== "word" && left?.kind !== "name") return false;
  if (said === "IS NOT NULL") return true;
  if (said === `= ${left.text}` || said === `> = ${left.text}` || said === `< = ${left.text}`) return true;
  if (rest.length === 2 && isWord(rest[0], "LIKE", "ILIKE") && /^%+$/.test(rest[1]!.text)) return true;
  return /^(?:\w+_)?id$/i.test(left.text) &&
    /^(?:> (?:- )?[01]|> = (?:- )?[01]|! = (?:- )?[01]|< > (?:- )?[01]|(?:> - 1))$/.test(said);
}

/** `1=0`, `false`, `0`: such a statement touches no row. */
function isFalse(tokens: readonly SqlToken[]): boolean {
  if (tokens.length === 1) return isWord(tokens[0], "FALSE", "NULL") || /^0+$/.test(tokens[0]!.text);
  const [left, sign, right] = tokens;
  return tokens.length === 3 && isMark(sign, "=") && left!.text !== right!.text;
}
