/**
 * How each client reads a hook's reply, as measured on the real client or as documented: the judge of the tests on
 * adapters. Strict where a client is strict, so that an answer which a client would drop counts as "the tool runs".
 * What belongs to one host is in tests/fixtures/<host>/client.ts.
 */

import { adapterIds } from "../adapters/registry.ts";
import type { HookReply } from "../src/types.ts";
import type { Client, Fields, Outcome } from "./client_reading.ts";

export type { Outcome } from "./client_reading.ts";

const clients = new Map<string, Client>();
for (const id of adapterIds) {
  const place = new URL(`./fixtures/${id}/client.ts`, import.meta.url);
  const module: { default: Client } = await import(place.href).catch((error) => {
    throw new Error(`${id} has no reading of its replies: write tests/fixtures/${id}/client.ts`, {
      cause: error,
    });
  });
  clients.set(id, module.default);
}

/** The client of a host. */
export function clientOf(host: string): Client {
  const client = clients.get(host);
  if (client === undefined) throw new Error(`no reading for ${host}`);
  return client;
}

export function outcome(host: string, nativeEvent: string, reply: HookReply): Outcome {
  return clientOf(host).outcome(nativeEvent, reply);
}

/** A payload of this host about a tool call; what is undefined is left out. */
export function toolCall(host: string, nativeEvent: string, tool: unknown, input: unknown): Fields {
  const payload = clientOf(host).toolCall?.(nativeEvent, tool, input) ?? {
    session_id: "s-1",
    cwd: "/srv/app",
    hook_event_name: nativeEvent,
    tool_name: tool,
    tool_input: input,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}
