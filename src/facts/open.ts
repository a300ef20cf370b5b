/**
 * Reading files that somebody else may have made: project policies, ignore files, scripts, manifests.
 * A FIFO would block for ever, a device never ends, a sparse file fills the memory; none of them does here.
 */

import { node } from "../native_path.ts";
import { visible } from "../visible.ts";

/** A file as far as it could be read. */
export type Opened =
  | { readonly state: "text"; readonly text: string }
  | { readonly state: "missing" }
  /** Exists, but is not a regular file within the limit, or may not be read. `reason` is for a person. */
  | { readonly state: "unreadable"; readonly reason: string };

/**
 * Reads a regular file, links followed, as UTF-8 (a malformed sequence becomes U+FFFD, a BOM is kept).
 * Never blocks on a FIFO or device, never reads more than `limit` bytes, never throws.
 *
 * @param path absolute path
 * @param limit largest accepted size in bytes
 */
export function openText(path: string, limit: number): Opened {
  if (path.includes("\0")) return { state: "unreadable", reason: "its name holds a NUL character" };
  // Most files that guard asks for do not exist, and node:fs is slow to say so.
  if (isMissing(path)) return deadLink(path) ?? { state: "missing" };
  const fs = node().getBuiltinModule("node:fs");
  let descriptor: number | undefined;
  try {
    // Not defined on Windows, where opening a pipe by a file name does not block.
    const nonBlocking: number = fs.constants.O_NONBLOCK ?? 0;
    descriptor = fs.openSync(path, fs.constants.O_RDONLY | nonBlocking);
    const status = fs.fstatSync(descriptor);
    if (!status.isFile()) return { state: "unreadable", reason: "it is not a regular file" };
    if (status.size > limit) return tooLarge(limit);
    // The size is only a hint: a file grows, and files of /proc say 0.
    const chunks: Uint8Array[] = [];
    let total = 0;
    while (total <= limit) {
      const chunk = new Uint8Array(Math.min(65_536, limit + 1 - total));
      const count = fs.readSync(descriptor, chunk, 0, chunk.length, null);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      total += count;
    }
    if (total > limit) return tooLarge(limit);
    return { state: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(join(chunks, total)) };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
    return { state: "unreadable", reason: reasonOf(code, error) };
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function isMissing(path: string): boolean {
  try {
    Deno.statSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** A link that leads nowhere is no missing file: somebody wanted something to be there. */
function deadLink(path: string): Opened | undefined {
  try {
    const target = visible(Deno.readLinkSync(path), 200);
    return { state: "unreadable", reason: `it is a link to ${target}, which does not exist` };
  } catch {
    return undefined;
  }
}

/** What stands behind an error on opening, for a person. */
function reasonOf(code: string | undefined, error: unknown): string {
  switch (code) {
    case "ELOOP":
      // The runtime says the same of a link whose target vanished in the meantime.
      return "its links form a loop or lead nowhere";
    case "EACCES":
    case "EPERM":
      return `its permissions, or those of a directory above it, do not let guard read it (${code})`;
    case "ENXIO":
      return "it is not a regular file";
    case "EISDIR":
      return "it is a directory";
    case "ENAMETOOLONG":
      return "its name is longer than the system takes";
    case undefined:
      return `it cannot be opened (${error instanceof Error ? error.name : "unknown error"})`;
    default:
      return `it cannot be opened (${code})`;
  }
}

function tooLarge(limit: number): Opened {
  return { state: "unreadable", reason: `it is larger than ${limit} bytes` };
}

function join(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
