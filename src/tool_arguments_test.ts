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
  // Names of arguments that servers use.
  ["call_aws", { cli_command: "aws s3 ls" }, ["run aws s3 ls"]],
  ["call_aws", { cli_command: ["aws s3 ls", "aws ec2 x"] }, ["run aws s3 ls", "run aws ec2 x"]],
  ["use_aws", { service_name: "s3", operation_name: "delete_bucket", parameters: { Bucket: "b" } }, [
    "run aws s3api delete-bucket --bucket b",
  ]],
  ["execute-aws-command", { command: "s3", subcommand: "rb", options: { force: true } }, [
    "run aws s3 rb --force",
    "run s3",
    "run rb",
  ]],
  ["bash", { bash_command: "rm x" }, ["run rm x"]],
  ["run_script", { script_content: "rm x" }, ["run rm x"]],
  ["execute", { cli: "rm x" }, ["run rm x"]],
  ["execute", { executable: "rm", arguments: "-rf x" }, ["run rm -rf x"]],
  ["interact_with_process", { pid: 3, input: "rm x" }, ["run rm x"]],
  ["kubectl", { command: "delete ns prod" }, ["run kubectl delete ns prod", "run delete ns prod"]],
  ["kubectl", { command: "kubectl get pods" }, ["run kubectl get pods"]],
  ["kubectl_generic", { command: "delete", resourceType: "pod", args: ["--all"] }, [
    "run kubectl delete pod --all",
    "run delete --all",
  ]],
  ["kubectl_delete", { resourceType: "pod", name: "x", namespace: "n" }, ["run kubectl delete pod x -n n"]],
  ["kubectl_get", { resourceType: "pods" }, []],
  ["docker_exec", { container: "x", command: "rm -rf /data" }, ["run rm -rf /data"]],
  ["docker", { args: ["rm", "-f", "x"] }, ["run docker rm -f x"]],
  ["docker", { args: ["system", "prune", "-af"] }, ["run docker system prune -af"]],
  ["run_gcloud_command", { args: ["projects", "delete", "x"] }, [
    "run gcloud projects delete x",
    "run projects delete x",
  ]],
  ["extension_az", { command: "group delete -n x --yes" }, [
    "run az group delete -n x --yes",
    "run group delete -n x --yes",
  ]],
  ["ExecuteTerraformCommand", { command: "destroy", working_directory: "infra" }, [
    "run terraform destroy -auto-approve",
    "run destroy",
  ]],
  ["git_reset", { repo_path: "/r", mode: "hard" }, ["run git reset --hard"]],
  ["git_push", { remote: "origin", branch: "main", force: true }, ["run git push --force origin main"]],
  ["git_branch", { operation: "delete", branchName: "x", force: true }, ["run git branch -D --force x"]],
  ["git_stash", { mode: "drop" }, ["run git stash drop"]],
  ["git_status", { repo_path: "/r" }, []],
  ["helm_uninstall", { name: "x", namespace: "n" }, ["run helm uninstall x -n n"]],
  ["execute_blender_code", { code: "import os" }, ["run python3 -c 'import os'"]],
  ["execute_code", { code: "const a = require('fs')" }, ["run node -e 'const a = require('\\''fs'\\'')'"]],
  ["show_code", { code: "import os" }, []],
  ["jupyter_run", { code: "x = 1\n!rm y" }, ["run python3 -c 'x = 1\n!rm y'", "run rm y"]],
  ["crawl", { start_url: "http://a.example/" }, ["fetch http://a.example/"]],
  ["get", { host: "169.254.169.254", path: "/latest" }, ["fetch http://169.254.169.254", "read /latest"]],
  ["connect", { host: "db.example.com" }, []],
  ["connect", { url: "postgres://db.example.com/x" }, []],
  ["browser_navigate", { url: "localhost.example:3000/a" }, ["fetch http://localhost.example:3000/a"]],
  ["fetch", { url: "gopher://a.example/" }, ["fetch gopher://a.example/"]],
  ["http_request", { method: "DELETE", url: "http://a.example/x", body: "{}" }, [
    "run curl -X DELETE --data-raw '{}' http://a.example/x",
    "fetch http://a.example/x",
  ]],
  ["http_request", { method: "GET", url: "http://a.example/x" }, ["fetch http://a.example/x"]],
];

for (const [tool, input, expected] of table) {
  Deno.test(`${tool} ${JSON.stringify(input)}`, () => assert.deepEqual(implied(tool, input), expected));
}

Deno.test("a line runs in the directory that the tool is given", () => {
  const { actions } = impliedActions({
    kind: "mcp",
    server: "git",
    tool: "git_clean",
    input: { repo_path: "/home/eva/other", force: true },
  });
  assert.deepEqual(actions[0], {
    kind: "shell",
    command: "git clean --force",
    dialect: "posix",
    cwd: "/home/eva/other",
  });
});

Deno.test("a server that is named after a language runs it", () => {
  const { actions } = impliedActions({
    kind: "mcp",
    server: "python-repl",
    tool: "run",
    input: { code: "print(1)" },
  });
  assert.deepEqual(actions.map((one) => one.kind === "shell" && one.command), ["python3 -c 'print(1)'"]);
});

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
