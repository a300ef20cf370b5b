/** What the tests of a client found, for the page about hosts. */
import type { Client, Failure, Limit } from "./client.ts";

/** One client that passed all of its tests. */
export interface Verified {
  /** npm package and version. */
  readonly package: string;
  readonly version: string;
  /** ISO date of the run. */
  readonly date: string;
  /** Harmless calls that ran. */
  readonly passes: readonly string[];
  /** Forbidden calls that did not run, with guard's reason told to the model unless `aborts` says otherwise. */
  readonly stops: readonly string[];
  /** Why the model is told nothing of a denial; absent where it is told. */
  readonly aborts?: string;
  /** "blocked", or why a prompt cannot be stopped. */
  readonly prompt: string;
  /** What happens while guard fails: "blocked", or why the call goes through. */
  readonly failures: Readonly<{ [K in Failure]: string }>;
}

const said = (value: "blocked" | Limit) => typeof value === "string" ? value : value.limit;

/** Collects what held, and writes it when all tests of the client have passed: `<id>.json` in GUARD_CLIENT_RESULTS. */
export class Findings {
  readonly #client: Client;
  readonly #passes: string[] = [];
  readonly #stops: string[] = [];
  #open = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** One more test has to pass. */
  expect(): void {
    this.#open++;
  }

  /** A step of a test, which does not end the test when it fails. */
  step(name: string, forbidden: boolean, ok: boolean): void {
    if (ok) (forbidden ? this.#stops : this.#passes).push(name);
    else this.#open = Infinity;
  }

  /** A test has passed. */
  passed(): void {
    this.#open--;
    const folder = Deno.env.get("GUARD_CLIENT_RESULTS");
    if (this.#open > 0 || !folder) return;
    const { id, install, aborts, prompt, failures } = this.#client;
    const verified: Verified = {
      package: install.package,
      version: install.version,
      date: new Date().toISOString().slice(0, 10),
      passes: this.#passes,
      stops: this.#stops,
      ...(aborts === undefined ? {} : { aborts }),
      prompt: said(prompt),
      failures: {
        killed: said(failures.killed),
        missing: said(failures.missing),
        failing: said(failures.failing),
        garbage: said(failures.garbage),
        hanging: said(failures.hanging),
      },
    };
    Deno.writeTextFileSync(`${folder}/${id}.json`, JSON.stringify(verified));
  }
}
