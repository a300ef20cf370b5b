/** Builds the context in which a call is judged. */

import type { Context, Facts, HookCall, OwnPaths, Policy } from "./types.ts";
import { builtInPolicy } from "./policy/built_in.ts";
import { isWithin, normalise, parentOf, rootOf } from "./paths/normal.ts";

/** What a context is made of. */
export interface ContextInput {
  readonly call: Pick<HookCall, "event"> & Partial<Pick<HookCall, "host" | "cwd" | "workspace">>;
  /** Absolute home directory of the user. */
  readonly home: string;
  /** Directory of guard's process: where a call runs that names none. */
  readonly processDirectory: string;
  readonly facts: Facts;
  readonly policy?: Policy;
  readonly own?: OwnPaths;
  /** `Deno.build.os` where guard runs. */
  readonly os?: string;
  /** Reads an environment variable; asked for the temporary directories only. */
  readonly env?: (name: string) => string | undefined;
}

/** Total: unusable directories fall back to the process's own. */
export function makeContext(input: ContextInput): Context {
  const os = input.os ?? "linux";
  const given = input.call.cwd;
  const windows = os === "windows" || (given !== undefined && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(given));
  const style = { windows };
  const home = normalise(input.home, "/", style);
  const cwd = normalise(given === undefined || given === "" ? input.processDirectory : given, "/", style);
  const temporary = temporaryDirectories(windows, home, input.env).map((path) => normalise(path, "/", style));
  return {
    host: input.call.host,
    event: input.call.event,
    cwd,
    workspace: workspaceOf(cwd, input.call.workspace, home, temporary, input.facts, windows),
    home,
    windows,
    caseInsensitive: windows || os === "darwin",
    temporary,
    own: input.own ?? { policies: [] },
    facts: input.facts,
    policy: input.policy ?? builtInPolicy,
  };
}

function temporaryDirectories(
  windows: boolean,
  home: string,
  env: ((name: string) => string | undefined) | undefined,
): readonly string[] {
  const named = ["TMPDIR", "TEMP", "TMP"].map((name) => env?.(name))
    .filter((path) => path !== undefined && /^(?:\/|[A-Za-z]:)/.test(path) && path.length > 1) as string[];
  const usual = windows
    ? [`${home}/AppData/Local/Temp`, "C:/Windows/Temp", "C:/tmp"]
    : ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"];
  // A variable can point anywhere; it must not turn home or a project into scratch space.
  return [...new Set([...usual, ...named.filter((path) => /te?mp|\/var\/folders\//i.test(path))])];
}

/** What the host says, else the nearest ancestor with `.git`, else the directory; never home, a root or temp. */
function workspaceOf(
  cwd: string,
  said: string | undefined,
  home: string,
  temporary: readonly string[],
  facts: Facts,
  windows: boolean,
): string {
  const usable = (path: string) =>
    path !== rootOf(path) && !isWithin(home, path) && !temporary.includes(path);
  if (said !== undefined && said !== "") {
    // Cursor on Windows writes `/C:/Users/…`.
    const path = normalise(said.replace(/^\/(?=[A-Za-z]:)/, ""), cwd, { windows });
    if (usable(path) && (isWithin(cwd, path) || !usable(cwd))) return path;
  }
  for (let at = cwd, hops = 0; usable(at) && hops < 64; at = parentOf(at), hops++) {
    const kind = facts.kind(`${at}/.git`);
    if (kind !== undefined && kind !== "missing") return at;
  }
  return cwd;
}
