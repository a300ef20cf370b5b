// @ts-check
import { createGuard, textPlaces } from "./core.js";
import { settings } from "./settings.js";

/** @param {{ on: (event: string, handler: (...values: any[]) => unknown) => void, system?: any, helpers?: any }} amp */
export default function (amp) {
  const guard = createGuard(settings);
  /** @param {any} event */
  const common = (event) => {
    const workspace = workspaceOf(amp);
    return { guard_plugin: settings.host, session_id: event?.thread?.id, cwd: workspace, workspace };
  };
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
    // What the host takes for the answer of a plugin that does not listen at all.
    if (answer.decision === "none") return { action: "allow" };
    return { action: "reject-and-continue", message: answer.reason };
  });
  amp.on("tool.result", async (event) => {
    try {
      const { status, error } = event;
      if (status !== "done" && status !== "error") return undefined;
      const changed = structuredClone({ output: event.output, ...(status === "error" ? { error } : {}) });
      const note = await guard.clean("tool.result", {
        hook_event_name: "tool.result",
        ...common(event),
        tool_use_id: event.toolUseID,
        tool_name: event.tool,
      }, textPlaces(changed));
      if (note === "") return undefined;
      const { output } = changed;
      if (typeof output === "string") changed.output = `${output}\n\n${note}`;
      else if (Array.isArray(output)) output.push({ type: "text", text: note });
      return { status, ...changed };
    } catch {
      return undefined;
    }
  });
}

/**
 * The directory that the host works in: a path, or an address of a file. A plugin's own process runs elsewhere, so
 * that a thread without one counts as working in the home.
 * @param {any} amp
 */
function workspaceOf(amp) {
  const root = amp.system?.workspaceRoot;
  if (typeof root === "string" && !root.startsWith("file:")) return root;
  return root ? amp.helpers.filePathFromURI(root) : process.env.HOME ?? process.env.USERPROFILE;
}
