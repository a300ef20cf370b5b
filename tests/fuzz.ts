/**
 * Searches with random inputs, over seeds in a row: for as many inputs as the search names, so that each run repeats
 * the one before on whatever machine.
 *
 * `GUARD_FUZZ_SECONDS` sets for how many seconds each search goes on beyond that (none if unset), `GUARD_FUZZ_SEED`
 * where all of them begin (tests/seed.ts); a failure names the seed that repeats it.
 */

import fc from "fast-check";
import { firstSeed, wholeNumber } from "./seed.ts";

/** Seconds that a search takes at least, apart from its last batch and the time for making a failing input smaller. */
const fuzzSeconds = wholeNumber("GUARD_FUZZ_SECONDS") ?? 0;

/** How many inputs were tried. */
export interface Searched {
  readonly inputs: number;
}

/** A search for inputs with a fault. */
export interface Search<T> {
  readonly name: string;
  readonly inputs: fc.Arbitrary<T>;
  /** The fault of each input, in their order; undefined where there is none. */
  readonly faults: (inputs: readonly T[]) => Promise<readonly (string | undefined)[]>;
  /** Inputs that are tried together. */
  readonly batch: number;
  /** Inputs that are tried at least; one batch if undefined. */
  readonly least?: number;
}

/**
 * Tries inputs until they are enough and the time is over. Throws for a fault, with the smallest input that has one
 * and the seed that repeats it.
 */
export async function search<T>(
  { name, inputs, faults, batch, least = 1 }: Search<T>,
): Promise<Searched> {
  const end = performance.now() + fuzzSeconds * 1000;
  let tried = 0;
  for (let seed = firstSeed; tried < least || performance.now() < end; seed++) {
    const chosen = fc.sample(inputs, { seed, numRuns: batch });
    const found = await faults(chosen);
    tried += chosen.length;
    const first = found.findIndex((fault) => fault !== undefined);
    if (first < 0) continue;
    const { input, fault } = await smallest(inputs, faults, seed, chosen, found, first);
    throw new Error(
      `${name}, input ${tried - batch + first}:\n${fault}\n\n${
        typeof input === "string" ? input : JSON.stringify(input)
      }\n\n` +
        `repeat with GUARD_FUZZ_SEED=${seed}`,
    );
  }
  return { inputs: tried };
}

/** Milliseconds for making a failing input smaller. */
const shrinkTime = 60_000;

async function smallest<T>(
  inputs: fc.Arbitrary<T>,
  faults: Search<T>["faults"],
  seed: number,
  chosen: readonly T[],
  found: readonly (string | undefined)[],
  first: number,
): Promise<{ readonly input: T; readonly fault: string }> {
  let input = chosen[first] as T;
  let fault = found[first]!;
  let number = 0;
  // The same inputs in the same order, then smaller ones; the first ones are known already.
  const property = fc.asyncProperty(inputs, async (one) => {
    const index = number++;
    const now = index <= first ? found[index] : (await faults([one]))[0];
    if (now === undefined) return true;
    input = one;
    fault = now;
    return false;
  });
  await fc.check(property, { seed, numRuns: first + 1, interruptAfterTimeLimit: shrinkTime });
  return { input, fault };
}
