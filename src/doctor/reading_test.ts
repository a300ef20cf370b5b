import assert from "node:assert/strict";
import { allAdapters } from "../install/hosts.ts";
import type { Answer, ReplyFrame } from "../types.ts";
import { foreignText, readReply } from "./reading.ts";
import type { Run } from "./start.ts";

const run = (stdout: string, exitCode = 0, stderr = ""): Run => ({
  stdout,
  stderr,
  exitCode,
  timedOut: false,
  milliseconds: 1,
});
const answer = (decision: Answer["decision"]): Answer => ({
  decision,
  reason: decision === "none" ? "" : "Deleting the home directory was stopped by filesystem/delete-home.",
  userMessage: decision === "none" ? "" : "guard allow ABCD",
  notes: [],
});

for (const adapter of await allAdapters()) {
  for (const event of adapter.events.filter((candidate) => candidate.gates && candidate.install)) {
    const frame: ReplyFrame = { event: event.id, nativeEvent: event.native };
    Deno.test(`${adapter.id} ${event.native}: a denial reads as blocked, silence as passed, anything else as neither`, () => {
      const denied = adapter.render(answer("deny"), frame);
      const silent = adapter.render(answer("none"), frame);
      const { reason, userMessage } = answer("deny");
      const read = readReply(adapter, frame, { ...run(""), ...denied });
      assert.ok(read.is === "blocked" && [reason, userMessage].includes(read.reason), JSON.stringify(read));
      assert.equal(readReply(adapter, frame, { ...run(""), ...silent }).is, "passed");
      for (
        const odd of [
          // Without a document the exit code and stderr are all of the answer.
          ...(denied.stdout === "" ? [] : [run(denied.stdout.slice(0, -2), denied.exitCode, denied.stderr)]),
          run(`Welcome!\n${denied.stdout}`, denied.exitCode, denied.stderr),
          run("", 127, "sh: 1: /opt/guard: not found"),
          run("", 137),
          run("{}\n{}"),
          run('{"decision":"maybe"}'),
        ]
      ) {
        const reading = readReply(adapter, frame, odd);
        assert.equal(reading.is, "unclear", JSON.stringify(odd));
      }
    });
  }
}

Deno.test("text around the answer is told from the answer", () => {
  assert.equal(foreignText('{"a":1}\n'), undefined);
  assert.equal(foreignText(""), undefined);
  assert.equal(foreignText("only text"), undefined);
  assert.equal(foreignText('Welcome {to}\n{"a":1}'), undefined, "no document can be made out");
  assert.equal(foreignText('Hello\n{"a":{"b":1}}\nbye'), "Hello\n\nbye");
});
