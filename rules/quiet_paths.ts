/** Files of which secrets, start-up and guard's own things have nothing to say, told without loading those rules. */

import { locate } from "../src/paths.ts";
import { isWithin } from "../src/paths/normal.ts";
import type { PathUse, Understanding } from "../src/shell/model.ts";
import type { Context } from "../src/types.ts";

/** Programs that do nothing but read or write the files they name. */
const programs = new Set(["cat", "head", "tail", "wc", "touch", "rm", "ls"]);

/** Sources and texts where people keep their work, with no hidden directory on the way. */
const ordinary =
  /^\/(?:home|Users|root|srv|work|workspaces?|tmp|data|repos?|src|code|app)(?:\/[A-Za-z0-9][A-Za-z0-9_.-]*)*\/[A-Za-z0-9][A-Za-z0-9_-]*(?:\.(?:test|spec|d))?\.(?:md|txt|tsx?|jsx?|py|go|rs|java|kt|swift|rb|css|scss|html|vue|svelte|c|h|cpp|cs)$/;

/** Parts of names that secrets, start-up files and settings of hosts have. */
const telling =
  /secret|cred|pass|token|key|id_|env|auth|cert|wallet|service|client|account|hook|plugin|extension|agent|rule|config|setting|polic|managed|guard|claude|gemini|codex|cursor|copilot|cline|opencode|customize|profile|cron|launch|systemd|startup|init|library|appdata|documents|snap/i;

/**
 * True when an action does nothing but use such files, each by itself; rules/quiet_test.ts holds that no rule about
 * secrets, persistence or guard itself has anything to say then.
 */
export function usesOrdinaryFiles(understanding: Understanding | undefined, uses: readonly PathUse[], context: Context): boolean {
  if (context.windows || uses.length === 0 || uses.length > 8) return false;
  if (understanding !== undefined) {
    const [only, ...others] = understanding.invocations;
    if (only === undefined || others.length > 0 || !programs.has(only.program) || only.assignments.length > 0) return false;
    if (only.word.text !== only.program || only.moreArguments || only.args.some((word) => !word.isStatic)) return false;
  }
  const { executable, policies, state } = context.own;
  const own = [executable, state, ...policies].filter((path) => path !== undefined);
  return uses.every((use) => {
    if (use.remote !== undefined || use.recursive || use.filter !== undefined) return false;
    const { locations, unknown } = locate(use, context);
    return !unknown && locations.length > 0 && locations.every(({ path, contents, filter, unknownBelow }) =>
      !contents && filter === undefined && !unknownBelow && path.length < 512 && ordinary.test(path) && !telling.test(path) &&
      !own.some((one) => isWithin(path, one) || isWithin(one, path))
    );
  });
}
