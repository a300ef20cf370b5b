/** Whether a text speaks of a sentence, as documents about attacks do, or says it. */

/** Characters around a sentence that are looked at. */
const before = 300;
const after = 200;

/** Words of texts about such sentences: documents, tests of filters, and orders to refuse them. */
const topic =
  /prompt[ _-]?injection|jailbreak|attack|malicious|adversar|untrusted|refuse|report it|exploit|vulnerab|classifier|detect|red[ -]?team|phishing|\be\.g\.|for example|such as|payload|sanitiz|owasp|hostile|injection/i;

/** In the same sentence before it: somebody else says it, or it is an example. */
const saying =
  /\b(?:says?|said|saying|asks?|asked|asking|tells?|telling|instructs?|instructing|instructed|reads?|writes?|types?|typed|contains?|containing|includes?|including|like|such as|e\.g\.|i\.e\.|for example|for instance|attempts?|tries|trying|try|phrases?|strings?|patterns?|injections?|attack(?:er|s|ers)?|jailbreaks?|malicious|adversarial|untrusted|detects?|blocks?|refuses?|users? (?:might|may|can|could))\b[^.!?\n]{0,80}$/i;

/** Pairs of quotes; of the last only the code of documents. */
const quotes: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
];

/** True when the part of a text from `start` to `end` is plainly something that the text is about. */
export function isSpokenOf(text: string, start: number, end: number): boolean {
  const open = quoteAround(text, start, end);
  if (open === undefined) return saying.test(text.slice(Math.max(0, start - before), start));
  const lead = text.slice(Math.max(0, open - before), open);
  // Alone on its line, an item, or the value of a member: quotes are the form of data, too, and say nothing.
  if (!/(?:^|[\n:=(\[{,|>])[ \t]{0,16}(?:[-*+][ \t]{1,4})?\\?$/.test(lead)) return true;
  return topic.test(lead) || topic.test(text.slice(end, end + after));
}

/** Where the quotation begins that a part stands in, on its own line. */
function quoteAround(text: string, start: number, end: number): number | undefined {
  const head = text.slice(Math.max(0, start - 80), start);
  const tail = text.slice(end, end + 160);
  const line = head.slice(head.lastIndexOf("\n") + 1);
  const newline = tail.indexOf("\n");
  const rest = newline < 0 ? tail : tail.slice(0, newline);
  for (const [open, close] of quotes) {
    const at = line.lastIndexOf(open);
    if (at < 0 || !rest.includes(close)) continue;
    // An apostrophe stands behind a letter.
    if (open === "'" && /[A-Za-z0-9]/.test(line[at - 1] ?? "")) continue;
    if (open !== close && line.indexOf(close, at) >= 0) continue;
    return start - (line.length - at);
  }
  return undefined;
}
