/** A hook answers in time, however slowly its payload comes and whatever it holds. */

import assert from "node:assert/strict";
import { environment, makePlace, type Place, type Target, targets } from "./hook_process.ts";

/** Longest time from start to answer in milliseconds, with room for a busy machine. */
const limit = 12_000;

interface Answer {
  readonly code: number;
  readonly text: string;
  readonly milliseconds: number;
}

/** Runs a hook that is given the parts one by one, `pause` ms apart, and whose input is never closed. */
async function dripped(
  target: Target,
  place: Place,
  parts: Iterable<string>,
  pause: number,
): Promise<Answer> {
  const started = performance.now();
  const child = new Deno.Command(target.command, {
    args: [...target.args, "hook", "--host", "claude", "--event", "PreToolUse", "--state", place.state],
    cwd: place.project,
    clearEnv: true,
    env: environment(place),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  let ended = false;
  const dripping = (async () => {
    try {
      for (const part of parts) {
        if (ended) return;
        await writer.write(new TextEncoder().encode(part));
        if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      }
    } catch {
      // The hook has answered without reading all.
    }
  })();
  const { code, stdout, stderr } = await child.output();
  ended = true;
  const milliseconds = performance.now() - started;
  await dripping;
  await writer.abort().catch(() => {/* The pipe is gone with its reader. */});
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr), milliseconds };
}

function payload(place: Place, command: string): string {
  return JSON.stringify({
    session_id: "s",
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  });
}

function* forEver(first: string, drop: string): Iterable<string> {
  yield first;
  for (let i = 0; i < 2000; i++) yield drop;
}

for (const target of targets()) {
  const test = (name: string, body: (place: Place) => Promise<void>) =>
    Deno.test(`${target.name}: ${name}`, async () => {
      const place = makePlace();
      try {
        await body(place);
      } finally {
        place.remove();
      }
    });

  test("white space that drips behind the payload is waited for by nobody", async (place) => {
    const harmful = await dripped(target, place, forEver(payload(place, "rm -rf ~"), " \n"), 20);
    assert.match(harmful.text, /filesystem\/delete-/);
    const harmless = await dripped(target, place, forEver(payload(place, "git status"), " \n"), 20);
    assert.deepEqual([harmless.code, harmless.text], [0, ""]);
    assert.ok(harmful.milliseconds < limit && harmless.milliseconds < limit);
  });

  test("a payload that drips for ever is blocked in time", async (place) => {
    const text = payload(place, `echo ${"x".repeat(4000)}`);
    const { text: answer, milliseconds } = await dripped(target, place, text, 10);
    assert.match(answer, /deny|block/);
    assert.match(answer, /could not judge/);
    assert.ok(milliseconds < limit, `${milliseconds}`);
  });

  test("what drips behind the payload and is no white space blocks", async (place) => {
    const { text } = await dripped(target, place, [`${payload(place, "git status")} x`], 0);
    assert.match(text, /could not judge/);
  });

  test("a call made to take long is stopped for a question, not for a failure", async (place) => {
    const commands = Array.from(
      { length: 5000 },
      (_, i) => `rm -rf x${i}; cd d; sed -i s/a/b/ f\n`.repeat(60),
    );
    const call = {
      session_id: "s",
      cwd: place.project,
      hook_event_name: "PreToolUse",
      tool_name: "mcp__srv__run",
      tool_input: { commands },
    };
    const { text, milliseconds } = await dripped(target, place, [JSON.stringify(call)], 0);
    assert.match(text, /"permissionDecision":"(?:ask|deny)"/);
    assert.doesNotMatch(text, /could not judge/);
    assert.ok(milliseconds < limit, `${milliseconds}`);
  });
}
