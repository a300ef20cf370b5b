/** What guard prints about an action, without the action's secrets: output is copied into reports and tickets. */

import { subjectOf } from "../audit.ts";
import { redactor } from "../redact.ts";
import type { Action } from "../types.ts";

export interface Hidden {
  /** The text without secrets. */
  text(text: string): string;
  /** The value as JSON, without secrets in any of its texts. */
  json(value: unknown): string;
}

/** Hides what is a secret in the action, also where only a part of it is shown. */
export function hiding(action: Action | undefined): Hidden {
  const text = redactor(action === undefined ? "" : subjectOf([action]));
  return {
    text,
    json: (value) =>
      JSON.stringify(value, (_key, member) => typeof member === "string" ? text(member) : member),
  };
}
