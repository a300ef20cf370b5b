import { PayloadError } from "../src/errors.ts";
import type { Action, HostAdapter, HostEvent, InstallTarget } from "../src/types.ts";
import { resolveEvent } from "./events.ts";
import { field, type Fields, filled, isAbsoluteAnywhere, isFields, text } from "./read.ts";
import { json, reasonOf, silence, stops } from "./reply.ts";
import { shellQuoted, toolActions, type ToolKind } from "./tools.ts";

/** Payloads do not name their event, so that the command line does. */
const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: false },
  { native: "PreInvocation", id: "other", gates: false, install: false },
  { native: "PostInvocation", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = {
  runcommand: "shell",
  sendcommandinput: "typing",
  writetofile: "write",
  replacefilecontent: "edit",
  multireplacefilecontent: "edit",
  viewfile: "read",
  viewfileoutline: "read",
  viewcodeitem: "read",
  readurlcontent: "fetch",
  openbrowserurl: "fetch",
};

/** Arguments are called in its own way. */
const fields: Readonly<Record<string, string>> = {
  CommandLine: "command",
  Cwd: "cwd",
  Input: "input",
  TargetFile: "file_path",
  AbsolutePath: "file_path",
  File: "file_path",
  SearchPath: "path",
  CodeContent: "content",
  ReplacementContent: "new_string",
  TargetContent: "old_string",
  Url: "url",
};

const adapter: HostAdapter = {
  id: "antigravity",
  aliases: ["agy", "antigravity-cli"],
  title: "Antigravity CLI",
  documentation: "https://antigravity.google/docs/hooks",
  events,
  capabilities: {
    ask: "interactive",
    allow: false,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation and what others measured with 1.0.3 to 1.2.3.",
      "In the mode that proceeds always a question runs the tool, and a hook is not told the mode, so guard denies instead.",
      "Builds from 1.0.5 to 1.0.8 ran no command hooks; 1.1.7 and later do.",
      "Hooks of a project run only when its folder is trusted.",
      "A file in another form is dropped as a whole, which only its log tells; `agy -p /hooks` shows what was loaded.",
    ],
  },
  hookShell: { posix: "sh", windows: "none" },
  wrapper: true,
  detect: {
    executables: ["agy"],
    editors: ["antigravity"],
    locations: [
      { base: "home", segments: [".gemini", "antigravity-cli"] },
      { base: "home", segments: [".gemini", "antigravity"] },
    ],
  },
  install: [
    target("user", [".gemini", "config", "hooks.json"]),
    target("project", [".agents", "hooks.json"]),
  ],
  afterInstall: ["Check that the hooks are loaded: agy -p /hooks"],

  settings: [
    ".gemini/{config,antigravity,antigravity-cli}/**hooks.json",
    ".gemini/{config,antigravity,antigravity-cli}/**settings.json",
    ".agents/hooks/**",
  ],
  servers: [
    {
      location: { base: "home", segments: [".gemini", "antigravity", "mcp_config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "home", segments: [".gemini", "config", "mcp_config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: { programs: ["agy", "antigravity"], options: ["--dangerously-skip-permissions"] },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    if (nativeEvent !== "PreToolUse") return undefined;
    const CommandLine = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    return {
      toolCall: { name: "run_command", args: { CommandLine, Cwd: cwd } },
      stepIdx: 0,
      conversationId: session,
      workspacePaths: [cwd],
    };
  },

  marks: ["conversationId"],

  recognises(payload) {
    return filled(payload, "conversationId") !== undefined &&
      (isFields(field(payload, "toolCall")) || Array.isArray(field(payload, "workspacePaths")));
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const paths = field(payload, "workspacePaths");
    const workspace = (Array.isArray(paths) ? paths : []).find((path): path is string =>
      typeof path === "string" && isAbsoluteAnywhere(path)
    );
    const call = field(payload, "toolCall");
    return {
      host: "antigravity",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "conversationId"),
      tool: isFields(call) ? text(call, "name") : undefined,
      cwd: workspace,
      workspace,
      actions: actionsOf(event, call, workspace),
    };
  },

  // Before a tool an object without a decision is taken for a denial; elsewhere an object is expected.
  render(answer, frame) {
    const known = events.find((event) => event.native === frame.nativeEvent);
    if (known !== undefined && !known.gates) return json({});
    if (!stops(answer)) return silence;
    const reason = reasonOf(answer);
    const denied = json({ decision: "deny", reason });
    // Whatever ends with another exit code than 0 is denied.
    return known === undefined ? { ...denied, stderr: `${reason}\n`, exitCode: 2 } : denied;
  },
};

export default adapter;

function target(scope: "user" | "project", segments: readonly string[]): InstallTarget {
  return {
    scope,
    location: { base: scope === "user" ? "home" : "project", segments },
    format: "json",
    entries: [{
      event: "PreToolUse",
      at: ["guard", "PreToolUse"],
      value: (command) => ({ matcher: "*", hooks: [{ type: "command", command, timeout: 30 }] }),
    }],
  };
}

function actionsOf(event: HostEvent, call: unknown, cwd: string | undefined): Action[] {
  switch (event.id) {
    case "pre_tool":
      return called(event.native, isFields(call) ? call : {}, cwd);
    case "post_tool":
      // It is told that the tool ended, and not what it said.
      return [{ kind: "output", tool: isFields(call) ? text(call, "name") ?? "" : "", text: "" }];
    case "session_start":
      return [{ kind: "session", phase: "start" }];
    default:
      return [];
  }
}

function called(event: string, call: Fields, cwd: string | undefined): Action[] {
  const tool = filled(call, "name");
  if (tool === undefined) {
    throw new PayloadError(`${event}: expected a tool name in "toolCall.name", found none`);
  }
  const given = field(call, "args");
  if (!isFields(given)) throw new PayloadError(`${event}: expected an object in "toolCall.args", found none`);
  if (tool === "call_mcp_tool") return [mcp(given)];
  const input = renamed(given);
  const chunks = field(input, "ReplacementChunks");
  return toolActions(tool, Array.isArray(chunks) ? { ...input, edits: chunks.map(renamedEach) } : input, {
    tools,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** The arguments under the names of the shared table; what the client itself reads comes before a namesake. */
function renamed(given: Fields): Fields {
  return {
    ...given,
    ...Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        Object.hasOwn(fields, name) ? [[fields[name]!, value]] : []
      ),
    ),
  };
}

function renamedEach(chunk: unknown): unknown {
  return isFields(chunk) ? renamed(chunk) : chunk;
}

/** How the arguments of the call are called is not documented. */
function mcp(given: Fields): Action {
  const input = ["Arguments", "arguments", "ToolArguments", "Args", "args"].map((name) => field(given, name))
    .find((value) => value !== undefined) ?? given;
  return {
    kind: "mcp",
    server: text(given, "ServerName", "serverName", "server_name", "Server", "server") ?? "",
    tool: text(given, "ToolName", "toolName", "tool_name", "Tool", "tool", "name") ?? "",
    input: typeof input === "string" ? parsed(input) : input,
  };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return source;
  }
}
