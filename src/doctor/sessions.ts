/** Sessions that began with guard, and in which the host never called it again. */

import { auditFiles, auditPath, parseAudit } from "../audit.ts";
import { pathsOf } from "../install/location.ts";
import type { System } from "../locations.ts";
import type { AuditRecord } from "../types.ts";
import { type Check, note } from "./check.ts";
import { endOf } from "./log.ts";
import { doctorSession } from "./session.ts";

/** Sessions of one host in a project. */
export interface Sessions {
  readonly begun: number;
  /** Of these, how many went without any call of guard after their beginning. */
  readonly uncalled: number;
}

export interface Span {
  /** Absolute directory; what began below it counts as well. */
  readonly project: string;
  readonly system: System;
  /** Milliseconds since 1970 from which on and up to which the beginnings count. */
  readonly from: number;
  readonly to: number;
}

/** Days that are looked back. */
const days = 7;
/** Milliseconds in which nothing may have been asked for yet. */
const grace = 5 * 60_000;

/** Most that is read of one file of the log, in bytes. */
const sizeLimit = 32 * 1024 * 1024;

/** The span of the last days that `guard doctor` and `guard status` look at. */
export function lately(project: string, system: System, now = Date.now()): Span {
  return { project, system, from: now - days * 86_400_000, to: now - grace };
}

/** What a host sends of itself whether or not an agent acts. */
const idle = new Set<AuditRecord["event"]>(["session_start", "session_end", "other"]);

/** Sessions by host id; a host that has not begun one there is missing. */
export function countSessions(records: Iterable<AuditRecord>, span: Span): ReadonlyMap<string, Sessions> {
  const begun = new Map<string, { readonly host: string; readonly session: string }>();
  const called = new Set<string>();
  for (const { event, host, session, cwd, time } of records) {
    if (session === undefined || session === doctorSession) continue;
    const key = JSON.stringify([host, session]);
    if (!idle.has(event)) called.add(key);
    const at = Date.parse(time);
    if (event !== "session_start" || !(at >= span.from && at <= span.to)) continue;
    if (cwd !== undefined && isBelow(cwd, span)) begun.set(key, { host, session });
  }
  const found = new Map<string, Sessions>();
  for (const [key, { host }] of begun) {
    const before = found.get(host) ?? { begun: 0, uncalled: 0 };
    found.set(host, {
      begun: before.begun + 1,
      uncalled: before.uncalled + (called.has(key) ? 0 : 1),
    });
  }
  return found;
}

function isBelow(path: string, { project, system }: Span): boolean {
  const { relative, isAbsolute } = pathsOf(system);
  const way = relative(project, path);
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}

/** Sessions by host id, from the log. */
export async function sessionsIn(state: string, span: Span): Promise<ReadonlyMap<string, Sessions>> {
  const records: AuditRecord[] = [];
  for (const path of auditFiles(state)) {
    const changed = (await Deno.lstat(path).catch(() => undefined))?.mtime?.getTime();
    // Nothing that began in the span stands in a file that was closed before it.
    if (path !== auditPath(state) && changed !== undefined && changed < span.from) continue;
    records.push(...parseAudit(await endOf(path, sizeLimit)).records);
  }
  return countSessions(records, span);
}

/** What is said about a host whose sessions went without guard; undefined when all of them called it. */
export function uncalledText(title: string, sessions: Sessions | undefined): string | undefined {
  if (sessions === undefined || sessions.uncalled === 0) return undefined;
  const { begun, uncalled } = sessions;
  return `This project had sessions of ${title} in which guard was never called: ${uncalled} of ${begun} in ${days} days. ` +
    "Either nothing was asked for in them, or the host did not run the hooks.";
}

/** A remark for each of these hosts (titles by id) whose sessions in the project went without guard. */
export async function checkSessions(
  state: string,
  titles: ReadonlyMap<string, string>,
  span: Span,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [host, sessions] of await sessionsIn(state, span)) {
    const title = titles.get(host);
    const text = title === undefined ? undefined : uncalledText(title, sessions);
    if (text !== undefined) checks.push(note("sessions", text, `guard log --host ${host} --since ${days}d`));
  }
  return checks;
}
