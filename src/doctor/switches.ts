/** Looks for settings with which a host runs no hooks. */

import { parse as parseToml } from "smol-toml";
import { GuardError } from "../errors.ts";
import { parseDocument, valueOf } from "../install/document.ts";
import { sameValue } from "../install/entry.ts";
import { resolveLocation, type Surroundings } from "../install/location.ts";
import { decode, readConfiguration } from "../install/write.ts";
import type { HookSwitch, HostAdapter } from "../types.ts";
import { type Check, note, problem } from "./check.ts";

/** Whether a setting of the host switches hooks off. */
export async function checkSwitches(adapter: HostAdapter, around: Surroundings): Promise<Check[]> {
  const checks: Check[] = [];
  for (const hookSwitch of adapter.disabledBy ?? []) {
    let path = hookSwitch.location.segments.join("/");
    try {
      path = resolveLocation(hookSwitch.location, around);
      const value = at(await readDocument(path, hookSwitch.format), hookSwitch.at);
      if (value !== undefined && sameValue(value, hookSwitch.off)) {
        const key = hookSwitch.at.join(".");
        checks.push(problem(
          "switch",
          `${key} is ${JSON.stringify(value)} in ${path}: ${adapter.title} runs no hooks.`,
          `Remove ${key} from ${path}.`,
        ));
      }
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      // A configuration that carries the entries is reported as such by the check of the entries.
      checks.push(note("switch", `${path} could not be looked at: ${error.message}`));
    }
  }
  return checks;
}

/** The value of a configuration; undefined when there is no file or it is blank. Throws GuardError when unreadable. */
export async function readDocument(path: string, format: HookSwitch["format"]): Promise<unknown> {
  const { bytes } = await readConfiguration(path);
  if (bytes === undefined) return undefined;
  const text = decode(bytes).replace(/^\ufeff/, "");
  if (format === "toml") {
    try {
      return parseToml(text);
    } catch (error) {
      throw new GuardError(
        `not valid TOML: ${error instanceof Error ? error.message.split("\n")[0] : error}`,
      );
    }
  }
  const root = parseDocument(text, format);
  return root === undefined ? undefined : valueOf(root);
}

/** The value below keys; undefined when one is missing. */
export function at(document: unknown, keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
