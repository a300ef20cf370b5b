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
  // Among the client's types, and never called by 1.18.33.
  { native: "permission.ask", id: "other", gates: false, install: false },
  { native: "event", id: "other", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "opencode",
  title: "OpenCode",
  end: "opencode",
  events: ["tool.execute.before", "tool.execute.after", "session.created"],
});

const adapter: HostAdapter = {
  id: "opencode",
  aliases: ["open-code"],
  title: "OpenCode",
  documentation: "https://opencode.ai/docs/plugins",
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
      "`opencode --pure` and the variable OPENCODE_PURE start the client without plugins.",
      "A plugin that is loaded after guard's can still change a call that guard has passed.",
      "Commands that the person types behind `!` fire no hook.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: ["opencode"],
    locations: [
      {
        base: "home",
        segments: [".config", "opencode"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["opencode"] }],
      },
      { base: "home", segments: [".opencode"] },
    ],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".config", "opencode", "plugins", "guard.js"],
        relocatedBy: [{ variable: "XDG_CONFIG_HOME", segments: ["opencode", "plugins", "guard.js"] }],
      },
      ...plugin,
    },
    {
      scope: "project",
      location: { base: "project", segments: [".opencode", "plugins", "guard.js"] },
      ...plugin,
    },
  ],
  afterInstall: ["Sessions that are already open have no guard: start OpenCode anew."],
  settings: [
    "{.opencode,opencode}/{plugin,plugins}/**",
    "{.opencode,opencode}/{opencode.json,opencode.jsonc,config.json}",
    "opencode.{json,jsonc}",
  ],
  servers: [
    { location: { base: "config", segments: ["opencode", "opencode.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "config", segments: ["opencode", "opencode.jsonc"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: ["opencode.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: ["opencode.jsonc"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: [".opencode", "opencode.json"] }, format: "jsonc", at: ["mcp"] },
  ],
  unchecked: {
    programs: ["opencode"],
    options: ["--dangerously-skip-permissions", "--pure"],
    packages: ["opencode-ai"],
    variables: {
      OPENCODE_PERMISSION: "allow",
      OPENCODE_PURE: ".",
      OPENCODE_CONFIG: ".",
      OPENCODE_CONFIG_DIR: ".",
      OPENCODE_CONFIG_CONTENT: ".",
    },
  },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("opencode", findEvent(events, nativeEvent), "bash", frame);
  },

  recognises(payload) {
    return isFromPlugin("opencode", payload);
  },

  parse(input) {
    return parsePlugin("opencode", events, input, { own: opencodeTools });
  },

  output: { "tool.execute.after": pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
