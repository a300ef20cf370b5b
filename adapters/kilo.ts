import type { HostAdapter, HostEvent } from "../src/types.ts";
import { findEvent } from "./events.ts";
import { opencodeTools } from "./opencode_tools.ts";
import {
  isFromPlugin,
  parsePlugin,
  pluginOutput,
  probePlugin,
  renderPlugin,
  wholePlugin,
} from "./plugin_family.ts";

const events: readonly HostEvent[] = [
  { native: "tool.execute.before", id: "pre_tool", gates: true, install: true },
  { native: "tool.execute.after", id: "post_tool", gates: false, install: true },
  { native: "session.created", id: "session_start", gates: false, install: true },
  { native: "chat.message", id: "other", gates: false, install: false },
  // Among the client's types, and never called by OpenCode 1.18.33, from which it was made.
  { native: "permission.ask", id: "other", gates: false, install: false },
  { native: "event", id: "other", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "kilo",
  title: "Kilo Code",
  end: "opencode",
  events: ["tool.execute.before", "tool.execute.after", "session.created"],
});

const adapter: HostAdapter = {
  id: "kilo",
  aliases: ["kilo-code", "kilocode"],
  title: "Kilo Code",
  documentation: "https://kilo.ai/docs/automate/extending/plugins",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: true,
    rewriteInput: true,
    addContext: false,
    limits: [
      "A plugin that cannot be loaded is left out without a message, and every tool then runs.",
      "`kilo --pure` and the variable KILO_PURE start the client without plugins.",
      "A plugin that is loaded after guard's can still change a call that guard has passed.",
      "Commands that the person types behind `!` fire no hook.",
      "What is written into a background process later fires no hook.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: ["kilo", "kilocode"],
    locations: [
      {
        base: "home",
        segments: [".config", "kilo"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["kilo"] }],
      },
      { base: "home", segments: [".kilo"] },
    ],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".config", "kilo", "plugins", "guard.js"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["kilo", "plugins", "guard.js"] }],
      },
      ...plugin,
    },
    {
      scope: "project",
      location: { base: "project", segments: [".kilo", "plugins", "guard.js"] },
      ...plugin,
    },
  ],
  afterInstall: ["Sessions that are already open have no guard: start Kilo Code anew."],
  settings: [
    "{.kilo,.kilocode,kilo}/{plugin,plugins}/**",
    "{.kilo,.kilocode,kilo}/{kilo,opencode,config}.{json,jsonc}",
    "kilo.{json,jsonc}",
  ],
  servers: [
    { location: { base: "config", segments: ["kilo", "kilo.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "config", segments: ["kilo", "kilo.jsonc"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "config", segments: ["kilo", "opencode.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "config", segments: ["kilo", "opencode.jsonc"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: ["kilo.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: ["kilo.jsonc"] }, format: "jsonc", at: ["mcp"] },
    {
      location: { base: "project", segments: [".kilocode", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["kilo", "kilocode"],
    options: ["--auto", "--pure", "--yolo"],
    packages: ["@kilocode/cli"],
    variables: {
      KILO_PERMISSION: "allow",
      KILO_PURE: ".",
      KILO_CONFIG: ".",
      KILO_CONFIG_DIR: ".",
      KILO_CONFIG_CONTENT: ".",
    },
  },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("kilo", findEvent(events, nativeEvent), "bash", frame);
  },

  recognises(payload) {
    return isFromPlugin("kilo", payload);
  },

  parse(input) {
    return parsePlugin("kilo", events, input, { own: opencodeTools });
  },

  output: { "tool.execute.after": pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
