/** Judging with no more rules loaded than the verdict takes. */

import type { Category } from "../rules/registry.ts";
import { broad, judge } from "./judge.ts";
import { builtInPolicy } from "./policy/built_in.ts";
import { readAction } from "./reading.ts";
import { load, neededFor } from "./rules_loader.ts";
import type { PathUse } from "./shell/model.ts";
import type { Context, HookCall, Verdict } from "./types.ts";

/** Categories whose findings are left out where a broad denial says the same (see src/judge.ts). */
const echoes: ReadonlySet<string> = new Set(["persistence", "self"]);

/** The verdict on a call, the same as by all built-in rules. */
export async function judgeLazily(call: HookCall, context: Context): Promise<Verdict> {
  const needed = await neededFor(call, context);
  const first = needed.filter(({ name }) => !echoes.has(name));
  const deleted = first.length < needed.length ? onlyDeletion(call, context, needed) : undefined;
  if (deleted !== undefined) {
    const verdict = judge(call, await load(first), context);
    const saysAll = verdict.failure === undefined &&
      verdict.findings.some(({ rule, decision, evidence }) =>
        broad.has(rule) && decision === "deny" && evidence.text === deleted.path.text &&
        evidence.span?.start === deleted.span.start &&
        evidence.span.end === deleted.span.end
      );
    if (saysAll) return verdict;
  }
  return judge(call, await load(needed), context);
}

/** What the call deletes, when that is all that it does and the echoing categories are asked for no other reason. */
function onlyDeletion(call: HookCall, context: Context, needed: readonly Category[]): PathUse | undefined {
  const [action, ...others] = call.actions;
  if (context.policy !== builtInPolicy || action?.kind !== "shell" || others.length > 0) return undefined;
  try {
    const { understanding, uses } = readAction(action, context);
    const [use, ...further] = uses;
    const { invocations = [], doubts = [] } = understanding ?? {};
    const program = invocations[0]?.program;
    if (use?.operation !== "delete" || further.length > 0 || invocations.length !== 1 || doubts.length > 0) {
      return undefined;
    }
    const concerned = needed.some((category) =>
      echoes.has(category.name) &&
      (category.everyCommand || category.kinds.includes(" shell ") ||
        category.programs.includes(` ${program} `))
    );
    return concerned ? undefined : use;
  } catch {
    // Judging meets the same failure, and says so.
    return undefined;
  }
}
