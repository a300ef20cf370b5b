/**
 * Which records of the log tell of one call. Some hosts fire more than one hook for a call (Cursor for a tool and for
 * its command, OpenClaw for `tool_call` and the tool behind it, guard installed for the user and for the project),
 * and each of them is judged and written down.
 */

import type { AuditRecord, Decision } from "../types.ts";

/** One call, with everything that was answered to it. */
export interface OneCall {
  /** The strictest of the records; the first of equals. */
  readonly record: AuditRecord;
  /** All records, in the order of the log; never empty. */
  readonly records: readonly AuditRecord[];
}

/**
 * Milliseconds between the records of one call when only its content tells: hosts run the hooks of a call one after
 * the other, and each answers within five seconds.
 */
const firingWindow = 6000;

/** Milliseconds within which an id is taken for the same call; some models number the calls of each turn anew. */
const idWindow = 60_000;

/** Most calls of one session that a record is compared with; bounds the work where thousands come in a minute. */
const mostOpen = 32;

const rank: Readonly<Record<Decision, number>> = { none: 0, allow: 1, ask: 2, deny: 3 };

/** How strict a record is: by what the host was told, then by what was decided, then whether guard failed. */
function strictness({ answered, decision, failure }: AuditRecord): number {
  return 8 * (rank[answered ?? decision] ?? 0) + 2 * (rank[decision] ?? 0) + (failure === undefined ? 0 : 1);
}

/** Whether a record says of a call that it is stopped, asked about, or would be. */
function isStrict({ answered, decision }: AuditRecord): boolean {
  return (rank[answered] ?? 0) >= rank.ask || (rank[decision] ?? 0) >= rank.ask;
}

/** What has to be equal for two records to be of one call: a hook before it and one after it are two things. */
function family({ session, event }: AuditRecord): string {
  return `${event === "permission" ? "pre_tool" : event} ${session ?? ""}`;
}

const registered = ({ host, nativeEvent }: AuditRecord) => `${host} ${nativeEvent}`;

/** Whether two records of one family tell of one call; the same content alone may be a second call. */
function isSameCall(first: AuditRecord, second: AuditRecord): boolean {
  const apart = Math.abs(Date.parse(second.time) - Date.parse(first.time));
  const other = registered(first) !== registered(second);
  if (first.callId !== undefined && second.callId !== undefined) {
    return first.callId === second.callId && apart <= idWindow && (other || first.subject === second.subject);
  }
  return other && first.subject === second.subject && apart <= firingWindow;
}

/**
 * Whether two records surely tell of two calls: by their ids, or since a hook fires once for a call. An id may be the
 * model's choice, so two denials with different content stay two, and neither hides the other.
 */
function isOtherCall(first: AuditRecord, second: AuditRecord): boolean {
  const sameContent = first.subject === second.subject;
  if (!sameContent && isStrict(first) && isStrict(second)) return true;
  const sameHook = registered(first) === registered(second);
  return first.callId !== undefined && second.callId !== undefined
    ? first.callId !== second.callId || (sameHook && !sameContent)
    : sameHook;
}

/** Puts the records of each call together as they come. */
export class Calls {
  readonly #open = new Map<string, { record: AuditRecord; records: AuditRecord[] }[]>();

  /** Adds a record. @returns The call that it belongs to, and whether it is the first of it. */
  add(record: AuditRecord): { readonly call: OneCall; readonly first: boolean } {
    const key = family(record);
    const now = Date.parse(record.time);
    const recent = (this.#open.get(key) ?? []).slice(-mostOpen).filter(({ records }) =>
      Math.abs(now - Date.parse(records.at(-1)!.time)) <= idWindow
    );
    this.#open.set(key, recent);
    const possible = recent.filter(({ records }) =>
      records.some((one) => isSameCall(one, record)) && !records.some((one) => isOtherCall(one, record))
    );
    const known =
      possible.findLast(({ records }) => records.some(({ subject }) => subject === record.subject)) ??
        possible.at(-1);
    if (known === undefined) {
      const call = { record, records: [record] };
      recent.push(call);
      return { call, first: true };
    }
    known.records.push(record);
    if (strictness(record) > strictness(known.record)) known.record = record;
    return { call: known, first: false };
  }
}

/** The calls that records tell of, each at the place of the record that it shows: a denial is where it was given. */
export function callsOf(records: readonly AuditRecord[]): OneCall[] {
  const calls = new Calls();
  const ofRecord = records.map((record) => calls.add(record).call);
  return ofRecord.filter((call, index) => call.record === records[index]);
}

/** Who answered what, for a call with several records; empty for one. */
export function answersOf({ records }: OneCall): string {
  if (records.length < 2) return "";
  const several = new Set(records.map(({ host }) => host)).size > 1;
  return records.map((one) =>
    `${several ? `${one.host} ` : ""}${one.nativeEvent}: ${one.answered ?? one.decision}`
  ).join(", ");
}
