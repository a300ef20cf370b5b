/**
 * Requests of `guard serve`: one JSON object a line, `{"id": "7", "event": "PreToolUse", "payload": {…}}`. The
 * payload is what `guard hook` gets on stdin, the event what it gets as `--event`.
 */

import { decodePayload } from "../decode.ts";
import { GuardError, PayloadError } from "../errors.ts";
import type { HookInput } from "../types.ts";
import type { Line } from "./lines.ts";

/** What tells an answer's request. */
export type RequestId = string | number;

/** A request, as far as its line could be read. */
export interface Request {
  /** Null when the line does not say it in a form that can be relied on. */
  readonly id: RequestId | null;
  /** The host's own name of the event. */
  readonly event?: string;
  readonly payload: HookInput["payload"] | GuardError;
}

const members: ReadonlySet<string> = new Set(["id", "event", "payload"]);

/** Reads a line. Never throws: what is wrong with it stands in the place of the payload. */
export function requestOf(line: Line, limit: number): Request {
  const id = idAtStart(line.bytes);
  if (line.tooLong) {
    return { id, payload: new PayloadError(`expected at most ${limit} bytes in a line, found more`) };
  }
  try {
    return read(line.bytes);
  } catch (error) {
    return { id, payload: error instanceof GuardError ? error : new PayloadError(String(error)) };
  }
}

function read(bytes: Uint8Array): Request {
  const request = decodePayload(bytes);
  const { id, event, payload } = request;
  if (!isId(id)) {
    throw new PayloadError('expected a short text or a whole number in "id", found something else');
  }
  const known = { id, ...(typeof event === "string" ? { event } : {}) };
  const problem = (text: string): Request => ({ ...known, payload: new PayloadError(text) });
  if (event !== undefined && typeof event !== "string") {
    return problem('expected the name of an event in "event", found something else');
  }
  const further = Object.keys(request).find((name) => !members.has(name));
  if (further !== undefined) {
    return problem(`expected "id", "event" and "payload" in a request, found ${JSON.stringify(further)}`);
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    return problem('expected an object in "payload", found something else');
  }
  return { ...known, payload: payload as HookInput["payload"] };
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" ? value !== "" && value.length <= 64 : Number.isSafeInteger(value);
}

/** The id of a line that is no request, where it stands at the very start as in what the plugins write. */
function idAtStart(bytes: Uint8Array): RequestId | null {
  const head = new TextDecoder().decode(bytes.subarray(0, 256));
  const found = /^\s*\{\s*"id"\s*:\s*("[A-Za-z0-9_-]{1,64}"|[0-9]{1,15})\s*[,}]/.exec(head)?.[1];
  return found === undefined ? null : JSON.parse(found);
}
