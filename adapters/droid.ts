import type { Answer, HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { familyEntries, parseFamily, permissionAnswer, probeFamily, renderFamily } from "./claude_family.ts";
import { field, filled, text } from "./read.ts";
import { json, noted } from "./reply.ts";
import { mcpName, type ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = { execute: "shell", fetchurl: "fetch" };

/** Permission modes that no other host has. */
const modes = /^(?:off|spec|auto-(?:low|medium|high))$/;

const adapter: HostAdapter = {
  id: "droid",
  aliases: ["factory", "factory-droid"],
  title: "Factory Droid",
  documentation: "https://docs.factory.ai/reference/hooks-reference",
  events,
  capabilities: {
    ask: "never",
    allow: true,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "A hook that is still running at its timeout is killed and the tool runs.",
      "A tool about which a hook asks runs when the client has no terminal, so guard denies instead.",
      "`droid exec` does not fire the prompt event.",
      "A tool's output cannot be blocked or replaced.",
      "An organisation can allow managed hooks only (`allowManagedHooksOnly`).",
    ],
  },
  hookShell: { posix: "sh", windows: "cmd" },
  wrapper: true,
  detect: {
    executables: ["droid"],
    locations: [{
      base: "home",
      segments: [".factory"],
      relocatedBy: [{ variable: "FACTORY_HOME_OVERRIDE", segments: [".factory"] }],
    }],
  },
  install: [
    {
      scope: "user",
      location: {
        base: "home",
        segments: [".factory", "settings.json"],
        relocatedBy: [{ variable: "FACTORY_HOME_OVERRIDE", segments: [".factory", "settings.json"] }],
      },
      format: "jsonc",
      entries: familyEntries(events),
    },
    {
      scope: "project",
      location: { base: "project", segments: [".factory", "settings.json"] },
      format: "jsonc",
      entries: familyEntries(events),
    },
  ],
  afterInstall: [
    "Sessions that are already open keep their old hooks: start droid anew. `/hooks` shows what it runs.",
  ],

  settings: [".factory/{settings.local,hooks,config}.json", ".factory/hooks/**"],
  servers: [
    { location: { base: "home", segments: [".factory", "mcp.json"] }, format: "jsonc", at: ["mcpServers"] },
    {
      location: { base: "project", segments: [".factory", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["droid"],
    options: ["--skip-permissions-unsafe"],
    values: { "--auto": "^high$" },
    variables: { FACTORY_HOME: "." },
  },
  probe(nativeEvent, frame) {
    return probeFamily(nativeEvent, frame, { permission_mode: "off" }, "Execute");
  },

  marks: ["permission_mode"],

  recognises(payload) {
    return modes.test(text(payload, "permission_mode") ?? "") &&
      filled(payload, "hook_event_name") !== undefined &&
      ["cursor_version", "turn_id", "prompt_id", "timestamp"].every((name) =>
        field(payload, name) === undefined
      );
  },

  parse(input) {
    return parseFamily("droid", events, input, { tools, mcp });
  },

  render(answer, frame) {
    return renderFamily(answer, frame, events, preTool);
  },
};

export default adapter;

/** `<server>___<tool>`, with three underscores. */
function mcp(tool: string): { server: string; tool: string } | undefined {
  const at = tool.indexOf("___");
  return at <= 0 ? mcpName(tool) : { server: tool.slice(0, at), tool: tool.slice(at + 3) };
}

/** A top-level decision is not read, and a question lets the tool run. */
function preTool(answer: Answer): HookReply {
  switch (answer.decision) {
    case "none":
      return noted(answer);
    case "allow":
      return json(permissionAnswer("allow", answer.reason));
    default:
      return json(permissionAnswer("deny", answer.reason));
  }
}
