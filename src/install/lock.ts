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
  const token = `${process.pid} ${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(state, { recursive: true, mode: 0o700 });
    await acquire(path, token, patience);
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
    // Whoever took a lock for abandoned holds it now, and it is not this one's to remove.
    if (await Deno.readTextFile(path).catch(() => "") === token) await Deno.remove(path).catch(() => {});
  }
}

async function acquire(path: string, token: string, patience: number): Promise<void> {
  const end = Date.now() + patience;
  while (!await create(path, token)) {
    if (await isAbandoned(path) && await removeAbandoned(path, token)) continue;
    if (Date.now() > end) {
      throw new GuardError(
        `Another process has held ${path} for ${
          Math.round(patience / 1000)
        } seconds. Wait until the other guard ` +
          "install or uninstall has ended, then run the command again.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * Removes an abandoned lock. Only one process at a time may: otherwise a second one that has seen the same abandoned
 * lock would remove the fresh lock of the first. False when another process is at it.
 */
async function removeAbandoned(path: string, token: string): Promise<boolean> {
  const turn = `${path}.turn`;
  if (!await create(turn, token)) {
    // It is held for the time of two calls; one that stays was left by a process that died between them.
    const info = await Deno.lstat(turn).catch(() => undefined);
    if (Date.now() - (info?.mtime?.getTime() ?? Date.now()) > staleAfter) {
      await Deno.remove(turn).catch(() => {});
    }
    return false;
  }
  try {
    if (!await isAbandoned(path)) return false;
    await Deno.remove(path).catch(() => {});
    return true;
  } finally {
    await Deno.remove(turn).catch(() => {});
  }
}

async function create(path: string, token: string): Promise<boolean> {
  try {
    await Deno.writeTextFile(path, token, { createNew: true, mode: 0o600 });
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
  const holder = Number((await Deno.readTextFile(path).catch(() => "")).split(" ")[0]);
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
