import assert from "node:assert/strict";
import { join } from "node:path";
import { withLock } from "./lock.ts";

async function inTemporary(body: (state: string) => Promise<void>): Promise<void> {
  const state = Deno.makeTempDirSync();
  try {
    await body(state);
  } finally {
    Deno.removeSync(state, { recursive: true });
  }
}

/** The number of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null", stderr: "null" })
    .spawn();
  await child.status;
  return child.pid;
}

Deno.test("an abandoned lock is taken over by one at a time", () =>
  inTemporary(async (state) => {
    const ended = await endedProcess();
    for (let round = 0; round < 20; round++) {
      Deno.writeTextFileSync(join(state, "install.lock"), String(ended));
      let inside = 0;
      let most = 0;
      await Promise.all(Array.from({ length: 12 }, () =>
        withLock(state, async () => {
          most = Math.max(most, ++inside);
          await new Promise((done) => setTimeout(done, 1));
          inside--;
        })));
      assert.equal(most, 1);
    }
    assert.deepEqual([...Deno.readDirSync(state)], []);
  }));

Deno.test("a lock that another process has taken over stays when the work is done", () =>
  inTemporary(async (state) => {
    const path = join(state, "install.lock");
    await withLock(state, () => {
      Deno.writeTextFileSync(path, "1 other");
      return Promise.resolve();
    });
    assert.equal(Deno.readTextFileSync(path), "1 other");
    await assert.rejects(withLock(state, () => Promise.resolve(), 50), /held .*install\.lock/);
  }));

Deno.test("an old lock is abandoned even when its process number is in use again", () =>
  inTemporary(async (state) => {
    const path = join(state, "install.lock");
    Deno.writeTextFileSync(path, "1 other");
    const old = new Date(Date.now() - 60_000);
    Deno.utimeSync(path, old, old);
    assert.equal(await withLock(state, () => Promise.resolve("done"), 1000), "done");
  }));
