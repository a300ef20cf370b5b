/**
 * Payloads as the hosts send them and what guard makes of them; answers as the hosts must get them. The files
 * in tests/fixtures/<host> are written by hand from the wire formats, never recorded from guard.
 */

import assert from "node:assert/strict";
import { adapterIds, loadAdapter } from "../adapters/registry.ts";
import { findEvent } from "../adapters/events.ts";
import type { Answer, Decision, HookCall, HookReply } from "../src/types.ts";

interface PayloadFixture {
  readonly event?: string;
  readonly payload: Record<string, unknown>;
  readonly call: HookCall;
}

/** A reply whose stdout is written as the JSON that it must parse to; "" is silence. */
type ReplyFixture = Omit<HookReply, "stdout"> & { readonly stdout: unknown };

import { payloadNames } from "./payloads.ts";

const fixtures = new URL("./fixtures/", import.meta.url);

function read<T>(path: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(path, fixtures)));
}

async function adapterOf(host: string) {
  const adapter = await loadAdapter(host);
  assert(adapter !== undefined, `no adapter for ${host}`);
  return adapter;
}

Deno.test("every host has payload fixtures and replies", async () => {
  const folders = [...Deno.readDirSync(fixtures)].filter((entry) => entry.isDirectory)
    .map((entry) => entry.name).filter((name) => adapterIds.includes(name)).sort();
  assert.deepEqual(folders, [...adapterIds].sort());
  for (const host of folders) {
    const names = [...Deno.readDirSync(new URL(`${host}/`, fixtures))].map((entry) => entry.name);
    for (const name of ["replies.json", "client.ts"]) assert(names.includes(name), `${host}/${name}`);
    const { events } = await adapterOf(host);
    assert(events.length === 0 || payloadNames(host).length > 5, host);
  }
});

for (const host of adapterIds) {
  for (const name of payloadNames(host)) {
    Deno.test(`${host}: ${name.replace(".json", "")} is read`, async () => {
      const { event, payload, call } = read<PayloadFixture>(`${host}/${name}`);
      const adapter = await adapterOf(host);
      const parsed = adapter.parse(event === undefined ? { payload } : { payload, event });
      assert.deepEqual(JSON.parse(JSON.stringify(parsed)), call);
    });
  }

  Deno.test(`${host}: answers have the host's own form`, async () => {
    const adapter = await adapterOf(host);
    const replies = read<Record<string, Record<Decision, ReplyFixture>>>(`${host}/replies.json`);
    const covered = new Set(Object.keys(replies));
    for (const event of adapter.events) {
      if (event.gates) assert(covered.has(event.native), `no reply for ${host} ${event.native}`);
    }
    for (const [native, expected] of Object.entries(replies)) {
      const event = findEvent(adapter.events, native);
      assert(event !== undefined, `${host} has no event ${native}`);
      for (const decision of Object.keys(expected) as Decision[]) {
        const answer: Answer = {
          decision,
          reason: "For the agent.",
          userMessage: "For the person.",
          notes: [],
        };
        const reply = adapter.render(answer, { event: event.id, nativeEvent: native });
        const stdout = reply.stdout === "" ? "" : JSON.parse(reply.stdout);
        assert.deepEqual({ ...reply, stdout }, expected[decision], `${host} ${native} ${decision}`);
      }
    }
  });
}
