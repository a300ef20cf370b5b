/**
 * Layers of policy to the effective one: built-in < managed < user < project. What the managed layer says
 * cannot be loosened below it, and a project, whose files an agent can write, can only tighten.
 */

import { floorAt, isSetByLevel, levels } from "../levels.ts";
import type {
  AddressRules,
  Exception,
  PathPermission,
  PersonalKind,
  PersonalUse,
  Policy,
  Rule,
  RuleOverride,
  ToolDefaults,
  ToolPermission,
} from "../types.ts";
import { builtInPolicy } from "./built_in.ts";
import { expanded, type Profile } from "./profiles.ts";
import type { OwnRuleForm, PolicyFile } from "./schema.ts";

/** A layer of the policy. */
export type Layer = "built-in" | "managed" | "user" | "project";
export type FileLayer = Exclude<Layer, "built-in">;

/** A validated file with the layer it speaks for. */
export interface LayerFile {
  readonly layer: FileLayer;
  readonly file: PolicyFile;
}

/** Which layer each value of the effective policy comes from; lists run parallel to the policy's. */
export interface Origins {
  readonly mode: Layer;
  readonly level: Layer;
  readonly onError: Layer;
  readonly whenAskUnsupported: Layer;
  readonly prompts: Layer;
  readonly inlineAllow: Layer;
  readonly rules: Readonly<Record<string, Layer>>;
  readonly canaries: readonly Layer[];
  readonly personalData: Readonly<Partial<Record<PersonalKind, Layer>>>;
  readonly exceptions: readonly Layer[];
  readonly protectedPaths: readonly Layer[];
  readonly allowedCommands: readonly Layer[];
  readonly ownRules: readonly Layer[];
  readonly tools: readonly Layer[];
  /** The profiles that files name, with what they set there: keys, and members of keys as `rules git/delete-tag`. */
  readonly profiles: readonly {
    readonly layer: FileLayer;
    readonly profile: Profile;
    readonly sets: readonly string[];
  }[];
  readonly toolDefaults: Readonly<Record<string, Layer>>;
  readonly addresses: readonly Layer[];
  readonly paths: readonly Layer[];
}

/** A value that does not count, with the place it is written at. */
export interface MergeProblem {
  readonly layer: FileLayer;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The layers as one policy. */
export interface Merged {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly problems: readonly MergeProblem[];
}

export interface MergeOptions {
  /** Home directory for `~/` in `under`. */
  readonly home?: string;
  /** Milliseconds since 1970, for exceptions that expire. */
  readonly now: number;
  /** Makes a rule of its data form; throws when a part of it cannot be compiled. */
  compile(form: OwnRuleForm): Rule;
}

type Override = RuleOverride;

const OVERRIDES: readonly Override[] = ["off", "deny-only", "ask", "deny"];

/** The keys with one value of several. */
type Ordered = "mode" | "level" | "onError" | "whenAskUnsupported" | "prompts";

/** Their values, from the loosest to the strictest. */
const ORDERS: { readonly [K in Ordered]: readonly Policy[K][] } = {
  mode: ["observe", "enforce"],
  level: levels,
  onError: ["none", "ask", "deny"],
  whenAskUnsupported: ["none", "deny"],
  prompts: ["off", "warn", "deny"],
};

const PERSONAL_KINDS: readonly PersonalKind[] = ["email", "phone", "card", "iban", "nationalId"];
const PERSONAL_USES: readonly (PersonalUse | "off")[] = ["off", "warn", "redact", "deny"];

/** The finding that holds `protectedPaths`; a managed list of them keeps it from being switched off. */
const PROTECTED_PATH_RULE = "policy/protected-path";

/** The rules whose findings `inlineAllow` lets comments except. */
const INLINE_RULES = ["content/secret-in-file", "content/secret-in-commit"] as const;

/** The findings that hold `tools` and `toolDefaults`, by what they decide. */
const TOOL_RULES = { ask: "policy/ask-tool", deny: "policy/deny-tool" } as const;
const DEFAULTS = ["none", "ask", "deny"] as const;

/** The findings that hold `addresses` and `paths`, by what they decide. */
const ADDRESS_RULES = { ask: "policy/ask-address", deny: "policy/deny-address" } as const;
const PATH_RULES = { ask: "policy/ask-path", deny: "policy/deny-path" } as const;

/**
 * How much a project's policy may ask to be looked at. An agent can write it, and judging that takes longer
 * than a host waits is no judging.
 */
const PROJECT = {
  paths: 50,
  pathCharacters: 2000,
  rules: 20,
  ruleCharacters: 2000,
  pattern: 200,
  canaries: 20,
  tools: 50,
  toolCharacters: 2000,
  addresses: 50,
} as const;

/** By kind what a file says of all or of some. */
function personalUses(said: PolicyFile["personalData"]): Readonly<Record<string, PersonalUse | "off">> {
  if (said === undefined) return {};
  return typeof said === "string" ? Object.fromEntries(PERSONAL_KINDS.map((kind) => [kind, said])) : said;
}

/** Layers files in the order given, which is the order of `Layer`. */
export function mergeLayers(files: readonly LayerFile[], options: MergeOptions): Merged {
  const problems: MergeProblem[] = [];
  const { mode, level, onError, whenAskUnsupported, prompts } = builtInPolicy;
  const values: { -readonly [K in Ordered]: Policy[K] } = {
    mode,
    level,
    onError,
    whenAskUnsupported,
    prompts,
  };
  let { inlineAllow } = builtInPolicy;
  let floor: Policy["floor"];
  const from: Record<Ordered | "inlineAllow", Layer> = {
    mode: "built-in",
    level: "built-in",
    onError: "built-in",
    whenAskUnsupported: "built-in",
    prompts: "built-in",
    inlineAllow: "built-in",
  };
  const rules = new Map<string, { decision: Override; layer: Layer }>();
  const canaries: string[] = [];
  const personal = new Map<PersonalKind, { readonly use: PersonalUse | "off"; readonly layer: Layer }>();
  const exceptions: Exception[] = [];
  const protectedPaths: string[] = [];
  const allowedCommands: string[] = [];
  const ownRules: Rule[] = [];
  const origins = {
    canaries: [] as Layer[],
    exceptions: [] as Layer[],
    protectedPaths: [] as Layer[],
    allowedCommands: [] as Layer[],
    ownRules: [] as Layer[],
    tools: [] as Layer[],
    addresses: [] as Layer[],
    paths: [] as Layer[],
  };
  const tools: ToolPermission[] = [];
  const toolDefaults: ToolDefaults[] = [];
  const addresses: AddressRules[] = [];
  const paths: PathPermission[] = [];
  const defaultsFrom = new Map<string, { decision: ToolDefaults["hosts"][string]; layer: Layer }>();

  const profiles: Origins["profiles"][number][] = [];

  for (const { layer, file: source } of files) {
    const { file, set } = expanded(source);
    if (source.profile !== undefined) profiles.push({ layer, profile: source.profile, sets: [...set] });
    const refusedOfProfile: string[] = [];
    const say = (path: readonly (string | number)[], message: string) => {
      // What a profile sets has no place of its own.
      const name = [path.join(" "), String(path[0])].find((one) => set.has(one));
      if (name === undefined) problems.push({ layer, path, message });
      else refusedOfProfile.push(name);
    };

    /** Whether a value is looser than what this layer may say; reports it. */
    const refused = <T>(key: string, value: T, order: readonly T[], current: T, least: T | undefined) => {
      if (layer === "managed") return false;
      const limit = layer === "project" ? current : least;
      if (limit === undefined || order.indexOf(value) > order.indexOf(limit)) return false;
      if (value === limit) return layer === "project";
      const why = layer === "project"
        ? "a project can only tighten the policy"
        : "the administrator's policy does not allow less";
      say([key], `"${key}": "${value}" is ignored: ${why} ("${limit}" stays)`);
      return true;
    };
    const ordered: { readonly [K in Ordered]?: Policy[K] | undefined } = file;
    const take = <K extends Ordered>(key: K) => {
      const value = ordered[key];
      if (value === undefined || refused(key, value, ORDERS[key], values[key], floor?.[key])) return;
      values[key] = value;
      from[key] = layer;
    };
    for (const key of Object.keys(ORDERS) as Ordered[]) take(key);
    if (file.inlineAllow !== undefined && (layer !== "project" || file.inlineAllow !== inlineAllow)) {
      const why = layer === "project"
        ? "an agent can write such comments as well as a project's policy"
        : layer === "user" && file.inlineAllow
        ? refusedInline(files, floor)
        : undefined;
      if (why === undefined) {
        inlineAllow = file.inlineAllow;
        from.inlineAllow = layer;
      } else say(["inlineAllow"], `"inlineAllow": ${file.inlineAllow} is ignored: ${why}`);
    }

    for (const [id, decision] of Object.entries(file.rules ?? {})) {
      if (layer === "project") {
        if (!tighten(rules, id, decision)) {
          say(["rules", id], `"${id}": "${decision}" is ignored: a project can only tighten the policy`);
        }
        continue;
      }
      const least = layer === "user" ? floorOf(floor, id) : undefined;
      if (least !== undefined && OVERRIDES.indexOf(decision) < OVERRIDES.indexOf(least)) {
        say(["rules", id], `"${id}": "${decision}" is ignored: the administrator's policy says "${least}"`);
        continue;
      }
      rules.set(id, { decision, layer });
    }

    for (const [index, item] of (file.exceptions ?? []).entries()) {
      const path = ["exceptions", index];
      if (layer === "project") {
        say(path, "this exception is ignored: a project can only tighten the policy");
      } else if (layer === "user" && overlapsFloor(floor, item.rule)) {
        say(path, `this exception is ignored: the administrator's policy decides about ${item.rule}`);
      } else if (item.expires !== undefined && options.now >= expiry(item.expires)) {
        say([...path, "expires"], `this exception expired on ${item.expires}`);
      } else {
        const under = item.under === undefined ? undefined : absolute(item.under, options.home);
        if (item.under !== undefined && under === undefined) {
          say(
            [...path, "under"],
            `this exception is ignored: "under" must be an absolute directory or begin with ~/`,
          );
          continue;
        }
        exceptions.push({ ...item, ...(under === undefined ? {} : { under }) });
        origins.exceptions.push(layer);
      }
    }

    for (const [kind, use] of Object.entries(personalUses(file.personalData))) {
      const key = kind as PersonalKind;
      const current = personal.get(key)?.use ?? "off";
      const least = layer === "project"
        ? current
        : layer === "user"
        ? floor?.personalData[key] ?? "off"
        : "off";
      if (PERSONAL_USES.indexOf(use) >= PERSONAL_USES.indexOf(least)) personal.set(key, { use, layer });
      else {
        const why = layer === "project"
          ? "a project can only tighten the policy"
          : "the administrator's policy does not allow less";
        say(["personalData", kind], `"${kind}": "${use}" is ignored: ${why} ("${least}" stays)`);
      }
    }

    for (const [index, canary] of (file.canaries ?? []).entries()) {
      if (canaries.includes(canary)) continue;
      if (layer === "project" && index >= PROJECT.canaries) {
        say(
          ["canaries", index],
          `this canary and those after it are ignored: a project can have ${PROJECT.canaries}`,
        );
        break;
      }
      canaries.push(canary);
      origins.canaries.push(layer);
    }

    let globs = 0;
    for (const [index, glob] of (file.protectedPaths ?? []).entries()) {
      if (protectedPaths.includes(glob)) continue;
      globs += glob.length;
      if (layer === "project" && (index >= PROJECT.paths || globs > PROJECT.pathCharacters)) {
        say(
          ["protectedPaths", index],
          `this path and those after it are ignored: a project can protect ${PROJECT.paths} paths of ` +
            `${PROJECT.pathCharacters} characters together`,
        );
        break;
      }
      protectedPaths.push(glob);
      origins.protectedPaths.push(layer);
    }

    for (const [index, command] of (file.allowedCommands ?? []).entries()) {
      if (layer === "project") {
        say(["allowedCommands", index], "this command is ignored: a project can only tighten the policy");
      } else if (!allowedCommands.includes(command)) {
        allowedCommands.push(command);
        origins.allowedCommands.push(layer);
      }
    }

    const managedRules: Record<string, Override> = {};
    let conditions = 0;
    for (const [index, form] of (file.ownRules ?? []).entries()) {
      conditions += JSON.stringify(form.match).length;
      if (layer === "project" && (index >= PROJECT.rules || conditions > PROJECT.ruleCharacters)) {
        say(
          ["ownRules", index],
          `this rule and those after it are ignored: a project can have ${PROJECT.rules} rules with conditions of ` +
            `${PROJECT.ruleCharacters} characters together`,
        );
        break;
      }
      const { text } = form.match;
      if (
        layer === "project" && text !== undefined && (text.length > PROJECT.pattern || text.includes("{"))
      ) {
        say(
          ["ownRules", index, "match", "text"],
          `this rule is ignored: in a project, an expression has at most ${PROJECT.pattern} characters and no {`,
        );
        continue;
      }
      if (ownRules.some((rule) => rule.id === form.id)) {
        say(["ownRules", index, "id"], `"${form.id}" is ignored: an earlier own rule has this id`);
        continue;
      }
      try {
        ownRules.push(options.compile(form));
        origins.ownRules.push(layer);
        managedRules[form.id] = form.decision;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new OwnRuleError(layer, ["ownRules", index, "match"], `own rule "${form.id}": ${reason}`);
      }
    }

    let written = 0;
    for (const [index, entry] of (file.tools ?? []).entries()) {
      written += JSON.stringify(entry).length;
      if (layer === "project" && (index >= PROJECT.tools || written > PROJECT.toolCharacters)) {
        say(
          ["tools", index],
          `this entry and those after it are ignored: a project can have ${PROJECT.tools} entries about tools of ` +
            `${PROJECT.toolCharacters} characters together`,
        );
        break;
      }
      if (layer === "project" && entry.decision === "allow" && file.toolDefaults === undefined) {
        say(["tools", index], "this entry is ignored: a project can only tighten the policy");
        continue;
      }
      tools.push({ ...entry, layer });
      origins.tools.push(layer);
      if (entry.decision !== "allow") managedRules[TOOL_RULES[entry.decision]] = entry.decision;
    }

    if (file.toolDefaults !== undefined) {
      toolDefaults.push({ hosts: file.toolDefaults, layer });
      for (const [host, decision] of Object.entries(file.toolDefaults)) {
        const current = defaultsFrom.get(host);
        if (current !== undefined && DEFAULTS.indexOf(decision) < DEFAULTS.indexOf(current.decision)) {
          // Each layer holds by itself, and the strictest counts.
          say(
            ["toolDefaults", host],
            `"${host}": "${decision}" is ignored: the ${current.layer} policy says "${current.decision}"`,
          );
        } else defaultsFrom.set(host, { decision, layer });
        if (decision !== "none") managedRules[TOOL_RULES[decision]] = decision;
      }
    }

    if (file.addresses !== undefined) {
      const { private: own = "none" } = file.addresses;
      const cut = (key: "allow" | "deny", entries: readonly string[] = []) => {
        if (layer !== "project" || entries.length <= PROJECT.addresses) return entries;
        say(
          ["addresses", key, PROJECT.addresses],
          `this entry and those after it are ignored: a project can name ${PROJECT.addresses} hosts`,
        );
        return entries.slice(0, PROJECT.addresses);
      };
      const [allow, deny] = [cut("allow", file.addresses.allow), cut("deny", file.addresses.deny)];
      if (layer === "project" && allow.length > 0 && own === "none" && !deny.includes("*")) {
        // An entry that allows opens only what its own file closes.
        say(["addresses", "allow"], "these entries are ignored: a project can only tighten the policy");
      }
      const stricter = addresses.find((one) => DEFAULTS.indexOf(one.private) > DEFAULTS.indexOf(own));
      if (file.addresses.private !== undefined && stricter !== undefined) {
        say(
          ["addresses", "private"],
          `"private": "${own}" is ignored: the ${stricter.layer} policy says "${stricter.private}"`,
        );
      }
      addresses.push({ allow, deny, private: own, layer });
      origins.addresses.push(layer);
      if (deny.length > 0 || own === "deny") managedRules[ADDRESS_RULES.deny] = "deny";
      if (deny.includes("*") || own === "ask") managedRules[ADDRESS_RULES.ask] = "ask";
    }

    let characters = 0;
    for (const [index, entry] of (file.paths ?? []).entries()) {
      characters += entry.paths.join("").length;
      if (layer === "project" && (index >= PROJECT.paths || characters > PROJECT.pathCharacters)) {
        say(
          ["paths", index],
          `this entry and those after it are ignored: a project can have ${PROJECT.paths} entries about paths of ` +
            `${PROJECT.pathCharacters} characters together`,
        );
        break;
      }
      paths.push({ ...entry, layer });
      origins.paths.push(layer);
      managedRules[PATH_RULES[entry.decision]] = entry.decision;
    }

    if (refusedOfProfile.length > 0) {
      const why = layer === "project"
        ? "a project can only tighten the policy"
        : "the administrator's policy does not allow less";
      problems.push({
        layer,
        path: ["profile"],
        message: `of the profile "${source.profile}", ${refusedOfProfile.join(", ")} is ignored: ${why}`,
      });
    }

    if (layer === "managed") {
      if (file.protectedPaths !== undefined) managedRules[PROTECTED_PATH_RULE] = "deny";
      // What an administrator's file leaves open keeps the built-in value as its floor: `mode: observe`
      // below it would undo everything that it says.
      floor = {
        ...values,
        personalData: personalPolicy(personal),
        rules: { ...managedRules, ...file.rules },
      };
    }
  }

  const policy: Policy = {
    ...values,
    rules: Object.fromEntries([...rules].map(([id, { decision }]) => [id, decision])),
    exceptions,
    protectedPaths,
    allowedCommands,
    ownRules,
    inlineAllow,
    canaries,
    personalData: personalPolicy(personal),
    tools,
    toolDefaults,
    addresses,
    paths,
    ...(floor === undefined ? {} : { floor }),
  };
  return {
    policy,
    origins: {
      ...from,
      ...origins,
      profiles,
      personalData: Object.fromEntries([...personal].map(([kind, { layer }]) => [kind, layer])),
      rules: Object.fromEntries([...rules].map(([id, { layer }]) => [id, layer])),
      toolDefaults: Object.fromEntries([...defaultsFrom].map(([host, { layer }]) => [host, layer])),
    },
    problems,
  };
}

type PersonalSaid = ReadonlyMap<PersonalKind, { readonly use: PersonalUse | "off" }>;

function personalPolicy(said: PersonalSaid): Policy["personalData"] {
  return Object.fromEntries([...said].flatMap(([kind, { use }]) => use === "off" ? [] : [[kind, use]]));
}

/** A condition of an own rule that has the right form and still cannot be compiled. */
export class OwnRuleError extends Error {
  override readonly name = "OwnRuleError";
  constructor(
    readonly layer: FileLayer,
    readonly path: readonly (string | number)[],
    message: string,
  ) {
    super(message);
  }
}

/**
 * Applies a project's override where it is stricter than what is known to hold. `ask` is known to be
 * stricter only where the rule is off: a built-in rule may deny by itself.
 */
function tighten(
  rules: Map<string, { decision: Override; layer: Layer }>,
  id: string,
  decision: Override,
): boolean {
  if (decision === "off") return false;
  const category = categoryOf(id);
  let changed = false;
  if (id === category) {
    for (const [other, { decision: current }] of rules) {
      if (other === id || categoryOf(other) !== category || !stricter(decision, current)) continue;
      rules.set(other, { decision, layer: "project" });
      changed = true;
    }
  }
  const current = rules.get(id)?.decision ?? rules.get(category)?.decision;
  if (decision === "deny" ? current !== "deny" : current === "off") {
    rules.set(id, { decision, layer: "project" });
    return true;
  }
  return changed || current === decision;
}

function stricter(a: Override, b: Override): boolean {
  // A question where denials are kept would make questions of them.
  return b === "off" ? a !== "off" : a === "deny" && b !== "deny";
}

/** `git/force-push` and `git/*` to `git/*`. */
function categoryOf(id: string): string {
  return `${id.slice(0, id.indexOf("/"))}/*`;
}

/** What the managed layer says about a rule or its category, also by its level; an id counts before its category. */
export function floorOf(floor: Policy["floor"], id: string): Override | undefined {
  if (floor === undefined) return undefined;
  const { rules, level } = floor;
  if (Object.hasOwn(rules, id)) return rules[id];
  const category = categoryOf(id);
  return Object.hasOwn(rules, category) ? rules[category] : floorAt(id, level);
}

/** Whether an exception for a rule or category would reach something that the managed layer decides. */
function overlapsFloor(floor: Policy["floor"], id: string): boolean {
  const own = floorOf(floor, id);
  if (own !== undefined && own !== "off") return true;
  if (!id.endsWith("/*")) return false;
  if (own === undefined && floor !== undefined && isSetByLevel(id, floor.level)) return true;
  return Object.entries(floor?.rules ?? {}).some(([other, decision]) =>
    decision !== "off" && categoryOf(other) === id
  );
}

/** Why comments cannot except what the administrator's policy decides; undefined when they can. */
function refusedInline(files: readonly LayerFile[], floor: Policy["floor"]): string | undefined {
  if (files.some(({ layer, file }) => layer === "managed" && file.inlineAllow === false)) {
    return "the administrator's policy says false";
  }
  const decided = INLINE_RULES.find((id) => overlapsFloor(floor, id));
  return decided === undefined ? undefined : `the administrator's policy decides about ${decided}`;
}

/** Instant from which an exception no longer counts: a day counts to its end in UTC. */
function expiry(expires: string): number {
  const instant = Date.parse(expires);
  return expires.includes("T") ? instant : instant + 86_400_000;
}

function absolute(path: string, home: string | undefined): string | undefined {
  if (path === "~") return home;
  if (path.startsWith("~/") || path.startsWith("~\\")) {
    return home === undefined ? undefined : `${home.replace(/[\\/]$/, "")}${path.slice(1)}`;
  }
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\") ? path : undefined;
}
