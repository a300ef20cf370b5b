import assert from "node:assert/strict";
import { join } from "node:path";
import { endOf } from "./activity.ts";

Deno.test("of a log that somebody has made huge the end is read, from the first whole line on", async () => {
  const folder = await Deno.makeTempDir({ prefix: "guard-activity-" });
  try {
    const path = join(folder, "audit.jsonl");
    assert.equal(endOf(path), "");
    await Deno.writeTextFile(path, "a\nb\n");
    assert.equal(endOf(path), "a\nb\n");
    await Deno.truncate(path, 3_000_000_000);
    await Deno.writeTextFile(path, "x\nlast\n", { append: true });
    assert.equal(endOf(path), "last\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
