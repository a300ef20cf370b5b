/** What the configuration files of a host say about an MCP server: how it is started, or where it is. */

import type { ParseError } from "jsonc-parser";
import { openText } from "../facts/open.ts";
import { resolveLocation, type Surroundings } from "../install/location.ts";
import type { ServerSource } from "../types.ts";

/** Largest configuration that is looked at, in bytes; `~/.claude.json` keeps what was asked for as well. */
const SIZE_LIMIT = 8 * 1024 * 1024;
/** Largest text in TOML, and in JSON with comments, in characters: what reads them can take time by the square of it. */
const SLOW_LIMITS = { toml: 512 * 1024, jsonc: 1024 * 1024 } as const;
/** Most definitions of one server. */
const LIMIT = 20;

/** What decides which program answers, part by part, as text. */
export type Parts = Readonly<Partial<Record<Part, string>>>;
export type Part = "command" | "url" | "directory" | "environment" | "headers";

/** What the files say. */
export interface Defined {
  /** Different definitions of the server, in all files; of which one counts is for the host to know. */
  readonly definitions: readonly Parts[];
  /** Its name there; absent when it is defined nowhere. */
  readonly name?: string;
  /** A file that exists and cannot be looked at, with the reason. */
  readonly unreadable?: string;
}

/** Variables whose value decides what a program loads, runs or talks to. */
const deciding =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|XDG_.+|LD_.+|DYLD_.+|NODE_.+|NPM_CONFIG_.+|YARN_.+|BUN_.+|DENO_.+|UV_.+|PIP_.+|CARGO_.+|RUSTC.*|GOFLAGS|PYTHON.+|PERL5.+|RUBY(?:OPT|LIB)|GEM_.+|BUNDLE_.+|LUA_.+|CLASSPATH|_?JAVA_.*OPTIONS|JDK_JAVA_OPTIONS|DOTNET_.+|DOCKER_.+|BASH_ENV|ENV|SHELL|COMSPEC|GIT_.+|.*(?:URL|URI|HOST|ENDPOINT|PROXY|REGISTRY|COMMAND|CMD))$/i;
/** Variables that change with every sign-in, whatever else they are. */
const secretNames = /TOKEN|AUTH|PASSW|SECRET|CREDENTIAL|(?:^|_)KEY$/i;

/** Reads the definitions of a server from the files where the host keeps them. Never throws. */
export async function definitionsOf(
  server: string,
  tool: string,
  sources: readonly ServerSource[],
  places: readonly Surroundings[],
): Promise<Defined> {
  const found = new Map<string, Parts>();
  let unreadable: string | undefined;
  let defined: string | undefined;
  for (const { path, source, project } of filesOf(sources, places)) {
    const read = await readServers(path, source, project);
    if (read === undefined) continue;
    if (typeof read === "string") {
      unreadable ??= `${path} cannot be looked at: ${read}`;
      continue;
    }
    const name = nameIn(Object.keys(read), server, tool);
    const value = name === undefined ? undefined : read[name];
    if (typeof value !== "object" || value === null) continue;
    defined ??= name;
    const parts = partsOf(value as Readonly<Record<string, unknown>>);
    if (Object.keys(parts).length > 0 && found.size < LIMIT) found.set(JSON.stringify(parts), parts);
  }
  return {
    definitions: [...found.values()],
    ...(defined === undefined ? {} : { name: defined }),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** Names of the servers that the host's files define. Never throws. */
export async function definedServers(
  sources: readonly ServerSource[],
  places: readonly Surroundings[],
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const { path, source, project } of filesOf(sources, places)) {
    const read = await readServers(path, source, project);
    if (typeof read === "object") { for (const name of Object.keys(read).slice(0, 500)) names.add(name); }
  }
  return [...names].sort();
}

function filesOf(
  sources: readonly ServerSource[],
  places: readonly Surroundings[],
): { readonly path: string; readonly source: ServerSource; readonly project: string }[] {
  const files = new Map<string, { path: string; source: ServerSource; project: string }>();
  for (const source of sources) {
    for (const around of places) {
      try {
        const path = resolveLocation(source.location, around);
        const key = JSON.stringify([path, keysOf(source, around.project)]);
        files.set(key, { path, source, project: around.project });
      } catch {
        // A variable with a relative path leads the host to where guard cannot tell.
      }
    }
  }
  return [...files.values()];
}

function keysOf({ at }: ServerSource, project: string): readonly string[] {
  return at.map((key) => key === "{project}" ? project : key);
}

/** The servers in a file, why it cannot be looked at, or undefined when there are none. */
async function readServers(
  path: string,
  source: ServerSource,
  project: string,
): Promise<Readonly<Record<string, unknown>> | string | undefined> {
  let value: unknown;
  // A host that is writing the file has soon written it.
  for (let attempt = 1;; attempt++) {
    const opened = openText(path, SIZE_LIMIT);
    if (opened.state === "missing") return undefined;
    if (opened.state === "unreadable") return opened.reason;
    try {
      value = await parse(opened.text.replace(/^\uFEFF/, ""), source.format);
      break;
    } catch (error) {
      if (error instanceof TooLarge) return error.message;
      if (attempt > 1) return `it is no valid ${source.format.toUpperCase()}`;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  }
  for (const key of keysOf(source, project)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Readonly<Record<string, unknown>>
    : undefined;
}

/** A text that cannot be read in time. */
class TooLarge extends Error {}

function checkSize(text: string, format: keyof typeof SLOW_LIMITS): void {
  const limit = SLOW_LIMITS[format];
  if (text.length <= limit) return;
  throw new TooLarge(
    `expected at most ${limit} characters of ${format.toUpperCase()}, found ${text.length}`,
  );
}

async function parse(text: string, format: ServerSource["format"]): Promise<unknown> {
  if (format === "toml") {
    checkSize(text, format);
    return (await import("smol-toml")).parse(text);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") return undefined;
    if (format === "json") throw error;
    checkSize(text, format);
    const { parse: parseJsonc } = await import("jsonc-parser");
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw error;
    return value;
  }
}

/** Without regard to case and separators, which hosts replace in the names of tools. */
export function foldServer(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
}

/** The name under which a server is defined whose tool is called; some hosts do not tell where the server's name ends. */
function nameIn(names: readonly string[], server: string, tool: string): string | undefined {
  if (server === "") return undefined;
  const wanted = foldServer(server);
  const exact = names.find((name) => name === server) ?? names.find((name) => foldServer(name) === wanted);
  if (exact !== undefined) return exact;
  const whole = `${wanted}_${foldServer(tool)}`;
  return names.filter((name) => foldServer(name) !== "_" && whole.startsWith(`${foldServer(name)}_`))
    .sort((a, b) => b.length - a.length)[0];
}

function partsOf(definition: Readonly<Record<string, unknown>>): Parts {
  const get = (...names: readonly string[]) =>
    names.map((name) => Object.hasOwn(definition, name) ? definition[name] : undefined)
      .find((value) => value !== undefined && value !== null && value !== "");
  const words = [get("command", "cmd"), get("args", "arguments")].flatMap((value) =>
    Array.isArray(value) ? value.map(textOf) : value === undefined ? [] : [textOf(value)]
  );
  const url = get("url", "serverUrl", "httpUrl", "uri", "endpoint", "baseUrl");
  const directory = get("cwd", "workingDirectory", "directory");
  const environment = [get("env", "environment"), get("envFile")].flatMap(described);
  const headers = [get("headers", "http_headers", "requestInit"), get("env_http_headers")].flatMap(described);
  return {
    ...(words.length === 0
      ? {}
      : { command: words.map((word) => /[\s"\\]|^$/.test(word) ? JSON.stringify(word) : word).join(" ") }),
    ...(url === undefined ? {} : { url: textOf(url) }),
    ...(directory === undefined ? {} : { directory: textOf(directory) }),
    ...(environment.length === 0 ? {} : { environment: environment.join(" ") }),
    ...(headers.length === 0 ? {} : { headers: headers.join(" ") }),
  };
}

/** A value as text; what it is made of counts. */
function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Names of variables or headers, since their values are secrets that change, and the values that decide on code. */
function described(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").sort();
  return Object.keys(value).sort().map((name) => {
    const one = (value as Readonly<Record<string, unknown>>)[name];
    return deciding.test(name) && !secretNames.test(name) && typeof one === "string"
      ? `${name}=${one}`
      : name;
  });
}
