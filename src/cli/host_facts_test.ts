import assert from "node:assert/strict";
import { loadAdapter } from "../../adapters/registry.ts";
import type { HostAdapter } from "../types.ts";
import { factsOf, stopsText, verifiedText } from "./host_facts.ts";

const claude = await loadAdapter("claude") as HostAdapter;

Deno.test("only what is registered and can be stopped counts", () => {
  const { stops, enforceable } = factsOf(claude);
  assert.deepEqual([stops, enforceable], [["pre_tool", "prompt"], true]);
  const capabilities = { ...claude.capabilities, promptBlock: false };
  assert.deepEqual(factsOf({ ...claude, capabilities }).stops, ["pre_tool"]);
  const events = claude.events.map((event) => ({ ...event, install: event.id === "prompt" }));
  assert.deepEqual(factsOf({ ...claude, events }).stops, ["prompt"]);
});

Deno.test("a host that no hook can stop stops nothing, and says why", () => {
  const facts = factsOf({ ...claude, unenforced: [{ why: "It asks nobody." }] });
  assert.deepEqual([facts.enforceable, facts.stops, facts.limits[0]], [false, [], "It asks nobody."]);
  assert.equal(stopsText(facts), "nothing");
  // Where only one scope or system is open, the rest counts.
  assert.equal(
    factsOf({ ...claude, unenforced: [{ scope: "project", why: "Not there." }] }).enforceable,
    true,
  );
});

Deno.test("a host without a run of a real client comes from documentation", () => {
  const unknown = factsOf({ ...claude, id: "constructor" });
  assert.equal(unknown.verified, undefined);
  assert.equal(verifiedText(unknown), "from documentation");
});
