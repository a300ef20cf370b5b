/** Which of a host's events a call is about, from the payload and the command line. */

import { PayloadError } from "../src/errors.ts";
import type { EventId, HookInput, HostEvent } from "../src/types.ts";
import { field, filled, isFields, toolInputs, toolNames } from "./read.ts";

/** What hosts call the top-level field with the name of the event; the first one that is there counts. */
const eventNames = [
  "hook_event_name",
  "hookEventName",
  "hookName",
  "hook_type",
  "agent_action_name",
  "event",
];

/** From the least to the most that can be lost when an event is mistaken for another. */
const strictness: readonly EventId[] = [
  "other",
  "compact",
  "session_end",
  "session_start",
  "post_tool",
  "subagent_start",
  "prompt",
  "permission",
  "pre_tool",
];

/** Event names compare without case and separators: `pre_tool_use` is `PreToolUse`. */
export function eventKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** The event with this native name; undefined when the host has none. */
export function findEvent(events: readonly HostEvent[], name: string): HostEvent | undefined {
  const key = eventKey(name);
  return events.find((event) => event.native === name) ??
    events.find((event) => eventKey(event.native) === key) ??
    events.find((event) => event.aliases?.includes(name));
}

/** The stricter of two events; the first one when they are equally strict. */
export function stricter(a: HostEvent, b: HostEvent): HostEvent {
  return strictness.indexOf(b.id) > strictness.indexOf(a.id) ? b : a;
}

/**
 * The event of this call. Payload and command line are both heard, and where they differ the stricter one
 * counts. An event that the host is not known to have is judged like a tool call when a tool is named, and is
 * neutral otherwise. Throws PayloadError when nothing says which event it is.
 */
export function resolveEvent(events: readonly HostEvent[], input: HookInput): HostEvent {
  const named = [filled(input.payload, ...eventNames), input.event]
    .filter((name): name is string => name !== undefined)
    .map((name) => findEvent(events, name) ?? unknownEvent(name, input));
  const [first, second] = named;
  if (first !== undefined) return second === undefined ? first : stricter(first, second);
  if (namesTool(input)) return preTool(events);
  throw new PayloadError('expected the event in "hook_event_name" or --event, found neither');
}

function unknownEvent(native: string, input: HookInput): HostEvent {
  return namesTool(input)
    ? { native, id: "pre_tool", gates: true, install: false }
    : { native, id: "other", gates: false, install: false };
}

function namesTool(input: HookInput): boolean {
  return toolNames.some((name) => field(input.payload, name) !== undefined) ||
    toolInputs.some((name) => isFields(field(input.payload, name)));
}

function preTool(events: readonly HostEvent[]): HostEvent {
  const event = events.find((candidate) => candidate.id === "pre_tool");
  if (event === undefined) throw new PayloadError("expected an event name, and this host has no tool event");
  return event;
}
