/** Rules about databases: losing data, and using a database to run programs or to open it to others. */

import type { Invocation, Understanding } from "../src/shell/model.ts";
import type { CommandRule, Context, Match, Rule } from "../src/types.ts";
import { toolLosesData } from "./databases/tool.ts";
import {
  type ClientCall,
  clientCall,
  clientTarget,
  placeOf,
  sqlClients,
  sqlTexts,
  type Target,
} from "./databases/clients.ts";
import { type SqlHarm, sqlHarms } from "./databases/statements.ts";
import { stores } from "./databases/stores.ts";
import { evidenceOf, shorten } from "./evidence.ts";
import { isProduction, namesTest, Surroundings } from "./shared/production.ts";

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
    const surroundings = new Surroundings();
    const found: ClientHarms[] = [];
    for (const [at, invocation] of understanding.invocations.entries()) {
      surroundings.note(invocation);
      const call = clientCall(invocation);
      if (call === undefined) continue;
      const harms = harmsOf(call, invocation, context);
      if (harms.length === 0) continue;
      const around = invocation.remote !== undefined &&
        // What runs it in another place comes shortly before it.
        understanding.invocations.slice(Math.max(0, at - 8), at).some((one) => leadsTo(one, invocation));
      const target = around
        ? "production"
        : clientTarget(call, invocation, surroundings.environmentOf(invocation), context);
      found.push({ invocation, harms, target });
    }
    cache.set(understanding, known = found);
  }
  return known;
}

/** A command that runs the client in another place, and names production (`kubectl -n prod exec db -- psql`). */
function leadsTo(outer: Invocation, inner: Invocation): boolean {
  return outer !== inner &&
    inner.via.some((one) => one === outer.program || one.startsWith(`${outer.program} `)) &&
    outer.span.start <= inner.span.start &&
    outer.span.end >= inner.span.end && isProduction({ ...outer, args: outer.args.slice(0, 12) });
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
      {
        action: "DATABASE_URL=postgres://a@db.live.example.com/x psql -c 'delete from t where true'",
        decision: "deny",
      },
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
  rationale:
    "What a database client or server starts and writes is seen by nobody, and often has more rights than the command.",
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
  match: (understanding, _uses, context) =>
    kindOf("escape", "would be run or reached through the database", understanding, context),
};

const openRights: CommandRule = {
  on: "command",
  id: "databases/open-rights",
  title: "Giving everybody, or one account, every right on a database",
  severity: "medium",
  decision: "ask",
  rationale: "Rights stay after the task, and whoever gets in through one program then reaches everything.",
  advice:
    "Grant what is needed on the table that needs it, as in `psql -c 'grant select on orders to report'`.",
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
  match: (understanding, _uses, context) =>
    kindOf("rights", "would open the database", understanding, context),
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
  advice:
    "Count first, as in `redis-cli dbsize` or `mongosh --eval 'db.users.countDocuments()'`; remove what is named, or use a test database.",
  programs: Object.keys(stores),
  examples: {
    match: [
      { action: "redis-cli flushall" },
      { action: "redis-cli -h cache.prod.example.org -n 2 FLUSHDB", decision: "deny" },
      { action: "printf 'FLUSHALL\\n' | redis-cli" },
      { action: "mongosh shop --eval 'db.dropDatabase()'" },
      {
        action: "mongosh --quiet --eval 'db.users.deleteMany({})' mongodb://db.example.com/shop",
        decision: "deny",
      },
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
    const surroundings = new Surroundings();
    const matches: Match[] = [];
    for (const invocation of understanding.invocations) {
      surroundings.note(invocation);
      const { program } = invocation;
      const read = Object.hasOwn(stores, program) ? stores[program] : undefined;
      const harm = read?.(invocation, surroundings.environmentOf(invocation), context);
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

export const rules: readonly Rule[] = [loseData, runProgram, openRights, emptyStore, toolLosesData];
