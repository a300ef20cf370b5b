import assert from "node:assert/strict";
import fc from "fast-check";

// Nothing here may load tests/seed.ts before this test: that is what the runner does.
Deno.test("properties have one seed, and a failure names it", () => {
  const { seed } = fc.readConfigureGlobal();
  const missing = "the runner has loaded no tests/seed.ts; run: deno task test tests/seed_test.ts";
  assert.equal(seed, Number(Deno.env.get("GUARD_FUZZ_SEED") || 3), missing);
  const inputs = () => {
    const seen: string[] = [];
    fc.assert(fc.property(fc.string(), (text) => void seen.push(text)));
    return seen;
  };
  assert.deepEqual(inputs(), inputs());
  assert.throws(() => fc.assert(fc.property(fc.nat(), () => false)), new RegExp(`seed: ${seed}\\b`));
});

Deno.test("a seed that is no whole number is an error", async () => {
  const { wholeNumber } = await import("./seed.ts");
  const name = "GUARD_SEED_OF_THIS_TEST";
  for (const [text, number] of [["", undefined], ["0", 0], ["20261201", 20261201]] as const) {
    Deno.env.set(name, text);
    assert.equal(wholeNumber(name), number);
  }
  for (const text of ["-1", "1.5", "x", "1234567890"]) {
    Deno.env.set(name, text);
    assert.throws(() => wholeNumber(name), /GUARD_SEED_OF_THIS_TEST: expected a whole number/);
  }
  Deno.env.delete(name);
});
