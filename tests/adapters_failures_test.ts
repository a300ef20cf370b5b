/**
 * The table of what a host is told, for every host: deny, none, ask, crash, deadline, garbage in, unknown tool, empty
 * input. Each answer is judged by how the real client reads it (tests/fixtures/<host>/client.ts).
 */

import assert from "node:assert/strict";
import { allAdapters } from "../src/install/hosts.ts";
import { closingReason } from "../src/install/command.ts";
import { respond, type Response } from "../src/hook.ts";
import { blockEverywhere } from "../src/block.ts";
import { homeDirectory } from "../src/locations.ts";
import type { Source } from "../src/stdin.ts";
import type { HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { clientOf, type Outcome, outcome, toolCall } from "./host_reading.ts";

const adapters = (await allAdapters()).filter(({ install }) => install.length > 0);

/** The first event at which a host can be stopped before a tool runs. */
function toolEvent({ events }: HostAdapter): HostEvent {
  const event = events.find((one) => one.id === "pre_tool" && one.gates && one.install);
  assert(event !== undefined);
  return event;
}

function gatingEvents({ events }: HostAdapter): HostEvent[] {
  return events.filter((event) => event.gates && event.install);
}

/** Gives these bytes and then the end, or nothing more when it stays open. */
function source(text: string, staysOpen = false): Source {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return {
    read(buffer: Uint8Array): Promise<number | null> {
      const part = bytes.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      if (part.length > 0) return Promise.resolve(part.length);
      return staysOpen ? new Promise(() => {}) : Promise.resolve(null);
    },
  };
}

interface Place {
  readonly project: string;
  readonly policy: string;
  readonly state: string;
}

/** The answer to a text on stdin, as the installed hook would give it. */
function hook(adapter: HostAdapter, event: HostEvent, stdin: Source, place: Place): Promise<Response> {
  const args = ["--host", adapter.id, "--event", event.native, "--policy", place.policy];
  return respond([...args, "--state", place.state], stdin);
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "guard-failures-" }));
  const place = {
    project: `${root}/app`,
    policy: `${root}/policy.jsonc`,
    state: `${root}/state`,
  };
  try {
    Deno.mkdirSync(`${place.project}/.git`, { recursive: true });
    await work(place);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

function probe(adapter: HostAdapter, event: HostEvent, harmful: boolean, place: Place) {
  const frame = { harmful, session: "s", cwd: place.project, home: homeDirectory() };
  return adapter.probe?.(event.native, frame);
}

/** A payload as the host writes it to stdin. */
function written(adapter: HostAdapter, payload: Readonly<Record<string, unknown>> | undefined): string {
  return adapter.payload === "text" ? String(payload?.text) : JSON.stringify(payload);
}

/** What the host gets when the hook ends with this reply and the shell around the command closes it. */
function closed({ wrapper }: HostAdapter, reply: HookReply): HookReply {
  if (wrapper === false || reply.exitCode === 0) return reply;
  const reason = closingReason("settings.json");
  return wrapper === true
    ? { ...reply, stderr: `${reply.stderr}${reason}\n`, exitCode: 2 }
    : { ...reply, stdout: `${reply.stdout}\n${wrapper.line(reason)}\n`, exitCode: 0 };
}

function read(adapter: HostAdapter, event: HostEvent, { reply }: Response): Outcome {
  return outcome(adapter.id, event.native, reply);
}

for (const adapter of adapters) {
  const { id, capabilities } = adapter;
  const client = clientOf(id);

  Deno.test(`${id}: deny, none and ask reach the host`, async () => {
    await inPlace(async (place) => {
      for (const event of gatingEvents(adapter)) {
        const harmless = written(adapter, probe(adapter, event, false, place));
        const passed = await hook(adapter, event, source(harmless), place);
        assert.equal(read(adapter, event, passed), "runs", event.native);
        const payload = probe(adapter, event, true, place);
        if (payload === undefined) continue;
        const harmful = written(adapter, payload);
        const denied = await hook(adapter, event, source(harmful), place);
        assert.equal(read(adapter, event, denied), "stopped", event.native);
        const rules = denied.record?.rules ?? [];
        assert(rules.length > 0);
        // The same finding as a question: asked where the host really asks, and else a denial with a code.
        const asking = Object.fromEntries(rules.map((rule) => [rule, "ask"]));
        Deno.writeTextFileSync(place.policy, JSON.stringify({ rules: asking }));
        const asked = await hook(adapter, event, source(harmful), place);
        const mode = adapter.parse({ payload, event: event.native }).mode;
        const asks = capabilities.ask === "always" && event.id === "pre_tool" &&
          !(mode !== undefined && capabilities.modesWithoutAsk?.includes(mode));
        assert.equal(read(adapter, event, asked), asks ? "asked" : "stopped", event.native);
        if (!asks) assert.match(`${asked.reply.stdout}${asked.reply.stderr}`, /consent/);
        Deno.removeSync(place.policy);
      }
    });
  });

  Deno.test(`${id}: a crash inside guard, and a guard that is gone`, async () => {
    await inPlace(async (place) => {
      for (const event of gatingEvents(adapter)) {
        const harmless = written(adapter, probe(adapter, event, false, place));
        Deno.writeTextFileSync(place.policy, "{ this is no policy");
        const broken = await hook(adapter, event, source(harmless), place);
        // Calls that only look are passed before a policy is read, wherever there is none; here there is one.
        assert.equal(read(adapter, event, broken), "stopped", event.native);
        Deno.removeSync(place.policy);
        const unusable = blockEverywhere(
          "guard: the hook is registered with a wrong command line.",
          event.native,
        );
        assert.equal(outcome(id, event.native, closed(adapter, unusable)), "stopped", event.native);
      }
    });
    const gone = closed(adapter, { stdout: "", stderr: "", exitCode: 127 });
    if (adapter.wrapper !== false) assert.equal(outcome(id, toolEvent(adapter).native, gone), "stopped");
    // A plugin turns every failure into a block by itself; its own tests hold that.
    else assert(client.onCrash === "stopped" || adapter.install.every(({ format }) => format === "whole"));
  });

  Deno.test(`${id}: garbage and empty input are stopped`, async () => {
    await inPlace(async (place) => {
      for (const event of gatingEvents(adapter)) {
        for (
          const text of [
            "",
            " \n",
            "no JSON",
            "[]",
            "null",
            "7",
            '{"a":',
            "{}{}",
            '{"cwd":"/srv","cwd":"/"}',
            "{}",
          ]
        ) {
          const answer = await hook(adapter, event, source(text), place);
          assert.equal(read(adapter, event, answer), "stopped", `${event.native}: ${JSON.stringify(text)}`);
        }
      }
    });
  });

  Deno.test(`${id}: an unknown tool is judged by what it is given`, async () => {
    if (client.noTools || client.oneTool) return;
    await inPlace(async (place) => {
      const event = toolEvent(adapter);
      const payload = probe(adapter, event, true, place);
      assert(payload !== undefined);
      const action = adapter.parse({ payload, event: event.native }).actions.find((one) =>
        one.kind === "shell"
      );
      assert(action?.kind === "shell");
      const call = (input: unknown) =>
        source(JSON.stringify(toolCall(id, event.native, "hyper_shell", input)));
      const harmful = await hook(adapter, event, call({ command: action.command }), place);
      assert.equal(read(adapter, event, harmful), "stopped");
      const harmless = await hook(adapter, event, call({ command: "git status" }), place);
      assert.equal(read(adapter, event, harmless), "runs");
      const nothing = await hook(adapter, event, call({}), place);
      assert.equal(read(adapter, event, nothing), "runs");
    });
  });
}

Deno.test("a stdin that stays open is answered in time, on every host", async () => {
  await inPlace(async (place) => {
    const began = performance.now();
    await Promise.all(
      adapters.flatMap((adapter) =>
        ["", '{"tool_name":"Bash","tool_input":{"comm'].map(async (text) => {
          const event = toolEvent(adapter);
          const answer = await hook(adapter, event, source(text, true), place);
          assert.equal(read(adapter, event, answer), "stopped", adapter.id);
        })
      ),
    );
    // All wait at the same time: what is left of the five seconds is for a busy machine.
    assert(performance.now() - began < 30_000);
  });
});

Deno.test("the timeout that is installed leaves guard the time it needs", () => {
  for (const adapter of adapters) {
    const { timeouts } = clientOf(adapter.id);
    for (const target of adapter.install) {
      if (target.format === "whole" || timeouts === undefined) continue;
      for (const entry of target.entries) {
        const [, name = "", number] = /"(timeout\w*)":(\d+)/.exec(JSON.stringify(entry.value("x"))) ?? [];
        const milliseconds = Number(number) * (timeouts === "seconds" && !/_ms$/.test(name) ? 1000 : 1);
        assert(milliseconds >= 10_000, `${adapter.id} ${entry.event}: ${milliseconds} ms`);
      }
    }
  }
});
