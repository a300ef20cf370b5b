import type { Answer, HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, permissionAnswer, probeFamily, renderFamily } from "./claude_family.ts";
import { field, filled, isFields } from "./read.ts";
import { json, noted } from "./reply.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PermissionRequest", id: "permission", gates: true, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: true },
  { native: "PostToolUseFailure", id: "post_tool", gates: false, install: true },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "SubagentStart", id: "subagent_start", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "PostCompact", id: "other", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "PermissionDenied", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "StopFailure", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
  { native: "ConfigChange", id: "other", gates: false, install: false },
];

/** Values with which a variable switches something on. */
const isOn = "^(?!(?:0|false|no|off|)$)";

const adapter: HostAdapter = {
  id: "claude",
  aliases: ["claude-code"],
  title: "Claude Code",
  documentation: "https://code.claude.com/docs/en/hooks",
  events,
  capabilities: {
    ask: "always",
    modesWithoutAsk: ["bypassPermissions", "dontAsk"],
    allow: true,
    promptBlock: true,
    replaceOutput: true,
    rewriteInput: true,
    addContext: true,
    limits: [
      "A hook that is still running at its timeout is killed and the tool runs.",
      "Settings with a malformed PreToolUse entry are dropped as a whole, every hook in them included.",
      "`disableAllHooks` and `claude --bare` start the client without hooks.",
      "Without a person at the terminal (`claude -p`) a question is answered with no.",
      "In the modes bypassPermissions and dontAsk guard denies instead of asking: there nobody may be asked.",
    ],
  },
  hookShell: { posix: "sh", windows: "sh" },
  wrapper: true,
  detect: {
    executables: ["claude"],
    locations: [{
      base: "home",
      segments: [".claude"],
      relocatedBy: [{ variable: "CLAUDE_CONFIG_DIR", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".claude", "settings.json"],
        relocatedBy: [{ variable: "CLAUDE_CONFIG_DIR", segments: ["settings.json"] }],
      },
      format: "json",
      // A matcher that is left out means every tool; `*` would mean nothing to hosts that read these settings too.
      entries: familyEntries(events),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".claude", "settings.json"] },
      format: "json",
      entries: familyEntries(events),
    },
  ],
  afterInstall: ["Sessions that are already open keep their old hooks: start Claude Code anew."],
  settings: [
    ".claude.json",
    ".claude/settings.local.json",
    ".claude/plugins/**hooks.json",
    "{claude-code,ClaudeCode}/managed-{settings,mcp}.json",
    "{claude-code,ClaudeCode}/managed-settings.d/**",
  ],
  servers: [
    {
      location: {
        base: "home",
        segments: [".claude.json"],
        relocatedBy: [{ variable: "CLAUDE_CONFIG_DIR", segments: [".claude.json"] }],
      },
      format: "json",
      at: ["mcpServers"],
    },
    {
      location: {
        base: "home",
        segments: [".claude.json"],
        relocatedBy: [{ variable: "CLAUDE_CONFIG_DIR", segments: [".claude.json"] }],
      },
      format: "json",
      at: ["projects", "{project}", "mcpServers"],
    },
    { location: { base: "project", segments: [".mcp.json"] }, format: "json", at: ["mcpServers"] },
    {
      location: { base: "system", segments: ["etc", "claude-code", "managed-mcp.json"] },
      format: "json",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["claude", "claude-code"],
    packages: ["@anthropic-ai/claude-code"],
    options: [
      "--dangerously-skip-permissions",
      "--allow-dangerously-skip-permissions",
      "--bare",
      "--settings",
      "--setting-sources",
      "--safe-mode",
      "--disable-hooks",
    ],
    values: {
      "--permission-mode": "^(?:bypassPermissions|dontAsk|auto|acceptEdits)$",
      "--allowedTools": "^(?:\\*|Bash(?:\\(\\*\\))?)$",
      "--allowed-tools": "^(?:\\*|Bash(?:\\(\\*\\))?)$",
    },
    commands: "^config (?:set|add|remove|rm) .*(?:hook|permission|allow|env|trust|bypass)",
    variables: {
      CLAUDE_CODE_SIMPLE: isOn,
      CLAUDE_CODE_DISABLE_HOOKS: isOn,
    },
  },
  disabledBy: [
    {
      location: {
        base: "home",
        segments: [".claude", "settings.json"],
        relocatedBy: [{ variable: "CLAUDE_CONFIG_DIR", segments: ["settings.json"] }],
      },
      format: "json",
      at: ["disableAllHooks"],
      off: true,
    },
    {
      location: { base: "project", segments: [".claude", "settings.json"] },
      format: "json",
      at: ["disableAllHooks"],
      off: true,
    },
    {
      location: { base: "project", segments: [".claude", "settings.local.json"] },
      format: "json",
      at: ["disableAllHooks"],
      off: true,
    },
  ],

  probe(nativeEvent, frame) {
    return probeFamily(nativeEvent, frame, {
      prompt_id: "probe",
      permission_mode: "default",
      effort: { level: "high" },
    });
  },

  subagent: { agent_id: "probe", agent_type: "general-purpose" },

  marks: ["prompt_id", "effort"],

  recognises(payload) {
    if (["cursor_version", "timestamp", "turn_id"].some((name) => field(payload, name) !== undefined)) {
      return false;
    }
    return filled(payload, "hook_event_name") !== undefined &&
      (isFields(field(payload, "effort")) ||
        (filled(payload, "prompt_id") !== undefined &&
          ["permission_mode", "transcript_path"].some((name) => filled(payload, name) !== undefined)));
  },

  parse(input) {
    return parseFamily("claude", events, input);
  },

  // Observed in Claude Code 2.1.332: the replacement counts only in the tool's own shape, and never for a failure.
  output: {
    PostToolUse: {
      field: "tool_response",
      replaces: true,
      render: ({ note, result }, hookEventName) =>
        json({
          hookSpecificOutput: {
            hookEventName,
            additionalContext: note,
            ...(result === undefined ? {} : { updatedToolOutput: result }),
          },
        }),
    },
    PostToolUseFailure: {
      field: "error",
      replaces: false,
      render: ({ note }, hookEventName) =>
        json({ hookSpecificOutput: { hookEventName, additionalContext: note } }),
    },
  },

  render(answer, frame) {
    return renderFamily(answer, frame, events, preTool);
  },
};

export default adapter;

function preTool(answer: Answer): HookReply {
  return answer.decision === "none" ? noted(answer) : json(permissionAnswer(answer.decision, answer.reason));
}
