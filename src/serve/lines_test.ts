import assert from "node:assert/strict";
import fc from "fast-check";
import type { Source } from "../stdin.ts";
import { type Line, linesOf } from "./lines.ts";

/** A stream that comes in these pieces. */
function source(pieces: readonly Uint8Array[]): Source {
  const rest = [...pieces];
  return {
    read(buffer) {
      const piece = rest.shift();
      if (piece === undefined) return Promise.resolve(null);
      const part = piece.subarray(0, buffer.length);
      if (part.length < piece.length) rest.unshift(piece.subarray(part.length));
      buffer.set(part);
      return Promise.resolve(part.length);
    },
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function read(
  pieces: readonly Uint8Array[],
  limit: number,
): Promise<{ text: string; tooLong: boolean }[]> {
  const lines: Line[] = await Array.fromAsync(linesOf(source(pieces), limit));
  return lines.map((line) => ({ text: new TextDecoder().decode(line.bytes), tooLong: line.tooLong }));
}

Deno.test("lines are the same however they come", async () => {
  const text = fc.array(
    fc.string({ unit: "binary-ascii", maxLength: 20 }).map((one) => one.replaceAll("\n", "")),
  );
  await fc.assert(fc.asyncProperty(text, fc.array(fc.nat(30)), async (lines, cuts) => {
    const whole = bytes(lines.map((line) => `${line}\n`).join(""));
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const cut of cuts) pieces.push(whole.subarray(at, at += cut));
    pieces.push(whole.subarray(at));
    const found = await read(pieces.filter((piece) => piece.length > 0), 1000);
    assert.deepEqual(found, lines.map((line) => ({ text: line, tooLong: false })));
  }));
});

Deno.test("what follows the last line feed counts as a line", async () => {
  assert.deepEqual((await read([bytes("a\nb")], 10)).map((line) => line.text), ["a", "b"]);
});

Deno.test("of a line that is too long only the beginning is kept, and the next one is read again", async () => {
  const long = `{"id":"7",${"x".repeat(5000)}`;
  const pieces = [
    bytes(long.slice(0, 100)),
    bytes(long.slice(100)),
    bytes("x\nok\n"),
    bytes("y".repeat(1001)),
  ];
  const found = await read(pieces, 1000);
  assert.deepEqual(found.map((line) => line.tooLong), [true, false, true]);
  assert.equal(found[0]?.text, long.slice(0, 256));
  assert.equal(found[1]?.text, "ok");
  assert.equal(found[2]?.text, "y".repeat(256));
});

Deno.test("a line of exactly the limit is no longer than it", async () => {
  assert.deepEqual(await read([bytes(`${"x".repeat(1000)}\n`)], 1000), [{
    text: "x".repeat(1000),
    tooLong: false,
  }]);
});
