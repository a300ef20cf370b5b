/** Everyday git that no rule of the category has anything to say about, told without loading the rules. */

import type { Understanding } from "../../src/shell/model.ts";

/** Subcommands of which nothing is judged but settings and environment; rules/quiet_test.ts holds this. */
const verbs = new Set([
  "status",
  "diff",
  "log",
  "show",
  "add",
  "commit",
  "blame",
  "rev-parse",
  "ls-files",
  "describe",
]);

/** Programs that give variables to the commands after them. */
const exporters = new Set(["export", "declare", "typeset", "env", "set"]);

/**
 * True when every command of the category is git and begins with such a subcommand, so that no setting comes before it, and
 * nothing on the line sets a variable.
 */
export function isQuietGit({ invocations }: Understanding, concerned: (program: string) => boolean): boolean {
  return invocations.every(({ program, args, assignments }) => {
    if (assignments.length > 0 || exporters.has(program)) return false;
    if (!concerned(program)) return true;
    const verb = args[0];
    return program === "git" && verb?.isStatic === true && verbs.has(verb.text);
  });
}
