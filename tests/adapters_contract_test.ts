/** What every adapter must hold: a denial is never lost, rendering never throws, bad payloads are refused. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { callerOf } from "../adapters/callers.ts";
import { eventKey } from "../adapters/events.ts";
import { adapterIds, loadAdapter } from "../adapters/registry.ts";
import { PayloadError } from "../src/errors.ts";
import { lower } from "../src/lower.ts";
import { builtInPolicy } from "../src/policy/built_in.ts";
import type { Answer, Decision, Finding, HostAdapter, HostEvent, Verdict } from "../src/types.ts";
import { clientOf, type Outcome, outcome, toolCall } from "./host_reading.ts";
import { payloadsOf } from "./payloads.ts";

const adapters: HostAdapter[] = [];
for (const id of adapterIds) {
  const adapter = await loadAdapter(id);
  assert(adapter !== undefined);
  adapters.push(adapter);
}

const finding: Finding = {
  rule: "filesystem/delete-home",
  decision: "deny",
  severity: "critical",
  message: "This would delete the home directory",
  advice: "name the one directory that is meant",
  evidence: { text: "rm -rf ~" },
  action: 0,
};

function verdictOf(decision: Decision, failure?: string): Verdict {
  const findings: Finding[] = decision === "deny" || decision === "ask" ? [{ ...finding, decision }] : [];
  return {
    decision,
    findings: failure === undefined ? findings : [],
    notes: [],
    excepted: [],
    ...(failure === undefined ? {} : { failure }),
  };
}

/** What the host does after guard's answer to a verdict. */
function after(adapter: HostAdapter, event: HostEvent, verdict: Verdict, policy = builtInPolicy): Outcome {
  const { answer } = lower(verdict, {
    event: event.id,
    gates: event.gates,
    capabilities: adapter.capabilities,
    policy,
  });
  const reply = adapter.render(answer, { event: event.id, nativeEvent: event.native });
  return outcome(adapter.id, event.native, reply);
}

const [stoppable, others] = [adapters.filter(isStoppable), adapters.filter((one) => !isStoppable(one))];

function isStoppable({ install }: HostAdapter): boolean {
  return install.length > 0;
}

for (const { id, unenforced, capabilities, ...adapter } of others) {
  Deno.test(`${id}: nothing can stop it, and its data says so`, () => {
    assert(unenforced?.some(({ scope, system }) => scope === undefined && system === undefined));
    assert(unenforced?.every(({ why }) => /^[A-Z].*\.$/.test(why)));
    assert.deepEqual([adapter.events, adapter.install, adapter.afterInstall, adapter.marks], [
      [],
      [],
      [],
      [],
    ]);
    assert(capabilities.limits.length > 0);
    assert.throws(() => adapter.parse({ payload: { tool_name: "Bash" }, event: "PreToolUse" }), PayloadError);
    const frame = { event: "pre_tool", nativeEvent: "PreToolUse" } as const;
    assert.equal(
      adapter.render({ decision: "deny", reason: "", userMessage: "", notes: [] }, frame).exitCode,
      2,
    );
  });
}

for (const adapter of stoppable) {
  const { id, events, capabilities } = adapter;

  Deno.test(`${id}: its data is coherent`, () => {
    assert(events.some((event) => event.id === "pre_tool" && event.gates && event.install));
    const keys = events.map((event) => eventKey(event.native));
    assert.equal(new Set(keys).size, keys.length, "event names must differ by more than case and separators");
    for (const event of events) {
      // The beginning of a session tells that guard is called there at all, and is used to look at the installation.
      const used = event.gates || event.id === "session_start" ||
        adapter.output?.[event.native] !== undefined;
      if (event.install) assert(used, `${event.native} is installed and stops nothing`);
      if (event.gates) assert(["pre_tool", "prompt", "permission"].includes(event.id), event.native);
    }
    assert(capabilities.limits.length > 0);
    for (const limit of capabilities.limits) assert.match(limit, /^[A-Z`].*\.$/);
    for (const scope of ["user", "project"] as const) {
      if (adapter.install.some((target) => target.scope === scope)) continue;
      assert(adapter.unenforced?.some((one) => one.scope === scope), `nothing says why there is no ${scope}`);
    }
    for (const { why } of adapter.unenforced ?? []) assert.match(why, /^[A-Z].*\.$/);
    for (const target of adapter.install) {
      if (target.format === "whole" || target.entries.length === 0) continue;
      const registered = target.entries.map((entry) => entry.event);
      const wanted = events.filter((event) => event.install).map((event) => eventKey(event.native));
      assert.deepEqual(registered.map(eventKey), wanted);
      for (const entry of target.entries) {
        const value = JSON.stringify(entry.value("/opt/guard hook"));
        assert(eventKey(entry.at.at(-1)!) === eventKey(entry.event) || value.includes(`:"${entry.event}"`));
        assert(value.includes('"/opt/guard hook"'));
        const { timeouts } = clientOf(id);
        const [, name = "", timeout] = /"(timeout\w*)":(\d+)[,}]/.exec(value) ?? [];
        const seconds = timeouts === "seconds" && !/_ms$/.test(name);
        assert.equal(timeout, timeouts === undefined ? undefined : seconds ? "30" : "30000");
      }
    }
  });

  for (const event of events.filter(({ id, install }) => install && id === "prompt")) {
    Deno.test(`${id} ${event.native}: a note about a prompt is heard, or a limit says that it is not`, () => {
      const { answer } = lower({ ...verdictOf("none"), notes: [{ text: "guard: seen.", forModel: true }] }, {
        event: event.id,
        gates: event.gates,
        capabilities,
        policy: builtInPolicy,
      });
      const reply = adapter.render(answer, { event: event.id, nativeEvent: event.native });
      assert.equal(outcome(id, event.native, reply), "runs");
      const heard = reply.stdout.includes("guard: seen.");
      assert.notEqual(
        heard,
        capabilities.limits.some((limit) => limit.includes("guard notes about a prompt")),
      );
    });
  }

  for (const event of events) {
    Deno.test(`${id} ${event.native}: every verdict reaches the host`, () => {
      for (const decision of ["deny", "ask", "none", "allow"] as const) {
        for (const failure of [undefined, "the policy cannot be read"]) {
          const found = after(adapter, event, verdictOf(decision, failure));
          const expected = expectedOutcome(adapter, event, decision);
          assert.equal(found, expected, `${decision}${failure === undefined ? "" : " by failure"}`);
        }
      }
    });

    Deno.test(`${id} ${event.native}: the policy decides on questions that cannot be asked`, () => {
      const policy = { ...builtInPolicy, whenAskUnsupported: "none" as const };
      const found = after(adapter, event, verdictOf("ask"), policy);
      assert.equal(found, canAsk(adapter, event) ? "asked" : "runs");
    });

    Deno.test(`${id} ${event.native}: observing stops nothing`, () => {
      const policy = { ...builtInPolicy, mode: "observe" as const };
      for (const decision of ["deny", "ask", "none", "allow"] as const) {
        assert.equal(after(adapter, event, verdictOf(decision), policy), "runs");
      }
    });

    if (!event.gates) continue;

    Deno.test(`${id} ${event.native}: payloads of the wrong shape are refused`, () => {
      const base = { cwd: "/srv/app", workspace_roots: ["/srv/app"] };
      const values = [undefined, null, 7, true, "text", "", [], ["ls"], {}];
      for (const name of values) {
        for (const input of values) {
          const payload = {
            ...base,
            ...toolCall(id, event.native, name, input),
            ...(name === undefined ? {} : { command: name, file_path: name, prompt: name }),
          };
          const wellFormed = typeof name === "string" && (name !== "" || event.id === "prompt");
          try {
            const call = adapter.parse({ payload, event: event.native });
            assert(wellFormed || isEmptyCommand(event, name), JSON.stringify(payload));
            assert(call.actions.length > 0, JSON.stringify(payload));
          } catch (error) {
            assert(error instanceof PayloadError, String(error));
          }
        }
      }
    });

    Deno.test(`${id} ${event.native}: known tools without what they work on are refused`, () => {
      const { oneTool, noTools } = clientOf(id);
      if (event.id !== "pre_tool" || event.native.startsWith("before") || oneTool || noTools) return;
      const tools = ["Bash", "Shell", "run_shell_command", "Write", "Edit", "Read", "Delete", "apply_patch"];
      for (const tool of tools) {
        for (
          const input of [{}, { command: 7 }, { command: {} }, { command: [1] }, { file_path: 7 }, {
            file_path: null,
          }, { file_path: "" }]
        ) {
          const payload = toolCall(id, event.native, tool, input);
          assert.throws(
            () => adapter.parse({ payload, event: event.native }),
            PayloadError,
            JSON.stringify(payload),
          );
        }
      }
    });
  }

  Deno.test(`${id}: an event of the future that names a tool is judged and can be stopped`, () => {
    if (clientOf(id).noTools) return;
    const payload = toolCall(id, "SomethingNew", "Bash", { command: "make" });
    const call = adapter.parse({ payload, event: "SomethingNew" });
    assert.equal(call.event, "pre_tool");
    assert.deepEqual(call.actions.map((action) => action.kind), ["shell"]);
    for (const decision of ["deny", "ask"] as const) {
      const { answer } = lower(verdictOf(decision), {
        event: call.event,
        gates: true,
        capabilities,
        policy: builtInPolicy,
      });
      const reply = adapter.render(answer, { event: call.event, nativeEvent: call.nativeEvent });
      assert.equal(reply.exitCode, 2);
      assert.notEqual(reply.stderr.trim(), "");
      assert.equal(outcome(id, "SomethingNew", reply), "stopped");
    }
  });

  Deno.test(`${id}: an event of the future without a tool is neutral`, () => {
    if (clientOf(id).noTools) return;
    const payload = toolCall(id, "somethingElse", undefined, undefined);
    const call = adapter.parse({ payload, event: "somethingElse" });
    assert.equal(call.event, "other");
    assert.deepEqual(call.actions, []);
  });

  Deno.test(`${id}: the stricter event counts, wherever it is said`, () => {
    const { noTools, unnamed } = clientOf(id);
    const strict = events.find((event) => event.id === "pre_tool")?.native ?? "";
    const loose = events.find((event) => event.id === "post_tool")?.native ?? "";
    if (noTools || unnamed) return;
    for (const [said = "", given] of [[strict, loose], [loose, strict]]) {
      const call = adapter.parse({ payload: toolCall(id, said, "Bash", { command: "make" }), event: given });
      assert.equal(call.event, "pre_tool");
      assert.equal(call.nativeEvent, strict);
    }
  });

  Deno.test(`${id}: rendering is total, and a denial is never an empty success`, () => {
    const natives = [...events.map((event) => event.native), "", "Nonsense", "__proto__"];
    fc.assert(fc.property(
      fc.constantFrom("deny", "ask", "none", "allow"),
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.array(fc.record({ text: fc.string({ unit: "binary" }) }), { maxLength: 3 }),
      fc.constantFrom(...natives),
      (decision, reason, userMessage, notes, nativeEvent) => {
        const event = events.find((candidate) => candidate.native === nativeEvent);
        const answer: Answer = { decision: decision as Decision, reason, userMessage, notes };
        const reply = adapter.render(answer, { event: event?.id ?? "pre_tool", nativeEvent });
        if (reply.stdout !== "") JSON.parse(reply.stdout);
        if (decision === "deny" && (event?.gates ?? true)) {
          assert.equal(outcome(id, nativeEvent, reply), "stopped");
        }
      },
    ));
  });

  Deno.test(`${id}: any JSON object is either read or refused`, () => {
    const native = fc.constantFrom(...events.map((event) => event.native));
    const member = fc.constantFrom(
      "hook_event_name",
      "tool_name",
      "tool_input",
      "cwd",
      "prompt",
      "command",
      "file_path",
      "workspace_roots",
      "mcp_context",
      "attachments",
      "tool_response",
      "tool_info",
      "toolCall",
      "tool_call",
      "preToolUse",
      "hookName",
      "agent_action_name",
      "text",
      "__proto__",
      "constructor",
    );
    fc.assert(fc.property(fc.dictionary(member, fc.jsonValue()), native, (payload, event) => {
      for (const input of [{ payload }, { payload, event }]) {
        try {
          assert.equal(adapter.parse(input).host, id);
        } catch (error) {
          assert(error instanceof PayloadError, String(error));
        }
      }
      adapter.recognises(payload);
    }));
  });

  Deno.test(`${id}: a call of a subagent is judged like any other`, () => {
    if (adapter.subagent === undefined) return;
    const frame = { session: "s", cwd: "/home/kim/app", home: "/home/kim", harmful: true };
    for (const event of events.filter((one) => one.id === "pre_tool" && one.install)) {
      const payload = adapter.probe?.(event.native, frame);
      if (payload === undefined) continue;
      const delegated: Record<string, unknown> = { ...payload, ...adapter.subagent };
      assert(adapter.recognises(delegated));
      const actions = (given: typeof payload) =>
        adapter.parse({ payload: given, event: event.native }).actions;
      assert.deepEqual(actions(delegated), actions(payload));
    }
  });

  Deno.test(`${id}: its probes are payloads that it recognises and reads`, () => {
    const frame = { session: "s", cwd: "/home/kim/app", home: "/home/kim" };
    for (const event of events.filter((candidate) => candidate.gates && candidate.install)) {
      const harmless = adapter.probe?.(event.native, { ...frame, harmful: false });
      assert(harmless !== undefined, event.native);
      for (const payload of [harmless, adapter.probe?.(event.native, { ...frame, harmful: true })]) {
        if (payload === undefined) continue;
        assert(adapter.marks.length === 0 || adapter.recognises(payload), event.native);
        assert.equal(adapter.parse({ payload, event: event.native }).nativeEvent, event.native);
      }
    }
  });
}

Deno.test("no payload is recognised by two hosts", () => {
  for (const adapter of adapters) {
    for (const [name, payload] of payloadsOf(adapter.id)) {
      if (adapter.recognises(payload)) {
        assert(
          adapter.marks.some((mark) => Object.hasOwn(payload, mark)),
          `${adapter.id}/${name} has no mark`,
        );
      }
      const others = adapters.filter((other) => other !== adapter && other.recognises(payload));
      assert.deepEqual(others.map((other) => other.id), [], `${adapter.id}/${name}`);
    }
  }
});

Deno.test("what is recognised has a mark, whatever is missing from it", () => {
  for (const adapter of adapters) {
    for (const [name, payload] of payloadsOf(adapter.id)) {
      const partial = fc.subarray(Object.keys(payload)).map((keys) =>
        Object.fromEntries(keys.map((key) => [key, payload[key]]))
      );
      fc.assert(
        fc.property(partial, (some) => {
          const marked = adapter.marks.some((mark) => Object.hasOwn(some, mark));
          assert(marked || !adapter.recognises(some), `${adapter.id}/${name}`);
        }),
        { numRuns: 30 },
      );
    }
  }
});

Deno.test("every payload is answered for its caller, whatever host the hook was installed for", async () => {
  for (const adapter of adapters) {
    for (const [name, payload] of payloadsOf(adapter.id)) {
      assert.equal(await callerOf(adapter, payload), adapter, name);
      if (!adapter.recognises(payload)) continue;
      for (const installed of adapters) assert.equal(await callerOf(installed, payload), adapter, name);
    }
  }
});

function canAsk(adapter: HostAdapter, event: HostEvent): boolean {
  return adapter.capabilities.ask === "always" && event.id === "pre_tool";
}

function expectedOutcome(adapter: HostAdapter, event: HostEvent, decision: Decision): Outcome {
  if (!event.gates || decision === "none") return "runs";
  if (decision === "allow") return adapter.capabilities.allow && event.id === "pre_tool" ? "allowed" : "runs";
  if (decision === "deny") return "stopped";
  if (canAsk(adapter, event)) return "asked";
  // At a permission event of a host that asks, its own question is the question.
  return event.id === "permission" && adapter.capabilities.ask === "always" ? "runs" : "stopped";
}

/** An empty command or an empty JSON text is a call without content, not a payload of the wrong shape. */
function isEmptyCommand(event: HostEvent, name: unknown): boolean {
  return event.native === "beforeShellExecution" && name === "";
}
