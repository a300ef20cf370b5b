import type {
  Action,
  HostAdapter,
  HostEvent,
  InstallTarget,
  MergeTarget,
  WholeTarget,
} from "../src/types.ts";
import { PayloadError } from "../src/errors.ts";
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
import { shellQuoted, toolActions, type ToolKind } from "./tools.ts";

/** Kiro names events as Claude Code does; the file hooks of its first versions had names of their own. */
const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", aliases: ["promptSubmit"], id: "prompt", gates: false, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", aliases: ["agentSpawn"], id: "session_start", gates: false, install: false },
  { native: "Stop", aliases: ["agentStop"], id: "other", gates: false, install: false },
  { native: "PreTaskExec", id: "other", gates: false, install: false },
  { native: "PostTaskExec", id: "other", gates: false, install: false },
  { native: "PostFileCreate", aliases: ["fileCreated"], id: "other", gates: false, install: false },
  { native: "PostFileSave", aliases: ["fileEdited"], id: "other", gates: false, install: false },
  { native: "PostFileDelete", aliases: ["fileDeleted"], id: "other", gates: false, install: false },
  { native: "userTriggered", id: "other", gates: false, install: false },
];

const tools: Readonly<Record<string, ToolKind>> = {
  executebash: "shell",
  executepwsh: "powershell",
  executecmd: "shell",
  controlbashprocess: "typing",
  controlpwshprocess: "typing",
  fswrite: "editor",
  fsappend: "edit",
  fsread: "read",
  readfiles: "read",
  readmultiplefiles: "read",
  readcode: "read",
};

const adapter: HostAdapter = {
  id: "kiro",
  aliases: ["kiro-cli", "kiro-ide", "amazon-q"],
  title: "Kiro",
  documentation: "https://kiro.dev/docs/hooks",
  events,
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: false,
    addContext: true,
    limits: [
      "Not tried with the real client: built from its documentation and the source of its predecessor.",
      "A hook cannot ask, so guard denies instead, with a code for the person.",
      "Only exit code 2 surely blocks; a hook that is killed or takes too long lets the tool run.",
      "Prompts cannot be blocked: Kiro sends them although a hook objects.",
      "Kiro CLI 2 runs the hooks of the agent in use only: guard is in every agent that has a file now, and not in the built-in one.",
      "Agents that are made later, by `/agent create`, have no hooks: run `guard install --host kiro` again.",
      "Kiro Web reads the hooks of the project only.",
    ],
  },
  hookShell: { posix: "sh", windows: "none" },
  wrapper: true,
  detect: {
    executables: ["kiro-cli"],
    editors: ["kiro"],
    locations: [{
      base: "home",
      segments: [".kiro"],
      relocatedBy: [{ variable: "KIRO_HOME", segments: [] }],
    }],
  },
  install: [...targets("user"), ...targets("project"), legacy()],
  afterInstall: [
    "Sessions that are already open keep their old hooks: start Kiro anew.",
    "With Kiro CLI 2, work with an agent that has a file: `kiro-cli settings chat.defaultAgent NAME`. The built-in agent has no hooks.",
  ],
  unenforced: [{
    system: "windows",
    why: "Kiro CLI 2 on Windows is reported to ignore exit code 2, so that a denial stops nothing there: " +
      "https://github.com/kirodotdev/Kiro/issues/8264. Use Kiro CLI 3 or later, and try it.",
  }],

  settings: [".kiro/hooks/**", ".kiro/agents/**", ".kiro/settings/cli.json"],
  servers: [
    {
      location: { base: "home", segments: [".kiro", "settings", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
    {
      location: { base: "project", segments: [".kiro", "settings", "mcp.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["kiro-cli", "kiro", "q"],
    options: ["--trust-all-tools", "-a"],
    values: { "--trust-tools": "bash|shell|\\*" },
  },
  probe(nativeEvent, { harmful, session, cwd, home }) {
    if (nativeEvent !== "PreToolUse") return undefined;
    const command = harmful ? `rm -rf ${shellQuoted(home)}` : "git status";
    return {
      hook_event_name: "preToolUse",
      cwd,
      session_id: session,
      tool_name: "execute_bash",
      tool_input: { command },
    };
  },

  // Its payloads have no field of their own, and no other host runs its hooks.
  marks: [],

  recognises() {
    return false;
  },

  parse(input) {
    const { payload } = input;
    const event = resolveEvent(events, input);
    const directory = text(payload, "cwd");
    const cwd = directory !== undefined && isAbsoluteAnywhere(directory) ? directory : undefined;
    return {
      host: "kiro",
      event: event.id,
      nativeEvent: event.native,
      session: text(payload, "session_id"),
      callId: text(payload, "tool_use_id"),
      tool: text(payload, "tool_name"),
      cwd,
      actions: actionsOf(event, payload, cwd),
    };
  },

  // What is written to stdout at other events becomes context for the model.
  render(answer, frame) {
    const known = events.find((event) => event.native === frame.nativeEvent);
    return stops(answer) && (known === undefined || known.gates) ? blockByExit(reasonOf(answer)) : silence;
  },
};

export default adapter;

/** Hook files of Kiro since 1.0 and CLI 3, and the agents of CLI 2. */
function targets(scope: "user" | "project"): InstallTarget[] {
  const location = (...segments: readonly string[]) =>
    scope === "project" ? { base: "project" as const, segments: [".kiro", ...segments] } : {
      base: "home" as const,
      segments: [".kiro", ...segments],
      relocatedBy: [{ variable: "KIRO_HOME", segments }],
    };
  const file: MergeTarget = {
    scope,
    location: location("hooks", "guard.json"),
    format: "json",
    skeleton: { version: "v1" },
    entries: [{
      event: "PreToolUse",
      at: ["hooks"],
      value: (command) => ({
        name: "guard",
        trigger: "PreToolUse",
        matcher: ".*",
        action: { type: "command", command },
        timeout: 30,
        enabled: true,
      }),
    }],
  };
  const agents: MergeTarget = {
    scope,
    location: location("agents"),
    format: "json",
    each: ".json",
    entries: [{
      event: "PreToolUse",
      at: ["hooks", "preToolUse"],
      value: (command) => ({ matcher: "*", command, timeout_ms: 30_000 }),
    }],
  };
  return [file, agents];
}

/** The hook file of the IDE before 1.0, which had none for the user. */
function legacy(): WholeTarget {
  return {
    scope: "project",
    location: { base: "project", segments: [".kiro", "hooks", "guard.kiro.hook"] },
    format: "whole",
    events: ["PreToolUse"],
    executable: false,
    content({ stamp, line }) {
      const hook = {
        enabled: true,
        name: "guard",
        description: `Made by guard install, and taken away by guard uninstall (${stamp}).`,
        version: "1.0.0",
        when: { type: "preToolUse", toolTypes: ["read", "write", "shell", "web", ".*"] },
        then: { type: "runCommand", command: line("PreToolUse"), timeout: 30 },
      };
      return JSON.stringify(hook, null, 2) + "\n";
    },
  };
}

function actionsOf(event: HostEvent, payload: Fields, cwd: string | undefined): Action[] {
  switch (event.id) {
    case "pre_tool": {
      const tool = filled(payload, "tool_name");
      if (tool === undefined) {
        throw new PayloadError(`${event.native}: expected a tool name in "tool_name", found none`);
      }
      return called(tool, requiredFields(payload, event.native, "tool_input"), cwd);
    }
    case "prompt":
      return [{ kind: "prompt", text: requiredText(payload, event.native, "prompt") }];
    case "post_tool":
      return [{
        kind: "output",
        tool: text(payload, "tool_name") ?? "",
        text: outputText(field(payload, "tool_response")),
      }];
    case "session_start":
      return [{ kind: "session", phase: "start" }];
    default:
      return [];
  }
}

function called(tool: string, input: Fields, cwd: string | undefined): Action[] {
  const mcp = /^@([^/]+)\/(.*)$/.exec(tool) ?? /^mcp_+(.+?)_+(.+)$/.exec(tool);
  if (mcp !== null) return [{ kind: "mcp", server: mcp[1]!, tool: mcp[2]!, input }];
  if (tool === "use_aws" || tool === "aws") {
    return [{ kind: "shell", command: awsCommand(input), dialect: "posix" }];
  }
  const options = { tools, ...(cwd === undefined ? {} : { cwd }) };
  // In CLI 3 writing has tools of its own, and no `command` that says what to do.
  const writes = tool === "fs_write" && text(input, "command") === undefined;
  return toolActions(writes ? "write" : tool, input, options);
}

/** The tool starts the AWS command line with these words. */
function awsCommand(input: Fields): string {
  const parameters = field(input, "parameters");
  const words = ["aws", text(input, "service_name") ?? "", text(input, "operation_name") ?? ""];
  for (const [name, value] of Object.entries(isFields(parameters) ? parameters : {})) {
    words.push(`--${name.replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").replaceAll("_", "-").toLowerCase()}`);
    if (value !== null && value !== "") words.push(typeof value === "string" ? value : JSON.stringify(value));
  }
  const region = text(input, "region");
  if (region !== undefined) words.push("--region", region);
  return words.filter((word) => word !== "").map(shellQuoted).join(" ");
}
