/** Programs whose use of paths is not a matter of operands and options alone. */

import { parseArguments } from "../../rules/options.ts";
import type { Invocation, PathOperation } from "../shell/model.ts";
import { dropStart, staticWord } from "../words.ts";
import { ar, cpio, sevenZip, tar, unzip } from "./archives.ts";
import type { Draft } from "./draft.ts";
import { cloned, git } from "./git.ts";
import { applyPatch, patch } from "./patching.ts";
import { fd, find } from "./search.ts";
import { cloudCopy, containerCopy, curl, robocopy, rsync, wget } from "./transfers.ts";

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
  cpio,
  ar,
  patch,
  apply_patch: applyPatch,
  applypatch: applyPatch,
  curl,
  wget,
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
  docker: containerCopy,
  podman: containerCopy,
  nerdctl: containerCopy,
  kubectl: containerCopy,
  oc: containerCopy,
  aws: cloudCopy,
  gsutil: cloudCopy,
  gcloud: cloudCopy,
  rclone: cloudCopy,
  gh: (invocation) => clones(invocation, "repo", "clone"),
  glab: (invocation) => clones(invocation, "repo", "clone"),
  hg: (invocation) => clones(invocation, "clone"),
  svn: (invocation) => clones(invocation, "checkout|co|export"),
  degit: (invocation) => clones(invocation),
  tiged: (invocation) => clones(invocation),
  sqlite3: database,
  duckdb: database,
  crontab: (invocation) =>
    parseArguments(invocation.args, { values: ["-u"] }).operands
      .map((path) => ({ operation: "read" as const, path })),
};

/** Programs that fetch a whole directory after these words. */
function clones(invocation: Invocation, ...verbs: readonly string[]): readonly Draft[] {
  const words = invocation.args;
  if (!verbs.every((verb, index) => new RegExp(`^(?:${verb})$`).test(words[index]?.text ?? ""))) return [];
  return cloned(words.slice(verbs.length)).map((path) => ({ operation: "append", path, recursive: true }));
}

function operands(invocation: Invocation, operation: PathOperation): readonly Draft[] {
  return parseArguments(invocation.args).operands.map((path) => ({ operation, path }));
}

/** The first operand is the database, which is shown; the others are statements. */
function database(invocation: Invocation): readonly Draft[] {
  const [path] = parseArguments(invocation.args, {
    values: ["-cmd", "-init", "-separator", "-newline", "-nullvalue", "-mmap", "-vfs", "-c", "-s", "-f"],
    style: "words",
  }).operands;
  const drafts: Draft[] = [];
  if (path !== undefined && path.text !== ":memory:") drafts.push({ operation: "read", path });
  for (const word of [...invocation.args, ...(invocation.stdin === undefined ? [] : [invocation.stdin])]) {
    for (const [pattern, operation] of statements) {
      for (const found of word.text.slice(0, 64 * 1024).matchAll(pattern)) {
        drafts.push({ operation, path: staticWord(found[1] ?? found[2] ?? "", word.span) });
      }
    }
  }
  return drafts;
}

/** What statements and commands of the SQLite shell do to files. */
const statements: readonly (readonly [RegExp, PathOperation])[] = [
  [
    /^[ \t]*\.(?:output|once|backup|save|log|excel)[ \t]+(?:main[ \t]+)?(?:'([^'\n]+)'|([^\s'|]+))/gim,
    "write",
  ],
  [/^[ \t]*\.(?:read|import)[ \t]+(?:'([^'\n]+)'|([^\s'|]+))/gim, "read"],
  [/\breadfile\(\s*'([^'\n]+)'/gi, "read"],
  [/\bwritefile\(\s*'([^'\n]+)'/gi, "write"],
  [/\bvacuum\s+(?:main\s+)?into\s+'([^'\n]+)'/gi, "write"],
];

function dd(invocation: Invocation): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const word of invocation.args) {
    if (word.text.startsWith("of=")) drafts.push({ operation: "write", path: dropStart(word, 3) });
    else if (word.text.startsWith("if=")) drafts.push({ operation: "read", path: dropStart(word, 3) });
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
