/**
 * PowerShell commands in the terms of the shell model. Their plain forms (cmdlet, parameters, paths, pipes) are
 * close enough to POSIX that one parser reads both; script blocks and .NET calls are not followed.
 */

import type { Invocation, Word } from "./model.ts";

const aliases: Readonly<Record<string, string>> = {
  ri: "remove-item",
  rm: "remove-item",
  rmdir: "remove-item",
  rd: "remove-item",
  del: "remove-item",
  erase: "remove-item",
  gc: "get-content",
  cat: "get-content",
  type: "get-content",
  sc: "set-content",
  ac: "add-content",
  clc: "clear-content",
  cp: "copy-item",
  copy: "copy-item",
  cpi: "copy-item",
  mv: "move-item",
  move: "move-item",
  mi: "move-item",
  iex: "invoke-expression",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  sls: "select-string",
  gci: "get-childitem",
  dir: "get-childitem",
};

/** Switches that may be written as any unambiguous beginning of their names. */
const switches = ["-recurse", "-force"];

/**
 * The command with PowerShell's escapes, path separators and environment variables as the POSIX parser reads
 * them. Positions shift where an escape is dropped.
 */
export function posixText(command: string): string {
  return command
    .replaceAll(/`\r?\n/g, " ")
    .replaceAll("`", "")
    .replaceAll("\\", "/")
    .replaceAll(/\$(?:env:)?(?:userprofile|home)\b/gi, "$HOME")
    .replaceAll(/\$env:(?=[a-z_])/gi, "$");
}

/** The invocation with the cmdlet's canonical lower-case name and its switches written out. */
export function asCmdlet(invocation: Invocation): Invocation {
  const name = invocation.program.toLowerCase();
  const isCmdlet = Object.hasOwn(aliases, name) || /^[a-z]+-[a-z]+$/.test(name);
  // `rm -rf` is no PowerShell, but whoever writes it means what a POSIX shell would do.
  const isPosix = invocation.args.some((word) => /^-[rf]{2,}$/i.test(word.text));
  if (!isCmdlet || isPosix) return { ...invocation, dialect: "powershell" };
  return {
    ...invocation,
    program: aliases[name] ?? name,
    args: invocation.args.map(writtenOut),
    dialect: "powershell",
  };
}

function writtenOut(word: Word): Word {
  const text = word.text.toLowerCase();
  const full = /^-[a-z]+$/.test(text) ? switches.find((name) => name.startsWith(text)) : undefined;
  return full === undefined || full === word.text
    ? word
    : { ...word, text: full, pieces: [{ kind: "text", text: full, quoted: false }] };
}
