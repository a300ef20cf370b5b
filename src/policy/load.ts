/** Reads the policy files of all layers and makes the effective policy of them. */

import { GuardError } from "../errors.ts";
import { openText } from "../facts/open.ts";
import type { Policy } from "../types.ts";
import { builtInPolicy } from "./built_in.ts";
import type { FileLayer, Layer, Origins } from "./merge.ts";

/** Largest policy file in bytes. */
const SIZE_LIMIT = 1024 * 1024;

/** Paths of the policy files; a layer without a path is left out. Absolute. */
export interface PolicySources {
  readonly managed?: string;
  readonly user?: string;
  readonly project?: string;
  /** Home directory, for `~/` in exceptions. */
  readonly home?: string;
  /**
   * Directory of guard's state, where validated forms of the user's and the project's policy are kept. A hook
   * gives it, and loads neither parser nor schema while the policy stays the same.
   */
  readonly state?: string;
  /** Milliseconds since 1970; default: now. */
  readonly now?: number;
}

/** Something wrong with a policy file. */
export interface PolicyProblem {
  readonly layer: FileLayer;
  readonly path: string;
  /** From 1; absent when the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** The file does not count at all; otherwise one value in it does not. */
  readonly broken: boolean;
}

/** The effective policy with what was wrong on the way. */
export interface LoadedPolicy {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly problems: readonly PolicyProblem[];
  readonly files: readonly { readonly layer: FileLayer; readonly path: string; readonly present: boolean }[];
}

/** What holds without any file. */
const builtIn: LoadedPolicy = {
  policy: builtInPolicy,
  origins: {
    mode: "built-in",
    level: "built-in",
    onError: "built-in",
    whenAskUnsupported: "built-in",
    prompts: "built-in",
    inlineAllow: "built-in",
    canaries: [],
    personalData: {},
    rules: {},
    exceptions: [],
    protectedPaths: [],
    allowedCommands: [],
    ownRules: [],
    tools: [],
    profiles: [],
    toolDefaults: {},
    addresses: [],
    paths: [],
  },
  problems: [],
  files: [],
};

/**
 * Reads and layers what can be read. A broken file does not count, whatever its layer: the caller decides
 * whether that is a failure (`loadPolicy`) or something to show. Never throws.
 */
export async function readPolicy(sources: PolicySources): Promise<LoadedPolicy> {
  const layers: readonly FileLayer[] = ["managed", "user", "project"];
  const problems: PolicyProblem[] = [];
  const files: { layer: FileLayer; path: string; present: boolean }[] = [];
  const texts: { layer: FileLayer; path: string; text: string }[] = [];
  for (const layer of layers) {
    const path = sources[layer];
    if (path === undefined) continue;
    const opened = openText(path, SIZE_LIMIT);
    files.push({ layer, path, present: opened.state !== "missing" });
    if (opened.state === "text") texts.push({ layer, path, text: opened.text });
    if (opened.state === "unreadable") {
      problems.push({
        layer,
        path,
        message: `expected a readable policy file, but ${opened.reason}`,
        broken: true,
      });
    }
  }
  if (texts.length === 0) return { ...builtIn, problems, files };
  const { parseLayers } = await import("./layers.ts");
  const merged = await parseLayers(texts, sources.home, sources.now ?? Date.now(), sources.state);
  const { canaries } = merged.policy;
  if (canaries.length > 0) (await import("../canaries.ts")).neverShow(canaries);
  return {
    policy: merged.policy,
    origins: merged.origins,
    problems: [...problems, ...merged.problems],
    files,
  };
}

/**
 * The effective policy for judging. A broken project file is left out and stays a problem, since an agent
 * can write it: it must neither switch guard off nor block everything.
 *
 * @throws GuardError when the user's or the administrator's file is broken.
 */
export async function loadPolicy(sources: PolicySources): Promise<LoadedPolicy> {
  const loaded = await readPolicy(sources);
  const fatal = loaded.problems.find((problem) => problem.broken && problem.layer !== "project");
  if (fatal !== undefined && fatal.line === undefined && sources.state !== undefined) {
    // The form was kept; the text itself tells the line.
    return await loadPolicy({ ...sources, state: undefined });
  }
  if (fatal !== undefined) {
    throw new GuardError(`the policy cannot be used: ${problemText(fatal)}`, "guard policy");
  }
  return loaded;
}

/** `path:line:column: message`, as editors and terminals link it. */
export function problemText(problem: PolicyProblem): string {
  const place = problem.line === undefined ? "" : `:${problem.line}:${problem.column}`;
  return `${problem.path}${place}: ${problem.message}`;
}

export type { FileLayer, Layer, Origins };
