import assert from "node:assert/strict";
import fc from "fast-check";
import { type ReadLine, readLines } from "./line_reader.ts";

async function read(chunks: readonly Uint8Array[], limit = 1000): Promise<ReadLine[]> {
  async function* stream() {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  const lines: ReadLine[] = [];
  for await (const batch of readLines(stream(), limit)) lines.push(...batch);
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("lines are the same wherever the chunks end", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.constantFrom("a", "漢", "\n", "🙂", " ", "\r\n"), { maxLength: 30 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 }),
    async (parts, sizes) => {
      const whole = bytes(parts.join(""));
      const chunks: Uint8Array[] = [];
      for (let at = 0, i = 0; at < whole.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        chunks.push(whole.slice(at, at + size));
        at += size;
      }
      const expected = parts.join("").split("\n").map((line) => ({ text: line.replace(/\r$/, "") }));
      if (parts.join("").endsWith("\n") || parts.length === 0) expected.pop();
      assert.deepEqual(await read(chunks), expected);
    },
  ));
});

Deno.test("a line that is too long or no UTF-8 is a problem, and the next one is read", async () => {
  const lines = await read([
    bytes("x".repeat(2000)),
    bytes("yyy\nok\n"),
    new Uint8Array([0xff, 10]),
    bytes("end"),
  ]);
  assert.deepEqual(lines, [
    { problem: "expected a line of at most 1000 bytes, found 2003" },
    { text: "ok" },
    { problem: "expected a line in UTF-8, found other bytes" },
    { text: "end" },
  ]);
});
