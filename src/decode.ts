/** From the bytes of a payload to one JSON object. */

import { PayloadError } from "./errors.ts";

/** Deeper nesting than any host sends; bounds every recursion over a payload. */
const depthLimit = 256;

/**
 * The JSON object in the bytes: UTF-8 with or without byte order mark, or UTF-16 with one. Bytes that are no
 * valid text become U+FFFD, so that what surrounds them is still judged. Throws PayloadError when there is no
 * object, when something follows it, and when it is ambiguous (a key twice) or nested too deeply.
 */
export function decodePayload(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const source = decodeText(bytes);
  if (source.trim() === "") throw new PayloadError("expected a JSON object on stdin, found nothing");
  checkStructure(source);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new PayloadError("expected one JSON object on stdin, found text that is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PayloadError("expected a JSON object on stdin, found another JSON value");
  }
  return value as Record<string, unknown>;
}

/** Whether the bytes are a whole JSON object already. */
export function isWholePayload(bytes: Uint8Array): boolean {
  let last = bytes.length - 1;
  while (last >= 0 && isFiller(bytes[last] ?? 0)) last--;
  if (bytes[last] !== 0x7d) return false;
  try {
    decodePayload(bytes);
    return true;
  } catch {
    return false;
  }
}

/** White space of JSON, and the zero half of a UTF-16 unit. */
export function isFiller(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
}

/** Text of bytes by their byte order mark; UTF-8 without one. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/**
 * Refuses what makes a document mean different things to different readers: a key that occurs twice in one
 * object, of which some take the first and some the last. One pass; says nothing about syntax otherwise.
 */
export function checkStructure(source: string): void {
  // One entry per open bracket: the keys of an object, or undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let expectKey = false;
  for (let at = 0; at < source.length; at++) {
    switch (source.charCodeAt(at)) {
      case 0x22: { // "
        const end = stringEnd(source, at);
        const keys = open.at(-1);
        if (expectKey && keys !== undefined) addKey(keys, source.slice(at, end + 1));
        expectKey = false;
        at = end;
        break;
      }
      case 0x7b: // {
        open.push(new Set());
        expectKey = true;
        break;
      case 0x5b: // [
        open.push(undefined);
        expectKey = false;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        expectKey = false;
        break;
      case 0x2c: // ,
        expectKey = open.at(-1) !== undefined;
        break;
    }
    if (open.length > depthLimit) {
      throw new PayloadError(`expected at most ${depthLimit} levels of nesting on stdin, found more`);
    }
  }
}

/** Index of the closing quote of the string that starts at `start`; the length of the text without one. */
function stringEnd(source: string, start: number): number {
  let at = start;
  while (true) {
    at = source.indexOf('"', at + 1);
    if (at < 0) return source.length;
    let backslashes = 0;
    while (source.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

function addKey(keys: Set<string>, literal: string): void {
  let key = literal;
  if (literal.includes("\\")) {
    try {
      key = JSON.stringify(JSON.parse(literal));
    } catch {
      // Not a valid string: parsing the document will say so.
    }
  }
  if (keys.has(key)) {
    throw new PayloadError(`expected each key once in an object on stdin, found ${key} twice`);
  }
  keys.add(key);
}
