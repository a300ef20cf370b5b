/** Runs `guard hook` as a host does: as a process, with a temporary home. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HookReply } from "../src/types.ts";

/** A way to start guard: from source, or the compiled executable. */
export interface Target {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** From source, and the executable that `GUARD_BINARY` names. */
export function targets(): readonly Target[] {
  const binary = Deno.env.get("GUARD_BINARY");
  return [
    { name: "source", command: Deno.execPath(), args: ["run", "-A", "--no-check", main] },
    ...(binary === undefined ? [] : [{ name: "executable", command: binary, args: [] }]),
  ];
}

/** A temporary home with a project in it. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly policy: string;
  readonly state: string;
  remove(): void;
}

export function makePlace(): Place {
  // Not below the system's directory for temporary files, which guard treats as scratch space.
  const base = join(fileURLToPath(new URL("../", import.meta.url)), ".cache");
  Deno.mkdirSync(base, { recursive: true });
  const root = Deno.makeTempDirSync({ dir: base, prefix: "hook-" });
  const home = join(root, "home", "kim");
  const project = join(home, "app");
  Deno.mkdirSync(join(project, ".git"), { recursive: true });
  Deno.mkdirSync(join(home, ".ssh"));
  return {
    root,
    home,
    project,
    policy: join(home, "policy.jsonc"),
    state: join(root, "state"),
    remove: () => Deno.removeSync(root, { recursive: true }),
  };
}

export interface RunOptions {
  readonly args: readonly string[];
  readonly place: Place;
  readonly stdin: Uint8Array;
  /** Leaves stdin open after the bytes, as some hosts do. */
  readonly keepOpen?: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunResult extends HookReply {
  readonly milliseconds: number;
}

/** The whole environment of the hook: nothing of the person who runs the tests. */
export function environment(place: Place): Record<string, string> {
  const kept = ["PATH", "SystemRoot", "DENO_DIR", "TEMP", "TMP"];
  const env = Object.fromEntries(kept.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
  return {
    ...env,
    // From source, the module cache stays where it is although the home is another one.
    ...(env.DENO_DIR === undefined ? defaultCache() : {}),
    HOME: place.home,
    USERPROFILE: place.home,
    // The checkout around the place is a repository, too.
    GIT_CEILING_DIRECTORIES: place.root,
  };
}

function defaultCache(): Record<string, string> {
  const home = Deno.env.get("HOME");
  return home === undefined || Deno.build.os !== "linux" ? {} : { DENO_DIR: join(home, ".cache", "deno") };
}

export async function runHook(target: Target, options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const child = new Deno.Command(target.command, {
    args: [...target.args, "hook", ...options.args],
    cwd: options.cwd ?? options.place.project,
    clearEnv: true,
    env: options.env ?? environment(options.place),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(options.stdin).catch(() => {/* The hook has answered without reading all. */});
  if (options.keepOpen !== true) {
    await written;
    await writer.close().catch(() => {/* Closed by the other side already. */});
  }
  const { code, stdout, stderr } = await child.output();
  const milliseconds = performance.now() - started;
  if (options.keepOpen === true) await writer.abort().catch(() => {/* The pipe is gone with its reader. */});
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr), exitCode: code, milliseconds };
}

/** How a command of guard ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GuardOptions {
  readonly stdin?: string;
  /** Variables beside those of the place. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the project of the place. */
  readonly cwd?: string;
}

/** Runs any command of guard to its end, with nothing but the place around it. */
export async function runGuard(
  target: Target,
  place: Place,
  args: readonly string[],
  { stdin = "", env, cwd = place.project }: GuardOptions = {},
): Promise<Ended> {
  const child = new Deno.Command(target.command, {
    args: [...target.args, ...args],
    cwd,
    clearEnv: true,
    env: { ...environment(place), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const written = new Blob([stdin]).stream().pipeTo(child.stdin).catch(() => {/* It did not read all. */});
  const { code, stdout, stderr } = await child.output();
  await written;
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Adds tests of a target, each in a place of its own. */
export function testsIn(
  { name: target }: Target,
): (name: string, run: (place: Place) => Promise<void>) => void {
  return (name, run) =>
    Deno.test(`${target}: ${name}`, async () => {
      const place = makePlace();
      try {
        await run(place);
      } finally {
        place.remove();
      }
    });
}
