/** Careful access to payload fields: own properties only, types checked, wrong types refused. */

import { native } from "../src/native_path.ts";
import { PayloadError } from "../src/errors.ts";
import { textsIn } from "../src/value_texts.ts";

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** What hosts call the top-level fields of a tool call: its name, and what it works on. */
export const toolNames = ["tool_name", "toolName"];
export const toolInputs = [
  "tool_input",
  "toolInput",
  "toolArgs",
  "tool_info",
  "toolCall",
  "tool_call",
  "preToolUse",
];

/** True for a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of an own property; a payload may carry `__proto__` or `constructor` as data. */
export function field(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The first of the named fields that is a string, empty strings included. */
export function text(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = field(fields, name);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The first of the named fields that is a string with something in it. */
export function filled(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = field(fields, name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** A string field that the event cannot do without; throws PayloadError. */
export function requiredText(fields: Fields, event: string, ...names: readonly string[]): string {
  const value = text(fields, ...names);
  if (value !== undefined) return value;
  throw new PayloadError(`${event}: expected a string in "${names[0]}", found ${typeName(fields, names)}`);
}

/** An object field that the event cannot do without; throws PayloadError. */
export function requiredFields(fields: Fields, event: string, name: string): Fields {
  const value = field(fields, name);
  if (isFields(value)) return value;
  throw new PayloadError(`${event}: expected an object in "${name}", found ${typeName(fields, [name])}`);
}

/** How a value is called in messages. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Absolute on the system that sent it, which need not be the one a fixture is replayed on. */
export function isAbsoluteAnywhere(path: string): boolean {
  return native.isAbsolute(path) || /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** The texts of what a tool returned. */
export function outputText(value: unknown): string {
  return [...textsIn(value)].filter((text) => text !== "").join("\n");
}

function typeName(fields: Fields, names: readonly string[]): string {
  const present = names.find((name) => Object.hasOwn(fields, name));
  return typeOf(present === undefined ? undefined : fields[present]);
}
