import assert from "node:assert/strict";
import { UsageError } from "./errors.ts";
import { parseHookOptions } from "./hook_options.ts";

Deno.test("options are read in both forms and any order", () => {
  const expected = { host: "claude", event: "PreToolUse", policy: "/etc/p.jsonc", state: "/var/lib/g" };
  assert.deepEqual(
    parseHookOptions([
      "--host",
      "claude",
      "--event",
      "PreToolUse",
      "--policy",
      "/etc/p.jsonc",
      "--state",
      "/var/lib/g",
    ]),
    expected,
  );
  assert.deepEqual(
    parseHookOptions([
      "--state=/var/lib/g",
      "--policy=/etc/p.jsonc",
      "--event=PreToolUse",
      "--host=claude",
      "--host=claude",
    ]),
    expected,
  );
  assert.deepEqual(parseHookOptions(["--host", "codex"]), { host: "codex" });
});

for (
  const args of [
    [],
    ["--help"],
    ["-h"],
    ["claude"],
    ["--host"],
    ["--host", ""],
    ["--host="],
    ["--host", "--event"],
    ["--host", "claude", "extra"],
    ["--host", "claude", "--hosts", "codex"],
    ["--host", "claude", "--host", "codex"],
    ["--host", "claude", "--event", "A", "--event", "B"],
    ["--host", "claude", "--policy", "policy.jsonc"],
    ["--host", "claude", "--state", "./state"],
    ["--HOST", "claude"],
    ["--", "--host", "claude"],
  ]
) {
  Deno.test(`refused: ${args.join(" ") || "no option"}`, () => {
    assert.throws(() => parseHookOptions(args), UsageError);
  });
}
