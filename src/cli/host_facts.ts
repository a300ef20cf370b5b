/** What guard can do on a host, as data for `guard hosts` and docs/hosts.md. */

import verifiedHosts from "../../adapters/verified.json" with { type: "json" };
import type { HostAdapter, InstallTarget, Location } from "../types.ts";

/** What was found in a real client of the host, by tests that drive it. */
export interface Verification {
  /** Name of the client's package. */
  readonly package: string;
  readonly version: string;
  /** ISO date. */
  readonly date: string;
  /** Calls that ran, since guard has no objection. */
  readonly passes: readonly string[];
  /** Calls that did not run, with guard's reason told to the model unless `aborts` says otherwise. */
  readonly stops: readonly string[];
  /** Why the model is told nothing of a denial; absent where it is told. */
  readonly aborts?: string;
  /** "blocked", or why a prompt cannot be stopped. */
  readonly prompt: string;
  /** By what happens to guard: "blocked", or why the call goes through. */
  readonly failures: Readonly<Record<string, string>>;
}

/** One host. */
export interface HostFacts {
  readonly host: string;
  readonly title: string;
  readonly documentation: string;
  /** Hooks can stop it somewhere; `limits` says where not. */
  readonly enforceable: boolean;
  /** Kinds of events that guard registers and can stop: `pre_tool`, `permission`, `prompt`. */
  readonly stops: readonly string[];
  readonly ask: "always" | "interactive" | "never";
  /** What else an answer can do: `allow`, `addContext`, `replaceOutput`, `rewriteInput`. */
  readonly can: readonly string[];
  readonly limits: readonly string[];
  /** Files that `guard install` writes to, as texts. */
  readonly configurations: readonly { readonly scope: "user" | "project"; readonly path: string }[];
  /** Absent: everything about this host comes from its documentation. */
  readonly verified?: Verification;
}

const verifications: Readonly<Record<string, Verification>> = verifiedHosts;

const abilities = ["allow", "addContext", "replaceOutput", "rewriteInput"] as const;

/** The facts about one host. */
export function factsOf(adapter: HostAdapter): HostFacts {
  const { id, capabilities, unenforced = [] } = adapter;
  const stops = adapter.events.filter((event) =>
    event.gates && event.install && (event.id !== "prompt" || capabilities.promptBlock)
  ).map((event) => event.id);
  const enforceable = !unenforced.some(({ scope, system }) => scope === undefined && system === undefined);
  const verified = Object.hasOwn(verifications, id) ? verifications[id] : undefined;
  return {
    host: id,
    title: adapter.title,
    documentation: adapter.documentation,
    enforceable,
    stops: enforceable ? [...new Set(stops)] : [],
    ask: capabilities.ask,
    can: abilities.filter((ability) => capabilities[ability]),
    limits: [...unenforced.map(({ why }) => why), ...capabilities.limits],
    configurations: adapter.install.map((target) => ({ scope: target.scope, path: pathText(target) })),
    ...(verified === undefined ? {} : { verified }),
  };
}

const bases: Readonly<Record<Location["base"], string>> = {
  home: "~",
  project: ".",
  config: "~/.config",
  system: "",
  "git-hooks": ".git/hooks",
};

function pathText(target: InstallTarget): string {
  const { base, segments } = target.location;
  const path = [bases[base], ...segments].join("/");
  return target.format !== "whole" && target.each !== undefined ? `${path}/*${target.each}` : path;
}

/** Which client was last verified, in a few words. */
export function verifiedText({ verified }: Pick<HostFacts, "verified">): string {
  return verified === undefined
    ? "from documentation"
    : `${verified.package} ${verified.version}, ${verified.date}`;
}

/** What a question becomes on this host, in a few words. */
export const askTexts: Readonly<Record<HostFacts["ask"], string>> = {
  always: "asked in the client",
  interactive: "denied, with a code for the person",
  never: "denied, with a code for the person",
};

/** Kinds of events in a few words. */
export function stopsText({ stops }: Pick<HostFacts, "stops">): string {
  const words: string[] = [];
  if (stops.includes("pre_tool")) words.push("tool calls");
  if (stops.includes("prompt")) words.push("prompts");
  if (stops.includes("permission")) words.push("permission requests");
  return words.length === 0 ? "nothing" : words.join(", ");
}
