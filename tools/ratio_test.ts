import assert from "node:assert/strict";
import { cpuSeconds, median, percentile } from "./ratio.ts";

Deno.test("the median of an odd and an even number of values", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.throws(() => median([]), /at least one value/);
});

Deno.test("a percentile is a value that the share does not exceed", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.equal(percentile(values, 0.99), 198);
  assert.equal(percentile(values, 0.5), 100);
  assert.equal(percentile(values, 1), 200);
  assert.equal(percentile([7], 0.01), 7);
  assert.throws(() => percentile([], 0.5), /at least one value/);
});

Deno.test("CPU time is user plus system time", () => {
  assert.equal(cpuSeconds("0.120 0.005\n"), 0.125);
  assert.equal(cpuSeconds("1,500 0,250"), 1.75);
  assert.throws(() => cpuSeconds("real 1.0"), /expected two times/);
});
