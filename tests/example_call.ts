/** The call and the world of an example of a rule, for tests over all rules. */

import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { builtInPolicy } from "../src/policy/built_in.ts";
import type { Action, Context, Example, HookCall, Policy } from "../src/types.ts";

/** What judging an example needs; a text is a POSIX command. `policy` is what differs from the built-in one. */
export function exampleCall(
  example: Example,
  policy: Partial<Policy> = {},
): { readonly call: HookCall; readonly context: Context } {
  const action: Action = typeof example.action === "string"
    ? { kind: "shell", command: example.action, dialect: "posix" }
    : example.action;
  const call: HookCall = {
    host: example.host ?? "claude",
    event: action.kind === "prompt" ? "prompt" : action.kind === "output" ? "post_tool" : "pre_tool",
    nativeEvent: "PreToolUse",
    cwd: example.cwd ?? "/home/dev/app",
    actions: [action],
  };
  const context = makeContext({
    call,
    home: "/home/dev",
    processDirectory: "/home/dev/app",
    facts: fakeFacts({ git: {}, ...example.facts }),
    policy: { ...builtInPolicy, ...policy, ...example.policy },
    own: {
      executable: "/opt/tools/guard",
      policies: ["/home/dev/.config/guard/policy.jsonc"],
      state: "/home/dev/.local/state/guard",
    },
  });
  return { call, context };
}
