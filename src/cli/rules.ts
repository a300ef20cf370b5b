/** `guard rules`. */

import type { Command } from "commander";
import { GuardError } from "../errors.ts";
import { nearest } from "../suggest.ts";
import type { Example } from "../types.ts";
import { visible } from "../visible.ts";
import type { RuleEntry } from "./all_rules.ts";
import { decisionText } from "./check.ts";
import { line, paint, table, wrap } from "./terminal.ts";

interface RulesOptions {
  readonly json?: boolean;
  readonly category?: string;
}

function categoryOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

async function list(options: RulesOptions): Promise<void> {
  const { catalogue } = await import("./all_rules.ts");
  let rules = await catalogue();
  if (options.category !== undefined) {
    const wanted = options.category.replace(/\/\*?$/, "");
    const categories = [...new Set(rules.map((rule) => categoryOf(rule.id)))];
    if (!categories.includes(wanted)) {
      const near = nearest(wanted, categories);
      throw new GuardError(
        `expected a category (${categories.join(", ")}), found "${visible(wanted, 60)}"` +
          (near === undefined ? "" : `; did you mean "${near}"?`),
        "guard rules",
      );
    }
    rules = rules.filter((rule) => categoryOf(rule.id) === wanted);
  }
  if (options.json) {
    line(JSON.stringify(rules.map(({ id, decision, severity, title }) => ({ id, decision, severity, title }))));
    return;
  }
  line(table(rules.map((rule) => [rule.id, decisionText(rule.decision), rule.severity, rule.title])));
}

function exampleText(example: Example): string {
  const { action } = example;
  if (typeof action === "string") return action;
  switch (action.kind) {
    case "shell":
      return action.command;
    case "file":
      return `${action.operation} ${action.path}`;
    case "fetch":
      return `fetch ${action.url}`;
    case "mcp":
      return `${action.server}/${action.tool} ${JSON.stringify(action.input)}`;
    case "unknown":
      return `${action.tool} ${JSON.stringify(action.input)}`;
    case "prompt":
    case "output":
      return action.text;
    case "session":
      return `session ${action.phase}`;
  }
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
  const { catalogue } = await import("./all_rules.ts");
  const rules = await catalogue();
  const rule: RuleEntry | undefined = rules.find((entry) => entry.id === id);
  if (rule === undefined) {
    const near = nearest(id, rules.map((entry) => entry.id));
    throw new GuardError(
      `expected the id of a rule, found "${visible(id, 80)}"` +
        (near === undefined ? "" : `; did you mean "${near}"?`),
      near === undefined ? "guard rules" : `guard rules show ${near}`,
    );
  }
  if (options.json) {
    const { title, decision, severity, rationale, advice, examples, references } = rule;
    line(JSON.stringify({ id, title, decision, severity, rationale, advice, examples, references }));
    return;
  }
  line(`${paint("bold", rule.id)}  ${decisionText(rule.decision)}, ${rule.severity}`);
  line(wrap(rule.title, ""));
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
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Examples:
  $ guard rules --category git
  $ guard rules show git/force-push`,
    )
    .action((options: RulesOptions) => list(options));
  rules
    .command("show")
    .description("say what a rule stops, why, and what to do instead")
    .argument("<id>", "id of the rule")
    .action((id: string, _options: unknown, command: Command) => show(id, command.optsWithGlobals()));
}
