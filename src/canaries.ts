/**
 * Canaries: texts that a person has put where nobody needs them, and that must never leave. They are looked for as they
 * are, turned around, and as the usual encodings write them. Linear in the text.
 */

import { redactAlso } from "./redact.ts";

/** Forms that are looked for: forms in small letters, and forms whose capitals count. */
interface Needles {
  readonly folded: readonly string[];
  readonly exact: readonly string[];
}

const known = new WeakMap<readonly string[], Needles>();

function needlesOf(canaries: readonly string[]): Needles {
  let needles = known.get(canaries);
  if (needles === undefined) {
    const folded = new Set<string>();
    const exact = new Set<string>();
    for (const canary of canaries) {
      const bytes = new TextEncoder().encode(canary);
      const reversed = [...canary].reverse().join("");
      for (const form of [canary, reversed]) folded.add(form.toLowerCase());
      for (const form of [bytes, [...bytes].reverse()]) {
        folded.add(Array.from(form, (byte) => byte.toString(16).padStart(2, "0")).join(""));
      }
      folded.add(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));
      for (const form of base64Forms(bytes)) {
        exact.add(form);
        exact.add(form.replaceAll("+", "-").replaceAll("/", "_"));
      }
    }
    known.set(canaries, needles = { folded: [...folded], exact: [...exact] });
  }
  return needles;
}

/** What of the bytes is the same in base64 wherever they stand: once for each place within a group of three. */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((lead) => {
    const padded = [...new Uint8Array(lead), ...bytes];
    const text = btoa(String.fromCharCode(...padded));
    // Characters that also hold bits of what stands before or behind.
    const start = Math.ceil(lead * 8 / 6);
    const end = Math.floor(padded.length * 8 / 6);
    return text.slice(start, end);
  });
}

/** Whether a text holds one of them, in any of those forms. */
export function holdsCanary(text: string, canaries: readonly string[]): boolean {
  if (canaries.length === 0) return false;
  if (holds(text, canaries)) return true;
  for (const plain of plainForms(text)) if (holds(plain, canaries)) return true;
  return false;
}

/** Longest text in which rarer encodings are undone, in characters. */
const maxPlain = 1_000_000;

/** Characters that nobody sees. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;

/** A text without what usual encodings put between and around its characters. */
function* plainForms(text: string): Generator<string> {
  // A canary of which only some characters are percent-encoded, also twice.
  let decoded = text;
  for (let count = 0; count < (text.length > maxPlain ? 1 : 3) && /%[0-9A-Fa-f]{2}/.test(decoded); count++) {
    decoded = decoded.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, hex) => String.fromCharCode(parseInt(hex, 16)));
    yield decoded;
  }
  // What is longer has been looked at as it stands.
  if (text.length > maxPlain) return;
  if (unseen.test(text)) yield text.replaceAll(new RegExp(unseen, "g"), "");
  // deno-lint-ignore no-control-regex -- what is not ASCII
  if (/[^\x00-\x7f]/.test(text)) yield text.normalize("NFKC");
  if (/\\[ux0-7]|&#/.test(text)) {
    yield text.replaceAll(
      /\\u\{?0{0,4}([0-9a-f]{2})\}?|\\x([0-9a-f]{2})|\\0?([0-7]{2,3})|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?/gi,
      (_all, unicode, hex, octal, entity, decimal) => {
        const code = octal !== undefined
          ? parseInt(octal, 8)
          : decimal !== undefined
          ? Number(decimal)
          : parseInt(unicode ?? hex ?? entity, 16);
        return code <= 0x10FFFF ? String.fromCodePoint(code) : "";
      },
    );
  }
  // Lines of base64, and bytes in hexadecimal with something between them.
  if (/[A-Za-z0-9+/_-]\r?\n[A-Za-z0-9+/_-]/.test(text)) yield text.replaceAll(/[\r\n]+/g, "");
  if (/(?:[0-9a-f]{2}[\s:,;-]+(?:0x)?){7}[0-9a-f]{2}/i.test(text)) {
    yield text.replaceAll(/[\s:,;-]+|0x/gi, "");
  }
}

function holds(text: string, canaries: readonly string[]): boolean {
  const { folded, exact } = needlesOf(canaries);
  const lower = text.toLowerCase();
  return folded.some((needle) => lower.includes(needle)) || exact.some((needle) => text.includes(needle));
}

const mark = "[canary]";

/** Has nothing that guard writes down or shows hold one of these any more. */
export function neverShow(canaries: readonly string[]): void {
  redactAlso(canaries.join("\n"), (text) => withoutCanaries(text, canaries));
}

/** The text with a mark in the place of each canary; nothing else than a mark where one stands there in parts. */
export function withoutCanaries(text: string, canaries: readonly string[]): string {
  const { folded, exact } = needlesOf(canaries);
  let out = text;
  for (const needle of exact) out = out.replaceAll(needle, mark);
  for (const needle of folded) {
    // Of the same length, so that places are the same.
    const lower = out.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
    let at = lower.indexOf(needle);
    if (at < 0) continue;
    let kept = "";
    let from = 0;
    for (; at >= 0; at = lower.indexOf(needle, from)) {
      kept += out.slice(from, at) + mark;
      from = at + needle.length;
    }
    out = kept + out.slice(from);
  }
  const joined = out.replaceAll(/["'`\\\s+,;]+/g, "");
  return holdsCanary(out, canaries) || holdsCanary(joined, canaries) ? mark : out;
}
