/** `guard rules`. */

import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { nearest } from "../suggest.ts";
import { levels } from "../levels.ts";
import type { Example, Level } from "../types.ts";
import { visible } from "../visible.ts";
import type { RuleEntry } from "./all_rules.ts";
import { decisionText } from "./check.ts";
import { exampleText } from "./example_text.ts";
import { line, paint, table, wrap } from "./terminal.ts";

interface RulesOptions {
  readonly json?: boolean;
  readonly category?: string;
  readonly level?: string;
}

function levelOf({ level = "standard" }: RulesOptions): Level {
  const known = levels.find((one) => one === level);
  if (known !== undefined) return known;
  throw new UsageError(
    `expected --level to be ${levels.join(", ")}, found "${visible(level, 40)}"`,
    "guard rules --help",
  );
}

/** A decision of a rule in its colour; `off` below its level. */
function stateText(decision: "off" | "ask" | "deny"): string {
  return decision === "off" ? paint("dim", "off") : decisionText(decision);
}

function categoryOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

async function list(options: RulesOptions): Promise<void> {
  const level = levelOf(options);
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
      return { id, decision: entryAt(rule, level), severity, title };
    })));
    return;
  }
  line(table(rules.map((rule) => [rule.id, stateText(entryAt(rule, level)), rule.severity, rule.title])));
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
  const level = levelOf(options);
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
        decision: entryAt(rule, level),
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
  line(`${paint("bold", rule.id)}  ${stateText(entryAt(rule, level))}, ${rule.severity}`);
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
    .option("--level <level>", `decisions at this level: ${levels.join(", ")}`, "standard")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ guard rules --category git
  $ guard rules --level strict
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
