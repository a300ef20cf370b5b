/** Which command starts guard from a hook: a path that survives upgrades, or the checkout that runs now. */

import type { System } from "../locations.ts";
import type { Launch } from "./command.ts";
import { pathsOf } from "./location.ts";

/** The running program, as the installer sees it. */
export interface Running {
  readonly system: System;
  /** Path of the running executable: guard itself when compiled, else deno. */
  readonly executable: string;
  readonly compiled: boolean;
  /** Absolute path of `main.ts` when guard runs from a checkout. */
  readonly main: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A path with links resolved; undefined when it does not exist. */
  realPath(path: string): string | undefined;
}

export interface Chosen {
  readonly launch: Launch;
  /** Sentences about a place that may vanish or that others can change. */
  readonly warnings: readonly string[];
}

/** Permissions of the hook; it asks for no others. */
const permissions = ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-run"];

export function chooseLaunch(running: Running): Chosen {
  const stable = stablePath(running);
  const program = stable ?? running.executable;
  const warnings = stable === undefined ? placeWarnings(program, running) : [];
  if (running.compiled) return { launch: { program, lead: [] }, warnings };
  const folder = pathsOf(running.system).dirname(running.main);
  const config = pathsOf(running.system).join(folder, "deno.json");
  return {
    launch: {
      program,
      lead: [
        "run",
        "--quiet",
        "--no-prompt",
        "--no-lock",
        ...permissions,
        `--config=${config}`,
        running.main,
      ],
    },
    warnings: [
      ...warnings,
      `The hook runs the checkout in ${folder}: whoever can change it changes guard.`,
    ],
  };
}

interface ManagedPlace {
  /** Matches the path of an executable with slashes; groups are used in the candidates. */
  readonly pattern: RegExp;
  readonly candidates: readonly string[];
}

/** Package managers that keep a versioned copy behind a stable path. */
const managedPlaces: readonly ManagedPlace[] = [
  { pattern: /^(.*)\/Cellar\/[^/]+\/[^/]+\/bin\/([^/]+)$/, candidates: ["$1/bin/$2"] },
  { pattern: /^(.*\/scoop\/apps\/[^/]+)\/[^/]+\/(.+)$/i, candidates: ["$1/current/$2"] },
  {
    pattern: /^\/nix\/store\/[^/]+\/bin\/([^/]+)$/,
    candidates: [
      "~/.nix-profile/bin/$1",
      "~/.local/state/nix/profile/bin/$1",
      "/run/current-system/sw/bin/$1",
      "/nix/var/nix/profiles/default/bin/$1",
    ],
  },
  { pattern: /^(.*\/mise\/installs\/[^/]+)\/[^/]+\/(.+)$/, candidates: ["$1/latest/$2"] },
  { pattern: /^(.*)\/caskroom\/[^/]+\/[^/]+\/(?:.*\/)?([^/]+)$/i, candidates: ["$1/bin/$2"] },
];

/**
 * A path that the package manager keeps, when it leads to the same file now. The shims of asdf are no
 * candidates: which version they start depends on files in the current directory, and an agent can write these.
 */
export function stablePath(running: Running): string | undefined {
  const slashed = running.executable.replaceAll("\\", "/");
  const real = running.realPath(running.executable) ?? running.executable;
  for (const { pattern, candidates } of managedPlaces) {
    const match = pattern.exec(slashed);
    if (match === null) continue;
    for (const candidate of candidates) {
      const filled = candidate
        .replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "")
        .replace(/^~(?=\/)/, running.home);
      const path = running.system === "windows" ? filled.replaceAll("/", "\\") : filled;
      if (path !== running.executable && running.realPath(path) === real) return path;
    }
  }
  return undefined;
}

function placeWarnings(program: string, running: Running): string[] {
  const slashed = program.replaceAll("\\", "/");
  const warnings: string[] = [];
  if (managedPlaces.some(({ pattern }) => pattern.test(slashed))) {
    warnings.push(`${program} belongs to one version: run guard install again after an upgrade.`);
  }
  if (/\/(?:_npx|\.npm|npm-cache)\//.test(slashed)) {
    warnings.push(
      `${program} lies in a cache of npm and can vanish: install Deno, or guard itself, for good.`,
    );
  }
  const temporary = [running.env["TMPDIR"], running.env["TEMP"], running.env["TMP"], "/tmp", "/var/tmp"]
    .filter((path) => path !== undefined && path !== "")
    .map((path) => path!.replaceAll("\\", "/").replace(/\/$/, ""));
  if (temporary.some((path) => slashed.startsWith(`${path}/`))) {
    warnings.push(
      `${program} lies in a temporary directory, where it can vanish and others may write: move it to a directory ` +
        "of your own and run guard install from there.",
    );
  }
  return warnings;
}

/**
 * The first of the executable and the directories above it that everybody may write to; undefined when there is
 * none. A sticky directory such as /tmp counts only for the names in it that do not exist yet, so it does not.
 */
export async function writableByAll(path: string, system: System): Promise<string | undefined> {
  if (system === "windows") return undefined;
  const { dirname } = pathsOf(system);
  for (let at = path;; at = dirname(at)) {
    const info = await Deno.stat(at).catch(() => undefined);
    const mode = info?.mode ?? 0;
    const sticky = (mode & 0o1000) !== 0 && info?.isDirectory === true;
    if ((mode & 0o002) !== 0 && !sticky) return at;
    if (dirname(at) === at) return undefined;
  }
}
