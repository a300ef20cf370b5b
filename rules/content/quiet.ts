/** Texts that hold no secret, told without loading what looks for them. */

import type { Action } from "../../src/types.ts";

/** Every secret that is looked for is an address or has a part like this. */
const LONG = /:\/\/|[A-Za-z0-9+\/=_.~%:-]{16}/;

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
