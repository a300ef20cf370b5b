/**
 * Tools of the hosts as actions. The table is shared: hosts run each other's hooks and rename their tools, and
 * the same name means the same thing everywhere. A tool that is not in it is `unknown`, which is judged by the
 * shape of its arguments.
 */

import { native } from "../src/native_path.ts";
import { PayloadError } from "../src/errors.ts";
import type { Action, FileOperation } from "../src/types.ts";
import { patchActions } from "./apply_patch.ts";
import { field, type Fields, isFields, text, typeOf } from "./read.ts";

/**
 * What a tool does: `editor` does what its input's `command` says, `typing` goes into a program that runs already,
 * `download` puts what an address holds into a file.
 */
export type ToolKind =
  | "shell"
  | "powershell"
  | "typing"
  | "patch"
  | "editor"
  | "fetch"
  | "download"
  | "search"
  | FileOperation;

/** Keys are lower case without separators. */
const tools: Readonly<Record<string, ToolKind>> = {
  bash: "shell",
  shell: "shell",
  localshell: "shell",
  execcommand: "shell",
  runshellcommand: "shell",
  runterminalcmd: "shell",
  runterminalcommand: "shell",
  runinterminal: "shell",
  terminal: "shell",
  writestdin: "typing",
  writebash: "typing",
  writepowershell: "typing",
  monitor: "shell",
  powershell: "powershell",
  write: "write",
  writefile: "write",
  createfile: "write",
  create: "write",
  edit: "edit",
  editfile: "edit",
  multiedit: "edit",
  notebookedit: "edit",
  editnotebook: "edit",
  strreplace: "edit",
  strreplaceeditor: "editor",
  strreplacebasededittool: "editor",
  searchreplace: "edit",
  replace: "edit",
  applypatch: "patch",
  read: "read",
  readfile: "read",
  readmanyfiles: "read",
  notebookread: "read",
  viewimage: "read",
  tabread: "read",
  view: "read",
  grep: "search",
  rg: "search",
  grepsearch: "search",
  searchfilecontent: "search",
  delete: "delete",
  deletefile: "delete",
  webfetch: "fetch",
};

const commandFields = ["command", "cmd", "command_line", "commandLine", "shell_command", "script", "chars"];
const typedFields = [...commandFields, "input", "input_text", "text"];
const directoryFields = [
  "working_directory",
  "workingDirectory",
  "workdir",
  "dir_path",
  "directory",
  "cwd",
];
const pathFields = [
  "file_path",
  "filePath",
  "path",
  "target_file",
  "targetFile",
  "notebook_path",
  "notebookPath",
  "target_notebook",
  "absolute_path",
  "absolutePath",
  "target_path",
  "filename",
  "file",
];
const pathListFields = ["file_paths", "filePaths", "paths", "files", "include", "operations"];
const contentFields = [
  "content",
  "contents",
  "new_string",
  "newString",
  "new_str",
  "new_text",
  "newText",
  "new_source",
  "newCode",
  "code",
  "file_text",
  "file_content",
  "insert_text",
  "code_edit",
  "diff",
  "text",
];
const previousFields = ["old_string", "oldString", "old_str", "old_text", "oldText", "old_source"];
/** Lists of changes; a member that names a file of its own is about that file. */
const changeLists = ["edits", "str_replace_entries", "insert_line_entries", "replacements"];
const patchFields = ["command", "input", "patch", "patchText", "diff"];

export interface ToolOptions {
  /** Tools of this host that the shared table does not know, or knows as something else; keys as there. */
  readonly tools?: Readonly<Record<string, ToolKind>>;
  /** Directory of the call, against which a tool's own directory is resolved. */
  readonly cwd?: string;
  /** What is typed into a shell later fires no hook on this host. */
  readonly unobservedInput?: boolean;
  /** Rewrites a path from the host's form to the system's. */
  readonly path?: (path: string) => string;
}

/** Whether the table says what a tool of this name does. */
export function isKnownTool(tool: string): boolean {
  return kindOf(tool) !== undefined;
}

function kindOf(tool: string, own: ToolOptions["tools"] = {}): ToolKind | undefined {
  const key = tool.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return Object.hasOwn(own, key) ? own[key] : Object.hasOwn(tools, key) ? tools[key] : undefined;
}

/** The actions of one call of a built-in tool. Throws PayloadError when a known tool lacks what it works on. */
export function toolActions(tool: string, input: Fields, options: ToolOptions = {}): Action[] {
  const kind = kindOf(tool, options.tools);
  switch (kind) {
    case undefined:
      return [{ kind: "unknown", tool, input }];
    case "shell":
    case "powershell":
      return shellActions(tool, input, options, kind === "shell" ? "posix" : "powershell");
    case "typing":
      return typingActions(tool, input, options);
    case "patch":
      return patchActions(joinedText(tool, input, patchFields));
    case "editor":
      return fileActions(tool, editorOperation(input), input, options);
    case "fetch":
      return fetchActions(tool, input);
    case "download":
      return [...fetchActions(tool, input), ...fileActions(tool, "write", input, options)];
    case "search":
      return searchActions(tool, input, options);
    default:
      return fileActions(tool, kind, input, options);
  }
}

/**
 * `mcp__<server>__<tool>` split at the last separator: a server's name may hold `__`, and a tool's rarely does.
 * Undefined when it is no MCP tool.
 */
export function mcpName(tool: string): { server: string; tool: string } | undefined {
  if (!tool.startsWith("mcp__")) return undefined;
  const rest = tool.slice("mcp__".length);
  const at = rest.lastIndexOf("__");
  return at <= 0 ? { server: rest, tool: "" } : { server: rest.slice(0, at), tool: rest.slice(at + 2) };
}

/** One fetch for every http address in a text, since some hosts hide the address inside a prompt. */
export function addressesIn(prose: string): string[] {
  const found = new Set<string>();
  for (const match of prose.matchAll(/\b(?:https?|ftp|file):\/\/[^\s<>"'`]+/gi)) {
    let end = match[0].length;
    while (end > 0 && ")]}.,;:!?".includes(match[0].charAt(end - 1))) end--;
    found.add(match[0].slice(0, end));
  }
  return [...found];
}

/** The operation that an editor tool is asked for; changing is the strictest that a file in use can suffer. */
function editorOperation(input: Fields): FileOperation {
  const command = text(input, "command");
  return command === "view" ? "read" : command === "create" ? "write" : "edit";
}

function shellActions(
  tool: string,
  input: Fields,
  options: ToolOptions,
  dialect: "posix" | "powershell",
  fields: readonly string[] = commandFields,
): Action[] {
  const commands = new Set<string>();
  for (const name of fields) {
    const value = field(input, name);
    if (typeof value === "string") commands.add(withoutNul(tool, name, value));
    else if (Array.isArray(value)) commands.add(commandLine(tool, name, value));
    else if (value !== undefined && value !== null) throw wrongType(tool, name, "a string", value);
  }
  for (const command of commandList(tool, field(input, "commands"))) commands.add(command);
  if (commands.size === 0) throw missing(tool, "command");
  // Which of several directories the client takes is not for guard to guess: the command is judged in each.
  const given = textsIn(tool, input, directoryFields);
  const directories = given.map((name) => absolute(options.path?.(name) ?? name, options.cwd));
  return [...commands].flatMap((command) =>
    (directories.length === 0 ? [undefined] : directories).map((cwd): Action => ({
      kind: "shell",
      command,
      dialect,
      ...(cwd === undefined ? {} : { cwd }),
      ...(options.unobservedInput ? { unobservedInput: true } : {}),
    }))
  );
}

/** Commands that one call runs one after the other, each a text, or a program with its arguments apart. */
function commandList(tool: string, given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  return (Array.isArray(given) ? given : [given]).map((item: unknown) => {
    if (typeof item === "string") return withoutNul(tool, "commands", item);
    const command = isFields(item) ? text(item, "command", "cmd") : undefined;
    if (!isFields(item) || command === undefined) throw wrongType(tool, "commands", "commands only", item);
    const words = field(item, "args") ?? [];
    if (!Array.isArray(words)) throw wrongType(tool, "args", "a list", words);
    return [withoutNul(tool, "command", command), ...words.map((word) => commandLine(tool, "args", [word]))]
      .join(" ");
  });
}

/**
 * Text typed into a program that was started earlier. Which one it is nobody says, so that the text is judged as a
 * shell would take it; without a text the call only asks for more of the program's output.
 */
function typingActions(tool: string, input: Fields, options: ToolOptions): Action[] {
  const typed = typedFields.map((name) => field(input, name));
  if (typed.every((value) => value === undefined || value === null || value === "")) return [];
  const keyed = Object.fromEntries(
    Object.entries(input).map((
      [name, value],
    ) => [name, typeof value === "string" ? withoutKeys(value) : value]),
  );
  const dialect = /powershell/i.test(tool) ? "powershell" : "posix";
  return shellActions(tool, keyed, options, dialect, typedFields);
}

/** Keys that are named in braces, as Copilot's `write_bash` takes them: a pressed Enter ends a line. */
function withoutKeys(typed: string): string {
  return typed.replaceAll(/\{(?:enter|return)\}/gi, "\n")
    .replaceAll(/\{(?:up|down|left|right|tab|esc|escape|backspace|delete|home|end|space)\}/gi, " ");
}

/** The different strings in these fields, without empty ones. */
function textsIn(tool: string, input: Fields, names: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of names) {
    const value = field(input, name);
    if (typeof value === "string") found.add(value);
    else if (value !== undefined && value !== null) throw wrongType(tool, name, "a string", value);
  }
  found.delete("");
  return [...found];
}

/** No program can be given a NUL: some clients refuse it, and others would end the command there. */
function withoutNul(tool: string, name: string, command: string): string {
  if (!command.includes("\0")) return command;
  throw new PayloadError(`tool ${tool}: expected a command in "${name}", found one with a NUL character`);
}

/** An argument vector as the command line that has the same effect. */
function commandLine(tool: string, name: string, words: readonly unknown[]): string {
  return words.map((word) => {
    if (typeof word !== "string") throw wrongType(tool, name, "strings only", word);
    return shellQuoted(withoutNul(tool, name, word));
  }).join(" ");
}

/** A word as a POSIX shell has to be given it to receive exactly these characters. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function fileActions(tool: string, operation: FileOperation, input: Fields, options: ToolOptions): Action[] {
  const paths = new Set<string>();
  const parts: Fields[] = [];
  for (const name of pathFields) {
    const value = field(input, name);
    if (typeof value === "string") paths.add(value);
    else if (value !== undefined && value !== null) throw wrongType(tool, name, "a string", value);
  }
  for (const name of pathListFields) {
    const value = field(input, name);
    if (typeof value === "string") paths.add(value);
    else if (Array.isArray(value)) {
      for (const path of value) {
        if (typeof path === "string") paths.add(path);
        else if (isFields(path)) parts.push(path);
        else throw wrongType(tool, name, "strings only", path);
      }
    }
  }
  const changes = operation === "write" || operation === "edit";
  const texts: Fields[] = [input];
  if (changes) {
    for (const name of changeLists) {
      const value = field(input, name);
      for (const change of Array.isArray(value) ? value.filter(isFields) : []) {
        if (text(change, ...pathFields) === undefined) texts.push(change);
        else parts.push(change);
      }
    }
  }
  paths.delete("");
  if (paths.size === 0 && parts.length === 0) throw missing(tool, "file_path");
  const content = changes ? changedText(tool, texts, contentFields) : undefined;
  const previous = operation === "edit" ? changedText(tool, texts, previousFields) : undefined;
  const own = [...paths].map((path): Action => ({
    kind: "file",
    operation,
    path: options.path?.(path) ?? path,
    ...(content === undefined ? {} : { content }),
    ...(previous === undefined ? {} : { previous }),
  }));
  return [...own, ...parts.flatMap((part) => fileActions(tool, operation, part, options))];
}

/** A search shows what is in the files below its directories; without one it stays below the call's own. */
function searchActions(tool: string, input: Fields, options: ToolOptions): Action[] {
  const paths = textsIn(tool, input, [...pathFields, "dir_path"]);
  const named = namedByGlob(tool, input).flatMap((name) =>
    paths.length === 0 ? [name] : paths.map((path) => `${path}/${name}`)
  );
  return paths.length === 0 && named.length === 0
    ? [{ kind: "unknown", tool, input }]
    : fileActions(tool, "read", { paths: [...paths, ...named] }, options);
}

/** Names of files whose content a search shows because its glob names them: `.env` of `**\/.env*`. */
function namedByGlob(tool: string, input: Fields): string[] {
  const mode = field(input, "output_mode");
  // Without a mode this tool only lists the names.
  if (mode === undefined ? tool === "Grep" : mode !== "content") return [];
  const globs = ["glob", "include", "include_pattern"].flatMap((name) => field(input, name))
    .filter((glob) => typeof glob === "string");
  return globs.flatMap((glob) => {
    const name = glob.slice(glob.lastIndexOf("/") + 1);
    const alternatives = /^\{([^{}]*)\}$/.exec(name)?.[1]?.split(",") ?? [name];
    return alternatives.map((one) => one.replace(/\*+$/, "")).filter((one) =>
      one.length > 1 && one.length < 256 && !/[*?[\]{}!]/.test(one)
    );
  });
}

/** Text of a change from these fields, which some tools number (`new_str_1`, `new_str_2`). */
function changedText(tool: string, sources: readonly Fields[], names: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (!names.includes(name.replace(/_\d+$/, ""))) continue;
      if (typeof value === "string") parts.push(value);
      else if (value !== undefined && value !== null) throw wrongType(tool, name, "a string", value);
    }
  }
  return parts.length === 0 ? undefined : parts.join("\n");
}

function fetchActions(tool: string, input: Fields): Action[] {
  const urls = new Set<string>();
  for (const name of ["url", "uri", "urls", "requests"]) {
    const value = field(input, name);
    for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      const url: unknown = isFields(item) ? text(item, "url", "uri") : item;
      if (typeof url !== "string") throw wrongType(tool, name, "a string", url);
      urls.add(url);
    }
  }
  // Some clients read the addresses out of the prompt alone, whatever else the input says.
  for (const url of addressesIn(text(input, "prompt", "query") ?? "")) urls.add(url);
  if (urls.size === 0) return [{ kind: "unknown", tool, input }];
  return [...urls].map((url) => ({ kind: "fetch", url }));
}

/** All of the named texts: which of them the client takes is not for guard to guess. */
function joinedText(tool: string, input: Fields, names: readonly string[]): string {
  const parts: string[] = [];
  for (const name of names) {
    const value = field(input, name);
    if (typeof value === "string") parts.push(value);
    else if (value !== undefined && value !== null) throw wrongType(tool, name, "a string", value);
  }
  if (parts.length === 0) throw missing(tool, names[0] ?? "input");
  return parts.join("\n");
}

function absolute(path: string, cwd: string | undefined): string {
  return cwd === undefined || native.isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path)
    ? path
    : native.resolve(cwd, path);
}

function missing(tool: string, name: string): PayloadError {
  return new PayloadError(`tool ${tool}: expected "${name}" in its input, found nothing`);
}

function wrongType(tool: string, name: string, expected: string, value: unknown): PayloadError {
  return new PayloadError(`tool ${tool}: expected ${expected} in "${name}", found ${typeOf(value)}`);
}
