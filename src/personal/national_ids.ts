/** Numbers by which states know people, with their check digits. Where a number has none, its form or a word tells. */

import { isDate, isLuhn, isModulo11And10, isVerhoeff, modulo97, weighted } from "./checks.ts";

/** A kind of number. */
export interface NationalId {
  /** What people call it, without an article. */
  readonly title: string;
  /** Its form, sticky: tried at one place, it looks at a bounded number of characters from there. */
  readonly pattern: RegExp;
  /** A word that has to stand close before it, where the form alone is that of other numbers too. */
  readonly near?: RegExp;
  /** @param compact the match without separators, in capitals */
  holds(compact: string): boolean;
}

const edge = { start: "(?<![A-Za-z0-9._+-])", end: "(?![A-Za-z0-9_]|[.-][0-9])" };

function form(source: string): RegExp {
  return new RegExp(edge.start + source + edge.end, "y");
}

/**
 * What every form begins with, tried where a number can begin: digits that are enough in groups, or capitals with digits.
 * One look with it takes the place of one with each form.
 */
const beginning =
  /(?:\d{3}|\d\d \d{3}|[12] \d\d)(?=[0-9AB .+-]{5})|[A-Z]{2}(?: \d\d \d\d \d|\d{6})|[XYZ]-?\d{7}|[A-Z]{6}\d\d[A-Z]/y;

/** Where a number of some kind can begin, in their order. */
export function beginnings(text: string): readonly number[] {
  const places: number[] = [];
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isUpper = code >= 0x41 && code <= 0x5a;
    const isDigit = code >= 0x30 && code <= 0x39;
    if (!inWord && (isUpper || isDigit)) {
      beginning.lastIndex = at;
      if (beginning.test(text)) places.push(at);
    }
    // As `edge.start` has it: letters, digits, and . _ + -
    inWord = isUpper || isDigit || (code >= 0x61 && code <= 0x7a) || code === 0x2e || code === 0x5f ||
      code === 0x2b || code === 0x2d;
  }
  return places;
}

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

/** Values of the characters of an Italian number at odd places. */
const odd: Readonly<Record<string, number>> = Object.fromEntries(
  [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((char, index) => {
    const values = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
    const letters = [...values, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    return [char, index < 10 ? values[index]! : letters[index - 10]!];
  }),
);

function isItalian(code: string): boolean {
  let sum = 0;
  for (const [index, char] of [...code.slice(0, 15)].entries()) {
    sum += index % 2 === 0 ? odd[char] ?? 0 : /[0-9]/.test(char) ? Number(char) : char.charCodeAt(0) - 65;
  }
  return String.fromCharCode(65 + sum % 26) === code[15];
}

function isCpf(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    const rest = weighted(digits, weights, 11);
    return rest < 2 ? 0 : 11 - rest;
  };
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10]);
}

/** One digit occurs two or three times, another is missing, and no other occurs more than once. */
function isGerman(digits: string): boolean {
  const counts = [..."0123456789"].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const most = Math.max(...counts);
  return (most === 2 || most === 3) && counts.filter((count) => count > 1).length === 1 &&
    isModulo11And10(digits);
}

/** Printed in documents, and nobody's. */
const examples = new Set([
  "078051120",
  "219099999",
  "123456789",
  "111111111",
  "123121234",
  "QQ123456C",
  "AB123456C",
  "12345678Z",
  "RSSMRA85T10A562S",
  "RSSMRA80A01H501U",
  "12345678909",
  "11144477735",
  "44051401359",
  "86095742719",
  "123456782",
  "046454286",
  "8112189876",
]);

/** All kinds that are known. */
export const nationalIds: readonly NationalId[] = ([
  {
    title: "US social security number",
    pattern: form("\\d{3}-\\d{2}-\\d{4}"),
    holds: (digits) => !/^(?:000|666|9)|^.{3}00|0000$/.test(digits),
  },
  {
    title: "UK national insurance number",
    pattern: form("[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \\d{2} \\d{2} \\d{2} [A-D]"),
    holds: (code) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(code),
  },
  {
    title: "UK national insurance number",
    pattern: form("[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\\d{6}[A-D]"),
    near: /\bnino\b|national.insurance|\bni.(?:no|number)\b/i,
    holds: (code) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(code),
  },
  {
    title: "German tax number",
    pattern: form("[1-9]\\d(?: ?\\d{3}){3}"),
    near: /steuer|\bidnr\b|\btax.?id|\btin\b/i,
    holds: isGerman,
  },
  {
    title: "French social security number",
    pattern: form("[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}"),
    holds: (code) =>
      modulo97(code.slice(0, 13).replace("2A", "19").replace("2B", "18")) === 97 - Number(code.slice(13)),
  },
  {
    title: "Spanish identity number",
    pattern: form("\\d{8}-?[A-HJ-NP-TV-Z]"),
    holds: (code) => new Set(code).size > 3 && dniLetters[Number(code.slice(0, 8)) % 23] === code[8],
  },
  {
    title: "Spanish identity number",
    pattern: form("[XYZ]-?\\d{7}-?[A-HJ-NP-TV-Z]"),
    holds: (code) => dniLetters[Number("XYZ".indexOf(code[0]!) + code.slice(1, 8)) % 23] === code[8],
  },
  {
    title: "Italian tax number",
    pattern: form("[A-Z]{6}\\d{2}[A-EHLMPRST]\\d{2}[A-Z]\\d{3}[A-Z]"),
    holds: isItalian,
  },
  {
    title: "Dutch citizen number",
    pattern: form("\\d{9}"),
    near: /\bbsn\b|burgerservice|sofi/i,
    holds: (digits) => digits !== "000000000" && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1], 11) === 0,
  },
  { title: "Brazilian tax number", pattern: form("\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}"), holds: isCpf },
  { title: "Brazilian tax number", pattern: form("\\d{11}"), near: /\bcpf\b/i, holds: isCpf },
  {
    title: "Polish identity number",
    pattern: form("\\d{11}"),
    near: /pesel/i,
    holds: (digits) =>
      isDate(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6))) &&
      weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10) === 0,
  },
  {
    title: "Swedish identity number",
    pattern: form("(?:19|20)?\\d{6}[-+]\\d{4}"),
    holds(code) {
      const digits = code.replaceAll("+", "").slice(-10);
      // Of people whose number is for the time being, the day is 60 more.
      return isDate(Number(digits.slice(2, 4)), Number(digits.slice(4, 6)) % 60) && isLuhn(digits);
    },
  },
  {
    title: "Indian Aadhaar number",
    pattern: form("(?<!\\d[ -])[2-9]\\d{3}([ -])\\d{4}\\1\\d{4}(?! \\d)"),
    holds: (digits) => new Set(digits).size > 3 && isVerhoeff(digits),
  },
  {
    title: "Canadian social insurance number",
    pattern: form("[1-79]\\d{2}([ -]?)\\d{3}\\1\\d{3}"),
    near: /\bsin\b|social.insurance|\bnas\b/i,
    holds: isLuhn,
  },
  {
    title: "Australian tax file number",
    pattern: form("\\d{3} ?\\d{3} ?\\d{3}"),
    near: /\btfn\b|tax.file/i,
    holds: (digits) => weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10], 11) === 0,
  },
] satisfies NationalId[]).map((one: NationalId): NationalId => ({
  ...one,
  holds: (compact) => !examples.has(compact) && one.holds(compact),
}));
