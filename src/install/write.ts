/** Reads configuration files and replaces them in one step, keeping mode, owner and links. */

import { basename, dirname, join } from "node:path";
import { RefusedError } from "./refusal.ts";
import { sizeLimit } from "./document.ts";

/** A configuration file as it is on disk. */
export interface ConfigurationFile {
  /** The path that the host reads; may be a link. */
  readonly path: string;
  /** The file behind all links. */
  readonly target: string;
  /** Undefined when there is no file. */
  readonly bytes: Uint8Array | undefined;
  /** Permission bits; undefined when there is no file, or on Windows. */
  readonly mode: number | undefined;
}

/**
 * Reads a file, following links. Throws RefusedError when it is no regular file, is too large, or its links
 * lead in a circle, and when it may not be read.
 */
export async function readConfiguration(path: string): Promise<ConfigurationFile> {
  const target = await behindLinks(path);
  const info = await statOf(target);
  if (info === undefined) return { path, target, bytes: undefined, mode: undefined };
  if (!info.isFile) throw new RefusedError(`${target} is not a regular file.`);
  if (info.size > sizeLimit) {
    throw new RefusedError(`${target} has ${info.size} bytes; at most ${sizeLimit} are edited.`);
  }
  try {
    return { path, target, bytes: await Deno.readFile(target), mode: modeOf(info) };
  } catch (error) {
    throw refusedBecause(`${target} cannot be read`, error);
  }
}

/** The text of a file; a byte order mark stays in it. Throws RefusedError for anything but UTF-8. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new RefusedError("The file is UTF-16; guard edits UTF-8 only.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RefusedError("The file is not valid UTF-8.");
  }
}

/** The file was changed by somebody else between reading and replacing it. */
export class ChangedError extends Error {
  override readonly name = "ChangedError";
}

/** Steps of a replacement that tests interrupt. */
export interface WriteHooks {
  /** Runs after the new content is on disk beside the file, before it takes the file's place. */
  readonly beforeRename?: () => void | Promise<void>;
}

/**
 * Gives a file new bytes, or removes it (undefined). Throws ChangedError when its bytes are no longer the ones
 * that were read, and RefusedError when it cannot be written; the file is untouched then. `freshMode` is the
 * mode of a file that did not exist; missing directories are made.
 */
export async function replaceFile(
  file: ConfigurationFile,
  bytes: Uint8Array | undefined,
  freshMode: number,
  hooks: WriteHooks = {},
): Promise<void> {
  const folder = dirname(file.target);
  await assertWritable(file.target, folder);
  const created = bytes === undefined ? [] : await makeDirectories(folder);
  try {
    await removeLeftovers(file.target);
    if (bytes === undefined) {
      await assertUnchanged(file);
      await Deno.remove(file.target);
    } else {
      await writeInPlaceOf(file, bytes, freshMode, hooks);
    }
    await syncDirectory(folder);
  } catch (error) {
    await removeDirectories(created);
    if (error instanceof ChangedError || error instanceof RefusedError) throw error;
    throw refusedBecause(`${file.target} cannot be written`, error);
  }
}

/** Takes permission bits at their word, also for an administrator whom they do not bind. */
async function assertWritable(target: string, folder: string): Promise<void> {
  for (const path of [target, folder]) {
    const info = await statOf(path);
    const mode = info === undefined ? undefined : modeOf(info);
    if (mode !== undefined && (mode & 0o222) === 0) throw new RefusedError(`${path} is read-only.`);
  }
}

async function writeInPlaceOf(
  file: ConfigurationFile,
  bytes: Uint8Array,
  freshMode: number,
  hooks: WriteHooks,
): Promise<void> {
  const info = await statOf(file.target);
  if (info !== undefined && (info.nlink ?? 1) > 1) {
    // A rename would part the names of a file that has several.
    await assertUnchanged(file);
    await hooks.beforeRename?.();
    await overwrite(file.target, bytes);
    return;
  }
  const temporary = join(dirname(file.target), `${temporaryPrefix(file.target)}${crypto.randomUUID()}`);
  try {
    const options = { createNew: true, write: true, mode: file.mode ?? freshMode };
    using handle = await Deno.open(temporary, options);
    await writeAll(handle, bytes);
    await handle.sync();
    if (info !== undefined && Deno.build.os !== "windows") {
      // The mode of `open` is cut by the umask, and a new file belongs to whoever runs guard.
      await keepOwner(temporary, info, file.target);
      await Deno.chmod(temporary, modeOf(info)!);
    }
    await hooks.beforeRename?.();
    await assertUnchanged(file);
    await Deno.rename(temporary, file.target);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

async function keepOwner(temporary: string, info: Deno.FileInfo, target: string): Promise<void> {
  const own = await Deno.stat(temporary);
  if (own.uid === info.uid && own.gid === info.gid) return;
  try {
    await Deno.chown(temporary, info.uid, info.gid);
  } catch {
    throw new RefusedError(
      `${target} belongs to another user or group, which a new file could not be given.`,
    );
  }
}

async function overwrite(path: string, bytes: Uint8Array): Promise<void> {
  using handle = await Deno.open(path, { write: true });
  await writeAll(handle, bytes);
  await handle.truncate(bytes.length);
  await handle.sync();
}

async function writeAll(handle: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await handle.write(bytes.subarray(done));
}

async function assertUnchanged(file: ConfigurationFile): Promise<void> {
  const now = await readConfiguration(file.path);
  const same = now.target === file.target && sameBytes(now.bytes, file.bytes);
  if (!same) throw new ChangedError(`${file.path} was changed while guard was editing it`);
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function temporaryPrefix(target: string): string {
  return `.${basename(target)}.guard-`;
}

/** Removes what an earlier run left beside the file when it was killed. The caller holds the lock. */
async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  try {
    for await (const item of Deno.readDir(folder)) {
      if (item.isFile && item.name.startsWith(temporaryPrefix(target))) {
        await Deno.remove(join(folder, item.name)).catch(() => {});
      }
    }
  } catch {
    // A directory that cannot be listed has nothing that this process could remove.
  }
}

async function behindLinks(path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops++) {
    try {
      return await Deno.realPath(at);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw refusedBecause(`${path} cannot be resolved`, error);
    }
    const info = await Deno.lstat(at).catch(() => undefined);
    if (info?.isSymlink !== true) return join(await existingParent(dirname(at)), basename(at));
    const link = await Deno.readLink(at);
    at = link.startsWith("/") || /^[A-Za-z]:[\\/]/.test(link) ? link : join(dirname(at), link);
  }
  throw new RefusedError(`The links from ${path} lead in a circle.`);
}

/** The directory with links resolved when it exists, else as it is. */
async function existingParent(folder: string): Promise<string> {
  try {
    return await Deno.realPath(folder);
  } catch {
    return folder;
  }
}

async function statOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw refusedBecause(`${path} cannot be looked at`, error);
  }
}

function modeOf(info: Deno.FileInfo): number | undefined {
  return info.mode === null || Deno.build.os === "windows" ? undefined : info.mode & 0o7777;
}

/** The directories that have to be made for a path to exist, outermost first. */
export async function missingDirectories(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; (await statOf(at)) === undefined; at = dirname(at)) {
    missing.unshift(at);
    if (dirname(at) === at) break;
  }
  return missing;
}

async function makeDirectories(folder: string): Promise<string[]> {
  const missing = await missingDirectories(folder);
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (error) {
    throw refusedBecause(`The directory ${folder} cannot be made`, error);
  }
  return missing;
}

/** Removes directories that are empty, innermost first. */
export async function removeDirectories(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    try {
      await Deno.remove(folder);
    } catch {
      return;
    }
  }
}

async function syncDirectory(folder: string): Promise<void> {
  if (Deno.build.os === "windows") return;
  try {
    using handle = await Deno.open(folder, { read: true });
    await handle.sync();
  } catch {
    // Some file systems do not sync directories; the rename is done all the same.
  }
}

function refusedBecause(what: string, error: unknown): RefusedError {
  return new RefusedError(`${what}: ${error instanceof Error ? error.message : String(error)}.`);
}
