/** Texts that hold no secret, told without loading what looks for them. */

import type { Action } from "../../src/types.ts";

/** Every secret that is looked for is an address or has a part like this. */
const LONG = /:\/\/|[A-Za-z0-9+\/=_.~%:-]{16}/;

/** True when what an action carries has no part that could be a secret; rules/quiet_test.ts holds this. */
export function carriesNoSecret(action: Action): boolean {
  switch (action.kind) {
    case "shell":
      return !LONG.test(action.command);
    case "file":
      // What is read is looked through for more than secrets.
      return action.content === undefined || (action.operation !== "read" && !LONG.test(action.content));
    case "fetch":
      return !LONG.test(action.url);
    default:
      return false;
  }
}
