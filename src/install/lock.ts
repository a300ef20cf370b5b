/** Lets one installation at a time change configurations. */

import { join } from "node:path";
import process from "node:process";
import { GuardError } from "../errors.ts";

/** An installation takes well under a second; a lock that is older belongs to a process that died. */
const staleAfter = 30_000;

/**
 * Runs `work` while holding the lock file of a state folder. The lock of a process that has died is taken over.
 * Throws GuardError when another process keeps it for `patience` ms.
 */
export async function withLock<T>(state: string, work: () => Promise<T>, patience = 10_000): Promise<T> {
  const path = join(state, "install.lock");
  try {
    await Deno.mkdir(state, { recursive: true, mode: 0o700 });
    await acquire(path, patience);
  } catch (error) {
    if (error instanceof GuardError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new GuardError(
      `The state folder ${state} cannot be written: ${why}. Make it a directory that you can write to, then run ` +
        "the command again.",
    );
  }
  try {
    return await work();
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}

async function acquire(path: string, patience: number): Promise<void> {
  const end = Date.now() + patience;
  while (!await create(path)) {
    if (await isAbandoned(path)) {
      // Renaming first makes sure that only one of several waiting processes takes it over.
      const aside = `${path}.${crypto.randomUUID()}`;
      await Deno.rename(path, aside).catch(() => {});
      await Deno.remove(aside).catch(() => {});
      continue;
    }
    if (Date.now() > end) {
      throw new GuardError(
        `Another process has held ${path} for ${Math.round(patience / 1000)} seconds. Wait until the other guard ` +
          "install or uninstall has ended, then run the command again.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await Deno.writeTextFile(path, String(process.pid), { createNew: true, mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) return false;
  if (Date.now() - (info.mtime?.getTime() ?? 0) > staleAfter) return true;
  const holder = Number(await Deno.readTextFile(path).catch(() => ""));
  // A lock that was made just now has no number in it yet.
  return Number.isInteger(holder) && holder > 0 && !isAlive(holder);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "ESRCH";
  }
}
