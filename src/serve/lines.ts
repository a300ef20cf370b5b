/** Lines of a stream, bounded in size. */

import type { Source } from "../stdin.ts";

/** A line without its line feed; of one that is too long only the beginning. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly tooLong: boolean;
}

const lineFeed = 10;
/** Bytes that are kept of a line that is too long: enough for the id at its start. */
const headBytes = 256;

/** The lines of a stream as they come, empty ones included; what follows the last line feed counts as a line. */
export async function* linesOf(source: Source, limit: number): AsyncGenerator<Line> {
  const buffer = new Uint8Array(64 * 1024);
  let store = new Uint8Array(4096);
  let length = 0;
  let tooLong = false;
  const add = (part: Uint8Array) => {
    if (tooLong) return;
    if (length + part.length > limit) {
      const kept = store.subarray(0, Math.min(length, headBytes));
      const head = new Uint8Array(headBytes);
      head.set(kept);
      head.set(part.subarray(0, headBytes - kept.length), kept.length);
      length = Math.min(headBytes, kept.length + part.length);
      store = head;
      tooLong = true;
      return;
    }
    if (length + part.length > store.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(store.length * 2, length + part.length)));
      larger.set(store.subarray(0, length));
      store = larger;
    }
    store.set(part, length);
    length += part.length;
  };
  const finish = (): Line => {
    const line = { bytes: store.subarray(0, length), tooLong };
    // The line keeps its bytes; a large store does not stay behind it.
    store = new Uint8Array(4096);
    length = 0;
    tooLong = false;
    return line;
  };
  while (true) {
    const count = await source.read(buffer);
    if (count === null) break;
    const chunk = buffer.subarray(0, count);
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield finish();
}
