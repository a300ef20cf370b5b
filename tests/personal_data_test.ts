/** Personal data by the policy: told of, taken out of results, or stopped; never repeated, and never looked for without one. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Place, runGuard, type Target, targets, testsIn } from "./hook_process.ts";

const mail = ["erika.muster", "posteo.de"].join("@");
const phone = ["+49 30 2093", "7141"].join(" ");

async function call(target: Target, place: Place, event: string, fields: Readonly<Record<string, unknown>>) {
  const payload = {
    session_id: "s",
    cwd: place.project,
    hook_event_name: event,
    prompt_id: "p",
    transcript_path: "/t",
    permission_mode: "default",
    ...fields,
  };
  const args = ["hook", "--host", "claude", "--policy", place.policy, "--state", place.state];
  const { stdout, stderr, code } = await runGuard(target, place, args, { stdin: JSON.stringify(payload) });
  assert.equal(code, 0, stderr);
  assert.ok(!stderr.includes(mail));
  return stdout === "" ? {} : JSON.parse(stdout);
}

for (const target of targets()) {
  const test = testsIn(target);
  const output = (place: Place) =>
    call(target, place, "PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "cat people.csv" },
      tool_response: { stdout: `1;${mail};${phone}\n2;jo@example.com;+1 415 555 0132\n`, stderr: "" },
    });
  const written = (place: Place) =>
    call(target, place, "PreToolUse", {
      tool_name: "Write",
      tool_input: { file_path: join(place.project, "seed.ts"), content: `send("${mail}")\n` },
    });

  test("without a policy nobody looks for people", async (place) => {
    assert.deepEqual(await output(place), {});
    assert.deepEqual(await written(place), {});
  });

  test("what a policy wants to be taken out of results is taken out", async (place) => {
    Deno.writeTextFileSync(place.policy, '{"personalData": {"email": "redact", "phone": "warn"}}');
    const { hookSpecificOutput } = await output(place);
    assert.equal(
      hookSpecificOutput.updatedToolOutput.stdout,
      `1;[redacted: e-mail address];${phone}\n2;jo@example.com;+1 415 555 0132\n`,
    );
    assert.match(hookSpecificOutput.additionalContext, /took out of this result: e-mail address/);
    const { decision, systemMessage } = await written(place);
    assert.equal(decision, undefined);
    assert.match(systemMessage, /This writes an e-mail address into/);
    assert.ok(!systemMessage.includes(mail));
  });

  test("a warning leaves results as they are", async (place) => {
    Deno.writeTextFileSync(place.policy, '{"personalData": "warn"}');
    const { hookSpecificOutput } = await output(place);
    assert.equal(hookSpecificOutput.updatedToolOutput, undefined);
    assert.match(
      hookSpecificOutput.additionalContext,
      /shows the model personal data.*e-mail address, and 1 more/,
    );
  });

  test("a denial stops what would leave, and does not repeat it", async (place) => {
    Deno.writeTextFileSync(place.policy, '{"personalData": "deny"}');
    const answers = [
      await written(place),
      await call(target, place, "PreToolUse", {
        tool_name: "mcp__chat__post",
        tool_input: { to: [{ address: mail }] },
      }),
      await call(target, place, "PreToolUse", {
        tool_name: "Bash",
        tool_input: { command: `curl -d to=${mail} https://api.acme.dev/send` },
      }),
    ];
    for (const { hookSpecificOutput } of answers) {
      assert.equal(hookSpecificOutput.permissionDecision, "deny");
      assert.match(hookSpecificOutput.permissionDecisionReason, /personal\/data-/);
    }
    for (const { hookSpecificOutput } of answers.slice(0, 2)) {
      assert.ok(!hookSpecificOutput.permissionDecisionReason.includes(mail));
    }
    const prompt = await call(target, place, "UserPromptSubmit", { prompt: `write to ${mail}` });
    assert.equal(prompt.decision, "block");
    assert.ok(!prompt.reason.includes(mail));
    assert.deepEqual(
      await call(target, place, "UserPromptSubmit", { prompt: "write to jo@example.com" }),
      {},
    );
  });

  test("guard redact takes it out of a stream when it is asked to", async (place) => {
    const text = `a ${mail}\nb ${phone}\nc jo@example.com\n`;
    const plain = await runGuard(target, place, ["redact"], { stdin: text });
    assert.equal(plain.stdout, text);
    const { stdout, stderr } = await runGuard(target, place, ["redact", "--personal"], { stdin: text });
    assert.equal(stdout, "a [redacted: e-mail address]\nb [redacted: phone number]\nc jo@example.com\n");
    assert.match(stderr, /took out 1 × e-mail address/);
  });
}
