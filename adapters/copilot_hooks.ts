/**
 * The hook file that GitHub Copilot CLI and agents in VS Code share. Both read every file in these folders, so that
 * one of guard's serves both, and an answer carries what each of them reads and ignores the rest.
 */

import type { HookReply, InstallTarget, Location } from "../src/types.ts";
import { json } from "./reply.ts";

/** The file for all projects of the user, or for one project. */
export function copilotFile(base: "home" | "project"): Location {
  return base === "project" ? { base, segments: [".github", "hooks", "guard.json"] } : {
    base,
    segments: [".copilot", "hooks", "guard.json"],
    relocatedBy: [{ variable: "COPILOT_HOME", segments: ["hooks", "guard.json"] }],
  };
}

/**
 * Without a matcher, since `*` is no valid one in this form and drops the hook. VS Code reads the event's name in
 * this form too.
 */
function target(scope: "user" | "project"): InstallTarget {
  return {
    scope,
    location: copilotFile(scope === "user" ? "home" : "project"),
    format: "json",
    host: "copilot",
    skeleton: { version: 1 },
    entries: ["preToolUse", "postToolUse"].map((event) => ({
      event,
      at: ["hooks", event],
      value: (command: string) => ({ type: "command", command, timeout: 30 }),
    })),
  };
}

export const copilotHooks: readonly InstallTarget[] = [target("user"), target("project")];

/** A denial before a tool. Exit code 0, since with 2 Copilot CLI drops the reason. */
export function denial(reason: string): HookReply {
  return permission("deny", reason);
}

/** Lets the tool run without the client's own question. */
export function grant(reason: string): HookReply {
  return permission("allow", reason);
}

/** A question before a tool. */
export function question(reason: string): HookReply {
  return permission("ask", reason);
}

function permission(decision: "deny" | "allow" | "ask", reason: string): HookReply {
  const answer = { permissionDecision: decision, permissionDecisionReason: reason };
  return json({ ...answer, hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } });
}
