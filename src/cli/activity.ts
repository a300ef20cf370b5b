/** What the log says of each host. */

import { auditFiles, parseAudit } from "../audit.ts";
import type { OwnCalls } from "../doctor/own_calls.ts";
import { callsOf } from "./one_call.ts";

/** What guard did for one host. */
export interface Activity {
  /** When it was called last, in milliseconds since 1970. */
  readonly last: number;
  /** Calls in the span that was asked for, and how many of them were told to stop or to ask. */
  readonly calls: number;
  readonly denied: number;
  readonly asked: number;
}

/** Most that is read of one file of the log, in bytes; the newest lines stand at its end. */
const sizeLimit = 32 * 1024 * 1024;

/**
 * Activity by host id; a host that never called is missing. The calls that `guard doctor` makes do not count.
 *
 * @param since Milliseconds since 1970 from which calls are counted.
 * @param isOwn Whether a record is of a call of `guard doctor`.
 */
export function activityOf(
  state: string,
  since: number,
  isOwn: OwnCalls,
): ReadonlyMap<string, Activity> {
  const found = new Map<string, Activity>();
  for (const path of auditFiles(state)) {
    for (const { record, records } of callsOf(parseAudit(endOf(path)).records)) {
      const time = Date.parse(record.time);
      if (isOwn(record) || Number.isNaN(time)) continue;
      const counts = time >= since ? 1 : 0;
      for (const host of new Set(records.map((one) => one.host))) {
        const before = found.get(host) ?? { last: 0, calls: 0, denied: 0, asked: 0 };
        found.set(host, {
          last: Math.max(before.last, time),
          calls: before.calls + counts,
          denied: before.denied + (record.answered === "deny" ? counts : 0),
          asked: before.asked + (record.answered === "ask" ? counts : 0),
        });
      }
    }
  }
  return found;
}

/** The text of a regular file, or the end of a long one; empty when there is none. */
export function endOf(path: string): string {
  try {
    if (!Deno.lstatSync(path).isFile) return "";
    using file = Deno.openSync(path);
    const { size } = file.statSync();
    const start = Math.max(0, size - sizeLimit);
    file.seekSync(start, Deno.SeekMode.Start);
    const bytes = new Uint8Array(size - start);
    let length = 0;
    while (length < bytes.length) {
      const count = file.readSync(bytes.subarray(length));
      if (count === null) break;
      length += count;
    }
    // The line that the cut goes through is no torn record.
    const from = start === 0 ? 0 : bytes.indexOf(10) + 1;
    return new TextDecoder().decode(bytes.subarray(from, length));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return "";
    throw error;
  }
}
