/** One installation of one target, and what becomes of it. */

import { GuardError } from "../errors.ts";
import type { HostAdapter, InstallTarget } from "../types.ts";
import { commandLine, commandWords, type Launch, shellOf } from "./command.ts";
import { resolveLocation, type Surroundings } from "./location.ts";
import type { Program } from "./program.ts";
import { type Position, RefusedError } from "./refusal.ts";
import { ChangedError, type WriteHooks } from "./write.ts";

/** Everything that one installation depends on. */
export interface Job<T extends InstallTarget = InstallTarget> {
  readonly adapter: HostAdapter;
  readonly target: T;
  readonly around: Surroundings;
  readonly launch: Launch;
  /** Absolute path of the user's policy, written into the command. */
  readonly policy: string;
  /** Absolute path of the state folder, written into the command; receipts are kept in it. */
  readonly state: string;
  /** Absolute path of the configuration, when it is not where the location leads now (from a receipt). */
  readonly file?: string;
  /** What the launch starts, for the receipt. */
  readonly program?: Program;
}

export type Status =
  | "installed"
  | "refreshed"
  | "unchanged"
  | "removed"
  | "restored"
  | "absent"
  | "refused"
  /** The host has nothing there that could be edited; `message` says why. */
  | "unenforced";

/** What was done to one file, or would be done in a dry run. */
export interface Outcome {
  readonly host: string;
  readonly title: string;
  readonly scope: InstallTarget["scope"];
  /** Empty when there is nothing to edit. */
  readonly file: string;
  readonly status: Status;
  /** Native names of the events that were added or brought up to date. */
  readonly events: readonly string[];
  /** Number of own entries that were cut. */
  readonly cut: number;
  /** Unified difference, in a dry run. */
  readonly difference?: string;
  /** Why the file was left as it is. */
  readonly message?: string;
  readonly position?: Position;
  /** What to do by hand. */
  readonly manual?: string;
}

export interface ApplyOptions {
  readonly dryRun?: boolean;
  readonly hooks?: WriteHooks;
}

const attempts = 8;

/** The path that the host reads. */
export function configurationPath(job: Pick<Job, "target" | "around" | "file">): string {
  return job.file ?? resolveLocation(job.target.location, job.around);
}

/** The host that the registered command names. */
function registeredHost({ adapter, target }: Job): string {
  return target.format === "whole" ? adapter.id : target.host ?? adapter.id;
}

/** The command line that is registered for an event. */
export function commandOf(job: Job, event: string, file = configurationPath(job)): string {
  const { adapter, around, launch, policy, state } = job;
  return commandLine({ ...launch, host: registeredHost(job), event, policy, state }, {
    shell: shellOf(adapter, around.system),
    system: around.system,
    wrapper: adapter.wrapper,
    file,
  });
}

/** The command of an event as a program and its arguments. */
export function argumentsOf(job: Job, event: string): readonly string[] {
  const { launch, policy, state } = job;
  return commandWords({ ...launch, host: registeredHost(job), event, policy, state });
}

/** What tells the targets of one host and scope apart, in receipts. */
export function targetName({ location }: Pick<InstallTarget, "location">): string {
  return location.segments.join("/");
}

/** Native names of the events that a target registers. */
export function eventsOf(target: InstallTarget): readonly string[] {
  return target.format === "whole"
    ? target.events
    : [...target.entries, ...target.settings ?? []].map(({ event }) => event);
}

/** What was done, without what is known beforehand. */
export type Done = Pick<Outcome, "status" | "events" | "cut" | "difference">;

/** Runs `work`, again when somebody else changed the file meanwhile, and turns a refusal into an outcome. */
export async function outcomeOf(
  job: Job,
  manual: () => string,
  work: (path: string) => Promise<Done>,
): Promise<Outcome> {
  const { adapter, target } = job;
  const about = { host: adapter.id, title: adapter.title, scope: target.scope };
  let file = target.location.segments.join("/");
  const refused = (message: string, help: string, position?: Position): Outcome => ({
    ...about,
    file,
    status: "refused",
    events: [],
    cut: 0,
    message,
    manual: help,
    ...(position === undefined ? {} : { position }),
  });
  try {
    file = configurationPath(job);
    for (let attempt = 1;; attempt++) {
      try {
        return { ...about, file, ...await work(file) };
      } catch (error) {
        if (!(error instanceof ChangedError) || attempt === attempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
      }
    }
  } catch (error) {
    if (error instanceof RefusedError) return refused(error.message, manual(), error.position);
    if (error instanceof ChangedError) {
      return refused(
        `${error.message}, ${attempts} times in a row.`,
        "Close the host and run the command again.",
      );
    }
    if (error instanceof GuardError) return refused(error.message, error.next ?? "");
    return refused(error instanceof Error ? error.message : String(error), manual());
  }
}
