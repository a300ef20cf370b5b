// @ts-check
import { createGuard, textPlaces } from "./core.js";
import { settings } from "./settings.js";

/**
 * The host takes every export for a plugin, and what a hook throws for a denial.
 * @param {{ directory?: unknown, worktree?: unknown }} context
 */
export const Guard = (context) => {
  const guard = createGuard(settings);
  const common = { guard_plugin: settings.host, cwd: context.directory, workspace: context.worktree };
  return Promise.resolve({
    /** @param {{ event?: { type?: unknown, properties?: any } }} input */
    event: (input) => {
      const session = input.event?.type === "session.created" ? input.event.properties?.info : undefined;
      if (session !== undefined && !session?.parentID) {
        guard.tell("session.created", {
          hook_event_name: "session.created",
          ...common,
          session_id: session?.id,
        });
      }
      return Promise.resolve();
    },

    /**
     * @param {{ tool?: unknown, sessionID?: unknown, callID?: unknown }} input
     * @param {{ args?: unknown }} output
     */
    "tool.execute.before": async (input, output) => {
      const answer = await guard.ask("tool.execute.before", {
        hook_event_name: "tool.execute.before",
        ...common,
        session_id: input.sessionID,
        tool_use_id: input.callID,
        tool_name: input.tool,
        tool_input: output.args ?? {},
      });
      if (answer.decision !== "none") throw new Error(answer.reason);
    },

    /**
     * The host reads what is left in `output`: a text, or the result of an MCP server as it came. What is thrown here
     * would be taken for a failure of the tool.
     * @param {{ tool?: unknown, sessionID?: unknown, callID?: unknown }} input
     * @param {any} output
     */
    "tool.execute.after": async (input, output) => {
      try {
        const { metadata, content, structuredContent } = output;
        /** @type {[any, string][]} */
        const own = [[output, "output"], [metadata, "output"], [metadata, "preview"]];
        const note = await guard.clean("tool.execute.after", {
          hook_event_name: "tool.execute.after",
          ...common,
          session_id: input.sessionID,
          tool_use_id: input.callID,
          tool_name: input.tool,
        }, [
          ...own.filter(([holder, name]) => typeof holder?.[name] === "string"),
          ...textPlaces(content),
          ...textPlaces(structuredContent),
        ]);
        if (note === "") return;
        if (typeof output.output === "string") output.output += `\n\n${note}`;
        else if (Array.isArray(output.content)) output.content.push({ type: "text", text: note });
      } catch {
        // The result stays as it is.
      }
    },
  });
};
