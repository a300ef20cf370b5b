/** The texts in a JSON value. */

/** Deepest nesting that is gone into; payloads are not deeper (src/decode.ts). */
const maxDepth = 300;

/** All texts in a value, in its order. */
export function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && depth < maxDepth) {
    for (const one of Object.values(value)) yield* textsIn(one, depth + 1);
  }
}

/** The same value with every text changed; names of members are no texts. */
export function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || depth >= maxDepth) return value;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapTexts(one, change, depth + 1)]),
  );
}
