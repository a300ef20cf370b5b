/** CPU time of this process, by which tests about time measure: what else the machine does counts little in it. */

import assert from "node:assert/strict";
import process from "node:process";

/** Milliseconds of CPU time that the process has used so far. */
export function usedTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How much slower this machine is at the moment than one on which limits of time are meant; at least 1. */
export function slowness(): number {
  let least = Infinity;
  for (let run = 0; run < 3; run++) {
    const start = usedTime();
    // Work of the kind that judging does: many small objects, maps and strings.
    const seen = new Map<string, readonly string[]>();
    for (let index = 0; index < 60_000; index++) seen.set(`name${index}`, `a/${index}/b`.split("/"));
    least = Math.min(least, usedTime() - start);
    assert.equal(seen.size, 60_000);
  }
  return Math.max(1, least / 20);
}
