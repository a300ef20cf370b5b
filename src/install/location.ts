/** Turns the locations that adapters name into absolute paths of this machine. */

import { posix, win32 } from "node:path";
import { GuardError } from "../errors.ts";
import type { System } from "../locations.ts";
import type { Location } from "../types.ts";

/** The machine and the person as the installer sees them; nothing is read from the process itself. */
export interface Surroundings {
  readonly system: System;
  /** Absolute home directory. */
  readonly home: string;
  /** Absolute directory of the project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the repository of the project keeps its hooks; undefined when it is none. */
  readonly gitHooks?: string | undefined;
}

/** Path functions of a system, independent of the one that runs. */
export function pathsOf(system: System): typeof posix {
  return system === "windows" ? win32 : posix;
}

/**
 * The absolute path of a location. The first relocating variable that is set and not empty wins.
 * Throws GuardError when its value is relative, since the host would resolve it against a directory that
 * is not known here, and when there is no repository where one is needed.
 */
export function resolveLocation(location: Location, around: Surroundings): string {
  const path = pathsOf(around.system);
  for (const { variable, segments } of location.relocatedBy ?? []) {
    const value = around.env[variable];
    if (value === undefined || value === "") continue;
    if (!path.isAbsolute(value)) {
      throw new GuardError(
        `${variable} is ${JSON.stringify(value)}, which is not an absolute path.`,
        `Set ${variable} to an absolute path, or unset it, and run the command again.`,
      );
    }
    return path.join(value, ...segments);
  }
  return path.join(baseDirectory(location.base, around), ...location.segments);
}

function baseDirectory(base: Location["base"], around: Surroundings): string {
  const path = pathsOf(around.system);
  switch (base) {
    case "home":
      return around.home;
    case "project":
      return around.project;
    case "config": {
      const variable = around.system === "windows" ? "APPDATA" : "XDG_CONFIG_HOME";
      const value = around.env[variable];
      if (value !== undefined && path.isAbsolute(value)) return value;
      return around.system === "windows"
        ? path.join(around.home, "AppData", "Roaming")
        : path.join(around.home, ".config");
    }
    case "git-hooks":
      if (around.gitHooks !== undefined) return around.gitHooks;
      throw new GuardError(
        `${around.project} is in no git repository, or git cannot be started there.`,
        "Run the command in a repository, or name one with --project DIR.",
      );
    case "system":
      return around.system === "windows" ? "C:\\ProgramData" : "/";
  }
}
