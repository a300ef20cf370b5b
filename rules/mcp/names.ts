/**
 * What the name of a tool says about it. Servers call their tools as they like; what is told here is what an English verb
 * and the thing after it mean, with lists of what is no loss although it is called one.
 */

import { wordsOf } from "../../src/tool_programs.ts";

/** Verbs in the form in which tools are named; `deleted` and `removal` are none. */
const verbs: ReadonlySet<string> = new Set([
  "annihilate",
  "decommission",
  "delete",
  "deprovision",
  "destroy",
  "drop",
  "erase",
  "expunge",
  "nuke",
  "obliterate",
  "purge",
  "remove",
  "revoke",
  "shred",
  "terminate",
  "truncate",
  "uninstall",
  "unpublish",
  "wipe",
]);

/** Verbs that are told in a name without separators, such as `deleterepo`. */
const glued = /^(?:delete|destroy|purge|truncate|uninstall|revoke|terminate)(?!d$|r$|s$|ion)[a-z]{2,40}$/;

/** In front of a verb: the tool only looks, takes something back, or makes what the verb is about. */
const harmlessBefore = words(
  "after add before can cancel check count create describe estimate explain fetch find get has is list on plan preview " +
    "prevent read recover restore search show simulate undo validate view watch",
);

/** Behind it: what is asked about is the deletion. */
const harmlessAfter = words("dry estimate plan preview progress request status");

/** Words that are no things. */
const fillers = words(
  "a all an and any bulk by batch every force hard id ids it like many multiple my name now one permanently safely selected " +
    "several single soft specific that the this",
);
const prepositions = words("by for from in inside of on out to using via where with within");

/** Things that are easily made again, are of no value, or only seem to be lost: transformations of a text or picture. */
const harmless = words(
  "accent annotation assignee background block bookmark breakpoint cache cell char character clip console cookie cursor " +
    "diacritic draft duplicate emoji emphasis entity exif favorite favourite formatting frame header highlight html label " +
    "layer like line markdown markup memory mention nan noise notification null observation outlier paragraph pin popup " +
    "punctuation reaction relation relationship sentence shape silence space star stopword string style subtitle suffix prefix " +
    "symbol tab text thought toast todo token_count tooltip upvote vote watcher watermark whitespace word",
);

/** Things that are taken out of something, and are still there. */
const detached = words(
  "attribute blocker child class collaborator_request dependency element favorite feature filter follower import issue " +
    "item link milestone package parent parameter plugin_reference property reviewer slide subscriber tag topic track widget",
);

/** Things that a program has started by itself. */
const ownProcesses = words("command console execution job process repl session shell terminal");

/** Servers whose things are the agent's own, are in a browser, or have an undo of many steps. */
const harmlessServers =
  /(?:^|[^a-z])(?:memory|mem0|knowledge|graph_?memory|browser|playwright|puppeteer|chrome|devtools|selenium|figma|excalidraw|tldraw|penpot|drawio|canva|scratchpad|sequential|thinking)(?:[^a-z]|$)/;

/** What a tool would do, in words of its name. */
export interface Destruction {
  readonly verb: string;
  /** Empty when the name does not say it. */
  readonly thing: string;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?:(?<=[xs])es|(?<!s)s)$/, "");
}

/** Most characters of a name that are looked at. */
const longest = 500;

/** What a name says that would be lost; undefined when it says nothing of the kind, or names what is no loss. */
export function destructionOf(name: string, server: string): Destruction | undefined {
  const all = wordsOf(name.normalize("NFKC").slice(0, longest)).map((word) =>
    glued.test(word) && !verbs.has(word)
      ? word.replace(/^(delete|destroy|purge|truncate|uninstall|revoke|terminate)/, "$1 ")
      : word
  ).flatMap((word) => word.split(" "));
  const at = all.findIndex((word) => verbs.has(word));
  if (at < 0) return undefined;
  const verb = all[at]!;
  const before = all.slice(0, at);
  const after = all.slice(at + 1);
  if (before.some((word) => harmlessBefore.has(word)) || after.some((word) => harmlessAfter.has(word))) {
    return undefined;
  }
  // `drag_and_drop`
  if (verb === "drop" && before.includes("drag")) return undefined;
  const end = after.findIndex((word) => prepositions.has(word));
  const things = (end < 0 ? after : after.slice(0, end)).filter((word) => !fillers.has(word));
  // `branch_delete` has its thing in front.
  const thing = things.at(-1) ??
    (after.length === 0 ? before.filter((word) => !fillers.has(word)).at(-1) : undefined) ??
    "";
  const one = singular(thing);
  if (harmless.has(one) || harmless.has(thing)) return undefined;
  if (verb === "remove" && detached.has(one)) return undefined;
  if (verb === "uninstall" && /^(?:package|dependency|module|library|requirement)$/.test(one)) {
    return undefined;
  }
  if (verb === "terminate" && (ownProcesses.has(one) || one === "" || one === "force")) return undefined;
  if (harmlessServers.test(fold(server)) || before.some((word) => harmlessServers.test(word))) {
    return undefined;
  }
  return { verb, thing };
}

function fold(server: string): string {
  return server.slice(0, longest).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

/** Names of the members that say what a tool of several uses is to do. */
const actionKeys = [
  "action",
  "operation",
  "op",
  "verb",
  "method",
  "mode",
  "action_type",
  "operation_type",
  "actiontype",
];
/** What a tool of several uses is called, besides its thing. */
const managing = words(
  "manage manager crud handle do execute run perform operation operations action tool admin call invoke api request http rest",
);

/**
 * What a call would destroy, by the name of its tool, by the action that its input names, or by the mutation that it
 * sends. Undefined when none of them says so.
 */
export function destructionBy(server: string, tool: string, input: unknown): Destruction | undefined {
  const named = destructionOf(tool, server);
  if (named !== undefined) return named;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const members = Object.entries(input).slice(0, 200);
  for (const [name, value] of members) {
    if (typeof value !== "string") continue;
    if (actionKeys.includes(name.toLowerCase()) && value.length <= 100) {
      // A request by its address is judged as one.
      if (
        /^method$/i.test(name) && members.some(([, one]) => typeof one === "string" && /^https?:/i.test(one))
      ) {
        continue;
      }
      const things = wordsOf(tool.slice(0, longest)).filter((word) => !managing.has(word));
      const found = destructionOf([value, ...things].join("_"), server);
      if (found !== undefined) return found;
    }
    if (/^(?:query|mutation|graphql|document|body)$/i.test(name) && /^\s*mutation\b/.test(value)) {
      for (const [, field = ""] of value.slice(0, 16_384).matchAll(/\b([a-z][A-Za-z0-9_]{2,100})\s*[({]/g)) {
        const found = destructionOf(field, server);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}
