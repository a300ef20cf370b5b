/** `guard install`: registers guard with the hosts on this machine. */

import { type Command, Option } from "commander";
import { GuardError, UsageError } from "../errors.ts";
import { install } from "../install/apply.ts";
import type { Outcome } from "../install/job.ts";
import { baseName, isRecognised } from "../install/command.ts";
import { writableByAll } from "../install/executable.ts";
import {
  allAdapters,
  detectedHosts,
  jobsFor,
  namedAdapters,
  nothingToInstall,
  type Scope,
  unenforcedIn,
} from "../install/hosts.ts";
import { withLock } from "../install/lock.ts";
import { type Machine, thisMachine } from "../install/machine.ts";
import { registeredProgram } from "../install/program.ts";
import type { HostAdapter } from "../types.ts";
import { indented, outcomeLines } from "./outcome.ts";
import { isInteractive, line, paint, warn } from "./terminal.ts";

interface InstallOptions {
  readonly host?: readonly string[];
  readonly all?: boolean;
  readonly scope: Scope;
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function register(program: Command): void {
  program
    .command("install")
    .summary("register guard with agent hosts")
    .description(
      "Adds guard's hook entries to the configuration of agent hosts. What is there already keeps every byte; " +
        "installing again changes nothing, or brings guard's own entries up to date.",
    )
    .option("--host <id...>", "the hosts to install into")
    .option("--all", "every host that is found on this machine")
    .addOption(
      new Option("--scope <scope>", "whose configuration is edited").choices(["user", "project"]).default(
        "user",
      ),
    )
    .option("--project <dir>", "the project of --scope project (default: the repository around here)")
    .option("--dry-run", "show the difference and write nothing")
    .option("--json", "answer in JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 done, 1 a file could not be edited or no host was found, 64 wrong usage

Without --host and --all, guard shows on a terminal which hosts it found and what it would change, and asks.

Examples:
  $ guard install                                    asks
  $ guard install --all --dry-run                    what would change
  $ guard install --host claude --host codex
  $ guard install --host gemini --scope project      for everybody who works in this directory`,
    )
    .action(run);
}

async function run(options: InstallOptions): Promise<void> {
  if (options.all && options.host !== undefined) {
    throw new UsageError("--all and --host exclude each other.", "guard install --all");
  }
  const machine = thisMachine(options.project);
  let adapters: readonly HostAdapter[] = options.host !== undefined
    ? await namedAdapters(options.host)
    : (await detectedHosts(machine)).map(({ adapter }) => adapter);
  if (options.host === undefined && !options.all) {
    if (adapters.length === 0 || options.json || options.dryRun || !isInteractive()) {
      return await suggest(machine, adapters, options);
    }
    const { chooseHosts } = await import("./choose_hosts.ts");
    const chosen = await chooseHosts(await installAll(adapters, options.scope, machine, true), adapters);
    if (chosen.length === 0) {
      line("Nothing was changed.");
      return;
    }
    adapters = chosen;
  }
  if (adapters.length === 0) return await nothingFound(options);
  requireRecognised(machine);
  const { program } = machine.chosen.launch;
  const warnings = [...machine.chosen.warnings];
  const open = await writableByAll(program, machine.around.system);
  if (open !== undefined) {
    warnings.push(`Everybody may write to ${open}, and so replace guard: chmod o-w ${open}`);
  }
  const dryRun = options.dryRun === true;
  const outcomes = dryRun
    ? await installAll(adapters, options.scope, machine, true)
    : await withLock(machine.places.state, () => installAll(adapters, options.scope, machine, false));
  // Of the hosts that were found by themselves, nobody asked for one that cannot be stopped.
  const ok = outcomes.every(({ status }) =>
    status !== "refused" && (status !== "unenforced" || options.host === undefined)
  );
  Deno.exitCode = ok ? 0 : 1;
  if (options.json) {
    const hosts = outcomes.map((outcome) => ({
      ...outcome,
      afterInstall: afterInstalling(outcome, adapters, machine),
    }));
    line(JSON.stringify({ ok, dryRun, warnings, hosts }));
    return;
  }
  report(outcomes, adapters, machine, warnings, options);
}

/** Throws GuardError when the executable has a name by which its entries could not be found again. */
export function requireRecognised({ chosen: { launch } }: Machine): void {
  const { program } = launch;
  if (isRecognised(launch)) return;
  throw new GuardError(
    `guard's executable is called ${
      baseName(program)
    }; under another name than "guard" its entries could not be ` +
      `found again. Rename ${program} to "guard" and run guard install again.`,
  );
}

async function installAll(
  adapters: readonly HostAdapter[],
  scope: Scope,
  machine: Machine,
  dryRun: boolean,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const program = dryRun ? undefined : await registeredProgram(machine.chosen.launch);
  for (const adapter of adapters) {
    const jobs = jobsFor(adapter, [scope], machine);
    for (const job of jobs) outcomes.push(await install({ ...job, program }, { dryRun }));
    if (jobs.length === 0) outcomes.push(nothingToInstall(adapter, scope, machine));
  }
  return outcomes;
}

function report(
  outcomes: readonly Outcome[],
  adapters: readonly HostAdapter[],
  machine: Machine,
  warnings: readonly string[],
  options: InstallOptions,
): void {
  for (const outcome of outcomes) {
    for (const text of outcomeLines(outcome, options.dryRun === true)) line(text);
    const last = outcomes.findLast(({ host }) => host === outcome.host) === outcome;
    const done = outcomes.some(({ host, status }) =>
      host === outcome.host && (status === "installed" || status === "refreshed")
    );
    if (!last || !done) continue;
    for (const sentence of afterInstalling(outcome, adapters, machine)) line(indented(sentence));
  }
  for (const warning of warnings) warn(`${paint("yellow", "Note:")} ${warning}`);
  if (options.scope === "project" && machine.around.project !== machine.around.home) {
    warn(
      `${
        paint("yellow", "Note:")
      } the entries hold absolute paths of this machine, which are wrong on others: ` +
        "do not commit them.",
    );
  }
  const nothing = outcomes.every(({ status }) => status === "refused" || status === "unenforced");
  if (options.dryRun || nothing) return;
  line();
  line("Check it: guard doctor");
  line("Before you remove guard from this machine run: guard uninstall --all");
}

/** What the person has to know or do after an installation into a host. */
function afterInstalling(
  { host, scope, status }: Outcome,
  adapters: readonly HostAdapter[],
  machine: Machine,
): readonly string[] {
  const adapter = adapters.find((candidate) => candidate.id === host);
  if (adapter === undefined || status === "unenforced") return [];
  return [...adapter.afterInstall, ...unenforcedIn(adapter, scope, machine)];
}

async function suggest(
  machine: Machine,
  adapters: readonly HostAdapter[],
  options: InstallOptions,
): Promise<void> {
  const known = await allAdapters();
  Deno.exitCode = 64;
  if (options.json) {
    line(JSON.stringify({ ok: false, detected: adapters.map((adapter) => adapter.id) }));
    return;
  }
  line("Say into which hosts guard is to be installed.");
  line();
  for (const { adapter, found } of await detectedHosts(machine)) {
    line(`  ${adapter.title} (${adapter.id}) is here: ${found.join(", ")}`);
  }
  const missing = known.filter((adapter) => !adapters.includes(adapter));
  if (missing.length > 0) {
    line(`  Not found: ${missing.map((adapter) => `${adapter.title} (${adapter.id})`).join(", ")}`);
  }
  line();
  line(adapters.length > 0 ? "Run: guard install --all" : "Run: guard install --host ID");
}

async function nothingFound(options: InstallOptions): Promise<void> {
  Deno.exitCode = 1;
  const known = (await allAdapters()).map((adapter) => adapter.id);
  if (options.json) {
    line(JSON.stringify({ ok: false, dryRun: options.dryRun === true, warnings: [], hosts: [] }));
    return;
  }
  warn(`guard: none of the hosts that guard knows was found on this machine: ${known.join(", ")}.`);
  warn("Run: guard install --host ID");
}
