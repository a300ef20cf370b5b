/** Which hosts and files a command is about. */

import { adapterIds, loadAdapter } from "../../adapters/registry.ts";
import { GuardError, UsageError } from "../errors.ts";
import type { HostAdapter, InstallTarget } from "../types.ts";
import { detectHost } from "./detect.ts";
import { configurationPath, type Job, type Outcome } from "./job.ts";
import { pathsOf } from "./location.ts";
import type { Machine } from "./machine.ts";

/** Whose configuration is edited. */
export type Scope = InstallTarget["scope"];

/** All adapters, in the order of the registry. */
export async function allAdapters(): Promise<HostAdapter[]> {
  const adapters: HostAdapter[] = [];
  for (const id of adapterIds) {
    const adapter = await loadAdapter(id);
    if (adapter !== undefined) adapters.push(adapter);
  }
  return adapters;
}

/**
 * The adapters with these ids or aliases, each once. Throws UsageError for an unknown one, which names the nearest behind
 * `command`, or else the command that lists all.
 */
export async function namedAdapters(
  names: readonly string[],
  command = "guard install --host",
): Promise<HostAdapter[]> {
  const adapters = new Set<HostAdapter>();
  for (const name of names.flatMap((list) => list.split(",")).filter((part) => part !== "")) {
    const adapter = await loadAdapter(name);
    if (adapter === undefined) {
      const near = nearest(name);
      throw new UsageError(
        `The host ${JSON.stringify(name)} is not known; known are ${adapterIds.join(", ")}.`,
        near === undefined ? "guard hosts" : `${command} ${near}`,
      );
    }
    adapters.add(adapter);
  }
  return [...adapters];
}

/** The known id that shares the longest beginning; undefined when none shares any. */
function nearest(name: string): string | undefined {
  const shared = (id: string) => {
    let length = 0;
    while (length < id.length && id[length] === name.toLowerCase()[length]) length++;
    return length;
  };
  const [near] = adapterIds.toSorted((a, b) => shared(b) - shared(a));
  return near !== undefined && shared(near) > 0 ? near : undefined;
}

/** The hosts that are on this machine, with what gave them away. A relocation that cannot be used counts as none. */
export async function detectedHosts(
  machine: Machine,
): Promise<{ adapter: HostAdapter; found: readonly string[] }[]> {
  const hosts: { adapter: HostAdapter; found: readonly string[] }[] = [];
  for (const adapter of await allAdapters()) {
    try {
      const { found } = await detectHost(adapter, machine.around);
      if (found.length > 0) hosts.push({ adapter, found });
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
    }
  }
  return hosts;
}

/** The installation of one target on this machine. */
export function jobFor(adapter: HostAdapter, target: InstallTarget, machine: Machine): Job {
  return {
    adapter,
    target,
    around: machine.around,
    launch: machine.chosen.launch,
    policy: machine.places.policy,
    state: machine.places.state,
  };
}

/** The targets of a host in some scopes. Where two scopes share a file, only the first of them counts. */
export function jobsFor(adapter: HostAdapter, scopes: readonly Scope[], machine: Machine): Job[] {
  const jobs: Job[] = [];
  const files = new Set<string>();
  for (const scope of scopes) {
    for (const target of adapter.install.filter((one) => one.scope === scope && isHere(one, machine))) {
      for (const job of eachOf(jobFor(adapter, target, machine))) {
        const file = pathOrNothing(job);
        if (file !== undefined && files.has(file)) continue;
        if (file !== undefined) files.add(file);
        jobs.push(job);
      }
    }
  }
  return jobs;
}

/** The job, or one for each file in its directory. */
function eachOf(job: Job): Job[] {
  const { target } = job;
  if (target.format === "whole" || target.each === undefined) return [job];
  const folder = pathOrNothing(job);
  const ending = target.each;
  if (folder === undefined) return [job];
  try {
    return [...Deno.readDirSync(folder)]
      .filter((item) => !item.isDirectory && item.name.endsWith(ending) && !item.name.startsWith("."))
      .map(({ name }) => ({ ...job, file: pathsOf(job.around.system).join(folder, name) }))
      .toSorted((a, b) => a.file < b.file ? -1 : 1);
  } catch {
    return [];
  }
}

function isHere({ system }: InstallTarget, { around }: Machine): boolean {
  return system === undefined || (system === "windows") === (around.system === "windows");
}

/** Sentences about a scope of this machine in which this host cannot be stopped by a hook. */
export function unenforcedIn(
  adapter: HostAdapter,
  scope: Scope,
  { around }: Pick<Machine, "around">,
): string[] {
  return (adapter.unenforced ?? [])
    .filter((one) => (one.scope ?? scope) === scope && (one.system ?? around.system) === around.system)
    .map(({ why }) => why);
}

/** What an installation comes to where a host has nothing to install into: nothing is written. */
export function nothingToInstall(adapter: HostAdapter, scope: Scope, machine: Machine): Outcome {
  const reasons = unenforcedIn(adapter, scope, machine);
  const other = (["user", "project"] as const).find((one) =>
    one !== scope && jobsFor(adapter, [one], machine).length > 0
  );
  return {
    host: adapter.id,
    title: adapter.title,
    scope,
    file: "",
    status: "unenforced",
    events: [],
    cut: 0,
    message: reasons.join(" ") || `${adapter.title} has no hooks of this scope.`,
    ...(other === undefined ? {} : { manual: `Run: guard install --host ${adapter.id} --scope ${other}` }),
  };
}

/** Undefined when a relocating variable has a value that leads nowhere; installing says so. */
export function pathOrNothing(job: Job): string | undefined {
  try {
    return configurationPath(job);
  } catch (error) {
    if (error instanceof GuardError) return undefined;
    throw error;
  }
}
