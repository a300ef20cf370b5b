/** Finds guard's own entries in a configuration, whatever their form. */

import { childrenOf, type Node, valueOf } from "./document.ts";
import { parseCommand, type ParsedCommand } from "./command.ts";

/** Members of a hook handler that hold a command line in one host or another. */
const commandKeys = ["command", "bash", "powershell", "cmd", "sh", "windows", "linux", "osx"];

/** An entry of guard in a configuration. */
export interface OwnEntry {
  /** What has to be cut: the whole group when everything in it is guard's, else the handler alone. */
  readonly element: Node;
  /** The array that holds `element`. */
  readonly list: Node;
  /** The object with the command line. */
  readonly handler: Node;
  readonly command: ParsedCommand;
  /** The command line when it is one string. */
  readonly line: string | undefined;
}

/** All own entries, in the order of the text. */
export function ownEntries(root: Node): OwnEntry[] {
  const found: OwnEntry[] = [];
  visit(root, found);
  return found;
}

function visit(node: Node, found: OwnEntry[]): void {
  if (node.type === "array") {
    for (const child of childrenOf(node)) {
      const own = child.type === "object" ? ownCommand(child) : undefined;
      if (own === undefined) {
        visit(child, found);
        continue;
      }
      const group = groupOf(node);
      found.push({
        element: group?.element ?? child,
        list: group?.list ?? node,
        handler: child,
        ...own,
      });
    }
  } else if (node.type === "object") {
    for (const property of childrenOf(node)) {
      const value = property.children?.[1];
      if (value !== undefined) visit(value, found);
    }
  }
}

/** The group around a list of handlers, when the group is an element of a list and holds guard's handlers only. */
function groupOf(handlers: Node): { element: Node; list: Node } | undefined {
  const group = handlers.parent?.parent;
  if (handlers.parent?.type !== "property" || group?.type !== "object" || group.parent?.type !== "array") {
    return undefined;
  }
  const all = childrenOf(handlers).every((child) =>
    child.type === "object" && ownCommand(child) !== undefined
  );
  return all ? { element: group, list: group.parent } : undefined;
}

function ownCommand(handler: Node): { command: ParsedCommand; line: string | undefined } | undefined {
  const value = valueOf(handler) as Record<string, unknown>;
  const args = value["args"];
  const list = Array.isArray(args) && args.every((item) => typeof item === "string") ? args : undefined;
  // Some hosts keep what is done apart from when it is done.
  const action = Object.hasOwn(value, "action") ? value["action"] : undefined;
  const places = [value, ...(typeof action === "object" && action !== null ? [action] : [])];
  for (const [place, key] of places.flatMap((one) => commandKeys.map((name) => [one, name] as const))) {
    const line = Object.hasOwn(place, key) ? (place as Record<string, unknown>)[key] : undefined;
    if (typeof line !== "string") continue;
    const command = parseCommand(line, list);
    if (command !== undefined) return { command, line: list === undefined ? line : undefined };
  }
  return undefined;
}

/** Whether two plain JSON values are equal, whatever the order of keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]));
  }
  if (typeof a === "object" && typeof b === "object" && a !== null && b !== null) {
    const left = Object.entries(a);
    const right = new Map<string, unknown>(Object.entries(b));
    return left.length === right.size &&
      left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
  }
  return a === b;
}
