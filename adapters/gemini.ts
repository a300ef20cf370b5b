import { blockEverywhere } from "../src/block.ts";
import { PayloadError } from "../src/errors.ts";
import type { Action, HostAdapter, HostEvent } from "../src/types.ts";
import { textsIn } from "../src/value_texts.ts";
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
} from "./read.ts";
import { json, noted, stops } from "./reply.ts";
import { shellQuoted, toolActions, type ToolOptions } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "BeforeTool", id: "pre_tool", gates: true, install: true },
  { native: "BeforeAgent", id: "prompt", gates: true, install: true },
  { native: "AfterTool", id: "post_tool", gates: false, install: true },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "PreCompress", id: "compact", gates: false, install: false },
  { native: "AfterAgent", id: "other", gates: false, install: false },
  { native: "BeforeModel", id: "other", gates: false, install: false },
  { native: "AfterModel", id: "other", gates: false, install: false },
  { native: "BeforeToolSelection", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
];

/** Names that no other host uses for its events. */
const ownEvents = new Set([
  "BeforeTool",
  "AfterTool",
  "BeforeAgent",
  "AfterAgent",
  "BeforeModel",
  "AfterModel",
  "BeforeToolSelection",
  "PreCompress",
]);

const adapter: HostAdapter = {
  id: "gemini",
  aliases: ["gemini-cli"],
  title: "Gemini CLI",
  documentation: "https://geminicli.com/docs/hooks/reference",
  events,
  capabilities: {
    ask: "interactive",
    allow: false,
    promptBlock: true,
    replaceOutput: true,
    rewriteInput: true,
    addContext: true,
    limits: [
      "A hook that is still running at its timeout is killed and the tool runs.",
      "A question hangs when no person is at the terminal, and a hook cannot see whether one is, so guard denies instead.",
      "`hooksConfig.enabled: false` starts the client without hooks.",
      "`web_fetch` names its addresses only inside a prompt text; guard judges every address it finds there.",
      "With folder trust on, the client refuses to work in an untrusted folder.",
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: true,
  detect: {
    executables: ["gemini"],
    locations: [{
      base: "home",
      segments: [".gemini"],
      relocatedBy: [{ variable: "GEMINI_CLI_HOME", segments: [".gemini"] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".gemini", "settings.json"],
        relocatedBy: [{ variable: "GEMINI_CLI_HOME", segments: [".gemini", "settings.json"] }],
      },
      format: "jsonc",
      entries: entries(),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".gemini", "settings.json"] },
      format: "jsonc",
      entries: entries(),
    },
  ],
  afterInstall: ["Sessions that are already open keep their old hooks: start Gemini CLI anew."],
  settings: [".gemini/trustedFolders.json", "gemini-cli/{settings,system-defaults}.json"],
  servers: [
    {
      location: { base: "home", segments: [".gemini", "settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "project", segments: [".gemini", "settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["gemini", "gemini-cli"],
    packages: ["@google/gemini-cli"],
    options: ["-y", "--yolo"],
    values: { "--approval-mode": "^(?:yolo|auto_edit)$" },
    commands: "^hooks (?:disable|remove|uninstall)\\b",
    variables: { GEMINI_DIR: ".", GEMINI_CLI_SYSTEM_SETTINGS_PATH: "." },
  },
  disabledBy: [
    {
      location: {
        base: "home",
        segments: [".gemini", "settings.json"],
        relocatedBy: [{ variable: "GEMINI_CLI_HOME", segments: [".gemini", "settings.json"] }],
      },
      format: "jsonc",
      at: ["hooksConfig", "enabled"],
      off: false,
    },
    {
      location: { base: "project", segments: [".gemini", "settings.json"] },
      format: "jsonc",
      at: ["hooksConfig", "enabled"],
      off: false,
    },
  ],

  probe(nativeEvent, { harmful, session, cwd, home }) {
    const base = {
      session_id: session,
      cwd,
      hook_event_name: nativeEvent,
      timestamp: new Date(0).toISOString(),
    };
    if (nativeEvent === "BeforeTool") {
      const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
      return { ...base, tool_name: "run_shell_command", tool_input: { command } };
    }
    return harmful || nativeEvent !== "BeforeAgent" ? undefined : { ...base, prompt: "Hello" };
  },

  marks: ["timestamp"],

  recognises(payload) {
    return ownEvents.has(text(payload, "hook_event_name") ?? "") &&
      field(payload, "timestamp") !== undefined && field(payload, "cursor_version") === undefined;
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const directory = text(payload, "cwd");
    const cwd = directory !== undefined && isAbsoluteAnywhere(directory) ? directory : undefined;
    return {
      host: "gemini",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "session_id"),
      tool: text(payload, "tool_name"),
      cwd,
      actions: actionsOf(event, payload, cwd === undefined ? {} : { cwd }),
    };
  },

  // Observed in Gemini CLI 0.61.0: the reason of a denial is shown in the place of the result.
  output: {
    AfterTool: {
      field: "tool_response",
      replaces: true,
      render({ note, result }, hookEventName) {
        if (result === undefined) {
          return json({ hookSpecificOutput: { hookEventName, additionalContext: note } });
        }
        const shown = isFields(result) ? field(result, "llmContent") ?? result : result;
        return json({ decision: "deny", reason: `${note}\n\n${[...textsIn(shown)].join("\n")}` });
      },
    },
  },

  render(answer, frame) {
    if (!stops(answer)) return noted(answer, frame);
    const reason = answer.reason.trim() || "guard: blocked.";
    if (findEvent(events, frame.nativeEvent) === undefined) return blockEverywhere(reason, frame.nativeEvent);
    return frame.event === "pre_tool" || frame.event === "prompt"
      ? json({ decision: "deny", reason })
      : noted(answer, frame);
  },
};

export default adapter;

function entries() {
  return events.filter((event) => event.install).map((event) => ({
    event: event.native,
    at: ["hooks", event.native],
    value: (command: string) => ({
      matcher: "*",
      hooks: [{ type: "command", name: "guard", command, timeout: 30_000 }],
    }),
  }));
}

function actionsOf(event: HostEvent, payload: Fields, options: ToolOptions): Action[] {
  switch (event.id) {
    case "pre_tool":
      return calledTool(event.native, payload, options);
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt", "user_prompt") }];
    case "post_tool": {
      const response = field(payload, "tool_response");
      return [{
        kind: "output",
        tool: text(payload, "tool_name") ?? "",
        text: outputText(isFields(response) ? field(response, "llmContent") ?? response : response),
      }];
    }
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
  const context = field(payload, "mcp_context");
  if (isFields(context)) {
    return [{
      kind: "mcp",
      server: text(context, "server_name") ?? "",
      tool: text(context, "tool_name") ?? tool,
      input,
    }];
  }
  return tool.startsWith("mcp_")
    ? [{ kind: "mcp", ...splitMcp(tool), input }]
    : toolActions(tool, input, options);
}

/** `mcp_<server>_<tool>` without the context that names both: the first `_` ends the server. */
function splitMcp(name: string): { server: string; tool: string } {
  const rest = name.slice("mcp_".length).replace(/^_/, "");
  const double = rest.indexOf("__");
  const at = double > 0 ? double : rest.indexOf("_");
  const width = double > 0 ? 2 : 1;
  return at <= 0 ? { server: rest, tool: "" } : { server: rest.slice(0, at), tool: rest.slice(at + width) };
}
