import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "codex",
  install: { package: "@openai/codex", version: "0.171.0", executable: "node_modules/.bin/codex" },
  arguments: (_place, prompt) => [
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
  timeout: { file: ".codex/hooks.json", key: "timeout", short: 2 },
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
  results: true,
  instructions: "AGENTS.md",
  prompt: "blocked",
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON marks the hook as failed, and the tool runs" },
    hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
  },
};

export default client;
