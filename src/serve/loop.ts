/** Answers requests line by line until their stream ends. */

import { type Payload, respondTo, type Response } from "../hook.ts";
import type { HookOptions } from "../hook_options.ts";
import { readLimits, type Source } from "../stdin.ts";
import { linesOf } from "./lines.ts";
import { type Request, requestOf } from "./request.ts";

/** Both ends of a connection. */
export interface Channel {
  readonly source: Source;
  /** Resolves when all of the text was taken. */
  write(text: string): Promise<void>;
}

/** How much one connection may hold. */
export interface ServeLimits {
  /** Most bytes of a line. */
  readonly line: number;
  /** Most requests that are judged at once, and most bytes of all of their lines; then reading pauses. */
  readonly requests: number;
  readonly bytes: number;
}

/** The limits of `guard serve`. */
export const serveLimits: ServeLimits = {
  line: readLimits.bytes,
  requests: 32,
  bytes: 64 * 1024 * 1024,
};

/** Milliseconds after which the next request is begun although the one before still waits for something. */
const turn = 5;

/**
 * Answers every line with its id, in any order. A line that is no request is answered as a payload that cannot be
 * read is, and the next one counts again. Resolves when the stream has ended and all is answered; rejects when
 * an answer cannot be written.
 *
 * @param done Told after each answer what is to be recorded.
 */
export async function serveLines(
  options: HookOptions,
  channel: Channel,
  done: (response: Response) => void,
  limits: ServeLimits = serveLimits,
): Promise<void> {
  const broken = Promise.withResolvers<never>();
  const open = new Set<Promise<void>>();
  let bytes = 0;
  const answer = async ({ id, event, payload }: Request): Promise<void> => {
    const asked = event === undefined ? options : { ...options, event };
    const response = await respondTo(
      asked,
      () => payload instanceof Error ? Promise.reject(payload) : Promise.resolve<Payload>(payload),
    );
    await channel.write(`${JSON.stringify({ id, reply: response.reply })}\n`);
    done(response);
  };
  const begin = (request: Request, size: number): Promise<void> => {
    bytes += size;
    const answering = answer(request).catch(broken.reject).finally(() => {
      bytes -= size;
      open.delete(answering);
    });
    open.add(answering);
    return answering;
  };
  const all = async (): Promise<void> => {
    for await (const { bytes: line, tooLong } of linesOf(channel.source, limits.line)) {
      if (line.every(isBlank)) continue;
      while (open.size > 0 && (open.size >= limits.requests || bytes + line.length > limits.bytes)) {
        await Promise.race(open);
      }
      const answering = begin(requestOf({ bytes: line, tooLong }, limits.line), line.length);
      // The time of the next one runs from its own turn: this one may keep the processor busy.
      await orAfter(answering, turn);
    }
    await Promise.all(open);
  };
  await Promise.race([all(), broken.promise]);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

async function orAfter(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await Promise.race([promise, new Promise((resolve) => timer = setTimeout(resolve, milliseconds))]);
  } finally {
    clearTimeout(timer);
  }
}
