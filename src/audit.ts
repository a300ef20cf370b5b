/**
 * The audit log: one JSON document a line in `<state>/audit.jsonl`, appended with one write and without a
 * lock, since whoever holds a lock could stop every hook.
 *
 * A log that has grown too large is renamed to `audit.<instant>-<random>.jsonl`. Names never repeat, so two
 * processes that rotate at once cannot overwrite each other's file, and a process that still has the old
 * file open appends to it under its new name: no line is lost. The oldest files are removed when all of them
 * together exceed a limit.
 */

import { native } from "./native_path.ts";
import { redact } from "./redact.ts";
import type { Action, AuditRecord } from "./types.ts";

/** When the log is rotated, and how much of it is kept. */
export interface AuditLimits {
  /** Size in bytes from which the log is rotated. */
  readonly rotateAt: number;
  /** Bytes that rotated files may take together; the newest one always stays. */
  readonly keep: number;
}

const LIMITS: AuditLimits = { rotateAt: 8 * 1024 * 1024, keep: 64 * 1024 * 1024 };
/** Largest line in bytes. */
const LINE_LIMIT = 16 * 1024;
/** Longest subject in UTF-16 code units. */
const SUBJECT_LIMIT = 6000;
const ROTATED = /^audit\.\d{8}T\d{9}Z-[0-9a-f]{8}\.jsonl$/;

/** Path of the log that is written to. */
export function auditPath(state: string): string {
  return native.join(state, "audit.jsonl");
}

/** Text of what was judged, for people: the command, or the operation and what it is about. Not redacted. */
export function subjectOf(actions: readonly Action[]): string {
  return actions.slice(0, 50).map((action) => subjectOfAction(action)).join("\n");
}

function subjectOfAction(action: Action): string {
  switch (action.kind) {
    case "shell":
      return action.command;
    case "file":
      return `${action.operation} ${action.path}`;
    case "fetch":
      return `fetch ${action.url}`;
    case "mcp":
      return `mcp ${action.server}/${action.tool} ${json(action.input)}`;
    case "prompt":
      return `prompt ${action.text}`;
    case "output":
      return `output of ${action.tool}`;
    case "session":
      return `session ${action.phase}`;
    case "unknown":
      return `tool ${action.tool} ${json(action.input)}`;
  }
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/**
 * Appends a record, redacted and shortened.
 *
 * @param state Directory of guard's state; created when it is missing.
 * @returns What prevented it, as a sentence; undefined when the line was written. Never throws.
 */
export function appendAudit(
  state: string,
  record: AuditRecord,
  limits: AuditLimits = LIMITS,
): string | undefined {
  const path = auditPath(state);
  let file: Deno.FsFile | undefined;
  try {
    const line = new TextEncoder().encode(auditLine(record));
    const wrong = kindProblem(path);
    if (wrong !== undefined) return wrong;
    file = openLog(state, path);
    const status = file.statSync();
    // Whoever put something else there since then gains nothing.
    const changed = status.isFile ? kindProblem(path) : notRegular(path);
    if (changed !== undefined) return changed;
    const written = file.writeSync(line);
    if (written !== line.length) {
      return `the audit log ${path} took only a part of a record; is the disk full?`;
    }
    if (status.size + line.length > limits.rotateAt) rotate(state, path, status.ino, limits);
    return undefined;
  } catch (error) {
    return `the audit log ${path} cannot be written (${code(error) ?? message(error)})`;
  } finally {
    try {
      file?.close();
    } catch {
      // The line is written; a failing close changes nothing.
    }
  }
}

/**
 * Opened for reading as well: a FIFO would otherwise block until somebody reads it. `Deno.*` since the first
 * writing through node:fs costs a hook some milliseconds.
 */
function openLog(state: string, path: string): Deno.FsFile {
  const options = { append: true, read: true, create: true, mode: 0o600 };
  try {
    return Deno.openSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(state, { recursive: true, mode: 0o700 });
    return Deno.openSync(path, options);
  }
}

/** What speaks against writing to what has this name. */
function kindProblem(path: string): string | undefined {
  let status: Deno.FileInfo;
  try {
    status = Deno.lstatSync(path);
  } catch (error) {
    // Rotated by another process, or not there yet.
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  if (status.isSymlink) return `the audit log ${path} is a symbolic link; remove it`;
  return status.isFile ? undefined : notRegular(path);
}

function notRegular(path: string): string {
  return `the audit log ${path} is not a regular file; remove it`;
}

/** The line for a record: redacted, at most `LINE_LIMIT` bytes, ending in a line feed. */
export function auditLine(record: AuditRecord): string {
  const bounded: AuditRecord = {
    ...record,
    host: shorten(record.host, 64),
    nativeEvent: shorten(record.nativeEvent, 128),
    ...(record.session === undefined ? {} : { session: shorten(record.session, 128) }),
    ...(record.callId === undefined ? {} : { callId: shorten(record.callId, 128) }),
    ...(record.cwd === undefined ? {} : { cwd: shorten(redactStart(record.cwd, 1024), 1024) }),
    ...(record.tool === undefined ? {} : { tool: shorten(record.tool, 128) }),
    subject: shorten(redactStart(record.subject, SUBJECT_LIMIT), SUBJECT_LIMIT),
    rules: record.rules.slice(0, 40).map((rule) => shorten(rule, 80)),
    ...(record.notes === undefined
      ? {}
      : { notes: record.notes.slice(0, 4).map((note) => shorten(redactStart(note, 300), 300)) }),
    ...(record.failure === undefined ? {} : { failure: shorten(redactStart(record.failure, 500), 500) }),
  };
  let line = oneLine(bounded);
  for (let limit = SUBJECT_LIMIT; tooLong(line) && limit > 1; limit >>= 1) {
    line = oneLine({
      ...bounded,
      ...(bounded.cwd === undefined ? {} : { cwd: shorten(bounded.cwd, Math.min(limit, 256)) }),
      ...(bounded.notes === undefined
        ? {}
        : { notes: bounded.notes.map((note) => shorten(note, Math.min(limit, 100))) }),
      ...(bounded.failure === undefined ? {} : { failure: shorten(bounded.failure, Math.min(limit, 200)) }),
      subject: shorten(bounded.subject, limit >> 1),
    });
  }
  return line;
}

function oneLine(record: AuditRecord): string {
  return `${auditJson(record)}\n`;
}

/** A record as JSON, in which what a terminal would act on when it is printed as it is stays an escape. */
export function auditJson(record: AuditRecord): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(record).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    escaped,
  );
}

function tooLong(line: string): boolean {
  return line.length > LINE_LIMIT ||
    (line.length * 3 > LINE_LIMIT && new TextEncoder().encode(line).length > LINE_LIMIT);
}

/**
 * Redacts the beginning of a text, enough for `limit` characters of it. The text is cut before it is
 * redacted, since it may be very long; a secret that the cut goes through lies behind the limit or in the
 * last word, which is dropped.
 */
function redactStart(text: string, limit: number): string {
  const most = limit * 2 + 4096;
  if (text.length <= most) return redact(text);
  const cut = text.slice(0, most);
  const blank = Math.max(cut.lastIndexOf(" "), cut.lastIndexOf("\n"), 0);
  return `${redact(cut.slice(0, most - blank > 4096 ? limit : blank))}…`;
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2] ?? "") ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

function rotate(state: string, path: string, inode: number | null, limits: AuditLimits): void {
  try {
    // Another process may have rotated since; renaming its fresh file would only make a small one.
    if (Deno.lstatSync(path).ino !== inode) return;
    const instant = new Date().toISOString().replace(/[-:.]/g, "");
    const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    Deno.renameSync(
      path,
      native.join(state, `audit.${instant}-${random.toString(16).padStart(8, "0")}.jsonl`),
    );
    let total = 0;
    const rotated = rotatedFiles(state);
    for (const [index, name] of rotated.reverse().entries()) {
      const file = native.join(state, name);
      total += Deno.lstatSync(file).size;
      if (index > 0 && total > limits.keep) Deno.removeSync(file);
    }
  } catch {
    // The log stays where it is and grows; the next record tries again.
  }
}

/** Names of rotated files, oldest first. */
function rotatedFiles(state: string): string[] {
  try {
    return [...Deno.readDirSync(state)].map((entry) => entry.name).filter((name) => ROTATED.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** The log and its rotated predecessors, whether or not they exist. */
export function auditFiles(state: string): string[] {
  return [...rotatedFiles(state).map((name) => native.join(state, name)), auditPath(state)];
}

/** What is read of a log. */
export interface ParsedAudit {
  readonly records: readonly AuditRecord[];
  /** Lines that are no record: torn by a crash or a full disk, or written by something else. */
  readonly torn: number;
}

/**
 * Parses lines of the log. A record that was appended to the remains of a torn one is found: the remains
 * count as torn, the record is kept.
 */
export function parseAudit(text: string): ParsedAudit {
  const records: AuditRecord[] = [];
  let torn = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const record = parseLine(line);
    if (record !== undefined) {
      records.push(record);
      continue;
    }
    torn++;
    const last = line.lastIndexOf('{"time":"');
    const rest = last > 0 ? parseLine(line.slice(last)) : undefined;
    if (rest !== undefined) records.push(rest);
  }
  return { records, torn };
}

function parseLine(line: string): AuditRecord | undefined {
  if (!line.startsWith("{") || !line.endsWith("}")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const decisions: readonly unknown[] = ["none", "allow", "ask", "deny"];
const texts = ["session", "callId", "cwd", "tool", "failure", "code"] as const;

/** The fields that readers rely on have their types; a line may have been written by anybody. */
function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return typeof record.time === "string" && typeof record.host === "string" &&
    typeof record.subject === "string" && decisions.includes(record.decision) &&
    (record.answered === undefined || decisions.includes(record.answered)) &&
    areTexts(record.rules) && (record.notes === undefined || areTexts(record.notes)) &&
    (record.event === undefined || typeof record.event === "string") &&
    (record.nativeEvent === undefined || typeof record.nativeEvent === "string") &&
    texts.every((key) => record[key] === undefined || typeof record[key] === "string");
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function code(error: unknown): string | undefined {
  const value = (error as { code?: unknown } | null)?.code;
  return typeof value === "string" ? value : undefined;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
