import { PayloadError } from "../src/errors.ts";
import type { Action, HostAdapter, HostEvent, InstallTarget } from "../src/types.ts";
import { resolveEvent } from "./events.ts";
import {
  field,
  type Fields,
  filled,
  isAbsoluteAnywhere,
  isFields,
  outputText,
  requiredFields,
  requiredText,
  text,
} from "./read.ts";
import { blockByExit, reasonOf, silence, stops } from "./reply.ts";
import { shellQuoted, toolActions } from "./tools.ts";

const events: readonly HostEvent[] = [
  { native: "pre_run_command", id: "pre_tool", gates: true, install: true },
  { native: "pre_write_code", id: "pre_tool", gates: true, install: true },
  { native: "pre_read_code", id: "pre_tool", gates: true, install: true },
  { native: "pre_mcp_tool_use", id: "pre_tool", gates: true, install: true },
  { native: "pre_user_prompt", id: "prompt", gates: true, install: true },
  { native: "post_run_command", id: "post_tool", gates: false, install: false },
  { native: "post_write_code", id: "post_tool", gates: false, install: false },
  { native: "post_read_code", id: "post_tool", gates: false, install: false },
  { native: "post_mcp_tool_use", id: "post_tool", gates: false, install: false },
  { native: "post_cascade_response", id: "other", gates: false, install: false },
  { native: "post_cascade_response_with_transcript", id: "other", gates: false, install: false },
  { native: "post_setup_worktree", id: "other", gates: false, install: false },
];

const adapter: HostAdapter = {
  id: "windsurf",
  aliases: ["cascade", "devin-desktop"],
  title: "Windsurf (Cascade)",
  documentation: "https://docs.windsurf.com/windsurf/cascade/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: false,
    addContext: false,
    limits: [
      "Not tried with the real client: built from its documentation.",
      "Hooks cannot ask, so guard denies instead, with a code for the person.",
      "Only exit code 2 blocks: a hook that fails in another way or takes too long lets the action through.",
      "No event tells of deleted files or of requests to the web.",
      "Devin Desktop, as Windsurf is called now, has another local agent that reads other hooks: those of `devin`.",
      'What guard notes about a prompt stands in its log only; with `prompts: "deny"` in the policy such a prompt is stopped.',
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: true,
  detect: {
    executables: [],
    editors: ["windsurf"],
    locations: [
      { base: "home", segments: [".codeium", "windsurf"] },
      { base: "home", segments: [".windsurf"] },
    ],
  },
  install: [
    target("user", [".codeium", "windsurf", "hooks.json"]),
    // The plugin for JetBrains.
    target("user", [".codeium", "hooks.json"]),
    target("project", [".windsurf", "hooks.json"]),
  ],
  afterInstall: ["Windsurf reads its hooks when it starts: restart it."],

  settings: ["{.windsurf,.codeium,.codeium/windsurf,windsurf,Windsurf}/hooks{,.v1}.json"],
  probe(nativeEvent, { harmful, session, cwd, home }) {
    const payload = (info: Fields) => ({
      agent_action_name: nativeEvent,
      trajectory_id: session,
      execution_id: "probe",
      timestamp: new Date(0).toISOString(),
      tool_info: info,
    });
    switch (nativeEvent) {
      case "pre_run_command":
        return payload({ command_line: harmful ? `rm -rf ${shellQuoted(home)}` : "git status", cwd });
      case "pre_write_code":
        return payload({
          file_path: harmful ? `${home}/.ssh/authorized_keys` : `${cwd}/notes.txt`,
          edits: [{ old_string: "", new_string: "x" }],
        });
      case "pre_read_code":
        return payload({ file_path: harmful ? `${home}/.ssh/id_ed25519` : `${cwd}/README.md` });
      case "pre_mcp_tool_use":
        return harmful
          ? undefined
          : payload({ mcp_server_name: "probe", mcp_tool_name: "list", mcp_tool_arguments: {} });
      case "pre_user_prompt":
        return harmful ? undefined : payload({ user_prompt: "Hello" });
      default:
        return undefined;
    }
  },

  servers: [
    {
      location: { base: "home", segments: [".codeium", "windsurf", "mcp_config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "home", segments: [".codeium", "mcp_config.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  marks: ["agent_action_name"],

  recognises(payload) {
    return filled(payload, "agent_action_name") !== undefined;
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const info = field(payload, "tool_info");
    const directory = isFields(info) ? text(info, "cwd") : undefined;
    const cwd = directory !== undefined && isAbsoluteAnywhere(directory) ? directory : undefined;
    return {
      host: "windsurf",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "trajectory_id"),
      callId: text(payload, "execution_id"),
      tool: isFields(info) ? text(info, "mcp_tool_name") : undefined,
      cwd,
      actions: actionsOf(event, payload),
    };
  },

  render(answer, frame) {
    const known = events.find((event) => event.native === frame.nativeEvent);
    return stops(answer) && (known === undefined || known.gates) ? blockByExit(reasonOf(answer)) : silence;
  },
};

export default adapter;

function target(scope: "user" | "project", segments: readonly string[]): InstallTarget {
  return {
    scope,
    location: { base: scope === "user" ? "home" : "project", segments },
    format: "json",
    entries: events.filter((event) => event.install).map((event) => ({
      event: event.native,
      at: ["hooks", event.native],
      value: (command, shell) =>
        shell === "powershell" ? { powershell: command, show_output: true } : { command, show_output: true },
    })),
  };
}

function actionsOf(event: HostEvent, payload: Fields): Action[] {
  switch (event.id) {
    case "pre_tool":
      return called(event.native, requiredFields(payload, event.native, "tool_info"));
    case "prompt":
      return [{
        kind: "prompt",
        text: requiredText(requiredFields(payload, event.native, "tool_info"), event.native, "user_prompt"),
      }];
    case "post_tool": {
      const info = field(payload, "tool_info");
      const fields = isFields(info) ? info : {};
      return [{
        kind: "output",
        tool: text(fields, "mcp_tool_name") ?? "",
        text: outputText(field(fields, "mcp_result")),
      }];
    }
    default:
      return [];
  }
}

/** What an action is about is told by its fields, whatever the event is called. */
function called(event: string, info: Fields): Action[] {
  if (Object.hasOwn(info, "command_line")) {
    if (filled(info, "command_line") === undefined) throw missing(event, "command_line");
    return toolActions("run_terminal_command", info);
  }
  if (Object.hasOwn(info, "mcp_tool_name")) {
    const tool = filled(info, "mcp_tool_name");
    if (tool === undefined) throw missing(event, "mcp_tool_name");
    const server = text(info, "mcp_server_name") ?? "";
    return [{ kind: "mcp", server, tool, input: field(info, "mcp_tool_arguments") ?? {} }];
  }
  if (filled(info, "file_path") === undefined) {
    if (!events.some(({ native }) => native === event)) return [];
    throw missing(event, event === "pre_run_command" ? "command_line" : "file_path");
  }
  const reads = event === "pre_read_code" && !Object.hasOwn(info, "edits");
  return toolActions(reads ? "read" : isNew(info) ? "write" : "edit", info);
}

/** A file that is made is one edit of nothing. */
function isNew(info: Fields): boolean {
  const edits = field(info, "edits");
  const [first, second]: readonly unknown[] = Array.isArray(edits) ? edits : [];
  return second === undefined && isFields(first) && field(first, "old_string") === "";
}

function missing(event: string, name: string): PayloadError {
  return new PayloadError(`${event}: expected a text in "tool_info.${name}", found none`);
}
