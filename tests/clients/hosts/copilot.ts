import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "copilot",
  install: { package: "@github/copilot", version: "1.0.102", executable: "node_modules/.bin/copilot" },
  arguments: (_place, prompt) => ["-p", prompt, "--allow-all-tools"],
  environment: (port) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    COPILOT_PROVIDER_API_KEY: "test-key",
    COPILOT_MODEL: "scripted",
  }),
  files: ({ toolServer: [command, ...args] }) => ({
    ".copilot/mcp-config.json": settings({
      mcpServers: { probe: { type: "local", command, args, tools: ["*"] } },
    }),
  }),
  timeout: { file: ".copilot/hooks/guard.json", key: "timeout", short: 2 },
  shell: (command) => ({ name: "bash", input: { command, description: "agreed" } }),
  write: (path, content) => ({ name: "create", input: { path, file_text: content } }),
  edit: (path, before, after) => ({ name: "edit", input: { path, old_str: before, new_str: after } }),
  read: (path) => ({ name: "view", input: { path } }),
  tool: (input) => ({ name: "probe-run", input }),
  subagent: (prompt) => ({
    name: "task",
    input: { agent_type: "general-purpose", description: "agreed", name: "agreed", prompt },
  }),
  results: true,
  prompt: { limit: "the client sends the prompt whatever a hook answers" },
  silent: "of a hook that ends with 2 the client shows the exit code alone",
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: { limit: "a hook that is over its time is ended and counts as no opinion" },
  },
};

export default client;
