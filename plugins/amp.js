// @ts-check
import { createGuard } from "./core.js";
import { settings } from "./settings.js";

/** @param {{ on: (event: string, handler: (...values: any[]) => unknown) => void, system?: any, helpers?: any }} amp */
export default function (amp) {
  const guard = createGuard(settings);
  const workspace = workspaceOf(amp);
  /** @param {any} event */
  const common = (event) => ({
    guard_plugin: settings.host,
    session_id: event?.thread?.id,
    cwd: workspace,
    workspace,
  });
  amp.on("session.start", (event) => {
    guard.tell("session.start", { hook_event_name: "session.start", ...common(event) });
  });
  amp.on("tool.call", async (event) => {
    const answer = await guard.ask("tool.call", {
      hook_event_name: "tool.call",
      ...common(event),
      tool_use_id: event.toolUseID,
      tool_name: event.tool,
      tool_input: event.input ?? {},
    });
    if (answer.decision === "none") return undefined;
    return { action: "reject-and-continue", message: answer.reason };
  });
}

/**
 * The directory that the host works in: a path, or an address of a file.
 * @param {any} amp
 */
function workspaceOf(amp) {
  try {
    const root = amp.system?.workspaceRoot;
    if (typeof root === "string" && !root.startsWith("file:")) return root;
    if (root !== undefined && root !== null) return amp.helpers.filePathFromURI(root);
  } catch {
    // The process works there as well.
  }
  return process.cwd();
}
