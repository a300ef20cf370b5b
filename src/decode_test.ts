import assert from "node:assert/strict";
import fc from "fast-check";
import { checkStructure, decodePayload, isWholePayload } from "./decode.ts";
import { PayloadError } from "./errors.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const out = new Uint8Array(2 + text.length * 2);
  const view = new DataView(out.buffer);
  view.setUint16(0, 0xfeff, !bigEndian);
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), !bigEndian);
  return out;
}

Deno.test("the encodings that hosts send are read alike", () => {
  const text = '{\r\n  "tool": "größe 🚀"\r\n}\r\n';
  const expected = { tool: "größe 🚀" };
  assert.deepEqual(decodePayload(utf8(text)), expected);
  assert.deepEqual(decodePayload(utf8(`\ufeff${text}`)), expected);
  assert.deepEqual(decodePayload(utf16(text, false)), expected);
  assert.deepEqual(decodePayload(utf16(text, true)), expected);
});

Deno.test("bytes that are no text leave what surrounds them to be judged", () => {
  const payload = decodePayload(
    new Uint8Array([...utf8('{"command":"rm '), 0xff, 0xc0, ...utf8(' -rf /srv"}')]),
  );
  assert.equal(payload.command, "rm \ufffd\ufffd -rf /srv");
});

Deno.test("half a surrogate pair is kept as it is", () => {
  assert.equal(decodePayload(utf8('{"command":"ls \\ud800 /srv"}')).command, "ls \ud800 /srv");
});

for (
  const [what, text] of [
    ["nothing", ""],
    ["blanks", " \n"],
    ["half a document", '{"tool_name":"Bash","tool_in'],
    ["text", "hello"],
    ["an array", "[1]"],
    ["null", "null"],
    ["a string", '"x"'],
    ["a number", "1"],
    ["a second document", '{"a":1}{"b":2}'],
    ["a line after the document", '{"a":1}\nlog line'],
    ["a line before the document", 'log line\n{"a":1}'],
    ["a comment", '{"a":1 /* b */}'],
    ["a trailing zero byte", '{"a":1}\0'],
    ["a key twice", '{"a":{"command":"ls","command":"rm -rf /srv"}}'],
    ["a key twice, once with an escape", '{"tool_input":1,"tool\\u005finput":2}'],
    ["a hundred thousand open brackets", "[".repeat(100_000)],
    ["a deeply nested value", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`],
  ] as const
) {
  Deno.test(`${what}: refused`, () => {
    assert.throws(() => decodePayload(utf8(text)), PayloadError);
  });
}

Deno.test("equal keys of different objects, and values that look like keys, are fine", () => {
  const text = '{"a":{"x":1},"b":{"x":1},"c":["x","x",{"x":"x"},{"x":"a\\"x\\":"}],"d":"a","e\\\\":1,"e":2}';
  assert.deepEqual(decodePayload(utf8(text)), JSON.parse(text));
});

Deno.test("a member named __proto__ is data", () => {
  const payload = decodePayload(utf8('{"__proto__":{"tool_name":"Read"},"constructor":1}'));
  assert.equal(Object.hasOwn(payload, "__proto__"), true);
  assert.equal(payload.tool_name, undefined);
});

Deno.test("whatever JSON writes is read back, and is whole only at its end", () => {
  const key = fc.string({ unit: "binary" });
  fc.assert(fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 4 })), (value) => {
    const text = JSON.stringify(value);
    const bytes = utf8(text);
    const expected = JSON.parse(new TextDecoder().decode(bytes));
    assert.deepEqual(decodePayload(bytes), expected);
    assert(isWholePayload(bytes));
    assert(isWholePayload(utf8(`${text}\n`)));
    for (let end = 0; end < bytes.length; end += 1 + Math.floor(bytes.length / 20)) {
      assert.equal(isWholePayload(bytes.subarray(0, end)), false);
    }
  }));
});

Deno.test("looking at the structure takes time in proportion to the text", () => {
  // The least of several runs: the work of others on the machine comes and goes.
  const time = (text: string) => {
    let least = Infinity;
    for (let run = 0; run < 5 && least >= 1000; run++) {
      const started = performance.now();
      checkStructure(text);
      least = Math.min(least, performance.now() - started);
    }
    return least;
  };
  const hostile = [
    (n: number) => `{"a":"${"\\\\".repeat(n)}"}`,
    (n: number) => `{"a":"${'\\"'.repeat(n)}"}`,
    (n: number) => `{${Array.from({ length: n / 8 }, (_, at) => `"k${at}":1`).join(",")}}`,
    (n: number) => '"'.repeat(n),
  ];
  for (const make of hostile) {
    assert(time(make(1_000_000)) < 1000);
  }
});
