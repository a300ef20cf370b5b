import assert from "node:assert/strict";
import { recently } from "./recent.ts";

Deno.test("the last texts are looked through once, and others again", () => {
  const seen: string[] = [];
  const look = recently((text) => (seen.push(text), text.length));
  const [a, b, c, d, e] = [..."abcde"].map((char) => char.repeat(1000)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  assert.equal(look(a), 1000);
  // The same text in another place of the memory.
  assert.equal(look(["a".repeat(500), "a".repeat(500)].join("")), 1000);
  assert.equal(seen.length, 1);
  for (const text of [b, c, d, e]) look(text);
  assert.equal(seen.length, 5);
  look(a);
  assert.equal(seen.length, 6);
  for (let index = 0; index < 3; index++) look("short");
  assert.equal(seen.length, 9);
});
