/** Tools of MCP servers and others that work on a database. */

import type { Action, Match, Rule } from "../../src/types.ts";
import { shorten } from "../evidence.ts";
import { hostPlace, namesProduction, namesTest, urlParts } from "../shared/production.ts";
import { placeOf } from "./clients.ts";
import { type SqlHarm, sqlHarms } from "./statements.ts";
import { mongoLoss } from "./stores.ts";

/** Names of tools and servers that work on a database. */
const databaseNames =
  /sql|postgres|sqlite|maria|(?:^|[^a-z])db|db(?:$|[^a-z])|database|supabase|neon|bigquery|snowflake|clickhouse|duckdb|planetscale|cockroach|mongo|redis|turso|oracle|query|execute/i;
const sqlKeys =
  /^(?:sql|sqls|statement|statements|sql_?(?:quer(?:y|ies)|texts?|statements?|strings?|commands?|scripts?)|queries|query|q|script|code|text|command|migration|params?)$/i;
const certainKeys =
  /^(?:sql|sqls|statements?|(?:raw_?)?sql_?(?:quer(?:y|ies)|texts?|statements?|strings?|commands?|scripts?))$/i;

const limits = { depth: 6, values: 2000 };

/** Texts of a tool's input that are SQL, and those that tell where it works. */
function toolTexts(
  input: unknown,
  named: boolean,
): { readonly sql: readonly string[]; readonly places: readonly string[] } {
  const sql: string[] = [];
  const places: string[] = [];
  let left = limits.values;
  const walk = (value: unknown, key: string, depth: number): void => {
    if (left-- <= 0 || depth > limits.depth) return;
    if (typeof value === "string") {
      if (certainKeys.test(key) || (named && sqlKeys.test(key))) sql.push(value);
      else if (value.length < 500) places.push(value);
    } else if (Array.isArray(value)) {
      for (const item of value) walk(item, key, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) walk(member, name, depth + 1);
    }
  };
  walk(input, "", 0);
  return { sql, places };
}

/** What tools of MongoDB servers lose by their name alone. */
function toolLoss(tool: string, input: unknown): string | undefined {
  const name = tool.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().replaceAll("-", "_");
  if (
    /(?:^|_)(?:drop_(?:database|collection|table|schema|keyspace)|delete_(?:database|branch|table)|flush_?(?:all|db)|reset_(?:database|branch))$/
      .test(name)
  ) {
    return tool;
  }
  if (
    /(?:^|_)(?:delete_many|remove_many|update_many)$/.test(name) && typeof input === "object" &&
    input !== null
  ) {
    const { filter, query } = input as { readonly filter?: unknown; readonly query?: unknown };
    const condition = filter ?? query;
    if (condition === undefined || JSON.stringify(condition) === "{}" || condition === "{}") {
      return `${tool} without a filter`;
    }
  }
  return undefined;
}

function matchTool(action: Action): Match | undefined {
  if (action.kind !== "mcp" && action.kind !== "unknown") return undefined;
  const server = action.kind === "mcp" ? action.server : "";
  const named = databaseNames.test(server) || databaseNames.test(action.tool);
  const { sql, places } = toolTexts(action.input, named);
  let what = named || /collection|database|table/i.test(action.tool)
    ? toolLoss(action.tool, action.input)
    : undefined;
  let lost: SqlHarm | undefined;
  for (const text of sql) {
    const harms = ["postgres", "mysql", "tsql"].flatMap((dialect) =>
      sqlHarms(text, dialect as "postgres" | "mysql" | "tsql")
    );
    lost ??= harms[0];
    if (named && /^\s*flush(?:all|db)\b/i.test(text)) what ??= text.trim();
    if (named) what ??= mongoLoss(text);
  }
  what ??= lost?.what;
  if (what === undefined) return undefined;
  const hosts = places.flatMap((text) => urlParts(text)?.host ?? []);
  const production = [server, action.tool, ...places].some(namesProduction);
  const remote = hosts.some((host) => hostPlace(host) === "remote");
  if (!production && !remote) {
    if (lost?.target !== undefined && /^DROP (?:DATABASE|SCHEMA)/.test(lost.what) && namesTest(lost.target)) {
      return undefined;
    }
    if (places.some((text) => /^[\w./-]+$/.test(text) && namesTest(text))) return undefined;
  }
  return {
    decision: production || remote ? "deny" : "ask",
    message: `${shorten(what, 100)} would be done${
      placeOf(production ? "production" : remote ? "remote" : "usual")
    } without a way back.`,
    evidence: { text: shorten(sql[0] ?? action.tool, 120) },
  };
}

export const toolLosesData: Rule = {
  on: "action",
  id: "databases/tool-loses-data",
  title: "A tool that deletes data of a database",
  severity: "high",
  decision: "ask",
  rationale: "What a tool runs in a database is as final as what a command runs there.",
  advice:
    "Read first with a SELECT; limit DELETE and UPDATE by WHERE; use a test database or a branch of it.",
  kinds: ["mcp", "unknown"],
  examples: {
    match: [
      { action: { kind: "mcp", server: "postgres", tool: "query", input: { sql: "DROP TABLE users" } } },
      {
        action: {
          kind: "mcp",
          server: "shop-production",
          tool: "execute_sql",
          input: { query: "truncate users" },
        },
        decision: "deny",
      },
      {
        action: {
          kind: "mcp",
          server: "mongodb",
          tool: "drop-collection",
          input: { database: "shop", collection: "users" },
        },
      },
      {
        action: {
          kind: "mcp",
          server: "mysql",
          tool: "run",
          input: { statement: "/*! delete from users */" },
        },
      },
      { action: { kind: "unknown", tool: "execute_sql", input: { query: "delete from users where 1 = 1" } } },
    ],
    pass: [
      {
        action: {
          kind: "mcp",
          server: "postgres",
          tool: "query",
          input: { sql: "select 'drop table users'" },
        },
      },
      {
        action: {
          kind: "mcp",
          server: "search",
          tool: "web",
          input: { query: "drop table without losing data" },
        },
      },
      { action: { kind: "mcp", server: "notes", tool: "create", input: { text: "DROP TABLE users" } } },
      {
        action: {
          kind: "mcp",
          server: "postgres",
          tool: "query",
          input: { sql: "delete from users where id = 4" },
        },
      },
    ],
  },
  match: matchTool,
};
