import { blockEverywhere } from "../src/block.ts";
import type { HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, probeFamily } from "./claude_family.ts";
import { findEvent } from "./events.ts";
import { field, filled, text } from "./read.ts";
import { noted, silence, stops } from "./reply.ts";
import type { ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "PostToolUseFailure", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "SubagentStart", id: "subagent_start", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "PostCompact", id: "other", gates: false, install: false },
  { native: "PermissionDenied", id: "other", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "SubagentEnd", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "StopFailure", id: "other", gates: false, install: false },
  { native: "StopCancelled", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = { hashlineedit: "edit" };

/** Characters of a reason that reach the model. */
const reasonLimit = 256;

const adapter: HostAdapter = {
  id: "grok",
  aliases: ["grok-build", "grok-cli"],
  title: "Grok Build",
  documentation: "https://github.com/xai-org/grok-build",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: false,
    limits: [
      "Not tried with the real client: built from its source and published measurements.",
      "A hook that is still running at its timeout, or that ends with another code than 0 or 2, lets the tool run.",
      "A question counts as a failed hook in older versions and lets the tool run, so guard denies instead.",
      "Older versions do not let a hook block a prompt.",
      "Only the first 256 characters of a reason reach the model, so guard shortens it.",
      "Hooks of a project run only in a folder that the client trusts.",
      "A tool input of more than 128 KiB arrives cut off, and guard denies what it cannot see whole.",
      'What guard notes about a prompt stands in its log only; with `prompts: "deny"` in the policy such a prompt is stopped.',
    ],
  },
  // On Windows the client picks a shell: plain words are the same in all of them.
  hookShell: { posix: "sh", windows: "none" },
  wrapper: true,
  detect: {
    executables: ["grok"],
    locations: [{
      base: "home",
      segments: [".grok"],
      relocatedBy: [{ variable: "GROK_HOME", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".grok", "hooks", "guard.json"],
        relocatedBy: [{ variable: "GROK_HOME", segments: ["hooks", "guard.json"] }],
      },
      format: "json",
      entries: familyEntries(events),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".grok", "hooks", "guard.json"] },
      format: "json",
      entries: familyEntries(events),
    },
  ],
  afterInstall: [
    "Grok also runs the hooks of Claude Code and Cursor: with several installed, each call is judged by each entry.",
  ],

  settings: [
    ".grok/hooks/**",
    ".grok/{config.toml,managed_config.toml,requirements.toml}",
    ".grok/{hooks,settings,user-settings}.json",
    "etc/grok/**",
  ],
  servers: [
    { location: { base: "home", segments: [".grok", "config.toml"] }, format: "toml", at: ["mcp_servers"] },
    {
      location: { base: "project", segments: [".grok", "config.toml"] },
      format: "toml",
      at: ["mcp_servers"],
    },
  ],
  unchecked: {
    programs: ["grok"],
    options: ["--always-approve", "--yolo"],
    values: { "--permission-mode": "^(?:bypassPermissions|dontAsk|acceptEdits|auto)$" },
  },
  probe(nativeEvent, frame) {
    const payload = probeFamily(nativeEvent, frame, {}, "run_terminal_command");
    if (payload === undefined) return undefined;
    const event = nativeEvent.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();
    return {
      hookEventName: event,
      sessionId: frame.session,
      cwd: frame.cwd,
      workspaceRoot: frame.cwd,
      timestamp: new Date(0).toISOString(),
      ...(payload.tool_name === undefined
        ? { prompt: payload.prompt }
        : { toolName: payload.tool_name, toolUseId: "probe", toolInput: payload.tool_input }),
    };
  },

  subagent: { subagentType: "explore" },

  marks: ["hookEventName"],

  recognises(payload) {
    // The name in camel case with a value in snake case is its own.
    return /^[a-z]+(?:_[a-z]+)*$/.test(text(payload, "hookEventName") ?? "") &&
      filled(payload, "sessionId") !== undefined && field(payload, "cursor_version") === undefined;
  },

  parse(input) {
    return parseFamily("grok", events, input, { tools, mcp });
  },

  render(answer, frame): HookReply {
    const reason = answer.reason.trim() || "guard: blocked.";
    const event = findEvent(events, frame.nativeEvent);
    if (stops(answer) && event === undefined) return blockEverywhere(reason, frame.nativeEvent);
    if (event?.gates === false) return noted(answer);
    if (!stops(answer)) return silence;
    // A document that is not understood lets the tool run whatever the exit code was, so it says nothing else.
    return {
      stdout: JSON.stringify({
        decision: frame.event === "prompt" ? "block" : "deny",
        reason: shortened(reason),
      }),
      stderr: `${shortened(reason)}\n`,
      exitCode: 2,
    };
  },
};

export default adapter;

/** `<server>__<tool>`, which the client has resolved from its call of `use_tool`. */
function mcp(tool: string): { server: string; tool: string } | undefined {
  const name = tool.startsWith("mcp__") ? tool.slice("mcp__".length) : tool;
  const at = name.indexOf("__");
  return at <= 0 ? undefined : { server: name.slice(0, at), tool: name.slice(at + 2) };
}

/** As much of a reason as reaches the model; how a person can allow the action stands at its end and is kept. */
function shortened(reason: string): string {
  const line = reason.replaceAll(/\s+/g, " ");
  if (line.length <= reasonLimit) return line;
  const consent = / ([^.]*: guard allow [A-Z0-9]{8})$/.exec(line)?.[1];
  const kept = consent === undefined
    ? ""
    : " A person can allow it with" + consent.slice(consent.lastIndexOf(":"));
  return `${line.slice(0, reasonLimit - kept.length - 1).trimEnd()}…${kept}`;
}
