/** Which host really calls: hosts run each other's hooks. */

import type { HostAdapter } from "../src/types.ts";
import { field, type Fields } from "./read.ts";
import { loadAdapter, marks } from "./registry.ts";

/**
 * The adapter whose host plainly sent this payload, else the one for which the hook was installed. The others
 * are loaded only when the payload carries a mark of theirs, which one without tells nothing about its caller, and
 * the installed one does not know it as its own.
 */
export async function callerOf(installed: HostAdapter, payload: Fields): Promise<HostAdapter> {
  const marked = Object.keys(marks).filter((name) => field(payload, name) !== undefined);
  if (marked.length === 0 || installed.recognises(payload)) return installed;
  const callers: HostAdapter[] = [];
  for (const id of new Set(marked.flatMap((name) => marks[name] ?? []))) {
    const adapter = id === installed.id ? undefined : await loadAdapter(id);
    if (adapter?.recognises(payload)) callers.push(adapter);
  }
  return callers.length === 1 ? callers[0] ?? installed : installed;
}
