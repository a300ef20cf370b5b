/** The block that every host obeys, for when nobody knows which host is asking or what it expects. */

import type { HookReply } from "./types.ts";

/**
 * A denial on all channels at once: the JSON that Claude Code, Codex and Gemini CLI each take, the reason on
 * stderr, and exit code 2, which Cursor and the others take. Codex drops an answer with a key too many or
 * without a reason, so nothing may be added here and `reason` must not be empty.
 */
export function blockEverywhere(reason: string, nativeEvent = "PreToolUse"): HookReply {
  return {
    stdout: JSON.stringify({
      decision: "block",
      reason,
      hookSpecificOutput: {
        hookEventName: nativeEvent,
        permissionDecision: "deny",
        permissionDecisionReason: reason,
      },
    }),
    stderr: `${reason}\n`,
    exitCode: 2,
  };
}
