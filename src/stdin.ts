/** Reading of the payload, bounded in size and in time. */

/** Where the payload comes from; `Deno.stdin` is one. */
export interface Source {
  /** Fills the buffer and gives the number of bytes, or null at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
}

export interface ReadLimits {
  /** Most bytes that are taken. */
  readonly bytes: number;
  /** Milliseconds after which reading ends whatever came. */
  readonly deadline: number;
  /** Milliseconds without a byte after which the document is asked whether it is whole. */
  readonly pause: number;
}

export const readLimits: ReadLimits = { bytes: 16 * 1024 * 1024, deadline: 3000, pause: 60 };

export interface ReadResult {
  readonly bytes: Uint8Array;
  /** `closed`: the end was seen; `whole`: the stream paused after a whole document. */
  readonly end: "closed" | "whole" | "deadline" | "too-long";
}

/**
 * Reads until the stream ends, a limit is reached, or the stream pauses while `isWhole` holds: some hosts never
 * close it. Rejects when the source does.
 */
export async function readBytes(
  source: Source,
  isWhole: (bytes: Uint8Array) => boolean,
  limits: ReadLimits = readLimits,
): Promise<ReadResult> {
  const until = performance.now() + limits.deadline;
  let store = new Uint8Array(64 * 1024);
  let length = 0;
  let asked = -1;
  const buffer = new Uint8Array(64 * 1024);
  let pending = source.read(buffer);
  while (true) {
    const left = until - performance.now();
    if (left <= 0) return { bytes: store.subarray(0, length), end: "deadline" };
    const count = await orTimeout(pending, length > asked ? Math.min(limits.pause, left) : left);
    if (count === "timeout") {
      if (length > asked && isWhole(store.subarray(0, length))) {
        return { bytes: store.subarray(0, length), end: "whole" };
      }
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
    pending = source.read(buffer);
  }
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
