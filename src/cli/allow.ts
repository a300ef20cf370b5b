/** `guard allow`: a person allows one action that guard stopped. */

import type { Command } from "commander";
import { GuardError, UsageError } from "../errors.ts";
import {
  allow,
  findPending,
  type Grant,
  grants,
  LONGEST,
  normaliseCode,
  type Pending,
  pendingActions,
  revoke,
} from "../grants.ts";
import { locations } from "../locations.ts";
import { visible } from "../visible.ts";
import { askPerson, requirePerson } from "./person.ts";
import { durationText, parseDuration } from "./duration.ts";
import { line, paint, table } from "./terminal.ts";

interface AllowOptions {
  readonly for?: string;
  readonly list?: boolean;
  readonly revoke?: string;
  readonly json?: boolean;
  readonly state?: string;
}

function codeOf(typed: string): string {
  const code = normaliseCode(typed);
  if (code === undefined) {
    throw new UsageError(
      `expected a code of eight letters and digits, as guard names it, found "${visible(typed, 40)}"`,
      "guard allow --list",
    );
  }
  return code;
}

function pendingOf(state: string, code: string): Pending {
  const pending = findPending(state, code);
  if (pending === "unknown") {
    throw new GuardError(`no stopped action has the code ${code}`, "guard allow --list");
  }
  if (pending === "lapsed") {
    throw new GuardError(
      `the code ${code} has lapsed, since codes count for an hour; let the agent try again, which shows a new one`,
      "guard allow --list",
    );
  }
  return pending;
}

function allowOne(typed: string, options: AllowOptions, state: string): void {
  const code = codeOf(typed);
  const duration = options.for === undefined ? undefined : parseDuration(options.for, "--for", LONGEST);
  requirePerson("allow an action", "guard policy path");
  const pending = pendingOf(state, code);
  line(paint("bold", "This was stopped:"));
  for (const part of pending.subject.split("\n")) line(`  ${visible(part, 4000)}`);
  line(table([
    ["  in", visible(pending.cwd)],
    ["  by", `${visible(pending.rules.join(", "), 500)} (${pending.decision})`],
    ["  asked from", visible(pending.host)],
  ]));
  for (const message of pending.messages) line(`  ${visible(message, 500)}`);
  line();
  const how = duration === undefined ? "once" : `for ${durationText(duration)}`;
  if (!askPerson(`Allow exactly this, in this directory, ${how}? [y/N] `)) {
    throw new GuardError("nothing was allowed");
  }
  const grant = allow(state, pending, duration);
  line(`Allowed ${how}. Take it back with: guard allow --revoke ${grant.code}`);
}

function list(options: AllowOptions, state: string): void {
  const pending = pendingActions(state);
  const allowed = grants(state);
  if (options.json) {
    line(JSON.stringify({ pending, allowed }));
    return;
  }
  const subject = (text: string) => visible(text, 80);
  line(paint("bold", "Stopped lately"));
  line(
    pending.length === 0 ? "  nothing" : table(pending.map((p) => [
      `  ${p.code}`,
      age(p.offered),
      visible(p.rules.join(", "), 200),
      subject(p.subject),
    ])),
  );
  line(paint("bold", "Allowed"));
  line(
    allowed.length === 0 ? "  nothing" : table(allowed.map((g: Grant) => [
      `  ${g.code}`,
      `${g.once ? "once, " : ""}until ${new Date(g.expires).toLocaleTimeString()}`,
      visible(g.rules.join(", "), 200),
      subject(g.subject),
    ])),
  );
}

function age(instant: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - instant) / 60_000));
  return minutes === 0 ? "just now" : `${minutes} min ago`;
}

export function register(program: Command): void {
  program
    .command("allow")
    .description("allow one action that guard stopped; for a person at a terminal, refused to agents")
    .argument("[code]", "code that guard named when it stopped the action")
    .option("--for <duration>", "every such call for this long (10m, 2h; at most 24h) instead of one")
    .option("--list", "show what was stopped lately and what is allowed")
    .option("--revoke <code>", "take a permission back")
    .option("--json", "with --list: as JSON")
    .option("--state <directory>", "guard's state, when it is not in its usual place")
    .addHelpText(
      "after",
      `
The permission holds for exactly this action in this directory. A changed command, another directory or
another finding needs a code of its own. What protects guard itself, and what the administrator's policy
denies, cannot be allowed.

Examples:
  $ guard allow --list
  $ guard allow K7QM2XWP
  $ guard allow K7QM2XWP --for 10m
  $ guard allow --revoke K7QM2XWP`,
    )
    .action((code: string | undefined, options: AllowOptions) => {
      const state = options.state ?? locations().state;
      if (
        [code !== undefined, options.list === true, options.revoke !== undefined].filter(Boolean).length !== 1
      ) {
        throw new UsageError(
          "expected a code, --list or --revoke, and only one of them",
          "guard allow --help",
        );
      }
      if (options.list) list(options, state);
      else if (options.revoke !== undefined) {
        const wanted = codeOf(options.revoke);
        if (!revoke(state, wanted)) {
          throw new GuardError(`no permission has the code ${wanted}`, "guard allow --list");
        }
        line(`Taken back: ${wanted}`);
      } else if (code !== undefined) allowOne(code, options, state);
    });
}
