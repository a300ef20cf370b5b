/**
 * Files that guard writes whole: hook scripts, plugins. Guard knows its file again by a stamp with a checksum, so
 * that one of an older guard is brought up to date, and one that somebody has changed, or made, is left alone.
 */

import { stampWord } from "../stamp.ts";
import type { WholeTarget } from "../types.ts";
import { difference } from "./difference.ts";
import {
  type ApplyOptions,
  argumentsOf,
  commandOf,
  type Job,
  type Outcome,
  outcomeOf,
  targetName,
} from "./job.ts";
import {
  directoriesAbove,
  hashOf,
  madeDirectories,
  readReceipt,
  type Receipt,
  removeReceipt,
  renewProgram,
  writeReceipt,
} from "./receipt.ts";
import { RefusedError } from "./refusal.ts";
import {
  type ConfigurationFile,
  decode,
  readConfiguration,
  removeDirectories,
  replaceFile,
} from "./write.ts";

/** Whose a file is: `changed` bears guard's stamp, and somebody has edited it since. */
export type Owner = "guard" | "changed" | "other";

const stampOf = (checksum: string) => stampWord + checksum;
const blank = stampOf("0".repeat(64));
const stampPattern = new RegExp(`${stampWord}[0-9a-f]{64}`, "g");

/** Whose the text of a file is. */
export function ownerOf(text: string): Owner {
  const stamps = text.match(stampPattern) ?? [];
  const [stamp] = stamps;
  if (stamp === undefined) return "other";
  return stamps.length === 1 && stamp === stampOf(hashOfText(text.replace(stampPattern, blank)))
    ? "guard"
    : "changed";
}

/** The text of the file as this guard writes it to `path`. */
export function wholeText(job: Job<WholeTarget>, path: string): string {
  const text = job.target.content({
    stamp: blank,
    line: (event) => commandOf(job, event, path),
    argv: (event) => argumentsOf(job, event),
  });
  if (text.split(blank).length !== 2) {
    throw new Error("the text of a whole file needs its stamp exactly once");
  }
  return text.replace(blank, stampOf(hashOfText(text)));
}

/** Writes the file of a host. Never throws for what a file or directory is like. */
export async function installWhole(job: Job<WholeTarget>, options: ApplyOptions): Promise<Outcome> {
  return await outcomeOf(job, () => byHand(job), async (path) => {
    const { events, executable, scope } = job.target;
    const wanted = wholeText(job, path);
    const file = await readConfiguration(path);
    const before = file.bytes === undefined ? undefined : decode(file.bytes);
    if (before !== undefined) refuseOthers(path, before);
    const mode = missingMode(file, executable);
    if (before === wanted && !options.dryRun) await renewProgram(job.state, path, job.program);
    if (before === wanted && mode === undefined) return { status: "unchanged", events, cut: 0 };
    const status = before === undefined ? "installed" : "refreshed";
    const result = { status, events, cut: 0 } as const;
    if (options.dryRun) return { ...result, difference: difference(path, before, wanted) };
    if (before !== wanted) {
      const bytes = new TextEncoder().encode(wanted);
      const known = await readReceipt(job.state, path);
      await writeReceipt(
        job.state,
        await receiptFor(job, file, before === undefined ? undefined : known, bytes),
      );
      try {
        const fresh = executable ? [0o700, 0o755] as const : [0o600, 0o644] as const;
        await replaceFile(file, bytes, scope === "user" ? fresh[0] : fresh[1], options.hooks);
      } catch (error) {
        await (known === undefined ? removeReceipt(job.state, path) : writeReceipt(job.state, known));
        throw error;
      }
    }
    if (mode !== undefined) await Deno.chmod(file.target, mode);
    return result;
  });
}

/** Removes the file of a host when it is guard's, with the directories that were made for it. */
export async function uninstallWhole(job: Job<WholeTarget>, options: ApplyOptions): Promise<Outcome> {
  const help = () => "Look whether something in it is yours, and delete it by hand.";
  return await outcomeOf(job, help, async (path) => {
    const receipt = await readReceipt(job.state, path);
    const file = await readConfiguration(path);
    const text = file.bytes === undefined ? undefined : textOf(file.bytes);
    if (text === undefined || ownerOf(text) === "other") {
      if (receipt !== undefined && !options.dryRun) await removeReceipt(job.state, path);
      return { status: "absent", events: [], cut: 0 };
    }
    refuseOthers(path, text);
    const status = receipt === undefined ? "removed" : "restored";
    const result = { status, events: [], cut: job.target.events.length } as const;
    if (options.dryRun) return { ...result, difference: difference(path, text, undefined) };
    await replaceFile(file, undefined, 0o600, options.hooks);
    await removeDirectories(directoriesAbove(file.target, receipt));
    await removeReceipt(job.state, path);
    return result;
  });
}

function refuseOthers(path: string, text: string): void {
  switch (ownerOf(text)) {
    case "guard":
      return;
    case "changed":
      throw new RefusedError(`${path} was made by guard, and somebody has changed it since.`);
    case "other":
      throw new RefusedError(`${path} is there already, and was not made by guard.`);
  }
}

/** Undefined for bytes that are no text: such a file is not guard's. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

/** The mode that an existing file needs to be executed by whoever may read it; undefined when it has it. */
function missingMode({ mode }: ConfigurationFile, executable: boolean): number | undefined {
  if (mode === undefined || !executable) return undefined;
  const wanted = mode | ((mode & 0o444) >> 2);
  return wanted === mode ? undefined : wanted;
}

async function receiptFor(
  job: Job<WholeTarget>,
  file: ConfigurationFile,
  before: Receipt | undefined,
  bytes: Uint8Array,
): Promise<Receipt> {
  return {
    version: 1,
    host: job.adapter.id,
    scope: job.target.scope,
    target: targetName(job.target),
    path: file.path,
    original: null,
    restorable: true,
    owned: true,
    after: hashOf(bytes),
    directories: before?.directories ?? await madeDirectories(job.state, file.target),
    created: [],
    filled: [],
    ...(job.program === undefined ? {} : { program: job.program }),
  };
}

function byHand(job: Job<WholeTarget>): string {
  const lines = job.target.events.map((event) => `  ${event}: ${commandOf(job, event)}`);
  return "Move that file away and run the command again, or call guard from it by hand:\n" + lines.join("\n");
}

function hashOfText(text: string): string {
  return hashOf(new TextEncoder().encode(text));
}
