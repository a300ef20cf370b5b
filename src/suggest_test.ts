import assert from "node:assert/strict";
import { distance, nearest } from "./suggest.ts";

Deno.test("distance counts insertions, deletions, changes and swaps of neighbours", () => {
  for (
    const [a, b, steps] of [["", "", 0], ["ab", "ba", 1], ["check", "chekc", 1], ["a", "abc", 2]] as const
  ) {
    assert.equal(distance(a, b), steps);
    assert.equal(distance(b, a), steps);
  }
});

Deno.test("nearest names what was probably meant, and nothing when nothing is near", () => {
  const known = ["git/force-push", "git/clean", "filesystem/delete-root", "secrets/read-key"];
  assert.equal(nearest("git/forcepush", known), "git/force-push");
  assert.equal(nearest("Git/Cleen", known), "git/clean");
  assert.equal(nearest("delete-root", known), "filesystem/delete-root");
  assert.equal(nearest("secrets/", known), "secrets/read-key");
  assert.equal(nearest("git/", known), undefined);
  assert.equal(nearest("entirely-different", known), undefined);
  assert.equal(nearest("", known), undefined);
});
