/** Facts that end with a deadline: a timer cannot interrupt judging, but whoever asks can be refused. */

import { GuardError } from "../errors.ts";
import type { Facts } from "../types.ts";

/**
 * The same facts up to an instant; from then on every question throws GuardError, which makes the verdict a
 * failure. A disk that answers slowly, or a call that names very many paths, must not outlast the host's patience:
 * hosts run the tool then.
 *
 * @param until on the clock of `performance.now()`
 */
export function untilDeadline(facts: Facts, until: number): Facts {
  const inTime = <A extends readonly unknown[], R>(ask: (...args: A) => R) => (...args: A): R => {
    if (performance.now() > until) {
      throw new GuardError("looking at the files that this call names took too long");
    }
    return ask(...args);
  };
  return {
    realPath: inTime(facts.realPath),
    kind: inTime(facts.kind),
    size: inTime(facts.size),
    list: inTime(facts.list),
    text: inTime((path: string, limit: number) => facts.text(path, limit)),
    git: inTime(facts.git),
    environment: () => facts.environment(),
  };
}
