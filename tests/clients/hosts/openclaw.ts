import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "openclaw",
  install: { package: "openclaw", version: "2026.9.6", executable: "node_modules/.bin/openclaw" },
  arguments: (_place, prompt) => [
    ...["agent", "--local", "--session-key", "agent:main:agreed"],
    ...["--message", prompt, "--json"],
  ],
  environment: () => ({ OPENCLAW_DISABLE_UPDATE_CHECK: "1" }),
  files: ({ toolServer: [command, ...args], work }, port) => ({
    ".openclaw/openclaw.json": settings({
      models: {
        mode: "merge",
        providers: {
          scripted: {
            baseUrl: `http://127.0.0.1:${port}/v1`,
            apiKey: "test-key",
            api: "openai-completions",
            models: [{
              id: "scripted",
              name: "Scripted",
              reasoning: false,
              input: ["text"],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              contextWindow: 100_000,
              maxTokens: 8_000,
            }],
          },
        },
      },
      agents: { defaults: { model: { primary: "scripted/scripted" }, workspace: work } },
      mcp: { servers: { probe: { command, args } } },
    }),
  }),
  shell: (command) => ({ name: "exec", input: { command } }),
  write: (path, content) => ({ name: "write", input: { path, content } }),
  edit: (path, before, after) => ({
    name: "edit",
    input: { path, edits: [{ oldText: before, newText: after }] },
  }),
  read: (path) => ({ name: "read", input: { path } }),
  tool: (input) => ({ name: "tool_call", input: { id: "probe__run", args: input } }),
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
