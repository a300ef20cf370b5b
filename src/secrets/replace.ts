/** Texts with their secrets taken out. */

import { findSecrets, type SecretMatch } from "./scan.ts";

/** A text without its secrets, and what they were. */
export interface Replaced {
  readonly text: string;
  readonly secrets: readonly SecretMatch[];
}

/**
 * Puts `[redacted: <kind>]` in the place of every secret; all else is unchanged, character by character.
 *
 * @param minor also what is not for production
 */
export function replaceSecrets(text: string, minor = true): Replaced {
  const secrets = findSecrets(text).filter((secret) => minor || !secret.minor);
  let out = "";
  let from = 0;
  for (const { start, end, kind } of secrets) {
    out += `${text.slice(from, start)}[redacted: ${kind}]`;
    from = end;
  }
  return { text: out + text.slice(from), secrets };
}
