/** Asks the person at the terminal into which of the hosts that were found guard is to be installed. */

import { isCancel, multiselect } from "@clack/prompts";
import type { Outcome } from "../install/job.ts";
import type { HostAdapter } from "../types.ts";
import { outcomeLines } from "./outcome.ts";
import { line } from "./terminal.ts";

/**
 * Shows what would change, and asks.
 *
 * @param plan Outcomes of a dry run for all `adapters`.
 * @returns The chosen hosts; empty when none was chosen, nothing is to be done, or the question was left.
 */
export async function chooseHosts(
  plan: readonly Outcome[],
  adapters: readonly HostAdapter[],
): Promise<readonly HostAdapter[]> {
  for (const outcome of plan) {
    const { difference: _, ...rest } = outcome;
    for (const text of outcomeLines(rest, true)) line(text);
  }
  const open = changeable(plan, adapters);
  if (open.length === 0) return [];
  line("The differences: guard install --all --dry-run");
  line();
  return await chosenOf(
    open,
    plan,
    "Install guard into (space selects, enter goes on; the differences: guard install --all --dry-run)",
  );
}

/**
 * Asks where an installation is to be restored; what would change has been shown.
 *
 * @returns The chosen hosts; empty when none was chosen, nothing can be done, or the question was left.
 */
export async function chooseRepairs(
  plan: readonly Outcome[],
  adapters: readonly HostAdapter[],
): Promise<readonly HostAdapter[]> {
  const open = changeable(plan, adapters);
  if (open.length === 0) return [];
  return await chosenOf(open, plan, "Restore guard in (space selects, enter goes on)");
}

function changeable(plan: readonly Outcome[], adapters: readonly HostAdapter[]): readonly HostAdapter[] {
  return adapters.filter((adapter) =>
    plan.some(({ host, status }) => host === adapter.id && (status === "installed" || status === "refreshed"))
  );
}

async function chosenOf(
  open: readonly HostAdapter[],
  plan: readonly Outcome[],
  message: string,
): Promise<readonly HostAdapter[]> {
  const chosen = await multiselect({
    message,
    options: open.map((adapter) => ({
      value: adapter.id,
      label: adapter.title,
      hint: plan.filter(({ host }) => host === adapter.id).map(({ file }) => file).join(", "),
    })),
    initialValues: open.map((adapter) => adapter.id),
    required: false,
  });
  if (isCancel(chosen)) return [];
  return open.filter((adapter) => chosen.includes(adapter.id));
}
