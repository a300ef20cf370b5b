/** Parts of a text that are left out where it is shown as a page: comments, and elements that are styled away. */

/** Most parts that are looked at, and most characters of each. */
const maxParts = 400;
const maxPart = 4000;
/** Characters of a part that were looked at with the one before: what stands across the border is seen whole. */
const overlap = 400;

const styledAway =
  /style\s{0,3}=[^>]{0,160}(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|font-size\s{0,3}:\s{0,3}0(?![.0-9]*[1-9])|opacity\s{0,3}:\s{0,3}0(?![.0-9]*[1-9])|(?:[^-]|^)color\s{0,3}:\s{0,3}(?:white|transparent|#f{3}(?:f{3})?\b))|\shidden(?:[\s=]|$)/i;
/** Elements without a text of their own. */
const empty = /^<(?:input|img|br|hr|meta|link|script|style|svg|path|template|iframe|option|button)\b/i;

/** The texts of such parts. Linear in the text. */
export function* hiddenParts(text: string): Generator<string> {
  // An element is styled away in its tag, which the next bracket ends.
  const marks = /<!--|<[A-Za-z][^<>]{0,400}?\s(?:style|hidden)\b[^<>]{0,400}>/g;
  let seen = 0;
  const part = (from: number, to: number) => {
    const begin = Math.max(from, Math.min(seen - overlap, to));
    seen = Math.max(seen, to);
    return text.slice(begin, to);
  };
  for (let count = 0; count < maxParts; count++) {
    const found = marks.exec(text);
    if (found === null) return;
    const from = marks.lastIndex;
    if (found[0] !== "<!--") {
      if (empty.test(found[0]) || !styledAway.test(found[0].slice(0, -1))) continue;
      const end = text.slice(from, from + maxPart).indexOf("</");
      yield part(from, Math.min(text.length, end < 0 ? from + maxPart : from + end));
      continue;
    }
    const end = text.indexOf("-->", from);
    // A comment that is never closed hides the rest.
    yield part(from, Math.min(end < 0 ? text.length : end, from + maxPart));
    if (end < 0) return;
    marks.lastIndex = end;
  }
}

/** Programs that fetch or run, and verbs that send: what a hidden text would have an agent do. */
const orders =
  /\b(?:ai|llm|assistants?|agents?|claude|copilot|gemini|codex|cursor|chatgpt)\b[^.\n]{0,80}\b(?:must|should|shall|always|never|please|need to|have to)\b[^.\n]{0,80}\b(?:run|execute|send|fetch|download|upload|install|open|delete|include|append|commit|push|ignore|print|post)\b|\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z)?sh\b|\b(?:send|post|upload|exfiltrate|forward)\b[^.\n]{0,80}\b(?:secrets?|tokens?|passwords?|api[_ -]?keys?|credentials?|\.env|conversation|source code)\b/i;

/** The part of a hidden text that gives an order, from where it begins. */
export function orderIn(part: string): string | undefined {
  const found = orders.exec(part);
  return found === null ? undefined : part.slice(found.index);
}
