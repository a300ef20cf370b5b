/** `guard doctor --fix`: installs again where an installation is no longer whole. */

import { UsageError } from "../errors.ts";
import { examineHost } from "../doctor/host.ts";
import { install } from "../install/apply.ts";
import { jobFor, jobsFor, pathOrNothing } from "../install/hosts.ts";
import { type Job, type Outcome, targetName } from "../install/job.ts";
import { withLock } from "../install/lock.ts";
import type { Machine } from "../install/machine.ts";
import { registeredProgram } from "../install/program.ts";
import { isAbandoned, listReceipts } from "../install/receipt.ts";
import type { HostAdapter } from "../types.ts";
import { requireRecognised } from "./install.ts";
import { outcomeLines } from "./outcome.ts";
import { isInteractive, line } from "./terminal.ts";

interface FixOptions {
  /** Hosts were named, which is consent. */
  readonly named: boolean;
  readonly json: boolean;
}

/** One file that an installation would bring back to what it should be, and what it would do. */
interface Repair {
  readonly job: Job;
  readonly plan: Outcome;
}

/**
 * Says what is not as `guard install` left it, and installs again there: at once in hosts that were named, after a
 * question on a terminal, and else not at all. Hosts in which guard was never installed stay as they are.
 *
 * @returns What was done; empty when nothing had to be, or the person declined.
 * @throws UsageError when something has to be done and nobody can be asked.
 */
export async function fix(
  adapters: readonly HostAdapter[],
  machine: Machine,
  { named, json }: FixOptions,
): Promise<Outcome[]> {
  const repairs = await repairsOf(adapters, machine);
  if (!json) {
    if (repairs.length === 0) line("Nothing is to be restored.");
    for (const { plan } of repairs) for (const text of outcomeLines(plan, true)) line(text);
  }
  if (repairs.length === 0) return [];
  requireRecognised(machine);
  let chosen = adapters;
  if (!named) {
    const ids = [...new Set(repairs.map(({ job }) => job.adapter.id))];
    if (json || !isInteractive()) {
      throw new UsageError(
        `Say which hosts are to be restored: ${ids.join(", ")}.`,
        `guard doctor --fix --host ${ids.join(" ")}`,
      );
    }
    const { chooseRepairs } = await import("./choose_hosts.ts");
    chosen = await chooseRepairs(repairs.map(({ plan }) => plan), adapters);
  }
  const wanted = repairs.filter(({ job }) => chosen.includes(job.adapter));
  if (wanted.length === 0) {
    if (!json) line("Nothing was changed.");
    return [];
  }
  const program = await registeredProgram(machine.chosen.launch);
  const outcomes = await withLock(machine.places.state, async () => {
    const done: Outcome[] = [];
    for (const { job, plan } of wanted) {
      done.push(plan.status === "refused" ? plan : await install({ ...job, program }));
    }
    return done;
  });
  if (!json) {
    // What is refused was said with what would be done.
    for (const outcome of outcomes.filter(({ status }) => status !== "refused")) {
      for (const text of outcomeLines(outcome, false)) line(text);
    }
    line();
  }
  return outcomes;
}

/** Where guard was installed, by its receipts or by entries that are there, and an installation would change something. */
async function repairsOf(adapters: readonly HostAdapter[], machine: Machine): Promise<Repair[]> {
  const receipts = await listReceipts(machine.places.state);
  // Some hosts share a file, which is the one's that it was installed for.
  const owners = new Map(receipts.map(({ path, host }) => [path, host]));
  const jobs: Job[] = [];
  const files = new Set<string>();
  const add = (job: Job) => {
    const file = pathOrNothing(job);
    if (file === undefined || files.has(file)) return;
    files.add(file);
    jobs.push(job);
  };
  for (const adapter of adapters) {
    const { configurations } = await examineHost(adapter, machine);
    const present = new Set(
      configurations.filter(({ entries }) => entries === "complete" || entries === "incomplete")
        .map(({ file }) => file),
    );
    for (const job of jobsFor(adapter, ["user", "project"], machine)) {
      const file = pathOrNothing(job);
      if (file === undefined) continue;
      const owner = owners.get(file);
      if (owner === undefined ? present.has(file) : owner === adapter.id) add(job);
    }
    // Other projects, and places that a variable has led to.
    for (const receipt of receipts) {
      const target = adapter.install.find((candidate) =>
        receipt.host === adapter.id && candidate.scope === receipt.scope &&
        (receipt.target === undefined || receipt.target === targetName(candidate))
      );
      if (target === undefined || await isAbandoned(receipt)) continue;
      add({ ...jobFor(adapter, target, machine), file: receipt.path });
    }
  }
  const repairs: Repair[] = [];
  for (const job of jobs) {
    const plan = await install(job, { dryRun: true });
    if (plan.status !== "unchanged") repairs.push({ job, plan });
  }
  return repairs;
}
