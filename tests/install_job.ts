/** The installation that tests of races and crashes make, in this process and in others. */

import { join } from "node:path";
import type { Job } from "../src/install/job.ts";
import type { MergeTarget } from "../src/types.ts";
import { allAdapters } from "../src/install/hosts.ts";

/** The job of a host's user target with everything below `root`. */
export async function jobBelow(root: string): Promise<Job<MergeTarget>> {
  const adapter = (await allAdapters()).find(({ id }) => id === "claude");
  const target = adapter?.install.find((candidate) => candidate.scope === "user");
  if (adapter === undefined || target === undefined || target.format === "whole") {
    throw new Error("the registry has no host to install into");
  }
  return {
    adapter,
    target,
    around: { system: "linux", home: root, project: join(root, "project"), env: {} },
    launch: { program: "/opt/guard/guard", lead: [] },
    policy: join(root, "policy.jsonc"),
    state: join(root, "state"),
  };
}
