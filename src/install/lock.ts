/** Lets one installation at a time change configurations. The system drops the lock when its process dies. */

import { join } from "node:path";
import { GuardError } from "../errors.ts";

/** Runs `work` under the lock of a state folder. Throws GuardError when another process keeps it for `patience` ms. */
export async function withLock<T>(state: string, work: () => Promise<T>, patience = 10_000): Promise<T> {
  await Deno.mkdir(state, { recursive: true, mode: 0o700 });
  const path = join(state, "install.lock");
  using handle = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  const end = Date.now() + patience;
  while (!await handle.tryLock(true)) {
    if (Date.now() > end) {
      throw new GuardError(
        `Another process has held ${path} for ${Math.round(patience / 1000)} seconds.`,
        "Wait until the other guard install or uninstall has ended, then run the command again.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return await work();
}
