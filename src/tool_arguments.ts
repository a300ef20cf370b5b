/** What a tool of unknown meaning would do, told from the shape of its arguments. */

import type { Action, ActionOf, FileOperation } from "./types.ts";
import { quoteWord } from "./quote.ts";
import { toolCommands, wordsOf } from "./tool_programs.ts";

/** `commands`: characters of all commands together. */
const limits = { depth: 12, values: 20_000, actions: 200, commands: 256 * 1024, path: 32 * 1024 };

const pathKeys =
  /^(?:(?:relative|absolute|abs|full|file|target|source|src|dest|destination|from|to|old|new|input|output|dir|directory|folder|workspace)?_?(?:path|paths|file|files|filename|file_?path|filepath|directory)|source|src|dest|destination|target|dir|folder|from|to|uri)$/i;
const commandKeys =
  /^(?:[a-z0-9]{1,20}[_-]?)?(?:commands?|cmds?|scripts?)(?:[_-]?(?:line|string|str|text|content|body))?$|^(?:argv|shell|bash|exec|run|cli|cmd_?line)$/i;
/** Names of the program of which `args` are the arguments. */
const programKeys = /^(?:program|executable|binary|prog|exe)$/i;
/** What a tool that types into a terminal is given. */
const typedKeys = /^(?:input|text|keys?|data|lines?|chars|code|stdin|args|arguments|statement)$/i;
/** JSON inside a text. */
const packedKeys = /^(?:json|args|arguments|input|params|parameters|payload|request|tool_?input)$/i;
const urlKeys =
  /^(?:[a-z0-9]{1,20}[_-]?)?(?:urls?|uris?|hrefs?|links?|endpoints?|webhooks?|websites?|sites?|address)$/i;
/** What is fetched; the address of a database is no page. */
const schemes =
  /^(?:(?:https?|ftps?|wss?|gophers?|dict|ldaps?|tftp|telnet|smbs?):\/\/|(?:jar|netdoc|php|phar|expect):)/i;
/** A name or number of a machine with what may follow; an address without a scheme is taken as one of the web. */
const bareAddress =
  /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,10}|0x[0-9a-f]{8}|[0-9]{8,10})\.?(?::[0-9]{1,5})?(?:[/?#]\S*)?$/i;
/** Names of the machine that a request goes to. */
const hostKeys = /^(?:host|hostname|domain|ip|ip_?address)$/i;
const contentKeys =
  /^(?:content|contents|text|data|body|new_?str(?:ing)?|new_?text|replacement|insert_?text|value|file_?text|patch|diff|edits)$/i;

const verbs: readonly (readonly [RegExp, FileOperation])[] = [
  [/delete|remove|unlink|trash|erase|rmdir|(?:^|[_\W])rm(?:$|[_\W])/i, "delete"],
  [/move|rename|(?:^|[_\W])mv(?:$|[_\W])/i, "delete"],
  [/edit|replace|insert|patch|append|update|modify|refactor|rename_symbol/i, "edit"],
  [/write|create|save|put|overwrite|upload_to|export|download|store|copy|mkdir|touch/i, "write"],
];

/** True for tools that only name files and never show what is in them. */
const listing =
  /(?:^|[_\W])(?:list|ls|dir|tree|glob|find_file|stat|info|exists|search_files|directory)|list_?dir/i;

/** Actions that arguments imply. */
export interface Implied {
  readonly actions: readonly Action[];
  /** False when the input holds more than is looked at. */
  readonly complete: boolean;
}

/**
 * Actions that stand for a call of an MCP server or an unknown tool. Never fails; takes at most a few
 * thousand values of the input.
 */
export function impliedActions(action: ActionOf<"mcp"> | ActionOf<"unknown">): Implied {
  const words = wordsOf(action.tool);
  const inBrowser = words.some((word) =>
    /^(?:browser|puppeteer|playwright|page|chrome|evaluate)$/.test(word)
  );
  const found: Found = {
    words,
    server: action.kind === "mcp" ? wordsOf(action.server) : [],
    asks: inBrowser ||
      words.some((word) =>
        /^(?:fetch|request|http|https|get|curl|navigate|browse|crawl|scrape|open|visit|download|goto)$/.test(
          word,
        )
      ),
    inBrowser,
    types: !inBrowser && (typesCommands(words) ||
      (action.kind === "mcp" && runs.test(action.tool) && typesCommands(wordsOf(action.server)))),
    paths: [],
    commands: [],
    urls: [],
    content: undefined,
    left: limits.values,
    cut: false,
  };
  const seed = action.input;
  // Some hosts hand over the arguments as JSON text.
  walk(typeof seed === "string" ? parsed(seed) : seed, "", 0, found);
  const actions: Action[] = [];
  for (const { command, cwd } of toolCommands(action)) {
    if (!found.commands.includes(command)) {
      actions.push({ kind: "shell", command, dialect: "posix", ...(cwd === undefined ? {} : { cwd }) });
    }
  }
  let characters = 0;
  for (const command of found.commands) {
    characters += command.length;
    if (actions.length > 0 && characters > limits.commands) {
      found.cut = true;
      break;
    }
    const windows = /powershell|pwsh/i.test(action.tool);
    actions.push({ kind: "shell", command, dialect: windows ? "powershell" : "posix" });
  }
  for (const url of found.urls) actions.push({ kind: "fetch", url });
  const operation = operationOf(action.tool, found.content !== undefined);
  const moves = /move|rename|(?:^|[_\W])mv(?:$|[_\W])/i.test(action.tool);
  for (const [index, { key, path }] of found.paths.entries()) {
    if (operation === undefined) continue;
    if (path.length > limits.path) {
      found.cut = true;
      continue;
    }
    const arrives = moves && (/^(?:dest|destination|to|target|new)/i.test(key) || (index > 0 && key === ""));
    const leaves = /copy|export|upload|download/i.test(action.tool) && /^(?:src|source|from)/i.test(key);
    actions.push({
      kind: "file",
      operation: arrives ? "write" : leaves ? "read" : operation,
      path,
      ...(found.content === undefined || operation === "read" ? {} : { content: found.content }),
    });
  }
  return {
    actions: actions.slice(0, limits.actions),
    complete: !found.cut && actions.length <= limits.actions,
  };
}

/** Tools of a terminal's server that run what they are given. */
const runs = /run|exec|send|type|write|input|command|start|spawn|press/i;

/** True for the words of a tool that hands what it is given to a shell. */
function typesCommands(words: readonly string[]): boolean {
  const has = (...names: readonly string[]) => names.some((name) => words.includes(name));
  return has("shell", "bash", "zsh", "sh", "terminal", "tmux", "pty", "iterm", "console", "stdin") ||
    (has("send", "press", "type") && has("keys", "keystrokes")) ||
    (has("interact", "write", "input") && has("process", "session", "repl")) ||
    (has("run", "exec", "execute", "spawn", "start", "send") &&
      has("command", "commands", "cmd", "process", "program"));
}

/** Undefined when the tool only lists. */
function operationOf(tool: string, hasContent: boolean): FileOperation | undefined {
  const words = tool.replaceAll(/([a-z])([A-Z])/g, "$1_$2");
  for (const [pattern, operation] of verbs) {
    if (pattern.test(words)) return operation;
  }
  if (hasContent && !/read|get|view|search|grep|find/i.test(words)) return "write";
  return listing.test(words) && !/read|view|cat|open/i.test(words) ? undefined : "read";
}

const python = "python3 -c ";
const node = "node -e ";

interface Found {
  /** Words of the tool's name, in lower case. */
  readonly words: readonly string[];
  /** Words of the server's. */
  readonly server: readonly string[];
  /** It sends requests. */
  readonly asks: boolean;
  /** The tool works on pages of a browser. */
  readonly inBrowser: boolean;
  /** What it is given is typed into a terminal, or run. */
  readonly types: boolean;
  readonly paths: { readonly key: string; readonly path: string }[];
  readonly commands: string[];
  readonly urls: string[];
  content: string | undefined;
  left: number;
  cut: boolean;
}

function walk(value: unknown, key: string, depth: number, found: Found): void {
  if (depth > limits.depth || found.left-- <= 0) {
    found.cut = true;
    return;
  }
  if (typeof value === "string") {
    const inner = packedKeys.test(key) ? parsed(value) : value;
    if (typeof inner === "object") walk(inner, "", depth + 1, found);
    else take(value, key, found);
  } else if (Array.isArray(value)) {
    // `["git", "status"]` is one command, not many.
    const runs = commandKeys.test(key) || (found.types && typedKeys.test(key));
    if (runs && value.every((item) => typeof item === "string")) {
      const words = value as string[];
      if (words.length > found.left) {
        found.cut = true;
        return;
      }
      found.left -= words.length;
      const many = /^(?:commands|lines|keys)$/i.test(key) ||
        words.some((word) => /\s/.test(word) && !/^(?:ba|z|da)?sh$/.test(words[0] ?? ""));
      if (many && !/^(?:\/\S*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? "")) found.commands.push(...words);
      else found.commands.push(words.map(quoteWord).join(" "));
    } else for (const item of value) walk(item, key, depth + 1, found);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    takeCode(members, found);
    takeRequest(members, found);
    const { args, arguments: list } = members;
    const given = Array.isArray(args) ? args : Array.isArray(list) ? list : undefined;
    const rest = given !== undefined && given.length > limits.values ? undefined : given;
    const text = typeof args === "string" ? args : typeof list === "string" ? list : undefined;
    const joins = rest?.every((item) => typeof item === "string") === true &&
      Object.keys(members).some((name) =>
        typeof members[name] === "string" && (commandKeys.test(name) || programKeys.test(name))
      );
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (joins && member === rest) continue;
      if (
        typeof member === "string" && (commandKeys.test(name) || programKeys.test(name)) &&
        rest?.every((item) => typeof item === "string") === true
      ) {
        // A program's name is one word, a command may be more.
        const start = programKeys.test(name) ? quoteWord(member) : member;
        found.commands.push([start, ...(rest as string[]).map(quoteWord)].join(" "));
      } else if (typeof member === "string" && programKeys.test(name) && text !== undefined) {
        found.commands.push(`${quoteWord(member)} ${text}`);
      } else walk(member, name, depth + 1, found);
    }
  }
}

/** Programs that run a language from their arguments, by names of languages in an input or in a tool's name. */
const runners: readonly (readonly [RegExp, string])[] = [
  [/^(?:ba|z|da|k)?sh$|^shell(?:script)?$|^(?:posix|terminal)$/, ""],
  // Programs in which a server runs Python: their servers name a tool `execute_blender_code`.
  [/^(?:i?python\d?(?:\.\d+)?|py|jupyter|notebook|blender|freecad|houdini|maya|ghidra|ida)$/, python],
  [/^(?:node(?:js)?|javascript|js|typescript|ts|deno|bun)$/, node],
  [/^(?:ruby|rb)$/, "ruby -e "],
  [/^(?:perl|pl)$/, "perl -e "],
  [/^php$/, "php -r "],
];

const codeKeys = ["code", "source", "script", "python_code", "js_code", "code_string"];
/** What is written in JavaScript and not in Python. */
const javascript =
  /\brequire\(|\bimport\s[^\n]{0,200}\bfrom\s+["']|=>|\b(?:const|let)\s|\bDeno\.|\bprocess\./;

/** `{ "code": …, "language": "python" }`, also when only the names of tool and server tell the language. */
function takeCode(members: Readonly<Record<string, unknown>>, found: Found): void {
  const code = codeKeys.map((name) => Object.hasOwn(members, name) ? members[name] : undefined)
    .find((one) => typeof one === "string" && one !== "");
  if (typeof code !== "string") return;
  const named = [members["language"], members["lang"], members["kernel"], members["runtime"]]
    .filter((one): one is string => typeof one === "string");
  // What runs in a page of a browser reaches no files.
  if (named.length === 0 && found.inBrowser) return;
  const words = named.length > 0
    ? named.map((word) => word.toLowerCase())
    : [...found.words, ...found.server];
  let runner: string | undefined;
  for (const word of words) {
    runner ??= runners.find(([language]) => language.test(word))?.[1];
  }
  if (
    runner === undefined && named.length === 0 && typeof members["code"] === "string" &&
    found.words.some((word) => /^(?:run|execute|exec|eval|evaluate|repl|interpreter)$/.test(word))
  ) runner = javascript.test(code) ? node : python;
  if (runner === undefined) return;
  found.commands.push(runner === "" ? code : runner + quoteWord(code));
  // Lines of a notebook that go to a shell.
  if (runner === python && /^\s*!/m.test(code)) {
    for (const line of code.split("\n", 1000)) {
      const shell = /^\s*!+(.+)/.exec(line)?.[1];
      if (shell !== undefined) found.commands.push(shell);
    }
  }
}

/** `{ "method": "DELETE", "url": … }` as the line that sends the same request. */
function takeRequest(members: Readonly<Record<string, unknown>>, found: Found): void {
  const text = (...names: readonly string[]) =>
    names.map((name) => Object.hasOwn(members, name) ? members[name] : undefined)
      .find((one): one is string => typeof one === "string" && one.length < limits.path);
  const method = text("method", "http_method", "httpMethod", "verb");
  const url = text("url", "uri", "endpoint");
  if (method === undefined || !/^(?:post|put|patch|delete)$/i.test(method)) return;
  if (url === undefined || !schemes.test(url)) return;
  const body = text("body", "data", "payload");
  const sent = body === undefined || body === "" ? "" : ` --data-raw ${quoteWord(body)}`;
  found.commands.push(`curl -X ${method.toUpperCase()}${sent} ${quoteWord(url)}`);
}

function take(value: string, key: string, found: Found): void {
  if (found.inBrowser && /^script$/i.test(key)) return;
  if (found.types && typedKeys.test(key) && value.trim() !== "") found.commands.push(value);
  if (schemes.test(value) && (urlKeys.test(key) || pathKeys.test(key))) found.urls.push(value);
  else if (
    found.asks && bareAddress.test(value) &&
    (hostKeys.test(key) || (urlKeys.test(key) && !pathKeys.test(key)))
  ) found.urls.push(`http://${value}`);
  else if (commandKeys.test(key)) found.commands.push(value);
  else if (contentKeys.test(key)) {
    found.content = found.content === undefined ? value : `${found.content}\n${value}`;
  } else if (/^file:\//i.test(value)) found.paths.push({ key, path: value });
  else if (
    pathKeys.test(key) && !/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value) && value !== "" &&
    !value.includes("\n")
  ) {
    found.paths.push({ key, path: value });
  }
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
