import { blockEverywhere } from "../src/block.ts";
import type { HookReply, HostAdapter, HostEvent, Location } from "../src/types.ts";
import { parseFamily } from "./claude_family.ts";
import { copilotFile, copilotHooks, denial, grant } from "./copilot_hooks.ts";
import { findEvent } from "./events.ts";
import { field, filled, text } from "./read.ts";
import { json, silence, stops } from "./reply.ts";
import { mcpName, shellQuoted } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "preToolUse", id: "pre_tool", gates: true, install: true },
  { native: "permissionRequest", id: "permission", gates: true, install: false },
  // Only entries in the form of Claude Code get this name; what they answer to `userPromptSubmitted` is dropped.
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: false },
  { native: "userPromptSubmitted", id: "prompt", gates: false, install: false },
  { native: "userPromptTransformed", id: "other", gates: false, install: false },
  { native: "postToolUse", id: "post_tool", gates: false, install: true },
  { native: "postToolUseFailure", id: "post_tool", gates: false, install: false },
  { native: "sessionStart", id: "session_start", gates: false, install: false },
  { native: "sessionEnd", id: "session_end", gates: false, install: false },
  { native: "subagentStart", id: "subagent_start", gates: false, install: false },
  { native: "preCompact", id: "compact", gates: false, install: false },
  { native: "subagentStop", id: "other", gates: false, install: false },
  { native: "agentStop", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "notification", id: "other", gates: false, install: false },
  { native: "errorOccurred", id: "other", gates: false, install: false },
  { native: "preMcpToolCall", id: "other", gates: false, install: false },
];

/** Fields of a payload in the form of Claude Code; other hosts that send it add more. */
const claudeForm = new Set([
  "hook_event_name",
  "session_id",
  "timestamp",
  "cwd",
  "prompt",
  "tool_name",
  "tool_input",
  "tool_result",
  "error",
  "source",
  "initial_prompt",
  "reason",
  "agent_id",
  "agent_type",
  "parent_agent_id",
]);

/** Settings of Copilot CLI that are no hook files. */
function settings(base: "home" | "project", name: string): Location {
  return base === "home"
    ? {
      base,
      segments: [".copilot", name],
      relocatedBy: [{ variable: "COPILOT_HOME", segments: [name] }],
    }
    : { base, segments: [".github", "copilot", name] };
}

/** Values with which a variable switches something on. */
const isOn = "^(?!(?:0|false|no|off|)$)";

const adapter: HostAdapter = {
  id: "copilot",
  aliases: ["copilot-cli", "github-copilot"],
  title: "GitHub Copilot CLI",
  documentation: "https://docs.github.com/en/copilot/reference/hooks-reference",
  events,
  capabilities: {
    // The client asks a person at its terminal, but its other surfaces run the tool instead
    // (https://github.com/github/app/issues/228), and a hook cannot see which of them calls.
    ask: "interactive",
    allow: true,
    promptBlock: true,
    replaceOutput: true,
    rewriteInput: true,
    addContext: true,
    limits: [
      "A hook that is still running at its timeout is killed and the tool runs.",
      "Hooks of a project run only in a folder that the client trusts; `--allow-all-tools` is no trust.",
      "A prompt cannot be blocked by the hooks that guard registers: what they answer is dropped.",
      "Not every surface asks when a hook wants a question, so guard denies instead.",
      "`disableAllHooks` in a hook file or in the settings of a repository switches hooks off.",
      "A hook file that is not valid JSON is dropped and the tools run.",
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: true,
  detect: {
    executables: ["copilot"],
    locations: [{
      base: "home",
      segments: [".copilot"],
      relocatedBy: [{ variable: "COPILOT_HOME", segments: [] }],
    }],
  },
  install: copilotHooks,
  afterInstall: [
    "In a project the hooks run only when the folder is trusted: start copilot there and trust it.",
    "Agents in VS Code run the same hook file, and so does the cloud agent when it is committed.",
  ],
  settings: [
    ".copilot/hooks/**",
    ".copilot/{settings,config,permissions-config}.json",
    ".github/hooks/**",
    "{github-copilot,GitHub/Copilot}/policy.d/**",
  ],
  servers: [
    {
      location: { base: "home", segments: [".copilot", "mcp-config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    { location: { base: "project", segments: [".mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
    { location: { base: "project", segments: [".github", "mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
    { location: { base: "project", segments: [".vscode", "mcp.json"] }, format: "jsonc", at: ["servers"] },
  ],
  unchecked: {
    programs: ["copilot", "copilot-cli"],
    packages: ["@github/copilot"],
    options: ["--allow-all-tools", "--allow-all", "--yolo", "--allow-all-paths", "--config-dir"],
    values: { "--allow-tool": "^shell" },
    variables: { COPILOT_ALLOW_ALL: isOn },
  },
  disabledBy: [
    ...[
      copilotFile("home"),
      copilotFile("project"),
      settings("home", "settings.json"),
      settings("home", "config.json"),
      settings("project", "settings.json"),
      settings("project", "settings.local.json"),
    ].map((location) => ({ location, format: "json" as const, at: ["disableAllHooks"], off: true })),
  ],

  probe(nativeEvent, { harmful, session, cwd, home }) {
    if (nativeEvent !== "preToolUse") return undefined;
    const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    return { sessionId: session, timestamp: 0, cwd, toolName: "bash", toolArgs: { command } };
  },

  subagent: { agentId: "probe", agentType: "task", parentAgentId: "probe" },

  marks: ["sessionId", "timestamp"],

  recognises(payload) {
    if (typeof field(payload, "timestamp") === "number") return filled(payload, "sessionId") !== undefined;
    // An entry in the form of Claude Code, from `.claude/settings.json`: exactly these fields and no others.
    const event = findEvent(events, text(payload, "hook_event_name") ?? "");
    return event !== undefined && !["other", "compact", "subagent_start"].includes(event.id) &&
      ["session_id", "timestamp", "cwd"].every((name) => filled(payload, name) !== undefined) &&
      Object.keys(payload).every((name) => claudeForm.has(name));
  },

  parse(input) {
    return parseFamily("copilot", events, input, { mcp, textInput: true });
  },

  output: {
    postToolUse: {
      field: "toolResult",
      replaces: true,
      render: ({ note, result }) =>
        json({
          ...(result === undefined ? {} : { modifiedResult: result }),
          additionalContext: note,
        }),
    },
  },

  render(answer, frame): HookReply {
    const reason = answer.reason.trim() || "guard: blocked.";
    const event = findEvent(events, frame.nativeEvent);
    if (stops(answer) && event === undefined) return blockEverywhere(reason, frame.nativeEvent);
    switch (frame.event) {
      case "pre_tool":
        if (stops(answer)) return denial(reason);
        return answer.decision === "allow" ? grant(reason) : silence;
      case "permission":
        return answer.decision === "deny" ? json({ behavior: "deny", message: reason }) : silence;
      case "prompt":
        return stops(answer) && event?.gates === true ? json({ decision: "block", reason }) : silence;
      default:
        return silence;
    }
  },
};

export default adapter;

/** Names of built-in tools have no hyphen: what stands before the first one is an MCP server's name. */
function mcp(tool: string): { server: string; tool: string } | undefined {
  const at = tool.search(/[-/]/);
  return mcpName(tool) ?? (at <= 0 ? undefined : { server: tool.slice(0, at), tool: tool.slice(at + 1) });
}
