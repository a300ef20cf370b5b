// @ts-check
import { createGuard, textPlaces } from "./core.js";
import { settings } from "./settings.js";

/** The host goes on after whatever a handler throws, so that nothing may be thrown here. */
export default class Guard {
  static metadata = {
    name: "guard",
    version: "1.0.0",
    description: "Asks guard about every tool call.",
    author: "guard",
  };

  #guard = createGuard(settings);

  /**
   * @param {unknown} _event
   * @param {any} context
   */
  onTaskInitialized(_event, context) {
    this.#guard.tell("onTaskInitialized", { hook_event_name: "onTaskInitialized", ...about(context) });
  }

  /**
   * An output stands in for the tool's own; `blocked` ends the chain, so that no later extension takes it back.
   * @param {any} event
   * @param {any} context
   */
  async onToolCalled(event, context) {
    try {
      const answer = await this.#guard.ask("onToolCalled", {
        hook_event_name: "onToolCalled",
        ...about(context),
        tool_use_id: event.toolCallId,
        tool_name: event.toolName,
        tool_input: event.input ?? event.args ?? {},
      });
      return answer.decision === "none" ? undefined : { output: answer.reason, blocked: true };
    } catch (error) {
      return { output: `guard: blocked, since guard could not judge this call: ${error}.`, blocked: true };
    }
  }

  /**
   * @param {any} event
   * @param {any} context
   */
  async onToolFinished(event, context) {
    try {
      const changed = structuredClone({ output: event.output });
      const note = await this.#guard.clean("onToolFinished", {
        hook_event_name: "onToolFinished",
        ...about(context),
        tool_use_id: event.toolCallId,
        tool_name: event.toolName,
      }, textPlaces(changed));
      if (note === "") return undefined;
      const { output } = changed;
      if (typeof output === "string") return { output: `${output}\n\n${note}` };
      if (Array.isArray(output?.content)) output.content.push({ type: "text", text: note });
      return changed;
    } catch {
      return undefined;
    }
  }
}

/** @param {any} context */
function about(context) {
  const first = (/** @type {(() => unknown)[]} */ ...ways) => {
    for (const way of ways) {
      try {
        const value = way();
        if (typeof value === "string" && value !== "") return value;
      } catch {
        // This version has another way.
      }
    }
    return undefined;
  };
  return {
    guard_plugin: settings.host,
    session_id: first(() => context.getTaskContext().data.id),
    cwd: first(
      () => context.getTaskContext().getTaskDir(),
      () => context.getProjectContext().baseDir,
      () => context.getProjectDir(),
    ),
  };
}
