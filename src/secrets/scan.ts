/**
 * Finds secrets in a text. One pass looks for the fixed texts that secrets of a known shape hold or that stand around
 * them; what is long and plainly encoded is decoded once and looked through in the same way. Linear in the text.
 */

import { type Anchor, anchorTable, standsAt } from "./anchors.ts";
import { recently } from "../recent.ts";
import { formats, type SecretFormat } from "./formats.ts";
import { nameAnchors, namedSecretAt } from "./named.ts";
import {
  decodedBase64,
  type Part,
  privateKeyAt,
  puttyKeyAt,
  signedTokenAt,
  urlPasswordAt,
} from "./structures.ts";
import { isExample } from "./values.ts";

/** A secret in a text. */
export interface SecretMatch extends Part {
  /** Id of its shape. */
  readonly kind: string;
  /** What people call it, without an article. */
  readonly title: string;
  /** Where a person takes it back: an address, or what to do. */
  readonly revoke: string;
  /** Not for production. */
  readonly minor: boolean;
  /** It stands there in base64 or percent-encoded. */
  readonly encoded: boolean;
}

/** A way to find the secret at an anchor. */
interface Finder {
  readonly kind: string;
  readonly title: string;
  readonly revoke: string;
  readonly minor?: boolean;
  find(text: string, at: number): Found | undefined;
}

/** A secret, or what has its shape and stands for one in a document. */
interface Found extends Part {
  readonly isExample?: boolean;
}

const elsewhere = "change it where it is used, and wherever it was stored";

const structures: readonly (readonly [anchors: readonly string[], anyCase: boolean, finder: Finder])[] = [
  [["-----BEGIN "], false, {
    kind: "private-key",
    title: "private key",
    revoke: "make a new key pair, and remove the public key where it is trusted",
    find: privateKeyAt,
  }],
  [["PuTTY-User-Key-File-"], false, {
    kind: "putty-key",
    title: "PuTTY private key",
    revoke: "make a new key pair, and remove the public key where it is trusted",
    find: puttyKeyAt,
  }],
  [["eyJ"], false, {
    kind: "json-web-token",
    title: "signed token",
    revoke: "end the session or token where it was issued",
    find: signedTokenAt,
  }],
  [["://"], false, {
    kind: "url-password",
    title: "password in an address",
    revoke: elsewhere,
    find: urlPasswordAt,
  }],
  [nameAnchors, true, {
    kind: "named-secret",
    title: "secret value",
    revoke: elsewhere,
    find: namedSecretAt,
  }],
];

const table = anchorTable<Finder>([
  ...formats.flatMap((format): Anchor<Finder>[] => {
    const finder = { ...format, kind: format.id, find: finderOf(format) };
    return format.anchors.map((text) => ({ text, value: finder }));
  }),
  ...structures.flatMap(([anchors, anyCase, value]): Anchor<Finder>[] =>
    anchors.map((text) => ({ text, value, ...(anyCase ? { anyCase } : {}) }))
  ),
]);

function finderOf({ pattern, before = [0], anywhere }: SecretFormat): Finder["find"] {
  return (text, at) => {
    for (const length of before) {
      const start = at - length;
      if (start < 0 || (anywhere !== true && isInside(text, start))) continue;
      pattern.lastIndex = start;
      const found = pattern.exec(text);
      if (found !== null) return { start, end: start + found[0].length, isExample: isExample(found[0]) };
    }
    return undefined;
  };
}

/** Longest word of base64 in which the beginning of a key is taken for a key. */
const maxWord = 40;

/** True within a word, and within a long run of base64, of which `+` and `/` are letters too. */
function isInside(text: string, start: number): boolean {
  if (start === 0) return false;
  if (isWordCode(text.charCodeAt(start - 1))) return true;
  const char = text[start - 1];
  if (char !== "+" && char !== "/") return false;
  let length = 0;
  while (length <= maxWord && start - length > 0 && isBase64Code(text.charCodeAt(start - length - 1))) {
    length++;
  }
  return length > maxWord;
}

function isWordCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isBase64Code(code: number): boolean {
  return isWordCode(code) || code === 0x2b || code === 0x2f;
}

/** For each code below 128 the six bits that it stands for in base64, or 64. */
const base64Values = new Uint8Array(128).fill(64);
for (
  const [bits, char] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()
) {
  base64Values[char.charCodeAt(0)] = bits;
}

/** Shortest and longest run of base64 that is decoded. */
const minEncoded = 32;
const maxEncoded = 64 * 1024;

/** The secrets of a text in their order; none overlaps another. */
export function findSecrets(text: string): readonly SecretMatch[] {
  return scan(text, true);
}

/** The same, for a text that several look through one after the other. */
export const findSecretsOnce: typeof findSecrets = recently(findSecrets);

function scan(text: string, decode: boolean): SecretMatch[] {
  const { pairs, thirds, anchors } = table;
  const found: SecretMatch[] = [];
  /** Where the last example of each kind ends: what is within it is no better. */
  const examples = new Map<Finder, number>();
  /** Where the last secret ends. */
  let taken = 0;
  let run = decode ? nextRun(text, 0) : undefined;
  let runEnd = run?.end ?? -1;
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = 0; at < text.length - 2; at++) {
    if (at === runEnd) {
      if (run!.start >= taken) taken = addEncoded(text, run!, found) ?? taken;
      run = nextRun(text, runEnd);
      runEnd = run?.end ?? -1;
    }
    const third = text.charCodeAt(at + 2);
    const row = (first | second | third) < 128 ? pairs[first << 7 | second]! : 0;
    first = second;
    second = third;
    if (row === 0 || at < taken) continue;
    const list = thirds[row | third]!;
    if (list === 0) continue;
    for (const anchor of anchors[list]!) {
      if (!standsAt(anchor, text, at)) continue;
      if (at < (examples.get(anchor.value) ?? 0)) continue;
      const part = anchor.value.find(text, at);
      if (part === undefined || part.start < taken) continue;
      if (part.isExample === true) {
        examples.set(anchor.value, part.end);
        continue;
      }
      found.push(matchOf(anchor.value, part, false));
      taken = part.end;
      break;
    }
  }
  // What ends with the text, or so near to its end that no anchor begins there.
  for (; run !== undefined; run = nextRun(text, run.end)) {
    if (run.start >= taken) taken = addEncoded(text, run, found) ?? taken;
  }
  if (decode && text.includes("%")) addPercentEncoded(text, found);
  return found;
}

/**
 * The next run of base64 that is long enough to be decoded, from a place on before which none is. A run of this length
 * covers one of the places that lie so far apart.
 */
function nextRun(text: string, from: number): Part | undefined {
  for (let probe = from + minEncoded - 1; probe < text.length; probe += minEncoded) {
    if (!isBase64At(text, probe)) continue;
    let start = probe;
    while (start > from && isBase64At(text, start - 1)) start--;
    let end = probe + 1;
    while (end < text.length && isBase64At(text, end)) end++;
    if (end - start >= minEncoded) return { start, end };
    probe = end;
  }
  return undefined;
}

function isBase64At(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && base64Values[code]! < 64;
}

function matchOf(finder: Finder, { start, end }: Part, encoded: boolean): SecretMatch {
  const { kind, title, revoke, minor = false } = finder;
  return { kind, title, revoke, minor, start, end, encoded };
}

/** Adds the secret that a run of base64 holds. @returns the end of the run, when there is one */
function addEncoded(text: string, { start, end }: Part, found: SecretMatch[]): number | undefined {
  if (end - start > maxEncoded || !beginsAsText(text, start)) return undefined;
  const decoded = decodedBase64(text.slice(start, end));
  // A key is text; what is decoded to anything else is no text in base64.
  if (decoded === undefined || !/^[\t\n\r\x20-\x7e]{20,}$/.test(decoded)) return undefined;
  const [inner] = scan(decoded, false);
  if (inner === undefined) return undefined;
  found.push({ ...inner, start, end, encoded: true });
  return end;
}

/** Whether the first bytes of base64 are characters of a text: most runs are hashes, and end here. */
function beginsAsText(text: string, start: number): boolean {
  for (let at = start; at < start + 8; at += 4) {
    let bits = 0;
    for (let index = 0; index < 4; index++) bits = bits << 6 | base64Values[text.charCodeAt(at + index)]!;
    if (!isTextByte(bits >> 16) || !isTextByte(bits >> 8 & 0xff) || !isTextByte(bits & 0xff)) return false;
  }
  return true;
}

function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Longest text before the first percent sign that belongs to what is encoded. */
const maxLead = 256;

/** Adds what shows itself as a secret only when the percent signs are decoded. */
function addPercentEncoded(text: string, found: SecretMatch[]): void {
  const encoded = /(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~+-]*)+/g;
  let from = 0;
  for (let run = encoded.exec(text); run !== null; run = encoded.exec(text)) {
    const end = encoded.lastIndex;
    let start = run.index;
    while (start > from && run.index - start < maxLead && /[A-Za-z0-9._~+-]/.test(text[start - 1]!)) start--;
    from = end;
    if (end - start < 20 || end - start > maxEncoded) continue;
    if (found.some((one) => one.start < end && one.end > start)) continue;
    let decoded: string;
    try {
      decoded = decodeURIComponent(text.slice(start, end));
    } catch {
      continue;
    }
    const [inner] = scan(decoded, false);
    if (inner !== undefined) found.push({ ...inner, start, end, encoded: true });
  }
  found.sort((a, b) => a.start - b.start);
}
