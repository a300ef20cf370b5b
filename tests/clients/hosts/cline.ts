import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "cline",
  install: { package: "cline", version: "3.0.65", executable: "node_modules/.bin/cline" },
  arguments: (_place, prompt) => [prompt],
  // Without the local backend a daemon is left behind, which serves later sessions with its own settings.
  environment: () => ({ CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" }),
  files: ({ toolServer: [command, ...args] }, port) => ({
    ".cline/data/settings/providers.json": settings({
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": {
          settings: {
            provider: "openai-compatible",
            apiKey: "test-key",
            model: "scripted",
            baseUrl: `http://127.0.0.1:${port}/v1`,
          },
          updatedAt: "2026-11-30T00:00:00.000Z",
          tokenSource: "manual",
        },
      },
    }),
    ".cline/data/settings/cline_mcp_settings.json": settings({ mcpServers: { probe: { command, args } } }),
  }),
  shell: (command) => ({ name: "run_commands", input: { commands: [command] } }),
  write: (path, content) => ({ name: "editor", input: { path, new_text: content } }),
  edit: (path, before, after) => ({ name: "editor", input: { path, old_text: before, new_text: after } }),
  read: (path) => ({ name: "read_files", input: { files: [{ path }] } }),
  tool: (input) => ({ name: "probe__run", input }),
  subagent: (prompt) => ({ name: "spawn_agent", input: { systemPrompt: "Do what is asked.", task: prompt } }),
  aborts: "a hook that denies ends the whole run, and the model is not asked again",
  silent: "a hook that denies ends the whole run, and its reason stands in a log of the client alone",
  prompt: { limit: "the client runs no hook for a prompt given on the command line" },
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: "blocked",
  },
};

export default client;
