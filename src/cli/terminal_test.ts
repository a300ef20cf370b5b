import assert from "node:assert/strict";
import { hasColour, paint, table, width, wrap } from "./terminal.ts";

Deno.test("colour needs a terminal that is not dumb, and no NO_COLOR", () => {
  const on = { isTerminal: () => true };
  const off = { isTerminal: () => false };
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(hasColour(on, env({})), true);
  assert.equal(hasColour(on, env({ NO_COLOR: "" })), true);
  assert.equal(hasColour(on, env({ NO_COLOR: "1" })), false);
  assert.equal(hasColour(on, env({ TERM: "dumb" })), false);
  assert.equal(hasColour(off, env({})), false);
});

Deno.test("columns are aligned whatever the characters and colours", () => {
  assert.equal(table([["a", "b"], ["ccc", "d"]]), "a    b\nccc  d");
  assert.equal(table([["漢", "b"], ["ccc", "d"]]), "漢   b\nccc  d");
  assert.equal(width(paint("red", "abc", true)), 3);
});

Deno.test("lines break at blanks", () => {
  assert.equal(wrap("one two three", "  ", 9), "  one two\n  three");
  assert.equal(wrap("unbreakable-word", "", 5), "unbreakable-word");
});
