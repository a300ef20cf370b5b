/** Examines one host: its configurations, its switches, and what its registered commands do. */

import { install } from "../install/apply.ts";
import { shellOf } from "../install/command.ts";
import { parseDocument } from "../install/document.ts";
import { weakened } from "../install/integrity.ts";
import { detectHost } from "../install/detect.ts";
import { ownEntries, type OwnEntry } from "../install/entry.ts";
import { jobsFor, unenforcedIn } from "../install/hosts.ts";
import { commandOf, configurationPath, type Job } from "../install/job.ts";
import type { Machine } from "../install/machine.ts";
import { decode, readConfiguration } from "../install/write.ts";
import { GuardError } from "../errors.ts";
import { ownerOf, wholeText } from "../install/whole.ts";
import type { HostAdapter, InstallTarget, MergeTarget, WholeTarget } from "../types.ts";
import { type CanaryOptions, canaryTasks, type Registered, registeredCommands } from "./canary.ts";
import { type Check, limit, note, ok, problem } from "./check.ts";
import { pooled } from "./pool.ts";
import { checkSwitches } from "./switches.ts";
import { checkCodexTrust, codexConfig } from "./trust.ts";

/** What was found out about one host. */
export interface HostReport {
  readonly host: string;
  readonly title: string;
  /** Paths that show that the host is on this machine. */
  readonly found: readonly string[];
  readonly state: "enforced" | "problem" | "not installed" | "unenforceable" | "absent";
  readonly configurations: readonly Configuration[];
  readonly checks: readonly Check[];
  /** What this host cannot enforce, whatever is installed. */
  readonly limits: readonly string[];
}

export interface Configuration {
  readonly scope: InstallTarget["scope"];
  readonly file: string;
  readonly entries: "none" | "complete" | "incomplete" | "unreadable";
  /** Native names of the events that are registered. */
  readonly events: readonly string[];
}

export interface HostOptions {
  /** An empty directory in which hook commands run. */
  readonly scratch: string;
  readonly observing: boolean;
  /** Runs side by side. */
  readonly width: number;
}

/** Milliseconds for one run of a hook command; the installed timeouts of hosts are longer. */
const runLimit = 10_000;

/** Examines one host; without options nothing is started, and its configurations and switches alone are looked at. */
export async function examineHost(
  adapter: HostAdapter,
  machine: Machine,
  options?: HostOptions,
): Promise<HostReport> {
  const checks: Check[] = [];
  const configurations: Configuration[] = [];
  const tasks: (() => Promise<Check>)[] = [];
  let found: readonly string[] = [];
  try {
    found = (await detectHost(adapter, machine.around)).found;
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    checks.push(problem("configuration", error.message, error.next));
  }
  for (const job of jobsFor(adapter, ["user", "project"], machine)) {
    const examined = await examineTarget(job, machine, options);
    if (examined === undefined) continue;
    configurations.push(examined.configuration);
    checks.push(...examined.checks);
    tasks.push(...examined.tasks);
  }
  for (const { path, message, scope, inTheWay } of await weakened(machine.places.state, adapter)) {
    const repair = `guard install --host ${adapter.id}${scope === "project" ? " --scope project" : ""}`;
    // Told with its entry already, in the words of what was found.
    if (
      checks.some(({ name, status, next }) =>
        name === "entry" && status === "problem" && next === moveAway(path, repair)
      )
    ) {
      continue;
    }
    const next = inTheWay ? moveAway(path, repair) : `${repair}, or guard uninstall to give it up`;
    checks.push(problem("integrity", message, next));
  }
  const installed = configurations.filter((one) => one.events.length > 0);
  const [first, second] = (["user", "project"] as const).map((scope) =>
    installed.find((one) => one.scope === scope)
  );
  if (first !== undefined && second !== undefined) {
    checks.push(note(
      "duplicate",
      `Installed in ${first.file} and in ${second.file}: every call is judged twice.`,
      `guard uninstall --host ${adapter.id} --scope project`,
    ));
  }
  const scopes = adapter.install.length === 0 ? ["user" as const] : installed.map(({ scope }) => scope);
  for (const why of new Set(scopes.flatMap((scope) => unenforcedIn(adapter, scope, machine)))) {
    if (found.length > 0 || installed.length > 0) checks.push(note("unenforced", why));
  }
  if (installed.length > 0) {
    checks.push(...await checkSwitches(adapter, machine.around));
    if (options !== undefined) checks.push(...await pooled(tasks, options.width));
  }
  return {
    host: adapter.id,
    title: adapter.title,
    found,
    state: checks.some((check) => check.status === "problem")
      ? "problem"
      : installed.length > 0
      ? "enforced"
      : found.length > 0
      ? adapter.install.length === 0 ? "unenforceable" : "not installed"
      : "absent",
    configurations,
    checks,
    limits: adapter.capabilities.limits,
  };
}

/** A file that guard does not overwrite has to go before it installs again. */
function moveAway(file: string, repair: string): string {
  return `Move ${file} away, then run: ${repair}`;
}

interface Examined {
  readonly configuration: Configuration;
  readonly checks: Check[];
  readonly tasks: (() => Promise<Check>)[];
}

/** Undefined when a relocating variable leads nowhere, which detection has reported. */
async function examineTarget(
  job: Job,
  machine: Machine,
  options: HostOptions | undefined,
): Promise<Examined | undefined> {
  let file: string;
  try {
    file = configurationPath(job);
  } catch (error) {
    if (error instanceof GuardError) return undefined;
    throw error;
  }
  const { adapter, target } = job;
  const canaryOptions: CanaryOptions = {
    shell: shellOf(adapter, machine.around.system),
    system: machine.around.system,
    file,
    cwd: options?.scratch ?? "",
    home: machine.around.home,
    env: definedOnly(machine.around.env),
    observing: options?.observing ?? false,
    limit: runLimit,
  };
  try {
    return target.format === "whole"
      ? await examineWhole({ ...job, target }, file, canaryOptions)
      : await examineEntries({ ...job, target }, file, canaryOptions);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return {
      configuration: { scope: target.scope, file, entries: "unreadable", events: [] },
      checks: [
        problem("configuration", `${file}: ${error.message}`, `Repair ${file}, then run guard doctor again.`),
      ],
      tasks: [],
    };
  }
}

/** A file that guard owns. Its commands are started only when it is what this guard writes. */
async function examineWhole(
  job: Job<WholeTarget>,
  file: string,
  options: CanaryOptions,
): Promise<Examined> {
  const { adapter, target, launch, policy, state } = job;
  const configuration: Configuration = { scope: target.scope, file, entries: "none", events: [] };
  const { bytes } = await readConfiguration(file);
  const text = bytes === undefined ? "" : decode(bytes);
  const owner = ownerOf(text);
  if (owner === "other") return { configuration, checks: [], tasks: [] };
  const repair = installCommand(job);
  if (owner === "changed") {
    return {
      configuration: { ...configuration, entries: "incomplete" },
      checks: [
        problem(
          "entry",
          `${file} was made by guard, and somebody has changed it since; it was not tried.`,
          moveAway(file, repair),
        ),
      ],
      tasks: [],
    };
  }
  const whole: Configuration = { ...configuration, entries: "complete", events: target.events };
  const plan = await install(job, { dryRun: true });
  if (text !== wholeText(job, file)) {
    const detail = `${file} differs from what this guard would write, and was not tried.`;
    return { configuration: whole, checks: [problem("entry", detail, repair)], tasks: [] };
  }
  const registered = target.events.flatMap((native): Registered[] => {
    const event = adapter.events.find((candidate) => candidate.native === native);
    const command = { ...launch, host: adapter.id, event: native, policy, state };
    return event === undefined
      ? []
      : [{ event, command, line: commandOf(job, native, file), failClosed: target.failClosed === true }];
  });
  return {
    configuration: whole,
    checks: [
      plan.status === "unchanged"
        ? ok("entry", `${file} is what this guard writes.`)
        : note("entry", `${file} may not be executed.`, repair),
      ...withoutProbe(adapter),
    ],
    tasks: canaryTasks(adapter, registered, options),
  };
}

async function examineEntries(
  job: Job<MergeTarget>,
  file: string,
  options: CanaryOptions,
): Promise<Examined> {
  const { adapter, target } = job;
  if (target.entries.length === 0) return await examineSettings(job, file);
  const entries = await entriesIn(file, target);
  const events = [...new Set(entries.map((own) => own.command.event ?? "?"))];
  const wanted = target.entries.map((entry) => entry.event);
  const complete = wanted.every((event) => events.includes(event));
  const configuration: Configuration = {
    scope: target.scope,
    file,
    entries: entries.length === 0 ? "none" : complete ? "complete" : "incomplete",
    events,
  };
  if (entries.length === 0) return { configuration, checks: [], tasks: [] };
  const { startable, foreign } = registeredCommands(adapter, entries, options);
  const checks = await entryChecks(job, file, entries, foreign);
  // What an agent wrote into a project is not run from here: only what this guard itself would write is.
  const trusted = startable.filter(({ line, event }) =>
    target.scope === "user" || line === commandOf(job, event.native, file)
  );
  if (trusted.length < startable.length) {
    // Nobody knows what it does: another guard, or something that only looks like one.
    checks.push(problem(
      "entry",
      `${file} starts something else than this guard, which was not tried.`,
      `guard install --host ${adapter.id} --scope project`,
    ));
  }
  if (adapter.id === "codex") checks.push(await checkCodexTrust(file, codexConfigOf(job), entries));
  checks.push(...withoutProbe(adapter));
  return { configuration, checks, tasks: canaryTasks(adapter, trusted, options) };
}

/** Members without which the host does not load guard's plugin; that they are missing is told where it is installed. */
async function examineSettings(job: Job<MergeTarget>, file: string): Promise<Examined> {
  const plan = await install(job, { dryRun: true });
  const holds = plan.status === "unchanged";
  return {
    configuration: { scope: job.target.scope, file, entries: holds ? "complete" : "none", events: [] },
    checks: holds ? [ok("entry", `${file} lets the host load guard's plugin.`)] : [],
    tasks: [],
  };
}

function withoutProbe(adapter: HostAdapter): Check[] {
  return adapter.probe === undefined
    ? [limit("canary", "This host has no made-up calls, so its commands were not started.")]
    : [];
}

function installCommand({ adapter, target }: Job): string {
  return `guard install --host ${adapter.id}${target.scope === "project" ? " --scope project" : ""}`;
}

async function entryChecks(
  job: Job<MergeTarget>,
  file: string,
  entries: readonly OwnEntry[],
  foreign: readonly string[],
): Promise<Check[]> {
  const { target } = job;
  const repair = installCommand(job);
  const missing = target.entries
    .map((entry) => entry.event)
    .filter((event) => !entries.some((own) => own.command.event === event));
  const checks: Check[] = [];
  if (missing.length > 0) {
    checks.push(problem("entry", `${file} has no entry of guard for ${missing.join(", ")}.`, repair));
  }
  if (foreign.length > 0) {
    checks.push(problem(
      "entry",
      `${file} has entries of guard in a form that this version does not write (${
        foreign.join(", ")
      }); not started.`,
      repair,
    ));
  }
  if (checks.length > 0) return checks;
  const plan = await install(job, { dryRun: true });
  if (plan.status === "unchanged") return [ok("entry", `${file} holds the entries of this guard.`)];
  const surplus = plan.cut > 0 ? ` ${plan.cut} of them are there twice or for events that are not used.` : "";
  return [note("entry", `The entries in ${file} differ from what this guard would write.${surplus}`, repair)];
}

async function entriesIn(file: string, target: MergeTarget): Promise<readonly OwnEntry[]> {
  const { bytes } = await readConfiguration(file);
  if (bytes === undefined) return [];
  const root = parseDocument(decode(bytes).replace(/^\ufeff/, ""), target.format);
  return root === undefined ? [] : ownEntries(root);
}

/** Trust is kept beside the user's hooks, for the hooks of projects too. */
function codexConfigOf(job: Job): string {
  const user = job.adapter.install.find((target) => target.scope === "user") ?? job.target;
  return codexConfig(configurationPath({ target: user, around: job.around }));
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}
