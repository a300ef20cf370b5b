/**
 * What hosts share with Claude Code on the wire: the meaning of their fields, MCP tool names, and answers of most
 * events. Some write the same names in camel case.
 */

import { blockEverywhere } from "../src/block.ts";
import { checkStructure } from "../src/decode.ts";
import { PayloadError } from "../src/errors.ts";
import type {
  Action,
  Answer,
  HookCall,
  HookInput,
  HookReply,
  HookShell,
  HostEvent,
  InstallEntry,
  ProbeFrame,
  ReplyFrame,
} from "../src/types.ts";
import { resolveEvent } from "./events.ts";
import {
  field,
  type Fields,
  filled,
  isAbsoluteAnywhere,
  isFields,
  outputText,
  requiredFields,
  requiredText,
  text,
  toolInputs,
  toolNames,
} from "./read.ts";
import { json, noted, stops } from "./reply.ts";
import { mcpName, shellQuoted, toolActions, type ToolOptions } from "./tools.ts";

/** How a host of the family differs in naming tools and handing over their arguments. */
export interface FamilyOptions extends ToolOptions {
  /** Server and tool of an MCP call, undefined for other tools; default: `mcp__<server>__<tool>`. */
  readonly mcp?: (tool: string, payload: Fields) => { server: string; tool: string } | undefined;
  /** Arguments may come as a text: of JSON, or of what the tool takes as its only argument. */
  readonly textInput?: boolean;
}

/** A payload of the family as a call of `host`. Throws PayloadError when the event lacks what it needs. */
export function parseFamily(
  host: string,
  events: readonly HostEvent[],
  input: HookInput,
  options: FamilyOptions = {},
): HookCall {
  const { payload } = input;
  const event = resolveEvent(events, input);
  const roots = field(payload, "workspace_roots");
  const workspace = absolutePath(
    field(payload, "workspaceRoot") ?? (Array.isArray(roots) ? roots[0] : undefined),
  );
  const cwd = absolutePath(field(payload, "cwd")) ?? workspace;
  const tool = text(payload, ...toolNames);
  return {
    host,
    event: event.id,
    nativeEvent: event.native,
    session: text(payload, "session_id", "sessionId", "conversation_id"),
    callId: text(payload, "tool_use_id", "toolUseId", "tool_call_id"),
    tool,
    cwd,
    ...(workspace === undefined ? {} : { workspace }),
    mode: text(payload, "permission_mode", "permissionMode"),
    actions: actionsOf(event, payload, { ...options, ...(cwd === undefined ? {} : { cwd }) }),
  };
}

function absolutePath(value: unknown): string | undefined {
  return typeof value === "string" && isAbsoluteAnywhere(value) ? value : undefined;
}

function actionsOf(event: HostEvent, payload: Fields, options: FamilyOptions): Action[] {
  switch (event.id) {
    case "pre_tool":
    case "permission":
      return calledTool(event.native, payload, options);
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt", "user_prompt") }];
    case "post_tool":
      return [{
        kind: "output",
        tool: text(payload, ...toolNames) ?? "",
        text: outputText(outputs.map((name) => field(payload, name)).find((value) => value !== undefined)),
      }];
    case "session_start":
      return [{ kind: "session", phase: "start", detail: text(payload, "source") }];
    case "session_end":
      return [{ kind: "session", phase: "end", detail: text(payload, "reason") }];
    default:
      return [];
  }
}

/** What hosts call the field with the output of a tool, or with what went wrong. */
const outputs = ["tool_response", "tool_result", "toolResult", "tool_output", "error"];

function calledTool(event: string, payload: Fields, options: FamilyOptions): Action[] {
  const tool = filled(payload, ...toolNames);
  if (tool === undefined) throw new PayloadError(`${event}: expected a tool name in "tool_name", found none`);
  const input = inputOf(event, payload, options);
  const mcp = (options.mcp ?? mcpName)(tool, payload);
  return mcp === undefined ? toolActions(tool, input, options) : [{ kind: "mcp", ...mcp, input }];
}

function inputOf(event: string, payload: Fields, options: FamilyOptions): Fields {
  const name = toolInputs.find((candidate) => Object.hasOwn(payload, candidate)) ?? "tool_input";
  const given = field(payload, name);
  if (options.textInput !== true || typeof given !== "string") return requiredFields(payload, event, name);
  // A tool that takes one text, such as a patch, may get it bare; others cannot do anything with it.
  if (!/^\s*\{/.test(given)) return { input: given };
  const parsed = parsedJson(given);
  if (isFields(parsed)) return parsed;
  throw new PayloadError(`${event}: expected a JSON object in the text of "${name}"`);
}

function parsedJson(source: string): unknown {
  try {
    checkStructure(source);
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/**
 * A payload of `guard doctor` in the family's form; `own` are the fields by which the host is known, `shell` is the
 * name of its shell tool.
 */
export function probeFamily(
  nativeEvent: string,
  frame: ProbeFrame,
  own: Fields,
  shell = "Bash",
): Fields | undefined {
  const base = { session_id: frame.session, cwd: frame.cwd, hook_event_name: nativeEvent, ...own };
  if (nativeEvent === "PreToolUse") {
    const command = frame.harmful ? `rm -rf ${shellQuoted(frame.home)}` : "git status";
    return { ...base, tool_name: shell, tool_input: { command }, tool_use_id: "probe" };
  }
  return frame.harmful || nativeEvent !== "UserPromptSubmit" ? undefined : { ...base, prompt: "Hello" };
}

/** How the entries of a host differ from Claude Code's. */
export interface EntryOptions {
  /** In the host's unit. */
  readonly timeout?: number;
  /** Of the group before tools; without one it means every tool. */
  readonly matcher?: string;
  /** Further members of the handler, by the shell for which its command is quoted. */
  readonly handler?: (shell: HookShell) => Fields;
}

/** Entries of the events that are installed, in groups as Claude Code has them. */
export function familyEntries(
  events: readonly HostEvent[],
  { timeout = 30, matcher, handler }: EntryOptions = {},
): readonly InstallEntry[] {
  return events.filter((event) => event.install).map((event) => ({
    event: event.native,
    at: ["hooks", event.native],
    value: (command: string, shell: HookShell = "sh") => ({
      ...(matcher === undefined || event.id !== "pre_tool" ? {} : { matcher }),
      hooks: [{ type: "command", command, timeout, ...handler?.(shell) }],
    }),
  }));
}

/** The answer before a tool in the form of Claude Code. */
export function permissionAnswer(decision: "allow" | "ask" | "deny", reason: string): Fields {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
  };
}

/** Answers that these hosts read alike; `preTool` makes the one before a tool. */
export function renderFamily(
  answer: Answer,
  frame: ReplyFrame,
  events: readonly HostEvent[],
  preTool: (answer: Answer) => HookReply,
): HookReply {
  const reason = answer.reason.trim() || "guard: blocked.";
  const known = events.find((event) => event.native === frame.nativeEvent);
  if (stops(answer) && known === undefined) return blockEverywhere(reason, frame.nativeEvent);
  if (known?.gates === false) return noted(answer, frame);
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
        : noted(answer, frame);
    case "prompt":
      return stops(answer) ? json({ decision: "block", reason }) : noted(answer, frame);
    default:
      return noted(answer, frame);
  }
}
