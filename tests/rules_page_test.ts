/** The reference page of rules is complete and fresh. */

import assert from "node:assert/strict";
import { catalogue, entryAt } from "../src/cli/all_rules.ts";
import { levels } from "../src/levels.ts";
import { loadAllRules } from "../src/rules_loader.ts";
import { pageFile, pageText } from "../tools/generate_rules_page.ts";

const text = Deno.readTextFileSync(pageFile);

/** The part of the page about one rule. */
function partOf(id: string): string {
  const start = text.indexOf(`### \`${id}\`\n`);
  assert.notEqual(start, -1, `${id} is missing; run: deno task generate`);
  const end = text.slice(start + 4).search(/\n#{2,3} /);
  return end < 0 ? text.slice(start) : text.slice(start, start + 4 + end);
}

Deno.test("the page of rules is what the generator writes", async () => {
  assert.ok(text === await pageText(), "docs/rules.md is not up to date; run: deno task generate");
});

Deno.test("the page says of each rule what it decides, why, and what to do instead", async () => {
  const entries = await catalogue();
  for (const rule of await loadAllRules()) assert.ok(entries.some((entry) => entry.id === rule.id), rule.id);
  for (const entry of entries) {
    const part = partOf(entry.id);
    for (const level of levels) {
      const decision = entryAt(entry, level);
      assert.ok(
        part.includes(`${level}: **${decision}**`) || part.includes(`**${decision}** at every level`),
        `${entry.id}: ${level}`,
      );
    }
    for (const word of [entry.severity, "Why: ", "Instead: "]) {
      assert.ok(part.includes(word), `${entry.id}: ${word}`);
    }
    const listed = part.split("\n").filter((line) => line.startsWith("- ")).length;
    assert.equal(listed, entry.examples.match.length + entry.examples.pass.length, `${entry.id}: examples`);
  }
});

Deno.test("findings that belong to no rule are on the page too", () => {
  for (const id of ["shell/too-complex", "shell/encoded-code", "policy/protected-path"]) partOf(id);
});

Deno.test("each category is in the table, with the number of its rules", async () => {
  const entries = await catalogue();
  for (const name of new Set(entries.map(({ id }) => id.slice(0, id.indexOf("/"))))) {
    const count = entries.filter(({ id }) => id.startsWith(`${name}/`)).length;
    assert.ok(text.includes(`| [${name}](#${name}) | ${count} | `), name);
  }
});
