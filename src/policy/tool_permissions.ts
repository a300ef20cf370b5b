/**
 * What a policy says about tools. Loaded only when it says something.
 *
 * The agent chooses how a call is spelled, so that a name or an argument is looked at in two ways. What allows must
 * surely be meant: exact, present and unambiguous. What asks or denies may possibly be meant: without regard to case
 * and separators, at any depth, in lists, and in JSON inside of a text.
 */

import { isLate } from "../bounds.ts";
import type { Understanding } from "../shell/model.ts";
import type {
  Action,
  Context,
  Finding,
  HookCall,
  ToolCondition,
  ToolPermission,
  ToolValue,
} from "../types.ts";
import { isCovered } from "./covered.ts";
import { because, policyAdvice, policySeverity, trust } from "./said.ts";
import { matchesGlob } from "../paths/glob.ts";
import { below, isAbsolute, normalise } from "../paths/normal.ts";

/** What is looked at; more of it counts as a match for what asks or denies, and as none for what allows. */
const limits = { name: 1024, text: 16 * 1024, values: 20_000, depth: 16, candidates: 2000 };

/** A call of one tool, as a policy sees it. */
export interface ToolUse {
  readonly call: Pick<HookCall, "host" | "event" | "tool">;
  readonly action: Action;
  /** Of a shell command. */
  readonly understanding?: Understanding | undefined;
  /** Index of the action in the call. */
  readonly at: number;
}

/** What the policy says about the tool of an action. */
export interface ToolSaid {
  readonly findings: readonly Finding[];
  /** The person or the administrator allows the tool, or asks about it or denies it by an entry of its own. */
  readonly spokenOf: boolean;
  /** The person or the administrator allows it. */
  readonly allowed: boolean;
}

const silent: ToolSaid = { findings: [], spokenOf: false, allowed: false };

/** Applies `tools` and `toolDefaults` to an action; nothing for what is no call of a tool. */
export function toolsSay(use: ToolUse, context: Context): ToolSaid {
  const { call, action, at } = use;
  const { tools, toolDefaults } = context.policy;
  if (call.event !== "pre_tool" && call.event !== "permission") return silent;
  const names = namesOf(action, call.tool);
  if (names === undefined) return silent;
  const input = new Arguments(use, context);
  const findings: Finding[] = [];
  const object = (decision: "ask" | "deny", message: string) =>
    findings.push({
      rule: `policy/${decision}-tool`,
      decision,
      severity: policySeverity[decision],
      message,
      advice: policyAdvice.tool[decision],
      evidence: { text: names.shown },
      action: at,
    });
  // Nobody has looked at the rest of such a name.
  if (names.tooLong) object("ask", "The name of this tool is too long to be compared with the policy.");
  const byHost = tools.filter(({ hosts }) => hosts === undefined || hosts.includes(call.host));
  let spokenOf = false;
  for (const decision of ["deny", "ask"] as const) {
    const entry = byHost.find((one) => {
      // Judging ends with a question then.
      if (one.decision !== decision || isLate(context)) return false;
      return possiblyNamed(one.tool, names) &&
        conditionsOf(one).every(([path, wanted]) =>
          isNegated(wanted) ? !input.surely(path, wanted.not) : input.possibly(path, wanted)
        );
    });
    if (entry === undefined) continue;
    // Entries stand in the order of their layers, so that this is the most trusted one that speaks of it.
    spokenOf = entry.layer !== "project";
    const verb = decision === "deny" ? "denies" : "asks about";
    object(decision, `The policy ${verb} the tool ${names.shown}${because(entry)}`);
    break;
  }
  const allowing = byHost.filter((one) =>
    one.decision === "allow" && !names.tooLong && surelyNamed(one.tool, names) &&
    conditionsOf(one).every(([path, wanted]) =>
      isNegated(wanted)
        ? input.isPresent(path) && !input.possibly(path, wanted.not)
        : input.surely(path, wanted)
    )
  ).map((one) => trust[one.layer]);
  const best = Math.max(-1, ...allowing);
  let strictest: "none" | "ask" | "deny" = "none";
  for (const { hosts, layer } of toolDefaults) {
    if (best >= trust[layer]) continue;
    const said = Object.hasOwn(hosts, call.host)
      ? hosts[call.host]
      : Object.hasOwn(hosts, "*")
      ? hosts["*"]
      : undefined;
    if (said === "deny" || (said === "ask" && strictest === "none")) strictest = said;
  }
  if (strictest !== "none" && !findings.some((one) => one.decision === "deny")) {
    object(
      strictest,
      `The policy allows no tool of the name ${names.shown}${call.host === "" ? "" : ` on ${call.host}`}.`,
    );
  }
  const allowed = best >= trust.user;
  return { findings, spokenOf: spokenOf || allowed, allowed };
}

function conditionsOf(
  { arguments: conditions = {} }: ToolPermission,
): readonly (readonly [string, ToolCondition])[] {
  return Object.entries(conditions);
}

function isNegated(
  condition: ToolCondition,
): condition is { readonly not: ToolValue | readonly ToolValue[] } {
  return typeof condition === "object" && condition !== null && "not" in condition;
}

/** The names of a tool. */
interface Names {
  /** As it is shown: `server/tool`, or the native name. */
  readonly shown: string;
  /** What an entry that allows has to match as it stands. */
  readonly exact: readonly string[];
  /** All spellings, folded. */
  readonly folded: readonly string[];
  /** An MCP tool of which the host does not say whose it is. */
  readonly tool?: string;
  readonly tooLong: boolean;
}

/** What guard calls the host's own tools of one kind, on every host. */
function kindOf(action: Action): string | undefined {
  switch (action.kind) {
    case "shell":
      return "@shell";
    case "file":
      return `@${action.operation}`;
    case "fetch":
      return "@fetch";
    default:
      return undefined;
  }
}

/** Undefined for what is no call of a tool. */
function namesOf(action: Action, native: string | undefined): Names | undefined {
  if (action.kind === "mcp") {
    const { server, tool } = action;
    const spellings = [
      `${server}/${tool}`,
      `mcp__${server}__${tool}`,
      `${server}_${tool}`,
      ...(native === undefined ? [] : [native]),
    ];
    return {
      shown: shortened(`${server}/${tool}`),
      exact: [`${server}/${tool}`],
      folded: [...new Set(spellings.map((one) => fold(one.slice(0, limits.name))))],
      ...(server === "" ? { tool: fold(tool.slice(0, limits.name)) } : {}),
      tooLong: server.length + tool.length > limits.name,
    };
  }
  const kind = kindOf(action);
  if (kind === undefined && action.kind !== "unknown") return undefined;
  const own = "tool" in action && action.tool !== undefined ? action.tool : native;
  const all = [...new Set([own, native, kind])].filter((one) => one !== undefined);
  return {
    shown: shortened(own ?? kind ?? ""),
    // The call that makes several says nothing about each of them.
    exact: [own, kind].filter((one) => one !== undefined),
    folded: all.map((one) => fold(one.slice(0, limits.name))),
    tooLong: all.some((one) => one.length > limits.name),
  };
}

function shortened(name: string): string {
  return name.length > 120 ? `${name.slice(0, 119)}…` : name;
}

/** A name without regard to case and separators: `mcp__GitHub__delete-repo` and `mcp_github_delete_repo` are one. */
export function fold(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}@]+/gu, "_");
}

/** A glob, folded as names are; what it does with sets and braces stays. */
function foldGlob(glob: string): string {
  const plain = glob.normalize("NFKC").toLowerCase().replace(/\\(.)/g, "$1");
  return plain.split(/(\[[^\]]+\])/).map((part, index) =>
    index % 2 === 1 ? part : part.replace(/[^\p{L}\p{N}@*?{},]+/gu, "_")
  ).join("");
}

/** `mcp__server__tool`, `@server/tool`, `MCP:tool` and `server:tool` as `server/tool`. */
export function canonicalGlob(glob: string): string {
  const claude = /^mcp__(.+?)(?:__([^_].*|\*))?$/.exec(glob);
  if (claude !== null && !glob.includes("/")) {
    const rest = glob.slice("mcp__".length);
    const cut = rest.lastIndexOf("__");
    return cut <= 0 ? `${rest}/*` : `${rest.slice(0, cut)}/${rest.slice(cut + 2)}`;
  }
  if (/^@[^/]+\/./.test(glob)) return glob.slice(1);
  const colon = /^([^/:]+):([^/:]+)$/.exec(glob);
  return colon === null ? glob : colon[1] === "MCP" ? `*/${colon[2]}` : `${colon[1]}/${colon[2]}`;
}

function surelyNamed(glob: string, { exact }: Names): boolean {
  const wanted = canonicalGlob(glob);
  // `*` alone means everything; elsewhere it ends at the slash, so that no server can call itself like a tool.
  return exact.some((name) => wanted === "*" || matchesGlob(name, wanted));
}

function possiblyNamed(glob: string, names: Names): boolean {
  const canonical = canonicalGlob(glob);
  const wanted = foldGlob(canonical);
  const slashes = { slashes: true };
  if (names.folded.some((name) => matchesGlob(name, wanted, slashes))) return true;
  // A name without a server is meant on every server.
  const bare = canonical.slice(canonical.lastIndexOf("/") + 1);
  if (names.tool !== undefined) {
    // All tools of a server: which one this is, the host tells through another event (Cursor).
    const all = canonical.includes("/") && /^[*?]*$/.test(bare) && !/^[*?]*\//.test(canonical);
    return !all && matchesGlob(names.tool, foldGlob(bare), slashes);
  }
  return !canonical.includes("/") && !canonical.startsWith("@") &&
    names.shown.includes("/") &&
    matchesGlob(fold(names.shown.slice(names.shown.lastIndexOf("/") + 1)), wanted, slashes);
}

/** The arguments of a call, as conditions look at them. */
class Arguments {
  #values: { readonly path: string; readonly value: unknown }[] | undefined;
  #complete = true;
  readonly #use: ToolUse;
  readonly #context: Context;
  #input: unknown;
  #made = false;

  constructor(use: ToolUse, context: Context) {
    this.#use = use;
    this.#context = context;
  }

  /** What conditions name the parts of. */
  get input(): unknown {
    if (!this.#made) {
      this.#made = true;
      this.#input = inputOf(this.#use.action);
    }
    return this.#input;
  }

  isPresent(path: string): boolean {
    return this.#at(path) !== undefined;
  }

  /** Whether the argument, in its one place, is one of these values and nothing else. */
  surely(path: string, wanted: ToolValue | readonly ToolValue[]): boolean {
    const { action, understanding } = this.#use;
    const values = [wanted].flat() as readonly ToolValue[];
    if (action.kind === "shell" && path === "command") {
      // As for allowed commands: every part of the command has to be one that is meant.
      const { invocations = [], doubts = [] } = understanding ?? {};
      return invocations.length > 0 && doubts.length === 0 && values.every((one) =>
        typeof one === "string"
      ) &&
        invocations.every((one) => isCovered(one, values as readonly string[]));
    }
    const value = this.#at(path);
    if (value === undefined) return values.includes(null) && this.#isAbsent(path);
    if (Array.isArray(value)) {
      return value.length > 0 && value.length <= limits.candidates &&
        value.every((one) => this.#isOne(one, values, path));
    }
    return this.#isOne(value, values, path);
  }

  /** Whether some argument that could be taken for this one may have such a value. */
  possibly(path: string, wanted: ToolValue | readonly ToolValue[]): boolean {
    const values = [wanted].flat() as readonly ToolValue[];
    const end = foldPath(path);
    let found = false;
    for (const { path: place, value } of this.#all()) {
      if (
        place !== end && !place.endsWith(`.${end}`) && !place.includes(`.${end}.`) &&
        !place.startsWith(`${end}.`)
      ) {
        continue;
      }
      found = true;
      if (values.some((one) => mayBe(value, one))) return true;
    }
    if (!found && values.includes(null)) return true;
    const { action, understanding } = this.#use;
    if (action.kind === "shell" && end === "command") {
      return (understanding?.invocations ?? []).some((one) => {
        const text = [one.program, ...one.args.map((word) => word.text)].join(" ");
        return values.some((value) => mayBe(text, value));
      });
    }
    if (action.kind === "file" && end === "path") {
      return this.#spellings(action.path).some((one) => values.some((value) => mayBe(one, value)));
    }
    return !this.#complete;
  }

  #isOne(value: unknown, wanted: readonly ToolValue[], path: string): boolean {
    if (typeof value !== "string") return wanted.some((one) => one === value);
    if (value.length > limits.text) return false;
    const globs = wanted.filter((one) => typeof one === "string");
    const { action } = this.#use;
    if (action.kind === "file" && path === "path") {
      const spellings = this.#spellings(value).slice(1);
      // Where it leads, by its name and by its links, has to be meant.
      return spellings.length > 0 &&
        pairs(spellings).every((pair) =>
          pair.some((one) => globs.some((glob) => matchesGlob(one, expanded(glob, this.#context))))
        );
    }
    return globs.some((glob) =>
      glob === value ||
      (matchesGlob(value, glob, { slashes: true }) &&
        (glob === "*" || !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value)))
    );
  }

  /** A path as it is written, and then in pairs: absolute and as below the workspace, by name and by links. */
  #spellings(path: string): readonly string[] {
    const { cwd, workspace, facts } = this.#context;
    const home = this.#context.home;
    const written = path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
    const named = normalise(written, cwd, this.#context);
    const real = facts.realPath(named);
    const inside = (one: string) => below(one, workspace) ?? one;
    return [path, named, inside(named), real, inside(real)];
  }

  /** The value at a path of own members, where no other member could be taken for one on the way. */
  #at(path: string): unknown {
    let value: unknown = this.input;
    for (const part of path.split(".")) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
      const members = value as Readonly<Record<string, unknown>>;
      if (!Object.hasOwn(members, part)) return undefined;
      const like = Object.keys(members).filter((name) => foldPath(name) === foldPath(part));
      // Some servers read names without regard to case, and take the last one.
      if (like.length > 1) return undefined;
      value = members[part];
    }
    return value;
  }

  #isAbsent(path: string): boolean {
    const end = foldPath(path);
    return this.#all().every(({ path: place }) => place !== end && !place.endsWith(`.${end}`)) &&
      this.#complete;
  }

  /** Every value with the folded names that lead to it. */
  #all(): readonly { readonly path: string; readonly value: unknown }[] {
    if (this.#values !== undefined) return this.#values;
    const found: { path: string; value: unknown }[] = [];
    let left = limits.values;
    const walk = (value: unknown, path: string, depth: number): void => {
      if (left-- <= 0 || depth > limits.depth) {
        this.#complete = false;
        return;
      }
      if (typeof value === "string") {
        found.push({ path, value });
        // Also JSON in the text of a text.
        const inner = /^\s*[[{"]/.test(value) ? parsed(value) : undefined;
        if (inner !== undefined) walk(inner, path, depth + 1);
      } else if (Array.isArray(value)) {
        found.push({ path, value: null });
        for (const one of value) walk(one, path, depth + 1);
      } else if (typeof value === "object" && value !== null) {
        found.push({ path, value: undefined });
        for (const [name, member] of Object.entries(value)) {
          const key = foldPath(name.slice(0, 300));
          const place = path === "" ? key : `${path}.${key}`;
          // Of a longer one nobody has looked at the end.
          if (place.length > 2000 || name.length > 300) this.#complete = false;
          walk(member, place.slice(0, 2000), depth + 1);
        }
      } else found.push({ path, value });
    };
    walk(this.input, "", 0);
    return this.#values = found;
  }
}

/** Every two neighbours, so that each pair names one place. */
function pairs(list: readonly string[]): string[][] {
  const found: string[][] = [];
  for (let at = 0; at + 1 < list.length; at += 2) found.push([list[at]!, list[at + 1]!]);
  return found;
}

function expanded(glob: string, { home }: Context): string {
  return glob.startsWith("~/")
    ? `${home}${glob.slice(1)}`
    : isAbsolute(glob, { windows: false })
    ? glob
    : glob.replace(/^\.\//, "");
}

/** Names of members without regard to case and to what separates words. */
function foldPath(path: string): string {
  return path.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "");
}

function mayBe(value: unknown, wanted: ToolValue): boolean {
  if (typeof value === "string") {
    if (value.length > limits.text) return true;
    const text = plainText(value);
    if (typeof wanted !== "string") return wanted === valueIn(text) || isLike(valueIn(text), wanted);
    return matchesGlob(text, wanted.normalize("NFKC").toLowerCase(), { slashes: true });
  }
  if (value === undefined) return false;
  return value === wanted || isLike(value, wanted) ||
    (typeof wanted === "string" && matchesGlob(String(value), wanted.toLowerCase()));
}

/** A text as people see it. */
function plainText(text: string): string {
  return text.normalize("NFKC").replace(/\p{Cf}/gu, "").trim().toLowerCase();
}

const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, on: true, t: true },
  ...{ false: false, no: false, n: false, off: false, f: false },
};

/** What a server that is lenient makes of a text where it expects no text. */
function valueIn(text: string): unknown {
  if (Object.hasOwn(words, text)) return words[text];
  if (text === "null" || text === "none") return null;
  return text === "" || !Number.isFinite(Number(text)) ? text : Number(text);
}

/** Numbers stand for truth and its opposite, too. */
function isLike(value: unknown, wanted: ToolValue): boolean {
  return (value === 1 && wanted === true) || (value === 0 && wanted === false) ||
    (value === true && wanted === 1) || (value === false && wanted === 0);
}

/** What conditions look into: the input of an MCP tool, and of the hosts' own tools the parts that guard knows. */
function inputOf(action: Action): unknown {
  switch (action.kind) {
    case "mcp":
    case "unknown":
      return typeof action.input === "string" ? parsed(action.input) ?? action.input : action.input;
    case "shell":
      return { command: action.command, ...(action.cwd === undefined ? {} : { cwd: action.cwd }) };
    case "file":
      return {
        path: action.path,
        operation: action.operation,
        ...(action.content === undefined ? {} : { content: action.content }),
      };
    case "fetch":
      return { url: action.url };
    default:
      return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
