import assert from "node:assert/strict";
import verifiedHosts from "../adapters/verified.json" with { type: "json" };
import { loadAdapter } from "../adapters/registry.ts";
import { factsOf, type Verification } from "../src/cli/host_facts.ts";
import { clientIds, loadClient } from "../tests/clients/discover.ts";
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

for (const id of clientIds()) {
  Deno.test(`${id}: what was recorded of the real client names the limits that its tests assert`, async () => {
    const client = await loadClient(id);
    const all: Readonly<Record<string, Verification>> = verifiedHosts;
    const record = all[id];
    if (record === undefined) return;
    const { aborts, prompt, failures } = client;
    const said = (value: "blocked" | { readonly limit: string }) =>
      typeof value === "string" ? value : value.limit;
    assert.deepEqual([record.aborts, record.prompt], [aborts, said(prompt)]);
    assert.deepEqual(
      record.failures,
      Object.fromEntries(Object.entries(failures).map(([failure, value]) => [failure, said(value)])),
    );
  });
}
