/** Temporary homes for the tests of the installer. */

import { dirname, join } from "node:path";
import { configurationPath, type Job } from "../src/install/job.ts";
import type { Surroundings } from "../src/install/location.ts";
import type { HostAdapter, InstallTarget } from "../src/types.ts";

export const posix = Deno.build.os !== "windows";

/** Runs `work` with a job in a fresh home, which is removed afterwards. */
export async function inHome<T extends InstallTarget>(
  adapter: HostAdapter,
  target: T,
  work: (job: Job<T>, path: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-install-" }));
  const around: Surroundings = {
    system: target.system === "windows" ? "windows" : "linux",
    home: join(root, "home"),
    project: join(root, "project"),
    env: {},
    gitHooks: join(root, "project", ".git", "hooks"),
  };
  const job: Job<T> = {
    adapter,
    target,
    around,
    launch: { program: "/opt/guard tools/bin/guard", lead: [] },
    policy: join(root, "home", ".config", "guard", "policy.jsonc"),
    state: join(root, "state"),
    ...fileOf(target, around),
  };
  try {
    await Deno.mkdir(job.around.home);
    await Deno.mkdir(job.around.project);
    await work(job, configurationPath(job));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The path where it does not follow from the target: one file of a directory, and in the form of this system. */
function fileOf(target: InstallTarget, around: Surroundings): { readonly file?: string } {
  if (isEach(target)) return { file: join(configurationPath({ target, around }), `mine${target.each}`) };
  if (target.system === undefined) return {};
  return { file: configurationPath({ target, around: { ...around, system: posix ? "linux" : "windows" } }) };
}

/** A target that is every file of a directory, of which none is made. */
export function isEach(target: InstallTarget): target is InstallTarget & { readonly each: string } {
  return target.format !== "whole" && target.each !== undefined;
}

/** Writes a file with its directories, and returns its bytes. */
export async function put(path: string, content: string | Uint8Array): Promise<Uint8Array> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await Deno.writeFile(path, bytes);
  return bytes;
}

/** Names in the directory of a configuration; everything that guard leaves there would show. */
export async function beside(path: string): Promise<string[]> {
  const names: string[] = [];
  for await (const item of Deno.readDir(dirname(path))) names.push(item.name);
  return names.sort();
}

export async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
