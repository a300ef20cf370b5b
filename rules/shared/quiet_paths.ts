/** Files of which secrets, start-up and guard's own things have nothing to say, told without loading those rules. */

import { locate } from "../../src/paths.ts";
import { isWithin } from "../../src/paths/normal.ts";
import type { PathUse, Understanding } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";

/** Programs that do nothing but read or write the files they name. */
const programs = new Set(["cat", "head", "tail", "wc", "touch", "rm", "ls"]);

/** Where people keep their work, as first part of a path. Strings, since patterns cost a hook more than all the rest here. */
const roots = " home Users root srv work workspace workspaces tmp data repo repos src app ";
/** Endings of sources and texts. */
const endings = " md txt ts tsx js jsx py go rs java kt swift rb css scss html vue svelte c h cpp cs ";

/** Parts of names, in lower case, that secrets, start-up files and settings of hosts have. */
const telling =
  "secret cred pass token key id_ env auth cert wallet service client account hook plugin extension agent rule config setting " +
  "polic managed guard claude gemini codex cursor copilot cline opencode customize profile cron launch systemd startup init library appdata " +
  "documents snap";

/** A source or a text where people keep their work, with no hidden directory on the way and nothing telling in its name. */
function isOrdinary(path: string): boolean {
  const [first, root = "", ...rest] = path.split("/");
  const name = rest.at(-1);
  if (first !== "" || name === undefined || path.length > 512 || !roots.includes(` ${root} `)) return false;
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || !endings.includes(` ${name.slice(dot + 1)} `)) return false;
  if (!rest.every((part) => /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(part))) return false;
  const lower = path.toLowerCase();
  return !telling.split(" ").some((part) => lower.includes(part));
}

/**
 * True when an action does nothing but use such files, each by itself; rules/quiet_test.ts holds that no rule about
 * secrets, persistence or guard itself has anything to say then.
 */
export function usesOrdinaryFiles(
  understanding: Understanding | undefined,
  uses: readonly PathUse[],
  context: Context,
): boolean {
  if (context.windows || uses.length === 0 || uses.length > 8) return false;
  if (understanding !== undefined) {
    const [only, ...others] = understanding.invocations;
    if (
      only === undefined || others.length > 0 || !programs.has(only.program) || only.assignments.length > 0
    ) return false;
    if (only.word.text !== only.program || only.moreArguments || only.args.some((word) => !word.isStatic)) {
      return false;
    }
  }
  const { executable, policies, state } = context.own;
  const own = [executable, state, ...policies].filter((path) => path !== undefined);
  return uses.every((use) => {
    if (use.remote !== undefined || use.recursive || use.filter !== undefined) return false;
    const { locations, unknown } = locate(use, context);
    return !unknown && locations.length > 0 &&
      locations.every(({ path, contents, filter, unknownBelow }) =>
        !contents && filter === undefined && !unknownBelow && isOrdinary(path) &&
        !own.some((one) => isWithin(path, one) || isWithin(one, path))
      );
  });
}
