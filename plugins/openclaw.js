// @ts-check
import { createGuard, textPlaces } from "./core.js";
import { settings } from "./settings.js";

/**
 * The host registers a plugin several times and asks for nothing but that: no process is started before a session.
 * @typedef {{ on: (event: string, handler: (...values: any[]) => unknown, options?: object) => void, config?: any, registerAgentToolResultMiddleware?: any }} Api
 */

export default {
  id: "guard",
  name: "guard",
  description: "Asks guard about every tool call.",
  /** @param {Api} api */
  register(api) {
    const guard = createGuard(settings);
    /** @param {any} context */
    const common = (context) => ({
      guard_plugin: settings.host,
      session_id: context?.sessionId ?? context?.sessionKey,
      cwd: workspaceOf(api.config, context),
    });
    api.on("session_start", (_event, context) => {
      guard.tell("session_start", { hook_event_name: "session_start", ...common(context) });
    });
    api.on("before_tool_call", async (event, context) => {
      const answer = await guard.ask("before_tool_call", {
        hook_event_name: "before_tool_call",
        ...common(context),
        tool_use_id: event.toolCallId,
        tool_name: event.toolName,
        tool_kind: event.toolKind,
        tool_input: event.params ?? {},
      });
      return answer.decision === "none" ? undefined : { block: true, blockReason: answer.reason };
    }, { timeoutMs: settings.deadline + 2000 });
    try {
      // The host shows the model an error in the place of the result when this throws.
      api.registerAgentToolResultMiddleware?.(
        async (/** @type {any} */ event, /** @type {any} */ context) => {
          try {
            const content = structuredClone(event.result.content);
            const note = await guard.clean("agentToolResultMiddleware", {
              hook_event_name: "agentToolResultMiddleware",
              ...common(context),
              tool_use_id: event.toolCallId,
              tool_name: event.toolName,
            }, textPlaces(content));
            if (note === "") return undefined;
            return { result: { ...event.result, content: [...content, { type: "text", text: note }] } };
          } catch {
            return undefined;
          }
        },
        { runtimes: ["openclaw", "codex"] },
      );
    } catch {
      // This version takes none; calls are judged all the same.
    }
  },
};

/**
 * Where the agent of a call works, by the host's own configuration.
 * @param {any} config
 * @param {any} context
 */
function workspaceOf(config, context) {
  try {
    const { agents } = config ?? {};
    const own = agents?.entries?.[context?.agentId]?.workspace ??
      (Array.isArray(agents?.list) ? agents.list : []).find((/** @type {any} */ one) =>
        one?.id === context?.agentId
      )?.workspace;
    const path = context?.workspaceDir ?? own ?? agents?.defaults?.workspace;
    const { HOME, USERPROFILE, OPENCLAW_HOME, OPENCLAW_STATE_DIR } = process.env;
    const home = OPENCLAW_HOME ?? HOME ?? USERPROFILE ?? "";
    if (typeof path === "string" && path !== "") return path.replace(/^~(?=[\\/]|$)/, () => home);
    return OPENCLAW_STATE_DIR ? `${OPENCLAW_STATE_DIR}/workspace` : `${home}/.openclaw/workspace`;
  } catch {
    return undefined;
  }
}
