/** Whether decisions are written down: a hook that cannot do so answers all the same and says nothing. */

import { auditFiles, auditPath, parseAudit } from "../audit.ts";
import { type Check, ok, problem } from "./check.ts";
import { doctorSession } from "./session.ts";

/** Opens the log for appending, as a hook does, and writes nothing. The directory is made when it is missing. */
export async function checkLog(state: string): Promise<Check> {
  const path = auditPath(state);
  try {
    const info = await Deno.lstat(path).catch(() => undefined);
    if (info !== undefined && !info.isFile) {
      return problem(
        "log",
        `${path} is not a regular file, so decisions are not written down.`,
        `Remove ${path}.`,
      );
    }
    if (info === undefined) {
      await Deno.mkdir(state, { recursive: true, mode: 0o700 });
      const trial = `${path}.${crypto.randomUUID()}`;
      await Deno.writeTextFile(trial, "", { createNew: true, mode: 0o600 });
      await Deno.remove(trial);
    } else {
      using _handle = await Deno.open(path, { append: true });
    }
    return ok("log", `${path} can be written.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return problem(
      "log",
      `${path} cannot be written, so decisions are not written down: ${why}`,
      `Make ${state} a directory that you can write to.`,
    );
  }
}

/** Most of a log's end that is looked at, in bytes: far more than one run of doctor leaves. */
const tailLimit = 1024 * 1024;

/**
 * Whether the hooks that doctor has started left their records: a full disk or a quota shows only so.
 *
 * @param since Milliseconds since 1970 at which the first of them was started.
 */
export async function checkRecords(state: string, since: number): Promise<Check> {
  for (const path of auditFiles(state).slice(-2)) {
    const { records } = parseAudit(await endOf(path));
    if (records.some((one) => one.session === doctorSession && Date.parse(one.time) >= since)) {
      return ok("log", `The hooks that were tried are written down in ${auditPath(state)}.`);
    }
  }
  return problem(
    "log",
    `The hooks that were tried answered, and are not written down in ${auditPath(state)}; is the disk full?`,
    `Make room, and let ${state} be a directory that you can write to.`,
  );
}

/** The last `most` bytes of a regular file as text; empty when it cannot be read. */
export async function endOf(path: string, most = tailLimit): Promise<string> {
  try {
    if (!(await Deno.lstat(path)).isFile) return "";
    using file = await Deno.open(path);
    const { size } = await file.stat();
    await file.seek(Math.max(0, size - most), Deno.SeekMode.Start);
    return await new Response(file.readable).text();
  } catch {
    return "";
  }
}
