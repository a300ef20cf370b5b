/** What is written where it can become a part of a repository, and by which programs. */

import { locate } from "../../src/paths.ts";
import { isWithin } from "../../src/paths/normal.ts";
import type { PathUse } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";

/** Whether what is written here can become a part of a repository: it lies in one, and is not ignored. */
export function isKept(use: PathUse, context: Context): string | undefined {
  for (const { path } of locate(use, context).locations) {
    const git = context.facts.git(path);
    if (git === undefined) {
      if (isWithin(path, context.workspace)) return path;
    } else if (git.ignores(path) !== true) return path;
  }
  return undefined;
}

/** Programs that write what they are given: others take a secret to use it. */
export function isWriter({ invocation }: PathUse): boolean {
  return /^(?:echo|printf|cat|tee|sed|gsed|perl|awk|gawk|set-content|add-content|out-file|write-output|dd|sponge|print|python[0-9.]*|node|ruby)$/
    .test(invocation?.program ?? "");
}
