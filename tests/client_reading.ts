/** What the readings of all clients share. */

import type { HookReply } from "../src/types.ts";

/** `dropped` is a reply that the client throws away as malformed; the tool then runs. */
export type Outcome = "stopped" | "asked" | "allowed" | "runs" | "dropped";

/** A client as the tests know it: the default export of tests/fixtures/<host>/client.ts. */
export interface Client {
  /** Unit of the timeout in an installed entry; absent where entries have none. */
  readonly timeouts?: "seconds" | "milliseconds";
  /** What follows when the hook dies without a word (killed, executable missing) and no shell around it says more. */
  readonly onCrash: "stopped" | "runs";
  /**
   * A payload of this client about a tool call; what is undefined is left out. The names of an event that the client
   * does not have are sent in the same way. Absent where payloads have the form of Claude Code's.
   */
  readonly toolCall?: (nativeEvent: string, tool: unknown, input: unknown) => Fields;
  /** Every event is about one kind of tool, which its name tells. */
  readonly oneTool?: true;
  /** Payloads do not name their event. */
  readonly unnamed?: true;
  /** It tells of no tool calls. */
  readonly noTools?: true;
  /** What the client does after this reply at this event. */
  readonly outcome: (nativeEvent: string, reply: HookReply) => Outcome;
}

export type Fields = Record<string, unknown>;

/** The JSON object in a text; undefined when it is none. */
export function object(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : undefined;
  } catch {
    return undefined;
  }
}

/** True for a string with something in it. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** True for members of `hookSpecificOutput` that give the model something to read at this event, and do nothing else. */
export function isContext(event: string, fields: Fields): boolean {
  return ["UserPromptSubmit", "SessionStart"].includes(event) && fields.hookEventName === event &&
    isText(fields.additionalContext) && Object.keys(fields).length === 2;
}
