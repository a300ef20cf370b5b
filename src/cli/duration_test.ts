import assert from "node:assert/strict";
import { UsageError } from "../errors.ts";
import { durationText, parseDuration } from "./duration.ts";

Deno.test("durations are read and written in the largest whole unit", () => {
  for (
    const [text, ms] of [["30s", 30_000], ["10m", 600_000], ["2H", 7_200_000], ["1d", 86_400_000]] as const
  ) {
    assert.equal(parseDuration(text, "--for"), ms);
  }
  assert.equal(durationText(86_400_000), "24h");
  assert.equal(durationText(600_000), "10m");
  assert.equal(durationText(90_000), "90s");
});

Deno.test("what is no duration, or too long, is wrong usage", () => {
  for (const text of ["", "10", "m", "-1m", "0s", "1.5h", "10 minutes", "9999999s", "1w"]) {
    assert.throws(() => parseDuration(text, "--for"), UsageError, text);
  }
  assert.throws(() => parseDuration("25h", "--for", 86_400_000), /at most 24h/);
});
