import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "pi",
  install: {
    package: "@earendil-works/pi-coding-agent",
    version: "1.6.0",
    executable: "node_modules/.bin/pi",
  },
  arguments: (
    _place,
    prompt,
  ) => ["--provider", "scripted", "--model", "scripted", "--tools", "+codemode", "-p", prompt],
  environment: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
  files: ({ toolServer: [command, ...args] }, port) => ({
    ".pi/agent/mcp.json": settings({ mcpServers: { probe: { command, args, exposure: "direct" } } }),
    ".pi/agent/models.json": settings({
      providers: {
        scripted: {
          baseUrl: `http://127.0.0.1:${port}/v1`,
          apiKey: "test-key",
          api: "openai-completions",
          models: [{
            id: "scripted",
            name: "Scripted",
            contextWindow: 100_000,
            maxTokens: 8_000,
            input: ["text"],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          }],
        },
      },
    }),
  }),
  shell: (command) => ({ name: "bash", input: { command } }),
  write: (path, content) => ({ name: "write", input: { path, content } }),
  edit: (path, before, after) => ({
    name: "edit",
    input: { path, edits: [{ oldText: before, newText: after }] },
  }),
  read: (path) => ({ name: "read", input: { path } }),
  tool: (input) => ({ name: "mcp__probe__run", input }),
  others: [{
    name: "a script that calls the shell",
    call: (command) => ({
      name: "codemode",
      input: { code: `return await tools.bash(${JSON.stringify({ command })});` },
    }),
  }],
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
