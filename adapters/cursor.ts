import { blockEverywhere } from "../src/block.ts";
import { checkStructure } from "../src/decode.ts";
import { PayloadError } from "../src/errors.ts";
import type { Action, Answer, HookReply, HostAdapter, HostEvent, ReplyFrame } from "../src/types.ts";
import { findEvent, resolveEvent } from "./events.ts";
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
  typeOf,
} from "./read.ts";
import { json, stops } from "./reply.ts";
import { mcpName, shellQuoted, toolActions } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "preToolUse", id: "pre_tool", gates: true, install: true },
  { native: "beforeShellExecution", id: "pre_tool", gates: true, install: true },
  { native: "beforeMCPExecution", id: "pre_tool", gates: true, install: true },
  { native: "beforeReadFile", id: "pre_tool", gates: true, install: true },
  { native: "beforeTabFileRead", id: "pre_tool", gates: true, install: false },
  { native: "beforeSubmitPrompt", id: "prompt", gates: true, install: true },
  { native: "subagentStart", id: "subagent_start", gates: false, install: false },
  { native: "postToolUse", id: "post_tool", gates: false, install: true },
  { native: "postToolUseFailure", id: "post_tool", gates: false, install: false },
  { native: "afterShellExecution", id: "post_tool", gates: false, install: false },
  { native: "afterMCPExecution", id: "post_tool", gates: false, install: false },
  { native: "sessionStart", id: "session_start", gates: false, install: true },
  { native: "sessionEnd", id: "session_end", gates: false, install: false },
  { native: "preCompact", id: "compact", gates: false, install: false },
  { native: "subagentStop", id: "other", gates: false, install: false },
  { native: "afterFileEdit", id: "other", gates: false, install: false },
  { native: "afterTabFileEdit", id: "other", gates: false, install: false },
  { native: "afterAgentResponse", id: "other", gates: false, install: false },
  { native: "afterAgentThought", id: "other", gates: false, install: false },
  { native: "stop", id: "other", gates: false, install: false },
  { native: "workspaceOpen", id: "other", gates: false, install: false },
];

const adapter: HostAdapter = {
  id: "cursor",
  aliases: ["cursor-agent"],
  title: "Cursor",
  documentation: "https://cursor.com/docs/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: true,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation and published payloads.",
      "A question is ignored on some events and overridden by the command allow list, so guard denies instead.",
      "An unknown event name in hooks.json voids the whole file in cursor-agent.",
      "In print mode (`-p`) the prompt event does not fire; cloud agents run only a repository's own hooks.",
      "Only what an MCP tool returned can be replaced; of other results the model is told what they show it.",
      "Hooks of a project run only when the workspace is trusted.",
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: false,
  detect: {
    executables: ["cursor-agent"],
    editors: ["cursor"],
    locations: [{
      base: "home",
      segments: [".cursor"],
      relocatedBy: [{ variable: "CURSOR_CONFIG_DIR", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".cursor", "hooks.json"],
        relocatedBy: [{ variable: "CURSOR_CONFIG_DIR", segments: ["hooks.json"] }],
      },
      format: "json",
      skeleton: { version: 1 },
      entries: entries(),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".cursor", "hooks.json"] },
      format: "json",
      skeleton: { version: 1 },
      entries: entries(),
    },
  ],
  afterInstall: [
    "Cursor also runs the hooks of Claude Code that it imports: with both installed, each call is judged by both entries.",
  ],

  settings: ["{.cursor,.Cursor,cursor,Cursor}/{hooks,cli-config,cli,permissions,sandbox}.json"],
  servers: [
    { location: { base: "home", segments: [".cursor", "mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
    { location: { base: "project", segments: [".cursor", "mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
  ],
  unchecked: {
    programs: ["cursor-agent", "agent"],
    options: ["-f", "--force", "--yolo", "--approve-mcps", "--trust"],
    values: { "--sandbox": "^disabled$" },
  },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    const base = {
      conversation_id: session,
      generation_id: "probe",
      hook_event_name: nativeEvent,
      cursor_version: "probe",
      workspace_roots: [cwd],
    };
    const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    switch (nativeEvent) {
      case "preToolUse":
        return { ...base, cwd, tool_name: "Shell", tool_input: { command } };
      case "beforeShellExecution":
        return { ...base, cwd, command };
      case "beforeMCPExecution":
        return harmful ? undefined : {
          ...base,
          tool_name: "list",
          tool_input: "{}",
          mcp_server_name: "probe",
        };
      case "beforeReadFile":
        return { ...base, file_path: harmful ? `${home}/.ssh/id_ed25519` : `${cwd}/README.md`, content: "" };
      case "beforeSubmitPrompt":
        return harmful ? undefined : { ...base, prompt: "Hello", attachments: [] };
      default:
        return undefined;
    }
  },

  marks: ["cursor_version", "generation_id"],

  recognises(payload) {
    return filled(payload, "cursor_version") !== undefined ||
      (filled(payload, "conversation_id") !== undefined && filled(payload, "generation_id") !== undefined);
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const given = field(payload, "workspace_roots");
    const roots = Array.isArray(given)
      ? given.filter((root): root is string => typeof root === "string")
      : [];
    const path = roots.some((root) => uriDrive.test(root)) ? withoutUriSlash : (name: string) => name;
    const workspaces = roots.map(path).filter(isAbsoluteAnywhere);
    const directory = filled(payload, "cwd");
    const own = directory === undefined ? undefined : path(directory);
    const cwd = own !== undefined && isAbsoluteAnywhere(own) ? own : workspaces[0];
    return {
      host: "cursor",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "conversation_id", "session_id"),
      callId: text(payload, "tool_use_id"),
      tool: text(payload, "tool_name") ?? builtInTool(event.native),
      cwd,
      workspace: workspaces.find((root) => cwd !== undefined && holds(root, cwd)) ?? workspaces[0],
      mode: text(payload, "permission_mode"),
      actions: actionsOf(event, payload, cwd, path),
    };
  },

  // Only for MCP tools, and as an object (https://cursor.com/docs/hooks#posttooluse).
  output: {
    postToolUse: {
      field: "tool_output",
      replaces: (payload) => isMcp(text(payload, "tool_name") ?? "") && isFields(resultOf(payload)),
      read: resultOf,
      render: ({ note, result }) =>
        json({ ...(isFields(result) ? { updated_mcp_tool_output: result } : {}), additional_context: note }),
    },
  },

  render(answer, frame) {
    const reason = answer.reason.trim() || "guard: blocked.";
    const event = findEvent(events, frame.nativeEvent);
    if (stops(answer) && event === undefined) return blockEverywhere(reason, frame.nativeEvent);
    switch (frame.event) {
      case "pre_tool":
      case "permission":
      case "subagent_start":
        return permission(answer, frame, reason);
      case "prompt":
        return stops(answer)
          ? json({ continue: false, user_message: answer.userMessage.trim() || reason })
          : json({ continue: true, ...contextOf(answer) });
      case "session_start":
        return json(contextOf(answer));
      default:
        return json({});
    }
  },
};

export default adapter;

/** What the model has to know; taken at a prompt and when a session begins (client bundle of 2026-07-23). */
function contextOf({ notes }: Answer): Fields {
  const told = notes.filter((note) => note.forModel === true);
  return told.length === 0 ? {} : { additional_context: told.map((note) => note.text).join("\n") };
}

function entries() {
  return events.filter((event) => event.install).map((event) => ({
    event: event.native,
    at: ["hooks", event.native],
    value: (command: string) => ({
      command,
      timeout: 30,
      ...(event.id === "pre_tool" ? { failClosed: true } : {}),
    }),
  }));
}

/**
 * A permission event must always get a permission: some versions take silence for a failure and block. Exit
 * code 0, since with exit code 2 the messages may be lost.
 */
function permission(answer: Answer, frame: ReplyFrame, reason: string): HookReply {
  if (!stops(answer) || frame.event === "subagent_start") return json({ permission: "allow" });
  return json({
    permission: "deny",
    user_message: answer.userMessage.trim() || reason,
    agent_message: reason,
  });
}

function actionsOf(
  event: HostEvent,
  payload: Fields,
  cwd: string | undefined,
  path: (name: string) => string,
): Action[] {
  const options = { path, ...(cwd === undefined ? {} : { cwd }) };
  switch (event.native) {
    case "beforeShellExecution": {
      requiredText(payload, event.native, "command");
      return toolActions("Shell", payload, options);
    }
    case "beforeReadFile":
    case "beforeTabFileRead":
      return readFile(event.native, payload, path);
    case "beforeMCPExecution":
      return [mcp(payload, toolName(event.native, payload), argumentsOf(event.native, payload))];
  }
  switch (event.id) {
    case "pre_tool": {
      const tool = toolName(event.native, payload);
      const input = requiredFields(payload, event.native, "tool_input");
      return isMcp(tool) ? [mcp(payload, tool, input)] : toolActions(tool, input, options);
    }
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt") }];
    case "post_tool":
      return [{
        kind: "output",
        tool: text(payload, "tool_name") ?? builtInTool(event.native) ?? "",
        text: outputText(
          ["tool_output", "output", "result_json", "error_message", "tool_response"]
            .map((name) => field(payload, name)).find((value) => value !== undefined),
        ),
      }];
    case "session_start":
      return [{ kind: "session", phase: "start" }];
    case "session_end":
      return [{ kind: "session", phase: "end", detail: text(payload, "reason") }];
    default:
      return [];
  }
}

function isMcp(tool: string): boolean {
  return tool.startsWith("MCP:") || tool.startsWith("mcp__");
}

/** What a tool returned: the value in the JSON text, or what else is there. */
function resultOf(payload: Fields): unknown {
  const given = field(payload, "tool_output");
  return typeof given === "string" ? parsedJson(given) ?? given : given;
}

function toolName(event: string, payload: Fields): string {
  const tool = filled(payload, "tool_name");
  if (tool === undefined) throw new PayloadError(`${event}: expected a tool name in "tool_name", found none`);
  return tool;
}

/** The arguments of an MCP call: here a string of JSON, elsewhere an object. */
function argumentsOf(event: string, payload: Fields): unknown {
  const given = field(payload, "tool_input");
  if (isFields(given)) return given;
  if (typeof given !== "string") {
    throw new PayloadError(`${event}: expected JSON text in "tool_input", found ${typeOf(given)}`);
  }
  if (given.trim() === "") return {};
  const parsed = parsedJson(given);
  if (isFields(parsed)) return parsed;
  throw new PayloadError(`${event}: expected a JSON object in the text of "tool_input"`);
}

function parsedJson(source: string): unknown {
  try {
    checkStructure(source);
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function mcp(payload: Fields, tool: string, input: unknown): Action {
  const server = text(payload, "mcp_server_name", "server_name", "server");
  const split = mcpName(tool);
  if (split !== undefined) return { kind: "mcp", server: server ?? split.server, tool: split.tool, input };
  return { kind: "mcp", server: server ?? "", tool: tool.replace(/^MCP:\s*/, ""), input };
}

/** The file itself, with its content, and every file that is attached to the same read. */
function readFile(event: string, payload: Fields, path: (name: string) => string): Action[] {
  const main = filled(payload, "file_path", "path");
  if (main === undefined) throw new PayloadError(`${event}: expected a path in "file_path", found none`);
  const content = text(payload, "content");
  const attachments = field(payload, "attachments");
  const attached = (Array.isArray(attachments) ? attachments : [])
    .map((item) => isFields(item) ? filled(item, "file_path", "filePath", "path") : item)
    .filter((name): name is string => typeof name === "string" && name.trim() !== "");
  return [
    {
      kind: "file",
      operation: "read",
      path: path(main),
      ...(content === undefined ? {} : { content }),
    },
    ...attached.map((name): Action => ({ kind: "file", operation: "read", path: path(name) })),
  ];
}

function builtInTool(event: string): string | undefined {
  switch (event) {
    case "beforeShellExecution":
    case "afterShellExecution":
      return "Shell";
    case "beforeReadFile":
    case "beforeTabFileRead":
      return "Read";
    default:
      return undefined;
  }
}

/** Roots on Windows come in the form of a URI path: `/C:/Users/…`. */
const uriDrive = /^\/[A-Za-z]:(?:[\\/]|$)/;

function withoutUriSlash(name: string): string {
  return uriDrive.test(name) ? name.slice(1) : name;
}

function holds(root: string, path: string): boolean {
  const base = root.replaceAll("\\", "/").replace(/\/$/, "");
  const inner = path.replaceAll("\\", "/");
  return inner === base || inner.startsWith(`${base}/`);
}
