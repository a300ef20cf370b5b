import { blockEverywhere } from "../src/block.ts";
import type { HostAdapter, HostEvent, Location } from "../src/types.ts";
import { parseFamily, probeFamily } from "./claude_family.ts";
import { copilotHooks, denial, grant } from "./copilot_hooks.ts";
import { findEvent } from "./events.ts";
import { field, filled, text } from "./read.ts";
import { json, noted, stops } from "./reply.ts";
import { mcpName, type ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  // Hooks of Claude Code that it runs too may be registered for it.
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: true },
  { native: "SessionStart", id: "session_start", gates: false, install: false },
  { native: "SubagentStart", id: "subagent_start", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = {
  sendtoterminal: "typing",
  replacestringinfile: "edit",
  multireplacestringinfile: "edit",
  inserteditintofile: "edit",
  editnotebookfile: "edit",
  editfiles: "edit",
  fetchwebpage: "fetch",
  openbrowserpage: "fetch",
  opensimplebrowser: "fetch",
};

/** Where the editor and its preview keep their settings. */
const settings: readonly Location[] = [
  ...["Code", "Code - Insiders"].flatMap((name) =>
    ([["config", []], ["home", ["Library", "Application Support"]]] as const).map(([base, folder]) => ({
      base,
      segments: [...folder, name, "User", "settings.json"],
    }))
  ),
  { base: "project", segments: [".vscode", "settings.json"] },
];

const adapter: HostAdapter = {
  id: "copilot-vscode",
  aliases: ["vscode", "vscode-copilot"],
  title: "VS Code agents",
  documentation: "https://code.visualstudio.com/docs/agent-customization/hooks",
  events,
  capabilities: {
    // Documented, and not tried with the real client.
    ask: "interactive",
    allow: true,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation and source.",
      "Hooks are a preview feature, and an organisation can switch them off.",
      "A hook that is still running at its timeout, or that ends with another code than 0 or 2, lets the tool run.",
      "Whether a question reaches a person was not tried, so guard denies instead.",
      "`chat.hookFilesLocations` can leave out the folders in which guard's file is.",
      "Agents of other providers inside the editor run their own hooks, not these.",
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: true,
  detect: {
    executables: [],
    editors: ["code", "code-insiders"],
    locations: [{ base: "home", segments: [".vscode", "extensions"] }],
  },
  install: copilotHooks,
  afterInstall: [
    "GitHub Copilot CLI runs the same hook file: installing or removing it for one does so for both.",
  ],
  servers: [
    { location: { base: "project", segments: [".vscode", "mcp.json"] }, format: "jsonc", at: ["servers"] },
    {
      location: { base: "config", segments: ["Code", "User", "mcp.json"] },
      format: "jsonc",
      at: ["servers"],
    },
    {
      location: { base: "home", segments: ["Library", "Application Support", "Code", "User", "mcp.json"] },
      format: "jsonc",
      at: ["servers"],
    },
    {
      location: { base: "config", segments: ["Code - Insiders", "User", "mcp.json"] },
      format: "jsonc",
      at: ["servers"],
    },
    {
      location: {
        base: "home",
        segments: ["Library", "Application Support", "Code - Insiders", "User", "mcp.json"],
      },
      format: "jsonc",
      at: ["servers"],
    },
  ],
  disabledBy: settings.flatMap((location) =>
    ["~/.copilot/hooks", ".github/hooks"].map((folder) => ({
      location,
      format: "jsonc" as const,
      at: ["chat.hookFilesLocations", folder],
      off: false,
    }))
  ),

  probe(nativeEvent, frame) {
    if (nativeEvent !== "PreToolUse") return undefined;
    const own = { timestamp: new Date(0).toISOString(), transcript_path: "/probe" };
    return probeFamily(nativeEvent, frame, own, "run_in_terminal");
  },

  marks: ["timestamp"],

  recognises(payload) {
    if (filled(payload, "timestamp") === undefined) return false;
    const others = [
      "cursor_version",
      "turn_id",
      "prompt_id",
      "tool_call_id",
      "permission_mode",
      "workspaceRoot",
    ];
    if (others.some((name) => field(payload, name) !== undefined)) return false;
    switch (text(payload, "hook_event_name", "hookEventName")) {
      case "PreToolUse":
      case "PostToolUse":
        return filled(payload, "tool_use_id") !== undefined;
      case "UserPromptSubmit":
        return ["transcript_path", "model"].some((name) => filled(payload, name) !== undefined) ||
          field(payload, "cwd") === undefined;
      default:
        return false;
    }
  },

  parse(input) {
    return parseFamily("copilot-vscode", events, input, { tools, mcp });
  },

  // Documented, and not tried: the result cannot be replaced.
  output: {
    PostToolUse: {
      field: "tool_response",
      replaces: false,
      render: ({ note }, hookEventName) =>
        json({ hookSpecificOutput: { hookEventName, additionalContext: note } }),
    },
  },

  render(answer, frame) {
    const reason = answer.reason.trim() || "guard: blocked.";
    if (stops(answer) && findEvent(events, frame.nativeEvent) === undefined) {
      return blockEverywhere(reason, frame.nativeEvent);
    }
    switch (frame.event) {
      case "pre_tool":
        if (stops(answer)) return denial(reason);
        return answer.decision === "allow" ? grant(reason) : noted(answer);
      case "prompt":
        return stops(answer) ? json({ continue: false, stopReason: reason }) : noted(answer);
      default:
        return noted(answer);
    }
  },
};

export default adapter;

/** `mcp_<server>_<tool>`; the name of the server is cut short and has no separator of its own. */
function mcp(tool: string): { server: string; tool: string } | undefined {
  const known = mcpName(tool);
  if (known !== undefined || !tool.startsWith("mcp_")) return known;
  const rest = tool.slice("mcp_".length);
  const at = rest.indexOf("_");
  return at <= 0 ? { server: rest, tool: "" } : { server: rest.slice(0, at), tool: rest.slice(at + 1) };
}
