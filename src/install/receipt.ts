/**
 * Receipts: what an installation found and made, one file per edited configuration, readable by the person only
 * (a configuration can hold secrets). With one, uninstalling gives back every byte.
 */

import { Buffer } from "node:buffer";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { createHash } from "node:crypto";
import { isProgram, type Program } from "./program.ts";
import type { Filled } from "./splice.ts";
import { missingDirectories } from "./write.ts";

/** What an installation wrote, and what was there before. */
export interface Receipt {
  readonly version: 1;
  /** Host id and scope of the target that was installed. */
  readonly host: string;
  readonly scope: "user" | "project";
  /** Which of the host's targets of that scope it is; absent in receipts of a guard that knew one only. */
  readonly target?: string;
  /** The path that the host reads. */
  readonly path: string;
  /** Bytes before the first installation, in base64; null when there was no file. */
  readonly original: string | null;
  /** False when the original holds own entries already or the file has changed since: then entries are cut. */
  readonly restorable: boolean;
  /** Whether guard created the file. */
  readonly owned: boolean;
  /** SHA-256 of the file after the installation, in hexadecimal. */
  readonly after: string;
  /** Directories that guard created, outermost first. */
  readonly directories: readonly string[];
  readonly created: readonly (readonly string[])[];
  readonly filled: readonly Filled[];
  /** The entries as they were written, with their options; absent where guard wrote the whole file. */
  readonly entries?: readonly WrittenEntry[];
  /** The executable that was registered; absent where a checkout was, and in receipts of a guard that kept none. */
  readonly program?: Program;
}

/** An entry of guard in a configuration. */
export interface WrittenEntry {
  /** Native name of the event. */
  readonly event: string;
  /** Keys that lead to the list which holds it. */
  readonly at: readonly string[];
  readonly value: unknown;
}

/** SHA-256 of bytes, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function fileOf(state: string, path: string): string {
  return join(state, "receipts", nameOf(path));
}

function nameOf(path: string): string {
  return `${hashOf(new TextEncoder().encode(path)).slice(0, 32)}.json`;
}

/** The largest receipt in bytes: the original of a configuration of the largest size, in base64, and what was written. */
const receiptLimit = 64 * 1024 * 1024;

/** The receipt of a configuration; undefined when there is none or it cannot be read. */
export async function readReceipt(state: string, path: string): Promise<Receipt | undefined> {
  const receipt = await receiptIn(fileOf(state, path));
  return receipt?.path === path ? receipt : undefined;
}

async function receiptIn(file: string): Promise<Receipt | undefined> {
  try {
    // Opening a FIFO would wait for whoever writes into it; a file without an end would be read for ever.
    const { isFile, size } = await Deno.lstat(file);
    if (!isFile || size > receiptLimit) return undefined;
    const value: unknown = JSON.parse(await Deno.readTextFile(file));
    return isReceipt(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** All receipts that can be read. One whose name is not that of its path was not written by guard, and does not count. */
export async function listReceipts(state: string): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  try {
    for await (const item of Deno.readDir(join(state, "receipts"))) {
      if (!item.isFile || !item.name.endsWith(".json")) continue;
      // One that is damaged or just being replaced does not hide the others.
      const receipt = await receiptIn(join(state, "receipts", item.name));
      if (receipt !== undefined && nameOf(receipt.path) === item.name) receipts.push(receipt);
    }
  } catch {
    // No folder.
  }
  return receipts.toSorted((a, b) => a.path < b.path ? -1 : 1);
}

function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== "object" || value === null) return false;
  const receipt = value as Partial<Record<keyof Receipt, unknown>>;
  return receipt.version === 1 && typeof receipt.path === "string" && isPath(receipt.path) &&
    typeof receipt.host === "string" &&
    (receipt.scope === "user" || receipt.scope === "project") && typeof receipt.after === "string" &&
    (receipt.target === undefined || typeof receipt.target === "string") &&
    (receipt.original === null || (typeof receipt.original === "string" && isBase64(receipt.original))) &&
    typeof receipt.restorable === "boolean" && typeof receipt.owned === "boolean" &&
    Array.isArray(receipt.directories) && receipt.directories.every((item) => typeof item === "string") &&
    Array.isArray(receipt.created) && Array.isArray(receipt.filled) &&
    receipt.created.every(areKeys) &&
    receipt.filled.every((item) => areKeys(item?.at) && typeof item?.interior === "string") &&
    (receipt.entries === undefined || isEntries(receipt.entries)) &&
    (receipt.program === undefined || isProgram(receipt.program));
}

function isEntries(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((entry: Partial<WrittenEntry> | null) =>
      typeof entry?.event === "string" && areKeys(entry.at)
    );
}

function areKeys(value: unknown): boolean {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

/** Whether a text can be the path of a configuration; guard registers nothing under one with control characters. */
function isPath(path: string): boolean {
  return isAbsolute(path) && !/\p{Cc}/u.test(path);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Writes a receipt in one step; the folder is made when missing. */
export async function writeReceipt(state: string, receipt: Receipt): Promise<void> {
  await Deno.mkdir(join(state, "receipts"), { recursive: true, mode: 0o700 });
  const file = fileOf(state, receipt.path);
  const temporary = `${file}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(temporary, JSON.stringify(receipt), { createNew: true, mode: 0o600 });
    await Deno.rename(temporary, file);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Keeps what is registered now where the configuration itself has not to be changed; nothing where there is no receipt. */
export async function renewProgram(state: string, path: string, program: Program | undefined): Promise<void> {
  if (program === undefined) return;
  const receipt = await readReceipt(state, path);
  if (receipt === undefined) return;
  const known = receipt.program;
  if (
    known?.path === program.path && known.sha256 === program.sha256 && known.modified === program.modified &&
    known.version === program.version
  ) return;
  await writeReceipt(state, { ...receipt, program });
}

/** Forgets a receipt, and the folder of receipts with the last one. */
export async function removeReceipt(state: string, path: string): Promise<void> {
  await Deno.remove(fileOf(state, path)).catch(() => {});
  await Deno.remove(join(state, "receipts")).catch(() => {});
}

/** Bytes in the form in which a receipt holds them. */
export function encodeBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** The original bytes; undefined when there was no file. */
export function originalOf(receipt: Receipt): Uint8Array | undefined {
  return receipt.original === null ? undefined : new Uint8Array(Buffer.from(receipt.original, "base64"));
}

/** The directories that guard made for this file: of those that a receipt names only the ones above it. */
export function directoriesAbove(target: string, receipt: Receipt | undefined): readonly string[] {
  const above = new Set<string>();
  for (let at = dirname(target); !above.has(at); at = dirname(at)) above.add(at);
  return receipt?.directories.filter((directory) => above.has(directory)) ?? [];
}

/**
 * Whether a configuration went with its project or its host: a directory that held it is no longer there, and guard
 * had not made it.
 */
export async function isAbandoned({ path, directories }: Receipt): Promise<boolean> {
  const [missing] = await missingDirectories(dirname(path)).catch(() => [dirname(path)]);
  if (missing === undefined) return false;
  // The directories of a receipt have their links resolved.
  const around = await Deno.realPath(dirname(missing)).catch(() => dirname(missing));
  return !directories.includes(join(around, basename(missing)));
}

/**
 * Directories that guard makes now for a file (absolute, links resolved), and those above it that it has made for
 * others of its files.
 */
export async function madeDirectories(state: string, target: string): Promise<readonly string[]> {
  const shared = (await listReceipts(state)).flatMap(({ directories }) => directories)
    .filter((directory) => !relative(directory, target).startsWith(".."));
  const missing = await missingDirectories(dirname(target));
  return [...new Set([...shared, ...missing])].sort((a, b) => a.length - b.length);
}
