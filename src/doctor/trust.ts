/**
 * Whether Codex trusts guard's hooks. It skips untrusted ones without a word. The state is in config.toml under
 * `hooks.state."<file>:<event>:<group>:<handler>".trusted_hash`; the hash covers the handler's own settings.
 * Observed with Codex CLI 0.171.0.
 */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { GuardError } from "../errors.ts";
import { childrenOf, type Node, valueOf } from "../install/document.ts";
import type { OwnEntry } from "../install/entry.ts";
import { type Check, note, ok, problem } from "./check.ts";
import { at, readDocument } from "./switches.ts";

const untrusted = "Start codex, open /hooks and trust guard's entries.";

/** `file` is the hooks.json that holds the entries. */
export async function checkCodexTrust(
  file: string,
  config: string,
  entries: readonly OwnEntry[],
): Promise<Check> {
  let state: unknown;
  try {
    state = at(await readDocument(config, "toml"), ["hooks", "state"]);
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    return note("trust", `${config} could not be looked at: ${error.message}`);
  }
  const missing: string[] = [];
  const changed: string[] = [];
  for (const own of entries) {
    const place = placeOf(own);
    if (place === undefined) continue;
    const key = `${file}:${place.event}:${place.group}:${place.handler}`;
    const hash = at(state, [key, "trusted_hash"]);
    if (hash === undefined) missing.push(place.native);
    else if (hash !== trustHash(own, place.event)) changed.push(place.native);
  }
  if (missing.length > 0) {
    return problem(
      "trust",
      `Codex does not trust these hooks yet and skips them: ${missing.join(", ")}.`,
      untrusted,
    );
  }
  if (changed.length > 0) {
    return problem(
      "trust",
      `Codex may skip hooks that changed after you trusted them: ${changed.join(", ")}.`,
      untrusted,
    );
  }
  return ok("trust", "Codex trusts the hooks.");
}

/** The configuration beside a user's hooks.json; projects are trusted from the same file. */
export function codexConfig(userHooks: string): string {
  return join(dirname(userHooks), "config.toml");
}

interface Place {
  /** `pre_tool_use` for `PreToolUse`. */
  readonly event: string;
  readonly native: string;
  readonly group: number;
  readonly handler: number;
}

function placeOf(own: OwnEntry): Place | undefined {
  const handlers = own.handler.parent;
  const group = handlers?.parent?.parent;
  const groups = group?.parent;
  const property = groups?.parent;
  const native: unknown = property?.children?.[0]?.value;
  if (handlers === undefined || group === undefined || groups === undefined || typeof native !== "string") {
    return undefined;
  }
  return {
    event: native.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase(),
    native,
    group: childrenOf(groups).indexOf(group),
    handler: childrenOf(handlers).indexOf(own.handler),
  };
}

/** SHA-256 of the compact JSON with sorted keys that describes one handler. */
export function trustHash(own: OwnEntry, event: string): string {
  const handler = fields(own.handler);
  const group = fields(own.handler.parent?.parent?.parent);
  const described = {
    event_name: event,
    hooks: [{
      async: handler["async"] ?? false,
      command: handler["command"],
      timeout: handler["timeout"] ?? 600,
      type: handler["type"] ?? "command",
    }],
    ...(group["matcher"] === undefined ? {} : { matcher: group["matcher"] }),
  };
  return `sha256:${createHash("sha256").update(JSON.stringify(described)).digest("hex")}`;
}

function fields(node: Node | undefined): Record<string, unknown> {
  return node?.type === "object" ? valueOf(node) as Record<string, unknown> : {};
}
