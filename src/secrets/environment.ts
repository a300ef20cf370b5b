/**
 * Secrets that the environment of guard holds, as programs of the host have them too. They are known by their value, so
 * that a part of one is found that has lost the beginning by which its shape is recognised.
 */

import { anchorTable, standsAt } from "./anchors.ts";
import { isSecretName } from "./names.ts";
import { findSecretsOnce, type SecretMatch } from "./scan.ts";
import { isExample, isRandom } from "./values.ts";

/** Shortest value that is looked for, and the shortest part of a longer one. */
const least = 16;
const leastPart = 24;
/** Characters that are looked for at once; a part of the shortest length holds a whole piece wherever it begins. */
const piece = leastPart / 2;
/** Values and characters of each that are looked for. */
const mostValues = 32;
const mostLength = 512;

interface Known {
  readonly name: string;
  readonly value: string;
  /** Where in the value a piece stands. */
  readonly offset: number;
}

type Environment = Readonly<Record<string, string>>;

const tables = new WeakMap<Environment, ReturnType<typeof anchorTable<Known>> | null>();

/** Pieces of all values that are secret, or null when there is none. */
function tableOf(environment: Environment): ReturnType<typeof anchorTable<Known>> | null {
  let table = tables.get(environment);
  if (table === undefined) {
    // A piece that stands in several values, or twice in one, is looked for once.
    const pieces = new Map<string, Known>();
    for (const [name, whole] of Object.entries(environment).filter(isSecret).slice(0, mostValues)) {
      const value = whole.slice(0, mostLength);
      const length = value.length < leastPart ? value.length : piece;
      for (let offset = 0; offset + length <= value.length; offset += length) {
        const text = value.slice(offset, offset + length);
        if (!pieces.has(text)) pieces.set(text, { name, value, offset });
      }
    }
    const anchors = Array.from(pieces, ([text, value]) => ({ text, value }));
    tables.set(environment, table = anchors.length === 0 ? null : anchorTable(anchors));
  }
  return table;
}

/** What a person has chosen (`SESSION_TOKEN=development`) can stand in any text. */
function isSecret([name, value]: readonly [string, string]): boolean {
  return value.length >= least && isSecretName(name) && /^[\x21-\x7e]+$/.test(value) &&
    (isRandom(value) || findSecretsOnce(value).length > 0) && !isExample(value);
}

/**
 * The secrets of a text, as {@link findSecretsOnce} finds them, and in their order whatever else of it is a value of the
 * environment or a long part of one. None overlaps another. Linear in the text.
 */
export function findWithEnvironment(text: string, environment: Environment): readonly SecretMatch[] {
  const found = findSecretsOnce(text);
  const table = tableOf(environment);
  if (table === null) return found;
  const { pairs, thirds, anchors } = table;
  const all: SecretMatch[] = [];
  let next = 0;
  /** Where the last secret ends. */
  let taken = 0;
  for (let at = 0; at < text.length - 2; at++) {
    while (next < found.length && found[next]!.start <= at) {
      taken = Math.max(taken, found[next]!.end);
      all.push(found[next++]!);
    }
    if (at < taken) {
      at = taken - 1;
      continue;
    }
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    const third = text.charCodeAt(at + 2);
    if ((first | second | third) >= 128) continue;
    const row = pairs[first << 7 | second]!;
    const list = row === 0 ? 0 : thirds[row | third]!;
    if (list === 0) continue;
    const limit = found[next]?.start ?? text.length;
    for (const anchor of anchors[list]!) {
      if (!standsAt(anchor, text, at)) continue;
      const part = partAround(text, at, anchor.value, taken, limit);
      if (part === undefined) continue;
      all.push(matchOf(anchor.value.name, part));
      taken = part.end;
      break;
    }
  }
  return [...all, ...found.slice(next)];
}

/** The longest part of the value around a piece of it, between two places; undefined when it is a short one. */
function partAround(
  text: string,
  at: number,
  { value, offset }: Known,
  from: number,
  to: number,
): { readonly start: number; readonly end: number } | undefined {
  let start = at;
  for (let before = offset; before > 0 && start > from && text[start - 1] === value[before - 1]; before--) {
    start--;
  }
  let end = at;
  for (let behind = offset; behind < value.length && end < to && text[end] === value[behind]; behind++) end++;
  return end - start >= Math.min(leastPart, value.length) ? { start, end } : undefined;
}

function matchOf(
  name: string,
  { start, end }: { readonly start: number; readonly end: number },
): SecretMatch {
  return {
    kind: "environment-value",
    title: `secret from the variable ${name}`,
    revoke: "change it where it is issued, and wherever it was stored",
    minor: false,
    encoded: false,
    start,
    end,
  };
}
