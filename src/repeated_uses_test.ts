import assert from "node:assert/strict";
import { makeContext } from "./context.ts";
import { fakeFacts } from "./facts/fake.ts";
import { loadAllParts } from "./parts.ts";
import { readAction } from "./reading.ts";
import { distinctUses } from "./repeated_uses.ts";

await loadAllParts();

function usesOf(command: string) {
  const action = { kind: "shell", command, dialect: "posix" } as const;
  const call = {
    host: "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd: "/home/dev/app",
    actions: [action],
  } as const;
  const context = makeContext({
    call,
    home: "/home/dev",
    processDirectory: "/",
    facts: fakeFacts(),
    os: "linux",
  });
  return readAction(action, context).uses;
}

Deno.test("few uses are all looked at", () => {
  const uses = usesOf("touch a; touch a");
  assert.equal(distinctUses(uses).length, uses.length);
});

Deno.test("of many that say the same one is looked at, and every one that says something else", () => {
  const lines = [
    "touch a",
    "touch 'a*'",
    "touch b",
    "cd x && touch a",
    "touch a | cat",
    "X=1 touch a",
    "rm a",
    "rm -r a",
  ];
  const once = usesOf(lines.join("\n"));
  const many = usesOf(`${"touch a\n".repeat(200)}${lines.join("\n")}`);
  const told = (uses: typeof once) =>
    new Set(
      uses.map((use) =>
        `${use.operation} ${use.path.text} ${use.recursive} ${use.invocation?.directory.path}`
      ),
    );
  const kept = distinctUses(many);
  assert.ok(kept.length < 40 && many.length > 200);
  assert.deepEqual([...told(once)].filter((one) => !told(kept).has(one)), []);
});
