/** What SQL statements lose, open to others, or start: read from tokens, never from text. */

import { isAlwaysTrue } from "./conditions.ts";
import { isMark, isWord, readSql, type SqlDialect, type SqlStatement } from "./sql.ts";

export interface SqlHarm {
  /** `loss`: data or its structure. `escape`: a program of the system or a file. `rights`: who may do what. */
  readonly kind: "loss" | "escape" | "rights";
  /** The statement in a few words: `DROP TABLE users`. */
  readonly what: string;
  /** Name of what is lost, where there is one. */
  readonly target?: string;
}

/** Kinds of things whose loss is a loss of data, of accounts or of what others rely on. */
const holding = new Set(
  "DATABASE SCHEMA TABLE KEYSPACE TABLESPACE COLLECTION USER ROLE OWNED STORAGE MATERIALIZED SEQUENCE TYPE EXTENSION BUCKET MEASUREMENT SERIES SHARD DICTIONARY STREAM PIPE CATALOG WAREHOUSE LOGIN PUBLICATION SUBSCRIPTION SERVER"
    .split(" "),
);

/** Words that may stand between `DROP` and the kind. */
const adjectives = new Set([
  "FOREIGN",
  "EXTERNAL",
  "UNLOGGED",
  "GLOBAL",
  "TRANSIENT",
  "ICEBERG",
  "HYBRID",
  "VIRTUAL",
]);

/** How often code in strings is looked into. */
const maxNesting = 4;

/** Everything harmful in a script, in order. */
export function sqlHarms(text: string, dialect: SqlDialect, nesting = 0): readonly SqlHarm[] {
  const harms: SqlHarm[] = [];
  const { statements, commands } = readSql(text, dialect);
  for (const { name, rest } of commands) {
    if (/^(?:!|!!|:!!|shell|system|sh)$/.test(name)) {
      harms.push({ kind: "escape", what: `the shell escape ${name} ${rest.slice(0, 60)}`.trim() });
    } else if (
      (/^(?:o|out|w|write|g|gx|output|once|import|tee|pager|open)$/.test(name) && /^["']?\s*\|/.test(rest)) ||
      name === "pager" || (name === "copy" && /\b(?:to|from)\s+program\b/i.test(rest))
    ) {
      harms.push({ kind: "escape", what: `a pipe into ${rest.slice(0, 60)}` });
    } else if (name === "load") {
      harms.push({ kind: "escape", what: `the library ${rest.slice(0, 60)}` });
    } else if (name === "gexec") {
      harms.push({ kind: "loss", what: "statements that a query makes (\\gexec)" });
    }
  }
  const temporary = new Set<string>();
  // A string in a block is seen from the block and from the statement in it.
  const seen = new Set<string>();
  for (const statement of statements) {
    noteTemporary(statement, temporary);
    for (const part of parts(statement, dialect)) {
      for (const harm of harmsOf(part, dialect, nesting)) {
        if (harm.target !== undefined && temporary.has(harm.target.toUpperCase())) continue;
        if (!seen.has(harm.what)) harms.push(harm);
        seen.add(harm.what);
      }
    }
  }
  return harms;
}

/** Temporary tables made by the script itself. */
function noteTemporary(statement: SqlStatement, names: Set<string>): void {
  if (!isWord(statement[0], "CREATE")) return;
  const at = statement.findIndex((token, index) => index < 5 && isWord(token, "TEMP", "TEMPORARY"));
  if (at < 0 || !isWord(statement[at + 1], "TABLE")) return;
  names.add(nameFrom(statement, skipExists(statement, at + 2)).toUpperCase());
}

/** Where statements begin within one: behind CTEs, in blocks, and in T-SQL anywhere. */
function parts(statement: SqlStatement, dialect: SqlDialect): readonly SqlStatement[] {
  const starts = [0];
  const first = statement[0];
  const nestable = isWord(first, "WITH");
  const block = isWord(
    first,
    "BEGIN",
    "IF",
    "WHILE",
    "DECLARE",
    "LOOP",
    "FOR",
    "ELSE",
    "END",
    "EXCEPTION",
    "WHEN",
    "CASE",
  );
  for (let at = 1; at < statement.length; at++) {
    const token = statement[at]!;
    if (token.kind !== "word" || !verbs.has(token.text)) continue;
    // What is selected belongs to the statement around it, unless no semicolons are needed.
    if (token.text === "SELECT" && dialect !== "tsql") continue;
    if (token.text === "TRUNCATE" && dialect === "tsql" && !isWord(statement[at + 1], "TABLE")) continue;
    const before = statement[at - 1]!;
    const behind = isWord(before, "THEN", "BEGIN", "ELSE", "LOOP", "DO", "AS");
    const opened = before.kind === "mark" && before.text === "(";
    const closed = before.kind === "mark" && before.text === ")";
    if (
      (nestable && (opened || (closed && token.depth === 0))) || (block && behind && !isWord(before, "AS")) ||
      (dialect === "tsql" && token.depth === 0 && before.kind !== "mark" &&
        !isWord(before, "ON", "FOR", "AFTER", "OF", "OR", "THEN", "GRANT", "DENY", "REVOKE", "INSTEAD")) ||
      (dialect === "tsql" && closed && token.depth === 0)
    ) starts.push(at);
  }
  if (isExplain(statement)) {
    // Only EXPLAIN ANALYZE runs what it explains.
    if (!statement.slice(0, 12).some((token) => isWord(token, "ANALYZE", "ANALYSE"))) return [];
    const at = statement.findIndex((token) => token.kind === "word" && verbs.has(token.text));
    return at < 0 ? [] : [statement.slice(at)];
  }
  const found: SqlStatement[] = [];
  // Statements in one another are looked at more than once; this keeps it linear.
  let left = 20 * statement.length + 1000;
  for (const [index, start] of starts.entries()) {
    const end = dialect === "tsql" ? starts[index + 1] ?? statement.length : statement.length;
    const { depth } = statement[start]!;
    let stop = start;
    while (stop < end && statement[stop]!.depth >= depth) stop++;
    found.push(statement.slice(start, stop));
    left -= stop - start;
    if (left < 0) break;
  }
  return found;
}

const verbs = new Set([
  "DROP",
  "TRUNCATE",
  "DELETE",
  "UPDATE",
  "ALTER",
  "EXEC",
  "EXECUTE",
  "GRANT",
  "COPY",
  "SELECT",
  "INSERT",
  "PERFORM",
]);

function isExplain(statement: SqlStatement): boolean {
  return isWord(statement[0], "EXPLAIN", "DESCRIBE", "DESC");
}

function harmsOf(statement: SqlStatement, dialect: SqlDialect, nesting: number): readonly SqlHarm[] {
  const escape = escapeOf(statement, dialect);
  const harms: SqlHarm[] = escape === undefined ? [] : [{ kind: "escape", what: escape }];
  const [first, second] = statement;
  if (first?.kind !== "word") return harms;
  const rights = rightsOf(statement);
  if (rights !== undefined) harms.push({ kind: "rights", what: rights });
  switch (first.text) {
    case "DROP": {
      const loss = dropOf(statement);
      if (loss !== undefined) harms.push(loss);
      break;
    }
    case "TRUNCATE": {
      // The function TRUNCATE(x, 2) rounds numbers.
      if (second === undefined || isMark(second, "(")) break;
      const at = isWord(second, "TABLE", "DATABASE") ? 2 : 1;
      const target = nameFrom(statement, isWord(statement[at], "ONLY") ? at + 1 : skipExists(statement, at));
      harms.push({ kind: "loss", what: `TRUNCATE ${target}`, target });
      break;
    }
    case "DELETE":
    case "UPDATE": {
      const loss = unrestricted(statement);
      if (loss !== undefined) harms.push(loss);
      break;
    }
    case "ALTER":
      harms.push(...alterHarms(statement));
      break;
    case "DO":
    case "EXECUTE":
    case "EXEC":
    case "PREPARE":
    case "CALL":
    case "BEGIN":
    case "DECLARE":
    case "SET":
      if (nesting < maxNesting && first.text !== "SET") {
        for (const token of statement) {
          // Strings of these are code, or at least may be.
          if (token.kind === "string" && /\s/.test(token.text)) {
            harms.push(...sqlHarms(token.text, dialect, nesting + 1));
          }
        }
      }
      break;
    case "FLUSH":
    case "PURGE":
    case "RESET":
      if (isWord(second, "BINARY", "MASTER")) {
        harms.push({ kind: "loss", what: `${first.text} ${second!.text} LOGS` });
      }
      break;
  }
  return harms;
}

function dropOf(statement: SqlStatement): SqlHarm | undefined {
  let at = 1;
  if (isWord(statement[at], "TEMPORARY", "TEMP")) return undefined;
  while (statement[at]?.kind === "word" && adjectives.has(statement[at]!.text)) at++;
  const kind = statement[at];
  if (kind?.kind !== "word" || !holding.has(kind.text)) return undefined;
  if (statement[at + 1] === undefined) return undefined;
  const from = kind.text === "MATERIALIZED" ? at + 2 : kind.text === "OWNED" ? at + 2 : at + 1;
  const target = nameFrom(statement, skipExists(statement, from));
  if (/^#/.test(target)) return undefined;
  return { kind: "loss", what: `DROP ${kind.text} ${target}`.trim(), target };
}

function alterHarms(statement: SqlStatement): readonly SqlHarm[] {
  const harms: SqlHarm[] = [];
  const table = isWord(statement[1], "TABLE");
  if (!table && !isWord(statement[1], "FOREIGN", "TYPE")) return harms;
  const target = nameFrom(statement, skipExists(statement, 2));
  for (let at = 3; at < statement.length; at++) {
    const token = statement[at]!;
    if (token.depth > 0 || token.kind !== "word") continue;
    const next = statement[at + 1];
    if (token.text === "DROP" && next !== undefined && next.kind !== "mark") {
      const harmless = isWord(
        next,
        "CONSTRAINT",
        "INDEX",
        "KEY",
        "DEFAULT",
        "NOT",
        "FOREIGN",
        "PRIMARY",
        "CHECK",
        "EXPRESSION",
        "IDENTITY",
        "PROJECTION",
        "STATISTICS",
        "TRIGGER",
        "UNIQUE",
      );
      if (!harmless) {
        const column = nameFrom(
          statement,
          skipExists(statement, isWord(next, "COLUMN", "PARTITION", "PART") ? at + 2 : at + 1),
        );
        const what = isWord(next, "PARTITION", "PART") ? "PARTITION" : "COLUMN";
        harms.push({ kind: "loss", what: `ALTER TABLE ${target} DROP ${what} ${column}`, target });
      }
    } else if ((token.text === "DELETE" || token.text === "UPDATE") && at === 3) {
      const loss = unrestricted(statement.slice(at));
      if (loss !== undefined) harms.push({ ...loss, what: `ALTER TABLE ${target} ${token.text}`, target });
    } else if (token.text === "TRUNCATE" && isWord(next, "PARTITION")) {
      harms.push({ kind: "loss", what: `ALTER TABLE ${target} TRUNCATE PARTITION`, target });
    }
  }
  return harms;
}

/** DELETE and UPDATE that reach every row. */
function unrestricted(statement: SqlStatement): SqlHarm | undefined {
  const [first] = statement;
  const base = first!.depth;
  const isDelete = first!.text === "DELETE";
  // A column, a function or half a sentence is no statement.
  const own = statement.filter((token) => token.depth === base);
  if (isDelete) {
    if (
      statement[1] === undefined || (!own.some((token) => isWord(token, "FROM", "WHERE")) && own.length > 3)
    ) {
      return undefined;
    }
  } else if (!own.some((token) => isWord(token, "SET"))) return undefined;
  let at = 1;
  while (
    isWord(
      statement[at],
      "FROM",
      "ONLY",
      "LOW_PRIORITY",
      "QUICK",
      "IGNORE",
      "OR",
      "ROLLBACK",
      "ABORT",
      "REPLACE",
      "FAIL",
      "TOP",
    )
  ) at++;
  const target = nameFrom(statement, at);
  const where = statement.findIndex((token) => token.depth === base && isWord(token, "WHERE", "PREWHERE"));
  const what = isDelete ? `DELETE FROM ${target}` : `UPDATE ${target}`;
  if (where < 0) return { kind: "loss", what: `${what} without WHERE`, target };
  const condition = statement.slice(where + 1);
  return isAlwaysTrue(condition, base)
    ? { kind: "loss", what: `${what} with a WHERE that is always true`, target }
    : undefined;
}

/** Ways from the database to programs and files of its machine. */
function escapeOf(statement: SqlStatement, dialect: SqlDialect): string | undefined {
  const copies = isWord(statement[0], "COPY");
  const mysql = dialect === "mysql" || dialect === "any";
  for (let at = 0; at < statement.length; at++) {
    const token = statement[at]!;
    if (token.kind !== "word" && token.kind !== "name") continue;
    const name = token.text.toUpperCase();
    const next = statement[at + 1];
    if (copies && name === "PROGRAM" && isWord(statement[at - 1], "TO", "FROM") && next?.kind === "string") {
      return `COPY with the program ${next.text.slice(0, 60)}`;
    }
    if (name === "INTO" && mysql && isWord(next, "OUTFILE", "DUMPFILE")) return `INTO ${next!.text}`;
    if (/^XP_CMDSHELL$/.test(name) && !isWord(statement[0], "SELECT")) return "xp_cmdshell";
    if (/^(?:SP_OACREATE|SP_OAMETHOD|XP_REGWRITE|XP_REGDELETEVALUE)$/.test(name)) return name.toLowerCase();
    if (
      isMark(next, "(") &&
      /^(?:SYS_EXEC|SYS_EVAL|LO_EXPORT|LOAD_EXTENSION|WRITEFILE|PG_WRITE_FILE|PG_FILE_WRITE|PG_FILE_UNLINK|EXECUTABLE)$/
        .test(name)
    ) {
      return `${name.toLowerCase()}()`;
    }
    if (name === "CREATE" && at === 0) {
      const language = statement.findIndex((one) => isWord(one, "LANGUAGE"));
      const what = statement[language + 1]?.text.toUpperCase() ?? "";
      if (language > 0 && /^(?:C|PLPYTHON\d?U|PLPERLU|PLTCLU|PLSHU?)$/.test(what)) {
        return `a function in ${what}`;
      }
      if (statement.some((one) => isWord(one, "SONAME"))) return "a function of a shared library";
    }
  }
  return undefined;
}

/** Everything for everybody, and superusers. */
function rightsOf(statement: SqlStatement): string | undefined {
  const [first, second] = statement;
  if (isWord(first, "GRANT")) {
    const to = statement.findIndex((token) => isWord(token, "TO"));
    if (to < 0) return undefined;
    const all = isWord(second, "ALL") ||
      /^(?:PG_EXECUTE_SERVER_PROGRAM|PG_WRITE_SERVER_FILES|RDS_SUPERUSER|DBA|SYSDBA|ACCOUNTADMIN)$/
        .test(second?.text.toUpperCase() ?? "");
    const everybody = isWord(statement[to + 1], "PUBLIC") || statement[to + 1]?.text === "%";
    const everything = statement.some((token, at) =>
      isMark(token, "*") && isMark(statement[at + 1], ".") && isMark(statement[at + 2], "*")
    );
    if (all && (everybody || everything || !isWord(second, "ALL"))) {
      return `GRANT ${second!.text} TO ${statement[to + 1]?.text ?? ""}`.trim();
    }
    return undefined;
  }
  if ((isWord(first, "ALTER") || isWord(first, "CREATE")) && isWord(second, "ROLE", "USER")) {
    if (statement.some((token) => isWord(token, "SUPERUSER"))) {
      return `${first!.text} ${second!.text} … SUPERUSER`;
    }
  }
  if (
    isWord(first, "ALTER") && isWord(second, "TABLE") &&
    statement.some((token, at) =>
      isWord(token, "DISABLE") && isWord(statement[at + 1], "ROW") && isWord(statement[at + 2], "LEVEL")
    )
  ) return "DISABLE ROW LEVEL SECURITY";
  return undefined;
}

function skipExists(statement: SqlStatement, at: number): number {
  return isWord(statement[at], "IF") ? at + (isWord(statement[at + 1], "NOT") ? 3 : 2) : at;
}

/** A possibly qualified name, in lower case when it is not quoted. */
function nameFrom(statement: SqlStatement, start: number): string {
  let name = "";
  for (let at = start; at < statement.length && at < start + 8; at++) {
    const token = statement[at]!;
    const dot = isMark(token, ".") || isMark(token, "#");
    if (!dot && token.kind === "mark") break;
    if (!dot && name !== "" && !/[.#]$/.test(name)) break;
    name += token.kind === "word" ? token.text.toLowerCase() : token.text;
  }
  return name.slice(0, 80);
}
