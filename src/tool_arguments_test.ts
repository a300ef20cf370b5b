import assert from "node:assert/strict";
import { impliedActions } from "./tool_arguments.ts";

function implied(tool: string, input: unknown): string[] {
  return impliedActions({ kind: "mcp", server: "srv", tool, input }).actions.map((action) =>
    action.kind === "file"
      ? `${action.operation} ${action.path}`
      : action.kind === "shell"
      ? `run ${action.command}`
      : action.kind === "fetch"
      ? `fetch ${action.url}`
      : action.kind
  );
}

const table: readonly [tool: string, input: unknown, expected: string[]][] = [
  ["read_file", { relative_path: ".env" }, ["read .env"]],
  ["readTextFile", { uri: "file:///home/eva/.env" }, ["read file:///home/eva/.env"]],
  ["write_file", { path: "a", content: "x" }, ["write a"]],
  ["replace_symbol_body", { relative_path: "a.ts", body: "x" }, ["edit a.ts"]],
  ["delete_file", { path: "a" }, ["delete a"]],
  ["move_file", { source: "a", destination: "b" }, ["delete a", "write b"]],
  ["read_multiple_files", { paths: ["a", "b"] }, ["read a", "read b"]],
  ["list_directory", { path: "src" }, []],
  ["execute_command", { command: "rm -rf ~" }, ["run rm -rf ~"]],
  ["run", { command: ["bash", "-lc", "rm -rf ~"] }, ["run bash -lc 'rm -rf ~'"]],
  ["run", { command: "rm", args: ["-rf", "a b"] }, ["run rm -rf 'a b'"]],
  ["exec", { program: "rm", arguments: ["-rf", "a b"] }, ["run rm -rf 'a b'"]],
  ["exec", { executable: "/opt/my tool/x", args: ["a"] }, ["run '/opt/my tool/x' a"]],
  ["spawn", { argv: ["rm", "-rf", "x"] }, ["run rm -rf x"]],
  ["run_command", { args: ["rm", "-rf", "x"] }, ["run rm -rf x"]],
  ["run_command", { command: "git", args: ["status", "-s"] }, ["run git status -s"]],
  ["write_to_terminal", { text: "rm -rf ~\n" }, ["run rm -rf ~\n"]],
  ["send_keys", { keys: "rm -rf x" }, ["run rm -rf x"]],
  ["browser_press_keys", { keys: "rm -rf x" }, []],
  ["call", { params: '{"command":"rm x"}' }, ["run rm x"]],
  ["post_message", { text: "rm -rf ~" }, []],
  ["run_tests", { args: ["--watch"] }, []],
  ["run_many", { commands: ["git status", "rm -rf x"] }, ["run git status", "run rm -rf x"]],
  ["browse", { url: "http://169.254.169.254/" }, ["fetch http://169.254.169.254/"]],
  ["anything", '{"path":"x"}', ["read x"]],
  ["search", { query: "rm -rf /", limit: 3 }, []],
  ["nested", { options: { file: { path: "deep" } } }, ["read deep"]],
  ["none", null, []],
];

for (const [tool, input, expected] of table) {
  Deno.test(`${tool} ${JSON.stringify(input)}`, () => assert.deepEqual(implied(tool, input), expected));
}

Deno.test("tools of a terminal's server run what they are given", () => {
  const of = (server: string, tool: string) =>
    impliedActions({ kind: "mcp", server, tool, input: { input: "rm x" } }).actions.length;
  assert.equal(of("shell", "run"), 1);
  assert.equal(of("my-terminal", "sendInput"), 1);
  assert.equal(of("shell", "list_sessions"), 0);
  assert.equal(of("calendar", "run"), 0);
});

Deno.test("input that never ends is bounded, and that is said", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["path"] = cyclic;
  const many = { paths: Array.from({ length: 10_000 }, (_, index) => `f${index}`) };
  for (const input of [cyclic, many]) {
    const { actions, complete } = impliedActions({ kind: "unknown", tool: "x", input });
    assert.ok(actions.length <= 200);
    assert.equal(complete, false);
  }
});
