/** What differs between the real clients: data, one file per client in tests/clients/hosts. */
import type { ToolCall } from "./model/model.ts";

/** The temporary world of one session. Absolute paths. */
export interface Place {
  readonly home: string;
  /** The client's working directory: a git repository. */
  readonly work: string;
  /** The executable that `guard install` registers. */
  readonly guard: string;
  /** Command of the MCP server `probe` with the tool `run`, program first. */
  readonly toolServer: readonly string[];
}

/** A way for the registered guard to fail at a tool call. */
export type Failure = "killed" | "missing" | "failing" | "garbage" | "hanging";

/** Something that the host lets through, and why no hook can change it. Asserted like anything else. */
export interface Limit {
  readonly limit: string;
}

/** Where a client comes from; pinned, so that a run can be repeated. */
export interface Recipe {
  /** npm package. */
  readonly package: string;
  readonly version: string;
  /** Relative to the folder in which the package is installed. */
  readonly executable: string;
  /** More arguments of `npm install`. */
  readonly options?: readonly string[];
  /** Why the client cannot be had from npm; it is then a counted skip everywhere. */
  readonly impossible?: string;
}

/** A real client and how it is driven offline. */
export interface Client {
  /** The host id of guard. */
  readonly id: string;
  readonly install: Recipe;
  readonly arguments: (place: Place, prompt: string) => readonly string[];
  readonly environment: (port: number, place: Place) => Readonly<Record<string, string>>;
  /** Files in the home that the client needs to talk to the model, by relative path. */
  readonly files: (place: Place, port: number) => Readonly<Record<string, string>>;
  /** The file with the installed entries and the key of their timeout, to shorten it to about two seconds. */
  readonly timeout?: { readonly file: string; readonly key: string; readonly short: number };
  /** Longest that one session may take, in milliseconds; two minutes when absent. */
  readonly longest?: number;
  readonly shell: (command: string) => ToolCall;
  /** Other ways to run a command. */
  readonly others?: readonly { readonly name: string; readonly call: (command: string) => ToolCall }[];
  readonly write: (path: string, content: string) => ToolCall;
  readonly edit: (path: string, before: string, after: string) => ToolCall;
  /** Absent where the client has no tool for reading a file. */
  readonly read?: (path: string) => ToolCall;
  /** The tool `run` of the MCP server `probe`. Absent where the client has no MCP servers. */
  readonly tool?: (input: Readonly<Record<string, unknown>>) => ToolCall;
  /** Starts a subagent with this prompt. Absent where the client has none. */
  readonly subagent?: (prompt: string) => ToolCall;
  /** Why the model is told nothing of a denial, where the client ends its whole run instead. */
  readonly aborts?: string;
  /** guard can replace what a tool returned before the model sees it. */
  readonly results?: true;
  /** A file of instructions, where the client tells the model what a hook says about it when a session begins. */
  readonly instructions?: string;
  /** "blocked" where guard can stop a prompt before the model sees it. */
  readonly prompt: "blocked" | Limit;
  /** Why the model is not told that guard did not run, where the client drops what the hook's command says then. */
  readonly silent?: string;
  /** What the host does when guard fails: "blocked", or why the call goes through. */
  readonly failures: Readonly<Record<Failure, "blocked" | Limit>>;
}

/** Text of a JSON file. */
export function settings(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
