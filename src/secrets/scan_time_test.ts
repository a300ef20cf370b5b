import assert from "node:assert/strict";
import { slowness, usedTime } from "../../tests/cpu_time.ts";
import { findSigns } from "../injection/scan.ts";
import { formats } from "./formats.ts";
import { findSecrets } from "./scan.ts";

/** What makes scanners slow: beginnings without an end, and what nearly matches. */
const units: readonly string[] = [
  "a",
  " ",
  "A",
  "0",
  "-",
  "=",
  "%41",
  "%",
  "://",
  "://a:",
  "://a:b@",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----BEGIN PRIVATE KEY-----\nAAAA\n",
  "PuTTY-User-Key-File-",
  "PuTTY-User-Key-File-2: a\nPrivate-Lines: 1\n",
  "eyJ",
  "eyJhbGci.",
  "eyJhbGciOiJIUzI1NiJ9.eyJhbGciOiJIUzI1NiJ9.",
  "token=",
  "token='",
  "\ntoken=",
  "api_key: a1B2c3D4e5F6g7H8\n",
  "password",
  "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB ",
  "ignore ",
  "ignore all ",
  "ignore all previous ",
  "you must ",
  "never tell ",
  "ai ",
  "without telling the user ",
  "the agent never ",
  "send all secrets ",
  "<!-- ",
  "![",
  "![a](https://a/?",
  "\u200b",
  "a\u200b",
  "\u{e0041}",
  "\ufe00",
  "\x1b[",
  "\x1b[8;8;8;",
  "а",
  "忽略之前",
  ...formats.flatMap(({ anchors }) => anchors),
];

function least(scan: (text: string) => unknown, text: string, enough: number, runs = 5): number {
  let time = Infinity;
  for (let run = 0; run < runs && time > enough; run++) {
    const start = usedTime();
    scan(text);
    time = Math.min(time, usedTime() - start);
  }
  return time;
}

/** How much longer a megabyte takes than a half of one, when that is too much. */
function steepness(scan: (text: string) => unknown, unit: string, runs: number): string | undefined {
  const text = (length: number) => unit.repeat(Math.ceil(length / unit.length));
  const half = least(scan, text(500_000), 0, runs);
  const enough = Math.max(2.5 * half, half + 40);
  const whole = least(scan, text(1_000_000), enough, runs);
  return whole > enough
    ? `${JSON.stringify(unit)}: ${half.toFixed(1)} ms, then ${whole.toFixed(1)} ms`
    : undefined;
}

const scanners = { findSecrets, findSigns };

for (const [name, scan] of Object.entries(scanners)) {
  Deno.test(`${name}: a megabyte of anything takes at most 150 ms`, () => {
    const limit = 150 * slowness();
    const slow: string[] = [];
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const time = least(scan, text, limit * 0.8);
      if (time > limit) slow.push(`${JSON.stringify(unit)}: ${time.toFixed(0)} ms of ${limit.toFixed(0)}`);
    }
    assert.deepEqual(slow, []);
  });

  Deno.test(`${name}: twice the text takes at most two and a half times as long`, () => {
    const steep: string[] = [];
    for (const unit of units) {
      if (steepness(scan, unit, 5) === undefined) continue;
      // Compiling, collecting and the work of others on the machine come to an end, what is steep does not.
      const found = steepness(scan, unit, 50);
      if (found !== undefined) steep.push(found);
    }
    assert.deepEqual(steep, []);
  });
}
