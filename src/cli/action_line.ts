/** One line of `guard check --jsonl` as an action. */

import type { Dialect } from "../shell/model.ts";
import type { Action, FileOperation } from "../types.ts";

/** One line of `guard check --jsonl`, read. */
export type ActionLine =
  | { readonly id: unknown; readonly cwd?: string; readonly host?: string; readonly action: Action }
  | { readonly id: unknown; readonly error: string };

type Members = Readonly<Record<string, unknown>>;

const DIALECTS: readonly Dialect[] = ["posix", "powershell", "cmd"];
const OPERATIONS: readonly FileOperation[] = ["read", "write", "edit", "delete"];
const KINDS = ["shell", "file", "fetch", "mcp", "prompt", "output"];

/** A member that has another type than it must have. */
class Unexpected extends Error {}

/** Reads a line; unknown members are ignored, and `id` is kept whenever the line is an object. */
export function parseActionLine(text: string): ActionLine {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text);
  } catch (error) {
    return { id: null, error: `expected a JSON object, found something else (${message(error)})` };
  }
  if (!isObject(value)) return { id: null, error: `expected a JSON object, found ${typeName(value)}` };
  const id = value.id ?? null;
  try {
    const cwd = optionalText(value, "cwd");
    const host = optionalText(value, "host");
    return {
      id,
      ...(cwd === undefined ? {} : { cwd }),
      ...(host === undefined ? {} : { host }),
      action: actionOf(value),
    };
  } catch (error) {
    if (error instanceof Unexpected) return { id, error: error.message };
    throw error;
  }
}

function actionOf(line: Members): Action {
  const { action } = line;
  if (action === undefined) {
    if (line.command === undefined) throw new Unexpected(`expected "action" or "command", found neither`);
    return shell(line, "");
  }
  if (!isObject(action)) throw new Unexpected(`expected "action" to be an object, found ${typeName(action)}`);
  switch (action.kind) {
    case "shell":
      return shell(action, "action.");
    case "file": {
      const operation = text(action, "operation", "action.");
      if (!OPERATIONS.includes(operation as FileOperation)) {
        throw new Unexpected(
          `expected "action.operation" to be one of ${OPERATIONS.join(", ")}, found "${operation}"`,
        );
      }
      const content = optionalText(action, "content", "action.");
      const previous = optionalText(action, "previous", "action.");
      return {
        kind: "file",
        operation: operation as FileOperation,
        path: text(action, "path", "action."),
        ...(content === undefined ? {} : { content }),
        ...(previous === undefined ? {} : { previous }),
      };
    }
    case "fetch":
      return { kind: "fetch", url: text(action, "url", "action.") };
    case "mcp":
      return {
        kind: "mcp",
        server: text(action, "server", "action."),
        tool: text(action, "tool", "action."),
        input: action.input,
      };
    case "prompt":
      return { kind: "prompt", text: text(action, "text", "action.") };
    case "output":
      return { kind: "output", tool: text(action, "tool", "action."), text: text(action, "text", "action.") };
    default:
      throw new Unexpected(
        `expected "action.kind" to be one of ${KINDS.join(", ")}, found ${
          JSON.stringify(action.kind) ?? "none"
        }`,
      );
  }
}

function shell(members: Members, prefix: string): Action {
  const dialect = optionalText(members, "dialect", prefix) ?? "posix";
  if (!DIALECTS.includes(dialect as Dialect)) {
    throw new Unexpected(
      `expected "${prefix}dialect" to be one of ${DIALECTS.join(", ")}, found "${dialect}"`,
    );
  }
  return { kind: "shell", command: text(members, "command", prefix), dialect: dialect as Dialect };
}

function text(members: Members, name: string, prefix = ""): string {
  const value = members[name];
  if (typeof value === "string") return value;
  throw new Unexpected(`expected "${prefix}${name}" to be a string, found ${typeName(value)}`);
}

function optionalText(members: Members, name: string, prefix = ""): string | undefined {
  const value = members[name];
  return value === undefined || value === null ? undefined : text(members, name, prefix);
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === undefined) return "none";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 120) : "unreadable";
}
