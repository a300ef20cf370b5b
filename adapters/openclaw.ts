import type { Action, HostAdapter, HostEvent, InstallTarget, Location, WholeTarget } from "../src/types.ts";
import { findEvent } from "./events.ts";
import {
  isFromPlugin,
  parsePlugin,
  pluginOutput,
  probePlugin,
  renderPlugin,
  wholePlugin,
} from "./plugin_family.ts";
import { field, type Fields, text } from "./read.ts";
import { toolActions, type ToolKind, type ToolOptions } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "before_tool_call", id: "pre_tool", gates: true, install: true },
  // A contract of the client's plugins, and no hook.
  { native: "agentToolResultMiddleware", id: "post_tool", gates: false, install: true },
  { native: "after_tool_call", id: "post_tool", gates: false, install: false },
  { native: "session_start", id: "session_start", gates: false, install: true },
  { native: "session_end", id: "session_end", gates: false, install: false },
  { native: "before_agent_run", id: "other", gates: false, install: false },
  { native: "before_compaction", id: "compact", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "openclaw",
  title: "OpenClaw",
  end: "openclaw",
  events: ["before_tool_call", "agentToolResultMiddleware", "session_start"],
});

/** A file of the plugin beside its code; JSON has no comments, so the stamp stands in a text. */
function besides(content: (description: string) => unknown): Omit<WholeTarget, "scope" | "location"> {
  return {
    format: "whole",
    events: [],
    executable: false,
    content: ({ stamp }) =>
      `${JSON.stringify(content(`Asks guard about every tool call. ${stamp}`), null, 2)}\n`,
  };
}

/** A place in the client's own directory. */
function inState(...segments: readonly string[]): Location {
  return {
    base: "home",
    segments: [".openclaw", ...segments],
    relocatedBy: [
      { variable: "OPENCLAW_STATE_DIR", segments },
      { variable: "OPENCLAW_HOME", segments: [".openclaw", ...segments] },
    ],
  };
}

const configuration: Location = {
  ...inState("openclaw.json"),
  relocatedBy: [
    { variable: "OPENCLAW_CONFIG_PATH", segments: [] },
    ...inState("openclaw.json").relocatedBy ?? [],
  ],
};

/** The member without which the client loads no plugin from there. */
const enabled = ["plugins", "entries", "guard", "enabled"];

const install: readonly InstallTarget[] = [
  { scope: "user", location: inState("extensions", "guard", "index.js"), ...plugin },
  {
    scope: "user",
    location: inState("extensions", "guard", "package.json"),
    ...besides((description) => ({
      name: "guard",
      version: "1.0.0",
      private: true,
      description,
      type: "module",
      openclaw: { extensions: ["./index.js"] },
    })),
  },
  {
    scope: "user",
    location: inState("extensions", "guard", "openclaw.plugin.json"),
    ...besides((description) => ({
      id: "guard",
      name: "guard",
      description,
      contracts: { agentToolResultMiddleware: ["openclaw", "codex"] },
      activation: { onStartup: true, onCapabilities: ["hook"] },
      configSchema: { type: "object", additionalProperties: false },
    })),
  },
  {
    scope: "user",
    location: configuration,
    format: "jsonc",
    entries: [],
    settings: [{ event: "before_tool_call", at: enabled, value: true }],
  },
];

const tools: Readonly<Record<string, ToolKind>> = { exec: "shell", nodeexec: "shell" };

function ownActions(tool: string, input: Fields, options: ToolOptions): Action[] | undefined {
  return tool === "process" ? typed(tool, input, options) : serverActions(tool, input);
}

/** What is written into a process that runs: judged as a shell would take it. */
function typed(tool: string, input: Fields, options: ToolOptions): Action[] {
  const keys = field(input, "keys");
  const parts = [
    ...["data", "text", "literal"].map((name) => text(input, name)),
    ...(Array.isArray(keys) ? keys.filter((key): key is string => typeof key === "string") : []),
  ].filter((part) => part !== undefined && part !== "");
  return parts.length === 0
    ? [{ kind: "unknown", tool, input }]
    : toolActions("write_stdin", { chars: parts.join("\n") }, options);
}

/** `<server>__<tool>`; the client's own tools have no such separator. */
function serverActions(tool: string, input: Fields): Action[] | undefined {
  const at = tool.indexOf("__");
  return at <= 0 || tool.startsWith("mcp__")
    ? undefined
    : [{ kind: "mcp", server: tool.slice(0, at), tool: tool.slice(at + 2), input }];
}

const adapter: HostAdapter = {
  id: "openclaw",
  aliases: ["open-claw", "clawdbot", "moltbot"],
  title: "OpenClaw",
  documentation: "https://docs.openclaw.ai/plugins/hooks/tool-policy",
  events,
  capabilities: {
    ask: "interactive",
    allow: false,
    promptBlock: false,
    replaceOutput: true,
    rewriteInput: true,
    addContext: false,
    limits: [
      "`openclaw agent exec` loads no plugin for its tool calls, so that guard sees none of them (2026.9.6).",
      "Runs through the Gateway were not driven in a test, only those with `agent --local`.",
      "Native tools of other engines (Codex, Copilot, Claude) reach plugins in part only, as the client's documentation says.",
      "A plugin is shown the call as it was before other plugins changed it.",
      "With `plugins.allow` in the configuration, guard is loaded only when it is in that list.",
      "`plugins.enabled: false` and a `plugins.deny` with guard in it switch it off.",
      "The client can ask where a person is connected, which a plugin cannot see, so guard denies instead.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  unenforced: [{
    scope: "project",
    why: "OpenClaw loads no plugin of a project unless its configuration names it: install for the user.",
  }],
  detect: { executables: ["openclaw"], locations: [inState()] },
  install,
  afterInstall: [
    "Restart the Gateway, or run: openclaw plugins reload guard",
    "If `plugins.allow` is set in openclaw.json, add guard to it.",
  ],
  servers: [
    {
      location: { base: "home", segments: [".openclaw", "openclaw.json"] },
      format: "jsonc",
      at: ["mcp", "servers"],
    },
  ],
  disabledBy: [
    { location: configuration, format: "jsonc", at: ["plugins", "enabled"], off: false },
    { location: configuration, format: "jsonc", at: enabled, on: true },
  ],
  settings: [".openclaw/{plugins,hooks,extensions}/**", ".openclaw/exec-approvals.json"],
  unchecked: {
    programs: ["openclaw"],
    options: [],
    commands:
      "^(?:agent exec|plugins (?:disable|uninstall|remove|rm)|config (?:set|unset) (?:plugins|tools))\\b",
  },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("openclaw", findEvent(events, nativeEvent), "exec", frame);
  },

  recognises(payload) {
    return isFromPlugin("openclaw", payload);
  },

  parse(input) {
    // A script for the client's own sandbox; the calls in it come one by one.
    const script = text(input.payload, "tool_kind") === "code_mode_exec";
    const own = script
      ? (tool: string, fields: Fields): Action[] => [{ kind: "unknown", tool, input: fields }]
      : ownActions;
    return parsePlugin("openclaw", events, input, { tools, own });
  },

  output: { agentToolResultMiddleware: pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
