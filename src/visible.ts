/** Text from outside as a person can be shown it: what a terminal would act on becomes visible. */

/** Whether a code point is a control character, a direction mark, or has no width. */
function isHidden(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff ||
    (code >= 0xd800 && code <= 0xdfff) || (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xe0000 && code <= 0xe01ff);
}

/** One character as it is shown; the character itself when it is harmless. */
export function visibleCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (!isHidden(code)) return character;
  if (code === 10) return "\\n";
  if (code === 9) return "\\t";
  if (code === 13) return "\\r";
  if (code === 27) return "\\e";
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/**
 * The text with control characters, direction marks and invisible characters written as escapes.
 *
 * @param limit Longest result in characters; a longer text ends in an ellipsis.
 */
export function visible(text: string, limit = Infinity): string {
  let out = "";
  let count = 0;
  for (const character of text) {
    const shown = visibleCharacter(character);
    count += shown.length;
    if (count > limit) return `${out}…`;
    out += shown;
  }
  return out;
}
