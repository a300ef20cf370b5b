import assert from "node:assert/strict";
import { bounded } from "./bounds.ts";
import { PayloadError } from "./errors.ts";
import type { Action, HookCall } from "./types.ts";

function call(actions: readonly Action[], more: Partial<HookCall> = {}): HookCall {
  return { host: "codex", event: "pre_tool", nativeEvent: "PreToolUse", cwd: "/srv/app", actions, ...more };
}

const file = (path: string): Action => ({ kind: "file", operation: "edit", path });
const shell = (command: string): Action => ({ kind: "shell", command, dialect: "posix" });

Deno.test("an ordinary call is judged as a whole", () => {
  for (
    const actions of [[], [file("a")], Array.from({ length: 500 }, (_, i) => file(`f${i}`)), [
      shell("x".repeat(2e6)),
    ]]
  ) {
    const asked = call(actions);
    assert.deepEqual(bounded(asked), { call: asked });
  }
});

Deno.test("what is too much is a question beside the verdict on the rest", () => {
  const many = bounded(call(Array.from({ length: 501 }, (_, i) => file(`f${i}`))));
  assert.deepEqual([many.call.actions.length, many.excess?.decision], [500, "ask"]);
  const long = bounded(
    call([shell("a".repeat(200_000)), shell("b".repeat(50_000)), shell("c".repeat(50_000))]),
  );
  assert.deepEqual([long.call.actions.length, long.excess?.decision], [2, "ask"]);
});

Deno.test("a path that no system has is refused", () => {
  const path = `/${"a/".repeat(20_000)}`;
  const calls = [
    call([file(path)]),
    call([{ ...shell("ls"), cwd: path } as Action]),
    call([shell("ls")], { cwd: path }),
    call([shell("ls")], { workspace: path }),
  ];
  for (const asked of calls) assert.throws(() => bounded(asked), PayloadError);
});
