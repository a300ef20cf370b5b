/** Judging ends in time, with a question, whatever a call holds. */

import assert from "node:assert/strict";
import process from "node:process";
import { makeContext } from "./context.ts";
import { untilDeadline } from "./facts/deadline.ts";
import { fakeFacts } from "./facts/fake.ts";
import { judge } from "./judge.ts";
import { loadAllRules, loadRulesFor } from "./rules_loader.ts";
import type { Action, HookCall, PathRule, Verdict } from "./types.ts";

const rules = await loadAllRules();

function callOf(actions: readonly Action[]): HookCall {
  return { host: "claude", event: "pre_tool", nativeEvent: "PreToolUse", cwd: "/home/eva/shop", actions };
}

function contextOf(call: HookCall, until: number) {
  const facts = untilDeadline(fakeFacts({ git: {} }, "/home/eva/shop"), until);
  const place = makeContext({
    call,
    home: "/home/eva",
    processDirectory: "/",
    facts: fakeFacts({}),
    os: "linux",
  });
  return { ...place, facts, until };
}

function shell(command: string): Action {
  return { kind: "shell", command, dialect: "posix" };
}

function isQuestion(verdict: Verdict): void {
  assert.equal(verdict.failure, undefined);
  assert.equal(verdict.decision, "ask");
  assert.ok(
    verdict.findings.some(({ rule, message }) => rule === "shell/too-complex" && /time/.test(message)),
  );
}

Deno.test("what could not be looked at in time is a question, and no failure", async () => {
  const call = callOf([shell("ls"), shell("git status")]);
  const context = contextOf(call, performance.now() - 1);
  isQuestion(judge(call, rules, context));
  isQuestion(judge(call, await loadRulesFor(call, context), context));
});

Deno.test("what was found before the time was over counts", () => {
  const call = callOf([shell("rm -rf ~"), shell("ls")]);
  const context = contextOf(call, performance.now() + 60_000);
  let seen = false;
  const late = {
    ...context,
    get until() {
      // Over once the first action has been judged.
      return performance.now() + (seen ? -1 : 60_000);
    },
  };
  const rule: PathRule =
    rules.find((one): one is PathRule => one.on === "path" && one.id === "filesystem/delete-root") ??
      assert.fail("no such rule");
  const noting: PathRule = {
    ...rule,
    match(use, place, action) {
      const found = rule.match(use, place, action);
      seen = true;
      return found;
    },
  };
  const verdict = judge(call, [noting], late);
  assert.equal(verdict.decision, "deny");
  assert.deepEqual(verdict.findings.map((one) => one.rule), ["filesystem/delete-root", "shell/too-complex"]);
});

Deno.test("calls made to take long end soon after their time", async () => {
  const many = (count: number, write: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => write(index));
  const steps = (index: number) => `rm -rf x${index}; cd d; sed -i s/a/b/ f\n`;
  const commands: Readonly<Record<string, readonly string[]>> = {
    "many commands of middling length": many(5000, (index) => steps(index).repeat(60)),
    "very many short ones": many(400_000, steps),
    "few very long ones": many(100, (index) => steps(index).repeat(2500)),
    "one of the longest": [many(2700, steps).join("")],
  };
  for (const [name, list] of Object.entries(commands)) {
    const call = callOf([{ kind: "mcp", server: "s", tool: "run", input: { commands: list } }]);
    const time = 500;
    const before = process.cpuUsage();
    const context = contextOf(call, performance.now() + time);
    const verdict = judge(call, await loadRulesFor(call, context), context);
    const { user, system } = process.cpuUsage(before);
    assert.equal(verdict.failure, undefined, name);
    assert.notEqual(verdict.decision, "none", name);
    // One command is parsed whole, and its paths are told, before the clock is looked at again.
    const took = (user + system) / 1000;
    assert.ok(took < time + 2500, `${name}: ${Math.round(took)} ms of processor time`);
  }
});
