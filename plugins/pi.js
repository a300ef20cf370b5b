// @ts-check
import { createGuard, textPlaces } from "./core.js";
import { settings } from "./settings.js";

const yes = "Yes, run it";

/** @param {{ on: (event: string, handler: (...values: any[]) => unknown) => void }} pi */
export default function (pi) {
  const guard = createGuard(settings);
  pi.on("session_start", (_event, context) => {
    guard.tell("session_start", { hook_event_name: "session_start", ...common(context) }).then((notes) => {
      if (notes.length > 0 && context.hasUI === true) context.ui.notify(notes.join("\n"), "warning");
    }).catch(() => {});
  });
  pi.on("tool_call", async (event, context) => {
    const asks = context.mode === "tui" && context.hasUI === true;
    const answer = await guard.ask("tool_call", {
      hook_event_name: "tool_call",
      ...common(context),
      tool_use_id: event.toolCallId,
      mode: asks ? "tui" : "headless",
      tool_name: event.toolName,
      tool_input: event.input ?? {},
    });
    if (answer.decision === "none") return undefined;
    if (!asks || answer.decision !== "ask") return { block: true, reason: answer.reason };
    // The first choice is the one that a stray return key takes.
    const choice = await context.ui.select(answer.reason, ["No", yes]);
    return choice === yes
      ? undefined
      : { block: true, reason: `${answer.reason} The person was asked, and did not consent.` };
  });
  // The host goes on with the result as it was after whatever a handler throws here.
  pi.on("tool_result", async (event, context) => {
    const content = structuredClone(event.content ?? []);
    const structuredContent = structuredClone(event.structuredContent);
    const note = await guard.clean("tool_result", {
      hook_event_name: "tool_result",
      ...common(context),
      tool_use_id: event.toolCallId,
      tool_name: event.toolName,
    }, [...textPlaces(content), ...textPlaces(structuredContent)]);
    if (note === "") return undefined;
    return {
      content: [...content, { type: "text", text: note }],
      ...(structuredContent === undefined ? {} : { structuredContent }),
    };
  });
}

/** @param {any} context */
function common(context) {
  return { guard_plugin: settings.host, session_id: sessionOf(context), cwd: context.cwd };
}

/** @param {{ sessionManager?: { getSessionId?: () => unknown } }} context */
function sessionOf(context) {
  try {
    return context.sessionManager?.getSessionId?.();
  } catch {
    return undefined;
  }
}
