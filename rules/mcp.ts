/** Rules about tools of MCP servers of which nothing but the name is known. */

import { impliedActions } from "../src/tool_arguments.ts";
import { toolCommands } from "../src/tool_programs.ts";
import type { ActionOf, ActionRule, Context, Match, Rule } from "../src/types.ts";
import { toolLosesData } from "./databases/tool.ts";
import { shorten } from "./evidence.ts";
import { type Destruction, destructionBy } from "./mcp/names.ts";

function mcp(server: string, tool: string, input: unknown = {}) {
  return { action: { kind: "mcp", server, tool, input } } as const;
}

const fileWords = /^(?:files?|filepath|directory|directories|dirs?|folders?|paths?|symlinks?|)$/;

/** True where what would be lost is judged by what it is, and not by the name of the tool. */
function isJudgedOtherwise(
  action: ActionOf<"mcp">,
  { thing }: Destruction,
  context: Context,
): boolean {
  if (toolCommands(action).length > 0) return true;
  const { actions } = impliedActions(action);
  if (actions.some(({ kind }) => kind === "shell")) return true;
  if (fileWords.test(thing) && actions.some((one) => one.kind === "file" && one.operation === "delete")) {
    return true;
  }
  if (toolLosesData.on === "action" && toolLosesData.match(action, context) !== undefined) return true;
  return isNarrow(action, thing);
}

/** One record, document or key of a store, by its name or a condition, as in a statement with WHERE. */
function isNarrow({ server, tool, input }: ActionOf<"mcp">, thing: string): boolean {
  if (typeof input !== "object" || input === null) return false;
  const members = new Map(Object.entries(input).slice(0, 200));
  const given = (pattern: RegExp) =>
    [...members].some(([name, value]) =>
      pattern.test(name) && value !== "" && value !== "*" && value !== null &&
      !/^(?:\{\}|\[\])$/.test(JSON.stringify(value) ?? "{}")
    );
  const isStore =
    /redis|valkey|memcache|mongo|dynamo|firestore|sql|database|(?:^|[^a-z])(?:db|kv|vector|qdrant|chroma|pinecone)(?:[^a-z]|$)/i
      .test(`${server} ${tool}`);
  if (/^(?:records?|rows?|documents?|points?|vectors?|keys?|one|fields?|)$/.test(thing) && isStore) {
    return given(/^(?:_?ids?|[a-z_]*ids?|keys?|where|filter|conditions?|query|names?)$/i);
  }
  // Of MongoDB: the rule on databases asks where there is no condition.
  return /(?:^|[-_])(?:delete|remove)[-_]?(?:one|many)$/i.test(tool) && given(/^(?:filter|query|where)$/i);
}

const destructive: ActionRule = {
  on: "action",
  id: "mcp/destructive-tool",
  title: "A tool of an MCP server that is named after a deletion",
  severity: "medium",
  decision: "ask",
  rationale:
    "Nothing but its name says what the tool does, and what a service deletes is seldom to be had back. A policy that allows the tool (`tools`) ends the question.",
  advice: "Say what would be lost, and let the person decide; list or archive where the server offers it.",
  kinds: ["mcp"],
  examples: {
    match: [
      mcp("github", "delete_repository", { owner: "a", repo: "b" }),
      mcp("docker", "remove_container", { container_id: "x" }),
      mcp("neon", "delete_project", { params: { projectId: "p" } }),
      mcp("jira", "jiraDeleteIssue", { issue_key: "A-1" }),
      mcp("cloudflare", "kv_namespace_delete", { namespace_id: "x" }),
      mcp("vault", "REVOKE-LEASE", { id: "x" }),
      mcp("ec2", "terminateInstances", { ids: ["i-1"] }),
      mcp("k8s", "uninstall_helm_chart", { name: "x" }),
      mcp("crm", "manage_customer", { action: "delete", id: 4 }),
      mcp("github", "graphql", { query: "mutation { deleteRef(input: {refId: 3}) { clientMutationId } }" }),
    ],
    pass: [
      mcp("github", "remove_label", { issue_number: 4, label: "bug" }),
      mcp("slack", "remove_reaction", { name: "eyes" }),
      mcp("memory", "delete_entities", { entityNames: ["a"] }),
      mcp("mail", "list_deleted_messages"),
      mcp("db", "preview_delete", { id: 3 }),
      mcp("ide", "clear_cache"),
      mcp("notes", "undo_delete", { id: 3 }),
      mcp("playwright", "browser_drop", { target: "x" }),
      mcp("images", "remove_background", { path: "a.png" }),
      mcp("mongodb", "delete-many", { collection: "users", filter: { old: true } }),
      mcp("redis", "delete", { key: "session:1" }),
      mcp("files", "delete_file", { path: "/tmp/scratch.txt" }),
      mcp("linear", "create_issue", { title: "Delete the old API" }),
    ],
  },
  match(action, context): Match | undefined {
    if (action.kind !== "mcp") return undefined;
    const found = destructionBy(action.server, action.tool, action.input);
    if (found === undefined || isJudgedOtherwise(action, found, context)) return undefined;
    const { verb, thing } = found;
    return {
      message: `Its name says that this tool would ${verb} ${
        thing === "" ? "something" : `the ${shorten(thing, 40)}`
      }; nothing more is known about it.`,
      evidence: { text: shorten(`${action.server}/${action.tool}`, 120) },
    };
  },
};

export const rules: readonly Rule[] = [destructive];
