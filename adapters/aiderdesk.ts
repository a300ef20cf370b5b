import type { Action, HostAdapter, HostEvent } from "../src/types.ts";
import { findEvent } from "./events.ts";
import {
  isFromPlugin,
  parsePlugin,
  pluginOutput,
  probePlugin,
  renderPlugin,
  wholePlugin,
} from "./plugin_family.ts";
import { field, type Fields, requiredText, text } from "./read.ts";
import { toolActions, type ToolKind, type ToolOptions } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "onToolCalled", id: "pre_tool", gates: true, install: true },
  { native: "onToolFinished", id: "post_tool", gates: false, install: true },
  { native: "onTaskInitialized", id: "session_start", gates: false, install: true },
  { native: "onTaskClosed", id: "session_end", gates: false, install: false },
  // Asks for an approval only of the tools that need one.
  { native: "onToolApproval", id: "other", gates: false, install: false },
  { native: "onPromptStarted", id: "other", gates: false, install: false },
  { native: "onAgentStarted", id: "other", gates: false, install: false },
  { native: "onSubagentStarted", id: "subagent_start", gates: false, install: false },
];

const plugin = wholePlugin({
  host: "aiderdesk",
  title: "AiderDesk",
  end: "aiderdesk",
  events: ["onToolCalled", "onToolFinished", "onTaskInitialized"],
});

/** Between the group of a tool and its name; MCP servers are groups. */
const separator = "---";
/** Groups of the client's own tools besides `power`. */
const groups: ReadonlySet<string> = new Set([
  "aider",
  "helpers",
  "memory",
  "skills",
  "subagents",
  "tasks",
  "todo",
]);

const power: Readonly<Record<string, ToolKind>> = {
  bash: "shell",
  filewrite: "write",
  fileread: "read",
  fetch: "fetch",
};

/** `power---bash`, `todo---set_items`, `<server>---<tool>`. */
function ownActions(tool: string, input: Fields, options: ToolOptions): Action[] | undefined {
  const at = tool.indexOf(separator);
  if (at <= 0) return undefined;
  const group = tool.slice(0, at);
  const name = tool.slice(at + separator.length);
  if (group === "power") {
    return name === "file_edit"
      ? [edit(tool, input)]
      : toolActions(name, input, { ...options, tools: power });
  }
  return groups.has(group)
    ? [{ kind: "unknown", tool, input }]
    : [{ kind: "mcp", server: group, tool: name, input }];
}

function edit(tool: string, input: Fields): Action {
  const previous = text(input, "searchTerm");
  const content = text(input, "replacementText");
  return {
    kind: "file",
    operation: "edit",
    path: requiredText(input, `tool ${tool}`, "filePath"),
    ...(content === undefined ? {} : { content }),
    // What is searched for is not what stands there when it is a pattern.
    ...(previous === undefined || field(input, "isRegex") === true ? {} : { previous }),
  };
}

const adapter: HostAdapter = {
  id: "aiderdesk",
  aliases: ["aider-desk"],
  title: "AiderDesk",
  documentation: "https://aiderdesk.hotovo.com/docs/extensions",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: true,
    rewriteInput: true,
    addContext: false,
    limits: [
      "Built from the client's source (August 2026): no real client was driven.",
      "An extension that cannot be loaded, or that is switched off in the settings, is left out, and every tool then runs.",
      "What the aider engine edits by itself goes through no tool, so that guard does not see it.",
      "An extension that comes after guard's can still change a call that guard has passed.",
      "The client has a question of its own for tools, which guard leaves as it is: it denies instead of asking.",
    ],
  },
  hookShell: { posix: "none", windows: "none" },
  wrapper: false,
  detect: {
    executables: ["aider-desk", "aiderdesk"],
    locations: [{
      base: "home",
      segments: [".aider-desk"],
      relocatedBy: [{ variable: "AIDER_DESK_HOME_DIR", segments: [] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".aider-desk", "extensions", "guard.js"],
        relocatedBy: [{ variable: "AIDER_DESK_HOME_DIR", segments: ["extensions", "guard.js"] }],
      },
      ...plugin,
    },
    {
      scope: "project",
      location: { base: "project", segments: [".aider-desk", "extensions", "guard.js"] },
      ...plugin,
    },
  ],
  afterInstall: ["AiderDesk loads the extension by itself; its settings list it under Extensions."],
  settings: [".aider-desk/extensions/**"],
  unchecked: { programs: ["aider-desk", "aiderdesk"], options: [] },
  marks: ["guard_plugin"],

  probe(nativeEvent, frame) {
    return probePlugin("aiderdesk", findEvent(events, nativeEvent), "power---bash", frame);
  },

  recognises(payload) {
    return isFromPlugin("aiderdesk", payload);
  },

  parse(input) {
    return parsePlugin("aiderdesk", events, input, { own: ownActions });
  },

  output: { onToolFinished: pluginOutput },

  render(answer, frame) {
    return renderPlugin(answer, frame, events);
  },
};

export default adapter;
