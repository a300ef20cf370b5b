/** Installs into and uninstalls from one file of one host. */

import type { MergeTarget } from "../types.ts";
import { shellOf } from "./command.ts";
import { difference } from "./difference.ts";
import { parseDocument, valueOf } from "./document.ts";
import { installInto, nothingMade, uninstallFrom } from "./edit.ts";
import { ownEntries, sameValue } from "./entry.ts";
import {
  type ApplyOptions,
  commandOf,
  eventsOf,
  type Job,
  type Outcome,
  outcomeOf,
  targetName,
} from "./job.ts";
import {
  directoriesAbove,
  encodeBytes,
  hashOf,
  madeDirectories,
  originalOf,
  readReceipt,
  type Receipt,
  removeReceipt,
  renewProgram,
  writeReceipt,
} from "./receipt.ts";
import { RefusedError } from "./refusal.ts";
import { find } from "./splice.ts";
import { installWhole, uninstallWhole } from "./whole.ts";
import {
  type ConfigurationFile,
  decode,
  readConfiguration,
  removeDirectories,
  replaceFile,
} from "./write.ts";

type MergeJob = Job<MergeTarget>;

/** Registers a host: merges its entries, or writes its file. Never throws for what a file or directory is like. */
export function install(job: Job, options: ApplyOptions = {}): Promise<Outcome> {
  const { target } = job;
  return target.format === "whole"
    ? installWhole({ ...job, target }, options)
    : merge({ ...job, target }, options);
}

/** Takes out again what `install` put in. */
export function uninstall(job: Job, options: ApplyOptions = {}): Promise<Outcome> {
  const { target } = job;
  return target.format === "whole"
    ? uninstallWhole({ ...job, target }, options)
    : separate({ ...job, target }, options);
}

async function merge(job: MergeJob, options: ApplyOptions): Promise<Outcome> {
  return await outcomeOf(job, () => manualEntries(job), async (path) => {
    const file = await readConfiguration(path);
    const text = file.bytes === undefined ? undefined : decode(file.bytes);
    const shell = shellOf(job.adapter, job.around.system);
    const edited = installInto(text, job.target, (event) => commandOf(job, event, path), shell);
    const events = [...edited.added, ...edited.refreshed];
    if (edited.text === text) {
      if (!options.dryRun) await renewProgram(job.state, path, job.program);
      return { status: "unchanged", events, cut: 0 };
    }
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
  job: MergeJob,
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
    target: targetName(job.target),
    path: file.path,
    original: file.bytes === undefined ? null : encodeBytes(file.bytes),
    restorable: true,
    owned: file.bytes === undefined,
    after,
    directories: await madeDirectories(job.state, file.target),
    created: made.created,
    filled: made.filled,
    entries: [
      ...job.target.entries.map(({ event, at, value }) => ({
        event,
        at,
        value: value(commandOf(job, event, file.path)),
      })),
      ...job.target.settings ?? [],
    ],
    ...(job.program === undefined ? {} : { program: job.program }),
  };
  if (!holdsOwn(file, job.target)) return fresh;
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

function holdsOwn(file: ConfigurationFile, target: MergeTarget): boolean {
  if (file.bytes === undefined) return false;
  const root = parseDocument(decode(file.bytes).replace(/^\ufeff/, ""), target.format);
  if (root === undefined) return false;
  const set = target.settings?.some(({ at, value }) => find(root, at)?.value === value) === true;
  return set || ownEntries(root).length > 0;
}

/** Takes the entries out again: byte for byte when nobody has changed the file since, else exactly guard's own. */
async function separate(job: MergeJob, options: ApplyOptions): Promise<Outcome> {
  return await outcomeOf(job, () => manualRemoval(job.target), async (path) => {
    const file = await readConfiguration(path);
    const receipt = await readReceipt(job.state, path);
    const nothing = { status: "absent", events: [], cut: 0 } as const;
    if (file.bytes === undefined) {
      if (receipt !== undefined && !options.dryRun) await removeReceipt(job.state, path);
      return nothing;
    }
    // Of a file in which nothing was written it does not matter whether it can be edited.
    if (receipt === undefined && !mayHoldOwn(decode(file.bytes), job.target)) return nothing;
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

/** False when no entry of guard's can be in a text, whatever its form: each calls `hook` with a host. */
function mayHoldOwn(text: string, { settings = [] }: MergeTarget): boolean {
  return settings.length > 0 || (text.includes("hook") && text.includes("--host"));
}

function plannedRemoval(
  job: MergeJob,
  bytes: Uint8Array,
  receipt: Receipt | undefined,
): { status: "restored" | "removed"; bytes: Uint8Array | undefined; cut: number } | undefined {
  const text = decode(bytes);
  const made = receipt === undefined ? undefined : { ...nothingMade, ...receipt };
  const left = uninstallFrom(text, job.target, made, receipt?.owned ?? false);
  if (left.removed === 0) return undefined;
  if (receipt?.restorable && receipt.after === hashOf(bytes) && agrees(receipt, left.text, job.target)) {
    return { status: "restored", bytes: originalOf(receipt), cut: eventsOf(job.target).length };
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
function agrees(receipt: Receipt, left: string | undefined, { format, skeleton }: MergeTarget): boolean {
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

/** The members to add by hand, as JSON. */
function manualEntries(job: MergeJob): string {
  const document: Record<string, unknown> = { ...job.target.skeleton };
  for (const entry of job.target.entries) {
    let container = document;
    for (const key of entry.at.slice(0, -1)) {
      container = (container[key] ??= {}) as Record<string, unknown>;
    }
    const list = (container[entry.at.at(-1)!] ??= []) as unknown[];
    list.push(entry.value(commandOf(job, entry.event), shellOf(job.adapter, job.around.system)));
  }
  for (const { at, value } of job.target.settings ?? []) {
    let object = document;
    for (const key of at.slice(0, -1)) object = (object[key] ??= {}) as Record<string, unknown>;
    object[at.at(-1)!] = value;
  }
  return `Add these members by hand, each entry after the ones that are there:\n${
    JSON.stringify(document, null, 2)
  }`;
}

function manualRemoval({ entries, settings = [] }: MergeTarget): string {
  const members = settings.map(({ at }) => `\`${at.join(".")}\``).join(" and ");
  return entries.length > 0
    ? "Remove by hand each entry whose command starts guard with `hook`."
    : `Remove ${members} by hand.`;
}
