import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "gemini",
  install: { package: "@google/gemini-cli", version: "0.61.0", executable: "node_modules/.bin/gemini" },
  arguments: (_place, prompt) => ["-m", "gemini-2.5-flash", "-y", "-p", prompt],
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
  timeout: { file: ".gemini/settings.json", key: "timeout", short: 2000 },
  shell: (command) => ({ name: "run_shell_command", input: { command, description: "agreed" } }),
  write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
  edit: (path, before, after) => ({
    name: "replace",
    input: { file_path: path, instruction: "as agreed", old_string: before, new_string: after },
  }),
  read: (path) => ({ name: "read_file", input: { file_path: path } }),
  tool: (input) => ({ name: "mcp_probe_run", input }),
  results: true,
  instructions: "GEMINI.md",
  prompt: "blocked",
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON becomes a message to the person, and the tool runs" },
    hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
  },
};

export default client;
