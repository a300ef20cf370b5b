/**
 * Hosts without hook commands, for which guard writes a plugin. What the plugin sends and takes is guard's own
 * format (plugins/*.js): the payload below, and `{"decision": "none" | "ask" | "deny", "reason", "notes"}`. Silence is a
 * failure, so every answer says something.
 */

import { blockEverywhere } from "../src/block.ts";
import { PayloadError } from "../src/errors.ts";
import type {
  Action,
  Answer,
  HookCall,
  HookInput,
  HookReply,
  HostEvent,
  OutputForm,
  ProbeFrame,
  ReplyFrame,
  WholeTarget,
} from "../src/types.ts";
import { findEvent, resolveEvent } from "./events.ts";
import { type PluginFile, pluginText } from "./plugin_file.ts";
import {
  field,
  type Fields,
  filled,
  isAbsoluteAnywhere,
  outputText,
  requiredFields,
  requiredText,
  text,
} from "./read.ts";
import { json, stops } from "./reply.ts";
import { mcpName, shellQuoted, toolActions, type ToolOptions } from "./tools.ts";

/** What differs between the hosts. */
export interface PluginTools extends ToolOptions {
  /** The actions of a tool that means something else on this host than its name says; undefined for others. */
  readonly own?: (tool: string, input: Fields, options: ToolOptions) => Action[] | undefined;
}

/** A payload of guard's plugin as a call of `host`. Throws PayloadError when the event lacks what it needs. */
export function parsePlugin(
  host: string,
  events: readonly HostEvent[],
  input: HookInput,
  tools: PluginTools = {},
): HookCall {
  const { payload } = input;
  const event = resolveEvent(events, input);
  const cwd = directory(payload, "cwd");
  return {
    host,
    event: event.id,
    nativeEvent: event.native,
    session: text(payload, "session_id"),
    callId: text(payload, "tool_use_id"),
    tool: text(payload, "tool_name"),
    cwd,
    workspace: directory(payload, "workspace"),
    mode: text(payload, "mode"),
    actions: actionsOf(event, payload, { ...tools, ...(cwd === undefined ? {} : { cwd }) }),
  };
}

/** Where the host says nothing usable, guard takes the directory of its own process. */
function directory(payload: Fields, name: string): string | undefined {
  const path = text(payload, name);
  return path !== undefined && isAbsoluteAnywhere(path) ? path : undefined;
}

function actionsOf(event: HostEvent, payload: Fields, tools: PluginTools): Action[] {
  switch (event.id) {
    case "pre_tool":
    case "permission":
      return calledTool(event.native, payload, tools);
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt") }];
    case "post_tool":
      return [{
        kind: "output",
        tool: text(payload, "tool_name") ?? "",
        text: outputText(field(payload, "tool_response")),
      }];
    case "session_start":
      return [{ kind: "session", phase: "start" }];
    case "session_end":
      return [{ kind: "session", phase: "end" }];
    default:
      return [];
  }
}

function calledTool(event: string, payload: Fields, tools: PluginTools): Action[] {
  const tool = filled(payload, "tool_name");
  if (tool === undefined) throw new PayloadError(`${event}: expected a tool name in "tool_name", found none`);
  const input = requiredFields(payload, event, "tool_input");
  const own = tools.own?.(tool, input, tools);
  if (own !== undefined) return own;
  const mcp = mcpName(tool);
  return mcp === undefined ? toolActions(tool, input, tools) : [{ kind: "mcp", ...mcp, input }];
}

/** True when guard's plugin for this host wrote the payload. */
export function isFromPlugin(host: string, payload: Fields): boolean {
  return field(payload, "guard_plugin") === host;
}

/** A payload as the plugin of `host` sends it for a shell command; other events have no harmful one. */
export function probePlugin(
  host: string,
  event: HostEvent | undefined,
  tool: string,
  { harmful, session, cwd, home }: ProbeFrame,
): Fields | undefined {
  if (event?.id !== "pre_tool") return undefined;
  const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
  return {
    hook_event_name: event.native,
    guard_plugin: host,
    session_id: session,
    tool_use_id: "probe",
    cwd,
    workspace: cwd,
    tool_name: tool,
    tool_input: { command },
  };
}

/** An answer as the plugins take it. Total. */
export function renderPlugin(
  answer: Answer,
  frame: ReplyFrame,
  events: readonly HostEvent[],
): HookReply {
  const none = { decision: "none", notes: answer.notes.map((note) => note.text) };
  if (!stops(answer)) return json(none);
  const reason = answer.reason.trim() || "guard: blocked.";
  const event = findEvent(events, frame.nativeEvent);
  if (event === undefined) return blockEverywhere(reason, frame.nativeEvent);
  return json(event.gates ? { decision: answer.decision, reason } : none);
}

/** How the plugins are told about results: `result` has the texts that they sent, in their order. */
export const pluginOutput: OutputForm = {
  field: "tool_response",
  replaces: true,
  render: ({ note, result }) => json({ decision: "none", note, ...(result === undefined ? {} : { result }) }),
};

/** What targets of one plugin share: the whole file, whatever its place. */
export function wholePlugin(file: PluginFile): Omit<WholeTarget, "scope" | "location" | "system"> {
  return {
    format: "whole",
    events: file.events,
    executable: false,
    failClosed: true,
    content: (parts) => pluginText(file, parts),
  };
}
