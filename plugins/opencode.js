// @ts-check
import { createGuard } from "./core.js";
import { settings } from "./settings.js";

/**
 * The host takes every export for a plugin, and what a hook throws for a denial.
 * @param {{ directory?: unknown, worktree?: unknown }} context
 */
export const Guard = (context) => {
  const guard = createGuard(settings);
  guard.warm();
  return Promise.resolve({
    /**
     * @param {{ tool?: unknown, sessionID?: unknown, callID?: unknown }} input
     * @param {{ args?: unknown }} output
     */
    "tool.execute.before": async (input, output) => {
      const answer = await guard.ask("tool.execute.before", {
        hook_event_name: "tool.execute.before",
        guard_plugin: settings.host,
        session_id: input.sessionID,
        tool_use_id: input.callID,
        cwd: context.directory,
        workspace: context.worktree,
        tool_name: input.tool,
        tool_input: output.args ?? {},
      });
      if (answer.decision !== "none") throw new Error(answer.reason);
    },
  });
};
