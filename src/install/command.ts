/** Builds the command line that a host runs as its hook, and reads it back. */

import { GuardError } from "../errors.ts";
import type { System } from "../locations.ts";
import type { HookShell, HostAdapter, Wrapper } from "../types.ts";
import { firstCommand } from "./words.ts";

/** How guard is started, before its own arguments. */
export interface Launch {
  /** Absolute path of the executable. */
  readonly program: string;
  /** What precedes `hook`: empty for the compiled executable, `run … main.ts` for a checkout. */
  readonly lead: readonly string[];
}

/** A command line that a host runs as a hook. */
export interface HookCommand extends Launch {
  readonly host: string;
  /** The host's own name of the event. */
  readonly event: string;
  /** Absolute path of the user's policy. */
  readonly policy: string;
  /** Absolute path of the state directory. */
  readonly state: string;
}

/** The shell through which this host starts a hook on a system. */
export function shellOf(adapter: Pick<HostAdapter, "hookShell">, system: System): HookShell {
  return system === "windows" ? adapter.hookShell.windows : adapter.hookShell.posix;
}

export interface CommandOptions {
  readonly shell: HookShell;
  readonly system: System;
  /** Closes the command with a block when guard did not end well; only in shells that can. */
  readonly wrapper: Wrapper;
  /** The configuration file, named to the person when guard is gone. */
  readonly file: string;
}

/**
 * The quoted command line. Throws GuardError when a path cannot be written for this shell (a quote or percent
 * sign for `cmd`, a line break for any).
 */
export function commandLine(command: HookCommand, options: CommandOptions): string {
  const { shell, system } = options;
  const slashes = system === "windows" && (shell === "sh" || shell === "none");
  // Guard's own words are plain, which keeps them readable where everything else is quoted.
  const word = (text: string) =>
    /^(?:hook|--[a-z]+)$/.test(text)
      ? text
      : quote(slashes ? text.replaceAll("\\", "/") : text, shell, system);
  const [program, ...parts] = commandWords(command).map(word);
  const call = shell === "powershell" ? `& ${program}` : program;
  const line = [call, ...parts].join(" ");
  const closing = closingOf(options);
  return closing === undefined ? line : line + closing;
}

/** The program and its arguments, unquoted. */
export function commandWords(command: HookCommand): readonly [string, ...string[]] {
  const { program, lead, host, event, policy, state } = command;
  const options = ["--host", host, "--event", event, "--policy", policy, "--state", state];
  return [program, ...lead, "hook", ...options];
}

/** Whether a command line for this shell blocks by itself when guard does not end well. */
export function isClosed({ shell, wrapper }: Pick<CommandOptions, "shell" | "wrapper">): boolean {
  return wrapper !== false && (shell === "sh" || shell === "powershell");
}

/**
 * What is said when guard crashed, was killed or is gone. Guard's own block by exit code gets here too, with its
 * reason on stderr, so the text holds for both.
 */
export function closingReason(file: string): string {
  return "guard blocked this call or did not run. To the person at the keyboard, when no other reason is given: " +
    `install guard again and run "guard doctor", or take the entries of guard out of ${file}.`;
}

/** What follows the call; undefined where nothing can. */
function closingOf(options: CommandOptions): string | undefined {
  const { shell, wrapper, file, system } = options;
  if (!isClosed(options)) return undefined;
  const answer = typeof wrapper === "object" ? wrapper.line(closingReason(file)) : undefined;
  if (shell === "sh") {
    const said = (text: string) => quote(text, "sh", "linux", true);
    // An answer may follow the beginning of another one that has no line end.
    return answer === undefined
      ? ` || { echo ${said(closingReason(file))} >&2; exit 2; }`
      : ` || printf '\\n%s\\n' ${said(answer)}`;
  }
  const said = (text: string) => quote(text, "powershell", system);
  // The exit code of a program becomes 1 at the end of `powershell -Command`, and stays unset without one.
  return answer === undefined
    ? `; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine(${said(closingReason(file))}); exit 2 }`
    : `; if ($LASTEXITCODE -ne 0) { [Console]::Out.WriteLine(); [Console]::Out.WriteLine(${said(answer)}) }`;
}

function quote(text: string, shell: HookShell, system: System, always = false): string {
  if (/[\0\r\n]/.test(text)) {
    throw new GuardError(
      `The path ${JSON.stringify(text)} holds a line break, which no hook command can carry.`,
      "Move guard, its policy or its state to a path without one.",
    );
  }
  switch (shell) {
    case "powershell":
      // PowerShell takes typographic quotes for quotes.
      return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
    case "cmd":
      return quoteForCmd(text, always);
    case "sh":
    case "none":
      if (!always && /^[A-Za-z0-9_/.:=@+,-]+$/.test(text)) return text;
      // Double quotes also hold where the command ends up in cmd.
      if (system === "windows") return `"${text.replace(/[$`"]/g, "\\$&")}"`;
      return `'${text.replaceAll("'", `'\\''`)}'`;
  }
}

function quoteForCmd(text: string, always: boolean): string {
  if (!always && /^[A-Za-z0-9_\\/.:=@+-]+$/.test(text)) return text;
  if (/["%]/.test(text)) {
    throw new GuardError(
      `The path ${JSON.stringify(text)} holds a character that cmd.exe replaces even in quotes.`,
      "Move guard, its policy or its state to a path without quotes and percent signs.",
    );
  }
  return `"${text}"`;
}

/** An own command line that was read back. Options that it does not have are undefined. */
export interface ParsedCommand extends Launch {
  readonly host: string | undefined;
  readonly event: string | undefined;
  readonly policy: string | undefined;
  readonly state: string | undefined;
}

/**
 * Reads a hook command, in one string or with its arguments apart. Undefined when it does not start guard: the
 * executable must be called `guard` (or `guard-…`), or be deno that runs a `main.ts`, and the first argument `hook`.
 */
export function parseCommand(command: string, args?: readonly string[]): ParsedCommand | undefined {
  const first = args === undefined ? firstCommand(command) : { words: [command, ...args], rest: "" };
  // A line that goes on with somebody else's command is not guard's to cut.
  if (first === undefined || !/^\s*(?:\|\||; if \(\$LASTEXITCODE -ne 0\) \{|$)/.test(first.rest)) {
    return undefined;
  }
  const [program, ...rest] = first.words;
  if (program === undefined) return undefined;
  const at = rest.indexOf("hook");
  if (at < 0) return undefined;
  const lead = rest.slice(0, at);
  const options = new Map<string, string>();
  for (let index = at + 1; index < rest.length; index++) {
    const [name, value] = splitOption(rest[index]!);
    if (!name.startsWith("--")) continue;
    options.set(name, value ?? rest[++index] ?? "");
  }
  if (!startsGuard(program, lead, options)) return undefined;
  return {
    program,
    lead,
    host: options.get("--host"),
    event: options.get("--event"),
    policy: options.get("--policy"),
    state: options.get("--state"),
  };
}

function splitOption(word: string): [string, string | undefined] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function startsGuard(
  program: string,
  lead: readonly string[],
  options: ReadonlyMap<string, string>,
): boolean {
  const name = baseName(program);
  const named = options.has("--host");
  if (lead.length > 0) {
    return named && name === "deno" && lead[0] === "run" && baseName(lead.at(-1)!) === "main.ts";
  }
  // A release is called after its platform (`guard-linux-x64`) until somebody renames it.
  return name === "guard" || (named && options.has("--event") && /^guard[-_.]/.test(name));
}

/** Whether a command that is started so is known again as guard's own. */
export function isRecognised(launch: Launch): boolean {
  return startsGuard(launch.program, launch.lead, new Map([["--host", ""], ["--event", ""]]));
}

/** The last part of a path of either system, in lower case and without `.exe`. */
export function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.exe$/, "");
}
