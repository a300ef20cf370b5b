/**
 * Signs that a text wants to give orders to the model that reads it, or hides something from the person who does. What
 * is found is told to both; the text itself is not changed.
 */

import { decodedBase64 } from "../secrets/structures.ts";
import { allPhrases, type PhraseKind, reach } from "./phrases.ts";

/** What was seen. */
export type SignKind =
  | PhraseKind
  | "tag-characters"
  | "direction-override"
  | "invisible-characters"
  | "variation-payload"
  | "concealed-terminal-text";

/** A sign in a text. */
export interface Sign {
  readonly kind: SignKind;
  /** What it is, for a sentence that begins with "it holds". */
  readonly what: string;
  /** A short part of the text, made visible: what was seen. */
  readonly seen: string;
}

const titles: Readonly<Record<SignKind, string>> = {
  "override": "a call to set earlier instructions aside",
  "concealment": "a call to hide something from the user",
  "fake-frame": "marks that pretend to be from the system or a tool",
  "addressed-to-agents": "orders addressed to agents",
  "exfiltration": "a call to send secrets or the conversation to an address",
  "tag-characters": "a text in invisible tag characters",
  "direction-override": "characters that turn the direction of the text around",
  "invisible-characters": "invisible characters within words",
  "variation-payload": "data in invisible variation selectors",
  "concealed-terminal-text": "terminal codes that hide text from a person",
};

/** Most characters of what was seen that are shown. */
const maxSeen = 120;

/** The signs in a text, at most one of each kind. */
export function findSigns(text: string): readonly Sign[] {
  return collected((add) => {
    const plain = isAscii(text);
    if (!plain) findUnseen(text, add);
    if (text.includes("\x1b")) findTerminal(text, add);
    findPhrases(plain ? text : readable(text), add);
    for (const decoded of decodedRuns(text)) findPhrases(decoded, add);
  });
}

/** The signs that something in a text is hidden from a person, at most one of each kind. */
export function findHidden(text: string): readonly Sign[] {
  return collected((add) => {
    if (!isAscii(text)) findUnseen(text, add);
    if (text.includes("\x1b")) findTerminal(text, add);
  });
}

type Add = (kind: SignKind, seen: string) => void;

function collected(look: (add: Add) => void): readonly Sign[] {
  const signs = new Map<SignKind, string>();
  look((kind, seen) => {
    if (!signs.has(kind)) signs.set(kind, shorten(seen));
  });
  return [...signs].map(([kind, seen]) => ({ kind, what: titles[kind], seen }));
}

function isAscii(text: string): boolean {
  // deno-lint-ignore no-control-regex -- the range is all of ASCII
  return /^[\x00-\x7f]*$/.test(text);
}

/** Tag characters spell ASCII; those of a flag of a region stand behind its black flag. */
const tagRun = /[\u{e0020}-\u{e007e}]{3,}\u{e007f}?/gu;
const flag = "\u{1f3f4}";
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const latinSplit = /[A-Za-z][\u200b-\u200d\u2060-\u2064\ufeff]{1,8}(?=[A-Za-z])/g;
const invisibleRun = /[\u200b-\u200d\u2060-\u2064\u180e\ufeff]{8,}/;
const variationRun = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/u;

function findUnseen(text: string, add: Add): void {
  for (const { 0: run, index } of text.matchAll(tagRun)) {
    if (text.slice(index - flag.length, index) === flag && run.length <= 14) continue;
    // Each is two code units, and no more of it is shown.
    const shown = run.slice(0, 2 * (maxSeen + 1));
    const spelled = Array.from(shown, (char) => String.fromCharCode(char.codePointAt(0)! - 0xe0000)).join("");
    add("tag-characters", spelled);
    break;
  }
  const turned = /[\u202d\u202e]/.exec(text) ??
    (rightToLeft.test(text) ? null : /[\u202a\u202b\u2066-\u2068]/.exec(text));
  if (turned !== null) add("direction-override", around(text, turned.index));
  let splits = 0;
  for (const { index } of text.matchAll(latinSplit)) {
    if (++splits < 2) continue;
    add("invisible-characters", around(text, index));
    break;
  }
  const run = invisibleRun.exec(text);
  if (run !== null) add("invisible-characters", around(text, run.index));
  const varied = variationRun.exec(text);
  if (varied !== null) add("variation-payload", around(text, varied.index));
}

/** Hidden text, and writing to the clipboard. Colours are nothing. */
function findTerminal(text: string, add: Add): void {
  // deno-lint-ignore no-control-regex -- ESC is what is looked for
  const hidden = /\x1b\[(?:[0-9]{1,3};){0,4}8(?:;[0-9]{1,3}){0,4}m|\x1b\]52;/.exec(text);
  if (hidden === null) return;
  // `38;5;8` and `48;5;8` are colours.
  if (/\[(?:[0-9;]*;)?[34]8;5;8/.test(hidden[0])) return;
  add("concealed-terminal-text", around(text, hidden.index));
}

/** Texts that speak of such sentences: documents about them, and orders to refuse them. */
const about =
  /prompt[ -]?injection|jailbreak|attack|malicious|adversar|untrusted|refuse|report it|exploit|vulnerab|classifier|detect|red[ -]?team|phishing|\be\.g\.|for example|such as|payload|sanitiz|owasp|hostile/i;

function findPhrases(text: string, add: Add): void {
  for (const { kind, pattern, before } of allPhrases) {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      if (before?.test(text.slice(Math.max(0, found.index - reach), found.index)) === false) continue;
      const end = found.index + found[0].length;
      if (
        !isQuoted(text, found.index, end) &&
        !about.test(text.slice(Math.max(0, found.index - 300), end + 200))
      ) {
        add(kind, found[0]);
        break;
      }
    }
  }
}

/** In quotes of prose or of a program: something that is spoken of. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["'`“”«»‘’]\s?$/.test(text.slice(Math.max(0, start - 2), start)) ||
    /^[.!…]?["'`“”«»’]/.test(text.slice(end, end + 2));
}

/** As it reads when what cannot be seen is left out and look-alikes are what they look like. */
function readable(text: string): string {
  const seen = text.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]/g, "").normalize(
    "NFKC",
  );
  return /[\u0370-\u04ff]/.test(seen) ? seen.replaceAll(/[A-Za-z\u0370-\u04ff]+/g, latinised) : seen;
}

const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaсcеeоoрpхxуyіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXοoαaνvρpιi"].reduce<[string, string][]>(
    (pairs, char, index, all) => index % 2 === 0 ? [...pairs, [char, all[index + 1]!]] : pairs,
    [],
  ),
);

/** A word of letters of two scripts is a word of the one that it looks like. */
function latinised(word: string): string {
  if (!/[A-Za-z]/.test(word)) return word;
  return [...word].map((char) => lookAlikes[char] ?? char).join("");
}

/** Most characters of a run of base64 that is decoded, and of all of them. */
const maxRun = 8192;
const maxDecoded = 256 * 1024;

/** What stands in base64, when it is text. */
function* decodedRuns(text: string): Generator<string> {
  let left = maxDecoded;
  for (const [run] of text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
    if (run.length > maxRun) continue;
    left -= run.length;
    if (left < 0) return;
    const decoded = decodedBase64(run.slice(0, run.length - run.length % 4));
    if (decoded === undefined) continue;
    if (/^[\t\n\r\x20-\x7e]{24,}$/.test(decoded) && decoded.includes(" ")) yield decoded;
  }
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 30), index + 60);
}

/** On one line, with everything that cannot be seen written out. */
function shorten(text: string): string {
  const visible = text.slice(0, maxSeen).replaceAll(/\s+/g, " ").trim()
    .replaceAll(
      // deno-lint-ignore no-control-regex -- control characters are what is written out
      /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|[\u{e0000}-\u{e01ef}]/gu,
      (char) => `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
    );
  return text.length > maxSeen ? `${visible} …` : visible;
}
