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

const events: readonly HostEvent[] = [
  { native: "tool_call", id: "pre_tool", gates: true, install: true },
  { native: "tool_result", id: "post_tool", gates: false, install: true },
  { native: "session_start", id: "session_start", gates: false, install: true },
  { native: "session_shutdown", id: "session_end", gates: false, install: false },
  { native: "input", id: "other", gates: false, install: false },
  { native: "before_agent_start", id: "other", gates: false, install: false },
  { native: "user_bash", id: "other", gates: false, install: false },
  { native: "session_before_compact", id: "compact", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "pi",
  title: "Pi",
  end: "pi",
  events: ["tool_call", "tool_result", "session_start"],
});

const adapter: HostAdapter = {
  id: "pi",
  aliases: ["pi-coding-agent"],
  title: "Pi",
  documentation: "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md",
  events,
  capabilities: {
    ask: "always",
    modesWithoutAsk: ["headless"],
    allow: false,
    promptBlock: false,
    replaceOutput: true,
    rewriteInput: true,
    addContext: false,
    limits: [
      "`pi --no-extensions` starts the client without the extensions that it finds by itself.",
      "Extensions of a project are loaded only when the project is trusted; without a terminal that takes `--approve`.",
      "An extension that is loaded after guard's can still change a call that guard has passed.",
      "Commands that the person types behind `!` are not judged.",
      "Only the terminal interface asks; in print, JSON and RPC mode guard denies instead.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: ["pi"],
    locations: [{
      base: "home",
      segments: [".pi", "agent"],
      relocatedBy: [{ variable: "PI_CODING_AGENT_DIR", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".pi", "agent", "extensions", "guard.js"],
        relocatedBy: [{ variable: "PI_CODING_AGENT_DIR", segments: ["extensions", "guard.js"] }],
      },
      ...plugin,
    },
    {
      scope: "project",
      location: { base: "project", segments: [".pi", "extensions", "guard.js"] },
      ...plugin,
    },
  ],
  afterInstall: ["Sessions that are already open have no guard: start Pi anew, or type `/reload`."],
  settings: [".pi/{agent/,}{extensions,hooks}/**", ".pi/{agent/,}{settings,trust}.json"],
  unchecked: {
    programs: ["pi"],
    options: ["--no-extensions"],
    packages: ["@earendil-works/pi-coding-agent"],
  },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("pi", findEvent(events, nativeEvent), "bash", frame);
  },

  recognises(payload) {
    return isFromPlugin("pi", payload);
  },

  parse(input) {
    return parsePlugin("pi", events, input);
  },

  output: { tool_result: pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
