/** Paths that the policy protects from changes. */

import { isLate } from "../bounds.ts";
import { locate } from "../paths.ts";
import { matchesGlob } from "../paths/glob.ts";
import { isWithin } from "../paths/normal.ts";
import type { PathUse } from "../shell/model.ts";
import type { Context, Finding } from "../types.ts";

/** The first word of `ln` is only pointed to. */
const changes: ReadonlySet<string> = new Set(["write", "append", "delete", "mode"]);

/** Findings about changes of paths that the policy protects. */
export function protectedByPolicy(
  at: number,
  uses: readonly PathUse[],
  context: Context,
): readonly Finding[] {
  const { protectedPaths } = context.policy;
  if (protectedPaths.length === 0) return [];
  const findings: Finding[] = [];
  for (const use of uses) {
    if (!changes.has(use.operation)) continue;
    if (isLate(context)) break;
    for (const { path, contents } of locate(use, context).locations) {
      const below = use.recursive || contents || use.operation === "delete";
      const glob = protectedPaths.find((written) => reaches(path, written, below, context));
      if (glob === undefined) continue;
      findings.push({
        rule: "policy/protected-path",
        decision: "deny",
        severity: "high",
        message: `The policy protects ${glob} from changes.`,
        advice: "Leave these files as they are, or ask the person to change them.",
        evidence: { text: use.path.text, span: use.span },
        action: at,
      });
      break;
    }
  }
  return findings;
}

/** True when a path matches a protected glob, lies below it, or (when everything below is reached) holds it. */
function reaches(path: string, glob: string, below: boolean, context: Context): boolean {
  const clean = absoluteGlob(glob, context);
  if (isNamed(path, clean, context)) return true;
  if (!below) return false;
  const fixed = clean.split(/[*?[{]/, 1)[0]!;
  return isWithin(fixed.replace(/\/$/, ""), path);
}

/** A glob of a policy as an absolute one: `~/` is home, what is relative is below the workspace. */
export function absoluteGlob(glob: string, { home, workspace }: Context): string {
  const written = /^(?:~(?=$|\/)|[\\/]|[A-Za-z]:|\*\*)/.test(glob)
    ? glob.replace(/^~/, home)
    : `${workspace}/${glob.replace(/^\.\//, "")}`;
  return written.replace(/\/(?:\*\*)?$/, "");
}

/** True when a path matches an absolute glob, or lies below what does. */
export function isNamed(path: string, glob: string, { caseInsensitive }: Context): boolean {
  const options = { caseInsensitive };
  return matchesGlob(path, glob, options) || matchesGlob(path, `${glob}/**`, options);
}
