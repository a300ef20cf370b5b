/** `guard doctor`: proves that guard is enforced, by running what the hosts would run. */

import { join } from "node:path";
import type { Command } from "commander";
import type { Check } from "../doctor/check.ts";
import { checkExecutable, checkPolicy, checkPrograms } from "../doctor/general.ts";
import { examineHost, type HostReport } from "../doctor/host.ts";
import { checkLog, checkRecords } from "../doctor/log.ts";
import { checkProfile } from "../doctor/profile.ts";
import { checkSessions, lately } from "../doctor/sessions.ts";
import { pendingActions } from "../grants.ts";
import { allAdapters, namedAdapters } from "../install/hosts.ts";
import { type Machine, thisMachine } from "../install/machine.ts";
import { projectPolicy } from "../locations.ts";
import { readPolicy } from "../policy/load.ts";
import type { HostAdapter } from "../types.ts";
import { version } from "../version.ts";
import { line, paint, wrap } from "./terminal.ts";

interface DoctorOptions {
  readonly host?: readonly string[];
  readonly project?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly fix?: boolean;
}

export function register(program: Command): void {
  program
    .command("doctor")
    .summary("prove that guard is enforced")
    .description(
      "Looks at the configuration of every host and starts the registered commands as the host would: with a " +
        "call that must be blocked, one that must pass, with guard missing and with guard killed. Nothing harmful " +
        "is run: guard only judges the calls.",
    )
    .option("--host <id...>", "only these hosts")
    .option(
      "--project <dir>",
      "the project whose configuration is looked at (default: the repository around here)",
    )
    .option("--verbose", "show what is in order, and the limits of each host")
    .option(
      "--fix",
      "first install again where an installation is missing or has been changed, after saying what changes",
    )
    .option("--json", "answer in JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 in order, 1 problems, 64 wrong usage

With --fix and without --host, guard shows on a terminal what it would change, and asks.

Examples:
  $ guard doctor
  $ guard doctor --host codex --verbose
  $ guard doctor --fix --host claude`,
    )
    .action(run);
}

async function run(options: DoctorOptions): Promise<void> {
  const machine = thisMachine(options.project);
  const adapters = options.host === undefined
    ? await allAdapters()
    : await namedAdapters(options.host, "guard doctor --host");
  const fixed = options.fix === true
    ? await (await import("./fix.ts")).fix(adapters, machine, {
      named: options.host !== undefined,
      json: options.json === true,
    })
    : undefined;
  const { general, hosts } = await examine(adapters, machine);
  const checks = [...general, ...hosts.flatMap((host) => host.checks)];
  const healthy = checks.every((check) => check.status !== "problem") &&
    hosts.some((host) => host.state === "enforced");
  Deno.exitCode = healthy ? 0 : 1;
  if (options.json) {
    line(JSON.stringify({ ok: healthy, version, ...(fixed === undefined ? {} : { fixed }), general, hosts }));
    return;
  }
  report(general, hosts, options.verbose === true);
}

async function examine(
  adapters: readonly HostAdapter[],
  machine: Machine,
): Promise<{ general: Check[]; hosts: HostReport[] }> {
  const policy = await readPolicy({
    managed: machine.places.managed,
    user: machine.places.policy,
    project: projectPolicy(machine.around.project),
    home: machine.around.home,
  });
  const scratch = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-doctor-" }));
  const started = Date.now();
  try {
    const hosts: HostReport[] = [];
    const options = { scratch, observing: policy.policy.mode === "observe", width: 4 };
    for (const adapter of adapters) hosts.push(await examineHost(adapter, machine, options));
    const general = [
      ...checkPolicy(policy),
      ...await logChecks(machine.places.state, hosts, started),
      ...await checkExecutable(machine),
      ...await checkPrograms(machine.places.state),
      ...await checkProfile(machine.around),
      ...await checkSessions(
        machine.places.state,
        new Map(adapters.map(({ id, title }) => [id, title])),
        lately(machine.around.project, machine.around.system),
      ),
    ];
    return { general, hosts };
  } finally {
    await withdrawOffers(machine.places.state, scratch);
    await Deno.remove(scratch, { recursive: true }).catch(() => {});
  }
}

async function logChecks(state: string, hosts: readonly HostReport[], started: number): Promise<Check[]> {
  const check = await checkLog(state);
  // Only commands that this guard would write are known to use this state.
  const answered = hosts.some(({ checks }) => {
    const inOrder = (...names: readonly string[]) =>
      checks.some((one) => one.status === "ok" && names.includes(one.name));
    return inOrder("entry") && inOrder("canary", "harmless");
  });
  return check.status === "ok" && answered ? [check, await checkRecords(state, started)] : [check];
}

/** The codes that hooks offered for the made-up calls: nobody is to allow these. */
async function withdrawOffers(state: string, scratch: string): Promise<void> {
  for (const pending of pendingActions(state)) {
    if (pending.cwd !== scratch) continue;
    await Deno.remove(join(state, "pending", `${pending.code}.json`)).catch(() => {});
  }
}

function report(general: readonly Check[], hosts: readonly HostReport[], verbose: boolean): void {
  for (const host of hosts) {
    line(`${stateMark(host)} ${host.title}: ${stateText(host)}`);
    for (const check of host.checks) showCheck(check, verbose);
    if (!verbose) continue;
    for (const sentence of host.limits) line(wrap(`limit: ${sentence}`, "    "));
  }
  const mark = general.some((check) => check.status === "problem") ? paint("red", "✗") : paint("green", "✓");
  line(`${mark} guard ${version}`);
  for (const check of general) showCheck(check, verbose);
  if (hosts.some((host) => host.state === "enforced" || host.state === "problem")) return;
  line();
  line("guard is not installed in any host. Run: guard install --all");
}

function stateMark(host: HostReport): string {
  switch (host.state) {
    case "enforced":
      return paint("green", "✓");
    case "problem":
      return paint("red", "✗");
    default:
      return paint("dim", "-");
  }
}

function stateText(host: HostReport): string {
  const places = host.configurations
    .filter((configuration) => configuration.events.length > 0)
    .map((configuration) => `${configuration.scope}: ${configuration.events.join(", ")}`);
  switch (host.state) {
    case "enforced":
      return `enforced (${places.join("; ")})`;
    case "problem":
      return places.length > 0 ? `has problems (${places.join("; ")})` : "has problems";
    case "not installed":
      return `is here, guard is not installed. Run: guard install --host ${host.host}`;
    case "unenforceable":
      return "is here, and guard cannot stop it";
    case "absent":
      return "not on this machine";
  }
}

function showCheck(check: Check, verbose: boolean): void {
  if (check.status === "ok" && !verbose) return;
  const colour = { ok: "green", problem: "red", limit: "dim", note: "yellow" } as const;
  const text = wrap(`${check.status}: ${check.detail}`, "    ");
  line(text.replace(check.status, paint(colour[check.status], check.status)));
  if (check.next !== undefined) line(wrap(`-> ${check.next}`, "      "));
}
