import { blockEverywhere } from "../src/block.ts";
import type { Answer, HookReply, HostAdapter, HostEvent } from "../src/types.ts";
import { parseFamily, probeFamily } from "./claude_family.ts";
import { filled, isAbsoluteAnywhere, text } from "./read.ts";
import { json, reasonOf, silence, stops } from "./reply.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  // A hook without an answer approves here, so that guard stays away.
  { native: "PermissionRequest", id: "permission", gates: true, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: false },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "StopFailure", id: "other", gates: false, install: false },
];

const adapter: HostAdapter = {
  id: "junie",
  aliases: ["junie-cli"],
  title: "Junie CLI",
  documentation: "https://junie.jetbrains.com/docs/junie-cli-hooks.html",
  events,
  capabilities: {
    ask: "interactive",
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: true,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation and what others saw in a session.",
      "Two forms of an answer are told of, so guard gives both, and exit code 2, which blocks by itself.",
      "Whether a question reaches a person was seen by nobody, so guard denies instead.",
      "A hook that fails in another way, or is still running at its timeout, lets the tool run.",
      "There is no event after a tool.",
      "Junie in an IDE, and as a server for one, runs no hooks; builds before August 2026 had none either.",
      'What guard notes about a prompt stands in its log only; with `prompts: "deny"` in the policy such a prompt is stopped.',
    ],
  },
  hookShell: { posix: "sh", windows: "cmd" },
  wrapper: true,
  detect: {
    executables: ["junie"],
    locations: [{
      base: "home",
      segments: [".junie"],
      relocatedBy: [{ variable: "JUNIE_HOME", segments: [] }],
    }],
  },
  install: [{
    scope: "user",
    location: {
      base: "home",
      segments: [".junie", "config.json"],
      relocatedBy: [{ variable: "JUNIE_HOME", segments: ["config.json"] }],
    },
    format: "json",
    entries: events.filter((event) => event.install).map((event) => ({
      event: event.native,
      at: ["hooks", event.native],
      value: (command) => ({ hooks: [{ type: "command", command, timeout: 30 }] }),
    })),
  }],
  afterInstall: ["Sessions that are already open keep their old hooks: start Junie anew."],
  unenforced: [{ scope: "project", why: "Junie ignores hooks in a project's own configuration." }],

  settings: [".junie/{config,settings,hooks}.json", ".junie/{config,settings,hooks}/**"],
  servers: [
    {
      location: { base: "home", segments: [".junie", "mcp", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "project", segments: [".junie", "mcp", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["junie"],
    options: ["--config-location"],
    variables: { JUNIE_CONFIG_LOCATION: "." },
  },
  probe(nativeEvent, frame) {
    return probeFamily(nativeEvent, frame, { cwd: `${frame.home}/.junie`, project_path: frame.cwd });
  },

  marks: ["project_path"],

  recognises(payload) {
    return filled(payload, "project_path") !== undefined && filled(payload, "hook_event_name") !== undefined;
  },

  // It runs hooks in its own directory, and calls that one `cwd`.
  parse(input) {
    const project = text(input.payload, "project_path");
    const call = parseFamily("junie", events, input);
    return project !== undefined && isAbsoluteAnywhere(project)
      ? { ...call, cwd: project, workspace: project }
      : { ...call, cwd: undefined };
  },

  render(answer, frame) {
    const known = events.find((event) => event.native === frame.nativeEvent);
    if (known === undefined) {
      return stops(answer) ? blockEverywhere(reasonOf(answer), frame.nativeEvent) : silence;
    }
    if (known.gates && stops(answer)) return denied(answer, known.native);
    // No answer at all would be an approval.
    return known.id === "permission" ? json({ decision: "ask" }) : silence;
  },
};

export default adapter;

function denied(answer: Answer, event: string): HookReply {
  const reason = reasonOf(answer);
  return {
    ...json({
      decision: "deny",
      reason,
      hookSpecificOutput: {
        hookEventName: event,
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    }),
    stderr: `${reason}\n`,
    exitCode: 2,
  };
}
