import assert from "node:assert/strict";
import { subjectOf } from "../audit.ts";
import { allAdapters } from "../install/hosts.ts";
import type { AuditRecord } from "../types.ts";
import { ownCalls } from "./own_calls.ts";
import { doctorSession } from "./session.ts";

const home = "/home/kim lee";

function record(changes: Partial<AuditRecord>): AuditRecord {
  return {
    time: "2026-01-01T00:00:00Z",
    version: "0.1.0",
    host: "openclaw",
    event: "pre_tool",
    nativeEvent: "before_tool_call",
    session: doctorSession,
    subject: "cat .env",
    decision: "none",
    answered: "none",
    enforced: true,
    rules: [],
    milliseconds: 1,
    ...changes,
  };
}

const denied = { decision: "deny", answered: "deny" } as const;

Deno.test("every harmful call of doctor is known again, denied or only logged", async () => {
  const adapters = await allAdapters();
  const isOwn = ownCalls(adapters, home);
  let count = 0;
  for (const adapter of adapters) {
    for (const { native } of adapter.events) {
      const payload = adapter.probe?.(native, { harmful: true, session: doctorSession, cwd: "/tmp/x", home });
      if (payload === undefined) continue;
      count++;
      const subject = subjectOf(adapter.parse({ payload, event: native }).actions);
      assert.equal(isOwn(record({ subject, ...denied })), true, `${adapter.id} ${native}: ${subject}`);
      assert.equal(isOwn(record({ subject, decision: "deny" })), true);
      assert.equal(isOwn(record({ subject, session: "s", ...denied })), false);
    }
  }
  assert.ok(count > 20, String(count));
});

Deno.test("a denial of anything else is not taken for one of doctor's by its session", async () => {
  const isOwn = ownCalls(await allAdapters(), home);
  assert.equal(isOwn(record({})), true);
  assert.equal(isOwn(record(denied)), false);
  assert.equal(isOwn(record({ decision: "deny" })), false);
  assert.equal(isOwn(record({ decision: "ask", answered: "ask" })), false);
  assert.equal(isOwn(record({ failure: "the policy cannot be used" })), false);
});
