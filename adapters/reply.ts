/** Replies that hosts share. */

import type { Answer, HookReply, ReplyFrame } from "../src/types.ts";

/** "No opinion" on hosts that take silence for that. */
export const silence: HookReply = { stdout: "", stderr: "", exitCode: 0 };

/** A reply of one JSON document. */
export function json(value: unknown): HookReply {
  return { stdout: JSON.stringify(value), stderr: "", exitCode: 0 };
}

/** A block on hosts that look at the exit code, and show the model what stands on stderr. */
export function blockByExit(reason: string): HookReply {
  return { stdout: "", stderr: `${reason}\n`, exitCode: 2 };
}

/** The reason of an answer; a block without one is dropped by some hosts. */
export function reasonOf(answer: Answer): string {
  return answer.reason.trim() || "guard: blocked.";
}

/** Whether the call must not simply go on; where a host cannot ask, a question stops it too. */
export function stops(answer: Answer): boolean {
  return answer.decision === "deny" || answer.decision === "ask";
}

/**
 * Silence, or the notes as a message for the person. With `frame`, what the model has to know is also given to it, where
 * hosts of Claude Code's form take that: at a prompt and at the beginning of a session.
 */
export function noted(answer: Answer, frame?: ReplyFrame): HookReply {
  const { notes } = answer;
  if (notes.length === 0) return silence;
  return json({
    systemMessage: notes.map((note) => note.text).join("\n"),
    ...(frame === undefined ? {} : contextOf(answer, frame)),
  });
}

/** What the model has to know, in the form of Claude Code; nothing at other events than those two. */
export function contextOf(
  { notes }: Answer,
  { event, nativeEvent }: ReplyFrame,
): Readonly<Record<string, unknown>> {
  const context = notes.filter((note) => note.forModel === true).map((note) => note.text).join("\n");
  if (context === "" || (event !== "prompt" && event !== "session_start")) return {};
  return { hookSpecificOutput: { hookEventName: nativeEvent, additionalContext: context } };
}
