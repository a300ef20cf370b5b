import assert from "node:assert/strict";
import fc from "fast-check";
import { width } from "./terminal.ts";
import { underline } from "./underline.ts";

function marked(source: string, part: string, columns?: number): [string, string] {
  const start = source.indexOf(part);
  const { text, carets } = underline(source, { start, end: start + part.length }, columns);
  return [text, carets];
}

Deno.test("carets stand below the span", () => {
  assert.deepEqual(marked("cd x && rm -rf y", "rm -rf y"), ["cd x && rm -rf y", "        ^^^^^^^^"]);
  assert.deepEqual(marked("a\nbc rm\nd", "rm"), ["bc rm", "   ^^"]);
});

Deno.test("tabs, control and wide characters keep the carets in place", () => {
  assert.deepEqual(marked("\trm x", "rm"), ["\\trm x", "  ^^"]);
  assert.deepEqual(marked("\x1b[2Jrm", "rm"), ["\\e[2Jrm", "     ^^"]);
  assert.deepEqual(marked("漢字 rm 漢", "rm"), ["漢字 rm 漢", "     ^^"]);
  assert.deepEqual(marked("cat 漢字", "漢字"), ["cat 漢字", "    ^^^^"]);
});

Deno.test("a span over several lines is marked on its first, an empty one with one caret", () => {
  assert.deepEqual(marked("a b\nc", "b\nc"), ["a b", "  ^"]);
  assert.deepEqual(underline("abc", { start: 1, end: 1 }).carets, " ^");
  assert.equal(underline("a\nb\nc", { start: 4, end: 5 }).line, 3);
});

Deno.test("long lines are cut around the span", () => {
  const source = `${"a".repeat(500)} rm -rf x ${"b".repeat(500)}`;
  const [text, carets] = marked(source, "rm -rf x", 80);
  assert.ok(width(text) <= 80);
  assert.equal(text.slice(carets.indexOf("^"), carets.length), "rm -rf x");
});

Deno.test("any text and span give one line and carets within it", () => {
  fc.assert(fc.property(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.nat(250),
    fc.nat(250),
    fc.integer({ min: 20, max: 120 }),
    (source, start, end, columns) => {
      const { text, carets } = underline(source, { start, end }, columns);
      assert.ok(!text.includes("\n") && !text.includes("\x1b"));
      assert.match(carets, /^ *\^+$/);
      assert.ok(width(text) <= columns + 1 && carets.length <= Math.max(1, width(text)) + 1);
    },
  ));
});
