import assert from "node:assert/strict";
import { matchesGlob } from "./glob.ts";

const table: readonly [text: string, pattern: string, expected: boolean][] = [
  ["a.txt", "*.txt", true],
  ["a/b.txt", "*.txt", false],
  ["a/b.txt", "**/*.txt", true],
  ["b.txt", "**/*.txt", true],
  ["a/b/c", "a/**", true],
  ["ab", "a?", true],
  ["a/", "a?", false],
  ["a1", "a[0-9]", true],
  ["ax", "a[!0-9]", true],
  ["ax", "a[^x]", false],
  ["a*", "a\\*", true],
  ["ab", "a\\*", false],
  ["x.ts", "x.{js,ts}", true],
  ["x.py", "x.{js,ts}", false],
  ["[", "[", true],
  ["", "*", true],
];

for (const [text, pattern, expected] of table) {
  Deno.test(`${pattern} ${expected ? "matches" : "does not match"} ${JSON.stringify(text)}`, () => {
    assert.equal(matchesGlob(text, pattern), expected);
  });
}

Deno.test("case and slashes as asked for", () => {
  assert.ok(matchesGlob("README", "readme", { caseInsensitive: true }));
  assert.ok(matchesGlob("rm -rf a/b", "rm *", { slashes: true }));
  assert.ok(!matchesGlob("rm -rf a/b", "rm *"));
});

Deno.test("many stars do not blow up", () => {
  const before = performance.now();
  assert.ok(!matchesGlob("a".repeat(4000), "*a".repeat(60) + "b"));
  assert.ok(performance.now() - before < 2000);
});
