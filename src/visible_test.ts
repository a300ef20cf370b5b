import assert from "node:assert/strict";
import { visible } from "./visible.ts";

Deno.test("what a terminal would act on becomes visible", () => {
  assert.equal(visible("a\x1b[31mb\n\t\r\x07"), "a\\e[31mb\\n\\t\\r\\x07");
  assert.equal(visible("x\u202ey\u200bz"), "x\\u{202e}y\\u{200b}z");
  assert.equal(visible("\u009b2J"), "\\x9b2J");
  assert.equal(visible("\ud800"), "\\u{d800}");
  assert.equal(visible("Grüße 漢字 🙂"), "Grüße 漢字 🙂");
});

Deno.test("a limit cuts between characters", () => {
  assert.equal(visible("abcdef", 3), "abc…");
  assert.equal(visible("ab\x00cd", 3), "ab…");
  assert.equal(visible("abc", 3), "abc");
});
