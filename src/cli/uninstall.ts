/** `guard uninstall`: takes guard's entries out of the configurations of hosts. */

import { type Command, Option } from "commander";
import { UsageError } from "../errors.ts";
import { uninstall } from "../install/apply.ts";
import { type Job, type Outcome, targetName } from "../install/job.ts";
import { allAdapters, jobFor, jobsFor, namedAdapters, pathOrNothing, type Scope } from "../install/hosts.ts";
import { withLock } from "../install/lock.ts";
import { type Machine, thisMachine } from "../install/machine.ts";
import { listReceipts } from "../install/receipt.ts";
import type { HostAdapter } from "../types.ts";
import { outcomeLines } from "./outcome.ts";
import { line } from "./terminal.ts";

interface UninstallOptions {
  readonly host?: readonly string[];
  readonly all?: boolean;
  readonly scope?: Scope;
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function register(program: Command): void {
  program
    .command("uninstall")
    .summary("take guard's entries out again")
    .description(
      "Takes guard's hook entries out of the configuration of agent hosts. A file that nobody has changed since " +
        "gets every byte back; from any other exactly guard's entries are cut.",
    )
    .option("--host <id...>", "the hosts to uninstall from")
    .option("--all", "every host that guard knows")
    .addOption(
      new Option("--scope <scope>", "whose configuration is edited (default: all that guard has edited)")
        .choices(["user", "project"]),
    )
    .option("--project <dir>", "the project of --scope project (default: the repository around here)")
    .option("--dry-run", "show the difference and write nothing")
    .option("--json", "answer in JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 done, 1 a file could not be edited, 64 wrong usage

Examples:
  $ guard uninstall --all
  $ guard uninstall --host cursor --scope project`,
    )
    .action(run);
}

async function run(options: UninstallOptions): Promise<void> {
  if (options.all && options.host !== undefined) {
    throw new UsageError("--all and --host exclude each other.", "guard uninstall --all");
  }
  if (!options.all && options.host === undefined) {
    throw new UsageError(
      "Say from which hosts guard is to be removed: --all or --host ID.",
      "guard uninstall --all",
    );
  }
  const machine = thisMachine(options.project);
  const adapters = options.host === undefined
    ? await allAdapters()
    : await namedAdapters(options.host, "guard uninstall --host");
  const dryRun = options.dryRun === true;
  const work = async () => {
    const outcomes: Outcome[] = [];
    for (const job of await jobsToUndo(adapters, options.scope, machine)) {
      outcomes.push(await uninstall(job, { dryRun }));
    }
    return outcomes;
  };
  const outcomes = dryRun ? await work() : await withLock(machine.places.state, work);
  const ok = outcomes.every((outcome) => outcome.status !== "refused");
  Deno.exitCode = ok ? 0 : 1;
  if (options.json) {
    line(JSON.stringify({ ok, dryRun, hosts: outcomes }));
    return;
  }
  const shown = outcomes.filter((outcome) => options.host !== undefined || outcome.status !== "absent");
  for (const outcome of shown) {
    for (const text of outcomeLines(outcome, dryRun)) line(text);
  }
  if (shown.length === 0) line("guard is not installed in any host that it knows.");
  if (dryRun) return;
  line();
  line(`The log and other state stay in ${machine.places.state}; remove that directory by hand if you want.`);
}

/** The files of the scopes here, and without a scope also those of other projects that receipts tell of. */
async function jobsToUndo(
  adapters: readonly HostAdapter[],
  scope: Scope | undefined,
  machine: Machine,
): Promise<Job[]> {
  const jobs = adapters.flatMap((adapter) => jobsFor(adapter, scope ? [scope] : ["user", "project"], machine))
    .filter(({ target }) => target.location.base !== "git-hooks" || machine.around.gitHooks !== undefined);
  if (scope !== undefined) return jobs;
  const files = new Set(jobs.map(pathOrNothing));
  for (const receipt of await listReceipts(machine.places.state)) {
    const adapter = adapters.find((candidate) => candidate.id === receipt.host);
    const target = adapter?.install.find((candidate) =>
      candidate.scope === receipt.scope &&
      (receipt.target === undefined || receipt.target === targetName(candidate))
    );
    if (adapter === undefined || target === undefined || files.has(receipt.path)) continue;
    files.add(receipt.path);
    jobs.push({ ...jobFor(adapter, target, machine), file: receipt.path });
  }
  return jobs;
}
