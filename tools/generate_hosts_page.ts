/**
 * Writes docs/hosts.md, what guard can do on each host, from the adapters and from what the real clients were found to do
 * (adapters/verified.json, which `deno task test:clients` writes).
 *
 *   deno run --allow-read --allow-write tools/generate_hosts_page.ts [--check]
 *
 * With --check nothing is written; the exit code is 1 when the file is not up to date.
 */
import { askTexts, factsOf, type HostFacts, stopsText, verifiedText } from "../src/cli/host_facts.ts";
import { allAdapters } from "../src/install/hosts.ts";

/** Path of the generated file. */
export const pageFile = new URL("../docs/hosts.md", import.meta.url);

/** What happens to guard, in the words of the page. */
const failureTexts: Readonly<Record<string, string>> = {
  killed: "is killed",
  missing: "is missing",
  failing: "fails",
  garbage: "writes garbage and ends well",
  hanging: "hangs",
};

const abilityTexts: Readonly<Record<string, string>> = {
  allow: "allow without the client's question",
  addContext: "add context",
  replaceOutput: "replace output",
  rewriteInput: "change a call",
};

function list(items: readonly string[]): string[] {
  return items.map((item) => `- ${item}`);
}

function rowOf(facts: HostFacts): string {
  const cells = [
    `[${facts.title}](#${facts.host})`,
    `\`${facts.host}\``,
    stopsText(facts),
    facts.enforceable ? askTexts[facts.ask] : "",
    facts.can.map((ability) => abilityTexts[ability]).join(", "),
    verifiedText(facts),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The part about one host. */
export function hostText(facts: HostFacts): string {
  const { verified } = facts;
  const parts = [
    `## ${facts.host}`,
    `[${facts.title}](${facts.documentation}). \`guard install --host ${facts.host}\` writes to ` +
    facts.configurations.map(({ scope, path }) => `\`${path}\` (${scope})`).join(", ") + ".",
    "Limits:",
    list(facts.limits).join("\n"),
  ];
  if (verified === undefined) {
    parts.push("No real client was driven: this comes from documentation.");
    return parts.join("\n\n");
  }
  parts.push(
    `Verified in ${verified.package} ${verified.version} on ${verified.date}. Ran: ${
      verified.passes.join("; ")
    }. Did not run, and the model was told ${verified.aborts === undefined ? "why" : "nothing"}: ${
      verified.stops.join("; ")
    }.`,
  );
  if (verified.aborts !== undefined) parts.push(`Denials: ${verified.aborts}.`);
  if (verified.prompt !== "blocked") parts.push(`Prompts: ${verified.prompt}.`);
  const failures = Object.entries(verified.failures);
  const closed = failures.filter(([, text]) => text === "blocked").map(([failure]) => failureTexts[failure]);
  const open = failures.filter(([, text]) => text !== "blocked");
  if (closed.length > 0) parts.push(`Calls are blocked when guard ${closed.join(", or ")}.`);
  if (open.length > 0) {
    parts.push(
      "They go through when guard",
      list(open.map(([failure, text]) => `${failureTexts[failure]}: ${text}`)).join("\n"),
    );
  }
  return parts.join("\n\n");
}

/** Text of the generated file. */
export async function pageText(): Promise<string> {
  const facts = (await allAdapters()).map(factsOf);
  const table = [
    "| Host | `--host` | guard stops | A question is | An answer can also | Verified in |",
    "| ---- | -------- | ----------- | ------------- | ------------------ | ----------- |",
    ...facts.map(rowOf),
  ].join("\n");
  return [
    "# Hosts",
    "This page is generated from the adapters and from tests that drive the real clients (`deno task generate`). " +
    "`guard hosts` prints the same.",
    "*Verified in* names the client in which the tests of `tests/clients` last passed: calls that guard forbids did " +
    "not run and the model was told why (or the host's part says that it is told nothing), harmless ones ran, and what happens while guard itself fails was observed. " +
    "*From documentation* means that no real client was driven.",
    table,
    ...facts.map(hostText),
  ].join("\n\n") + "\n";
}

if (import.meta.main) {
  const text = await pageText();
  if (Deno.args.includes("--check")) {
    const found = await Deno.readTextFile(pageFile).catch(() => undefined);
    if (found !== text) {
      console.error("docs/hosts.md is not up to date. Run: deno run -A tools/generate_hosts_page.ts");
      Deno.exit(1);
    }
  } else {
    await Deno.writeTextFile(pageFile, text);
  }
}
