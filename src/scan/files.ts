/** The files that a scan looks through. */

import { native } from "../native_path.ts";
import type { Skipped, Source } from "./finding.ts";
import { gitIn } from "./repository.ts";

/** Largest file that is looked through, in bytes. Larger ones are images of disks and the like. */
export const maxFile = 1024 * 1024 * 1024;

/** Bytes that are in memory at once, whatever the size of a file. */
const windowSize = 4 * 1024 * 1024;
/** Bytes of a window that were looked through in the one before: what stands before a secret can matter. */
const lead = 4 * 1024;
/** Bytes at the end of a window in which no secret begins that is taken from it; longer than any secret. */
const ahead = 64 * 1024;

/** Directories that nobody wrote by hand, where no git says what belongs to the project. */
const left = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);

/**
 * The texts of files and directories, large ones in parts. In a repository what git ignores is left out, unless it is
 * named itself.
 */
export async function* filesIn(paths: readonly string[]): AsyncGenerator<Source | Skipped> {
  const window = new Uint8Array(windowSize);
  for await (const path of named(paths)) yield* textsOf(path, window);
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
  let last: string | undefined;
  for await (const name of git.parts(list, "\0")) {
    // A file with a conflict is listed once for each side, one after the other.
    if (name === last) continue;
    last = name;
    yield native.join(directory, name);
  }
  // A directory that is ignored itself was named.
  if (last === undefined) yield* walk(directory);
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

/**
 * The texts of a file; none for a link or a directory. Read synchronously into one buffer, which takes a fifth of the
 * time that asynchronous reading of many small files takes.
 */
function* textsOf(path: string, window: Uint8Array): Generator<Source | Skipped> {
  try {
    const status = Deno.lstatSync(path);
    if (status.isSymlink || !status.isFile) {
      const target = status.isSymlink ? Deno.statSync(path) : status;
      // A FIFO would never end.
      if (!target.isFile && !target.isDirectory) yield { path, reason: "no file" };
      return;
    }
    if (status.size > maxFile) return yield { path, reason: "too large" };
    const file = Deno.openSync(path);
    try {
      yield* windowsOf(path, file, status.size, window);
    } finally {
      file.close();
    }
  } catch (error) {
    // Deleted in the working tree, and still in git's list.
    if (!(error instanceof Deno.errors.NotFound)) yield { path, reason: "unreadable" };
  }
}

/** Reads until the buffer is full or as many bytes as wanted are there. @returns how many bytes are filled then */
function fill(file: Deno.FsFile, window: Uint8Array, filled: number, wanted: number): number {
  while (filled < window.length) {
    const read = file.readSync(window.subarray(filled));
    if (read === null) break;
    filled += read;
    wanted -= read;
    if (wanted <= 0) break;
  }
  return filled;
}

function* windowsOf(path: string, file: Deno.FsFile, size: number, window: Uint8Array): Generator<Source> {
  let filled = fill(file, window, 0, size);
  let left = size - filled;
  const encoding = encodingOf(window.subarray(0, filled));
  // Only the very first mark of byte order is none of the text.
  const inner = new TextDecoder(encoding, { ignoreBOM: true });
  let from = 0;
  let firstLine = 1;
  let firstColumn = 1;
  let part = 0;
  while (true) {
    const whole = left <= 0 || filled < window.length;
    const end = whole ? filled : boundary(window, filled, encoding);
    const text = (part === 0 ? new TextDecoder(encoding) : inner).decode(window.subarray(0, end));
    if (whole && part === 0) return yield { path, text, bytes: filled };
    const next = whole ? end : boundary(window, end - ahead, encoding);
    const to = whole ? text.length : text.length - inner.decode(window.subarray(next, end)).length;
    yield { path, text, firstLine, firstColumn, from, to, part: part++, bytes: next };
    if (whole) return;
    const begin = boundary(window, next - lead, encoding);
    from = inner.decode(window.subarray(begin, next)).length;
    let lineStart = 0;
    for (let at = text.indexOf("\n"); at >= 0 && at < to - from; at = text.indexOf("\n", lineStart)) {
      firstLine++;
      firstColumn = 1;
      lineStart = at + 1;
    }
    firstColumn += to - from - lineStart;
    window.copyWithin(0, begin, filled);
    const kept = filled - begin;
    filled = fill(file, window, kept, left);
    left = filled === kept ? 0 : left - (filled - kept);
  }
}

type Encoding = "utf-16le" | "utf-16be" | "latin1" | "utf-8";

/** UTF-16 by its byte order mark; else UTF-8, and of a binary file what is text in it. */
function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes.subarray(0, 8000).includes(0) ? "latin1" : "utf-8";
}

/** The last place up to `at` where a character begins; multiples of four hold halves of UTF-16 together. */
function boundary(bytes: Uint8Array, at: number, encoding: Encoding): number {
  if (encoding === "latin1") return at;
  if (encoding !== "utf-8") return at - at % 4;
  for (let back = 0; back < 4; back++) {
    if ((bytes[at - back]! & 0xc0) !== 0x80) return at - back;
  }
  return at;
}
