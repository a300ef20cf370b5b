/** Values that a name says are secret: `API_KEY=…`, `"clientSecret": "…"`. */

import type { Part } from "./structures.ts";
import { isExample, isRandom } from "./values.ts";

/** What begins the words of {@link nameAt}, in lower case. */
export const nameAnchors: readonly string[] = [
  "passw",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "api",
  "access",
  "private",
  "signing",
  "encryption",
  "master",
  "shared",
  "credential",
  "auth",
];

const WORD =
  /(?:passw(?:or)?ds?|passphrase|pwd|secrets?|tokens?|(?:api|access|private|signing|encryption|master|shared)[_-]?(?:key|secret|token)s?|credentials?|auth[_-]?(?:key|token|secret)s?)([A-Za-z0-9_-]{0,32})/iy;

/** Names of what is shown to everybody, or only says something about a secret. */
const HARMLESS =
  /public|publishable|hash|checksum|digest|fingerprint|thumbprint|sha[0-9]|md5|integrity|sealed|encrypted|cipher|csrf|xsrf|nonce|(?:file|path|dir|url|uri|name|env|type|id|ttl|length|size|expir(?:y|es|ation)|count|limit|max|min|regex|pattern|format|label|title|hint|error|message|field|prefix|suffix|alg|algorithm|version|index|class|kind|ref|arn)s?$/i;

const SEPARATOR = /["'`]?\]?[ \t]{0,8}(?::=|=>|[:=](?![:=]))[ \t]{0,8}(?:[a-z]{1,2}(?=["']))?/y;
const QUOTED = /(["'`])([^"'`\s\\]{8,400})\1/y;
/** A value without quotes: at the end of a line of settings. */
const BARE = /([^\s"'`,;(){}[\]<>\\]{16,400})(?=[ \t]*(?:#.*)?(?:\r?\n|$|\\n|;))/y;

/** Values in such a document are meant to be read by everybody. */
const sealed = "kind: SealedSecret";

/** The secret whose name has one of the anchors at this place; undefined when the name or the value is none. */
export function namedSecretAt(text: string, at: number): Part | undefined {
  WORD.lastIndex = at;
  const word = WORD.exec(text);
  if (word === null) return undefined;
  SEPARATOR.lastIndex = WORD.lastIndex;
  if (!SEPARATOR.test(text)) return undefined;
  const begin = SEPARATOR.lastIndex;
  let from = at;
  while (from > 0 && at - from < 40 && isNameCode(text.charCodeAt(from - 1))) from--;
  const name = text.slice(from, WORD.lastIndex);
  if (HARMLESS.test(name)) return undefined;
  QUOTED.lastIndex = begin;
  const quoted = QUOTED.exec(text);
  const start = quoted === null ? begin : begin + 1;
  let value = quoted?.[2];
  if (value === undefined) {
    // What is assigned without quotes in code is an expression.
    if (!beginsLine(text, from)) return undefined;
    BARE.lastIndex = begin;
    value = BARE.exec(text)?.[1];
  }
  if (
    value === undefined || !isSecretValue(value, name) ||
    text.slice(Math.max(0, at - 4000), at).includes(sealed)
  ) return undefined;
  return { start, end: start + value.length };
}

/** Letters and digits of ASCII, `_`, `.` and `-`. */
function isNameCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) ||
    code === 0x5f || code === 0x2e || code === 0x2d;
}

/** Whether only blanks, `export` or a mark of a list stands before the name. */
function beginsLine(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 60), from).split(/\n|\\n/).at(-1)!;
  return /^[ \t]*(?:[-+][ \t]*)?(?:(?:export|set|setx|ENV|ARG|env:)[ \t]+|\$env:|\/\/[^\s=]*\/?:)?["']?$/
    .test(before);
}

function isSecretValue(value: string, name: string): boolean {
  if (value.length < 16 || isExample(value) || isReference(value)) return false;
  if (/^[A-Za-z0-9/+]{40}$/.test(value) && /aws.{0,12}(?:secret|key)|secret_?access_?key/i.test(name)) {
    return true;
  }
  return isRandom(value);
}

/** Variables, paths, addresses, calls, identifiers, and values that are hashed or encrypted already. */
function isReference(value: string): boolean {
  return /^(?:\$|%|@|~?\/|\.{1,2}\/|[a-z][a-z0-9+.-]*:\/\/|data:|sha(?:1|256|384|512)[-:]|\{[A-Z]|ENC\[|arn:|urn:|projects\/)/
    .test(value) ||
    /\$\{|\{\{|%[A-Z_]+%|\(\)|::|->|=>|\/\/|\.\.|&&|\|\|/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:[.?!]{1,2}[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^(?:\/?[\w.-]+\/){2,}[\w.-]*$/.test(value) && !/[0-9][A-Z]|[A-Z][0-9]/.test(value) ||
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value) ||
    /^[\d.:T+Z-]+$/.test(value);
}
