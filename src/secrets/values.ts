/** What a value looks like: made by a machine, or an example that people write into documents. */

const PLACEHOLDER =
  /example|placeholder|change[_-]?me|(?:^|[^a-z])your[^a-z]|yourkey|yourtoken|dummy|fake|sample|redacted|insert|replace|todo|[<>]|\*{3}|\.{3}|…|x{5}|0{10}|(?:foo|bar|baz)[_-]?(?:foo|bar|baz)|secret_?here|key_?here|token_?here|not[_-]?(?:a[_-]?)?real|deadbeef|lorem/i;

/** Values that documentation prints and everybody copies. */
const DOCUMENTED: readonly string[] = [
  // The key of the storage emulators, and that of the Cosmos DB emulator.
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw",
  // The first token of nearly every page about them.
  "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6Ikpv",
];

/** True for values that stand for a secret and are none. */
export function isExample(value: string): boolean {
  return PLACEHOLDER.test(value) || DOCUMENTED.some((known) => value.includes(known)) || isMonotonous(value);
}

/** Few different characters, as in a row of one of them. */
function isMonotonous(value: string): boolean {
  const body = value.slice(-32);
  return new Set(body).size < Math.min(6, body.length / 3);
}

/** Bits of information per character, by how often each occurs. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count / value.length * Math.log2(count / value.length);
  return bits;
}

/**
 * True for values that no person thought of: letters and digits mixed, many of them, and no words. Hexadecimal ones
 * have to be long.
 */
export function isRandom(value: string): boolean {
  if (/^[0-9a-f]+$/i.test(value)) {
    return value.length >= 32 && /[0-9]/.test(value) && /[a-f]/i.test(value) && entropy(value) >= 3.2;
  }
  const digits = value.replace(/[^0-9]/g, "").length;
  if (digits < 2 || digits > value.length * 0.6 || !/[A-Za-z]/.test(value)) return false;
  if (entropy(value) < Math.min(3.5, Math.log2(value.length) - 0.6)) return false;
  return changes(value) >= value.length * 0.28 && !hasWords(value);
}

/** How often small letters, capitals, digits and others follow one another, but for a capital that begins a word. */
function changes(value: string): number {
  let count = 0;
  let before = "";
  for (const char of value) {
    const kind = /[a-z]/.test(char) ? "a" : /[A-Z]/.test(char) ? "A" : /[0-9]/.test(char) ? "0" : "-";
    if (before !== "" && kind !== before && !(before === "A" && kind === "a")) count++;
    before = kind;
  }
  return count;
}

/** Words make up a half of it. */
function hasWords(value: string): boolean {
  let letters = 0;
  for (const [word] of value.matchAll(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g)) {
    if (/[aeiouy]/i.test(word) && /[^aeiouy]/i.test(word)) letters += word.length;
  }
  return letters >= value.length / 2;
}
