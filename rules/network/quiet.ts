/** Everyday commands that name a program of the category and stay on this machine, told without loading the rules. */

import type { Understanding, Word } from "../../src/shell/model.ts";

/** Programs that print, and reach another machine through a redirection only. */
const printers = new Set(["cat", "head", "echo", "printf"]);

/**
 * True when of the category's programs only printers run, here, and all that they say and write to is known and
 * no network device; rules/quiet_test.ts holds that no rule has anything to say then.
 */
export function isQuietNetwork(
  { invocations }: Understanding,
  concerned: (program: string) => boolean,
): boolean {
  return invocations.every(({ program, args, redirections, assignments, remote, moreArguments }) =>
    (printers.has(program) || !concerned(program)) && remote === undefined && !moreArguments &&
    assignments.length === 0 && args.every(isLocal) &&
    redirections.every(({ target, body }) => isLocal(target) && (body === undefined || body.isStatic))
  );
}

function isLocal({ isStatic, text }: Word): boolean {
  return isStatic && !/^\/\/|\/dev\/+(?:tcp|udp)/.test(text);
}
