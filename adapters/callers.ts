/** Which host really calls: hosts run each other's hooks. */

import type { HostAdapter } from "../src/types.ts";
import { field, type Fields } from "./read.ts";
import { adapterIds, loadAdapter } from "./registry.ts";

/** Top-level fields that tell hosts apart; a payload with none of them says nothing about its caller. */
const marks = ["cursor_version", "generation_id", "turn_id", "prompt_id", "effort", "timestamp"];

/**
 * The adapter whose host plainly sent this payload, else the one for which the hook was installed. The others
 * are loaded only when the payload carries a mark that the installed one does not know as its own.
 */
export async function callerOf(installed: HostAdapter, payload: Fields): Promise<HostAdapter> {
  if (!marks.some((name) => field(payload, name) !== undefined) || installed.recognises(payload)) {
    return installed;
  }
  const callers: HostAdapter[] = [];
  for (const id of adapterIds) {
    const adapter = id === installed.id ? undefined : await loadAdapter(id);
    if (adapter?.recognises(payload)) callers.push(adapter);
  }
  return callers.length === 1 ? callers[0] ?? installed : installed;
}
