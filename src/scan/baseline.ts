/** The file of leaks that are known, with which an old repository can begin. */

import { GuardError } from "../errors.ts";
import type { Leak } from "./finding.ts";

/** Known leaks. */
export interface Baseline {
  readonly version: 1;
  /** Without it, a fingerprint could be compared with those of other places. */
  readonly salt: string;
  readonly leaks: readonly Pick<Leak, "fingerprint" | "kind" | "path">[];
}

/** A new salt. */
export function newSalt(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}

/** Reads a baseline. @throws GuardError when the file cannot be read or is none */
export function readBaseline(path: string): Baseline {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    throw new GuardError(
      `expected a baseline in ${path}, found: ${found}`,
      `guard scan --write-baseline ${path}`,
    );
  }
  try {
    const value = JSON.parse(text);
    const leaks: unknown = value?.leaks;
    if (value?.version === 1 && typeof value.salt === "string" && Array.isArray(leaks)) {
      if (leaks.every((leak) => typeof leak?.fingerprint === "string")) return value;
    }
  } catch {
    // Said below.
  }
  throw new GuardError(
    `expected in ${path} what "guard scan --write-baseline" writes, found something else`,
    `guard scan --write-baseline ${path}`,
  );
}

/** The text of a baseline of these leaks, in an order that makes no needless difference. */
export function baselineText(leaks: readonly Leak[], salt: string): string {
  const known = new Map(
    leaks.map(({ fingerprint, kind, path }) => [fingerprint, { fingerprint, kind, path }]),
  );
  const order = ({ path, fingerprint }: { path: string; fingerprint: string }) => `${path}\0${fingerprint}`;
  const sorted = [...known.values()].sort((a, b) => order(a) < order(b) ? -1 : 1);
  return `${JSON.stringify({ version: 1, salt, leaks: sorted } satisfies Baseline, null, 2)}\n`;
}
