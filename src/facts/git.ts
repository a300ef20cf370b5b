/**
 * The state of a repository, asked from git itself.
 *
 * The repository is not trusted: its configuration and attributes can name programs that git would start.
 * Only commands that need none of them are used, and what could start one is overridden. Time is bounded for
 * the whole judging; out of time, every answer is undefined and rules take the stricter verdict.
 */

import { native, node } from "../native_path.ts";
import type { GitFacts } from "../types.ts";
import { realPath } from "./real_path.ts";

const [sep, delimiter] = Deno.build.os === "windows" ? ["\\", ";"] as const : ["/", ":"] as const;

/** How git is asked. */
export interface GitOptions {
  /** Value of PATH; git is looked up in its absolute entries only. */
  readonly path: string | undefined;
  /** Absolute directories from which git is never started: the workspace, temporary directories. */
  readonly untrusted: readonly string[];
  /** Milliseconds for everything together; 300 when absent. */
  readonly budget?: number;
}

const defaultBudget = 300;
/** Most bytes of one answer; more counts as not known. */
const outputLimit = 16 * 1024 * 1024;

/** Settings that could start a program or reach the network, with values that do not. */
export const neutralSettings: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", Deno.build.os === "windows" ? "NUL" : "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.askPass", ""],
  ["core.alternateRefsCommand", "false"],
  ["core.untrackedCache", "false"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["protocol.allow", "never"],
  ["submodule.recurse", "false"],
  ["diff.ignoreSubmodules", "all"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["log.showSignature", "false"],
  ["status.submoduleSummary", "false"],
];

/**
 * Looks up repositories. The returned function takes an absolute path, existing or not, and gives undefined
 * when no repository holds it or no trustworthy git is installed.
 */
export function gitLookup(options: GitOptions): (path: string) => GitFacts | undefined {
  const known = new Map<string, GitFacts | undefined>();
  const rootOf = rootLookup();
  let run: Run | undefined | false = false;
  return (path) => {
    const root = native.isAbsolute(path) ? rootOf(path) : undefined;
    if (root === undefined) return undefined;
    if (run === false) {
      const program = findGit(options);
      run = program === undefined ? undefined : runner(program, options.budget ?? defaultBudget);
    }
    if (run === undefined) return undefined;
    if (!known.has(root)) known.set(root, repository(root, run));
    return known.get(root);
  };
}

/**
 * Gives the nearest ancestor, or the path itself, that has a `.git`; a path inside `.git` belongs to what holds
 * it. Every directory is looked at once, since one command can name thousands of paths deep below each other.
 */
function rootLookup(): (path: string) => string | undefined {
  const roots = new Map<string, string | undefined>();
  const absent = new Map<string, string>();
  return (path) => {
    const real = realPath(path, absent);
    const parts = real.split(sep);
    const inside = parts.indexOf(".git");
    const passed: string[] = [];
    let current = inside > 0 ? parts.slice(0, inside).join(sep) || sep : real;
    let root: string | undefined;
    for (;;) {
      if (roots.has(current)) {
        root = roots.get(current);
        break;
      }
      passed.push(current);
      if (holdsRepository(current)) {
        root = current;
        break;
      }
      const parent = native.dirname(current);
      if (parent === current) break;
      current = parent;
    }
    for (const directory of passed) roots.set(directory, root);
    return root;
  };
}

function holdsRepository(directory: string): boolean {
  try {
    const status = Deno.statSync(native.join(directory, ".git"));
    return status.isDirectory || status.isFile;
  } catch {
    return false;
  }
}

/** Absolute path of git from PATH, never from a place where an agent writes or that everybody can write to. */
export function findGit(options: Pick<GitOptions, "path" | "untrusted">): string | undefined {
  const untrusted = options.untrusted.flatMap((
    directory,
  ) => [native.resolve(directory), realPath(directory)]);
  const name = Deno.build.os === "windows" ? "git.exe" : "git";
  for (const entry of (options.path ?? "").split(delimiter)) {
    if (!native.isAbsolute(entry)) continue;
    const candidate = native.join(entry, name);
    const real = realPath(candidate);
    if ([candidate, real].some((path) => untrusted.some((directory) => isInside(path, directory)))) continue;
    try {
      const status = Deno.statSync(real);
      const executable = status.mode === null || (status.mode & 0o111) !== 0;
      if (
        status.isFile && executable &&
        ![real, native.dirname(real), native.dirname(candidate)].some(isEverybodys)
      ) return candidate;
    } catch {
      // Not in this entry.
    }
  }
  return undefined;
}

/** True for what every user may change; a sticky bit keeps nobody from adding to a directory. */
function isEverybodys(path: string): boolean {
  const { mode } = Deno.statSync(path);
  return mode !== null && Deno.build.os !== "windows" && (mode & 0o002) !== 0;
}

/** Runs git with arguments in a directory; undefined unless it ended well and in time. */
type Run = (root: string, args: readonly string[], options?: RunOptions) => string | undefined;

interface RunOptions {
  /** Settings that are emptied. */
  readonly off?: readonly string[];
  /** Exit codes that are answers; 0 when absent. */
  readonly codes?: readonly number[];
}

function runner(program: string, budget: number): Run {
  let remaining = budget;
  const childProcess = node().getBuiltinModule("node:child_process");
  const timeout = findTimeout();
  return (root, args, { off = [], codes = [0] } = {}) => {
    if (remaining < 1) return undefined;
    const started = performance.now();
    try {
      const pairs = [...neutralSettings, ...off.map((name) => [name, ""] as const)];
      // `-c` and not GIT_CONFIG_COUNT, which git before 2.31 passes over in silence.
      const overrides = pairs.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const gitArguments = ["--no-pager", "--literal-pathspecs", ...overrides, "-C", root, ...args];
      // spawnSync of some Deno releases ignores its timeout, and a FIFO in `.git` would then block for ever.
      const [file, all] = timeout === undefined
        ? [program, gitArguments]
        : [timeout, ["-s", "KILL", (remaining / 1000).toFixed(3), program, ...gitArguments]];
      const result = childProcess.spawnSync(file, all, {
        env: environment(program, root),
        stdio: ["ignore", "pipe", "ignore"],
        timeout: Math.ceil(remaining),
        killSignal: "SIGKILL",
        maxBuffer: outputLimit,
        windowsHide: true,
      });
      if (result.error !== undefined || !codes.includes(result.status ?? -1)) return undefined;
      return result.stdout.length > outputLimit ? undefined : new TextDecoder().decode(result.stdout);
    } catch {
      return undefined;
    } finally {
      remaining -= performance.now() - started;
    }
  };
}

/** `timeout` of coreutils at its fixed places, where there is one. */
function findTimeout(): string | undefined {
  if (Deno.build.os === "windows") return undefined;
  for (const path of ["/usr/bin/timeout", "/bin/timeout"]) {
    try {
      if (Deno.statSync(path).isFile) return path;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** Whole environment of a git that works at `root`: nothing is inherited but what Windows needs to start a program. */
export function environment(program: string, root: string): Record<string, string> {
  const nowhere = Deno.build.os === "windows" ? "NUL" : "/dev/null";
  const result: Record<string, string> = {
    PATH: Deno.build.os === "windows" ? native.dirname(program) : `${native.dirname(program)}:/usr/bin:/bin`,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: nowhere,
    GIT_CONFIG_GLOBAL: nowhere,
    GIT_ATTR_NOSYSTEM: "1",
    // An invalid `.git` must not make git look further up than we did.
    GIT_CEILING_DIRECTORIES: native.dirname(root),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
  if (Deno.build.os === "windows") {
    const systemRoot = Deno.env.get("SystemRoot");
    if (systemRoot !== undefined) result.SystemRoot = systemRoot;
  }
  return result;
}

interface Status {
  readonly modified: readonly string[];
  readonly untracked: readonly string[];
  readonly conflicted: readonly string[];
}

function repository(root: string, run: Run): GitFacts {
  const ask = once<string | undefined>();
  const cachedStatus = once<Status | undefined>();
  const status = () => cachedStatus("", () => readStatus(root, run));
  const line = (args: readonly string[]) =>
    ask(JSON.stringify(args), () => run(root, args))?.replace(/\r?\n$/, "");
  const names = (args: readonly string[]) =>
    ask(JSON.stringify(args), () => run(root, args))?.split("\0").filter((name) => name !== "");

  return {
    root,
    branch: () => nonEmpty(line(["symbolic-ref", "--short", "HEAD"])),
    defaultBranch() {
      const head = line(["symbolic-ref", "--short", "refs/remotes/origin/HEAD"]);
      return head?.startsWith("origin/") ? nonEmpty(head.slice("origin/".length)) : undefined;
    },
    modified: () => status()?.modified,
    untracked: () => status()?.untracked,
    conflicted: () => status()?.conflicted,
    tracked: (path, limit) => names(["ls-files", "-z", "--", path])?.slice(0, limit),
    ignored: (path) =>
      names(["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", path]),
    ignores(path) {
      // Code 1 says that nothing matches. The command refuses literal paths; an absolute one has no magic.
      const found = ask(
        `ignores ${path}`,
        () => run(root, ["--no-literal-pathspecs", "check-ignore", "-v", "--", path], { codes: [0, 1] }),
      );
      if (found === undefined || found === "") return found === undefined ? undefined : false;
      // `source:line:pattern TAB path`, where a pattern that begins with `!` takes a file in again.
      const pattern = /^.*?:\d+:(.*)\t/.exec(found)?.[1];
      return pattern === undefined ? undefined : !pattern.startsWith("!");
    },
    staged() {
      const args = ["diff", "--cached", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv"];
      const diff = ask("staged", () => run(root, [...args, "--no-renames", "--ignore-submodules=all"]));
      return diff === undefined ? undefined : addedLines(diff).join("\n");
    },
    merged(branch) {
      if (!isPlainBranch(branch)) return undefined;
      const alone = line([
        "rev-list",
        "--max-count=1",
        `refs/heads/${branch}`,
        "--not",
        `--exclude=${branch}`,
        "--branches",
        "--remotes",
      ]);
      return alone === undefined ? undefined : alone === "";
    },
    ahead(ref) {
      const count = line(["rev-list", "--count", "HEAD", `^${ref}`, "--"]);
      return count !== undefined && /^\d+$/.test(count) ? Number(count) : undefined;
    },
  };
}

/**
 * `git status` compares content when times alone do not tell, and would pass it through the clean filters that
 * `.gitattributes` selects; every filter of the configuration is therefore switched off by its name.
 */
function readStatus(root: string, run: Run): Status | undefined {
  const settings = run(root, ["config", "--list", "--name-only", "-z"])?.split("\0");
  if (settings === undefined) return undefined;
  const filters = new Set<string>();
  for (const name of settings) {
    if (!name.startsWith("filter.")) continue;
    const end = name.lastIndexOf(".");
    if (end < "filter.".length) continue;
    // `-c` cuts at the first `=`, so this one could not be switched off.
    if (name.includes("=")) return undefined;
    filters.add(name.slice("filter.".length, end));
  }
  const off = [...filters].flatMap((name) =>
    ["clean", "smudge", "process", "required"].map((key) => `filter.${name}.${key}`)
  );
  const output = run(root, [
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--untracked-files=normal",
    "--ignore-submodules=all",
    "--no-ahead-behind",
  ], { off });
  return output === undefined ? undefined : parseStatus(output);
}

/** Parses `git status --porcelain=v1 -z --no-renames`: `XY path` records, each ended by NUL (git-status(1)). */
export function parseStatus(output: string): Status {
  const modified: string[] = [];
  const untracked: string[] = [];
  const conflicted: string[] = [];
  for (const record of output.split("\0")) {
    if (record.length < 4) continue;
    const code = record.slice(0, 2);
    const path = record.slice(3);
    if (code === "??") untracked.push(path);
    else if (code !== "!!") {
      modified.push(path);
      if (code.includes("U") || code === "AA" || code === "DD") conflicted.push(path);
    }
  }
  return { modified, untracked, conflicted };
}

/** The lines that a diff without context adds. Only in front of the first hunk of a file `+++` is its name. */
function addedLines(diff: string): readonly string[] {
  let inHunk = false;
  const lines: string[] = [];
  for (const line of diff.split("\n")) {
    if (line.startsWith("@@ ")) {
      inHunk = true;
      // What does not stand together does not belong together.
      if (lines.length > 0) lines.push("");
    } else if (line.startsWith("diff ")) inHunk = false;
    else if (inHunk && line.startsWith("+")) lines.push(line.slice(1));
  }
  return lines;
}

function once<T>(): (key: string, answer: () => T) => T {
  const known = new Map<string, T>();
  return (key, answer) => {
    if (!known.has(key)) known.set(key, answer());
    return known.get(key) as T;
  };
}

/** A name that means the same as part of a ref and as a pattern. */
function isPlainBranch(name: string): boolean {
  return name !== "" && !/[\s~^:?*\[\\]|\.\.|@\{|^[-/]|[/.]$/.test(name);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
