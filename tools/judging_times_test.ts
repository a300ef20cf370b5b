import assert from "node:assert/strict";
import { timeLines } from "./judging_times.ts";

Deno.test("every line is judged and timed, in its own directory", async () => {
  const times = await timeLines(
    '{"command": "git status"}\n\n{"cwd": "/home/dev/app", "action": {"kind": "file", "operation": "read", "path": "a.ts"}}\n' +
      '{"command": "git push --force origin main", "note": "kept by nobody"}\n',
  );
  assert.deepEqual(times.map(({ decision }) => decision), ["none", "none", "deny"]);
  for (const { milliseconds } of times) assert.ok(milliseconds > 0 && milliseconds < 1000, `${milliseconds}`);
});

Deno.test("a line that is no action is told by its number", async () => {
  await assert.rejects(timeLines('{"command": "ls"}\n{}\n'), /line 2: expected "action" or "command"/);
});
