import assert from "node:assert/strict";
import { clientIds, loadClient } from "../tests/clients/discover.ts";
import { repinned } from "./clients.ts";

Deno.test("the pinned version of every description can be changed", async () => {
  for (const id of clientIds()) {
    const { install } = await loadClient(id);
    const text = await Deno.readTextFile(new URL(`../tests/clients/hosts/${id}.ts`, import.meta.url));
    const changed = repinned(text, install.version, "999.0.0-next.1");
    assert.ok(changed.includes('version: "999.0.0-next.1"'), id);
    assert.equal(repinned(changed, "999.0.0-next.1", install.version), text, id);
  }
});

Deno.test("a description that does not pin the version once is refused", () => {
  assert.throws(() => repinned('version: "1.0.0", other: { version: "1.0.0" }', "1.0.0", "2.0.0"), /once/);
  assert.throws(() => repinned("", "1.0.0", "2.0.0"), /once/);
});
