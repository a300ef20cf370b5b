import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "claude",
  install: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    executable: "node_modules/.bin/claude",
  },
  arguments: (place, prompt) => {
    const [command, ...args] = place.toolServer;
    const servers = JSON.stringify({ mcpServers: { probe: { command, args } } });
    return [
      ...["-p", prompt, "--permission-mode", "bypassPermissions"],
      ...["--mcp-config", servers, "--strict-mcp-config"],
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
  timeout: { file: ".claude/settings.json", key: "timeout", short: 2 },
  shell: (command) => ({ name: "Bash", input: { command, description: "agreed" } }),
  write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
  edit: (path, before, after) => ({
    name: "Edit",
    input: { file_path: path, old_string: before, new_string: after },
  }),
  read: (path) => ({ name: "Read", input: { file_path: path } }),
  tool: (input) => ({ name: "mcp__probe__run", input }),
  subagent: (prompt) => ({
    name: "Agent",
    input: { description: "agreed", prompt, subagent_type: "general-purpose" },
  }),
  results: true,
  instructions: "CLAUDE.md",
  prompt: "blocked",
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: { limit: "a hook that is over its time is ended and counts as no opinion" },
  },
};

export default client;
