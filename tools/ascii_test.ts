import assert from "node:assert/strict";
import { ascii } from "./ascii.ts";

Deno.test("a program in ASCII does the same", () => {
  const source = "['…', `é${1}–`, /^[-–—]$/.test('—'), /^😀$/u.test('😀'), '😀'.length, { ü: 2 }.ü]";
  const written = ascii(source);
  assert.match(written, /^[\0-\x7f]*$/);
  assert.deepEqual(new Function(`return ${written}`)(), new Function(`return ${source}`)());
  assert.equal(ascii("a\\u2026b"), "a\\u2026b");
});

Deno.test("what an escape would change is refused", () => {
  assert.throws(() => ascii("String.raw`–`"), /raw template/);
});
