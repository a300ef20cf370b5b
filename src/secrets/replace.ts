/** Texts with their secrets taken out. */

import { findSecretsOnce, type SecretMatch } from "./scan.ts";

/** A text without its secrets, and what they were. */
export interface Replaced {
  readonly text: string;
  readonly secrets: readonly SecretMatch[];
}

/**
 * Puts a mark in the place of every secret; all else is unchanged, character by character.
 *
 * @param minor also what is not for production
 * @param markOf what stands in the place of a secret
 */
export function replaceSecrets(
  text: string,
  minor = true,
  markOf: (secret: SecretMatch) => string = ({ kind }) => `[redacted: ${kind}]`,
): Replaced {
  const secrets = findSecretsOnce(text).filter((secret) => minor || !secret.minor);
  let out = "";
  let from = 0;
  for (const secret of secrets) {
    out += text.slice(from, secret.start) + markOf(secret);
    from = secret.end;
  }
  return { text: out + text.slice(from), secrets };
}
