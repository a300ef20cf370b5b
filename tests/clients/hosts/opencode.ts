import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "opencode",
  install: { package: "opencode-ai", version: "1.18.33", executable: "node_modules/.bin/opencode" },
  arguments: (_place, prompt) => ["run", prompt],
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),
  files: (place, port) => ({
    ".config/opencode/opencode.json": settings({
      autoupdate: false,
      share: "disabled",
      snapshot: false,
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "test-key" },
          models: { scripted: { tool_call: true, limit: { context: 100_000, output: 8_000 } } },
        },
      },
      mcp: { probe: { type: "local", command: place.toolServer, enabled: true } },
    }),
    // What the client would install here for plugins written in TypeScript counts as there; it would wait for the network.
    ".config/opencode/node_modules/.keep": "",
    ".config/opencode/package-lock.json": settings({
      packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } },
    }),
  }),
  shell: (command) => ({ name: "bash", input: { command, description: "agreed" } }),
  write: (path, content) => ({ name: "write", input: { filePath: path, content } }),
  edit: (path, before, after) => ({
    name: "edit",
    input: { filePath: path, oldString: before, newString: after },
  }),
  read: (path) => ({ name: "read", input: { filePath: path } }),
  tool: (input) => ({ name: "probe_run", input }),
  subagent: (prompt) => ({
    name: "task",
    input: { description: "agreed", prompt, subagent_type: "general" },
  }),
  results: true,
  prompt: { limit: "guard does not look at prompts on this host" },
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: "blocked",
    hanging: "blocked",
  },
};

export default client;
