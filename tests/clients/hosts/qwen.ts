import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "qwen",
  install: { package: "@qwen-code/qwen-code", version: "0.24.4", executable: "node_modules/.bin/qwen" },
  arguments: (_place, prompt) => ["--auth-type", "openai", "-m", "scripted", "-y", "-p", prompt],
  environment: (port) => ({
    OPENAI_API_KEY: "test-key",
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_MODEL: "scripted",
    QWEN_TELEMETRY_ENABLED: "false",
  }),
  files: ({ toolServer: [command, ...args] }) => ({
    ".qwen/settings.json": settings({
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      mcpServers: { probe: { command, args, trust: true } },
    }),
  }),
  timeout: { file: ".qwen/settings.json", key: "timeout", short: 2 },
  shell: (command) => ({
    name: "run_shell_command",
    input: { command, description: "agreed", is_background: false },
  }),
  write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
  edit: (path, before, after) => ({
    name: "edit",
    input: { file_path: path, old_string: before, new_string: after },
  }),
  read: (path) => ({ name: "read_file", input: { file_path: path } }),
  tool: (input) => ({ name: "mcp__probe__run", input }),
  subagent: (prompt) => ({
    name: "agent",
    input: { description: "agreed", prompt, subagent_type: "general-purpose" },
  }),
  prompt: "blocked",
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
  },
};

export default client;
