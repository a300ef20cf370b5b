/**
 * Where random inputs begin: `GUARD_FUZZ_SEED`, or always the same seed, so that no run depends on luck. The test
 * runner loads this before each file of tests; a property that fails names its seed.
 */

import fc from "fast-check";

/** A whole number from the environment; undefined where it is not set. Throws for everything else. */
export function wholeNumber(name: string): number | undefined {
  const text = Deno.env.get(name);
  if (text === undefined || text === "") return undefined;
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name}: expected a whole number of at most nine digits, found ${text}`);
}

/** The seed of every property, and the first one of every search. */
export const firstSeed = wholeNumber("GUARD_FUZZ_SEED") ?? 3;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: firstSeed });
