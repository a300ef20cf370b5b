import assert from "node:assert/strict";
import { join } from "node:path";
import { appendAudit } from "../audit.ts";
import type { AuditRecord } from "../types.ts";
import { checkSessions, countSessions, lately, sessionsIn } from "./sessions.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const minute = 60_000;
const span = lately("/home/kim/app", "linux", now);

/** A record of a session some minutes ago. */
function record(session: string, minutes: number, changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    time: new Date(now - minutes * minute).toISOString(),
    version: "0.1.0",
    host: "claude",
    event: "session_start",
    nativeEvent: "SessionStart",
    session,
    cwd: "/home/kim/app",
    subject: "session start",
    decision: "none",
    answered: "none",
    enforced: true,
    rules: [],
    milliseconds: 1,
    ...changes,
  };
}

const call = { event: "pre_tool", nativeEvent: "PreToolUse", subject: "make" } as const;

const cases: readonly (readonly [
  name: string,
  records: readonly AuditRecord[],
  expected: readonly [begun: number, uncalled: number] | undefined,
])[] = [
  ["nothing began", [record("a", 50, call)], undefined],
  ["a session with a call", [record("a", 60), record("a", 50, call)], [1, 0]],
  ["a session without", [record("a", 60)], [1, 1]],
  ["a prompt is a call", [record("a", 60), record("a", 50, { event: "prompt" })], [1, 0]],
  ["its end is none", [record("a", 60), record("a", 50, { event: "session_end" })], [1, 1]],
  ["one begun again counts once", [record("a", 90), record("a", 80, call), record("a", 60)], [1, 0]],
  ["the calls of another do not count", [record("a", 60), record("b", 50), record("b", 40, call)], [2, 1]],
  ["nor those of another host", [record("a", 60), record("a", 50, { ...call, host: "codex" })], [1, 1]],
  ["below the project", [record("a", 60, { cwd: "/home/kim/app/src" })], [1, 1]],
  ["beside the project", [record("a", 60, { cwd: "/home/kim/app2" })], undefined],
  ["above the project", [record("a", 60, { cwd: "/home/kim" })], undefined],
  ["a directory whose name begins with dots", [record("a", 60, { cwd: "/home/kim/app/..x" })], [1, 1]],
  ["one that has only just begun", [record("a", 4)], undefined],
  ["one of last month", [record("a", 30 * 24 * 60)], undefined],
  ["what doctor starts", [record("guard-doctor", 60)], undefined],
  ["an instant that cannot be read", [record("a", 60, { time: "?" })], undefined],
];

for (const [name, records, expected] of cases) {
  Deno.test(`sessions of a project: ${name}`, () => {
    const found = countSessions(records, span).get("claude");
    assert.deepEqual(found, expected && { begun: expected[0], uncalled: expected[1] });
  });
}

Deno.test("sessions without guard are told of the hosts that are asked for", async () => {
  const state = await Deno.makeTempDir({ prefix: "guard-sessions-" });
  try {
    for (
      const one of [record("a", 60), record("b", 50), record("b", 40, call), record("c", 50, { host: "pi" })]
    ) {
      assert.equal(appendAudit(state, one), undefined);
    }
    // Rotated long ago, so that it is not opened.
    const old = join(state, "audit.20260101T000000000Z-00000000.jsonl");
    await Deno.writeTextFile(old, `${JSON.stringify(record("d", 50))}\n`);
    await Deno.utime(old, new Date(0), new Date(0));
    assert.equal((await sessionsIn(state, span)).get("claude")?.begun, 2);
    const checks = await checkSessions(state, new Map([["claude", "Claude Code"]]), span);
    assert.deepEqual(checks, [{
      name: "sessions",
      status: "note",
      detail: "This project had sessions of Claude Code in which guard was never called: 1 of 2 in 7 days. " +
        "Either nothing was asked for in them, or the host did not run the hooks.",
      next: "guard log --host claude --since 7d",
    }]);
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});
