/** What a policy says about tools reaches every host, for every call of an MCP tool that its fixtures show. */

import assert from "node:assert/strict";
import { adapterIds, loadAdapter } from "../adapters/registry.ts";
import { resolveEvent } from "../adapters/events.ts";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judgeLazily } from "../src/judge_lazily.ts";
import { lower } from "../src/lower.ts";
import { builtInPolicy } from "../src/policy/built_in.ts";
import type { Action, HostAdapter, Policy, ToolPermission } from "../src/types.ts";
import { type Outcome, outcome } from "./host_reading.ts";
import { payloadNames } from "./payloads.ts";

interface Shown {
  readonly name: string;
  readonly event?: string;
  readonly payload: Record<string, unknown>;
  readonly action: Action & { kind: "mcp" };
}

/** Calls of MCP tools among the host's fixtures. */
function shownBy(host: string): Shown[] {
  return payloadNames(host).flatMap((name) => {
    const text = Deno.readTextFileSync(new URL(`fixtures/${host}/${name}`, import.meta.url));
    const { event, payload, call } = JSON.parse(text);
    const action: Action | undefined = call.actions[0];
    return action?.kind === "mcp"
      ? [{ name, payload, action, ...(event === undefined ? {} : { event }) }]
      : [];
  });
}

async function answer(
  adapter: HostAdapter,
  { payload, event: named }: Shown,
  said: Partial<Policy>,
): Promise<Outcome> {
  const input = { payload, ...(named === undefined ? {} : { event: named }) };
  const call = adapter.parse(input);
  const event = resolveEvent(adapter.events, input);
  const policy = { ...builtInPolicy, ...said };
  const context = makeContext({
    call,
    home: "/home/eva",
    processDirectory: "/home/eva/shop",
    facts: fakeFacts({ git: {} }, "/home/eva/shop"),
    policy,
  });
  const verdict = await judgeLazily(call, context);
  assert.equal(verdict.failure, undefined);
  const { capabilities } = adapter;
  const lowered = lower(verdict, { event: event.id, gates: event.gates, capabilities, policy });
  const reply = adapter.render(lowered.answer, { event: event.id, nativeEvent: event.native, call });
  return outcome(adapter.id, event.native, reply);
}

const entry = (tool: string, decision: ToolPermission["decision"]): Partial<Policy> => ({
  tools: [{ tool, decision, layer: "user" }],
});

let hosts = 0;
for (const host of adapterIds) {
  const shown = shownBy(host);
  if (shown.length === 0) continue;
  hosts++;
  const adapter = await loadAdapter(host);
  assert(adapter !== undefined);
  for (const one of shown) {
    const { server, tool } = one.action;
    Deno.test(`${host}: ${one.name} is stopped by a policy that denies the tool`, async () => {
      assert.equal(await answer(adapter, one, {}), "runs");
      const known = server === ""
        ? []
        : [`mcp__${server}__${tool}`, `${server}/${tool}`, `@${server}/${tool}`];
      const spelled = [...known, `${server || "any"}/${tool}`, `*/${tool}`, tool, "*"];
      for (const name of spelled) {
        assert.equal(await answer(adapter, one, entry(name, "deny")), "stopped", name);
      }
      const inputs = Object.keys(one.action.input as object);
      for (const name of inputs) {
        const tools = [{ tool: "*", arguments: { [name]: "*" }, decision: "deny", layer: "user" }] as const;
        const value = (one.action.input as Record<string, unknown>)[name];
        if (typeof value === "string") assert.equal(await answer(adapter, one, { tools }), "stopped", name);
      }
      assert.equal(await answer(adapter, one, entry("other/*", "deny")), "runs");
    });

    Deno.test(`${host}: ${one.name} is stopped by default, and runs when it is allowed`, async () => {
      const toolDefaults = [{ hosts: { [host]: "deny" }, layer: "user" }] as const;
      assert.equal(await answer(adapter, one, { toolDefaults }), "stopped");
      if (server === "") return;
      const allowed = { ...entry(`${server}/${tool}`, "allow"), toolDefaults };
      assert.notEqual(await answer(adapter, one, allowed), "stopped");
    });
  }
}

Deno.test("the fixtures of most hosts show a call of an MCP tool", () => {
  assert(hosts >= 20, `${hosts}`);
});
