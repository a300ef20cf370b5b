/** Commands whose variables may have several values: they are run once for each. */

import type { Evaluation } from "./evaluate.ts";
import type { Expander } from "./expand/expander.ts";
import type { Frame } from "./frame.ts";
import { mergeScope, type Scope } from "./scope.ts";

/**
 * With more combinations than this, each value is taken once, but not with each value of every other variable; one
 * more run, in which none of them is known, stands for the rest.
 */
const maxCombinations = 16;

/** Which value each variable has in one run of a command. */
export class Choices {
  readonly #counts = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  #run = 0;
  #open = false;

  /**
   * Which of `count` values the variable has in this run; the same for every mention of it. -1 when it is none of
   * them: the value is not known.
   */
  choose(name: string, count: number): number {
    if (count < 2) return 0;
    if (!this.#counts.has(name)) this.#counts.set(name, count);
    if (this.#open) return -1;
    return (this.#taken.get(name) ?? 0) % count;
  }

  /** True when a variable has been met that may have several values. */
  get several(): boolean {
    return this.#counts.size > 0;
  }

  /** Goes on to the next run; false when there is none. */
  next(): boolean {
    this.#run++;
    const counts = [...this.#counts.values()];
    const combinations = counts.reduce((product, count) => product * count, 1);
    const together = combinations > maxCombinations;
    if (this.#open || (!together && this.#run >= combinations)) return false;
    if (together && this.#run >= Math.max(...counts)) {
      this.#open = counts.length > 1;
      return this.#open;
    }
    let rest = this.#run;
    for (const [name, count] of this.#counts) {
      this.#taken.set(name, rest % count);
      if (!together) rest = Math.floor(rest / count);
    }
    return true;
  }
}

/**
 * Does something with an expander once for every combination of values, each time from the same state; what the
 * runs leave behind is joined.
 */
export function overChoices<T>(
  evaluation: Evaluation,
  scope: Scope,
  frame: Frame,
  run: (expander: Expander, scope: Scope) => T,
): T[] {
  const branched = scope.isBranched === true || scope.positional?.others !== undefined;
  const before = branched ? evaluation.fork(scope) : undefined;
  const choices = new Choices();
  const results = [run(evaluation.expander(scope, frame, choices), scope)];
  while (choices.next()) {
    const branch = before === undefined ? scope : evaluation.fork(before);
    results.push(run(evaluation.expander(branch, frame, choices), branch));
    if (branch !== scope) mergeScope(scope, branch);
  }
  return results;
}
