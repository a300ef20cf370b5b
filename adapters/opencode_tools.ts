/** Tools of OpenCode and of what was made of it. */

import { PayloadError } from "../src/errors.ts";
import type { Action } from "../src/types.ts";
import { field, type Fields, isFields, text, typeOf } from "./read.ts";
import { isKnownTool, toolActions, type ToolOptions } from "./tools.ts";

/** Built-in tools with a separator in their names; others with one are tools of MCP servers. */
const builtIn: ReadonlySet<string> = new Set([
  "agent_manager",
  "agent_manager_models",
  "background_process",
  "board_post",
  "board_read",
  "browser_open",
  "cancel_wakeup",
  "cron_create",
  "cron_delete",
  "cron_list",
  "link_pr",
  "list_mcp_resource_templates",
  "list_mcp_resources",
  "notebook_edit",
  "notebook_execute",
  "notebook_read",
  "notify_user",
  "plan_enter",
  "plan_exit",
  "read_mcp_resource",
  "schedule_wakeup",
  "semantic_search",
  "send_file",
]);

/** The actions of tools that the shared table does not know; undefined for those that it knows. */
export function opencodeTools(tool: string, input: Fields, options: ToolOptions): Action[] | undefined {
  if (tool === "background_process") {
    const command = text(input, "command") ?? "";
    return command === "" ? [{ kind: "unknown", tool, input }] : toolActions("bash", input, options);
  }
  if (tool === "batch") return batchActions(input, options);
  const at = tool.indexOf("_");
  return at <= 0 || builtIn.has(tool) || isKnownTool(tool)
    ? undefined
    : [{ kind: "mcp", server: tool.slice(0, at), tool: tool.slice(at + 1), input }];
}

/** Several calls in one, for which the client fires no hooks of their own. */
function batchActions(input: Fields, options: ToolOptions): Action[] {
  const calls = field(input, "tool_calls");
  if (!Array.isArray(calls)) {
    throw new PayloadError(`tool batch: expected an array in "tool_calls", found ${typeOf(calls)}`);
  }
  const actions = calls.flatMap((call: unknown) => {
    const name = isFields(call) ? text(call, "tool") : undefined;
    const parameters = isFields(call) ? field(call, "parameters") : undefined;
    if (name === undefined || !isFields(parameters)) {
      throw new PayloadError(
        'tool batch: expected "tool" and "parameters" in each call, found something else',
      );
    }
    if (name === "batch") return [{ kind: "unknown", tool: name, input: parameters } as const];
    const actions = opencodeTools(name, parameters, options) ?? toolActions(name, parameters, options);
    return actions.map((action) => "tool" in action ? action : { ...action, tool: name } as Action);
  });
  return actions.length === 0 ? [{ kind: "unknown", tool: "batch", input }] : actions;
}
