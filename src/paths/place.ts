/** Where on the machine a path lies. Paths are in normal form, see normal.ts. */

import type { Context } from "../types.ts";
import { below, isWithin, normalise, parentOf, rootOf, windowsView } from "./normal.ts";

/** Class of a path. */
export type Place =
  | "root"
  /** A directory of the operating system, or something that lies close below one. */
  | "system"
  /** The directory that holds the homes of all users. */
  | "homes"
  | "home"
  | "other-home"
  /** A directory that holds the workspace. */
  | "ancestor"
  | "workspace"
  | "inside"
  | "temp-root"
  | "temp"
  /** A harmless device such as /dev/null. */
  | "null-device"
  | "device"
  | "elsewhere";

const posixSystem = [
  "/etc",
  "/usr",
  "/bin",
  "/sbin",
  "/var",
  "/boot",
  "/lib",
  "/lib32",
  "/lib64",
  "/sys",
  "/proc",
  "/run",
  "/opt",
  "/root",
  "/srv",
  "/mnt",
  "/media",
  "/snap",
  "/nix",
  "/System",
  "/Library",
  "/Applications",
  "/Volumes",
  "/private",
  "/private/etc",
  "/private/var",
  "/cores",
  "/usr/bin",
  "/usr/lib",
  "/usr/local",
  "/usr/sbin",
  "/usr/share",
  "/usr/local/bin",
  "/usr/local/lib",
  "/var/lib",
  "/var/log",
  "/var/db",
  "/var/www",
  "/var/spool",
  "/System/Library",
  "/opt/homebrew",
] as const;

/** Directories of which every file belongs to the system, at any depth. */
const posixSystemTrees = [
  "/etc",
  "/bin",
  "/sbin",
  "/boot",
  "/lib",
  "/lib64",
  "/sys",
  "/proc",
  "/usr/bin",
  "/usr/sbin",
  "/usr/lib",
  "/System",
  "/private/etc",
  "/Library/LaunchDaemons",
] as const;

const windowsSystem = ["Windows", "Program Files", "Program Files (x86)", "ProgramData", "Recovery", "Boot"];

const harmlessDevices = new Set([
  "/dev/null",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/stdin",
  "/dev/tty",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/ptmx",
]);

/** The same path in one case, where the volume compares without case. */
export function folded(path: string, context: Pick<Context, "caseInsensitive">): string {
  return context.caseInsensitive ? path.toLowerCase() : path;
}

/** Normal form of a path that the context gives (home, workspace, temporary …). */
export function contextPath(path: string, context: Pick<Context, "windows">): string {
  return normalise(path, "/", context);
}

/** Places a path; `path` is in normal form. */
export function placeOf(path: string, context: Context): Place {
  const at = folded(path, context);
  const workspace = folded(contextPath(context.workspace, context), context);
  const home = folded(contextPath(context.home, context), context);
  const root = rootOf(at);
  if (at === root || at === root.slice(0, -1)) return "root";
  if (at === workspace) return at === home ? "home" : "workspace";
  if (at === home) return "home";
  if (isWithin(at, "/dev")) {
    return harmlessDevices.has(at) || isWithin(at, "/dev/fd")
      ? "null-device"
      : isWithin(at, "/dev/shm")
      ? (at === "/dev/shm" ? "temp-root" : "temp")
      : "device";
  }
  if (isWithin(home, at) && at !== home) return "homes";
  if (isWithin(workspace, at)) return "ancestor";
  if (isWithin(at, workspace)) return "inside";
  const temporary = temporaryPlace(at, home, context);
  if (temporary !== undefined) return temporary;
  if (at === "/home" || at === "/Users" || at === "/users") return "homes";
  const windows = /^[A-Za-z]:/.test(at) ? at : windowsView(path);
  if (windows !== undefined) {
    const place = windowsPlace(windows);
    if (place !== undefined) return place;
  }
  if (isWithin(at, home)) return "elsewhere";
  if (/^\/(?:home|[Uu]sers)\/[^/]+$/.test(at)) return "other-home";
  const system: readonly string[] = context.caseInsensitive
    ? posixSystem.map((one) => one.toLowerCase())
    : posixSystem;
  const trees: readonly string[] = context.caseInsensitive
    ? posixSystemTrees.map((one) => one.toLowerCase())
    : posixSystemTrees;
  if (system.includes(at) || trees.some((tree) => isWithin(at, tree))) return "system";
  return "elsewhere";
}

function temporaryPlace(at: string, home: string, context: Context): Place | undefined {
  for (const written of context.temporary) {
    const temporary = folded(contextPath(written, context), context);
    if (temporary === home || temporary === "/") continue;
    if (at === temporary) return "temp-root";
    if (isWithin(at, temporary)) return "temp";
  }
  // /var/folders/xx/yyyy/T is a user's own temporary root on macOS.
  const folders = below(at, "/private/var/folders") ?? below(at, "/var/folders");
  if (folders !== undefined) return folders.split("/").length > 3 ? "temp" : "temp-root";
  return undefined;
}

function windowsPlace(path: string): Place | undefined {
  const lower = path.toLowerCase();
  const [first = "", second, third] = lower.slice(3).split("/");
  if (first === "") return "root";
  if (first === "users") {
    if (second === undefined) return "homes";
    if (third === undefined) return "other-home";
    if (lower.slice(3).split("/").slice(2, 5).join("/") === "appdata/local/temp") {
      return lower.slice(3).split("/").length === 5 ? "temp-root" : "temp";
    }
    return undefined;
  }
  if (windowsSystem.some((name) => name.toLowerCase() === first)) {
    if (second === undefined || first === "windows" || first === "boot") return "system";
  }
  return undefined;
}

const buildNames = new Set([
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  ".venv",
  "venv",
  "__pycache__",
  ".next",
  ".nuxt",
  ".output",
  ".svelte-kit",
  ".astro",
  ".turbo",
  ".parcel-cache",
  ".vite",
  ".cache",
  "coverage",
  ".coverage",
  ".nyc_output",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".nox",
  ".gradle",
  ".eggs",
  "htmlcov",
  ".angular",
  ".dart_tool",
  "DerivedData",
  "storybook-static",
  "playwright-report",
  "test-results",
  "bower_components",
  ".terraform",
  "_build",
  "elm-stuff",
  ".docusaurus",
  ".serverless",
  ".webpack",
  ".rollup.cache",
  ".eslintcache",
  ".tsbuildinfo",
]);

/** True for regenerable output of builds and tests inside the workspace, and for what lies below it. */
export function isBuildOutput(path: string, context: Context): boolean {
  const inner = below(folded(path, context), folded(contextPath(context.workspace, context), context));
  if (inner === undefined) return false;
  return inner.split("/").some((name) => isBuildName(name));
}

/** True for a name that tools create and recreate by themselves. */
export function isBuildName(name: string): boolean {
  return buildNames.has(name) || buildNames.has(name.toLowerCase()) || name.endsWith(".egg-info") ||
    name.startsWith("cmake-build-");
}

const scratchSuffixes = [
  ".log",
  ".tmp",
  ".temp",
  ".pyc",
  ".pyo",
  ".o",
  ".obj",
  ".class",
  ".swp",
  ".swo",
  ".bak",
  ".orig",
  ".rej",
  ".tsbuildinfo",
  ".pid",
  ".out",
  ".cache",
  ".map",
  ".gcda",
  ".gcno",
  ".profraw",
  "~",
];

/** Files that package managers write by themselves at the next installation. */
const lockFiles = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "cargo.lock",
  "poetry.lock",
  "pdm.lock",
  "uv.lock",
  "pipfile.lock",
  "gemfile.lock",
  "composer.lock",
  "go.sum",
  "mix.lock",
  "pubspec.lock",
  "podfile.lock",
  "package.resolved",
  "flake.lock",
]);

/** True for lock files of package managers. */
export function isLockFile(name: string): boolean {
  return lockFiles.has(name.toLowerCase());
}

/** True for names of logs, scratch files and intermediate results: nobody misses them. */
export function isScratchName(name: string): boolean {
  const lower = name.toLowerCase();
  return scratchSuffixes.some((suffix) => lower.endsWith(suffix)) ||
    ["nohup.out", ".ds_store", "thumbs.db", "core", ".eslintcache", "desktop.ini"].includes(lower) ||
    isBuildName(name);
}

/** True for the version-control data of any repository, or something in it. */
export function isVersionControl(path: string): boolean {
  return /\/\.(?:git|hg|svn|jj)(?:\/|$)/i.test(path);
}

/** The version-control directory itself: `…/.git`. */
export function isVersionControlRoot(path: string): boolean {
  return /\/\.(?:git|hg|svn|jj)$/i.test(path);
}

/** The directory that holds a path, unless that is a root. */
export function holder(path: string): string {
  return parentOf(path);
}
