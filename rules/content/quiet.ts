/** Texts that hold no secret, told without loading what looks for them. */

import type { Action } from "../../src/types.ts";

/** Every secret that is looked for is an address or has a part like this. */
const LONG = /:\/\/|[A-Za-z0-9+\/=_.~%:-]{16}/;

/** A run that a written-out secret has one of, and the letters and digits in it. */
const MIXED = /[A-Za-z0-9_+=.~%\/-]{16,}/g;
const ADDRESS_PASSWORD = /:\/\/[^\s\/@]{0,200}:[^\s\/@]{1,200}@/;

/**
 * False when a command surely has no secret written out in it; rules/quiet_test.ts holds this. Quotes within a word may
 * take one apart.
 */
export function mayHoldSecret(command: string): boolean {
  const text = /["'\\]/.test(command) ? command.replaceAll(/["'\\]/g, "") : command;
  if (text.includes("-----BEGIN") || ADDRESS_PASSWORD.test(text)) return true;
  for (const [run] of text.matchAll(MIXED)) {
    if (!/[A-Za-z]/.test(run)) continue;
    if (/[0-9].*[0-9]/.test(run) || (run.length >= 20 && /[a-z]/.test(run) && /[A-Z]/.test(run))) return true;
  }
  return false;
}

/** Every character that hides something is one of these. */
// deno-lint-ignore no-control-regex -- ESC begins what hides text in a terminal
const UNSEEN = /[\x1b\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\udb40]/;

/** True when what an action carries has no part that could be a secret; rules/quiet_test.ts holds this. */
export function carriesNoSecret(action: Action): boolean {
  switch (action.kind) {
    case "shell":
      return !LONG.test(action.command);
    case "file":
      // What is read is looked through for more than secrets.
      return action.content === undefined || (action.operation !== "read" && !LONG.test(action.content));
    case "prompt":
      // What cannot be seen is looked for as well.
      return !LONG.test(action.text) && !UNSEEN.test(action.text);
    case "fetch":
      return !LONG.test(action.url);
    default:
      return false;
  }
}
