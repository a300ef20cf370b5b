/** The running process as the installer sees it. */

import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../errors.ts";
import { homeDirectory, type Locations, locations, runningSystem } from "../locations.ts";
import { chooseLaunch, type Chosen } from "./executable.ts";
import type { Surroundings } from "./location.ts";

/** What the installer needs to know about this machine and process. */
export interface Machine {
  readonly around: Surroundings;
  readonly chosen: Chosen;
  readonly places: Locations;
}

/**
 * `project`: the directory that was asked for; default is the repository around the current directory. Throws
 * UsageError where the environment names a home that hosts would look for in every directory anew.
 */
export function thisMachine(project?: string): Machine {
  const env = Deno.env.toObject();
  const system = runningSystem();
  const variable = system === "windows" ? "USERPROFILE" : "HOME";
  const named = env[variable];
  if (named !== undefined && named !== "" && !isAbsolute(named)) {
    throw new UsageError(
      `expected ${variable} to be an absolute path, found ${JSON.stringify(named)}`,
      system === "windows" ? "set USERPROFILE=C:\\Users\\you" : "export HOME=/home/you",
    );
  }
  const home = homeDirectory();
  const chosen = chooseLaunch({
    system,
    executable: Deno.execPath(),
    compiled: Deno.build.standalone,
    main: fileURLToPath(new URL("../../main.ts", import.meta.url)),
    home,
    env,
    realPath: (path) => {
      try {
        return Deno.realPathSync(path);
      } catch {
        return undefined;
      }
    },
  });
  const directory = projectDirectory(project, Deno.cwd(), home);
  let hooks: { readonly path: string | undefined } | undefined;
  return {
    around: {
      system,
      home,
      project: directory,
      env,
      get gitHooks() {
        hooks ??= { path: gitHooksOf(directory) };
        return hooks.path;
      },
    },
    chosen,
    places: locations(),
  };
}

/**
 * The directory of the project: as given, else the nearest one with `.git` below home, else the current one.
 * Throws UsageError when the one that is given is no directory.
 */
function projectDirectory(given: string | undefined, cwd: string, home: string): string {
  if (given !== undefined) return existingDirectory(isAbsolute(given) ? given : resolve(cwd, given));
  for (let at = cwd; at !== home && dirname(at) !== at; at = dirname(at)) {
    if (exists(`${at}/.git`)) return at;
  }
  return cwd;
}

/** What git says about a directory's repository, which may keep its hooks elsewhere; undefined when it says nothing. */
function gitHooksOf(directory: string): string | undefined {
  try {
    const { success, stdout } = new Deno.Command("git", {
      args: ["-C", directory, "rev-parse", "--git-path", "hooks"],
      stderr: "null",
    }).outputSync();
    const path = new TextDecoder().decode(stdout).trimEnd();
    return success && path !== "" ? resolve(directory, path) : undefined;
  } catch {
    return undefined;
  }
}

function existingDirectory(path: string): string {
  try {
    if (Deno.statSync(path).isDirectory) return path;
  } catch {
    // It does not exist, or may not be looked at.
  }
  throw new UsageError(`expected --project to be a directory, found none at ${path}`);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
