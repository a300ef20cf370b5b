/** Secrets that are known by what surrounds them: private keys, signed tokens, addresses with a password. */

import { isExample, isRandom } from "./values.ts";

/** A part of a text, as UTF-16 code units from `start` to before `end`. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Longest private key that is looked for. */
const maxKey = 20_000;

/**
 * The private key of the block that begins at this `-----BEGIN`: its body, so that what is left still says what was
 * there. Undefined for certificates and public keys, and for a block without a body, as documents show it.
 */
export function privateKeyAt(text: string, at: number): Part | undefined {
  const head = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
  head.lastIndex = at;
  const found = head.exec(text);
  if (found === null) return undefined;
  const start = at + found[0].length;
  const rest = text.slice(start, start + maxKey);
  const close = rest.indexOf("-----");
  // Where no end is marked, it goes on as long as it can.
  const lines = close < 0 ? /^(?:[A-Za-z0-9+/=\s"',:.()-]|\\[nr])*/.exec(rest)![0] : rest.slice(0, close);
  const key = /[A-Za-z0-9+/=]{40,}/.exec(lines.replace(/\\[nrt]|[\s"'+\\,]/g, ""))?.[0];
  return key === undefined || isExample(key) ? undefined : { start, end: start + lines.length };
}

const putty = "PuTTY-User-Key-File-";

/** The private lines of the PuTTY key file that begins here. */
export function puttyKeyAt(text: string, at: number): Part | undefined {
  const next = text.indexOf(putty, at + putty.length);
  const file = text.slice(at, Math.min(at + maxKey, next < 0 ? text.length : next));
  const found = /Private-Lines:[ \t]{0,4}[0-9]{1,4}[ \t]{0,4}\r?\n((?:[A-Za-z0-9+/=]{4,80}\r?\n?){2,400})/
    .exec(
      file,
    );
  if (found === null) return undefined;
  const start = at + found.index + found[0].length - found[1]!.length;
  return { start, end: start + found[1]!.length };
}

/** The signed JSON web token that begins at this `eyJ`. */
export function signedTokenAt(text: string, at: number): Part | undefined {
  if (at > 0 && /[A-Za-z0-9_-]/.test(text[at - 1]!)) return undefined;
  const shape =
    /(eyJ[A-Za-z0-9_-]{8,2000})\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,1400}(?![A-Za-z0-9_.-])/y;
  shape.lastIndex = at;
  const found = shape.exec(text);
  if (found === null || isExample(found[0])) return undefined;
  return /"alg"\s*:/.test(decodedBase64(found[1]!) ?? "")
    ? { start: at, end: at + found[0].length }
    : undefined;
}

/** The bytes of base64 in either alphabet as Latin-1 text; undefined when it is none. */
export function decodedBase64(text: string): string | undefined {
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""));
  } catch {
    return undefined;
  }
}

/** Passwords that everybody writes into a first example. */
const COMMON =
  /^(?:(?:my|super|db|test|the|some|dev|local)?[_-]?(?:pass(?:word|wd)?|pwd|secret|token|user(?:name)?|admin|root|postgres|mysql|mongo|redis|guest|rabbit(?:mq)?|minio(?:admin)?|sa|test|demo|dev|docker|app|api|key|me|foo|bar)[0-9!@#]{0,4}|p[a@4]ss?w[o0]rd[0-9!]{0,6}|[a-z]{1,3}|hunter2|letmein|qwerty[0-9]{0,3}|1234[0-9]{0,8}|x-(?:access|oauth)-(?:token|basic))$/i;

const LOCAL =
  /^(?:localhost|127\.[0-9.]+|0\.0\.0\.0|\[::1?\]|host\.docker\.internal|[a-z0-9_-]+(?=[:/?#]|$))/i;

/** Longest part of an address before its host. */
const maxUser = 400;

/** The password in the address whose `://` stands at `at`. */
export function urlPasswordAt(text: string, at: number): Part | undefined {
  const start = at + 3;
  let colon = -1;
  let end = -1;
  const limit = Math.min(text.length, start + maxUser);
  for (let index = start; index < limit; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x3a && colon < 0) colon = index;
    else if (code === 0x40) end = index;
    // Blanks, control characters, quotes, and what ends the part before the path.
    else if (code <= 32 || "\"'`<>/?#\\".includes(text[index]!)) break;
  }
  if (end < 0 || colon < 0 || colon > end) return undefined;
  const value = text.slice(colon + 1, end);
  if (!isRealPassword(value) || isExample(value)) return undefined;
  const host = text.slice(end + 1, end + 100);
  if (!isRandom(value) && LOCAL.test(host) && !/^[a-z0-9-]+\.[a-z]/i.test(host)) return undefined;
  if (/^(?:[a-z0-9-]+\.){0,4}example\.(?:com|org|net)\b/i.test(host) && !isRandom(value)) return undefined;
  return { start: colon + 1, end };
}

/** True for what is no reference to a variable, and nothing that stands for a password. */
function isRealPassword(value: string): boolean {
  if (value.length < 6 || COMMON.test(value)) return false;
  if (/^[$%{<[(:*]|[{}<>()]|^%[A-Z_]|\$\{/.test(value)) return false;
  return /[0-9]/.test(value) || /[^A-Za-z0-9_-]/.test(value) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 12);
}
