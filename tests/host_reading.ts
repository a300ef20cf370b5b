/**
 * How each client reads a hook's reply, as measured on the real clients (Cursor: as documented): the judge of
 * the tests on adapters. Strict where a client is strict, so that an answer which a client would drop counts as
 * "the tool runs".
 */

import type { HookReply } from "../src/types.ts";

/** `dropped` is a reply that the client throws away as malformed; the tool then runs. */
export type Outcome = "stopped" | "asked" | "allowed" | "runs" | "dropped";

type Fields = Record<string, unknown>;

export function outcome(host: string, nativeEvent: string, reply: HookReply): Outcome {
  switch (host) {
    case "claude":
      return claude(nativeEvent, reply);
    case "codex":
      return codex(nativeEvent, reply);
    case "gemini":
      return gemini(reply);
    case "cursor":
      return cursor(nativeEvent, reply);
    default:
      throw new Error(`no reading for ${host}`);
  }
}

function object(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function claude(event: string, { stdout, exitCode }: HookReply): Outcome {
  if (exitCode === 2) return "stopped";
  if (stdout === "") return "runs";
  const answer = object(stdout);
  if (answer === undefined) return "dropped";
  const { decision, hookSpecificOutput: specific } = answer;
  if (decision !== undefined && decision !== "approve" && decision !== "block") return "dropped";
  if (decision === "block") return "stopped";
  if (specific === undefined) return "runs";
  const fields = specific as Fields;
  if (fields.hookEventName !== event) return "dropped";
  if (event === "PermissionRequest") {
    const behavior = (fields.decision as Fields | undefined)?.behavior;
    return behavior === "deny" ? "stopped" : behavior === "allow" ? "allowed" : "dropped";
  }
  return permissionDecision(fields);
}

function permissionDecision(fields: Fields): Outcome {
  switch (fields.permissionDecision) {
    case "deny":
      return "stopped";
    case "ask":
      return "asked";
    case "allow":
      return "allowed";
    default:
      return "dropped";
  }
}

function codex(event: string, { stdout, stderr, exitCode }: HookReply): Outcome {
  if (exitCode === 2) return isText(stderr) ? "stopped" : "dropped";
  if (exitCode !== 0) return "dropped";
  if (stdout === "") return "runs";
  const answer = object(stdout);
  if (answer === undefined) return "dropped";
  const known = ["continue", "systemMessage", "decision", "reason", "hookSpecificOutput"];
  if (Object.keys(answer).some((key) => !known.includes(key))) return "dropped";
  if (answer.decision !== undefined) {
    return answer.decision === "block" && isText(answer.reason) ? "stopped" : "dropped";
  }
  if (answer.hookSpecificOutput === undefined) return "runs";
  const fields = answer.hookSpecificOutput as Fields;
  if (fields.hookEventName !== event) return "dropped";
  if (event === "PermissionRequest") {
    const decision = fields.decision as Fields | undefined;
    return decision?.behavior === "deny" && isText(decision.message) ? "stopped" : "dropped";
  }
  const allowed = ["hookEventName", "permissionDecision", "permissionDecisionReason"];
  if (Object.keys(fields).some((key) => !allowed.includes(key))) return "dropped";
  return fields.permissionDecision === "deny" && isText(fields.permissionDecisionReason)
    ? "stopped"
    : "dropped";
}

function gemini({ stdout, stderr, exitCode }: HookReply): Outcome {
  const text = stdout.trim() === "" ? stderr : stdout;
  if (text.trim() === "") return "runs";
  const answer = object(text);
  if (answer === undefined) return exitCode === 0 || exitCode === 1 ? "dropped" : "stopped";
  switch (answer.decision) {
    case "deny":
    case "block":
      return isText(answer.reason) ? "stopped" : "dropped";
    case undefined:
      return "runs";
    case "allow":
      return "allowed";
    default:
      return "dropped";
  }
}

/** Permission hooks must say a permission: some versions take silence for a failure. */
function cursor(event: string, { stdout, exitCode }: HookReply): Outcome {
  if (exitCode === 2) return "stopped";
  if (exitCode !== 0) return "dropped";
  const answer = object(stdout);
  if (answer === undefined) return "dropped";
  if (event === "beforeSubmitPrompt") {
    return answer.continue === true ? "runs" : answer.continue === false ? "stopped" : "dropped";
  }
  const permissions = [
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
    "beforeTabFileRead",
    "subagentStart",
  ];
  if (!permissions.includes(event)) return "runs";
  const known = ["permission", "user_message", "agent_message"];
  if (Object.keys(answer).some((key) => !known.includes(key))) return "dropped";
  if (answer.permission === "allow") return "runs";
  return answer.permission === "deny" && isText(answer.user_message) && isText(answer.agent_message)
    ? "stopped"
    : "dropped";
}
