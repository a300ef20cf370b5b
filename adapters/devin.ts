import { blockEverywhere } from "../src/block.ts";
import type { HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, probeFamily } from "./claude_family.ts";
import { findEvent } from "./events.ts";
import { field, filled } from "./read.ts";
import { contextOf, json, noted, silence, stops } from "./reply.ts";
import type { ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PermissionRequest", id: "permission", gates: true, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "PostCompaction", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = { exec: "shell" };

const adapter: HostAdapter = {
  id: "devin",
  aliases: ["devin-cli"],
  title: "Devin CLI",
  documentation: "https://docs.devin.ai/cli/extensibility/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation.",
      "A hook that ends with another code than 0 or 2 lets the tool run, and what follows a timeout is not documented.",
      "A hook cannot ask, so guard denies instead.",
      "A tool's output cannot be blocked or replaced.",
      "Cascade, the older agent of the same vendor's editor, has hooks of its own: see windsurf.",
    ],
  },
  hookShell: { posix: "sh", windows: "cmd" },
  wrapper: true,
  detect: { executables: ["devin"], locations: [{ base: "config", segments: ["devin"] }] },
  install: [
    {
      scope: "user",
      location: { base: "config", segments: ["devin", "config.json"] },
      format: "json",
      entries: familyEntries(events),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".devin", "hooks.v1.json"] },
      format: "json",
      // The file holds hooks only, without a member around them.
      entries: familyEntries(events).map((entry) => ({ ...entry, at: [entry.event] })),
    },
  ],
  afterInstall: [
    "Devin also runs the hooks of Claude Code: with both installed, each call is judged by both entries.",
  ],

  settings: [".devin/{config,config.local,settings,settings.local,hooks}.json"],
  servers: [
    { location: { base: "config", segments: ["devin", "config.json"] }, format: "jsonc", at: ["mcpServers"] },
    {
      location: { base: "project", segments: [".devin", "config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["devin"],
    options: [],
    values: { "--permission-mode": "^(?:bypass|yolo|dangerous|accept-edits|autonomous)$" },
  },
  probe(nativeEvent, frame) {
    return probeFamily(nativeEvent, frame, { prompt_id: "probe" }, "exec");
  },

  marks: ["prompt_id"],

  recognises(payload) {
    // It sends fewer fields than Claude Code, whose hooks it runs as well.
    const more = [
      ...["transcript_path", "permission_mode", "effort", "timestamp", "turn_id", "tool_call_id"],
      "cursor_version",
    ];
    return filled(payload, "prompt_id") !== undefined && filled(payload, "hook_event_name") !== undefined &&
      more.every((name) => field(payload, name) === undefined);
  },

  parse(input) {
    return parseFamily("devin", events, input, { tools });
  },

  render(answer, frame): HookReply {
    const reason = answer.reason.trim() || "guard: blocked.";
    const event = findEvent(events, frame.nativeEvent);
    if (stops(answer) && event === undefined) return blockEverywhere(reason, frame.nativeEvent);
    if (event?.gates === false) return noted(answer, frame);
    const context = contextOf(answer, frame);
    // At a permission event the client is about to ask by itself.
    const stop = frame.event === "permission" ? answer.decision === "deny" : stops(answer);
    return stop
      ? { stdout: JSON.stringify({ decision: "block", reason }), stderr: `${reason}\n`, exitCode: 2 }
      : context.hookSpecificOutput === undefined
      ? silence
      : json(context);
  },
};

export default adapter;
