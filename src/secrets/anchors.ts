/** Finds many fixed texts in one pass: a table of their first two characters says where it is worth looking. */

/** A fixed text and what it stands for. */
export interface Anchor<T> {
  /** At least two characters below U+0100; in lower case when `anyCase` is set. */
  readonly text: string;
  readonly anyCase?: true;
  readonly value: T;
}

/** Anchors in a table. */
export interface Anchors<T> {
  /** For the codes of two characters, `first << 8 | second`, the number of the bucket; 0 is none. */
  readonly buckets: Uint16Array;
  readonly anchors: readonly (readonly Anchor<T>[])[];
}

/** Puts anchors into a table. */
export function anchorTable<T>(anchors: readonly Anchor<T>[]): Anchors<T> {
  const buckets = new Uint16Array(0x10000);
  const lists: Anchor<T>[][] = [[]];
  for (const anchor of anchors) {
    for (const first of casesOf(anchor, 0)) {
      for (const second of casesOf(anchor, 1)) {
        const index = first << 8 | second;
        if (buckets[index] === 0) buckets[index] = lists.push([]) - 1;
        lists[buckets[index]!]!.push(anchor);
      }
    }
  }
  return { buckets, anchors: lists };
}

function casesOf({ text, anyCase }: Anchor<unknown>, at: number): readonly number[] {
  const char = text[at]!;
  const upper = char.toUpperCase();
  return anyCase && upper !== char ? [char.charCodeAt(0), upper.charCodeAt(0)] : [char.charCodeAt(0)];
}

/** Whether the anchor stands at this place, of which its first two characters are known to match. */
export function standsAt(anchor: Anchor<unknown>, text: string, at: number): boolean {
  if (text.startsWith(anchor.text, at)) return true;
  return anchor.anyCase === true && text.slice(at, at + anchor.text.length).toLowerCase() === anchor.text;
}
