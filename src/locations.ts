/** Where guard keeps its policy and its state, by system and environment. */

import { node, posix } from "./native_path.ts";

/** Systems between which places differ. */
export type System = "linux" | "darwin" | "windows";

/** What places depend on. */
export interface LocationOptions {
  /** Default: the running system. Everything that is neither macOS nor Windows counts as `linux`. */
  readonly system?: System;
  /** Reads an environment variable; default: the process environment. */
  readonly env?: (name: string) => string | undefined;
  /** Home directory when the environment names none; default: asked from the system. */
  readonly home?: string;
}

/** Absolute paths of guard's own files. */
export interface Locations {
  /** The user's policy file. */
  readonly policy: string;
  /** The administrator's policy file. */
  readonly managed: string;
  /** Directory of the audit log, permissions, pending codes and receipts. */
  readonly state: string;
}

/** The system this process runs on. */
export function runningSystem(): System {
  const os = Deno.build.os;
  return os === "windows" ? "windows" : os === "darwin" ? "darwin" : "linux";
}

/** Absolute home directory of the user: `HOME` (`USERPROFILE` on Windows), else what the system says. */
export function homeDirectory(options: LocationOptions = {}): string {
  const system = options.system ?? runningSystem();
  const env = options.env ?? Deno.env.get;
  const path = system === "windows" ? node().getBuiltinModule("node:path").win32 : posix;
  const named = env(system === "windows" ? "USERPROFILE" : "HOME");
  if (named !== undefined && path.isAbsolute(named)) return path.normalize(named);
  if (options.home !== undefined) return options.home;
  const os = node().getBuiltinModule("node:os");
  // The first takes the variable at its word where it is set, the second asks the system's list of users.
  for (const tell of [() => os.homedir(), () => os.userInfo().homedir]) {
    try {
      const told = tell();
      if (path.isAbsolute(told)) return path.normalize(told);
    } catch {
      // Nobody knows; the root below is a place where nothing is found.
    }
  }
  return system === "windows" ? "C:\\" : "/";
}

/**
 * Default locations. Relative values of `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `APPDATA` and `LOCALAPPDATA`
 * are ignored, as the XDG base directory specification demands.
 */
export function locations(options: LocationOptions = {}): Locations {
  const system = options.system ?? runningSystem();
  const env = options.env ?? Deno.env.get;
  const path = system === "windows" ? node().getBuiltinModule("node:path").win32 : posix;
  const from = (variable: string, ...fallback: string[]): string => {
    const value = env(variable);
    if (value !== undefined && path.isAbsolute(value)) return path.normalize(value);
    return path.join(homeDirectory(options), ...fallback);
  };
  const managed = managedPolicy(system, env);
  if (system === "windows") {
    return {
      policy: path.join(from("APPDATA", "AppData", "Roaming"), "guard", "policy.jsonc"),
      managed,
      state: path.join(from("LOCALAPPDATA", "AppData", "Local"), "guard"),
    };
  }
  return {
    policy: path.join(from("XDG_CONFIG_HOME", ".config"), "guard", "policy.jsonc"),
    managed,
    state: path.join(from("XDG_STATE_HOME", ".local", "state"), "guard"),
  };
}

/**
 * The administrator's policy file. On Windows it lies below the system's program data, whose place is a
 * constant here: `ProgramData` in the environment could be set by the process that starts the hook.
 */
export function managedPolicy(system: System = runningSystem(), env?: LocationOptions["env"]): string {
  if (system === "darwin") return "/Library/Application Support/guard/policy.jsonc";
  if (system !== "windows") return "/etc/guard/policy.jsonc";
  const drive = env?.("SystemDrive");
  const root = drive !== undefined && /^[A-Za-z]:$/.test(drive) ? drive : "C:";
  return `${root}\\ProgramData\\guard\\policy.jsonc`;
}

/** The project's policy file, which can only tighten. */
export function projectPolicy(workspace: string, system: System = runningSystem()): string {
  return (system === "windows" ? node().getBuiltinModule("node:path").win32 : posix).join(
    workspace,
    ".guard",
    "policy.jsonc",
  );
}
