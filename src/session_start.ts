/** What guard looks at when a session begins: whether it is still installed as it was. */

import { weakened } from "./install/integrity.ts";
import type { HostAdapter, Note } from "./types.ts";

/** What the person should know at the beginning of a session. */
export async function sessionNotes(adapter: HostAdapter, state: string): Promise<Note[]> {
  const found = await weakened(state, adapter);
  return found.map(({ message }) => ({
    text: `guard: ${message} If that was not you, run: guard doctor --host ${adapter.id}`,
  }));
}
