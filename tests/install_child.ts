/**
 * Installs from a process of its own, for tests of races and crashes: `install_child.ts ROOT MODE`, where MODE
 * is `install`, `uninstall` or `killed` (dies before the rename).
 */

import process from "node:process";
import { install, uninstall } from "../src/install/apply.ts";
import { withLock } from "../src/install/lock.ts";
import { jobBelow } from "./install_job.ts";

const [root, mode] = Deno.args;
const job = await jobBelow(root ?? "");
const die = () => process.kill(process.pid, "SIGKILL");
const outcome = await withLock(
  job.state,
  () =>
    mode === "uninstall"
      ? uninstall(job)
      : install(job, mode === "killed" ? { hooks: { beforeRename: () => void die() } } : {}),
);
console.log(JSON.stringify(outcome));
