import type { Answer, HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, permissionAnswer, renderFamily } from "./claude_family.ts";
import { field, type Fields, filled } from "./read.ts";
import { json, silence } from "./reply.ts";
import { shellQuoted, type ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "PromptSubmit", id: "prompt", gates: false, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = {
  launchprocess: "shell",
  writeprocess: "typing",
  savefile: "write",
  strreplaceeditor: "editor",
  removefiles: "delete",
};

const adapter: HostAdapter = {
  id: "augment",
  aliases: ["auggie", "augment-code"],
  title: "Augment (Auggie CLI)",
  documentation: "https://docs.augmentcode.com/cli/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: true,
    addContext: false,
    limits: [
      "Hooks run only when Augment has switched them on for the account (`enable_hooks`); otherwise they are skipped without a word.",
      "A hook that is still running at its timeout is killed and the tool runs.",
      "A tool about which a hook asks runs, so guard denies instead.",
      "A prompt is not looked at, and a tool's output cannot be blocked or replaced.",
    ],
  },
  hookShell: { posix: "sh", windows: "cmd" },
  wrapper: true,
  detect: { executables: ["auggie"], locations: [{ base: "home", segments: [".augment"] }] },
  install: (["user", "project"] as const).map((scope) => ({
    scope,
    location: { base: scope === "user" ? "home" : "project", segments: [".augment", "settings.json"] },
    format: "json",
    // Milliseconds. No other pattern than `.*` matches the tools of MCP servers too; `*` matches nothing.
    entries: familyEntries(events, { timeout: 30_000, matcher: ".*" }),
  })),
  afterInstall: [
    "Whether your account runs hooks at all shows only in use: ask auggie to read a file below ~/.ssh.",
  ],

  settings: [".augment/settings.local.json", "{etc/augment,ProgramData/Augment}/settings.json"],
  servers: [
    {
      location: { base: "home", segments: [".augment", "settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "project", segments: [".augment", "settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["auggie"],
    packages: ["@augmentcode/auggie"],
    options: ["--dangerously-skip-permissions"],
    values: { "--permission": "allow" },
  },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    if (nativeEvent !== "PreToolUse") return undefined;
    const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    return {
      hook_event_name: nativeEvent,
      conversation_id: session,
      workspace_roots: [cwd],
      tool_name: "launch-process",
      tool_input: { command, wait: true, cwd },
      is_mcp_tool: false,
    };
  },

  marks: ["is_mcp_tool"],

  recognises(payload) {
    return typeof field(payload, "is_mcp_tool") === "boolean" &&
      filled(payload, "conversation_id") !== undefined &&
      field(payload, "cursor_version") === undefined;
  },

  parse(input) {
    return parseFamily("augment", events, input, { tools, mcp });
  },

  render(answer, frame) {
    const reply = renderFamily(answer, frame, events, preTool);
    // Beside a permission nothing is known to be read.
    return answer.decision === "none" ? silence : reply;
  },
};

export default adapter;

/** `<tool>_<server>`, and the payload says that it is one. */
function mcp(tool: string, payload: Fields): { server: string; tool: string } | undefined {
  if (field(payload, "is_mcp_tool") !== true) return undefined;
  const at = tool.lastIndexOf("_");
  return at <= 0 ? { server: "", tool } : { server: tool.slice(at + 1), tool: tool.slice(0, at) };
}

function preTool(answer: Answer): HookReply {
  return answer.decision === "deny" || answer.decision === "ask"
    ? json(permissionAnswer("deny", answer.reason))
    : silence;
}
