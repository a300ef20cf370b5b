/** What Claude Code and Codex share on the wire: field names, MCP tool names, and answers of most events. */

import { blockEverywhere } from "../src/block.ts";
import { PayloadError } from "../src/errors.ts";
import type {
  Action,
  Answer,
  HookCall,
  HookInput,
  HookReply,
  HostEvent,
  ProbeFrame,
  ReplyFrame,
} from "../src/types.ts";
import { resolveEvent } from "./events.ts";
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
import { json, noted, stops } from "./reply.ts";
import { mcpName, shellQuoted, toolActions, type ToolOptions } from "./tools.ts";

/** A payload of the family as a call of `host`. Throws PayloadError when the event lacks what it needs. */
export function parseFamily(
  host: string,
  events: readonly HostEvent[],
  input: HookInput,
  options: ToolOptions = {},
): HookCall {
  const { payload } = input;
  const event = resolveEvent(events, input);
  const directory = text(payload, "cwd");
  const cwd = directory !== undefined && isAbsoluteAnywhere(directory) ? directory : undefined;
  const tool = text(payload, "tool_name");
  return {
    host,
    event: event.id,
    nativeEvent: event.native,
    session: text(payload, "session_id"),
    callId: text(payload, "tool_use_id"),
    tool,
    cwd,
    mode: text(payload, "permission_mode"),
    actions: actionsOf(event, payload, { ...options, ...(cwd === undefined ? {} : { cwd }) }),
  };
}

function actionsOf(event: HostEvent, payload: Fields, options: ToolOptions): Action[] {
  switch (event.id) {
    case "pre_tool":
    case "permission":
      return calledTool(event.native, payload, options);
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt", "user_prompt") }];
    case "post_tool":
      return [{
        kind: "output",
        tool: text(payload, "tool_name") ?? "",
        text: outputText(field(payload, "tool_response") ?? field(payload, "error")),
      }];
    case "session_start":
      return [{ kind: "session", phase: "start", detail: text(payload, "source") }];
    case "session_end":
      return [{ kind: "session", phase: "end", detail: text(payload, "reason") }];
    default:
      return [];
  }
}

function calledTool(event: string, payload: Fields, options: ToolOptions): Action[] {
  const tool = filled(payload, "tool_name");
  if (tool === undefined) throw new PayloadError(`${event}: expected a tool name in "tool_name", found none`);
  const input = requiredFields(payload, event, "tool_input");
  const mcp = mcpName(tool);
  return mcp === undefined ? toolActions(tool, input, options) : [{ kind: "mcp", ...mcp, input }];
}

/** A payload of `guard doctor` in the family's form; `own` are the fields by which the host is known. */
export function probeFamily(nativeEvent: string, frame: ProbeFrame, own: Fields): Fields | undefined {
  const base = { session_id: frame.session, cwd: frame.cwd, hook_event_name: nativeEvent, ...own };
  if (nativeEvent === "PreToolUse") {
    const command = frame.harmful ? `rm -rf ${shellQuoted(frame.home)}` : "git status";
    return { ...base, tool_name: "Bash", tool_input: { command }, tool_use_id: "probe" };
  }
  return frame.harmful || nativeEvent !== "UserPromptSubmit" ? undefined : { ...base, prompt: "Hello" };
}

/** Answers that both hosts read alike. */
export function renderFamily(
  answer: Answer,
  frame: ReplyFrame,
  events: readonly HostEvent[],
  preTool: (answer: Answer) => HookReply,
): HookReply {
  const reason = answer.reason.trim() || "guard: blocked.";
  const known = events.some((event) => event.native === frame.nativeEvent);
  if (stops(answer) && !known) return blockEverywhere(reason, frame.nativeEvent);
  switch (frame.event) {
    case "pre_tool":
      return preTool({ ...answer, reason });
    case "permission":
      return answer.decision === "deny"
        ? json({
          hookSpecificOutput: {
            hookEventName: frame.nativeEvent,
            decision: { behavior: "deny", message: reason },
          },
        })
        : noted(answer);
    case "prompt":
      return stops(answer) ? json({ decision: "block", reason }) : noted(answer);
    default:
      return noted(answer);
  }
}
