import assert from "node:assert/strict";
import { join } from "node:path";
import { listReceipts, readReceipt, type Receipt, writeReceipt } from "./receipt.ts";

function receipt(path: string): Receipt {
  return {
    version: 1,
    host: "claude",
    scope: "project",
    path,
    original: null,
    restorable: true,
    owned: true,
    after: "0".repeat(64),
    directories: [],
    created: [],
    filled: [],
  };
}

Deno.test("a damaged receipt does not hide the others", async () => {
  const state = await Deno.makeTempDir({ prefix: "guard-receipts-" });
  try {
    assert.deepEqual(await listReceipts(state), []);
    const paths = ["/srv/a/settings.json", "/srv/b/settings.json", "/srv/c/settings.json"];
    for (const path of paths) await writeReceipt(state, receipt(path));
    const names = (await Array.fromAsync(Deno.readDir(join(state, "receipts")))).map((item) => item.name);
    for (const text of ["{", "7", JSON.stringify({ ...receipt(paths[0]!), directories: [1] })]) {
      for (const name of names) {
        const file = join(state, "receipts", name);
        const before = await Deno.readTextFile(file);
        await Deno.writeTextFile(file, text);
        const lost: unknown = JSON.parse(before).path;
        assert.deepEqual(
          (await listReceipts(state)).map((one) => one.path),
          paths.filter((path) => path !== lost),
        );
        assert.equal(await readReceipt(state, String(lost)), undefined);
        await Deno.writeTextFile(file, before);
      }
    }
  } finally {
    await Deno.remove(state, { recursive: true });
  }
});
