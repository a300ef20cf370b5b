import assert from "node:assert/strict";
import { allow, findPending } from "./grants.ts";
import { respond } from "./hook.ts";

function source(payload: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  let at = 0;
  return {
    read(buffer: Uint8Array): Promise<number | null> {
      const part = bytes.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
  };
}

function payload(command: string) {
  return {
    session_id: "s",
    turn_id: "t",
    model: "m",
    cwd: "/srv/app",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "c",
  };
}

async function withState(body: (args: string[], state: string) => Promise<void>): Promise<void> {
  const state = Deno.makeTempDirSync();
  try {
    const args = ["--host", "codex", "--event", "PreToolUse", "--policy", `${state}/policy.jsonc`];
    await body([...args, "--state", state], state);
  } finally {
    Deno.removeSync(state, { recursive: true });
  }
}

Deno.test("what a person allows once runs once", async () => {
  await withState(async (args, state) => {
    const run = () => respond(args, source(payload("rm -rf /srv/other")));
    const denied = await run();
    const code = denied.record?.code;
    assert(code !== undefined);
    assert.match(denied.reply.stdout, new RegExp(`guard allow ${code}`));
    const pending = findPending(state, code);
    assert(typeof pending === "object");
    allow(state, pending, undefined);
    const allowed = await run();
    assert.equal(allowed.reply.stdout, "");
    assert.equal(allowed.record?.decision, "none");
    assert.match((await run()).reply.stdout, /"deny"/);
  });
});

Deno.test("the permission is for this command alone", async () => {
  await withState(async (args, state) => {
    const denied = await respond(args, source(payload("rm -rf /srv/other")));
    const pending = findPending(state, denied.record?.code ?? "");
    assert(typeof pending === "object");
    allow(state, pending, undefined);
    const other = await respond(args, source(payload("rm -rf /srv/other /srv/more")));
    assert.match(other.reply.stdout, /"deny"/);
  });
});

Deno.test("the record says what was decided, what was answered, and whether it held", async () => {
  await withState(async (args, state) => {
    const { record, state: where } = await respond(args, source(payload("rm -rf /srv/other")));
    assert.equal(where, state);
    assert.equal(record?.host, "codex");
    assert.equal(record?.decision, "ask");
    assert.equal(record?.answered, "deny");
    assert.equal(record?.enforced, true);
    assert.equal(record?.subject, "rm -rf /srv/other");
    assert.equal(record?.tool, "Bash");
    assert(record !== undefined && record.rules.length > 0 && record.milliseconds >= 0);
    const quiet = await respond(args, source(payload("git status")));
    assert.deepEqual([quiet.record?.decision, quiet.record?.rules, quiet.record?.enforced], [
      "none",
      [],
      true,
    ]);
  });
});

Deno.test("a failure is recorded with its cause", async () => {
  await withState(async (args) => {
    const { record } = await respond(args, source([1]));
    assert.equal(record?.decision, "deny");
    assert.match(record?.failure ?? "", /expected a JSON object/);
  });
});
