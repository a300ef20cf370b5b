/** How a secret is named in a sentence. */

import type { SecretMatch } from "../../src/secrets/scan.ts";

/** `a GitHub token`, `an AWS access key`. */
export function named({ title }: Pick<SecretMatch, "title">): string {
  return `${
    /^(?:[aeioAEIO]|NV|npm|[FHLMNRSX][A-Z])/.test(title) && !/^one/i.test(title) ? "an" : "a"
  } ${title}`;
}
