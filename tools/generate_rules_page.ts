/**
 * Writes docs/rules.md, the reference of all rules, from the rules themselves.
 *
 *   deno run --allow-read --allow-write tools/generate_rules_page.ts [--check]
 *
 * With --check nothing is written; the exit code is 1 when the file is not up to date.
 */
import { catalogue, entryAt, type RuleEntry } from "../src/cli/all_rules.ts";
import { exampleText } from "../src/cli/example_text.ts";
import { levels } from "../src/levels.ts";
import type { Example } from "../src/types.ts";
import { visible } from "../src/visible.ts";

const rulesFolder = new URL("../rules/", import.meta.url);

/** Path of the generated file. */
export const pageFile = new URL("../docs/rules.md", import.meta.url);

/** What the categories without a file are about. */
const withoutFile: Readonly<Record<string, string>> = {
  policy: "What a policy itself forbids.",
  shell: "Commands that cannot be followed. What cannot be read is not let through in silence.",
};

function categoryOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

/** What a category is about: the comment at the head of its file. */
function about(category: string): string {
  const known = withoutFile[category];
  if (known !== undefined) return known;
  const text = Deno.readTextFileSync(new URL(`${category}.ts`, rulesFolder));
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1];
  if (comment === undefined) {
    throw new Error(`rules/${category}.ts begins with no comment that says what it is about`);
  }
  return comment.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim();
}

/** A text as code within a line, whatever backticks it holds. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 || /^ | $/.test(text) ? " " : "";
  return `${fence}${space}${text}${space}${fence}`;
}

/** A text between tags, with what Markdown and HTML would act on escaped; code between backticks stays. */
function prose(text: string): string {
  return text.split("`").map((part, index) => index % 2 === 1 ? part : part.replaceAll(/[<>*_|[\]]/g, "\\$&"))
    .join("`");
}

function exampleLine(example: Example, decision: string): string {
  const notes: string[] = [];
  if (
    typeof example.action !== "string" && example.action.kind === "shell" &&
    example.action.dialect !== "posix"
  ) {
    notes.push(example.action.dialect === "cmd" ? "Windows command line" : "PowerShell");
  }
  if (example.cwd !== undefined) notes.push(`in ${code(example.cwd)}`);
  if (example.host !== undefined) notes.push(`on ${example.host}`);
  if (example.facts !== undefined) notes.push("depending on what is on disk");
  if (example.decision !== undefined && example.decision !== decision && example.decision !== "none") {
    notes.push(example.decision);
  }
  return `- ${code(visible(exampleText(example), 200))}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

/** The part about one rule. */
function ruleText(rule: RuleEntry): string {
  const decisions = levels.map((level) => [level, entryAt(rule, level)] as const);
  const [first] = decisions;
  const same = decisions.every(([, decision]) => decision === first![1]);
  const decided = same
    ? `**${first![1]}** at every level`
    : decisions.map(([level, decision]) => `${level}: **${decision}**`).join(", ");
  const parts = [
    `### ${code(rule.id)}`,
    `${prose(rule.title)}.`,
    `${decided}. Severity: ${rule.severity}.`,
    `Why: ${prose(rule.rationale)}`,
    `Instead: ${prose(rule.advice)}`,
  ];
  if (rule.examples.match.length > 0) {
    parts.push(
      `It stops:`,
      rule.examples.match.map((example) => exampleLine(example, rule.decision)).join("\n"),
    );
  }
  if (rule.examples.pass.length > 0) {
    parts.push(
      `It lets pass:`,
      rule.examples.pass.map((example) => exampleLine(example, rule.decision)).join("\n"),
    );
  }
  if (rule.references.length > 0) {
    parts.push(`See: ${rule.references.map((reference) => `<${reference}>`).join(", ")}`);
  }
  return parts.join("\n\n");
}

/** Text of the generated file. */
export async function pageText(): Promise<string> {
  const rules = await catalogue();
  const categories = [...new Set(rules.map((rule) => categoryOf(rule.id)))];
  const of = (category: string) => rules.filter((rule) => categoryOf(rule.id) === category);
  const head = `# Rules

This page is generated from the rules (\`deno task generate\`). \`guard rules show ID\` prints the same about one of them.

A rule decides \`ask\` or \`deny\`; some decide otherwise in special cases, which its examples show. A policy sets the
decision of a rule, or of a category, by its id (see [Policy](policy.md)), and the level for all of them:

- \`standard\` (default) is silent in the daily work of reading, building, testing and committing.
- \`strict\` denies more of what is hard to undo, and asks about what is ordinary but carries a risk.
- \`paranoid\` asks about everything that leaves the workspace, uses the network or is not known.

A higher level never loosens a decision. Rules that are \`off\` at a level can be switched on by their id.

| Category | Rules | About |
| -------- | ----- | ----- |
${
    categories.map((name) => `| [${name}](#${name}) | ${of(name).length} | ${prose(about(name))} |`).join(
      "\n",
    )
  }`;
  const body = categories.map((name) =>
    [`## ${name}`, prose(about(name)), ...of(name).map(ruleText)].join("\n\n")
  );
  return `${[head, ...body].join("\n\n")}\n`;
}

if (import.meta.main) {
  const text = await pageText();
  if (Deno.args.includes("--check")) {
    if (Deno.readTextFileSync(pageFile) !== text) {
      console.error("docs/rules.md is not up to date. Run: deno run -A tools/generate_rules_page.ts");
      Deno.exit(1);
    }
  } else {
    Deno.writeTextFileSync(pageFile, text);
  }
}
