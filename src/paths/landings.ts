/** Where copies, moves, links and archives really put files: below a directory, under the names of their sources. */

import { parseArguments } from "../../rules/options.ts";
import type { Location } from "../paths.ts";
import type { PathUse } from "../shell/model.ts";
import type { Context } from "../types.ts";
import { nameOf, normalise } from "./normal.ts";
import { programPaths } from "./programs.ts";

/** A path that a use writes. */
export interface Landing {
  readonly path: string;
  /** It may be a whole directory, or names that are not told come below it. */
  readonly tree: boolean;
}

/** Programs that put their sources below a destination that is a directory. */
const copiers = new Set(
  "cp gcp mv gmv install ginstall ln scp rsync ditto copy xcopy move ren rename copy-item move-item rename-item"
    .split(" "),
);

/** Programs whose source may be a directory without an option that says so. */
const whole = new Set("mv gmv ln rsync ditto move rename ren move-item rename-item".split(" "));

/** Options with a value of programs that have no table of their own. */
const values: Readonly<Record<string, readonly string[]>> = {
  ln: ["-t", "-S", "--target-directory", "--suffix"],
  rsync: [
    "-e",
    "-f",
    "-T",
    "-B",
    "--rsh",
    "--filter",
    "--exclude",
    "--include",
    "--files-from",
    "--chmod",
    "--chown",
  ],
};

/** Endings of files in which no host keeps its settings. */
const harmless = /\.(?:md|mdc|txt|tsx?|jsx?|mjs|cjs|py|sh|css|html?|ya?ml|png|svg)$/i;

/** Most sources that are looked at; with more of them their names count as not told. */
const maxSources = 64;

/**
 * The paths that writing or appending to a location reaches. For most programs that is the location alone.
 *
 * @param location one of the locations of the use
 */
export function landings(use: PathUse, location: Location, context: Context): readonly Landing[] {
  const { invocation, recursive } = use;
  const { path } = location;
  if (invocation === undefined || !copiers.has(invocation.program)) return [{ path, tree: recursive }];
  if (location.contents) return [{ path, tree: true }];
  const { program } = invocation;
  const parsed = parseArguments(invocation.args, programPaths(program) ?? { values: values[program] ?? [] });
  const sources = parsed.operands.filter((word) => word !== use.path);
  const trees = recursive || whole.has(program) || parsed.has("-r", "-R", "-a", "--recursive", "-recurse");
  const kind = context.facts.kind(path);
  const found: Landing[] = [];
  const into = kind === "directory" && !parsed.has("-T", "--no-target-directory");
  // A destination that is no directory becomes what the source is.
  if (!into) found.push({ path, tree: trees && kind !== "file" });
  if (kind === "file") return found;
  if (sources.length > maxSources) return [...found, { path, tree: true }];
  for (const source of sources) {
    // A source may be on another machine.
    const written = source.text.replaceAll("\\", "/").replace(
      context.windows ? /^[^/:]{2,}:(?=.)/ : /^[^/:]+:(?=.)/,
      "",
    );
    const below = /(?:^|\/)\.{0,2}$/.test(written) && (program === "rsync" || !written.endsWith("/"));
    const name = nameOf(normalise(written, "/", context));
    if (source.isStatic && !below && name !== "") {
      found.push({ path: normalise(name, path, context), tree: trees });
    } else if (!source.isStatic && harmless.test(written)) continue;
    else if (trees || !source.isStatic) found.push({ path, tree: true });
  }
  return found;
}
