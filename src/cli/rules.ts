/** `guard rules`. */

import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { nearest } from "../suggest.ts";
import { levels } from "../levels.ts";
import { type Profile, profiles, type ProfileValues } from "../policy/profiles.ts";
import type { Example, Level, RuleOverride } from "../types.ts";
import { visible } from "../visible.ts";
import type { RuleEntry } from "./all_rules.ts";
import { decisionText } from "./check.ts";
import { exampleText } from "./example_text.ts";
import { line, paint, table, wrap } from "./terminal.ts";

interface RulesOptions {
  readonly json?: boolean;
  readonly category?: string;
  readonly level?: string;
  readonly profile?: string;
}

function profileOf({ profile = "standard" }: RulesOptions): ProfileValues {
  if (Object.hasOwn(profiles, profile)) return profiles[profile as Profile];
  throw new UsageError(
    `expected --profile to be ${Object.keys(profiles).join(", ")}, found "${visible(profile, 40)}"`,
    "guard rules --help",
  );
}

/** What a rule decides at the level and in the profile that are asked for. */
function decisionIn(entry: RuleEntry, options: RulesOptions, entryAt: EntryAt): RuleOverride {
  const { rules = {} } = profileOf(options);
  const said = Object.hasOwn(rules, entry.id) ? rules[entry.id] : undefined;
  if (said === "deny-only") return entry.decision === "deny" ? "deny" : "deny-only";
  return said ?? entryAt(entry, levelOf(options));
}

type EntryAt = typeof import("./all_rules.ts").entryAt;

function levelOf(options: RulesOptions): Level {
  const { level = profileOf(options).level ?? "standard" } = options;
  const known = levels.find((one) => one === level);
  if (known !== undefined) return known;
  throw new UsageError(
    `expected --level to be ${levels.join(", ")}, found "${visible(level, 40)}"`,
    "guard rules --help",
  );
}

/** A decision of a rule in its colour; `off` below its level. */
function stateText(decision: RuleOverride): string {
  return decision === "off" || decision === "deny-only" ? paint("dim", decision) : decisionText(decision);
}

function categoryOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

async function list(options: RulesOptions): Promise<void> {
  levelOf(options);
  const { catalogue, entryAt } = await import("./all_rules.ts");
  let rules = await catalogue();
  if (options.category !== undefined) {
    const wanted = options.category.replace(/\/\*?$/, "");
    const categories = [...new Set(rules.map((rule) => categoryOf(rule.id)))];
    if (!categories.includes(wanted)) {
      const near = nearest(wanted, categories);
      throw new UsageError(
        `expected a category (${categories.join(", ")}), found "${visible(wanted, 60)}"` +
          (near === undefined ? "" : `; did you mean "${near}"?`),
        "guard rules",
      );
    }
    rules = rules.filter((rule) => categoryOf(rule.id) === wanted);
  }
  if (options.json) {
    line(JSON.stringify(rules.map((rule) => {
      const { id, severity, title } = rule;
      return { id, decision: decisionIn(rule, options, entryAt), severity, title };
    })));
    return;
  }
  line(
    table(
      rules.map((
        rule,
      ) => [rule.id, stateText(decisionIn(rule, options, entryAt)), rule.severity, rule.title]),
    ),
  );
}

function showExamples(title: string, examples: readonly Example[]): void {
  if (examples.length === 0) return;
  line();
  line(paint("bold", title));
  for (const example of examples) {
    const where = example.cwd === undefined ? "" : paint("dim", `   in ${example.cwd}`);
    const host = example.host === undefined ? "" : paint("dim", `   on ${example.host}`);
    line(`  ${visible(exampleText(example), 200)}${where}${host}`);
  }
}

async function show(id: string, options: RulesOptions): Promise<void> {
  levelOf(options);
  const { catalogue, entryAt } = await import("./all_rules.ts");
  const rules = await catalogue();
  const rule: RuleEntry | undefined = rules.find((entry) => entry.id === id);
  if (rule === undefined) {
    const near = nearest(id, rules.map((entry) => entry.id));
    throw new UsageError(
      `expected the id of a rule, found "${visible(id, 80)}"` +
        (near === undefined ? "" : `; did you mean "${near}"?`),
      near === undefined ? "guard rules" : `guard rules show ${near}`,
    );
  }
  if (options.json) {
    const { title, severity, rationale, advice, examples, references } = rule;
    const decisions = Object.fromEntries(levels.map((one) => [one, entryAt(rule, one)]));
    line(
      JSON.stringify({
        id,
        title,
        decision: decisionIn(rule, options, entryAt),
        decisions,
        severity,
        rationale,
        advice,
        examples,
        references,
      }),
    );
    return;
  }
  line(`${paint("bold", rule.id)}  ${stateText(decisionIn(rule, options, entryAt))}, ${rule.severity}`);
  line(wrap(rule.title, ""));
  const decisions = levels.map((one) => entryAt(rule, one));
  if (new Set(decisions).size > 1) {
    line(paint("dim", levels.map((one, index) => `${one}: ${decisions[index]}`).join(", ")));
  }
  line();
  line(wrap(rule.rationale, "  "));
  line();
  line(paint("bold", "Instead"));
  line(wrap(rule.advice, "  "));
  showExamples("It stops", rule.examples.match);
  showExamples("It lets pass", rule.examples.pass);
  if (rule.references.length > 0) {
    line();
    line(paint("bold", "See"));
    for (const reference of rule.references) line(`  ${reference}`);
  }
}

export function register(program: Command): void {
  const rules = program
    .command("rules")
    .description("list the built-in rules")
    .option("--category <name>", "only this category")
    .option("--level <level>", `decisions at this level: ${levels.join(", ")} (default: standard)`)
    .option("--profile <profile>", `decisions in this profile: ${Object.keys(profiles).join(", ")}`)
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ guard rules --category git
  $ guard rules --level strict
  $ guard rules --profile minimal
  $ guard rules show git/force-push`,
    )
    .action((options: RulesOptions) => list(options));
  rules
    .command("show")
    .description("say what a rule stops, why, and what to do instead")
    .argument("<id>", "id of the rule")
    .addHelpText("after", "\n--level and --json, as for `guard rules`, count here too.")
    .action((id: string, _options: unknown, command: Command) => show(id, command.optsWithGlobals()));
}
