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
    const lies = [
      { directories: [1] },
      { original: "%% no base64" },
      { owned: "yes" },
      { restorable: 1 },
      { created: [[{}]] },
      { filled: [{ at: [null], interior: "" }] },
      { path: "relative.json" },
      { path: "/srv/a\u001b[31m.json" },
      { path: "/srv/another/settings.json" },
    ].map((lie) => JSON.stringify({ ...receipt(paths[0]!), ...lie }));
    for (const text of ["{", "7", ...lies]) {
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

Deno.test({
  name: "a receipt that is a FIFO, a link or without end is not waited for",
  ignore: Deno.build.os === "windows",
  async fn() {
    const state = await Deno.makeTempDir({ prefix: "guard-receipts-" });
    try {
      const path = "/srv/a/settings.json";
      await writeReceipt(state, receipt(path));
      const [item] = await Array.fromAsync(Deno.readDir(join(state, "receipts")));
      const file = join(state, "receipts", item!.name);
      const unread = async () => {
        assert.equal(await readReceipt(state, path), undefined);
        assert.deepEqual(await listReceipts(state), []);
      };
      await Deno.truncate(file, 3_000_000_000);
      await unread();
      await Deno.remove(file);
      await Deno.symlink("/dev/zero", file);
      await unread();
      await Deno.remove(file);
      assert.ok((await new Deno.Command("mkfifo", { args: [file] }).output()).success);
      await unread();
      await writeReceipt(state, receipt(path));
      assert.deepEqual(await readReceipt(state, path), receipt(path));
    } finally {
      await Deno.remove(state, { recursive: true });
    }
  },
});
