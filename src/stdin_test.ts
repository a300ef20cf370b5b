import assert from "node:assert/strict";
import { install } from "@sinonjs/fake-timers";
import { isWholePayload } from "./decode.ts";
import { readBytes, type Source } from "./stdin.ts";

const limits = { bytes: 1000, deadline: 400, pause: 20 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** Gives the parts one by one, each after its wait in milliseconds; then ends, or never does. */
function source(parts: readonly (readonly [string, number])[], ends: boolean): Source {
  let next = 0;
  const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  return {
    async read(buffer) {
      const part = parts[next++];
      if (part === undefined) {
        if (ends) return null;
        await wait(60_000);
        return null;
      }
      await wait(part[1]);
      const data = bytes(part[0]);
      buffer.set(data);
      return data.length;
    },
  };
}

/** Reads on a clock of its own, so that no load of the machine makes a difference. `took` is in milliseconds. */
async function read(parts: readonly (readonly [string, number])[], ends: boolean) {
  const clock = install({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const started = performance.now();
    const result = readBytes(source(parts, ends), isWholePayload, limits)
      .then(({ bytes, end }) => ({ bytes, end, took: performance.now() - started }));
    await clock.runAllAsync();
    const { bytes, end, took } = await result;
    return { text: new TextDecoder().decode(bytes), end, took };
  } finally {
    clock.uninstall();
  }
}

Deno.test("a stream that ends is read to its end", async () => {
  const { text, end } = await read([['{"a":', 0], ["1}", 5]], true);
  assert.deepEqual([text, end], ['{"a":1}', "closed"]);
});

Deno.test("an empty stream is read as nothing", async () => {
  const { text, end } = await read([], true);
  assert.deepEqual([text, end], ["", "closed"]);
});

Deno.test("a whole document is taken when the stream pauses and never ends", async () => {
  const { text, end, took } = await read([['{"a":', 0], ["1}\n", 5]], false);
  assert.deepEqual([text, end], ['{"a":1}\n', "whole"]);
  assert(took < limits.deadline);
});

Deno.test("half a document waits for its other half", async () => {
  const { text, end } = await read([['{"a":', 0], ["1}", 100]], true);
  assert.deepEqual([text, end], ['{"a":1}', "closed"]);
});

Deno.test("half a document that never goes on ends at the deadline", async () => {
  const { text, end, took } = await read([['{"a":', 0]], false);
  assert.deepEqual([text, end], ['{"a":', "deadline"]);
  assert.equal(took, limits.deadline);
});

Deno.test("a stream that says nothing ends at the deadline", async () => {
  assert.equal((await read([], false)).end, "deadline");
});

Deno.test("a stream that drips ends at the deadline", async () => {
  const drops = Array.from({ length: 200 }, () => ["1", 10] as const);
  assert.equal((await read([["[", 0], ...drops], false)).end, "deadline");
});

Deno.test("white space that drips behind a whole document does not keep it waiting", async () => {
  const drops = Array.from({ length: 200 }, (_, index) => [" \n\r\t"[index % 4]!, 5] as const);
  const { text, end, took } = await read([['{"a":1}', 0], ...drops], false);
  assert.deepEqual([text.trim(), end], ['{"a":1}', "whole"]);
  assert(took < limits.deadline);
});

Deno.test("white space that drips behind half a document leaves it half", async () => {
  const drops = Array.from({ length: 200 }, () => [" ", 5] as const);
  assert.equal((await read([['{"a":', 0], ...drops], false)).end, "deadline");
  assert.equal((await read([['{"a":', 0], ...drops.slice(0, 20), ["1}", 0]], false)).end, "whole");
});

Deno.test("what drips behind a document and is no white space makes it none", async () => {
  const drops = Array.from({ length: 200 }, () => ["x", 10] as const);
  assert.equal((await read([['{"a":1}', 0], ...drops], false)).end, "deadline");
});

Deno.test("a whole document whose last byte comes just before the deadline is taken", async () => {
  const { end, text } = await read([['{"a":', 0], ["1", 200], ["}", limits.deadline - 201]], false);
  assert.deepEqual([text, end], ['{"a":1}', "whole"]);
});

Deno.test("what is longer than the limit is not taken", async () => {
  const part = ["x".repeat(300), 0] as const;
  const { end, text } = await read([part, part, part, part], true);
  assert.equal(end, "too-long");
  assert(text.length <= limits.bytes);
});

Deno.test("documents larger than the first buffer arrive unchanged", async () => {
  const text = JSON.stringify({ a: "ä".repeat(100_000) });
  const data = bytes(text);
  let at = 0;
  const from: Source = {
    read(buffer) {
      const part = data.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
  };
  const read = await readBytes(from, isWholePayload, { ...limits, bytes: 1_000_000, deadline: 5000 });
  assert.equal(read.end, "closed");
  assert.equal(new TextDecoder().decode(read.bytes), text);
});

Deno.test("a source that fails is an error", async () => {
  const from: Source = { read: () => Promise.reject(new Error("closed descriptor")) };
  await assert.rejects(readBytes(from, isWholePayload, limits), /closed descriptor/);
});
