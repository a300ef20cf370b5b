import { type Client, settings } from "../client.ts";

const client: Client = {
  id: "augment",
  install: { package: "@augmentcode/auggie", version: "0.36.0", executable: "node_modules/.bin/auggie" },
  arguments: (_place, prompt) => ["--print", "--dont-save-session", prompt],
  environment: (port) => ({
    AUGMENT_DISABLE_AUTO_UPDATE: "1",
    AUGMENT_SESSION_AUTH: JSON.stringify({
      accessToken: "test-key",
      tenantURL: `http://127.0.0.1:${port}/`,
      scopes: ["read", "write"],
    }),
  }),
  files: ({ toolServer: [command, ...args] }) => ({
    ".augment/settings.json": settings({ mcpServers: { probe: { command, args } } }),
  }),
  timeout: { file: ".augment/settings.json", key: "timeout", short: 2000 },
  shell: (command) => ({
    name: "launch-process",
    input: { command, wait: true, max_wait_seconds: 30, cwd: "." },
  }),
  write: (path, content) => ({ name: "save-file", input: { path, file_content: content } }),
  edit: (path, before, after) => ({
    name: "str-replace-editor",
    input: {
      command: "str_replace",
      path,
      str_replace_entries: [{
        old_str: before,
        new_str: after,
        old_str_start_line_number: 1,
        old_str_end_line_number: 1,
      }],
    },
  }),
  read: (path) => ({ name: "view", input: { type: "file", path } }),
  tool: (input) => ({ name: "run_probe", input }),
  prompt: { limit: "guard does not look at prompts on this host" },
  failures: {
    killed: "blocked",
    missing: "blocked",
    failing: "blocked",
    garbage: { limit: "an answer that is no JSON counts as no opinion when the hook ends with 0" },
    hanging: { limit: "a hook that is over its time is ended, and the tool runs" },
  },
};

export default client;
