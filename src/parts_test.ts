/** Nothing is loaded here beforehand: the order of the tests is that in which parts come to be loaded. */

import assert from "node:assert/strict";
import { makeContext } from "./context.ts";
import { fakeFacts } from "./facts/fake.ts";
import { judge } from "./judge.ts";
import { loadAllParts, MissingPart } from "./parts.ts";
import { loadPartsFor, readAction } from "./reading.ts";
import { loadAllRules, loadRulesFor } from "./rules_loader.ts";
import { understand } from "./shell/understand.ts";
import type { Action, Context, HookCall, Verdict } from "./types.ts";

const home = "/home/eva";
const cwd = "/home/eva/shop";

function callOf(action: Action): HookCall {
  return { host: "claude", event: "pre_tool", nativeEvent: "PreToolUse", cwd, actions: [action] };
}

function contextFor(call: HookCall, windows = false): Context {
  const facts = fakeFacts({ files: { [`${cwd}/.env`]: "TOKEN=abcdefgh\n" } }, cwd);
  const context = makeContext({ call, home, processDirectory: "/", facts, os: "linux" });
  return windows ? { ...context, windows } : context;
}

function shell(command: string, dialect: "posix" | "powershell" | "cmd" = "posix"): Action {
  return { kind: "shell", command, dialect };
}

/** Each needs a part that those before it do not need; all but the last one are denied. */
const actions: readonly Action[] = [
  shell("cd src && rm -rf ~"),
  shell("sed -n '1e rm -rf ~' a"),
  shell("vim -c '!rm -rf ~' a"),
  shell("python3 -c \"import shutil; shutil.rmtree('/home/eva')\""),
  shell("pwsh -c 'Remove-Item -Recurse -Force ~'"),
  shell("Remove-Item -Recurse -Force ~"),
  shell("Remove-Item -Recurse -Force ~", "powershell"),
  shell("cmd /c 'rd /s /q C:\\'"),
  shell("rd /s /q C:\\", "cmd"),
  shell('X="$(cat .env)"; echo "$X"'),
];

Deno.test("understanding ends where a part is missing, and only so", () => {
  const options = { dialect: "posix", cwd, home } as const;
  assert.throws(() => readAction(actions[0]!, contextFor(callOf(actions[0]!))), MissingPart);
  assert.deepEqual(understand("cd src && ls", options).doubts, []);
  for (const command of ["sed -n p a", "echo a; python3 -c pass", "(vim a)", "sh -c 'pwsh -c ls'"]) {
    assert.throws(() => understand(command, options), MissingPart, command);
  }
  assert.throws(() => understand("cd src", { ...options, windows: true }), MissingPart);
});

Deno.test("what is judged with the parts that were loaded for it is judged as with all of them", async () => {
  const verdicts: { action: Action; windows: boolean; verdict: Verdict }[] = [];
  for (const action of actions) {
    for (const windows of [false, true]) {
      const call = callOf(action);
      const context = contextFor(call, windows);
      verdicts.push({ action, windows, verdict: judge(call, await loadRulesFor(call, context), context) });
    }
  }
  const rules = await loadAllRules();
  for (const { action, windows, verdict } of verdicts) {
    assert.equal(verdict.failure, undefined);
    const call = callOf({ ...action });
    assert.deepEqual(verdict, judge(call, rules, contextFor(call, windows)));
    const expected = action === actions.at(-1) ? "ask" : "deny";
    if (!windows) assert.equal(verdict.decision, expected, JSON.stringify(action));
  }
});

Deno.test("with all parts nothing is missing", async () => {
  await loadAllParts();
  for (const action of actions) {
    const context = contextFor(callOf(action));
    const reading = readAction(action, context);
    await loadPartsFor(action, context);
    assert.equal(readAction(action, context), reading);
    assert.equal(readAction(action, reading.place), reading);
  }
});
