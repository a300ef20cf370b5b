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
  const open = adapters.filter((adapter) =>
    plan.some(({ host, status }) => host === adapter.id && (status === "installed" || status === "refreshed"))
  );
  if (open.length === 0) return [];
  line("The differences: guard install --all --dry-run");
  line();
  const chosen = await multiselect({
    message:
      "Install guard into (space selects, enter goes on; the differences: guard install --all --dry-run)",
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
