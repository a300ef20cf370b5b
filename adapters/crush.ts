import type { HostAdapter, HostEvent, InstallEntry } from "../src/types.ts";
import { blockEverywhere } from "../src/block.ts";
import { parseFamily } from "./claude_family.ts";
import { filled } from "./read.ts";
import { blockByExit, json, reasonOf, silence, stops } from "./reply.ts";
import { shellQuoted, type ToolKind } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
];

const tools: Readonly<Record<string, ToolKind>> = {
  download: "download",
  fetch: "fetch",
  agenticfetch: "fetch",
};

const adapter: HostAdapter = {
  id: "crush",
  aliases: [],
  title: "Crush",
  documentation: "https://github.com/charmbracelet/crush/blob/main/docs/hooks/README.md",
  events,
  capabilities: {
    ask: "never",
    allow: true,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its source of August 2026.",
      "A hook cannot ask, so guard denies instead, with a code for the person.",
      "A hook that is still running at its timeout is given up and the tool runs.",
      "Tools of sub-agents (`agent`, `agentic_fetch`) fire no hook: guard sees only the call that starts them.",
      "There is no event for prompts and none after a tool.",
    ],
  },
  hookShell: { posix: "sh", windows: "sh" },
  wrapper: true,
  detect: {
    executables: ["crush"],
    locations: [
      {
        base: "config",
        segments: ["crush"],
        relocatedBy: [{ variable: "CRUSH_GLOBAL_CONFIG", segments: [] }],
      },
    ],
  },
  install: [
    {
      scope: "user",
      // Below .config on every system, unlike other configurations.
      location: {
        base: "home",
        segments: [".config", "crush", "crush.json"],
        relocatedBy: [
          { variable: "CRUSH_GLOBAL_CONFIG", segments: ["crush.json"] },
          { variable: "XDG_CONFIG_HOME", segments: ["crush", "crush.json"] },
        ],
      },
      format: "json",
      entries: entries(),
    },
    {
      scope: "project",
      location: { base: "project", segments: ["crush.json"] },
      format: "json",
      entries: entries(),
    },
  ],
  afterInstall: ["Sessions that are already open keep their old hooks: start Crush anew."],

  settings: ["{.crush,crush}.json", "{.crush,crush}rc"],
  servers: [
    { location: { base: "config", segments: ["crush", "crush.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: ["crush.json"] }, format: "jsonc", at: ["mcp"] },
    { location: { base: "project", segments: [".crush.json"] }, format: "jsonc", at: ["mcp"] },
  ],
  unchecked: {
    programs: ["crush"],
    options: ["-y", "--yolo"],
    verbs: ["run"],
    variables: { CRUSH_GLOBAL_DATA: "." },
  },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    if (nativeEvent !== "PreToolUse") return undefined;
    const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    return { event: nativeEvent, session_id: session, cwd, tool_name: "bash", tool_input: { command } };
  },

  marks: ["event"],

  recognises(payload) {
    return filled(payload, "event") === "PreToolUse" && filled(payload, "tool_name") !== undefined &&
      filled(payload, "hook_event_name") === undefined;
  },

  parse(input) {
    return parseFamily("crush", events, input, { tools, mcp: mcpOf });
  },

  render(answer, frame) {
    const known = events.some((event) => event.native === frame.nativeEvent);
    if (stops(answer)) {
      return known ? blockByExit(reasonOf(answer)) : blockEverywhere(reasonOf(answer), frame.nativeEvent);
    }
    return known && answer.decision === "allow"
      ? json({ decision: "allow", reason: answer.reason })
      : silence;
  },
};

export default adapter;

function entries(): readonly InstallEntry[] {
  return [{
    event: "PreToolUse",
    at: ["hooks", "PreToolUse"],
    value: (command) => ({ name: "guard", command, timeout: 30 }),
  }];
}

/** `mcp_<server>_<tool>`: where the server ends is not told, so that the first `_` does. */
function mcpOf(name: string): { server: string; tool: string } | undefined {
  if (!name.startsWith("mcp_")) return undefined;
  const rest = name.slice("mcp_".length);
  const at = rest.indexOf("_");
  return at <= 0 ? { server: rest, tool: "" } : { server: rest.slice(0, at), tool: rest.slice(at + 1) };
}
