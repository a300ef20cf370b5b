/** Programs whose use of paths is not a matter of operands and options alone. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, PathOperation, Word } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import { isEverything } from "./resolve.ts";

/** What is known of a use before its place in the command is added. */
export interface Draft {
  readonly operation: PathOperation;
  readonly path: Word;
  readonly recursive?: boolean;
  readonly filter?: string;
  readonly empties?: boolean;
  /** Directory against which the path resolves, relative to the invocation's own. */
  readonly base?: Word;
}

/** Names of programs to what they do with their arguments. */
export const special: Readonly<Record<string, (invocation: Invocation) => readonly Draft[]>> = {
  find,
  fd,
  fdfind: fd,
  dd,
  tar,
  bsdtar: tar,
  unzip,
  "7z": sevenZip,
  "7za": sevenZip,
  "7zz": sevenZip,
  curl,
  rsync,
  git,
  ln,
  openssl,
  trash: (invocation) => operands(invocation, "delete"),
  "trash-put": (invocation) => operands(invocation, "delete"),
  gio: (invocation) =>
    invocation.args[0]?.text === "trash" || invocation.args[0]?.text === "remove"
      ? parseArguments(invocation.args.slice(1)).operands.map((path) => ({
        operation: "delete" as const,
        path,
        recursive: true,
      }))
      : [],
  robocopy,
  sqlite3: database,
  duckdb: database,
  crontab: (invocation) =>
    parseArguments(invocation.args, { values: ["-u"] }).operands
      .map((path) => ({ operation: "read" as const, path })),
};

function operands(invocation: Invocation, operation: PathOperation): readonly Draft[] {
  return parseArguments(invocation.args).operands.map((path) => ({ operation, path }));
}

/** The first operand is the database, which is shown; the others are statements. */
function database(invocation: Invocation): readonly Draft[] {
  const [path] = parseArguments(invocation.args, {
    values: ["-cmd", "-init", "-separator", "-newline", "-nullvalue", "-mmap", "-vfs", "-c", "-s", "-f"],
    style: "words",
  }).operands;
  return path === undefined || path.text === ":memory:" ? [] : [{ operation: "read", path }];
}

const findNames = new Set(["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"]);

/** Tests that leave some files out. */
const findNarrow = new Set(
  ("-type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -user -group -perm -empty " +
    "-regex -iregex -lname -ilname -nouser -nogroup -links -inum -uid -gid -samefile -fstype -used -readable -writable " +
    "-executable -maxdepth")
    .split(" "),
);

/** Parts of the expression that are followed by a value. */
const findValued = new Set(
  ("-type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -user -group -perm -regex -iregex " +
    "-lname -ilname -links -inum -uid -gid -samefile -fstype -used -maxdepth -mindepth -regextype -printf -fprint " +
    "-fprint0 -fprintf -fls -context -files0-from -D -newermt -newerct -newerat")
    .split(" "),
);

const findRuns = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** One part of a find expression: its name and the value after it. */
interface FindTerm {
  readonly name: string;
  readonly value: Word | undefined;
}

function findTerms(args: readonly Word[], from: number): readonly FindTerm[] {
  const terms: FindTerm[] = [];
  for (let index = from; index < args.length; index++) {
    const name = args[index]!.text;
    if (findRuns.has(name)) {
      terms.push({ name, value: undefined });
      while (index < args.length && args[index]!.text !== ";" && args[index]!.text !== "+") index++;
    } else if (findValued.has(name) || findNames.has(name)) {
      terms.push({ name, value: args[++index] });
      if (name === "-fprintf") index++;
    } else terms.push({ name, value: undefined });
  }
  return terms;
}

/** Where a find command looks, and what narrows it. */
export interface FindScope {
  readonly roots: readonly Word[];
  /** See `PathUse.filter`; `*` when it is narrowed by something other than names. */
  readonly filter: string | undefined;
}

interface FindCommand extends FindScope {
  readonly terms: readonly FindTerm[];
}

/** Reads roots, filter and expression of a find command. */
export function findScope(args: readonly Word[]): FindCommand {
  const roots: Word[] = [];
  let start = 0;
  while (start < args.length && /^-(?:[HLP]|O\d?)$/.test(args[start]!.text)) start++;
  while (start < args.length && !/^[-(!,]/.test(args[start]!.text)) roots.push(args[start++]!);
  const terms = findTerms(args, start);
  const branches = findBranches(terms);
  const acting = branches.filter((branch) => branch.some(({ name }) => name === "-delete" || findRuns.has(name)));
  const filters = (acting.length > 0 ? acting : branches).map((branch) => findFilter(branch, branches.length > 1));
  const filter = filters.includes(undefined) ? undefined : joinFilters(filters as readonly string[]);
  return { roots: roots.length > 0 ? roots : [staticWord(".")], filter, terms };
}

/** The alternatives of an expression: its parts between `-o` outside of parentheses. */
function findBranches(terms: readonly FindTerm[]): readonly (readonly FindTerm[])[] {
  const branches: FindTerm[][] = [[]];
  let depth = 0;
  for (const term of terms) {
    if (term.name === "(") depth++;
    else if (term.name === ")") depth--;
    if (depth === 0 && /^(?:-o|-or|,)$/.test(term.name)) branches.push([]);
    else branches.at(-1)!.push(term);
  }
  return branches;
}

function findFilter(branch: readonly FindTerm[], oneOfSeveral: boolean): string | undefined {
  const names: string[] = [];
  // What another branch took (`-name x -prune -o -delete`) is left out of this one.
  let narrowed = oneOfSeveral;
  let open = false;
  for (const [index, { name, value }] of branch.entries()) {
    if (findNames.has(name)) {
      const written = value?.text ?? "*";
      const before = branch[index - 1]?.name;
      if (before === "!" || before === "-not") narrowed = true;
      else if (isEverything(written)) open = true;
      else names.push(/path|wholename/.test(name) ? written.replace(/^\*\//, "") : written);
    } else if (findNarrow.has(name)) {
      // `-type d` still takes whole directories.
      if (name !== "-type" || !/^d|,d/.test(value?.text ?? "")) narrowed = true;
    }
  }
  return names.length > 0 ? joinFilters(names) : narrowed && !open ? "*" : undefined;
}

function joinFilters(filters: readonly string[]): string {
  if (filters.includes("*")) return "*";
  return filters.length === 1 ? filters[0]! : `{${filters.join(",")}}`;
}

function find(invocation: Invocation): readonly Draft[] {
  const { roots, filter, terms } = findScope(invocation.args);
  const drafts: Draft[] = roots.map((path) => ({ operation: "list", path, recursive: true }));
  for (const { name, value } of terms) {
    if (name === "-delete") {
      for (const path of roots) drafts.push({ operation: "delete", path, recursive: true, filter });
    } else if (/^-(?:fprint0?|fprintf|fls)$/.test(name) && value !== undefined) {
      drafts.push({ operation: "write", path: value });
    }
  }
  return drafts;
}

/** Where an fd command looks; its pattern is a regular expression, so it only says "some". */
export function fdScope(args: readonly Word[]): FindScope {
  const end = args.findIndex((word) => /^-(?:x|X|-exec|-exec-batch)$/.test(word.text));
  const parsed = parseArguments(end < 0 ? args : args.slice(0, end), {
    values: [
      "-e",
      "-t",
      "-d",
      "-E",
      "-S",
      "-c",
      "--extension",
      "--type",
      "--max-depth",
      "--exclude",
      "--size",
      "--base-directory",
    ],
  });
  const extension = parsed.value("-e", "--extension")?.text;
  const roots = parsed.operands.slice(1);
  const pattern = parsed.operands[0]?.text;
  const filter = extension !== undefined
    ? `*.${extension}`
    : pattern === undefined || pattern === "."
    ? undefined
    : "*";
  return { roots: roots.length > 0 ? roots : [staticWord(".")], filter };
}

function fd(invocation: Invocation): readonly Draft[] {
  return fdScope(invocation.args).roots.map((path) => ({ operation: "list", path, recursive: true }));
}

function dd(invocation: Invocation): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const word of invocation.args) {
    if (word.text.startsWith("of=")) drafts.push({ operation: "write", path: dropStart(word, 3) });
    else if (word.text.startsWith("if=")) drafts.push({ operation: "read", path: dropStart(word, 3) });
  }
  return drafts;
}

function tar(invocation: Invocation): readonly Draft[] {
  // The first word may be a cluster without a dash (`tar cz`, `tar xzf a.tgz`).
  const [first, ...rest] = invocation.args;
  const bare = first !== undefined && first.isStatic && /^[A-Za-z]+$/.test(first.text);
  const args = bare ? [staticWord(`-${first.text}`, first.span), ...rest] : invocation.args;
  const parsed = parseArguments(args, {
    values: [
      "-f",
      "-C",
      "-T",
      "-X",
      "-b",
      "-I",
      "-g",
      "-K",
      "--file",
      "--directory",
      "--files-from",
      "--exclude",
      "--use-compress-program",
      "--transform",
      "--strip-components",
      "--owner",
      "--group",
      "--mode",
    ],
    long: [
      "--create",
      "--extract",
      "--get",
      "--list",
      "--append",
      "--update",
      "--delete",
      "--remove-files",
      "--overwrite",
      "--keep-old-files",
    ],
  });
  const base = parsed.value("-C", "--directory");
  const archive = parsed.value("-f", "--file");
  const drafts: Draft[] = [];
  const creates = parsed.has("-c", "--create", "-r", "--append", "-u", "--update");
  if (creates) {
    for (const path of parsed.operands) {
      drafts.push({ operation: "read", path, recursive: true, base });
      if (parsed.has("--remove-files")) drafts.push({ operation: "delete", path, recursive: true, base });
    }
    if (archive !== undefined && archive.text !== "-") drafts.push({ operation: "write", path: archive });
  } else if (parsed.has("-x", "--extract", "--get")) {
    if (archive !== undefined && archive.text !== "-") drafts.push({ operation: "list", path: archive });
    if (!parsed.has("-O", "--to-stdout", "-k", "--keep-old-files")) {
      drafts.push({ operation: "append", path: base ?? staticWord("."), recursive: true });
    }
  } else if (archive !== undefined) drafts.push({ operation: "list", path: archive });
  return drafts;
}

function unzip(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, { values: ["-d", "-x", "-P"] });
  const archive = parsed.operands[0];
  const drafts: Draft[] = archive === undefined ? [] : [{ operation: "list", path: archive }];
  if (!parsed.has("-l", "-t", "-v", "-Z", "-p", "-n")) {
    drafts.push({ operation: "append", path: parsed.value("-d") ?? staticWord("."), recursive: true });
  }
  return drafts;
}

function sevenZip(invocation: Invocation): readonly Draft[] {
  const [verb, ...rest] = parseArguments(invocation.args, { style: "words" }).operands;
  if (verb === undefined) return [];
  if (verb.text === "a" || verb.text === "u") {
    return rest.map((path, index) => ({
      operation: index === 0 ? "write" : "read",
      path,
      recursive: index > 0,
    }));
  }
  if (verb.text === "x" || verb.text === "e") {
    const out = invocation.args.find((word) => word.text.startsWith("-o"));
    return [
      ...rest.slice(0, 1).map((path) => ({ operation: "list" as const, path })),
      { operation: "append", path: out === undefined ? staticWord(".") : dropStart(out, 2), recursive: true },
    ];
  }
  return [];
}

const curlData = [
  "-d",
  "--data",
  "--data-binary",
  "--data-ascii",
  "--data-urlencode",
  "--json",
  "-H",
  "--header",
];
const curlForm = ["-F", "--form"];
const curlWrites = [
  "-o",
  "--output",
  "-c",
  "--cookie-jar",
  "-D",
  "--dump-header",
  "--trace",
  "--trace-ascii",
  "--stderr",
];
const curlReads = ["-T", "--upload-file", "-K", "--config", "--url-query"];

function curl(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      ...curlData,
      ...curlForm,
      ...curlWrites,
      ...curlReads,
      "-X",
      "--request",
      "-u",
      "--user",
      "-A",
      "--user-agent",
      "-e",
      "--referer",
      "-m",
      "--max-time",
      "-x",
      "--proxy",
      "-w",
      "--write-out",
      "-b",
      "--cookie",
      "-E",
      "--cert",
      "--key",
      "--cacert",
      "--retry",
      "--connect-timeout",
      "--resolve",
      "-r",
      "--range",
      "--url",
      "--data-raw",
      "--form-string",
      "--output-dir",
      "-C",
      "-y",
      "-Y",
      "-z",
      "-t",
    ],
  });
  const drafts: Draft[] = [];
  const outputDirectory = parsed.value("--output-dir");
  for (const { name, value } of parsed.options) {
    if (value === undefined) continue;
    const text = value.text;
    if (curlWrites.includes(name) && text !== "-") {
      drafts.push({
        operation: "write",
        path: value,
        base: name === "-o" || name === "--output" ? outputDirectory : undefined,
      });
    } else if (curlReads.includes(name) && text !== "-" && text !== "." && name !== "--url-query") {
      drafts.push({ operation: "read", path: value });
    } else if (curlData.includes(name) || name === "-b" || name === "--cookie") {
      // `@file`, and `name@file` for --data-urlencode.
      const at = name === "--data-urlencode" && !text.includes("=")
        ? text.indexOf("@")
        : text.startsWith("@")
        ? 0
        : -1;
      if (at >= 0 && text !== "@-") drafts.push({ operation: "read", path: dropStart(value, at + 1) });
      else if ((name === "-b" || name === "--cookie") && !text.includes("=") && text !== "") {
        drafts.push({ operation: "read", path: value });
      }
    } else if (curlForm.includes(name)) {
      const sign = /=[@<]/.exec(text);
      if (sign !== null) {
        const path = dropStart(value, sign.index + 2);
        const options = path.isStatic ? path.text.indexOf(";") : -1;
        if (path.text !== "-") {
          drafts.push({
            operation: "read",
            path: options < 0 ? path : staticWord(path.text.slice(0, options), path.span),
          });
        }
      }
    }
  }
  for (const word of [...parsed.operands, ...parsed.values("--url")]) {
    if (/^file:\/\//i.test(word.text)) drafts.push({ operation: "read", path: dropStart(word, 7) });
  }
  return drafts;
}

/** True for `host:path` and `rsync://…`, which are not local. */
function isRemoteOperand(text: string): boolean {
  return /^(?:rsync|ssh):\/\//i.test(text) || /^(?:[^/@:\s]+@)?[^/:\s]{2,}:/.test(text);
}

function rsync(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: [
      "-e",
      "-f",
      "-T",
      "-B",
      "--rsh",
      "--filter",
      "--exclude",
      "--include",
      "--exclude-from",
      "--include-from",
      "--files-from",
      "--rsync-path",
      "--bwlimit",
      "--partial-dir",
      "--log-file",
      "--max-size",
      "--backup-dir",
      "--password-file",
      "--timeout",
      "--port",
      "--chmod",
      "--chown",
    ],
  });
  const last = parsed.operands.at(-1);
  const deletes = parsed.options.some((option) => /^--del(?:ete.*)?$/.test(option.name)) &&
    !parsed.has("-n", "--dry-run");
  const drafts: Draft[] = [];
  for (const path of parsed.operands) {
    if (isRemoteOperand(path.text)) continue;
    if (path !== last || parsed.operands.length === 1) {
      drafts.push({ operation: "read", path, recursive: true });
      if (parsed.has("--remove-source-files")) {
        drafts.push({ operation: "delete", path, recursive: true, filter: "*" });
      }
    } else {
      drafts.push({ operation: "append", path, recursive: true });
      // What the source lacks is deleted: everything when the source is empty.
      if (deletes) drafts.push({ operation: "delete", path, recursive: true });
    }
  }
  return drafts;
}

function robocopy(invocation: Invocation): readonly Draft[] {
  const paths = invocation.args.filter((word) => !word.text.startsWith("/") || word.text.startsWith("//"));
  const mirrors = invocation.args.some((word) => /^\/(?:mir|purge)$/i.test(word.text));
  const [source, destination] = paths;
  const drafts: Draft[] = [];
  if (source !== undefined) drafts.push({ operation: "read", path: source, recursive: true });
  if (destination !== undefined) {
    drafts.push({ operation: mirrors ? "delete" : "append", path: destination, recursive: true });
  }
  return drafts;
}

const gitReaders = new Set([
  "show",
  "cat-file",
  "diff",
  "blame",
  "log",
  "grep",
  "annotate",
  "archive",
  "difftool",
]);

function git(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, {
    values: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"],
    stopAtOperand: true,
  });
  const base = parsed.value("-C");
  const [verb, ...rest] = parsed.operands;
  if (verb === undefined) return [];
  const drafts: Draft[] = [];
  const noIndex = rest.some((word) => word.text === "--no-index");
  if (noIndex || verb.text === "hash-object") {
    const prints = noIndex || rest.some((word) => /^-[a-z]*w/.test(word.text));
    for (const path of parseArguments(rest, { values: ["-t", "-e", "-A", "-B", "-C", "-U"] }).operands) {
      drafts.push({ operation: prints ? "read" : "list", path, base });
    }
  } else if (gitReaders.has(verb.text)) {
    const names = rest.some((word) =>
      /^--(?:name-only|name-status|stat|numstat|shortstat|quiet|oneline)$/.test(word.text)
    ) &&
      !rest.some((word) =>
        /^(?:-p|-u|--patch)$/.test(word.text)
      );
    const prints = !names && (verb.text !== "log" || rest.some((word) =>
      /^(?:-p|-u|--patch|-L.*)$/.test(word.text)
    )) &&
      !rest.some((word) => /^(?:-t|-s|-e)$/.test(word.text) && verb.text === "cat-file");
    const dashes = rest.findIndex((word) => word.text === "--");
    for (const [index, word] of rest.entries()) {
      const operation: PathOperation = prints ? "read" : "list";
      const colon = word.text.indexOf(":");
      if (index !== dashes && colon >= 0 && !word.text.startsWith("-") && !/^:[(/!^]/.test(word.text)) {
        const path = dropStart(word, colon + 1);
        // `:0:file` names a stage of the index.
        drafts.push({ operation, path: /^\d:/.test(path.text) ? dropStart(path, 2) : path, base });
      } else if (dashes >= 0 ? index > dashes : verb.text === "blame" && !word.text.startsWith("-")) {
        drafts.push({ operation, path: word, base });
      }
    }
    const output = rest.find((word) => word.text.startsWith("--output="));
    if (output !== undefined) drafts.push({ operation: "write", path: dropStart(output, 9), base });
  } else if (verb.text === "add" && rest.some((word) => /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*)$/.test(word.text))) {
    // What git is told to ignore gets a copy that others will see.
    for (const path of parseArguments(rest).operands) drafts.push({ operation: "read", path, base });
  } else if (verb.text === "apply" || verb.text === "am") {
    for (const path of parseArguments(rest, { values: ["-p", "-C", "--directory"] }).operands) {
      drafts.push({ operation: "list", path, base });
    }
  } else if (verb.text === "rm") {
    const options = parseArguments(rest);
    if (!options.has("--cached", "-n", "--dry-run")) {
      for (const path of options.operands) {
        // Without -f git refuses to remove what differs from the last commit.
        drafts.push({
          operation: options.has("-f", "--force") ? "delete" : "list",
          path,
          recursive: options.has("-r"),
          base,
        });
      }
    }
  }
  return drafts;
}

function ln(invocation: Invocation): readonly Draft[] {
  const parsed = parseArguments(invocation.args, { values: ["-t", "-S", "--target-directory", "--suffix"] });
  const into = parsed.value("-t", "--target-directory");
  const names = parsed.operands;
  const last = into ?? (names.length > 1 ? names.at(-1) : undefined);
  const targets = into !== undefined || names.length < 2 ? names : names.slice(0, -1);
  return [
    ...targets.map((path) => ({ operation: "link" as const, path })),
    ...(last === undefined
      ? []
      : [{ operation: parsed.has("-f", "--force") ? "write" as const : "append" as const, path: last }]),
  ];
}

function openssl(invocation: Invocation): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const [index, word] of invocation.args.entries()) {
    const value = invocation.args[index + 1];
    if (value === undefined) break;
    if (word.text === "-out" || word.text === "-keyout") drafts.push({ operation: "write", path: value });
    else if (word.text === "-in" || word.text === "-inkey") {
      const publicOnly = invocation.args.some((one) =>
        /^-(?:pubout|noout|pubin|subject|fingerprint|dates|check|verify)$/.test(one.text)
      );
      const shows = /^(?:rsa|pkey|ec|dsa|enc|base64|pkcs12|pkcs8|asn1parse|pkeyutl|rsautl)$/.test(
        invocation.args[0]?.text ?? "",
      );
      drafts.push({ operation: shows && !publicOnly ? "read" : "list", path: value });
    }
  }
  return drafts;
}
