/** Reading of the payload, bounded in size and in time. */

import { isFiller } from "./decode.ts";

/** Where the payload comes from; `Deno.stdin` is one. */
export interface Source {
  /** Fills the buffer and gives the number of bytes, or null at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
}

/** How much is read, and how long. */
export interface ReadLimits {
  /** Most bytes that are taken. */
  readonly bytes: number;
  /** Milliseconds after which reading ends whatever came. */
  readonly deadline: number;
  /** Milliseconds without anything but white space after which the document is asked whether it is whole. */
  readonly pause: number;
}

/** The limits of a hook. */
export const readLimits: ReadLimits = { bytes: 16 * 1024 * 1024, deadline: 3000, pause: 60 };

/** What came. */
export interface ReadResult {
  readonly bytes: Uint8Array;
  /** `closed`: the end was seen; `whole`: the stream paused, or said nothing more, after a whole document. */
  readonly end: "closed" | "whole" | "deadline" | "too-long";
}

/**
 * Reads until the stream ends, a limit is reached, or the stream pauses while `isWhole` holds: some hosts never
 * close it. White space that drips behind a document is a pause, whenever it comes. Rejects when the source does.
 */
export async function readBytes(
  source: Source,
  isWhole: (bytes: Uint8Array) => boolean,
  limits: ReadLimits = readLimits,
): Promise<ReadResult> {
  const until = performance.now() + limits.deadline;
  let store = new Uint8Array(64 * 1024);
  let length = 0;
  /** How much there was when last asked, and when more than white space came last. */
  let asked = -1;
  let solid = 0;
  let since = performance.now();
  const buffer = new Uint8Array(64 * 1024);
  const isWholeNow = () => isWhole(store.subarray(0, length));
  let pending = source.read(buffer);
  while (true) {
    const now = performance.now();
    const left = until - now;
    if (left <= 0) return { bytes: store.subarray(0, length), end: isWholeNow() ? "whole" : "deadline" };
    const quiet = since + limits.pause - now;
    const count = solid > asked && quiet <= 0
      ? "timeout"
      : await orTimeout(pending, solid > asked ? Math.min(quiet, left) : left);
    if (count === "timeout") {
      if (solid > asked && isWholeNow()) return { bytes: store.subarray(0, length), end: "whole" };
      asked = length;
      continue;
    }
    if (count === null) return { bytes: store.subarray(0, length), end: "closed" };
    if (length + count > limits.bytes) return { bytes: store.subarray(0, length), end: "too-long" };
    if (length + count > store.length) {
      const larger = new Uint8Array(Math.max(store.length * 2, length + count));
      larger.set(store.subarray(0, length));
      store = larger;
    }
    store.set(buffer.subarray(0, count), length);
    length += count;
    if (!isBlank(buffer, count)) {
      solid = length;
      since = performance.now();
    }
    pending = source.read(buffer);
  }
}

/** True when the first bytes are white space of JSON in any of its encodings. */
function isBlank(bytes: Uint8Array, count: number): boolean {
  for (let at = 0; at < count; at++) if (!isFiller(bytes[at] ?? 0)) return false;
  return true;
}

async function orTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T | "timeout"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
