/** What guard looks at when a session begins: whether it is still installed as it was, with the same executable. */

import { weakened } from "./install/integrity.ts";
import { looksReplaced } from "./install/program.ts";
import { listReceipts } from "./install/receipt.ts";
import type { HostAdapter, Note } from "./types.ts";

/** What the person should know at the beginning of a session. */
export async function sessionNotes(adapter: HostAdapter, state: string): Promise<Note[]> {
  const messages = (await weakened(state, adapter)).map(({ message }) => message);
  const running = Deno.execPath();
  for (const { host, program } of await listReceipts(state)) {
    if (host !== adapter.id || program === undefined || !looksReplaced(program, running)) continue;
    messages.push(
      `${program.path}, which the hooks start, has been replaced or changed since it was installed.`,
    );
  }
  return [...new Set(messages)].map((message) => ({
    text: `guard: ${message} If that was not you, run: guard doctor --host ${adapter.id}`,
  }));
}
