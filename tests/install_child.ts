/**
 * Installs into the first host's user configuration from a process of its own, for tests of races and crashes:
 * `install_child.ts ROOT MODE`, where MODE is `install`, `uninstall` or `killed` (dies before the rename).
 */

import { join } from "node:path";
import process from "node:process";
import { install, type Job, uninstall } from "../src/install/apply.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { withLock } from "../src/install/lock.ts";

/** The job of the first host's user target with everything below `root`. */
export async function childJob(root: string): Promise<Job> {
  const [adapter] = await allAdapters();
  const target = adapter?.install.find((candidate) => candidate.scope === "user");
  if (adapter === undefined || target === undefined) throw new Error("the registry has no host to install into");
  return {
    adapter,
    target,
    around: { system: "linux", home: root, project: join(root, "project"), env: {} },
    launch: { program: "/opt/guard/guard", lead: [] },
    policy: join(root, "policy.jsonc"),
    state: join(root, "state"),
  };
}

if (import.meta.main) {
  const [root, mode] = Deno.args;
  const job = await childJob(root ?? "");
  const die = () => process.kill(process.pid, "SIGKILL");
  const outcome = await withLock(job.state, () =>
    mode === "uninstall"
      ? uninstall(job)
      : install(job, mode === "killed" ? { hooks: { beforeRename: die } } : {}));
  console.log(JSON.stringify(outcome));
}
