/** Finds many fixed texts in one pass: tables of their first three characters say where it is worth looking. */

/** A fixed text and what it stands for. */
export interface Anchor<T> {
  /** At least three characters of ASCII; in lower case when `anyCase` is set. */
  readonly text: string;
  readonly anyCase?: true;
  readonly value: T;
}

/** Anchors in tables. Codes of characters beyond ASCII are in none. */
export interface Anchors<T> {
  /** For the codes of two characters, `first << 7 | second`: where the row of their third characters is; 0 is none. */
  readonly pairs: Uint32Array;
  /** For `row | third`, the number of the list of anchors; 0 is none. */
  readonly thirds: Uint16Array;
  readonly anchors: readonly (readonly Anchor<T>[])[];
}

/** Puts anchors into tables. */
export function anchorTable<T>(anchors: readonly Anchor<T>[]): Anchors<T> {
  const pairs = new Uint32Array(1 << 14);
  const lists: Anchor<T>[][] = [[]];
  const thirds: number[] = new Array(128).fill(0);
  for (const anchor of anchors) {
    for (const first of casesOf(anchor, 0)) {
      for (const second of casesOf(anchor, 1)) {
        const pair = first << 7 | second;
        if (pairs[pair] === 0) {
          pairs[pair] = thirds.length;
          thirds.push(...new Array(128).fill(0));
        }
        for (const third of casesOf(anchor, 2)) {
          const place = pairs[pair]! | third;
          if (thirds[place] === 0) thirds[place] = lists.push([]) - 1;
          lists[thirds[place]!]!.push(anchor);
        }
      }
    }
  }
  return { pairs, thirds: Uint16Array.from(thirds), anchors: lists };
}

function casesOf({ text, anyCase }: Anchor<unknown>, at: number): readonly number[] {
  const char = text[at]!;
  const upper = char.toUpperCase();
  return anyCase && upper !== char ? [char.charCodeAt(0), upper.charCodeAt(0)] : [char.charCodeAt(0)];
}

/** Whether the anchor stands at this place, of which its first three characters are known to match. */
export function standsAt({ text: anchor, anyCase }: Anchor<unknown>, text: string, at: number): boolean {
  for (let index = 3; index < anchor.length; index++) {
    const wanted = anchor.charCodeAt(index);
    const code = text.charCodeAt(at + index);
    if (code === wanted) continue;
    if (anyCase !== true || wanted < 0x61 || wanted > 0x7a || code !== wanted - 0x20) return false;
  }
  return true;
}
