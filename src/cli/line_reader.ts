/** Lines of a byte stream, as they come. */

export type ReadLine =
  | { readonly text: string }
  /** The line is skipped; `problem` says what was expected and what came. */
  | { readonly problem: string };

const LINE_FEED = 10;

/**
 * Yields the lines of each chunk together, so that the answers to them can be written together; the last
 * line counts without a line feed too. A line of more than `limit` bytes, or that is not UTF-8, is a problem.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<readonly ReadLine[]> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let tooLong = false;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > limit) {
      tooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  };
  const finish = (): ReadLine => {
    const whole = parts.length === 1 ? parts[0] ?? new Uint8Array() : concatenate(parts);
    const found: ReadLine = tooLong
      ? { problem: `expected a line of at most ${limit} bytes, found ${length}` }
      : decode(decoder, whole);
    parts = [];
    length = 0;
    tooLong = false;
    return found;
  };
  for await (const chunk of chunks) {
    const lines: ReadLine[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      lines.push(finish());
      from = end + 1;
    }
    add(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [finish()];
}

function decode(decoder: TextDecoder, bytes: Uint8Array): ReadLine {
  try {
    return { text: decoder.decode(bytes).replace(/\r$/, "") };
  } catch {
    return { problem: "expected a line in UTF-8, found other bytes" };
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
