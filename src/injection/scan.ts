/**
 * Signs that a text wants to give orders to the model that reads it, or hides something from the person who does. What
 * is found is told to both; the text itself is not changed.
 */

import { decodedBase64 } from "../secrets/structures.ts";
import { recently } from "../recent.ts";
import { hiddenParts, orderIn } from "./markup.ts";
import { allPhrases, instructionPhrases, negation, type Phrase, type PhraseKind, reach } from "./phrases.ts";
import { isSpokenOf } from "./speech.ts";

/** What was seen. */
export type SignKind =
  | PhraseKind
  | "tag-characters"
  | "direction-override"
  | "invisible-characters"
  | "variation-payload"
  | "concealed-terminal-text"
  | "hidden-order"
  | "look-alike-command";

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
  "disarming": "a call to switch off what checks the agent",
  "tag-characters": "a text in invisible tag characters",
  "direction-override": "characters that turn the direction of the text around",
  "invisible-characters": "invisible characters within words",
  "variation-payload": "data in invisible variation selectors",
  "concealed-terminal-text": "terminal codes that hide text from a person",
  "hidden-order": "an order in a comment or a hidden element",
  "look-alike-command": "a command in letters that only look like its own",
};

/** Most characters of what was seen that are shown. */
const maxSeen = 120;

/** The signs in a text, at most one of each kind. */
export function findSigns(text: string): readonly Sign[] {
  return collected((add) => look(text, allPhrases, add));
}

/** The same, for a text that several look through one after the other. */
export const findSignsOnce: typeof findSigns = recently(findSigns);

/**
 * The signs in a file that a host hands to its model as instructions, at most one of each kind. Orders are what such a
 * file is for; what it must not do is hide them, hide something from the user, or work against what guards the user.
 */
export function findInstructionSigns(text: string): readonly Sign[] {
  return collected((add) => look(text, instructionPhrases, add));
}

function look(text: string, phrases: readonly Phrase[], add: Add): void {
  const plain = isAscii(text);
  const read = plain ? text : readable(text);
  if (!plain) {
    findUnseen(text, add);
    findLookAlikes(text, add);
  }
  if (text.includes("\x1b")) findTerminal(text, add);
  findPhrases(read, phrases, add);
  findInMarkup(read, allPhrases, add);
  // Nobody writes a document in base64.
  for (const decoded of decodedRuns(text)) findPhrases(decoded, phrases, add, true);
}

/** The signs that something in a text is hidden from a person, at most one of each kind. */
export function findHidden(text: string): readonly Sign[] {
  return collected((add) => {
    if (!isAscii(text)) findUnseen(text, add);
    if (text.includes("\x1b")) findTerminal(text, add);
  });
}

type Add = (kind: SignKind, seen: string) => void;

function collected(find: (add: Add) => void): readonly Sign[] {
  const signs = new Map<SignKind, string>();
  find((kind, seen) => {
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

/** @param plainly no part counts as one that the text only speaks of */
function findPhrases(text: string, phrases: readonly Phrase[], add: Add, plainly = false): void {
  const lower = text.toLowerCase();
  for (const { kind, pattern, words, before } of phrases) {
    if (words !== undefined && !words.some((word) => lower.includes(word))) continue;
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const lead = text.slice(Math.max(0, found.index - reach), found.index);
      if (before?.test(lead) === false) continue;
      const denied = kind !== "concealment" && negation.test(lead);
      if (plainly || (!denied && !isSpokenOf(text, found.index, found.index + found[0].length))) {
        add(kind, found[0]);
        break;
      }
    }
  }
}

/** Orders in what is not shown where a text is shown as a page: there nothing is only spoken of. */
function findInMarkup(text: string, phrases: readonly Phrase[], add: Add): void {
  if (!text.includes("<")) return;
  for (const part of hiddenParts(text)) {
    let seen = orderIn(part);
    findPhrases(part, phrases, (_kind, found) => seen ??= found, true);
    if (seen !== undefined) return add("hidden-order", seen);
  }
}

/** Programs that a text may name in letters that only look like theirs. */
const programs = new Set(
  ("apt aws bash base64 brew cargo chmod chown cmd cat cp curl dd docker eval exec gh git kubectl make nc node npm npx perl php pip pip3 " +
    "pnpm powershell pwsh python python3 rm rsync ruby scp sh ssh sudo tar terraform wget yarn zsh").split(
      " ",
    ),
);

function findLookAlikes(text: string, add: Add): void {
  for (const { start, end } of mixedWords(text)) {
    const word = text.slice(start, end);
    if (/[A-Za-z]/.test(word) && programs.has(latinised(word))) {
      return add("look-alike-command", around(text, start));
    }
  }
}

/** As it reads when what cannot be seen is left out and look-alikes are what they look like. */
function readable(text: string): string {
  const seen = text.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]/g, "").normalize(
    "NFKC",
  );
  let out = "";
  let from = 0;
  for (const { start, end } of mixedWords(seen)) {
    out += seen.slice(from, start) + latinised(seen.slice(start, end));
    from = end;
  }
  return from === 0 ? seen : out + seen.slice(from);
}

/** Longest part of a word on either side of a letter that is not Latin. */
const maxWord = 40;

/** Words that hold letters of the Greek or Cyrillic script, with the Latin letters around them. */
function* mixedWords(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const letters = /[\u0370-\u04ff]+/g;
  for (let from = 0, found = letters.exec(text); found !== null; found = letters.exec(text)) {
    let start = found.index;
    while (start > from && found.index - start < maxWord && isLetter(text.charCodeAt(start - 1))) start--;
    let end = letters.lastIndex;
    while (end - letters.lastIndex < maxWord && isLetter(text.charCodeAt(end))) end++;
    yield { start, end };
    letters.lastIndex = from = end;
  }
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || (code >= 0x370 && code <= 0x4ff);
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
const minRun = 40;
const maxRun = 8192;
const maxDecoded = 256 * 1024;

/** For each code below 256: 1 when base64 is made of it. */
const base64Codes = Uint8Array.from(
  { length: 256 },
  (_, code) => code < 128 && /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** What stands in base64, when it is text. */
function* decodedRuns(text: string): Generator<string> {
  let left = maxDecoded;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    // Beyond the end the code is not a number, and of no run.
    const code = text.charCodeAt(at);
    if (code < 256 && base64Codes[code] === 1) continue;
    const length = at - start;
    const run = start;
    start = at + 1;
    if (length < minRun || length > maxRun) continue;
    left -= length;
    if (left < 0) return;
    const decoded = decodedBase64(text.slice(run, run + length - length % 4));
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
