/**
 * What scripts send to databases: a statement that reaches a driver is judged as the client of that database would
 * be if it were given it, with the address that the script names.
 */

import type { Span, Word } from "../model.ts";
import { type Atom, makeWord, textWord, unknown } from "../pieces.ts";

/** Most of a script that is searched for the address of a database. */
const maxText = 32 * 1024;

/** How a statement of SQL begins. */
const sqlStart =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:alter|begin|call|copy|create|delete|do|drop|exec|execute|grant|insert|merge|pragma|replace|revoke|select|set|truncate|update|with)\b/i;

/** True for text that reads as SQL: methods of these names also run other things. */
export function isSql(atoms: readonly Atom[]): boolean {
  const [first] = atoms;
  return first?.kind === "text" && sqlStart.test(first.text.slice(0, 2000));
}

/** What a script that uses a database speaks of; patterns and runners have methods of the same names. */
const speaksOfDatabases =
  /\b(?:pg|psycopg\d?|asyncpg|postgres\w*|mysql\w*|pymysql|maria(?:db)?|sqlite\w*|duckdb|clickhouse\w*|pyodbc|mssql|oracledb|knex|prisma|sequelize|typeorm|drizzle|kysely|libsql|sqlalchemy|peewee|django|activerecord|pdo|dbi|db|database|cursor|cur|conn|connect(?:ion)?|pool|engine)\b/i;

/** The client of a database, with its options for a host, a database and a statement. */
interface Client {
  readonly program: string;
  readonly host?: string;
  readonly database?: string;
  readonly statement?: string;
}

const clients: readonly (readonly [RegExp, Client])[] = [
  [/\bduckdb\b/i, { program: "duckdb" }],
  [/sqlite/i, { program: "sqlite3" }],
  [/\b(?:pymysql|mysql2?|mysqldb|mysqli|mariadb|asyncmy|aiomysql)\b|mysql(?:\+\w+)?:/i, {
    program: "mysql",
    host: "-h",
    database: "-D",
    statement: "-e",
  }],
  [/\bclickhouse/i, { program: "clickhouse-client", host: "-h", database: "-d", statement: "-q" }],
  [/\b(?:pyodbc|pymssql|mssql|tedious|sqlsrv)\b/i, {
    program: "sqlcmd",
    host: "-S",
    database: "-d",
    statement: "-Q",
  }],
];
const postgres: Client = { program: "psql", host: "-h", database: "-d", statement: "-c" };

/** What a script says about the databases that it uses; looked up once for a script. */
export interface Databases {
  /** It speaks of a database at all. */
  readonly any: boolean;
  readonly client: Client;
  readonly host: string | undefined;
  readonly database: string | undefined;
  /** Address of a store that speaks no SQL. */
  readonly store: string | undefined;
}

/** Reads a script for the databases that it uses. */
export function databasesIn(script: string): Databases {
  const text = script.slice(0, maxText);
  const client = clients.find(([sign]) => sign.test(text))?.[1] ?? postgres;
  return {
    any: speaksOfDatabases.test(text),
    client,
    host: hostIn(text),
    database: client.statement === undefined ? fileIn(text) : databaseIn(text),
    store: /\b(?:rediss?|mongodb(?:\+srv)?):\/\/[^\s'"`]{1,500}/i.exec(text)?.[0],
  };
}

/** The client with a statement, as words of a command. */
export function statementWords(
  { client, host, database }: Databases,
  statement: readonly Atom[],
  span: Span,
): readonly Word[] {
  const word = (value: string) => textWord(value, span);
  const sent = makeWord(statement, span);
  if (client.statement === undefined) {
    const file = database === undefined
      ? makeWord([unknown("the database", "variable")], span)
      : word(database);
    return [word(client.program), file, sent];
  }
  const options = [...placed(client.host, host), ...placed(client.database, database), client.statement];
  return [word(client.program), ...options.map(word), sent];
}

/** A client of a store that speaks no SQL, with the address that the script names. */
export function storeWords(
  { host, store }: Databases,
  [program = "", ...rest]: readonly string[],
  span: Span,
): readonly Word[] {
  const redis = program === "redis-cli";
  const where = store !== undefined ? redis ? ["-u", store] : [store] : placed(redis ? "-h" : "--host", host);
  return [program, ...where, ...rest].map((value) => textWord(value, span));
}

function placed(option: string | undefined, value: string | undefined): readonly string[] {
  return option === undefined || value === undefined ? [] : [option, value];
}

/** The file of an embedded database. */
function fileIn(text: string): string | undefined {
  return /sqlite3?:(?:\/\/\/?)?([^'"\s?]{1,500})/i.exec(text)?.[1] ??
    /\b(?:connect|open|Database(?:Sync)?|new)\s*\(\s*(?:database\s*=\s*)?['"]([^'"\n]{1,500})['"]/.exec(text)
      ?.[1];
}

function hostIn(text: string): string | undefined {
  return /\b(?:host(?:name)?|server)['"]?\s*(?:=>|[:=])\s*['"]([^'"\n]{1,300})['"]/i.exec(text)?.[1];
}

/** An address, a connection string, or the name of the database. */
function databaseIn(text: string): string | undefined {
  const address =
    /\b(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|clickhouse)(?:\+\w{1,40})?:\/\/[^\s'"`]{1,500}/i
      .exec(text)?.[0];
  if (address !== undefined) return address.replace(/\+\w+(?=:\/\/)/, "");
  const keywords =
    /['"](?:dbi:\w{1,20}:|\w{1,20}:)?([^'"\n]{0,500}\b(?:dbname|host|database|server)\s*=[^'"\n]{1,500})['"]/i
      .exec(text)?.[1];
  return keywords?.replaceAll(";", " ") ??
    /\b(?:dbname|database|db)['"]?\s*(?:=>|[:=])\s*['"]([^'"\n]{1,300})['"]/i.exec(text)?.[1];
}
