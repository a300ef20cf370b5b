/** How much of one call is judged. Judging cannot be interrupted, so that its work is bounded beforehand. */

import { PayloadError } from "./errors.ts";
import type { Action, Context, Finding, HookCall } from "./types.ts";

const limits = {
  /** Actions of one call; each file action looks at the disk. */
  actions: 500,
  /** Characters of all commands of one call together: twice what a system takes as one argument. */
  commands: 256 * 1024,
  /** Characters of a path; the longest that a system takes, on Windows. */
  path: 32 * 1024,
} as const;

/** A call within the bounds. */
export interface Bounded {
  readonly call: HookCall;
  /** The question that stands for what was left out. */
  readonly excess?: Finding;
}

/** The part of a call that is judged. Throws PayloadError when it names a path that no system has. */
export function bounded(call: HookCall): Bounded {
  for (const path of [call.cwd, call.workspace]) checkPath(path);
  let characters = 0;
  let count = 0;
  for (const action of call.actions) {
    for (const path of pathsOf(action)) checkPath(path);
    if (action.kind === "shell") characters += action.command.length;
    // One command alone is bounded where it is parsed.
    if (count >= limits.actions || (count > 0 && characters > limits.commands)) break;
    count++;
  }
  if (count === call.actions.length) return { call };
  return { call: { ...call, actions: call.actions.slice(0, count) }, excess: excess(call, count) };
}

function excess(call: HookCall, index: number): Finding {
  return {
    rule: "shell/too-complex",
    decision: "ask",
    severity: "medium",
    message: `One call holds ${call.actions.length} actions, more than are looked at together.`,
    advice: "Do it in smaller steps.",
    evidence: { text: call.tool ?? call.nativeEvent },
    action: index,
  };
}

function pathsOf(action: Action): readonly (string | undefined)[] {
  if (action.kind === "file") return [action.path];
  return action.kind === "shell" ? [action.cwd] : [];
}

function checkPath(path: string | undefined): void {
  if (path === undefined || path.length <= limits.path) return;
  throw new PayloadError(`expected a path of at most ${limits.path} characters, found one of ${path.length}`);
}

/** True when the time for judging is over. The clock goes on while the machine is busy with something else. */
export function isLate({ until }: Context): boolean {
  return until !== undefined && performance.now() > until;
}
