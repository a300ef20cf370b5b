/** How database clients are given SQL and a database: a line each. */

import type { Assignment, Invocation, Word } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";
import { isAbsolute, normalise } from "../../src/paths/normal.ts";
import { type OptionSpec, parseArguments, type ParsedArguments } from "../options.ts";
import { hostPlace, namesPlace, namesProduction, namesTest, urlParts } from "../shared/production.ts";
import type { SqlDialect } from "./sql.ts";

export interface SqlClient {
  readonly dialect: SqlDialect;
  readonly spec: OptionSpec;
  /** Options whose value is SQL. */
  readonly sql: readonly string[];
  /** Options whose value is a file of SQL. */
  readonly files?: readonly string[];
  /** Operands from this index on are SQL. */
  readonly operandsFrom?: number;
  /** First operands that it needs to read SQL at all (`sql`, `query`). */
  readonly words?: readonly string[];
  readonly host?: readonly string[];
  readonly database?: readonly string[];
  /** The first operand is a file of data. */
  readonly file?: boolean;
  /** With one of these it changes nothing. */
  readonly readOnly?: readonly string[];
}

const psqlSpec: OptionSpec = {
  values: [
    "-c",
    "-d",
    "-f",
    "-v",
    "-o",
    "-F",
    "-P",
    "-R",
    "-T",
    "-h",
    "-p",
    "-U",
    "-L",
    "--command",
    "--dbname",
    "--file",
    "--set",
    "--variable",
    "--output",
    "--field-separator",
    "--pset",
    "--record-separator",
    "--table-attr",
    "--host",
    "--port",
    "--username",
    "--log-file",
  ],
  long: [
    "--list",
    "--version",
    "--no-psqlrc",
    "--single-transaction",
    "--no-align",
    "--csv",
    "--html",
    "--tuples-only",
    "--expanded",
    "--no-password",
    "--password",
    "--quiet",
    "--echo-all",
    "--help",
    "--single-step",
    "--echo-queries",
    "--echo-errors",
    "--echo-hidden",
    "--no-readline",
    "--single-line",
  ],
};

const mysqlSpec: OptionSpec = {
  values: [
    "-e",
    "-h",
    "-u",
    "-P",
    "-D",
    "-S",
    "-o",
    "--execute",
    "--host",
    "--user",
    "--port",
    "--database",
    "--socket",
    "--protocol",
    "--init-command",
    "--delimiter",
    "--tee",
    "--prompt",
    "--default-character-set",
    "--ssl-ca",
    "--defaults-file",
    "--defaults-extra-file",
    "--defaults-group-suffix",
    "--login-path",
    "--plugin-dir",
  ],
  attached: ["-p", "--password", "--ssl-mode"],
  long: [
    "--help",
    "--version",
    "--batch",
    "--silent",
    "--force",
    "--html",
    "--xml",
    "--skip-column-names",
    "--no-auto-rehash",
  ],
};

const sqliteSpec: OptionSpec = {
  values: [
    "-cmd",
    "-init",
    "-separator",
    "-newline",
    "-nullvalue",
    "-mmap",
    "-vfs",
    "-maxsize",
    "-heap",
    "-pagecache",
    "--cmd",
    "--init",
    "-c",
    "-s",
    "-f",
    "--separator",
    "--newline",
    "--nullvalue",
  ],
  style: "words",
};

const sqlcmdSpec: OptionSpec = {
  values: [
    "-Q",
    "-q",
    "-i",
    "-o",
    "-S",
    "-d",
    "-U",
    "-P",
    "-s",
    "-w",
    "-v",
    "-h",
    "-t",
    "-l",
    "-m",
    "-b",
    "-H",
    "--query",
    "--database",
    "--initial-query",
    "--input-file",
    "--server",
    "--user-name",
    "--password",
    "--text",
  ],
};

/** By program name. One line adds one. */
export const sqlClients: Readonly<Record<string, SqlClient>> = {
  psql: {
    dialect: "postgres",
    spec: psqlSpec,
    sql: ["-c", "--command"],
    files: ["-f", "--file"],
    host: ["-h", "--host"],
    database: ["-d", "--dbname"],
  },
  pgcli: {
    dialect: "postgres",
    spec: psqlSpec,
    sql: [],
    host: ["-h", "--host"],
    database: ["-d", "--dbname"],
  },
  cockroach: {
    dialect: "postgres",
    words: ["sql"],
    sql: ["-e", "--execute"],
    files: ["-f", "--file"],
    host: ["--host", "--url"],
    database: ["-d", "--database"],
    spec: {
      values: [
        "-e",
        "--execute",
        "-f",
        "--file",
        "--host",
        "--url",
        "-d",
        "--database",
        "-u",
        "--user",
        "-p",
        "--port",
        "--certs-dir",
      ],
    },
  },
  usql: {
    dialect: "postgres",
    spec: psqlSpec,
    sql: ["-c", "--command"],
    files: ["-f", "--file"],
    host: [],
    database: [],
  },
  mysql: {
    dialect: "mysql",
    spec: mysqlSpec,
    sql: ["-e", "--execute", "--init-command"],
    host: ["-h", "--host"],
    database: ["-D", "--database"],
  },
  mariadb: {
    dialect: "mysql",
    spec: mysqlSpec,
    sql: ["-e", "--execute", "--init-command"],
    host: ["-h", "--host"],
    database: ["-D", "--database"],
  },
  mycli: {
    dialect: "mysql",
    spec: mysqlSpec,
    sql: ["-e", "--execute"],
    host: ["-h", "--host"],
    database: ["-D", "--database"],
  },
  sqlite3: {
    dialect: "sqlite",
    spec: sqliteSpec,
    sql: ["-cmd", "--cmd"],
    files: ["-init", "--init"],
    operandsFrom: 1,
    file: true,
    readOnly: ["-readonly", "-safe", "--readonly", "--safe"],
  },
  sqlite: {
    dialect: "sqlite",
    spec: sqliteSpec,
    sql: ["-cmd"],
    files: ["-init"],
    operandsFrom: 1,
    file: true,
    readOnly: ["-readonly"],
  },
  "sqlite-utils": { dialect: "sqlite", spec: {}, sql: [], words: ["query"], operandsFrom: 1, file: true },
  litecli: { dialect: "sqlite", spec: { values: ["-e", "--execute"] }, sql: ["-e", "--execute"], file: true },
  duckdb: {
    dialect: "sqlite",
    spec: sqliteSpec,
    sql: ["-c", "-s", "-cmd", "--cmd"],
    files: ["-f", "-init"],
    operandsFrom: 1,
    file: true,
    readOnly: ["-readonly", "-safe", "--readonly", "--safe"],
  },
  "clickhouse-client": {
    dialect: "mysql",
    sql: ["-q", "--query"],
    files: ["--queries-file"],
    host: ["-h", "--host"],
    database: ["-d", "--database"],
    spec: {
      values: [
        "-q",
        "--query",
        "--queries-file",
        "-h",
        "--host",
        "-d",
        "--database",
        "-u",
        "--user",
        "--password",
        "--port",
      ],
    },
  },
  clickhouse: {
    dialect: "mysql",
    words: ["client", "local"],
    sql: ["-q", "--query"],
    files: ["--queries-file"],
    host: ["-h", "--host"],
    database: ["-d", "--database"],
    spec: {
      values: [
        "-q",
        "--query",
        "--queries-file",
        "-h",
        "--host",
        "-d",
        "--database",
        "-u",
        "--user",
        "--password",
        "--port",
      ],
    },
  },
  cqlsh: {
    dialect: "any",
    sql: ["-e", "--execute"],
    files: ["-f", "--file"],
    database: ["-k", "--keyspace"],
    spec: {
      values: [
        "-e",
        "--execute",
        "-f",
        "--file",
        "-k",
        "--keyspace",
        "-u",
        "-p",
        "--username",
        "--password",
        "--cqlshrc",
      ],
    },
  },
  sqlcmd: {
    dialect: "tsql",
    spec: sqlcmdSpec,
    sql: ["-Q", "-q", "--query", "--initial-query", "-t", "--text"],
    files: ["-i", "--input-file"],
    host: ["-S", "--server"],
    database: ["-d", "--database"],
    operandsFrom: 1,
  },
  "mssql-cli": {
    dialect: "tsql",
    spec: sqlcmdSpec,
    sql: ["-Q"],
    files: ["-i"],
    host: ["-S"],
    database: ["-d"],
  },
  "invoke-sqlcmd": {
    dialect: "tsql",
    sql: ["-query"],
    files: ["-inputfile"],
    host: ["-serverinstance"],
    database: ["-database"],
    spec: {
      style: "powershell",
      values: ["-query", "-inputfile", "-serverinstance", "-database", "-username", "-password"],
    },
  },
  bq: {
    dialect: "any",
    spec: { values: ["--project_id", "--location", "--format", "--dataset_id"] },
    sql: [],
    words: ["query"],
    operandsFrom: 0,
  },
  snowsql: {
    dialect: "any",
    sql: ["-q", "--query"],
    files: ["-f", "--filename"],
    host: ["-a", "--accountname"],
    database: ["-d", "--dbname"],
    spec: {
      values: [
        "-q",
        "--query",
        "-f",
        "--filename",
        "-a",
        "--accountname",
        "-d",
        "--dbname",
        "-u",
        "-c",
        "--connection",
        "-w",
        "-r",
        "-s",
      ],
    },
  },
  snow: {
    dialect: "any",
    words: ["sql"],
    sql: ["-q", "--query"],
    files: ["-f", "--filename"],
    spec: { values: ["-q", "--query", "-f", "--filename", "-c", "--connection"] },
  },
  trino: {
    dialect: "any",
    spec: { values: ["--execute", "--file", "--server", "--catalog", "--schema"] },
    sql: ["--execute"],
    files: ["--file"],
    host: ["--server"],
  },
  hive: { dialect: "any", spec: { values: ["-e", "-f"] }, sql: ["-e"], files: ["-f"] },
  beeline: {
    dialect: "any",
    spec: { values: ["-e", "-f", "-u", "-n", "-p"] },
    sql: ["-e"],
    files: ["-f"],
    host: ["-u"],
  },
  "spark-sql": { dialect: "any", spec: { values: ["-e", "-f"] }, sql: ["-e"], files: ["-f"] },
  sqlplus: { dialect: "any", spec: { stopAtOperand: true }, sql: [] },
  influx: {
    dialect: "any",
    spec: { values: ["-execute", "-database", "-host", "-port"], style: "words" },
    sql: ["-execute"],
    host: ["-host"],
    database: ["-database"],
  },
  aws: {
    dialect: "any",
    words: [
      "athena start-query-execution",
      "redshift-data execute-statement",
      "rds-data execute-statement",
      "dynamodb execute-statement",
    ],
    sql: ["--query-string", "--sql", "--statement"],
    database: ["--database", "--profile", "--cluster-identifier", "--db-name"],
    spec: {
      values: [
        "--query-string",
        "--sql",
        "--statement",
        "--database",
        "--profile",
        "--region",
        "--output",
        "--cluster-identifier",
        "--db-name",
        "--secret-arn",
        "--resource-arn",
        "--work-group",
      ],
    },
  },
  gcloud: {
    dialect: "any",
    words: ["spanner databases execute-sql"],
    sql: ["--sql"],
    database: ["--project", "--instance"],
    spec: { values: ["--sql", "--project", "--instance", "--format"] },
  },
  turso: { dialect: "sqlite", spec: {}, sql: [], words: ["db shell"], operandsFrom: 1 },
  wrangler: {
    dialect: "sqlite",
    words: ["d1 execute"],
    sql: ["--command"],
    files: ["--file"],
    spec: { values: ["--command", "--file", "-c", "--config", "-e", "--env", "--persist-to"] },
  },
};

/** A database client's command line. */
export interface ClientCall {
  readonly client: SqlClient;
  readonly parsed: ParsedArguments;
  /** Operands behind the words that it needs. */
  readonly operands: readonly Word[];
}

/** Undefined when the program reads no SQL in this form. */
export function clientCall(invocation: Invocation): ClientCall | undefined {
  const { program } = invocation;
  const client = Object.hasOwn(sqlClients, program) ? sqlClients[program] : undefined;
  if (client === undefined) return undefined;
  const parsed = parseArguments(invocation.args, client.spec);
  let { operands } = parsed;
  if (client.words !== undefined) {
    const said = operands.map((word) => word.text).join(" ");
    const found = client.words.find((words) => said === words || said.startsWith(`${words} `));
    if (found === undefined) return undefined;
    operands = operands.slice(found.split(" ").length);
  } else if (program === "sqlcmd" && !/^(?:query|q)$/.test(operands[0]?.text ?? "")) {
    operands = [];
  }
  if (client.readOnly !== undefined && parsed.has(...client.readOnly)) return undefined;
  return { client, parsed, operands };
}

/** Longest script file that is read, in bytes. */
const maxFile = 256 * 1024;

/** All SQL that the client is seen to be given. */
export function sqlTexts(call: ClientCall, invocation: Invocation, context: Context): readonly string[] {
  const { client, parsed, operands } = call;
  const texts = parsed.values(...client.sql).map(codeOf);
  if (client.operandsFrom !== undefined) {
    for (const word of operands.slice(client.operandsFrom)) texts.push(codeOf(word));
  }
  for (const word of parsed.values(...client.files ?? [])) {
    const text = fileText(word, invocation, context);
    if (text !== undefined) texts.push(text);
  }
  // What is given as an argument leaves the input unread, except that some read both.
  if (invocation.stdin !== undefined) texts.push(codeOf(invocation.stdin));
  return texts;
}

/** The text of a script that can be read. */
export function fileText(word: Word, invocation: Invocation, context: Context): string | undefined {
  if (!word.isStatic || invocation.remote !== undefined) return undefined;
  const base = invocation.directory.path;
  if (!isAbsolute(word.text, context) && base === undefined) return undefined;
  return context.facts.text(normalise(word.text, base ?? context.cwd, context), maxFile);
}

/** Text of code in which unknown parts are a name. */
export function codeOf(word: Word): string {
  if (word.isStatic) return word.text;
  return word.pieces.map((piece) => piece.kind === "unknown" ? "guard_unknown" : piece.text).join("");
}

/** What is known of the database on which a command works. */
export type Target = "test" | "usual" | "remote" | "production";

interface Named {
  readonly hosts?: readonly string[];
  /** Names of databases, files, URLs. */
  readonly names?: readonly string[];
  readonly environment: readonly Assignment[];
  readonly context: Context;
}

/** Where a client works, told from hosts, names, URLs and the environment; the worst of them counts. */
export function targetOf(
  invocation: Invocation,
  { hosts = [], names = [], environment, context }: Named,
): Target {
  const all = environment.filter(({ name }) => namesPlace(name));
  const urls = [
    ...[...names, ...all.map(({ value }) => value.text)].flatMap((text) =>
      urlParts(text) ?? keywordHost(text) ?? []
    ),
    ...invocation.args.flatMap(({ text }) =>
      urlParts(text.replace(/^[A-Za-z_-]+=(?=[a-z]+:\/\/)/, "")) ?? []
    ),
  ];
  const places = [
    ...hosts,
    ...urls.map(({ host }) => host),
    ...all.filter(({ name }) => /HOST$|ENDPOINTS$/.test(name)).map(({ value }) => value.text),
  ];
  const said = [...places, ...urls.map(({ path }) => path), ...names.filter((text) => !text.includes("://"))];
  if (
    said.some(namesProduction) ||
    all.some(({ value }) => !value.text.includes("://") && namesProduction(value.text)) ||
    (invocation.remote !== undefined && namesProduction(invocation.remote))
  ) return "production";
  if (places.some((host) => hostPlace(host) === "remote")) return "remote";
  if (all.some(({ name, value }) => /_ENV$/.test(name) && value.text === "test")) return "test";
  const own = [...names.filter((text) => !text.includes("://")), ...urls.map(({ path }) => path)]
    .filter((text) => text !== "");
  if (
    own.length > 0 &&
    own.every((text) => namesTest(text) || text === ":memory:" || isTemporary(text, invocation, context))
  ) {
    return "test";
  }
  return "usual";
}

/** `host=… dbname=…`, and servers as T-SQL clients write them. */
function keywordHost(text: string): { readonly host: string; readonly path: string } | undefined {
  const host = /(?:^|[\s;])(?:host|server|data source)\s*=\s*(?:tcp:)?([^\s;,]+)/i.exec(text.slice(0, 2000))
    ?.[1];
  if (host === undefined || text.startsWith("-")) return undefined;
  return {
    host,
    path: /(?:^|[\s;])(?:dbname|database|initial catalog)\s*=\s*([^\s;]+)/i.exec(text.slice(0, 2000))?.[1] ??
      "",
  };
}

function isTemporary(text: string, invocation: Invocation, context: Context): boolean {
  if (invocation.remote !== undefined || !/[/\\]/.test(text)) return false;
  const path = normalise(text, invocation.directory.path ?? context.cwd, context);
  return context.temporary.some((folder) => path.startsWith(`${folder}/`));
}

/** The target of a client's call. */
export function clientTarget(
  { client, parsed, operands }: ClientCall,
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
): Target {
  const { program } = invocation;
  const texts = (words: readonly Word[]) => words.map((word) => word.text);
  const hosts = texts(parsed.values(...client.host ?? [])).map((host) => host.replace(/^tcp:|,\d+$/g, ""));
  const names = texts(parsed.values(...client.database ?? []));
  if (client.file === true) names.push(...texts(operands.slice(0, 1)));
  else if (client.operandsFrom === undefined) names.push(...texts(operands.slice(0, 1)));
  else if (client.words !== undefined) names.push(...texts(operands.slice(0, client.operandsFrom)));
  if (program === "cqlsh") hosts.push(...texts(operands.slice(0, 1)));
  if (client.file === true && names.length === 0) names.push(":memory:");
  if (program === "wrangler" && parsed.has("--remote")) return "remote";
  return targetOf(invocation, { hosts, names, environment, context });
}

/** The target in the words of a message. */
export function placeOf(target: Target): string {
  return target === "production" ? " in production" : target === "remote" ? " of another machine" : "";
}
