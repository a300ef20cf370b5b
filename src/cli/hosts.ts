/** `guard hosts`: what guard can do on each host, and what was verified in a real client. */

import type { Command } from "commander";
import { allAdapters, namedAdapters } from "../install/hosts.ts";
import { askTexts, factsOf, type HostFacts, stopsText, verifiedText } from "./host_facts.ts";
import { line, paint, table, wrap } from "./terminal.ts";

interface HostsOptions {
  readonly json?: boolean;
}

export function register(program: Command): void {
  program
    .command("hosts")
    .description("show what guard can do on each host, and which client that was verified in")
    .argument("[host...]", "ids of hosts: everything about these")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
"from documentation" means that no real client was driven; guard does what the host's documentation says.

Examples:
  $ guard hosts
  $ guard hosts codex`,
    )
    .action(run);
}

async function run(names: readonly string[], options: HostsOptions): Promise<void> {
  const adapters = names.length === 0 ? await allAdapters() : await namedAdapters(names, "guard hosts");
  const facts = adapters.map(factsOf);
  if (options.json) return line(JSON.stringify(facts));
  if (names.length === 0) return line(table([heading, ...facts.map(row)]));
  for (const [index, fact] of facts.entries()) {
    if (index > 0) line();
    show(fact);
  }
}

const heading = ["host", "", "stops", "a question is", "verified in"].map((text) => paint("dim", text));

function row(facts: HostFacts): string[] {
  const verified = verifiedText(facts);
  return [
    facts.host,
    facts.title,
    stopsText(facts),
    facts.enforceable ? askTexts[facts.ask] : "",
    facts.verified === undefined ? paint("dim", verified) : verified,
  ];
}

const abilityTexts: Readonly<Record<string, string>> = {
  allow: "let a call pass without the client's own question",
  addContext: "tell the model something beside the answer",
  replaceOutput: "replace what a tool returned",
  rewriteInput: "change a call",
};

function show(facts: HostFacts): void {
  const { verified } = facts;
  line(`${paint("bold", facts.title)}  ${paint("dim", facts.host)}`);
  line(`  stops          ${stopsText(facts)}`);
  if (facts.enforceable) line(`  a question is  ${askTexts[facts.ask]}`);
  for (const ability of facts.can) line(`  can            ${abilityTexts[ability]}`);
  for (const { scope, path } of facts.configurations) line(`  ${scope.padEnd(13)}  ${path}`);
  line(`  verified in    ${verifiedText(facts)}`);
  line(`  see            ${facts.documentation}`);
  if (verified !== undefined) {
    const open = Object.entries(verified.failures).filter(([, text]) => text !== "blocked");
    if (open.length > 0) {
      line();
      line(paint("bold", "Calls go through while guard is"));
      for (const [failure, text] of open) line(wrap(`${failure}: ${text}`, "  "));
    }
  }
  line();
  line(paint("bold", "Limits"));
  for (const limit of facts.limits) line(wrap(`- ${limit}`, "  "));
}
