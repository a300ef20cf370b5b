/**
 * Calls about which guard never has anything to say: a command that only looks, told by its words alone, where no
 * policy can say something else. They are the most frequent ones, and neither rules nor judging are loaded for them.
 */

import type { Locations } from "./locations.ts";
import type { HookCall } from "./types.ts";

/** What may follow in a comparison or a history: no path, whose content would be shown. */
const revisions =
  /^(?:-[0-9]{1,5}|-[npw]|[0-9]{1,5}|--(?:stat|shortstat|numstat|cached|staged|name-only|name-status|oneline|graph|all|decorate|no-color|patch|no-merges|reverse|summary)|HEAD(?:[~^][0-9]{0,3})?|main|master)$/;

/** Programs, or programs with a subcommand, and what each of the words after it has to be. */
const lookers: Readonly<Record<string, RegExp>> = {
  "git status":
    /^(?:-[sbvz]{1,4}|-u(?:no|all|normal)?|--(?:short|branch|porcelain|verbose|long|show-stash))$/,
  "git diff": revisions,
  "git log": revisions,
  "git show": revisions,
  "git branch": /^(?:-[arv]{1,3}|--(?:all|remotes|list|show-current|verbose))$/,
  "git remote": /^(?:-v|--verbose)$/,
  "git rev-parse": /^(?:HEAD|--(?:show-toplevel|show-prefix|abbrev-ref|short|is-inside-work-tree))$/,
  // Names of files are no secret.
  "ls": /^(?:-[A-Za-z1]{1,12}|[A-Za-z0-9_.\/][A-Za-z0-9_.\/-]*)$/,
  "pwd": /^(?:-[LP])$/,
  "whoami": /(?!)/,
  "date": /^(?:-u)$/,
};

/** True for a command of which no rule, at the standard level, has anything to say anywhere. */
export function isQuietCommand(command: string): boolean {
  if (!/^[A-Za-z0-9_.\/~^ -]{2,300}$/.test(command)) return false;
  const words = command.split(" ");
  const start = words[0] === "git" ? `git ${words[1] ?? ""}` : words[0]!;
  if (!Object.hasOwn(lookers, start)) return false;
  const allowed = lookers[start]!;
  return words.slice(start === words[0] ? 1 : 2).every((word) => allowed.test(word));
}

/** True when judging the call is known to end without an objection; looks at the disk for policies. */
export function isQuietCall(call: HookCall, places: Pick<Locations, "managed" | "policy">): boolean {
  const [action, ...others] = call.actions;
  if (action?.kind !== "shell" || others.length > 0 || call.event !== "pre_tool") return false;
  if (action.dialect !== "posix" || action.cwd !== undefined || action.unobservedInput === true) return false;
  if (Deno.build.os === "windows" || !isQuietCommand(action.command)) return false;
  return hasNoPolicy(call, places);
}

/** True when surely no policy file holds for the call. */
export function hasNoPolicy(call: HookCall, places: Pick<Locations, "managed" | "policy">): boolean {
  const directories = [call.cwd, ...(call.workspace === undefined ? [] : [call.workspace])];
  if (!directories.every(isPlainDirectory)) return false;
  return [places.managed, places.policy].every(isAbsent) &&
    directories.every((directory) => withParents(directory).every((one) => isAbsent(`${one}/.guard`)));
}

/** Absolute, and written so that its parents can be told from the text. */
function isPlainDirectory(path: string | undefined): path is string {
  return path !== undefined && path.length < 4096 && path.startsWith("/") &&
    !/\/\.{0,2}(?:\/|$)|[\0\\]/.test(path);
}

function withParents(directory: string): readonly string[] {
  const found: string[] = [];
  for (let at = directory; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) found.push(at);
  return [...found, ""];
}

/** Nothing has this name, which is not the same as being unable to look. */
function isAbsent(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
