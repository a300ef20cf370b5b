/** Rules about databases: losing data, and using a database to run programs or to open it to others. */

import type { Assignment, Invocation, Understanding } from "../src/shell/model.ts";
import type { Action, CommandRule, Context, Match, Rule } from "../src/types.ts";
import { clientCall, type ClientCall, clientTarget, sqlClients, sqlTexts, type Target } from "./databases/clients.ts";
import { type SqlHarm, sqlHarms } from "./databases/statements.ts";
import { mongoLoss, stores } from "./databases/stores.ts";
import { evidenceOf, shorten } from "./evidence.ts";
import { exported, hostPlace, namesProduction, namesTest, urlParts } from "./shared/production.ts";

const clientPrograms = Object.keys(sqlClients);

interface ClientHarms {
  readonly invocation: Invocation;
  readonly harms: readonly SqlHarm[];
  readonly target: Target;
}

const cache = new WeakMap<Understanding, readonly ClientHarms[]>();

/** What the SQL in a line does, client by client; read once for all rules. */
function clientHarms(understanding: Understanding, context: Context): readonly ClientHarms[] {
  let known = cache.get(understanding);
  if (known === undefined) {
    const environment: Assignment[] = [];
    const found: ClientHarms[] = [];
    for (const invocation of understanding.invocations) {
      environment.push(...exported(invocation));
      const call = clientCall(invocation);
      if (call === undefined) continue;
      const harms = harmsOf(call, invocation, context);
      if (harms.length > 0) found.push({ invocation, harms, target: clientTarget(call, invocation, environment, context) });
    }
    cache.set(understanding, known = found);
  }
  return known;
}

function harmsOf(call: ClientCall, invocation: Invocation, context: Context): readonly SqlHarm[] {
  return sqlTexts(call, invocation, context).flatMap((text) => sqlHarms(text, call.client.dialect));
}

/** The decision on a loss, by where it happens; undefined when it is none worth a word. */
function decisionAt(target: Target, name: string | undefined, whole: boolean): "ask" | "deny" | undefined {
  if (target === "production" || target === "remote") return "deny";
  if (target === "test" || (whole && name !== undefined && namesTest(name))) return undefined;
  return "ask";
}

function placeOf(target: Target): string {
  return target === "production" ? " in production" : target === "remote" ? " of another machine" : "";
}

const loseData: CommandRule = {
  on: "command",
  id: "databases/lose-data",
  title: "Deleting data or structure of a database",
  severity: "high",
  decision: "ask",
  rationale: "A database has no undo: what a committed statement removes comes back from a backup only.",
  advice:
    "Look first, as in `psql -c 'select count(*) from users'`; limit DELETE and UPDATE by WHERE; work on a copy or a test database.",
  programs: clientPrograms,
  examples: {
    match: [
      { action: "psql shop -c 'DROP TABLE orders'" },
      { action: "psql -h db.example.com shop -c 'truncate orders'", decision: "deny" },
      { action: "mysql -e 'DELETE FROM users' shop" },
      { action: "mysql -e '/*!50000 DROP DATABASE shop */'" },
      { action: "sqlite3 app.db 'update users set admin = 1 where 1=1'" },
      { action: "echo 'drop schema public cascade;' | psql shop" },
      { action: "psql shop <<'SQL'\nbegin;\nalter table users drop column email;\ncommit;\nSQL" },
      { action: "docker compose exec db psql -U app -c 'DO $$ begin delete from users; end $$'" },
      { action: "psql -f down.sql shop", facts: { files: { "/home/dev/app/down.sql": "drop table a;" } } },
      { action: "DATABASE_URL=postgres://a@db.live.example.com/x psql -c 'delete from t where true'", decision: "deny" },
      { action: "sqlcmd -S tcp:sql1.prod.example.net,1433 -Q 'select 1 drop table users'", decision: "deny" },
      { action: "clickhouse-client -q 'ALTER TABLE hits DELETE WHERE 1'" },
    ],
    pass: [
      { action: `psql -c "select * from log where line like '%drop table%'"` },
      { action: "psql shop -c 'delete from users where id = 7'" },
      { action: "psql -c 'explain delete from users' shop" },
      { action: "psql -h localhost shop_test -c 'drop table orders'" },
      { action: "psql -c 'drop database if exists shop_test'" },
      { action: "sqlite3 -readonly app.db 'drop table users'" },
      { action: "sqlite3 /tmp/x.db 'drop table users'" },
      { action: "mysql -e 'select 1 -- drop table users' shop" },
      { action: "psql shop -c 'create temp table x (id int); drop table x'" },
      { action: "psql -c 'alter table users alter column name drop not null' shop" },
      { action: "sqlcmd query 'select truncate from words'" },
    ],
  },
  match(understanding, _uses, context): readonly Match[] {
    return clientHarms(understanding, context).flatMap(({ invocation, harms, target }): readonly Match[] => {
      let found: { readonly harm: SqlHarm; readonly decision: "ask" | "deny" } | undefined;
      for (const harm of harms) {
        if (harm.kind !== "loss") continue;
        const decision = decisionAt(target, harm.target, /^DROP (?:DATABASE|SCHEMA)/.test(harm.what));
        if (decision !== undefined && found === undefined) found = { harm, decision };
      }
      if (found === undefined) return [];
      const { harm, decision } = found;
      return [{
        decision,
        message: `${shorten(harm.what, 100)} would lose data${placeOf(target)} for good.`,
        evidence: evidenceOf(invocation),
      }];
    });
  },
};

const runProgram: CommandRule = {
  on: "command",
  id: "databases/run-program",
  title: "Running a program or writing a file through a database",
  severity: "high",
  decision: "ask",
  rationale: "What a database client or server starts and writes is seen by nobody, and often has more rights than the command.",
  advice: "Run the program by itself, and write results with `psql -c 'select 1' -o out.txt`.",
  programs: clientPrograms,
  examples: {
    match: [
      { action: `psql -c "copy t to program 'sh'"` },
      { action: "sqlite3 app.db '.shell id'" },
      { action: "echo '\\! id' | psql" },
      { action: `mysql -e "select 1 into outfile '/var/www/x.php'"` },
      { action: `sqlcmd -Q "exec xp_cmdshell 'dir'"` },
    ],
    pass: [
      { action: "psql -c '\\copy t to out.csv csv'" },
      { action: "sqlite3 app.db .tables" },
      { action: `mysql -e "select 'into outfile'"` },
    ],
  },
  match: (understanding, _uses, context) => kindOf("escape", "would be run or reached through the database", understanding, context),
};

const openRights: CommandRule = {
  on: "command",
  id: "databases/open-rights",
  title: "Giving everybody, or one account, every right on a database",
  severity: "medium",
  decision: "ask",
  rationale: "Rights stay after the task, and whoever gets in through one program then reaches everything.",
  advice: "Grant what is needed on the table that needs it, as in `psql -c 'grant select on orders to report'`.",
  programs: clientPrograms,
  examples: {
    match: [
      { action: "psql -c 'grant all on all tables in schema public to public'" },
      { action: `mysql -e "GRANT ALL PRIVILEGES ON *.* TO 'app'@'%'"` },
      { action: "psql -c 'alter role app superuser'" },
    ],
    pass: [
      { action: "psql -c 'grant select on orders to report'" },
      { action: `mysql -e "GRANT ALL ON shop.* TO 'app'@'localhost'"` },
      { action: "psql -c 'create role app login'" },
    ],
  },
  match: (understanding, _uses, context) => kindOf("rights", "would open the database", understanding, context),
};

function kindOf(
  kind: SqlHarm["kind"],
  outcome: string,
  understanding: Understanding,
  context: Context,
): readonly Match[] {
  return clientHarms(understanding, context).flatMap(({ invocation, harms, target }) => {
    const harm = harms.find((one) => one.kind === kind);
    if (harm === undefined || (kind === "rights" && target === "test")) return [];
    return [{ message: `${shorten(harm.what, 100)} ${outcome}.`, evidence: evidenceOf(invocation) }];
  });
}

const emptyStore: CommandRule = {
  on: "command",
  id: "databases/empty-store",
  title: "Emptying or removing a database or store",
  severity: "high",
  decision: "ask",
  rationale: "Stores have no undo, and several programs often share one.",
  advice: "Count first, as in `redis-cli dbsize` or `mongosh --eval 'db.users.countDocuments()'`; remove what is named, or use a test database.",
  programs: Object.keys(stores),
  examples: {
    match: [
      { action: "redis-cli flushall" },
      { action: "redis-cli -h cache.prod.example.org -n 2 FLUSHDB", decision: "deny" },
      { action: "printf 'FLUSHALL\\n' | redis-cli" },
      { action: "mongosh shop --eval 'db.dropDatabase()'" },
      { action: "mongosh --quiet --eval 'db.users.deleteMany({})' mongodb://db.example.com/shop", decision: "deny" },
      { action: "dropdb --if-exists shop" },
      { action: "mysqladmin -u root -f drop shop" },
      { action: "pg_restore --clean -d shop dump.bin" },
      { action: "etcdctl del --prefix /app" },
    ],
    pass: [
      { action: "redis-cli get flushall" },
      { action: "redis-cli del session:1" },
      { action: `mongosh shop --eval "db.log.find({text: '.drop()'})"` },
      { action: "mongosh shop --eval 'db.users.deleteMany({old: true})'" },
      { action: "dropdb shop_test" },
      { action: "pg_restore --list dump.bin" },
    ],
  },
  match(understanding, _uses, context): readonly Match[] {
    const environment: Assignment[] = [];
    const matches: Match[] = [];
    for (const invocation of understanding.invocations) {
      environment.push(...exported(invocation));
      const { program } = invocation;
      const read = Object.hasOwn(stores, program) ? stores[program] : undefined;
      const harm = read?.(invocation, environment, context);
      if (harm === undefined) continue;
      const decision = decisionAt(harm.target, harm.name, true);
      if (decision === undefined) continue;
      matches.push({
        decision,
        message: `The store${placeOf(harm.target)} would lose ${shorten(harm.what, 100)}.`,
        evidence: evidenceOf(invocation),
      });
    }
    return matches;
  },
};

/** Names of tools and servers that work on a database. */
const databaseNames =
  /sql|postgres|sqlite|maria|(?:^|[^a-z])db|db(?:$|[^a-z])|database|supabase|neon|bigquery|snowflake|clickhouse|duckdb|planetscale|cockroach|mongo|redis|turso|oracle|query|execute/i;
const sqlKeys = /^(?:sql|sqls|statement|statements|sql_?(?:query|text|statement|string)|queries|query|q|script|code|text|command|migration|params?)$/i;
const certainKeys = /^(?:sql|sqls|statements?|sql_?(?:query|text|statement|string))$/i;

const limits = { depth: 6, values: 2000 };

/** Texts of a tool's input that are SQL, and those that tell where it works. */
function toolTexts(input: unknown, named: boolean): { readonly sql: readonly string[]; readonly places: readonly string[] } {
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
  if (/(?:^|_)(?:drop_(?:database|collection|table|schema|keyspace)|delete_(?:database|branch|table)|flush_?(?:all|db)|reset_(?:database|branch))$/.test(name)) {
    return tool;
  }
  if (/(?:^|_)(?:delete_many|remove_many|update_many)$/.test(name) && typeof input === "object" && input !== null) {
    const { filter, query } = input as { readonly filter?: unknown; readonly query?: unknown };
    const condition = filter ?? query;
    if (condition === undefined || JSON.stringify(condition) === "{}" || condition === "{}") return `${tool} without a filter`;
  }
  return undefined;
}

function matchTool(action: Action): Match | undefined {
  if (action.kind !== "mcp" && action.kind !== "unknown") return undefined;
  const server = action.kind === "mcp" ? action.server : "";
  const named = databaseNames.test(server) || databaseNames.test(action.tool);
  const { sql, places } = toolTexts(action.input, named);
  let what = named || /collection|database|table/i.test(action.tool) ? toolLoss(action.tool, action.input) : undefined;
  let lost: SqlHarm | undefined;
  for (const text of sql) {
    const harms = ["postgres", "mysql", "tsql"].flatMap((dialect) => sqlHarms(text, dialect as "postgres" | "mysql" | "tsql"));
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
    if (lost?.target !== undefined && /^DROP (?:DATABASE|SCHEMA)/.test(lost.what) && namesTest(lost.target)) return undefined;
    if (places.some((text) => /^[\w./-]+$/.test(text) && namesTest(text))) return undefined;
  }
  return {
    decision: production || remote ? "deny" : "ask",
    message: `${shorten(what, 100)} would be done${placeOf(production ? "production" : remote ? "remote" : "usual")} without a way back.`,
    evidence: { text: shorten(sql[0] ?? action.tool, 120) },
  };
}

const tool: Rule = {
  on: "action",
  id: "databases/tool-loses-data",
  title: "A tool that deletes data of a database",
  severity: "high",
  decision: "ask",
  rationale: "What a tool runs in a database is as final as what a command runs there.",
  advice: "Read first with a SELECT; limit DELETE and UPDATE by WHERE; use a test database or a branch of it.",
  kinds: ["mcp", "unknown"],
  examples: {
    match: [
      { action: { kind: "mcp", server: "postgres", tool: "query", input: { sql: "DROP TABLE users" } } },
      { action: { kind: "mcp", server: "shop-production", tool: "execute_sql", input: { query: "truncate users" } }, decision: "deny" },
      { action: { kind: "mcp", server: "mongodb", tool: "drop-collection", input: { database: "shop", collection: "users" } } },
      { action: { kind: "mcp", server: "mysql", tool: "run", input: { statement: "/*! delete from users */" } } },
      { action: { kind: "unknown", tool: "execute_sql", input: { query: "delete from users where 1 = 1" } } },
    ],
    pass: [
      { action: { kind: "mcp", server: "postgres", tool: "query", input: { sql: "select 'drop table users'" } } },
      { action: { kind: "mcp", server: "search", tool: "web", input: { query: "drop table without losing data" } } },
      { action: { kind: "mcp", server: "notes", tool: "create", input: { text: "DROP TABLE users" } } },
      { action: { kind: "mcp", server: "postgres", tool: "query", input: { sql: "delete from users where id = 4" } } },
    ],
  },
  match: matchTool,
};

export const rules: readonly Rule[] = [loseData, runProgram, openRights, emptyStore, tool];
