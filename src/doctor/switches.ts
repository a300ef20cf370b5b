/** Looks for settings with which a host runs no hooks. */

import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
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
    checks.push(...await checkSwitch(hookSwitch, adapter, around));
  }
  return checks;
}

async function checkSwitch(
  hookSwitch: HookSwitch,
  { title }: HostAdapter,
  around: Surroundings,
): Promise<Check[]> {
  const { location, otherwise = [], format, on, off } = hookSwitch;
  const key = hookSwitch.at.join(".");
  const places: string[] = [];
  for (const place of [location, ...otherwise]) {
    let path = place.segments.join("/");
    try {
      path = resolveLocation(place, around);
      places.push(path);
      const value = at(await readDocument(path, format), hookSwitch.at);
      if (value === undefined) continue;
      const isOff = on === undefined ? sameValue(value, off) : !sameValue(value, on);
      return isOff
        ? [problem(
          "switch",
          `${key} is ${JSON.stringify(value)} in ${path}: ${title} runs no hooks.`,
          on === undefined
            ? `Remove ${key} from ${path}.`
            : `Set ${key} to ${JSON.stringify(on)} in ${path}.`,
        )]
        : [];
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      // A configuration that carries the entries is reported as such by the check of the entries.
      return [note("switch", `${path} could not be looked at: ${error.message}`)];
    }
  }
  if (on === undefined) return [];
  return [problem(
    "switch",
    `${key} is not ${JSON.stringify(on)} in ${places.join(" or ")}: ${title} runs no hooks.`,
    `Set ${key} to ${JSON.stringify(on)} in ${places[0]}.`,
  )];
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
  if (format === "yaml") {
    try {
      return parseYaml(text);
    } catch (error) {
      throw new GuardError(
        `not valid YAML: ${error instanceof Error ? error.message.split("\n")[0] : error}`,
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
