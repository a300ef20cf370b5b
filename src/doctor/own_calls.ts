/**
 * Which records of the log tell of calls that `guard doctor` has made up. The name of a session alone does not say
 * so: on some hosts an agent can start another one in a session of its choice, and no denial may be hidden by it.
 */

import { auditLine, parseAudit, subjectOf } from "../audit.ts";
import type { AuditRecord, HookCall, HostAdapter } from "../types.ts";
import { doctorSession } from "./session.ts";

/** Whether a record is of a call of `guard doctor`. */
export type OwnCalls = (record: AuditRecord) => boolean;

/**
 * Tells the calls of `guard doctor` by their session, and where one was not let pass, by what it asks for too.
 *
 * @param adapters All hosts.
 * @param home Absolute home directory of the person.
 */
export function ownCalls(adapters: readonly HostAdapter[], home: string): OwnCalls {
  let subjects: ReadonlySet<string> | undefined;
  return (record) => {
    if (record.session !== doctorSession) return false;
    const passed = record.decision === "none" || record.decision === "allow";
    const told = record.answered ?? record.decision;
    if (passed && record.failure === undefined && (told === "none" || told === "allow")) return true;
    subjects ??= new Set(adapters.flatMap((adapter) => probedSubjects(adapter, home)));
    return subjects.has(record.subject);
  };
}

/** What the log says of the calls that doctor makes up for a host. */
function probedSubjects(adapter: HostAdapter, home: string): string[] {
  return adapter.events.flatMap(({ native }) =>
    [true, false].flatMap((harmful) => {
      const frame = { harmful, session: doctorSession, cwd: home, home };
      const payload = adapter.probe?.(native, frame);
      if (payload === undefined) return [];
      let call: HookCall;
      try {
        call = adapter.parse({ payload, event: native });
      } catch {
        return [];
      }
      return asLogged(subjectOf(call.actions));
    })
  );
}

/** A subject as the log holds it: redacted and shortened. */
function asLogged(subject: string): string[] {
  const line = auditLine({
    time: "",
    version: "",
    host: "",
    event: "pre_tool",
    nativeEvent: "",
    subject,
    decision: "none",
    answered: "none",
    enforced: true,
    rules: [],
    milliseconds: 0,
  });
  return parseAudit(line).records.map((record) => record.subject);
}
