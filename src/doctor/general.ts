/** What does not depend on a host: policy, executable. */

import { writableByAll } from "../install/executable.ts";
import type { Machine } from "../install/machine.ts";
import { checksumOf, lookAt, type Program } from "../install/program.ts";
import { listReceipts } from "../install/receipt.ts";
import { type LoadedPolicy, problemText } from "../policy/load.ts";
import { version } from "../version.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Whether the policies can be read and used. */
export function checkPolicy(loaded: LoadedPolicy): Check[] {
  const checks = loaded.problems.map((found) =>
    found.broken && found.layer !== "project"
      ? problem("policy", problemText(found), "guard policy")
      : note("policy", problemText(found), "guard policy")
  );
  if (loaded.policy.mode === "observe") {
    checks.push(
      note(
        "policy",
        "The policy's mode is observe: everything is logged, nothing is blocked.",
        "guard policy",
      ),
    );
  }
  if (checks.length > 0) return checks;
  const files = loaded.files.filter((file) => file.present).map((file) => file.path);
  return [ok("policy", files.length === 0 ? "The built-in policy holds." : `Valid: ${files.join(", ")}.`)];
}

/** Whether the executable is there and cannot be replaced by others. */
export async function checkExecutable(machine: Machine): Promise<Check[]> {
  const { program } = machine.chosen.launch;
  const checks: Check[] = machine.chosen.warnings.map((warning) => note("executable", warning));
  const open = await writableByAll(program, machine.around.system);
  if (open !== undefined) {
    checks.push(
      problem("executable", `Everybody may write to ${open}, and so replace guard.`, `chmod o-w ${open}`),
    );
  }
  return checks.length > 0 ? checks : [ok("executable", `Hooks start ${program}.`)];
}

/**
 * Whether the executables that the receipts name are the ones that were installed, by their checksums.
 *
 * @param state Guard's state directory, which holds the receipts.
 */
export async function checkPrograms(state: string): Promise<Check[]> {
  const programs = new Map<string, { readonly program: Program; readonly hosts: Set<string> }>();
  for (const { host, program } of await listReceipts(state)) {
    if (program === undefined) continue;
    const key = JSON.stringify(program);
    const known = programs.get(key) ?? { program, hosts: new Set() };
    known.hosts.add(host);
    programs.set(key, known);
  }
  const checksums = new Map<string, string | undefined>();
  const checks: Check[] = [];
  for (const { program, hosts } of programs.values()) {
    const { path } = program;
    // Without a file the host blocks, and the check of its command tells so.
    if (lookAt(path) === undefined) continue;
    if (!checksums.has(path)) checksums.set(path, await checksumOf(path));
    checks.push(compared(program, checksums.get(path), `guard install --host ${[...hosts].join(" ")}`));
  }
  return checks;
}

function compared(program: Program, sha256: string | undefined, renew: string): Check {
  const { path } = program;
  if (sha256 === undefined) {
    return problem("executable", `${path}, which was installed, cannot be read.`, `Look at ${path}.`);
  }
  if (sha256 === program.sha256) {
    return ok("executable", `${path} is the executable that was installed (SHA-256 ${sha256}).`);
  }
  if (program.version !== version) {
    return note(
      "executable",
      `${path} was guard ${program.version} when it was installed; this is guard ${version}.`,
      renew,
    );
  }
  return problem(
    "executable",
    `${path} is not the executable that was installed: expected SHA-256 ${program.sha256}, found ${sha256}.`,
    `If you have replaced it: ${renew}. If not, get guard anew from where you have it from.`,
  );
}
