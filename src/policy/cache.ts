/**
 * Validated forms of policy files in guard's state. Loading the parser and the schema costs a hook more than
 * everything else together, and a policy seldom changes. A form counts only for exactly the text that it was
 * made of. The administrator's policy is never taken from here, since a user can write this directory.
 */

import { native } from "../native_path.ts";
import { openText } from "../facts/open.ts";
import { version } from "../version.ts";
import { writeWhole } from "../whole_file.ts";
import type { PolicyFile } from "./schema.ts";

/** A policy of 1 MiB, its form, and the escapes of JSON. */
const SIZE_LIMIT = 8 * 1024 * 1024;
/** Files for projects; they are shared by hash, which is harmless since the text is compared. */
const SLOTS = 64;

/** The form that was made of this text, or undefined. Never throws. */
export function cachedForm(
  state: string,
  layer: "user" | "project",
  path: string,
  text: string,
): PolicyFile | undefined {
  const opened = openText(native.join(state, "policy", nameOf(layer, path)), SIZE_LIMIT);
  if (opened.state !== "text") return undefined;
  try {
    const value: unknown = JSON.parse(opened.text);
    if (typeof value !== "object" || value === null) return undefined;
    const { guard, source, form } = value as Record<string, unknown>;
    if (guard !== version || source !== text || typeof form !== "object" || form === null) return undefined;
    return form as PolicyFile;
  } catch {
    return undefined;
  }
}

/** Keeps a form for the next hook. What cannot be written is made again. */
export function keepForm(
  state: string,
  layer: "user" | "project",
  path: string,
  text: string,
  form: PolicyFile,
): void {
  try {
    const name = nameOf(layer, path);
    writeWhole(
      native.join(state, "policy"),
      name,
      `${JSON.stringify({ guard: version, source: text, form })}\n`,
    );
  } catch {
    // The next hook validates again.
  }
}

function nameOf(layer: "user" | "project", path: string): string {
  if (layer === "user") return "user.json";
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) >>> 0;
  return `project-${hash % SLOTS}.json`;
}
