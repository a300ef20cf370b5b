/** Examples of rules as people read them. */

import type { Example } from "../types.ts";

/** What an example does, on one line or several. */
export function exampleText(example: Example): string {
  const { action } = example;
  if (typeof action === "string") return action;
  switch (action.kind) {
    case "shell":
      return action.command;
    case "file":
      return `${action.operation} ${action.path}`;
    case "fetch":
      return `fetch ${action.url}`;
    case "mcp":
      return `${action.server}/${action.tool} ${JSON.stringify(action.input)}`;
    case "unknown":
      return `${action.tool} ${JSON.stringify(action.input)}`;
    case "prompt":
    case "output":
      return action.text;
    case "session":
      return `session ${action.phase}`;
  }
}
