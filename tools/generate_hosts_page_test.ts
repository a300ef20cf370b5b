import assert from "node:assert/strict";
import { loadAdapter } from "../adapters/registry.ts";
import { factsOf, type Verification } from "../src/cli/host_facts.ts";
import { hostText } from "./generate_hosts_page.ts";

const verified: Verification = {
  package: "client",
  version: "1.2.3",
  date: "2026-01-01",
  passes: ["a harmless command"],
  stops: ["reading a private key"],
  prompt: "blocked",
  failures: { killed: "blocked" },
};

Deno.test("the page says that the model is told nothing where a denial ends the run", async () => {
  const adapter = await loadAdapter("cline");
  assert.ok(adapter !== undefined);
  const told = hostText({ ...factsOf(adapter), verified });
  assert.match(told, /the model was told why: reading a private key\./);
  assert.doesNotMatch(told, /Denials:/);
  const silent = hostText({ ...factsOf(adapter), verified: { ...verified, aborts: "the run ends" } });
  assert.match(silent, /the model was told nothing: reading a private key\.\n\nDenials: the run ends\./);
});
