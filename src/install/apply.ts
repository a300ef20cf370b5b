/** Installs into and uninstalls from one configuration file of one host. */

import { dirname } from "node:path";
import { GuardError } from "../errors.ts";
import type { HostAdapter, InstallTarget } from "../types.ts";
import { commandLine, type Launch, shellOf } from "./command.ts";
import { difference } from "./difference.ts";
import { parseDocument, valueOf } from "./document.ts";
import { installInto, nothingMade, uninstallFrom } from "./edit.ts";
import { ownEntries, sameValue } from "./entry.ts";
import { resolveLocation, type Surroundings } from "./location.ts";
import {
  encodeBytes,
  hashOf,
  originalOf,
  readReceipt,
  type Receipt,
  removeReceipt,
  writeReceipt,
} from "./receipt.ts";
import { type Position, RefusedError } from "./refusal.ts";
import {
  ChangedError,
  type ConfigurationFile,
  decode,
  missingDirectories,
  readConfiguration,
  removeDirectories,
  replaceFile,
  type WriteHooks,
} from "./write.ts";

/** Everything that one installation depends on. */
export interface Job {
  readonly adapter: HostAdapter;
  readonly target: InstallTarget;
  readonly around: Surroundings;
  readonly launch: Launch;
  /** Absolute path of the user's policy, written into the command. */
  readonly policy: string;
  /** Absolute path of the state folder, written into the command; receipts are kept in it. */
  readonly state: string;
  /** Absolute path of the configuration, when it is not where the location leads now (from a receipt). */
  readonly file?: string;
}

export type Status =
  | "installed"
  | "refreshed"
  | "unchanged"
  | "removed"
  | "restored"
  | "absent"
  | "refused";

/** What was done to one file, or would be done in a dry run. */
export interface Outcome {
  readonly host: string;
  readonly title: string;
  readonly scope: InstallTarget["scope"];
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

/** The command line that is registered for an event. */
export function commandOf(job: Job, event: string, file = configurationPath(job)): string {
  const { adapter, around, launch, policy, state } = job;
  return commandLine({ ...launch, host: adapter.id, event, policy, state }, {
    shell: shellOf(adapter, around.system),
    system: around.system,
    wrapper: adapter.wrapper,
    file,
  });
}

/** Merges the entries of a host into its configuration. Never throws for what a file or directory is like. */
export async function install(job: Job, options: ApplyOptions = {}): Promise<Outcome> {
  return await outcomeOf(job, () => manualEntries(job), async (path) => {
    const file = await readConfiguration(path);
    const text = file.bytes === undefined ? undefined : decode(file.bytes);
    const edited = installInto(text, job.target, (event) => commandOf(job, event, path));
    const events = [...edited.added, ...edited.refreshed];
    if (edited.text === text) return { status: "unchanged", events, cut: 0 };
    const status = edited.added.length > 0 && edited.refreshed.length === 0 && edited.removed === 0
      ? "installed"
      : "refreshed";
    const result = { status, events, cut: edited.removed } as const;
    if (options.dryRun) return { ...result, difference: difference(path, text, edited.text) };
    const bytes = new TextEncoder().encode(edited.text);
    const before = await readReceipt(job.state, path);
    await writeReceipt(job.state, await nextReceipt(job, file, before, edited, bytes));
    try {
      await replaceFile(file, bytes, job.target.scope === "user" ? 0o600 : 0o644, options.hooks);
    } catch (error) {
      await (before === undefined ? removeReceipt(job.state, path) : writeReceipt(job.state, before));
      throw error;
    }
    return result;
  });
}

/** The receipt keeps the first original as long as nobody else has changed the file since. */
async function nextReceipt(
  job: Job,
  file: ConfigurationFile,
  before: Receipt | undefined,
  made: { readonly created: Receipt["created"]; readonly filled: Receipt["filled"] },
  bytes: Uint8Array,
): Promise<Receipt> {
  const after = hashOf(bytes);
  const fresh: Receipt = {
    version: 1,
    host: job.adapter.id,
    scope: job.target.scope,
    path: file.path,
    original: file.bytes === undefined ? null : encodeBytes(file.bytes),
    restorable: true,
    owned: file.bytes === undefined,
    after,
    directories: await missingDirectories(dirname(file.target)),
    created: made.created,
    filled: made.filled,
  };
  if (!holdsOwnEntries(file, job.target)) return fresh;
  const untouched = before !== undefined && file.bytes !== undefined && before.after === hashOf(file.bytes);
  return {
    ...fresh,
    original: untouched ? before.original : null,
    restorable: untouched && before.restorable,
    owned: before?.owned ?? false,
    directories: before?.directories ?? [],
    created: [...before?.created ?? [], ...made.created],
    filled: [...before?.filled ?? [], ...made.filled],
  };
}

function holdsOwnEntries(file: ConfigurationFile, target: InstallTarget): boolean {
  if (file.bytes === undefined) return false;
  const root = parseDocument(decode(file.bytes).replace(/^\ufeff/, ""), target.format);
  return root !== undefined && ownEntries(root).length > 0;
}

/** Takes the entries out again: byte for byte when nobody has changed the file since, else exactly guard's own. */
export async function uninstall(job: Job, options: ApplyOptions = {}): Promise<Outcome> {
  return await outcomeOf(job, () => manualRemoval(), async (path) => {
    const file = await readConfiguration(path);
    const receipt = await readReceipt(job.state, path);
    const nothing = { status: "absent", events: [], cut: 0 } as const;
    if (file.bytes === undefined) {
      if (receipt !== undefined && !options.dryRun) await removeReceipt(job.state, path);
      return nothing;
    }
    const planned = plannedRemoval(job, file.bytes, receipt);
    if (planned === undefined) {
      if (receipt !== undefined && !options.dryRun) await removeReceipt(job.state, path);
      return nothing;
    }
    const result = { status: planned.status, events: [], cut: planned.cut } as const;
    if (options.dryRun) {
      const after = planned.bytes === undefined ? undefined : decode(planned.bytes);
      return { ...result, difference: difference(path, decode(file.bytes), after) };
    }
    await replaceFile(file, planned.bytes, 0o600, options.hooks);
    if (planned.bytes === undefined) await removeDirectories(directoriesAbove(file.target, receipt));
    await removeReceipt(job.state, path);
    return result;
  });
}

/** The directories that guard made for this file. */
function directoriesAbove(target: string, receipt: Receipt | undefined): readonly string[] {
  const above = new Set<string>();
  for (let at = dirname(target); !above.has(at); at = dirname(at)) above.add(at);
  return receipt?.directories.filter((directory) => above.has(directory)) ?? [];
}

function plannedRemoval(
  job: Job,
  bytes: Uint8Array,
  receipt: Receipt | undefined,
): { status: "restored" | "removed"; bytes: Uint8Array | undefined; cut: number } | undefined {
  const text = decode(bytes);
  const made = receipt === undefined ? undefined : { ...nothingMade, ...receipt };
  const left = uninstallFrom(text, job.target, made, receipt?.owned ?? false);
  if (left.removed === 0) return undefined;
  if (receipt?.restorable && receipt.after === hashOf(bytes) && agrees(receipt, left.text, job.target)) {
    return { status: "restored", bytes: originalOf(receipt), cut: job.target.entries.length };
  }
  return {
    status: "removed",
    bytes: left.text === undefined ? undefined : new TextEncoder().encode(left.text),
    cut: left.removed,
  };
}

/**
 * Whether the original of a receipt says the same as the text without guard's entries, so that restoring it
 * changes comments and white space at most: whoever edits a receipt must not choose what is written.
 */
function agrees(receipt: Receipt, left: string | undefined, { format, skeleton }: InstallTarget): boolean {
  const original = originalOf(receipt);
  if (original === undefined || left === undefined) return original === undefined && left === undefined;
  const said = (text: string) => {
    const root = parseDocument(text.replace(/^\ufeff/, ""), format);
    return root === undefined ? undefined : valueOf(root);
  };
  try {
    const before = said(decode(original));
    const after = said(left) ?? {};
    return before === undefined
      ? sameValue(after, {}) || sameValue(after, skeleton ?? {})
      : sameValue(before, after);
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

type Done = Pick<Outcome, "status" | "events" | "cut" | "difference">;

/** Runs `work`, again when somebody else changed the file meanwhile, and turns a refusal into an outcome. */
async function outcomeOf(
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

/** The members to add by hand, as JSON. */
function manualEntries(job: Job): string {
  const document: Record<string, unknown> = { ...job.target.skeleton };
  for (const entry of job.target.entries) {
    let container = document;
    for (const key of entry.at.slice(0, -1)) {
      container = (container[key] ??= {}) as Record<string, unknown>;
    }
    const list = (container[entry.at.at(-1)!] ??= []) as unknown[];
    list.push(entry.value(commandOf(job, entry.event)));
  }
  return `Add these members by hand, each entry after the ones that are there:\n${
    JSON.stringify(document, null, 2)
  }`;
}

function manualRemoval(): string {
  return "Remove by hand each entry whose command starts guard with `hook`.";
}
