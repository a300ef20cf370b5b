import assert from "node:assert/strict";
import { start, type StartOptions } from "./start.ts";

const ignore = Deno.build.os === "windows";
const options = (limit = 5000): StartOptions => ({
  shell: "sh",
  cwd: "/",
  env: { PATH: Deno.env.get("PATH") ?? "", MARK: "kept" },
  limit,
});

Deno.test({
  name: "a command gets its payload and its environment through the shell",
  ignore,
  fn: async () => {
    const run = await start('cat; printf %s "$MARK"; pwd >&2; exit 3', '{"a":1}', options());
    assert.deepEqual([run.stdout, run.stderr, run.exitCode, run.timedOut], ['{"a":1}kept', "/\n", 3, false]);
  },
});

Deno.test({
  name: "a command that does not read its input is no failure",
  ignore,
  fn: async () => {
    const run = await start("exit 0", "x".repeat(1_000_000), options());
    assert.equal(run.exitCode, 0);
  },
});

Deno.test({
  name: "a command that does not end is killed",
  ignore,
  fn: async () => {
    const run = await start("exec sleep 30", "", options(200));
    assert.equal(run.timedOut, true);
    assert.ok(run.milliseconds < 5000);
  },
});
