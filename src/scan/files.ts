/** The files that a scan looks through. */

import { native } from "../native_path.ts";
import type { Skipped, Source } from "./finding.ts";
import { gitIn } from "./repository.ts";

/** Largest file that is looked through, in bytes. */
export const maxFile = 64 * 1024 * 1024;
/** Files that are read at once. */
const readAhead = 16;

/** Directories that nobody wrote by hand, where no git says what belongs to the project. */
const left = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);

/** The texts of files and directories. In a repository what git ignores is left out, unless it is named itself. */
export async function* filesIn(paths: readonly string[]): AsyncGenerator<Source | Skipped> {
  const open: Promise<Source | Skipped | undefined>[] = [];
  for await (const path of named(paths)) {
    open.push(read(path));
    if (open.length < readAhead) continue;
    const next = await open.shift();
    if (next !== undefined) yield next;
  }
  for (const one of open) {
    const next = await one;
    if (next !== undefined) yield next;
  }
}

async function* named(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    const status = await Deno.stat(path).catch(() => undefined);
    if (status?.isDirectory) yield* below(path);
    else yield path;
  }
}

async function* below(directory: string): AsyncGenerator<string> {
  const git = await gitIn(directory);
  if (git === undefined) return yield* walk(directory);
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const seen = new Set<string>();
  for await (const name of git.parts(list, "\0")) {
    // A file with a conflict is listed once for each side.
    if (seen.has(name)) continue;
    seen.add(name);
    yield native.join(directory, name);
  }
  // A directory that is ignored itself was named.
  if (seen.size === 0) yield* walk(directory);
}

async function* walk(directory: string): AsyncGenerator<string> {
  const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => undefined);
  if (entries === undefined) return yield directory;
  for (const { name, isDirectory, isFile } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = native.join(directory, name);
    if (isDirectory) {
      if (!left.has(name)) yield* walk(path);
    } else if (isFile) yield path;
  }
}

/** A file as text; undefined for one that is none: a link, a directory, or bytes that are no text. */
async function read(path: string): Promise<Source | Skipped | undefined> {
  try {
    const status = await Deno.lstat(path);
    const target = status.isSymlink ? await Deno.stat(path) : status;
    // A FIFO would never end.
    if (!target.isFile) return target.isDirectory ? undefined : { path, reason: "no file" };
    if (status.isSymlink) return undefined;
    if (target.size > maxFile) return { path, reason: "too large" };
    const bytes = await Deno.readFile(path);
    return { path, text: textOf(bytes) };
  } catch (error) {
    // Deleted in the working tree, and still in git's list.
    if (error instanceof Deno.errors.NotFound) return undefined;
    return { path, reason: "unreadable" };
  }
}

/** UTF-16 by its byte order mark; else UTF-8, and of a binary file what is text in it. */
function textOf(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : bytes.subarray(0, 8000).includes(0)
    ? "latin1"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
