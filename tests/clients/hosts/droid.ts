import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "droid",
  install: { package: "droid", version: "0.215.0", executable: "node_modules/.bin/droid" },
  arguments: (_place, prompt) => ["exec", "--auto", "high", "-m", "custom:scripted", prompt],
  environment: () => ({
    // Without a network the client asks for no login.
    FACTORY_AIRGAP_ENABLED: "true",
    FACTORY_DISABLE_KEYRING: "1",
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
  }),
  files: ({ toolServer: [command, ...args] }, port) => ({
    ".factory/settings.json": settings({
      customModels: [{
        model: "scripted",
        id: "custom:scripted",
        displayName: "Scripted",
        baseUrl: `http://127.0.0.1:${port}/v1`,
        apiKey: "test-key",
        provider: "generic-chat-completion-api",
        maxOutputTokens: 8_000,
      }],
      cloudSessionSync: false,
      enableTelemetry: false,
    }),
    ".factory/mcp.json": settings({ mcpServers: { probe: { type: "stdio", command, args } } }),
  }),
  timeout: { file: ".factory/settings.json", key: "timeout", short: 2 },
  shell: (command) => ({
    name: "Execute",
    input: { command, summary: "agreed", riskLevel: "low", riskLevelReason: "agreed" },
  }),
  write: (path, content) => ({ name: "Create", input: { file_path: path, content } }),
  edit: (path, before, after) => ({
    name: "Edit",
    input: { file_path: path, old_str: before, new_str: after },
  }),
  read: (path) => ({ name: "Read", input: { file_path: path } }),
  tool: (input) => ({ name: "probe___run", input }),
  subagent: (prompt) => ({ name: "Task", input: { subagent_type: "worker", description: "agreed", prompt } }),
  prompt: { limit: "the client runs no hook for a prompt given on the command line" },
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
  },
};

export default client;
