/**
 * Starts a registered hook command as the host would: with a call that must be blocked, with one that must
 * pass, with the executable missing, and with guard killed.
 */

import { findEvent } from "../../adapters/events.ts";
import { GuardError } from "../errors.ts";
import { closingReason, commandLine, isClosed, type ParsedCommand } from "../install/command.ts";
import { valueOf } from "../install/document.ts";
import type { OwnEntry } from "../install/entry.ts";
import type { System } from "../locations.ts";
import type { HookShell, HostAdapter, HostEvent, ReplyFrame } from "../types.ts";
import { visible } from "../visible.ts";
import { type Check, limit, note, ok, problem } from "./check.ts";
import { readReply } from "./reading.ts";
import { doctorSession } from "./session.ts";
import { type Run, start } from "./start.ts";

export interface CanaryOptions {
  readonly shell: HookShell;
  readonly system: System;
  /** The configuration that holds the entries. */
  readonly file: string;
  /** An empty directory in which the commands run. */
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The policy only observes: nothing is blocked by a rule. */
  readonly observing: boolean;
  /** Milliseconds for one run. */
  readonly limit: number;
}

export interface Registered {
  readonly event: HostEvent;
  readonly command: ParsedCommand;
  readonly line: string;
  /** The host blocks when this hook fails in any way. */
  readonly failClosed: boolean;
}

/** The commands of an installation that are in exactly the form that guard writes: only these are started. */
export function registeredCommands(
  adapter: HostAdapter,
  entries: readonly OwnEntry[],
  options: Pick<CanaryOptions, "shell" | "system" | "file">,
): { readonly startable: readonly Registered[]; readonly foreign: readonly string[] } {
  const startable: Registered[] = [];
  const foreign: string[] = [];
  for (const own of entries) {
    const name = own.command.event;
    const event = name === undefined ? undefined : findEvent(adapter.events, name);
    const line = event === undefined ? undefined : rewritten(adapter, own.command, options);
    if (event === undefined || own.line === undefined || own.line !== line) {
      foreign.push(name ?? "an unknown event");
      continue;
    }
    const handler = valueOf(own.handler) as Record<string, unknown>;
    startable.push({ event, command: own.command, line, failClosed: handler["failClosed"] === true });
  }
  return { startable, foreign };
}

function rewritten(
  adapter: HostAdapter,
  command: ParsedCommand,
  options: Pick<CanaryOptions, "shell" | "system" | "file">,
): string | undefined {
  const { host, event, policy, state } = command;
  if (host === undefined || event === undefined || policy === undefined || state === undefined) {
    return undefined;
  }
  try {
    return commandLine({ program: command.program, lead: command.lead, host, event, policy, state }, {
      shell: options.shell,
      system: options.system,
      wrapper: adapter.wrapper,
      file: options.file,
    });
  } catch (error) {
    // A path that guard would never write.
    if (error instanceof GuardError) return undefined;
    throw error;
  }
}

/** The runs for one host, as tasks that can go on side by side. */
export function canaryTasks(
  adapter: HostAdapter,
  registered: readonly Registered[],
  options: CanaryOptions,
): (() => Promise<Check>)[] {
  const tasks: (() => Promise<Check>)[] = [];
  const failing = new Set<boolean>();
  for (const entry of registered) {
    if (!entry.event.gates) continue;
    for (const harmful of [true, false]) {
      const payload = payloadOf(adapter, entry, harmful, options);
      if (payload === undefined) continue;
      tasks.push(() => canary(adapter, entry, payload, harmful, options));
      // On some hosts delegating to a subagent was once enough to be rid of the hooks.
      if (!harmful || adapter.subagent === undefined || entry.event.id !== "pre_tool") continue;
      const delegated = { ...payload, ...adapter.subagent };
      tasks.push(() => canary(adapter, entry, delegated, harmful, options, " of a subagent"));
    }
    // What happens when guard itself is gone depends on the form of the entry, not on the event.
    if (failing.has(entry.failClosed)) continue;
    const payload = payloadOf(adapter, entry, true, options) ?? payloadOf(adapter, entry, false, options);
    if (payload === undefined) continue;
    failing.add(entry.failClosed);
    const gone = { ...entry.command, program: `${entry.command.program}-that-is-missing` };
    tasks.push(() => broken("missing", "the executable is missing", adapter, entry, gone, payload, options));
    if (options.system === "windows") continue;
    const killed = { ...entry.command, program: "/bin/sh", lead: ["-c", "kill -9 $$"] };
    tasks.push(() => broken("killed", "guard is killed", adapter, entry, killed, payload, options));
  }
  return tasks;
}

type Payload = Readonly<Record<string, unknown>>;

function payloadOf(
  adapter: HostAdapter,
  entry: Registered,
  harmful: boolean,
  options: CanaryOptions,
): Payload | undefined {
  const { cwd, home } = options;
  return adapter.probe?.(entry.event.native, { harmful, session: doctorSession, cwd, home });
}

async function canary(
  adapter: HostAdapter,
  entry: Registered,
  payload: Payload,
  harmful: boolean,
  options: CanaryOptions,
  whose = "",
): Promise<Check> {
  const name = harmful ? "canary" : "harmless";
  const event = entry.event.native;
  const run = await started(entry.line, payload, adapter, options);
  if (typeof run === "string") {
    return problem(name, `${event}: the hook command could not be started: ${run}`);
  }
  const reading = readReply(adapter, frameOf(adapter, entry, payload), run);
  const time = `${Math.round(run.milliseconds)} ms`;
  if (reading.is === "unclear") {
    return problem(
      name,
      `${event}: the registered command does not answer as it should: ${reading.why}.`,
      repair(adapter),
    );
  }
  if (harmful) {
    if (reading.is === "blocked") return ok(name, `${event}: a harmful call${whose} is blocked (${time}).`);
    return options.observing
      ? note(
        name,
        `${event}: a harmful call${whose} is logged but not blocked: the policy's mode is observe.`,
        "guard policy",
      )
      : problem(name, `${event}: a harmful call${whose} is not blocked.`, "guard policy");
  }
  return reading.is === "passed"
    ? ok(name, `${event}: a harmless call passes (${time}).`)
    : problem(name, `${event}: a harmless call is blocked: ${visible(reading.reason, 300)}`);
}

function frameOf(adapter: HostAdapter, entry: Registered, payload: Payload): ReplyFrame {
  const frame = { event: entry.event.id, nativeEvent: entry.event.native };
  try {
    return { ...frame, call: adapter.parse({ payload, event: entry.event.native }) };
  } catch {
    return frame;
  }
}

/** Runs the command with another program in guard's place, which the host must take for a block. */
async function broken(
  name: string,
  what: string,
  adapter: HostAdapter,
  entry: Registered,
  command: ParsedCommand,
  payload: Payload,
  options: CanaryOptions,
): Promise<Check> {
  const event = entry.event.native;
  const line = rewritten(adapter, command, options) ?? "";
  const run = await started(line, payload, adapter, options);
  if (typeof run === "string") {
    return problem(name, `${event}: the hook command could not be started: ${run}`);
  }
  if (isStopped(run, adapter, options) || (entry.failClosed && run.exitCode !== 0)) {
    return ok(name, `${event}: blocked when ${what}.`);
  }
  const expected = entry.failClosed || isClosed({ shell: options.shell, wrapper: adapter.wrapper });
  return expected
    ? problem(name, `${event}: not blocked when ${what}.`, repair(adapter))
    : limit(name, `${event}: ${adapter.title} goes on when ${what}.`);
}

/** Whether the shell around the command has blocked the call. */
function isStopped(run: Run, { wrapper }: HostAdapter, { file }: CanaryOptions): boolean {
  if (typeof wrapper === "object") return run.stdout.trimEnd().endsWith(wrapper.line(closingReason(file)));
  return wrapper && run.exitCode === 2 && run.stderr.trim() !== "";
}

async function started(
  line: string,
  payload: Payload,
  adapter: HostAdapter,
  options: CanaryOptions,
): Promise<Run | string> {
  try {
    const text = adapter.payload === "text" ? String(payload["text"]) : JSON.stringify(payload);
    return await start(line, text, options);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function repair(adapter: HostAdapter): string {
  return `guard install --host ${adapter.id}`;
}
