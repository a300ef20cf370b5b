/** Texts with their secrets taken out. */

import { findWithEnvironment } from "./environment.ts";
import type { SecretMatch } from "./scan.ts";

/** A text without its secrets, and what they were. */
export interface Replaced {
  readonly text: string;
  readonly secrets: readonly SecretMatch[];
}

/** How secrets are taken out. */
export interface Replacing {
  /** Variables of which the secret values are taken out, too. */
  readonly environment: Readonly<Record<string, string>>;
  /** Leaves what is not for production. */
  readonly major?: boolean;
  /** What stands in the place of a secret; by default the id of its shape. */
  markOf?(secret: SecretMatch): string;
}

/** Puts a mark in the place of every secret; all else is unchanged, character by character. */
export function replaceSecrets(
  text: string,
  { environment, major = false, markOf = ({ kind }) => `[redacted: ${kind}]` }: Replacing,
): Replaced {
  const secrets = findWithEnvironment(text, environment).filter(({ minor }) => !(major && minor));
  let out = "";
  let from = 0;
  for (const secret of secrets) {
    out += text.slice(from, secret.start) + markOf(secret);
    from = secret.end;
  }
  return { text: out + text.slice(from), secrets };
}
