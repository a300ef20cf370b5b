/** Loads the built-in rules: those that a call can need, or all of them. */

import { carriesNoSecret, mayHoldSecret } from "../rules/content/quiet.ts";
import { isQuietGit } from "../rules/git/quiet.ts";
import { isQuietNetwork } from "../rules/network/quiet.ts";
import { usesOrdinaryFiles } from "../rules/shared/quiet_paths.ts";
import { categories, type Category } from "../rules/registry.ts";
import { isActiveCategory } from "./levels.ts";
import { loadAllParts, loadPart } from "./parts.ts";
import { speaksOfPaths } from "./judge.ts";
import { loadPartsFor, readAction, standsFor } from "./reading.ts";
import type { Understanding } from "./shell/model.ts";
import type { Action, Context, HookCall, Policy, Rule } from "./types.ts";

/** All built-in rules, and all that understanding may need. */
export async function loadAllRules(): Promise<readonly Rule[]> {
  return await load(await everything());
}

/**
 * The categories of rules of which some rule would be asked about the call; the verdict is the same as with
 * all rules. The call is understood here, with the parts that this takes, and judging then takes that up.
 */
export async function loadRulesFor(call: HookCall, context: Context): Promise<readonly Rule[]> {
  return await load(await neededFor(call, context));
}

/** Those categories, not yet loaded. */
export async function neededFor(call: HookCall, context: Context): Promise<readonly Category[]> {
  if (context.policy.tools.length + context.policy.toolDefaults.length > 0) await loadPart("toolPermissions");
  if (call.actions.some(({ kind }) => kind === "mcp" || kind === "unknown")) await loadPart("toolArguments");
  if (context.policy.addresses.length > 0) await loadPart("addressPermissions");
  const actions: Needs[] = [];
  // Reading leaves time for judging.
  const until = context.until === undefined
    ? Infinity
    : context.until - (context.until - performance.now()) / 2;
  try {
    for (const action of call.actions.flatMap(standsFor)) {
      if (performance.now() > until) return await everything();
      await loadPartsFor(action, context);
      const { place, uses } = readAction(action, context);
      if (speaksOfPaths(action, uses, place)) await loadPart("pathPermissions");
      actions.push(needsOf(action, context));
    }
  } catch {
    // Judging meets the same failure, and says so.
    return await everything();
  }
  return categories.filter((category) =>
    isActiveCategory(category.name, category.level, context.policy) &&
    (category.name !== "personal" || Object.keys(context.policy.personalData).length > 0) &&
    actions.some((needs) => isNeeded(category, needs, context.policy))
  );
}

async function everything(): Promise<readonly Category[]> {
  await loadAllParts();
  return categories;
}

/** The rules of these categories. */
export async function load(wanted: readonly Category[]): Promise<readonly Rule[]> {
  const modules = await Promise.all(wanted.map((category) => category.load()));
  return modules.flatMap((module) => module.rules);
}

interface Needs {
  readonly action: Action;
  readonly kind: Action["kind"];
  readonly programs: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
  readonly understanding: Understanding | undefined;
  /** It uses nothing but sources and texts. */
  readonly ordinary: boolean;
}

type Quiet = (understanding: Understanding, concerned: (program: string) => boolean) => boolean;

/** Commands of which a category has nothing to say although the registry names it for them. */
const quiet: Readonly<Record<string, Quiet>> = {
  git: isQuietGit,
  network: isQuietNetwork,
  // What starts itself again and again is a function of the line.
  resources: ({ invocations }) => !invocations.some(({ provenance }) => provenance === "function"),
};

/** Categories that look at files by their names. */
const byName = new Set(["persistence", "secrets", "self"]);

/** Something may be committed: what is staged is looked at. */
function commits({ understanding }: Needs): boolean {
  return understanding?.invocations.some(({ args, moreArguments }) =>
    moreArguments || args.some((word) => !word.isStatic || word.text.includes("commit"))
  ) === true;
}

function needsOf(action: Action, context: Context): Needs {
  const { place, understanding, uses } = readAction(action, context);
  return {
    action,
    kind: action.kind,
    programs: new Set(understanding?.invocations.map((invocation) => invocation.program)),
    operations: new Set(uses.map((use) => use.operation)),
    understanding,
    ordinary: usesOrdinaryFiles(understanding, uses, place),
  };
}

function isNeeded(category: Category, needs: Needs, policy: Policy): boolean {
  const isContent = category.name === "content";
  if (isContent && policy.canaries.length > 0) return true;
  if (isContent && !commits(needs)) {
    if (carriesNoSecret(needs.action)) return false;
    if (needs.action.kind === "shell" && !needs.operations.has("write") && !needs.operations.has("append")) {
      // What sends something, may send a secret.
      const sends = [...needs.programs].some((program) =>
        program !== "git" && category.programs.includes(` ${program} `)
      );
      return sends && mayHoldSecret(needs.action.command);
    }
  }
  // Of commands, only canaries are looked for in all.
  if (category.kinds.includes(` ${needs.kind} `) && !(isContent && needs.kind === "shell")) return true;
  for (const operation of needs.ordinary && byName.has(category.name) ? [] : needs.operations) {
    if (category.operations.includes(` ${operation} `)) return true;
  }
  const { understanding, programs } = needs;
  if (understanding === undefined) return false;
  const concerned = (program: string) => category.programs.includes(` ${program} `);
  if (!category.everyCommand && ![...programs].some(concerned)) return false;
  return quiet[category.name]?.(understanding, concerned) !== true;
}
