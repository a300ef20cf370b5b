import type { Answer, HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, permissionAnswer, probeFamily, renderFamily } from "./claude_family.ts";
import { field, filled } from "./read.ts";
import { json, noted } from "./reply.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PermissionRequest", id: "permission", gates: true, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: true },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "SubagentStart", id: "subagent_start", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "PostCompact", id: "other", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "Interrupt", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
];

const adapter: HostAdapter = {
  id: "codex",
  aliases: ["codex-cli"],
  title: "Codex CLI",
  documentation: "https://developers.openai.com/codex/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: true,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Hooks are skipped without a word until the person has trusted them, and again after every change.",
      "What is typed into a running shell (`write_stdin`) fires no hook, so guard judges the start of an interactive one.",
      "A hook that is still running at its timeout is killed and the tool runs.",
      "Questions are not supported: an answer that asks is dropped and the tool runs, so guard denies instead.",
      "A hooks.json with one malformed handler is dropped as a whole, and `--disable hooks` starts without hooks.",
      "Hooks of a project run only when the project is trusted.",
    ],
  },
  hookShell: { posix: "sh", windows: "cmd" },
  wrapper: true,
  detect: {
    executables: ["codex"],
    locations: [{
      base: "home",
      segments: [".codex"],
      relocatedBy: [{ variable: "CODEX_HOME", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".codex", "hooks.json"],
        relocatedBy: [{ variable: "CODEX_HOME", segments: ["hooks.json"] }],
      },
      format: "json",
      entries: familyEntries(events, { matcher: "*" }),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".codex", "hooks.json"] },
      format: "json",
      entries: familyEntries(events, { matcher: "*" }),
    },
  ],
  afterInstall: [
    "Codex runs a new or changed hook only after you have trusted it: start codex, open /hooks and trust guard's entries.",
    "In automation where the hooks file is yours, `--dangerously-bypass-hook-trust` makes Codex run them untrusted.",
  ],
  settings: [
    "{.codex,codex}/{hooks.json,config.toml,managed_config.toml,requirements.toml}",
    "{.codex,codex}/rules/**",
  ],
  servers: [
    {
      location: {
        base: "home",
        segments: [".codex", "config.toml"],
        relocatedBy: [{ variable: "CODEX_HOME", segments: ["config.toml"] }],
      },
      format: "toml",
      at: ["mcp_servers"],
    },
    {
      location: { base: "project", segments: [".codex", "config.toml"] },
      format: "toml",
      at: ["mcp_servers"],
    },
  ],
  unchecked: {
    programs: ["codex"],
    packages: ["@openai/codex"],
    options: [
      "--dangerously-bypass-approvals-and-sandbox",
      "--dangerously-bypass-hook-trust",
      "--full-auto",
      "--yolo",
      "--ignore-user-config",
      "--ignore-rules",
    ],
    values: {
      "--ask-for-approval": "^never$",
      "-a": "^never$",
      "--sandbox": "^danger-full-access$",
      "-s": "^danger-full-access$",
      "--disable": "hooks",
      "--config": "hook|approval_policy|sandbox_mode|features",
      "-c": "hook|approval_policy|sandbox_mode|features",
    },
    commands: "^features (?:enable|disable) ",
  },
  disabledBy: [{
    location: {
      base: "home",
      segments: [".codex", "config.toml"],
      relocatedBy: [{ variable: "CODEX_HOME", segments: ["config.toml"] }],
    },
    format: "toml",
    at: ["features", "hooks"],
    off: false,
  }],

  probe(nativeEvent, frame) {
    return probeFamily(nativeEvent, frame, { turn_id: "probe", model: "probe", permission_mode: "default" });
  },

  marks: ["turn_id"],

  recognises(payload) {
    return filled(payload, "turn_id") !== undefined && filled(payload, "model") !== undefined &&
      field(payload, "timestamp") === undefined && field(payload, "cursor_version") === undefined;
  },

  parse(input) {
    return parseFamily("codex", events, input, { unobservedInput: true });
  },

  // Observed in Codex 0.171.0: the reason of a block is shown in the place of the result, of which no other replacement
  // is known; an unknown key makes the answer void.
  output: {
    PostToolUse: {
      field: "tool_response",
      replaces: true,
      render: ({ note, text }, hookEventName) =>
        text === undefined
          ? json({ hookSpecificOutput: { hookEventName, additionalContext: note } })
          : json({ decision: "block", reason: `${note}\n\n${text}` }),
    },
  },

  render(answer, frame) {
    return renderFamily(answer, frame, events, preTool);
  },
};

export default adapter;

/** Codex drops an answer with `allow`, `ask` or an unknown key and runs the tool: everything but silence denies. */
function preTool(answer: Answer): HookReply {
  if (answer.decision === "none" || answer.decision === "allow") return noted(answer);
  return json(permissionAnswer("deny", answer.reason));
}
