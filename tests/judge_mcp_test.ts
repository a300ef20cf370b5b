/** What guard decides about calls of well-known MCP servers, as a table; names and arguments as their documentation has them. */

import assert from "node:assert/strict";
import { decide } from "./judge_table.ts";
import type { Action, Decision } from "../src/types.ts";

type Call = readonly [server: string, tool: string, input?: unknown];

function calls(name: string, wanted: readonly Decision[], rows: readonly Call[]): void {
  for (const [server, tool, input = {}] of rows) {
    const action: Action = { kind: "mcp", server, tool, input };
    Deno.test(`${wanted.join(" or ")}: ${name}: ${server}/${tool} ${JSON.stringify(input)}`, () => {
      const { decision, findings } = decide(action);
      assert(
        wanted.includes(decision),
        `${decision} ${JSON.stringify(findings.map((one) => [one.rule, one.message]))}`,
      );
      // One loss is told once.
      const about = findings.filter(({ rule }) => rule === "mcp/destructive-tool");
      assert(about.length === 0 || findings.length === 1, JSON.stringify(findings));
    });
  }
}

calls("a name that says what is lost", ["ask"], [
  ["github", "delete_repository", { owner: "a", repo: "b" }],
  ["github", "delete_workflow_run_logs", { run_id: 3 }],
  ["github", "graphql", { query: "mutation M { deleteBranchProtectionRule(input: {}) { id } }" }],
  ["gitlab", "delete_project", { path: "group/project" }],
  ["docker", "remove_container", { container_id: "x", force: true }],
  ["docker", "remove_volume", { volume_name: "db" }],
  ["docker", "remove_image", { image: "x" }],
  ["kubernetes", "pods_delete", { name: "x", namespace: "n" }],
  ["kubernetes", "resources_delete", { apiVersion: "v1", kind: "Namespace", name: "x" }],
  ["kubernetes", "uninstall_helm_chart", { name: "x" }],
  ["terraform", "delete_workspace_safely", { name: "a" }],
  ["neon", "delete_project", { params: { projectId: "p" } }],
  ["cloudflare", "kv_namespace_delete", { namespace_id: "x" }],
  ["cloudflare", "r2_bucket_delete", { name: "b" }],
  ["cloudflare", "d1_database_delete", { database_id: "b" }],
  ["mongodb", "drop-index", { collection: "a", indexName: "b" }],
  ["elastic", "delete_index", { index: "logs" }],
  ["n8n", "n8n_delete_workflow", { id: "1" }],
  ["gmail", "batch_delete_emails", { messageIds: ["a"] }],
  ["jira", "jira_delete_issue", { issue_key: "A-1" }],
  ["confluence", "confluence_delete_page", { page_id: "1" }],
  ["slack", "slack_delete_message", { ts: "1" }],
  ["stripe", "delete_customer", { customer: "c" }],
  ["okta", "revokeUserSessions", { userId: "u" }],
  ["ec2", "TerminateInstances", { InstanceIds: ["i-1"] }],
  ["cache", "delete_cache_cluster", { CacheClusterId: "x" }],
  ["x", "Delete-Record-Set", { zone: "z" }],
  ["x", "deleteproject", { id: "p" }],
  ["x", "PURGE", {}],
  ["x", "data.wipe", {}],
  ["x", "hard_delete_user", { id: 3 }],
  ["x", "ｄｅｌｅｔｅ_user", { id: 3 }],
  ["x", "manage_repository", { action: "delete", name: "a" }],
  ["x", "api_request", { method: "DELETE", path: "/repos/a/b" }],
  ["x", "remove_user_from_organization", { user: "u" }],
]);

calls("a name that says no loss", ["none"], [
  ["github", "remove_label", { issue_number: 3, label: "bug" }],
  ["github", "remove_sub_issue", { issue_number: 3 }],
  ["github", "remove_reaction", { id: 3 }],
  ["github", "delete_file", { owner: "a", repo: "b", path: "README.md", branch: "dev", message: "m" }],
  ["github", "dismiss_notification", { threadID: "1" }],
  ["github", "get_deleted_branches", {}],
  ["github", "search_code", { query: "delete_repository" }],
  ["github", "create_issue", { title: "Drop the table", body: "delete everything" }],
  ["github", "graphql", { query: "query { repository { deleteBranchOnMerge(x: 1) } }" }],
  ["memory", "delete_entities", { entityNames: ["a"] }],
  ["memory", "delete_relations", { relations: [] }],
  ["knowledge-graph", "delete_observations", { deletions: [] }],
  ["serena", "delete_memory", { memory_name: "a" }],
  ["playwright", "browser_drag", { startRef: "a", endRef: "b" }],
  ["playwright", "browser_drop", { target: "x" }],
  ["puppeteer", "puppeteer_evaluate", { script: "document.body.remove()" }],
  ["chrome-devtools", "remove_breakpoint", { id: 1 }],
  ["desktop-commander", "force_terminate", { pid: 3 }],
  ["terminal", "terminate_session", { id: "s" }],
  ["figma", "delete_node", { nodeId: "1:2" }],
  ["images", "remove_background", { path: "a.png" }],
  ["text", "truncate_text", { text: "abc", length: 2 }],
  ["text", "remove_whitespace", { text: "abc" }],
  ["ide", "clear_cache", {}],
  ["ide", "undo_delete", {}],
  ["notion", "API-delete-a-block", { block_id: "x" }],
  ["redis", "delete", { key: "session:1" }],
  ["mongodb", "delete-many", { database: "shop", collection: "users", filter: { old: true } }],
  ["npm", "uninstall_package", { name: "left-pad" }],
  ["mail", "list_deleted_messages", {}],
  ["db", "preview_delete", { id: 3 }],
  ["x", "delete_status", { id: 3 }],
  ["x", "is_deleted", { id: 3 }],
  ["x", "drag_and_drop", { from: "a", to: "b" }],
  ["linear", "create_issue", { title: "Delete the old API", description: "rm -rf /" }],
  ["todoist", "manage_tasks", { action: "list", filter: "delete" }],
]);

calls("a command, as in a shell", ["deny"], [
  ["desktop-commander", "start_process", { command: "rm -rf ~", timeout_ms: 1000 }],
  ["desktop-commander", "interact_with_process", { pid: 3, input: "rm -rf ~\n" }],
  ["kubernetes", "pods_exec", { name: "p", command: ["rm", "-rf", "/"] }],
  ["kubernetes", "kubectl_delete", { resourceType: "namespace", name: "prod" }],
  ["kubernetes", "kubectl", { command: "delete ns prod" }],
  ["terraform", "ExecuteTerraformCommand", { command: "destroy", working_directory: "infra" }],
  ["azure", "extension_az", { command: "group delete -n prod --yes" }],
  ["gcloud", "run_gcloud_command", { args: ["projects", "delete", "x", "--quiet"] }],
  ["aws", "call_aws", { cli_command: "aws s3 rb s3://bucket --force" }],
  ["git", "git_push", { remote: "origin", branch: "main", force: true }],
  ["python", "execute_python", { code: "import shutil; shutil.rmtree('/home/eva')" }],
  ["jupyter", "execute_code", { code: "!rm -rf ~" }],
  ["blender", "execute_blender_code", { code: "import shutil; shutil.rmtree('/home/eva')" }],
  ["sandbox", "run_code", { code: "import shutil\nshutil.rmtree('/home/eva')" }],
  ["ssh", "ssh_exec", { host: "h", command: "rm -rf /" }],
  ["shell", "execute", { input: { cmd: "rm -rf ~" } }],
]);

calls("a command, as in a shell", ["ask"], [
  ["aws", "use_aws", { service_name: "s3", operation_name: "delete_bucket", parameters: { Bucket: "b" } }],
  ["aws", "call_aws", { cli_command: ["aws ec2 terminate-instances --instance-ids i-1", "aws s3 ls"] }],
  ["terraform", "ExecuteTerraformCommand", { command: "apply", working_directory: "infra" }],
  ["docker", "docker", { args: ["system", "prune", "-af"] }],
  ["git", "git_reset", { path: ".", mode: "hard" }],
  ["git", "git_clean", { force: true }],
]);

calls("a harmless command, as in a shell", ["none"], [
  ["aws", "call_aws", { cli_command: "aws s3 ls" }],
  ["terraform", "ExecuteTerraformCommand", { command: "plan", working_directory: "infra" }],
  ["kubernetes", "kubectl_get", { resourceType: "pods" }],
  ["gcloud", "run_gcloud_command", { args: ["compute", "instances", "list"] }],
  ["git", "git_status", { repo_path: "." }],
  ["git", "git_reset", { repo_path: "/home/eva/shop" }],
  ["git", "git_commit", { repo_path: ".", message: "delete the old files" }],
  ["git", "git_push", { remote: "origin", branch: "feature/a" }],
  ["shell", "execute", { command: "ls" }],
  ["python", "execute_python", { code: "import math\nprint(math.pi)" }],
  ["r", "execute_code", { code: "x <- c(1, 2); plot(x)" }],
  ["sandbox", "run_code", { code: "const a = [1, 2].map((x) => x + 1); console.log(a)" }],
  ["sandbox", "run_code", { code: "SELECT 1" }],
  ["desktop-commander", "edit_block", { file_path: "a.ts", old_string: "a", new_string: "b" }],
  ["http", "http_request", { method: "POST", url: "https://api.example.com/x", body: "{}" }],
]);

calls("SQL, as in a client", ["ask"], [
  ["postgres", "query", { sql: "DROP TABLE users" }],
  ["sqlite", "write_query", { query: "DELETE FROM users" }],
  ["supabase", "execute_sql", { query: "drop schema public cascade" }],
  ["supabase", "apply_migration", { name: "x", query: "alter table a drop column b" }],
  ["supabase", "delete_branch", { branch_id: "b" }],
  ["neon", "run_sql_transaction", { params: { sqlStatements: ["select 1", "drop table a"] } }],
  ["cloudflare", "d1_database_query", { database_id: "x", sql: "DELETE FROM a" }],
  ["heroku", "pg_psql", { app: "shop", command: "drop table users" }],
  ["mongodb", "delete-many", { collection: "users", filter: {} }],
  ["mongodb", "drop-database", { database: "shop" }],
  ["redis", "execute_command", { command: "FLUSHALL" }],
]);

calls("SQL that reads, or writes what is meant", ["none"], [
  ["postgres", "query", { sql: "SELECT count(*) FROM customers WHERE note LIKE '%drop table%'" }],
  ["sqlite", "read_query", { query: "select * from a" }],
  ["sqlite", "write_query", { query: "INSERT INTO a VALUES (1)" }],
  ["supabase", "list_tables", { schemas: ["public"] }],
  ["supabase", "execute_sql", { query: "delete from carts where id = 7" }],
  ["mongodb", "find", { collection: "users", filter: { text: "drop" } }],
]);

calls("an address, as in a fetch", ["deny"], [
  ["puppeteer", "puppeteer_navigate", { url: "http://169.254.169.254/latest/meta-data/" }],
  ["fetch", "fetch", { url: "http://metadata.google.internal/" }],
  ["firecrawl", "firecrawl_crawl", { start_url: "http://169.254.169.254/" }],
  ["web", "scrape", { urls: ["https://example.com/", "http://169.254.169.254/"] }],
  ["web", "navigate", { target_url: "http://169.254.169.254/" }],
  ["web", "get", { host: "169.254.169.254", path: "/latest" }],
  ["playwright", "browser_navigate", { url: "169.254.169.254/latest" }],
]);

calls("an address, as in a fetch", ["none"], [
  ["fetch", "fetch", { url: "https://example.com/" }],
  ["playwright", "browser_navigate", { url: "http://localhost:3000/" }],
  ["playwright", "browser_evaluate", { function: "() => localStorage.clear()" }],
  ["slack", "slack_post_message", { channel_id: "C1", text: "see http://169.254.169.254/" }],
]);

Deno.test("names that are none, and inputs without end, are looked at in time", () => {
  const started = performance.now();
  for (
    const name of [
      "",
      "__proto__",
      "constructor",
      "delete_".repeat(20_000),
      "deleteA".repeat(20_000),
      "\u0000",
    ]
  ) {
    decide({ kind: "mcp", server: name, tool: name, input: { action: "delete".repeat(1000), [name]: name } });
  }
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, "delete"]));
  decide({ kind: "mcp", server: "x", tool: "delete_user", input: wide });
  decide({
    kind: "mcp",
    server: "x",
    tool: "graphql",
    input: { query: "mutation " + "deleteA(".repeat(100_000) },
  });
  assert(performance.now() - started < 3000);
});
