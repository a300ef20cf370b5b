import assert from "node:assert/strict";
import fc from "fast-check";
import type { AuditRecord } from "../types.ts";
import { answersOf, callsOf } from "./one_call.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

function record(at: number, changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    time: new Date(start + at).toISOString(),
    version: "0.1.0",
    host: "cursor",
    event: "pre_tool",
    nativeEvent: "preToolUse",
    session: "s-1",
    subject: "git push -f",
    decision: "none",
    answered: "none",
    enforced: true,
    rules: [],
    milliseconds: 1,
    ...changes,
  };
}

const shell = { nativeEvent: "beforeShellExecution" };
const denied = { decision: "deny", answered: "deny", rules: ["git/force-push"] } as const;

interface Case {
  readonly name: string;
  readonly records: readonly AuditRecord[];
  /** How many records each call has. */
  readonly calls: readonly number[];
}

const cases: readonly Case[] = [
  {
    name: "two hooks of one call, known by its content",
    records: [record(0), record(900, shell)],
    calls: [2],
  },
  {
    name: "two calls of two hooks each",
    records: [record(0), record(50, shell), record(2000), record(2050, shell)],
    calls: [2, 2],
  },
  { name: "the same content again, from the same hook", records: [record(0), record(300)], calls: [1, 1] },
  { name: "the same content later", records: [record(0), record(7000, shell)], calls: [1, 1] },
  {
    name: "another content",
    records: [record(0), record(100, { ...shell, subject: "make" })],
    calls: [1, 1],
  },
  { name: "another session", records: [record(0), record(100, { ...shell, session: "s-2" })], calls: [1, 1] },
  {
    name: "before and after the call",
    records: [record(0), record(100, { event: "post_tool", nativeEvent: "postToolUse" })],
    calls: [1, 1],
  },
  {
    name: "the host's question about the call",
    records: [record(0), record(100, { event: "permission", nativeEvent: "PermissionRequest" })],
    calls: [2],
  },
  {
    name: "installed twice, known by the call's id",
    records: [record(0, { callId: "c-1" }), record(100, { callId: "c-1" })],
    calls: [2],
  },
  {
    name: "another host that reads the same configuration",
    records: [record(0, { callId: "c-1" }), record(100, { callId: "c-1", host: "claude" })],
    calls: [2],
  },
  {
    name: "the tool behind a tool, told otherwise",
    records: [
      record(0, { callId: "c-1", subject: "tool tool_call {}" }),
      record(100, { callId: "c-1", nativeEvent: "tool_call", subject: "git push -f" }),
    ],
    calls: [2],
  },
  {
    name: "two ids, the same content",
    records: [record(0, { callId: "c-1" }), record(100, { ...shell, callId: "c-2" })],
    calls: [1, 1],
  },
  {
    name: "an id that a model gives out anew",
    records: [record(0, { callId: "c-1" }), record(100, { callId: "c-1", subject: "make" })],
    calls: [1, 1],
  },
  {
    name: "an id that comes back after a minute",
    records: [record(0, { callId: "c-1" }), record(61_000, { ...shell, callId: "c-1" })],
    calls: [1, 1],
  },
  {
    name: "other calls between the hooks of one",
    records: [record(0), record(10, { subject: "make" }), record(20, shell)],
    calls: [2, 1],
  },
  {
    name: "an instant that cannot be read",
    records: [record(0), record(1, { ...shell, time: "?" })],
    calls: [1, 1],
  },
];

for (const { name, records, calls } of cases) {
  Deno.test(`calls of the log: ${name}`, () => {
    assert.deepEqual(callsOf(records).map((call) => call.records.length), calls);
  });
}

Deno.test("a call shows the strictest answer, whichever came first, and who gave it", () => {
  for (
    const records of [[record(0, denied), record(9, shell)], [record(0), record(9, { ...shell, ...denied })]]
  ) {
    const [call, ...others] = callsOf(records);
    assert.deepEqual(others, []);
    assert.equal(call?.record.answered, "deny");
  }
  const [two] = callsOf([record(0), record(9, { ...shell, ...denied })]);
  assert.equal(answersOf(two!), "preToolUse: none, beforeShellExecution: deny");
  const [hosts] = callsOf([record(0, { callId: "c" }), record(9, { callId: "c", host: "claude" })]);
  assert.equal(answersOf(hosts!), "cursor preToolUse: none, claude preToolUse: none");
  assert.equal(answersOf(callsOf([record(0)])[0]!), "");
});

Deno.test("a denial is not hidden by another one that was given the same id", () => {
  const harmless = record(0, { callId: "c-1", subject: "git push -f", ...denied });
  const other = record(50, { ...shell, callId: "c-1", subject: "cat ~/.ssh/id_rsa", ...denied });
  assert.deepEqual(callsOf([harmless, other]).map((call) => call.record), [harmless, other]);
  // Two calls of two hooks each, in whatever order they come.
  const four = [record(0, { callId: "c" }), record(5, { ...shell, callId: "c" })].flatMap((one) => [
    one,
    { ...one, subject: "cat ~/.ssh/id_rsa", ...denied },
  ]);
  const shown = callsOf(four).filter((call) => call.record.answered === "deny");
  assert.deepEqual(shown.map((call) => call.record.subject), ["cat ~/.ssh/id_rsa"]);
  assert.equal(callsOf(four).length, 2);
});

Deno.test("what observing would have denied, and that guard failed, shows before what it let pass", () => {
  const observed = record(9, { ...shell, decision: "deny", rules: ["git/force-push"] });
  assert.deepEqual(callsOf([record(0), observed]).map((call) => call.record), [observed]);
  const failed = record(9, { ...shell, failure: "the policy cannot be used" });
  assert.deepEqual(callsOf([record(0), failed]).map((call) => call.record), [failed]);
});

Deno.test("a denial stands where it was given, not where its call began", () => {
  const between = Array.from({ length: 25 }, (_, n) => record(n + 1, { callId: `o-${n}`, subject: "make" }));
  const denial = record(30_000, { callId: "c", ...denied });
  const calls = callsOf([record(0, { callId: "c" }), ...between, denial]);
  assert.equal(calls.length, 26);
  assert.equal(calls.at(-1)?.record, denial);
});

Deno.test("no record is lost, and no denial hidden behind something milder", () => {
  const any = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 20_000 }),
      nativeEvent: fc.constantFrom("preToolUse", "beforeShellExecution"),
      callId: fc.constantFrom(undefined, "c-1", "c-2"),
      subject: fc.constantFrom("make", "git push -f"),
      answered: fc.constantFrom("none", "ask", "deny"),
    }),
    { maxLength: 40 },
  );
  fc.assert(fc.property(any, (list) => {
    const records = list.map(({ at, ...changes }) => record(at, changes as Partial<AuditRecord>));
    const calls = callsOf(records);
    const kept = calls.flatMap((call) => call.records);
    assert.equal(kept.length, records.length);
    assert.equal(new Set(kept).size, records.length);
    for (const call of calls) {
      const denies = call.records.some(({ answered }) => answered === "deny");
      assert.equal(call.record.answered === "deny", denies);
    }
    const shown = new Set(calls.map((call) => `${call.record.answered} ${call.record.subject}`));
    for (const one of records.filter(({ answered }) => answered === "deny")) {
      assert.ok(shown.has(`${one.answered} ${one.subject}`));
    }
  }));
});

Deno.test("thousands of records of one session within a minute cost little", () => {
  const records = Array.from({ length: 30_000 }, (_, index) => record(index, { subject: `make ${index}` }));
  const started = performance.now();
  assert.equal(callsOf(records).length, records.length);
  assert.ok(performance.now() - started < 5000);
});
