/** What differs between the real clients: how each is started offline, what its tools are called, what it lets through. */
import type { ToolCall } from "./model.ts";

/** The temporary world of one session. Absolute paths. */
export interface Place {
  readonly home: string;
  /** The client's working directory: a git repository. */
  readonly work: string;
  /** The executable that `guard install` registers. */
  readonly guard: string;
  /** Command of the MCP server `probe`, program first. */
  readonly toolServer: readonly string[];
}

/** A way for the registered guard to fail. */
export type Failure = "killed" | "missing" | "failing" | "garbage" | "hanging";

export interface ClientHost {
  /** The host id of guard, and the client's name in clients.json. */
  readonly id: string;
  readonly arguments: (place: Place) => readonly string[];
  readonly environment: (port: number) => Readonly<Record<string, string>>;
  /** Files in the home that the client needs to talk to the model, by relative path. */
  readonly files: (place: Place, port: number) => Readonly<Record<string, string>>;
  /** The configuration that `guard install` changes, relative to the home. */
  readonly configuration: string;
  /** A hook timeout in the host's unit, for the test in which guard hangs: about two seconds. */
  readonly shortTimeout: number;
  readonly shell: (command: string) => ToolCall;
  readonly write: (path: string, content: string) => ToolCall;
  readonly edit: (path: string, before: string, after: string) => ToolCall;
  /** Absent where the client has no tool for reading a file. */
  readonly read?: (path: string) => ToolCall;
  readonly tool: (input: Readonly<Record<string, unknown>>) => ToolCall;
  /** What the host does when guard fails: "blocked", or why the call goes through, which no hook can change. */
  readonly failures: Readonly<Record<Failure, "blocked" | { readonly limit: string }>>;
}

const prompt = "Please do what was agreed.";

function settings(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}

export const hosts: readonly ClientHost[] = [
  {
    id: "claude",
    arguments: (place) => {
      const [command, ...args] = place.toolServer;
      const servers = JSON.stringify({ mcpServers: { probe: { command, args } } });
      return [
        "-p",
        prompt,
        "--permission-mode",
        "bypassPermissions",
        "--mcp-config",
        servers,
        "--strict-mcp-config",
      ];
    },
    environment: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "test-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_TELEMETRY: "1",
      // Root may only skip the permission prompts inside a sandbox; the temporary home is one here.
      IS_SANDBOX: "1",
    }),
    files: () => ({ ".claude/settings.json": settings({ cleanupPeriodDays: 30 }) }),
    configuration: ".claude/settings.json",
    shortTimeout: 2,
    shell: (command) => ({ name: "Bash", input: { command, description: "agreed" } }),
    write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
    edit: (path, before, after) => ({
      name: "Edit",
      input: { file_path: path, old_string: before, new_string: after },
    }),
    read: (path) => ({ name: "Read", input: { file_path: path } }),
    tool: (input) => ({ name: "mcp__probe__run", input }),
    failures: {
      killed: "blocked",
      missing: "blocked",
      failing: "blocked",
      garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
      hanging: { limit: "a hook that is over its time is ended and counts as no opinion" },
    },
  },
  {
    id: "codex",
    arguments: () => [
      ...["--disable", "plugins", "--disable", "apps", "--disable", "remote_plugin", "exec"],
      ...["--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
      ...["--dangerously-bypass-approvals-and-sandbox", prompt],
    ],
    environment: () => ({ MODEL_KEY: "test-key" }),
    files: (place, port) => ({
      ".codex/config.toml": [
        // A name that the client knows: only then does it offer apply_patch.
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[feedback]",
        "enabled = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "http://127.0.0.1:${port}/v1"`,
        'wire_api = "responses"',
        'env_key = "MODEL_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "[mcp_servers.probe]",
        `command = ${JSON.stringify(place.toolServer[0])}`,
        `args = ${JSON.stringify(place.toolServer.slice(1))}`,
        "",
      ].join("\n"),
      ".codex/hooks.json": settings({ hooks: {} }),
    }),
    configuration: ".codex/hooks.json",
    shortTimeout: 2,
    shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
    write: (path, content) => ({
      name: "apply_patch",
      input: `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch`,
    }),
    edit: (path, before, after) => ({
      name: "apply_patch",
      input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch`,
    }),
    tool: (input) => ({ namespace: "mcp__probe", name: "run", input }),
    failures: {
      killed: "blocked",
      missing: "blocked",
      failing: "blocked",
      garbage: { limit: "an answer that is no JSON marks the hook as failed, and the tool runs" },
      hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
    },
  },
  {
    id: "gemini",
    arguments: () => ["-m", "gemini-2.5-flash", "-y", "-p", prompt],
    environment: (port) => ({
      GEMINI_API_KEY: "test-key",
      GEMINI_TELEMETRY_ENABLED: "false",
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    }),
    files: (place) => ({
      ".gemini/settings.json": settings({
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        mcpServers: {
          probe: { command: place.toolServer[0], args: place.toolServer.slice(1), trust: true },
        },
      }),
    }),
    configuration: ".gemini/settings.json",
    shortTimeout: 2000,
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "agreed" } }),
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    edit: (path, before, after) => ({
      name: "replace",
      input: { file_path: path, instruction: "as agreed", old_string: before, new_string: after },
    }),
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    tool: (input) => ({ name: "mcp_probe_run", input }),
    failures: {
      killed: "blocked",
      missing: "blocked",
      failing: "blocked",
      garbage: { limit: "an answer that is no JSON becomes a message to the person, and the tool runs" },
      hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
    },
  },
];
