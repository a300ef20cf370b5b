import type { Answer, HookReply, HostAdapter, HostEvent, Location } from "../src/types.ts";
import { familyEntries, parseFamily, permissionAnswer, probeFamily, renderFamily } from "./claude_family.ts";
import { field, filled } from "./read.ts";
import { json, noted } from "./reply.ts";

const events: readonly HostEvent[] = [
  { native: "PreToolUse", id: "pre_tool", gates: true, install: true },
  { native: "UserPromptSubmit", id: "prompt", gates: true, install: true },
  { native: "PermissionRequest", id: "permission", gates: true, install: false },
  { native: "UserPromptExpansion", id: "other", gates: false, install: false },
  { native: "PostToolUse", id: "post_tool", gates: false, install: false },
  { native: "PostToolUseFailure", id: "post_tool", gates: false, install: false },
  { native: "SessionStart", id: "session_start", gates: false, install: true },
  { native: "SessionEnd", id: "session_end", gates: false, install: false },
  { native: "SubagentStart", id: "subagent_start", gates: false, install: false },
  { native: "PreCompact", id: "compact", gates: false, install: false },
  { native: "PostCompact", id: "other", gates: false, install: false },
  { native: "PostToolBatch", id: "other", gates: false, install: false },
  { native: "PermissionDenied", id: "other", gates: false, install: false },
  { native: "SubagentStop", id: "other", gates: false, install: false },
  { native: "Stop", id: "other", gates: false, install: false },
  { native: "StopFailure", id: "other", gates: false, install: false },
  { native: "Notification", id: "other", gates: false, install: false },
  { native: "MessageDisplay", id: "other", gates: false, install: false },
  { native: "SessionDelete", id: "other", gates: false, install: false },
  { native: "InstructionsLoaded", id: "other", gates: false, install: false },
  { native: "TodoCreated", id: "other", gates: false, install: false },
  { native: "TodoCompleted", id: "other", gates: false, install: false },
];

const userSettings: Location = {
  base: "home",
  segments: [".qwen", "settings.json"],
  relocatedBy: [{ variable: "QWEN_HOME", segments: ["settings.json"] }],
};
const projectSettings: Location = { base: "project", segments: [".qwen", "settings.json"] };

const adapter: HostAdapter = {
  id: "qwen",
  aliases: ["qwen-code"],
  title: "Qwen Code",
  documentation: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
  events,
  capabilities: {
    ask: "always",
    // Without a person a question is answered with no; in these modes it was not tried with one.
    modesWithoutAsk: [
      "yolo",
      "auto",
      "auto-edit",
      "auto_edit",
      "acceptEdits",
      "bypassPermissions",
      "dontAsk",
    ],
    allow: false,
    promptBlock: true,
    replaceOutput: false,
    rewriteInput: false,
    addContext: true,
    limits: [
      "A hook that is still running at its timeout is killed and the tool runs.",
      "Of several hooks the last one's permission counts, so guard also says `continue: false`, which no other hook undoes.",
      "`disableAllHooks` starts the client without hooks.",
      "Without a person at the terminal a question is answered with no; in modes that approve by themselves guard denies instead.",
      "A tool's output cannot be blocked or replaced.",
      "With folder trust on, hooks of an untrusted project do not run.",
    ],
  },
  hookShell: { posix: "sh", windows: "powershell" },
  wrapper: true,
  detect: {
    executables: ["qwen"],
    locations: [{
      base: "home",
      segments: [".qwen"],
      relocatedBy: [{ variable: "QWEN_HOME", segments: [] }],
    }],
  },
  install: ([["user", userSettings], ["project", projectSettings]] as const).map(([scope, location]) => ({
    scope,
    location,
    format: "jsonc",
    // The timeout is in seconds below 1000. The shell is said where the client would choose another one.
    entries: familyEntries(events, {
      handler: (shell) => shell === "powershell" ? { shell: "powershell" } : {},
    }),
  })),
  afterInstall: ["Sessions that are already open keep their old hooks: start Qwen Code anew."],
  settings: [".qwen/trustedFolders.json", "qwen-code/{settings,system-defaults}.json"],
  servers: [
    { location: { base: "home", segments: [".qwen", "settings.json"] }, format: "jsonc", at: ["mcpServers"] },
    {
      location: { base: "project", segments: [".qwen", "settings.json"] },
      format: "jsonc",
      at: ["mcpServers"],
    },
  ],
  unchecked: {
    programs: ["qwen", "qwen-code"],
    packages: ["@qwen-code/qwen-code"],
    options: ["-y", "--yolo"],
    values: { "--approval-mode": "^(?:yolo|auto|auto[-_]edit)$" },
    commands: "^hooks (?:disable|remove|uninstall)\\b",
    variables: { QWEN_CODE_SYSTEM_SETTINGS_PATH: "." },
  },
  disabledBy: [userSettings, projectSettings].map((location) => ({
    location,
    format: "jsonc",
    at: ["disableAllHooks"],
    off: true,
  })),

  probe(nativeEvent, frame) {
    const own = { timestamp: new Date(0).toISOString(), permission_mode: "default", prompt_id: "probe" };
    return probeFamily(nativeEvent, frame, own, "run_shell_command");
  },

  marks: ["timestamp"],

  recognises(payload) {
    return filled(payload, "timestamp") !== undefined && filled(payload, "permission_mode") !== undefined &&
      (filled(payload, "prompt_id") !== undefined || filled(payload, "tool_call_id") !== undefined) &&
      field(payload, "cursor_version") === undefined;
  },

  parse(input) {
    return parseFamily("qwen", events, input);
  },

  render(answer, frame) {
    return renderFamily(answer, frame, events, preTool);
  },
};

export default adapter;

function preTool({ decision, reason, ...answer }: Answer): HookReply {
  switch (decision) {
    case "deny":
      return json({
        continue: false,
        stopReason: reason,
        decision: "block",
        reason,
        ...permissionAnswer("deny", reason),
      });
    case "ask":
      return json(permissionAnswer("ask", reason));
    default:
      return noted({ decision, reason, ...answer });
  }
}
