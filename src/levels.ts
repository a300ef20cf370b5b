/**
 * Levels of strictness, as differences from the built-in decisions. A level only ever tightens what the level
 * below it says, and what a policy says about a rule counts before its level.
 */

import type { Level, Policy, Rule } from "./types.ts";

/** From the mildest to the strictest. */
export const levels: readonly Level[] = ["standard", "strict", "paranoid"];

type Stricter = Readonly<Record<string, "ask" | "deny">>;

/** What a level says instead, by rule id or `category/*`; an id counts before its category. */
export const deltas: Readonly<Record<Level, Stricter>> = {
  standard: {},
  strict: {
    "accounts/*": "deny",
    "filesystem/delete-outside": "deny",
    "filesystem/delete-precious": "deny",
    "filesystem/delete-remote": "deny",
    "filesystem/delete-unknown": "deny",
    "filesystem/mirror-remote": "deny",
    "filesystem/overwrite-system": "deny",
    "git/clean": "deny",
    "git/discard-changes": "deny",
    "git/force-push": "deny",
    "git/remove-safety-net": "deny",
    "git/rewrite-history": "deny",
    "git/run-program": "deny",
    "network/remote-code": "deny",
    "persistence/*": "deny",
    "processes/kill-everything": "deny",
    "processes/kill-listed": "deny",
    "processes/kill-system": "deny",
    "secrets/*": "deny",
    "self/*": "deny",
    "shell/encoded-code": "deny",
    "shell/too-deep": "deny",
    "shell/too-long": "deny",
    "system/boot": "deny",
    "system/delete-backups": "deny",
    "system/disable-protection": "deny",
    "system/firewall": "deny",
    "system/kernel": "deny",
    "system/registry": "deny",
    "system/trust-certificate": "deny",
    "tampering/*": "deny",
  },
  paranoid: {
    "filesystem/*": "deny",
    "git/*": "deny",
    "network/*": "deny",
    "processes/*": "deny",
    "shell/*": "deny",
    "system/*": "deny",
  },
};

/** Whether `level` is at least `least`. */
export function reaches(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}

/** The decision of a finding at a level: that of its rule, or what the level and those below it say, if stricter. */
export function decisionAt(rule: string, decision: "ask" | "deny", level: Level): "ask" | "deny" {
  if (decision === "deny" || level === "standard") return decision;
  const category = `${rule.slice(0, rule.indexOf("/"))}/*`;
  return levels.some((one) => {
      if (!reaches(level, one)) return false;
      const says = deltas[one];
      return (Object.hasOwn(says, rule)
        ? says[rule]
        : Object.hasOwn(says, category)
        ? says[category]
        : undefined) === "deny";
    })
    ? "deny"
    : decision;
}

/**
 * What a level of the administrator's policy says about a rule, or about a whole category (`category/*`), which
 * nothing below that policy loosens; undefined when the level changes nothing about it.
 */
export function floorAt(rule: string, level: Level): "ask" | "deny" | undefined {
  const name = rule.slice(0, rule.indexOf("/"));
  const own = levels.find((one) => one === name && one !== "standard");
  let least: "ask" | "deny" | undefined = own !== undefined && reaches(level, own) ? "ask" : undefined;
  for (const one of levels) {
    if (!reaches(level, one)) break;
    const says = deltas[one];
    for (const key of [rule, `${name}/*`]) if (Object.hasOwn(says, key)) least = "deny";
  }
  return least;
}

/** Whether a level changes something about a rule, or about some rule of a category (`category/*`). */
export function isSetByLevel(id: string, level: Level): boolean {
  if (floorAt(id, level) !== undefined) return true;
  if (!id.endsWith("/*")) return false;
  return levels.some((one) =>
    reaches(level, one) && Object.keys(deltas[one]).some((key) => key.startsWith(id.slice(0, -1)))
  );
}

type Levelled = Pick<Policy, "level" | "rules" | "floor">;

/** Whether a rule is asked: its level is reached, or the policy says by its id or category what it decides. */
export function isActive(rule: Pick<Rule, "id" | "level">, policy: Levelled): boolean {
  if (rule.level === undefined || reaches(policy.level, rule.level)) return true;
  const category = `${rule.id.slice(0, rule.id.indexOf("/"))}/*`;
  return [policy.rules, policy.floor?.rules ?? {}].some((rules) => {
    const said = Object.hasOwn(rules, rule.id)
      ? rules[rule.id]
      : Object.hasOwn(rules, category)
      ? rules[category]
      : "off";
    return said !== "off" && said !== "deny-only";
  });
}

/** Whether some rule of a category whose rules begin at a level may be asked. */
export function isActiveCategory(name: string, level: Level | undefined, policy: Levelled): boolean {
  if (level === undefined || reaches(policy.level, level)) return true;
  return [policy.rules, policy.floor?.rules ?? {}].some((rules) =>
    Object.entries(rules).some(([id, said]) =>
      said !== "off" && said !== "deny-only" && id.startsWith(`${name}/`)
    )
  );
}
