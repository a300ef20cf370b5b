import assert from "node:assert/strict";
import { coverageOf } from "./coverage.ts";

Deno.test("coverage counts the product's lines and not those of tests and tools", () => {
  const record = (file: string, found: number, hit: number) =>
    `SF:/r/${file}\nDA:1,1\nLH:${hit}\nLF:${found}\n`;
  const lcov = [
    record("src/a.ts", 10, 4),
    record("rules/b.ts", 10, 9),
    record("src/a_test.ts", 100, 100),
    record("tools/c.ts", 50, 0),
  ].join("end_of_record\n");
  const coverage = coverageOf(lcov, "/r");
  assert.equal(coverage.lines, 20);
  assert.equal(coverage.hit, 13);
  assert.deepEqual(coverage.worst[0], { file: "src/a.ts", missed: 6 });
});

Deno.test("an empty report has no lines", () => {
  assert.equal(coverageOf("", "/r").lines, 0);
});
