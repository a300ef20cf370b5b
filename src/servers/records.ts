/**
 * What guard has seen of MCP servers: one file each below `<state>/servers`, so that writing one whole loses nothing of
 * another. Agents cannot write there (`self/change-guard`); whoever can could also take guard away.
 */

import { native } from "../native_path.ts";
import { openText } from "../facts/open.ts";
import { prepareRedaction, redact } from "../redact.ts";
import { visible } from "../visible.ts";
import { writeWhole } from "../whole_file.ts";
import { foldServer, type Part, type Parts } from "./definitions.ts";

/** A definition as it is remembered. Holds no secret. */
export interface Remembered {
  /** SHA-256 of all parts. */
  readonly fingerprint: string;
  /** SHA-256 of each part, which tells what changed. */
  readonly hashes: Readonly<Partial<Record<Part, string>>>;
  /** Redacted and shortened, for people. */
  readonly shown: Parts;
}

/** A server as it was first seen, or last trusted. */
export interface ServerRecord {
  readonly version: 1;
  readonly host: string;
  readonly workspace: string;
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly seen: number;
  readonly definitions: readonly Remembered[];
  /** A file could not be looked at already then. */
  readonly unreadable?: boolean;
}

const SIZE_LIMIT = 256 * 1024;
/** Most servers that are remembered. */
const LIMIT = 2000;
const SHOWN = 300;

/** What a definition is remembered by. */
export async function remember(parts: Parts): Promise<Remembered> {
  const names = Object.keys(parts).sort() as Part[];
  const hashes: Partial<Record<Part, string>> = {};
  const shown: Partial<Record<Part, string>> = {};
  for (const name of names) {
    const text = parts[name]!;
    hashes[name] = await digest(text);
    await prepareRedaction(text);
    shown[name] = visible(redact(text), SHOWN);
  }
  return {
    fingerprint: await digest(JSON.stringify(names.map((name) => [name, parts[name]]))),
    hashes,
    shown,
  };
}

/** The record of a server; `"damaged"` when there is one that cannot be used. Never throws. */
export async function readRecord(
  state: string,
  host: string,
  workspace: string,
  server: string,
): Promise<ServerRecord | "damaged" | undefined> {
  const opened = openText(native.join(directoryOf(state), await nameOf(host, workspace, server)), SIZE_LIMIT);
  if (opened.state === "missing") return undefined;
  const record = opened.state === "text" ? recordIn(opened.text) : undefined;
  return record?.host === host && record.workspace === workspace && record.server === server
    ? record
    : "damaged";
}

/** Writes a record. Throws when that cannot be done. */
export async function writeRecord(state: string, record: ServerRecord): Promise<void> {
  const directory = directoryOf(state);
  writeWhole(
    directory,
    await nameOf(record.host, record.workspace, record.server),
    `${JSON.stringify(record)}\n`,
  );
  prune(directory);
}

/** All records, by host, workspace and server; what is damaged is left out. */
export function listRecords(state: string): ServerRecord[] {
  const directory = directoryOf(state);
  return namesIn(directory).flatMap((name) => {
    const opened = openText(native.join(directory, name), SIZE_LIMIT);
    const record = opened.state === "text" ? recordIn(opened.text) : undefined;
    return record === undefined ? [] : [record];
  }).sort((a, b) => {
    const [one, other] = [a, b].map(({ host, workspace, server }) =>
      JSON.stringify([host, workspace, server])
    );
    return one! < other! ? -1 : one! > other! ? 1 : 0;
  });
}

/** Takes the oldest away when there are more than anybody has. */
function prune(directory: string): void {
  const names = namesIn(directory);
  if (names.length <= LIMIT) return;
  const aged = names.map((name) => {
    try {
      return { name, age: Deno.statSync(native.join(directory, name)).mtime?.getTime() ?? 0 };
    } catch {
      return { name, age: 0 };
    }
  }).sort((a, b) => a.age - b.age);
  for (const { name } of aged.slice(0, names.length - LIMIT)) {
    try {
      Deno.removeSync(native.join(directory, name));
    } catch {
      // Another process was first.
    }
  }
}

function directoryOf(state: string): string {
  return native.join(state, "servers");
}

function namesIn(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) =>
      /^[0-9a-f]{64}\.json$/.test(name)
    );
  } catch {
    return [];
  }
}

async function nameOf(host: string, workspace: string, server: string): Promise<string> {
  return `${await digest(JSON.stringify([host, workspace, foldServer(server)]))}.json`;
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function recordIn(text: string): ServerRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { version, host, workspace, server, seen, definitions } = value as Record<string, unknown>;
  const fits = version === 1 && typeof host === "string" && typeof workspace === "string" &&
    typeof server === "string" && Number.isFinite(seen) && Array.isArray(definitions) &&
    definitions.every(isRemembered);
  return fits ? value as ServerRecord : undefined;
}

function isRemembered(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { fingerprint, hashes, shown } = value as Record<string, unknown>;
  return typeof fingerprint === "string" && isTexts(hashes) && isTexts(shown);
}

function isTexts(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === "string");
}
