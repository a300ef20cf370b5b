/** Directories that the command line is about. */

import { isAbsolute, resolve } from "node:path";
import { makeContext } from "../context.ts";
import { diskFacts } from "../facts/disk.ts";
import { homeDirectory } from "../locations.ts";

/** The workspace that a directory belongs to, as for a hook whose host names none. */
export function workspaceIn(cwd: string | undefined): string {
  const home = homeDirectory();
  const processDirectory = currentDirectory(home);
  return makeContext({
    call: { event: "pre_tool", cwd: absoluteDirectory(cwd, processDirectory) },
    home,
    processDirectory,
    facts: diskFacts({ git: false }),
    os: Deno.build.os,
    env: Deno.env.get,
  }).workspace;
}

/** Windows and POSIX forms of absolute directories stay; the rest is below the current directory. */
export function absoluteDirectory(cwd: string | undefined, base: string): string {
  if (cwd === undefined) return base;
  return isAbsolute(cwd) || /^(?:[A-Za-z]:[\\/]|\\\\)/.test(cwd) ? cwd : resolve(base, cwd);
}

/** The current directory may have been removed. */
export function currentDirectory(home: string): string {
  try {
    return Deno.cwd();
  } catch {
    return home;
  }
}
