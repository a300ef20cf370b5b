/** The command line of `guard hook` and `guard serve`: read by hand, since a library would cost more than the hook itself. */

import { native } from "./native_path.ts";
import { UsageError } from "./errors.ts";

/** Options of both. */
export interface HookOptions {
  /** Id or alias of the host for which the hook was installed. */
  readonly host: string;
  /** The host's own name of the event. */
  readonly event?: string;
  /** Absolute path of the user's policy file. */
  readonly policy?: string;
  /** Absolute directory of guard's state. */
  readonly state?: string;
}

const names = ["host", "event", "policy", "state"] as const;
type Name = typeof names[number];

/** Reads `--name value` and `--name=value`. Throws UsageError for everything that is not exactly understood. */
export function parseHookOptions(args: readonly string[], command = "guard hook"): HookOptions {
  const found = new Map<Name, string>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const equals = argument.indexOf("=");
    const written = equals < 0 ? argument : argument.slice(0, equals);
    const name = names.find((candidate) => `--${candidate}` === written);
    if (name === undefined) throw new UsageError(`${command}: unknown argument ${JSON.stringify(argument)}`);
    const value = equals < 0 ? args[++index] : argument.slice(equals + 1);
    if (value === undefined || value === "" || (equals < 0 && value.startsWith("--"))) {
      throw new UsageError(`${command}: --${name} needs a value`);
    }
    const earlier = found.get(name);
    if (earlier !== undefined && earlier !== value) {
      throw new UsageError(`${command}: --${name} is given twice, as ${earlier} and ${value}`);
    }
    if ((name === "policy" || name === "state") && !native.isAbsolute(value)) {
      throw new UsageError(`${command}: --${name} needs an absolute path, found ${value}`);
    }
    found.set(name, value);
  }
  const host = found.get("host");
  if (host === undefined) throw new UsageError(`${command}: --host is missing`);
  return {
    host,
    ...(found.has("event") ? { event: found.get("event") } : {}),
    ...(found.has("policy") ? { policy: found.get("policy") } : {}),
    ...(found.has("state") ? { state: found.get("state") } : {}),
  };
}
