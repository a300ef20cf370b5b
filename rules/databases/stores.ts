/** Clients of stores that speak no SQL, and the tools that make and remove whole databases. */

import type { Assignment, Invocation, Word } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";
import { parseArguments } from "../options.ts";
import { codeOf, fileText, type Target, targetOf } from "./clients.ts";

/** What a store would lose, and where. */
export interface StoreHarm {
  readonly what: string;
  readonly target: Target;
  /** Name of what is lost, where there is one. */
  readonly name?: string;
}

type Reader = (
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
) => StoreHarm | undefined;

/** By program name. */
export const stores: Readonly<Record<string, Reader>> = {
  "redis-cli": redis,
  "valkey-cli": redis,
  "keydb-cli": redis,
  mongosh: mongo,
  mongo,
  mongorestore: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: ["-h", "--host", "-d", "--db", "--uri", "--nsInclude", "--port", "--archive"],
    });
    if (!parsed.has("--drop") || parsed.has("--dryRun")) return undefined;
    return harm(
      "collections that mongorestore replaces",
      parsed.values("-h", "--host"),
      parsed.values("-d", "--db"),
      invocation,
      environment,
      context,
    );
  },
  etcdctl: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: ["--endpoints", "--user", "--cacert", "--cert", "--key"],
    });
    if (!/^(?:del|rmdir|rm)$/.test(parsed.operands[0]?.text ?? "")) return undefined;
    const many = parsed.has("--prefix", "--from-key", "--recursive", "-r") || parsed.operands.length > 2;
    return many
      ? harm("every key in a range", parsed.values("--endpoints"), [], invocation, environment, context)
      : undefined;
  },
  dropdb: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: ["-h", "-p", "-U", "--host", "--port", "--username", "--maintenance-db"],
      long: ["--if-exists", "--force", "--interactive", "--echo", "--help", "--version", "--no-password"],
    });
    if (parsed.has("--help", "--version")) return undefined;
    return harm(
      `the database ${shown(parsed.operands[0])}`,
      parsed.values("-h", "--host"),
      parsed.operands.slice(0, 1),
      invocation,
      environment,
      context,
    );
  },
  dropuser: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: ["-h", "-p", "-U", "--host", "--port", "--username"],
    });
    if (parsed.has("--help", "--version")) return undefined;
    return harm(
      `the account ${shown(parsed.operands[0])}`,
      parsed.values("-h", "--host"),
      [],
      invocation,
      environment,
      context,
    );
  },
  mysqladmin: mysqlAdmin,
  "mariadb-admin": mysqlAdmin,
  pg_restore: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: [
        "-d",
        "-f",
        "-F",
        "-h",
        "-j",
        "-L",
        "-n",
        "-N",
        "-p",
        "-P",
        "-S",
        "-t",
        "-T",
        "-U",
        "-I",
        "--dbname",
        "--file",
        "--host",
        "--jobs",
        "--schema",
        "--table",
      ],
      long: [
        "--clean",
        "--create",
        "--list",
        "--data-only",
        "--schema-only",
        "--verbose",
        "--no-owner",
        "--if-exists",
        "--single-transaction",
        "--no-acl",
      ],
    });
    // Without a database it only writes SQL.
    const databases = parsed.values("-d", "--dbname");
    if (!parsed.has("-c", "--clean") || databases.length === 0) return undefined;
    return harm(
      "what pg_restore replaces",
      parsed.values("-h", "--host"),
      databases,
      invocation,
      environment,
      context,
    );
  },
  pg_dropcluster: (invocation, environment, context) =>
    harm("a whole cluster of databases", [], [], invocation, environment, context),
  pg_resetwal: (invocation, environment, context) =>
    harm("the latest transactions", [], [], invocation, environment, context),
  influx: (invocation, environment, context) => {
    const parsed = parseArguments(invocation.args, {
      values: [
        "-b",
        "--bucket",
        "--host",
        "-o",
        "--org",
        "-n",
        "--name",
        "--start",
        "--stop",
        "-t",
        "--token",
        "-p",
        "--predicate",
      ],
    });
    const said = parsed.operands.slice(0, 2).map((word) => word.text).join(" ");
    if (!/^(?:delete|bucket delete|org delete)(?:$| )/.test(said)) return undefined;
    return harm(
      "series or buckets",
      parsed.values("--host"),
      parsed.values("-b", "--bucket", "-n", "--name"),
      invocation,
      environment,
      context,
    );
  },
};

function harm(
  what: string,
  hosts: readonly Word[],
  names: readonly Word[],
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
): StoreHarm {
  const texts = (words: readonly Word[]) => words.map((word) => word.text);
  return {
    what,
    target: targetOf(invocation, { hosts: texts(hosts), names: texts(names), environment, context }),
    name: names[0]?.text,
  };
}

function shown(word: Word | undefined): string {
  return word === undefined ? "named elsewhere" : word.text.slice(0, 60);
}

function mysqlAdmin(
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
): StoreHarm | undefined {
  const parsed = parseArguments(invocation.args, {
    values: ["-h", "--host", "-u", "--user", "-P", "--port", "-S", "--socket"],
    attached: ["-p", "--password"],
  });
  const at = parsed.operands.findIndex((word) => word.text === "drop");
  if (at < 0) return undefined;
  const name = parsed.operands.slice(at + 1, at + 2);
  return harm(
    `the database ${shown(name[0])}`,
    parsed.values("-h", "--host"),
    name,
    invocation,
    environment,
    context,
  );
}

/** Commands of Redis that empty it, or that change where its process writes or what it loads. */
function redisLoss(words: readonly string[]): string | undefined {
  const [first = "", second = "", third = ""] = words.map((word) => word.toUpperCase());
  if (first === "FLUSHALL" || first === "FLUSHDB") return `all keys (${first})`;
  if (first === "CONFIG" && second === "SET" && /^(?:DIR|DBFILENAME|APPENDFILENAME)$/.test(third)) {
    return `a file of the server's machine (CONFIG SET ${third.toLowerCase()})`;
  }
  if ((first === "SLAVEOF" || first === "REPLICAOF") && second !== "NO") {
    return `all keys, for those of ${words[1] ?? ""}`;
  }
  if (first === "MODULE" && /^LOAD/.test(second)) return "the server to a library that it loads";
  if (first === "SHUTDOWN" && second === "NOSAVE") return "what was not saved (SHUTDOWN NOSAVE)";
  if ((first === "EVAL" || first === "EVAL_RO") && /flush(?:all|db)/i.test(words[1] ?? "")) {
    return "all keys (in a script)";
  }
  return undefined;
}

function redis(
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
): StoreHarm | undefined {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-h",
      "-p",
      "-s",
      "-a",
      "-u",
      "-r",
      "-i",
      "-n",
      "-d",
      "-D",
      "--user",
      "--pass",
      "--cacert",
      "--cert",
      "--key",
      "--sni",
      "--pattern",
      "--eval",
    ],
    style: "words",
    stopAtOperand: true,
  });
  const lines = [parsed.operands.map((word) => word.text)];
  if (invocation.stdin !== undefined && parsed.operands.length === 0) {
    for (const line of codeOf(invocation.stdin).split("\n", 5000)) lines.push(line.trim().split(/\s+/));
  }
  for (const words of lines) {
    const what = redisLoss(words);
    if (what === undefined) continue;
    return {
      what,
      target: targetOf(invocation, {
        hosts: parsed.values("-h").map((word) => word.text),
        environment,
        context,
      }),
    };
  }
  return undefined;
}

function mongo(
  invocation: Invocation,
  environment: readonly Assignment[],
  context: Context,
): StoreHarm | undefined {
  const parsed = parseArguments(invocation.args, {
    values: [
      "--eval",
      "--host",
      "--port",
      "-u",
      "--username",
      "-p",
      "--password",
      "--authenticationDatabase",
      "-f",
      "--file",
      "--apiVersion",
    ],
    long: ["--quiet", "--nodb", "--norc", "--shell", "--tls", "--help", "--version"],
  });
  const codes = parsed.values("--eval").map(codeOf);
  for (
    const word of [
      ...parsed.values("-f", "--file"),
      ...parsed.operands.filter((one) => /\.m?js$/.test(one.text)),
    ]
  ) {
    const text = fileText(word, invocation, context);
    if (text !== undefined) codes.push(text);
  }
  if (invocation.stdin !== undefined) codes.push(codeOf(invocation.stdin));
  const names = parsed.operands.filter((one) => !/\.m?js$/.test(one.text)).slice(0, 1);
  for (const code of codes) {
    const what = mongoLoss(code);
    if (what !== undefined) {
      return harm(what, parsed.values("--host"), names, invocation, environment, context);
    }
  }
  return undefined;
}

/** What a script for the MongoDB shell would lose; linear in it. */
export function mongoLoss(code: string): string | undefined {
  const plain = withoutStrings(code);
  if (/\.\s*dropDatabase\s*\(/.test(plain) || /\[\s*(["'`])dropDatabase\1\s*\]/.test(code)) {
    return "the database (dropDatabase)";
  }
  if (/\.\s*drop\s*\(/.test(plain)) return "a collection (drop)";
  if (/\.\s*(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*[,)]|\))/.test(plain)) {
    return "every document of a collection";
  }
  if (/\.\s*updateMany\s*\(\s*\{\s*\}\s*,/.test(plain)) return "the former values of every document";
  if (
    /\b(?:runCommand|adminCommand)\s*\(\s*\{\s*["']?(?:dropDatabase|drop|dropAllUsersFromDatabase)\b/.test(
      code,
    )
  ) return "a database or collection (runCommand)";
  if (/\.\s*dropAllUsers\s*\(/.test(plain)) return "all accounts of the database";
  return undefined;
}

/** Code with the content of its strings and its comments left out. */
function withoutStrings(code: string): string {
  let plain = "";
  for (let at = 0; at < code.length; at++) {
    const char = code[at]!;
    if (char === '"' || char === "'" || char === "`") {
      plain += char;
      at++;
      while (at < code.length && code[at] !== char) at += code[at] === "\\" ? 2 : 1;
      plain += char;
    } else if (char === "/" && code[at + 1] === "/") {
      const end = code.indexOf("\n", at);
      at = end < 0 ? code.length : end - 1;
    } else if (char === "/" && code[at + 1] === "*") {
      const end = code.indexOf("*/", at + 2);
      at = end < 0 ? code.length : end + 1;
      plain += " ";
    } else plain += char;
  }
  return plain;
}
