import type { HostAdapter, HostEvent } from "../src/types.ts";
import { findEvent } from "./events.ts";
import {
  isFromPlugin,
  parsePlugin,
  pluginOutput,
  probePlugin,
  renderPlugin,
  wholePlugin,
} from "./plugin_family.ts";
import type { ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "tool.call", id: "pre_tool", gates: true, install: true },
  { native: "tool.result", id: "post_tool", gates: false, install: true },
  { native: "session.start", id: "session_start", gates: false, install: true },
  { native: "agent.start", id: "other", gates: false, install: false },
  { native: "agent.end", id: "other", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "amp",
  title: "Amp",
  end: "amp",
  events: ["tool.call", "tool.result", "session.start"],
});

const tools: Readonly<Record<string, ToolKind>> = {
  shellcommand: "shell",
  undoedit: "edit",
  readwebpage: "fetch",
};

const adapter: HostAdapter = {
  id: "amp",
  aliases: ["ampcode"],
  title: "Amp",
  documentation: "https://ampcode.com/docs/plugin-api",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: true,
    rewriteInput: true,
    addContext: false,
    limits: [
      "Tried in the client's own runtime for plugins (0.0.1790142911), in no session, which takes an account.",
      "What the client does when a plugin cannot be loaded, fails or hangs is not known.",
      "The order of plugins is not defined: another one can change a call that guard has passed.",
      "Threads that run on Amp's own machines load no plugins from this one.",
      "A plugin can ask only where the interface is there, so guard denies instead.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: ["amp"],
    locations: [
      {
        base: "home",
        segments: [".config", "amp"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["amp"] }],
      },
    ],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".config", "amp", "plugins", "guard.ts"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["amp", "plugins", "guard.ts"] }],
      },
      ...plugin,
    },
    {
      scope: "project",
      location: { base: "project", segments: [".amp", "plugins", "guard.ts"] },
      ...plugin,
    },
  ],
  afterInstall: [
    "Sessions that are already open have no guard: start Amp anew, or run `plugins: reload` from its palette.",
  ],
  settings: ["{.amp,amp}/plugins/**", "{.amp,amp}/settings.{json,jsonc}"],
  servers: [
    {
      location: { base: "config", segments: ["amp", "settings.json"] },
      format: "jsonc",
      at: ["amp.mcpServers"],
    },
    {
      location: { base: "project", segments: [".amp", "settings.json"] },
      format: "jsonc",
      at: ["amp.mcpServers"],
    },
  ],
  unchecked: {
    programs: ["amp"],
    options: ["--dangerously-allow-all"],
    values: { "--settings-file": "." },
    packages: ["@ampcode/cli", "@sourcegraph/amp"],
    variables: { AMP_SETTINGS_FILE: "." },
  },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("amp", findEvent(events, nativeEvent), "Bash", frame);
  },

  recognises(payload) {
    return isFromPlugin("amp", payload);
  },

  parse(input) {
    return parsePlugin("amp", events, input, { tools });
  },

  output: { "tool.result": pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
