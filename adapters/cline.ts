import { checkStructure } from "../src/decode.ts";
import { PayloadError } from "../src/errors.ts";
import type { Action, Answer, HookReply, HostAdapter, HostEvent, WholeTarget } from "../src/types.ts";
import { findEvent, resolveEvent } from "./events.ts";
import {
  field,
  type Fields,
  filled,
  isAbsoluteAnywhere,
  isFields,
  outputText,
  requiredText,
  text,
} from "./read.ts";
import { json, reasonOf, silence, stops } from "./reply.ts";
import { shellQuoted, toolActions, type ToolKind } from "./tools.ts";

/** The command line client gives some events other names in its payloads. */
const events: readonly HostEvent[] = [
  { native: "PreToolUse", aliases: ["tool_call"], id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", aliases: ["prompt_submit"], id: "prompt", gates: true, install: true },
  { native: "PostToolUse", aliases: ["tool_result"], id: "post_tool", gates: false, install: false },
  { native: "TaskStart", aliases: ["agent_start"], id: "session_start", gates: false, install: false },
  { native: "TaskResume", aliases: ["agent_resume"], id: "session_start", gates: false, install: false },
  { native: "TaskCancel", aliases: ["agent_abort"], id: "session_end", gates: false, install: false },
  { native: "TaskComplete", aliases: ["agent_end"], id: "session_end", gates: false, install: false },
  { native: "TaskError", aliases: ["agent_error"], id: "session_end", gates: false, install: false },
  {
    native: "SessionShutdown",
    aliases: ["session_shutdown"],
    id: "session_end",
    gates: false,
    install: false,
  },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = {
  runcommands: "shell",
  executecommand: "shell",
  writetofile: "write",
  newfile: "write",
  replaceinfile: "edit",
  readfiles: "read",
  searchfiles: "search",
  fetchwebcontent: "fetch",
  browseraction: "fetch",
};

/** Parameters whose text is never JSON for something else. */
const texts = new Set([
  "command",
  "content",
  "diff",
  "input",
  "new_text",
  "old_text",
  "path",
  "prompt",
  "regex",
]);

const adapter: HostAdapter = {
  id: "cline",
  aliases: ["cline-cli"],
  title: "Cline",
  documentation: "https://docs.cline.bot/features/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Verified with the command line client; VS Code, which reads the same files, by its source only.",
      "A denial ends the whole run: the person is told why (the command line client writes it into its log only), the model is not.",
      "A hook cannot ask, so guard denies instead, with a code for the person.",
      "Exit codes count for nothing: a hook that is killed, or still running at its timeout, lets the tool run.",
      "The command line client does not wait for hooks on prompts.",
      "With a provider that runs tools itself (Claude Code, Codex) no hook fires.",
      "Where the Documents folder of Windows lies elsewhere, the hooks have to be put there by hand.",
      'What guard notes about a prompt stands in its log only; with `prompts: "deny"` in the policy such a prompt is stopped.',
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: {
    line: (reason) => `HOOK_CONTROL\t${JSON.stringify({ cancel: true, errorMessage: reason })}`,
  },
  detect: {
    executables: ["cline"],
    locations: [
      { base: "home", segments: [".cline"], relocatedBy: [{ variable: "CLINE_DIR", segments: [] }] },
      { base: "home", segments: ["Documents", "Cline"] },
    ],
  },
  install: (["user", "project"] as const).flatMap((scope) =>
    events.filter((event) => event.install).flatMap(({ native }) => [
      script(scope, native, "posix"),
      script(scope, native, "windows"),
    ])
  ),
  afterInstall: [
    "In Cline's settings hooks must be switched on, as they are by default.",
    "Cline stops the whole task when guard denies something, and tells you why.",
  ],

  settings: [
    ".{cline,clinerules}/{hooks,plugins}/**",
    ".cline/data/settings/**.json",
    "{Cline,cline}/{Hooks,hooks}/**",
  ],
  servers: [
    {
      location: { base: "home", segments: [".cline", "data", "settings", "cline_mcp_settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: { programs: ["cline"], options: ["-y", "--yolo", "--auto-approve-all", "--config"] },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    const base = {
      clineVersion: "probe",
      hookName: nativeEvent,
      timestamp: new Date(0).toISOString(),
      taskId: session,
      workspaceRoots: [cwd],
    };
    switch (nativeEvent) {
      case "PreToolUse": {
        const commands = JSON.stringify([harmful ? `rm -rf ${shellQuoted(home)}` : "git status"]);
        return { ...base, preToolUse: { toolName: "run_commands", parameters: { commands } } };
      }
      case "UserPromptSubmit":
        return harmful ? undefined : { ...base, userPromptSubmit: { prompt: "Hello", attachments: [] } };
      default:
        return undefined;
    }
  },

  subagent: { agent_id: "probe", parent_agent_id: "probe" },

  marks: ["clineVersion"],

  recognises(payload) {
    return filled(payload, "clineVersion") !== undefined && filled(payload, "hookName") !== undefined;
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const roots = field(payload, "workspaceRoots");
    const cwd = (Array.isArray(roots) ? roots : []).find((root): root is string =>
      typeof root === "string" && isAbsoluteAnywhere(root)
    );
    const call = field(payload, "tool_call");
    return {
      host: "cline",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "taskId"),
      callId: isFields(call) ? text(call, "id") : undefined,
      tool: toolName(payload),
      cwd,
      workspace: cwd,
      actions: actionsOf(event, payload, cwd),
    };
  },

  render(answer, frame) {
    if (!stops(answer)) return silence;
    const event = findEvent(events, frame.nativeEvent);
    if (event !== undefined && !event.gates) return silence;
    const denied = cancelled(answer);
    // Whoever gets an event that no Cline is known to have may look at the exit code instead.
    return event === undefined ? { ...denied, stderr: `${reasonOf(answer)}\n`, exitCode: 2 } : denied;
  },
};

export default adapter;

/** The only one who hears of it is the person. */
function cancelled(answer: Answer): HookReply {
  return json({ cancel: true, errorMessage: answer.userMessage.trim() || reasonOf(answer) });
}

/** A script that is called like its event; the command in it answers by itself when guard does not. */
function script(scope: "user" | "project", event: string, system: "posix" | "windows"): WholeTarget {
  const name = system === "windows" ? `${event}.ps1` : event;
  return {
    scope,
    system,
    location: scope === "user"
      ? { base: "home", segments: ["Documents", "Cline", "Hooks", name] }
      : { base: "project", segments: [".clinerules", "hooks", name] },
    format: "whole",
    events: [event],
    executable: system === "posix",
    content({ stamp, line }) {
      const head = system === "windows" ? "" : "#!/bin/sh\n";
      return `${head}# Made by guard install, and taken away by guard uninstall (${stamp}).\n${
        line(event)
      }\n`;
    },
  };
}

function toolName(payload: Fields): string | undefined {
  const call = field(payload, "tool_call");
  const before = field(payload, "preToolUse");
  const after = field(payload, "postToolUse") ?? field(payload, "tool_result");
  return (isFields(call) ? filled(call, "name") : undefined) ??
    (isFields(before) ? filled(before, "toolName", "tool") : undefined) ??
    (isFields(after) ? filled(after, "toolName", "name") : undefined);
}

function actionsOf(event: HostEvent, payload: Fields, cwd: string | undefined): Action[] {
  switch (event.id) {
    case "pre_tool":
      return called(event.native, payload, cwd);
    case "prompt": {
      const given = field(payload, "userPromptSubmit");
      return [{
        kind: "prompt",
        text: requiredText(isFields(given) ? given : payload, event.native, "prompt"),
      }];
    }
    case "post_tool": {
      const given = [field(payload, "tool_result"), field(payload, "postToolUse")].find(isFields) ?? {};
      const output = field(given, "output") ?? field(given, "result") ?? field(given, "error");
      return [{ kind: "output", tool: toolName(payload) ?? "", text: outputText(output) }];
    }
    case "session_start":
      return [{ kind: "session", phase: "start" }];
    case "session_end":
      return [{ kind: "session", phase: "end" }];
    default:
      return [];
  }
}

function called(event: string, payload: Fields, cwd: string | undefined): Action[] {
  const tool = toolName(payload);
  if (tool === undefined) {
    throw new PayloadError(`${event}: expected a tool name in "preToolUse.toolName", found none`);
  }
  const input = inputOf(event, payload);
  if (tool === "use_mcp_tool") {
    return [{
      kind: "mcp",
      server: text(input, "server_name") ?? "",
      tool: text(input, "tool_name") ?? "",
      input: field(input, "arguments") ?? {},
    }];
  }
  const mcp = /^(.+?)__(.+)$/.exec(tool);
  if (mcp !== null) return [{ kind: "mcp", server: mcp[1]!, tool: mcp[2]!, input }];
  const options = { tools, ...(cwd === undefined ? {} : { cwd }) };
  return toolActions(tool === "editor" ? editorOf(input) : tool, input, options);
}

/** The editor replaces or inserts text in a file that is there, and else makes the file. */
function editorOf(input: Fields): string {
  const inside = (name: string) => field(input, name) !== undefined && field(input, name) !== null;
  return inside("old_text") || inside("insert_line") ? "edit" : "write";
}

/** What the tool gets: as it is, or as texts of which those that are none are written as JSON. */
function inputOf(event: string, payload: Fields): Fields {
  const call = field(payload, "tool_call");
  if (isFields(call) && field(call, "input") !== undefined) return whole(event, field(call, "input"));
  const before = field(payload, "preToolUse");
  const parameters = isFields(before) ? field(before, "parameters") : undefined;
  if (!isFields(parameters)) {
    throw new PayloadError(`${event}: expected an object in "preToolUse.parameters", found none`);
  }
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, texts.has(name) ? value : decoded(value)]),
  );
}

/** Some tools take a bare command, path or address, or a list of them, in place of an object. */
function whole(event: string, input: unknown): Fields {
  if (isFields(input)) return input;
  if (typeof input === "string" || Array.isArray(input)) {
    return { commands: input, paths: input, urls: input };
  }
  throw new PayloadError(`${event}: expected an object in "tool_call.input", found none`);
}

function decoded(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    checkStructure(value);
    return JSON.parse(value);
  } catch {
    return value;
  }
}
