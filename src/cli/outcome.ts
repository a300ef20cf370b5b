/** What install and uninstall say about one file. */

import type { Outcome } from "../install/job.ts";
import { paint, wrap } from "./terminal.ts";

/** A paragraph below the line of a host. */
export function indented(text: string): string {
  return wrap(text, "  ");
}

export function outcomeLines(outcome: Outcome, dryRun: boolean): string[] {
  const name = `${outcome.title} (${outcome.scope})`;
  const would = dryRun ? "would be " : "";
  const about = [outcome.events.join(", "), outcome.cut > 0 ? `${outcome.cut} surplus removed` : ""]
    .filter((part) => part !== "").join("; ");
  const events = about === "" ? "" : ` (${about})`;
  const lines: string[] = [];
  switch (outcome.status) {
    case "installed":
      lines.push(`${paint("green", name)}: ${would}installed in ${outcome.file}${events}`);
      break;
    case "refreshed":
      lines.push(
        `${paint("green", name)}: ${would}brought up to date in ${outcome.file}${events}`,
      );
      break;
    case "unchanged":
      lines.push(`${name}: already installed in ${outcome.file}`);
      break;
    case "restored":
      lines.push(`${paint("green", name)}: ${would}removed; ${outcome.file} is as it was before`);
      break;
    case "removed":
      lines.push(`${paint("green", name)}: ${would}removed from ${outcome.file} (${outcome.cut} entries)`);
      break;
    case "absent":
      lines.push(`${name}: not installed in ${outcome.file}`);
      break;
    case "unenforced":
      lines.push(`${paint("red", name)}: nothing was written. ${outcome.message ?? ""}`);
      if (outcome.manual) lines.push(`  ${outcome.manual}`);
      break;
    case "refused":
      lines.push(`${paint("red", name)}: ${outcome.file} was left as it is. ${outcome.message ?? ""}`);
      if (outcome.manual) lines.push(outcome.manual.replace(/^/gm, "  "));
  }
  if (outcome.difference) lines.push(outcome.difference.trimEnd());
  return lines;
}
