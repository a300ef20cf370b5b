/** What does not depend on a host: policy, executable. */

import { writableByAll } from "../install/executable.ts";
import type { Machine } from "../install/machine.ts";
import { type LoadedPolicy, problemText } from "../policy/load.ts";
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
