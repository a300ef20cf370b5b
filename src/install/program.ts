/**
 * Which executable an installation registered. What replaces it later judges every call, so it is recognised by its
 * checksum, and at the beginning of each session by its size and time alone.
 */

import { createHash } from "node:crypto";
import { version } from "../version.ts";
import type { Launch } from "./command.ts";

/** An executable as it was when it was registered. */
export interface Program {
  /** Absolute path, as the hooks start it. */
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** When its content was changed last, in whole milliseconds since 1970; null where the file system does not tell. */
  readonly modified: number | null;
  /** Of guard. */
  readonly version: string;
}

/** What one look at a file tells. */
type Look = Pick<Program, "size" | "modified">;

const chunk = 1024 * 1024;

/** Whether a value read from a receipt is one. */
export function isProgram(value: unknown): value is Program {
  if (typeof value !== "object" || value === null) return false;
  const program = value as Partial<Record<keyof Program, unknown>>;
  return typeof program.path === "string" && typeof program.sha256 === "string" &&
    typeof program.size === "number" && typeof program.version === "string" &&
    (program.modified === null || typeof program.modified === "number");
}

/** Size and time of a file, links followed; undefined when there is no file. */
export function lookAt(path: string): Look | undefined {
  try {
    const { isFile, size, mtime } = Deno.statSync(path);
    return isFile ? { size, modified: mtime?.getTime() ?? null } : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file, in hexadecimal; undefined when it cannot be read. */
export async function checksumOf(path: string): Promise<string | undefined> {
  try {
    using file = await Deno.open(path);
    const hash = createHash("sha256");
    const bytes = new Uint8Array(chunk);
    for (let count = await file.read(bytes); count !== null; count = await file.read(bytes)) {
      hash.update(bytes.subarray(0, count));
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/**
 * What is registered now. Undefined for a checkout, whose program is Deno and whose files change all the time, and
 * where the executable cannot be read.
 */
export async function registeredProgram({ program, lead }: Launch): Promise<Program | undefined> {
  if (lead.length > 0) return undefined;
  const look = lookAt(program);
  const sha256 = look === undefined ? undefined : await checksumOf(program);
  return look === undefined || sha256 === undefined ? undefined : { path: program, sha256, ...look, version };
}

/**
 * Whether a file no longer looks like the one that was registered; one that is gone does not count, since hosts
 * block then. After an upgrade of guard in place it is guard itself that looks, in another version.
 *
 * @param running Path of the executable that asks.
 */
export function looksReplaced(program: Program, running: string): boolean {
  const look = lookAt(program.path);
  if (look === undefined || look.size === program.size && look.modified === program.modified) return false;
  return program.version === version || !isSameFile(program.path, running);
}

function isSameFile(first: string, second: string): boolean {
  try {
    return Deno.realPathSync(first) === Deno.realPathSync(second);
  } catch {
    return false;
  }
}
