/** Others change a configuration while guard edits it, guard dies in the middle, several guards run at once. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, uninstall } from "../src/install/apply.ts";
import { configurationPath, type Job as AnyJob } from "../src/install/job.ts";
import { parseDocument } from "../src/install/document.ts";
import { ownEntries } from "../src/install/entry.ts";
import { withLock } from "../src/install/lock.ts";
import type { MergeTarget } from "../src/types.ts";
import { jobBelow } from "./install_job.ts";

type Job = AnyJob<MergeTarget>;

const child = fileURLToPath(new URL("./install_child.ts", import.meta.url));
const posix = Deno.build.os !== "windows";

async function inHome(work: (job: Job, path: string, root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-race-" }));
  try {
    const job = await jobBelow(root);
    const path = configurationPath(job);
    await Deno.mkdir(dirname(path), { recursive: true });
    await work(job, path, root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function run(root: string, mode: string): Promise<{ code: number; out: string; err: string }> {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", child, root, mode],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, out: text(output.stdout), err: text(output.stderr) };
}

async function events(job: Job, path: string): Promise<(string | undefined)[]> {
  const root = parseDocument(await Deno.readTextFile(path), job.target.format)!;
  return ownEntries(root).map((own) => own.command.event);
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map((item) => item.name).sort();
}

Deno.test("a change between reading and renaming is kept, and the edit is done again", async () => {
  await inHome(async (job, path) => {
    await Deno.writeTextFile(path, '{\n  "a": 1\n}\n');
    let rewrites = 0;
    const outcome = await install(job, {
      hooks: {
        beforeRename: async () => {
          if (rewrites++ === 0) await Deno.writeTextFile(path, '{\n  "a": 1,\n  "b": 2\n}\n');
        },
      },
    });
    assert.equal(outcome.status, "installed");
    assert.equal(rewrites, 2);
    assert.match(await Deno.readTextFile(path), /"b": 2/);
    assert.deepEqual(await events(job, path), job.target.entries.map((entry) => entry.event));
    assert.equal((await uninstall(job)).status, "restored");
    assert.equal(await Deno.readTextFile(path), '{\n  "a": 1,\n  "b": 2\n}\n');
  });
});

Deno.test("a file that never rests is left to the one who writes it", async () => {
  await inHome(async (job, path, root) => {
    await Deno.writeTextFile(path, "{}");
    let rewrites = 0;
    const outcome = await install(job, {
      hooks: { beforeRename: () => Deno.writeTextFile(path, `{"n": ${++rewrites}}`) },
    });
    assert.equal(outcome.status, "refused");
    assert.match(outcome.message ?? "", /was changed while guard was editing it/);
    assert.equal(await Deno.readTextFile(path), `{"n": ${rewrites}}`);
    assert.equal((await names(dirname(path))).length, 1);
    assert.deepEqual(await names(join(root, "state")), []);
  });
});

Deno.test("a file that appears or vanishes meanwhile is noticed", async () => {
  await inHome(async (job, path) => {
    let first = true;
    const appear = async () => {
      if (first) await Deno.writeTextFile(path, '{"theirs": true}');
      first = false;
    };
    assert.equal((await install(job, { hooks: { beforeRename: appear } })).status, "installed");
    assert.match(await Deno.readTextFile(path), /theirs/);
    await uninstall(job);
    let again = true;
    const vanish = async () => {
      if (again) await Deno.remove(path);
      again = false;
    };
    assert.equal((await install(job, { hooks: { beforeRename: vanish } })).status, "installed");
    await uninstall(job);
    assert.deepEqual(await names(dirname(path)), []);
  });
});

Deno.test({
  name: "guard killed before the rename leaves the original, and the next run leaves nothing else",
  ignore: !posix,
  fn: async () => {
    await inHome(async (job, path, root) => {
      const before = '{\n  "a": 1\n}\n';
      await Deno.writeTextFile(path, before);
      const killed = await run(root, "killed");
      assert.notEqual(killed.code, 0);
      assert.equal(await Deno.readTextFile(path), before);
      assert.equal((await names(dirname(path))).length, 2, "the temporary file is still there");
      const next = await run(root, "install");
      assert.equal(next.code, 0, next.err);
      assert.equal((await names(dirname(path))).length, 1);
      assert.deepEqual(await events(job, path), job.target.entries.map((entry) => entry.event));
      assert.equal((await uninstall(job)).status, "restored");
      assert.equal(await Deno.readTextFile(path), before);
    });
  },
});

Deno.test("several installs at once all succeed and make one entry for an event", async () => {
  await inHome(async (job, path, root) => {
    await Deno.writeTextFile(path, "{}\n");
    const runs = await Promise.all(Array.from({ length: 4 }, () => run(root, "install")));
    assert.deepEqual(runs.map(({ code }) => code), [0, 0, 0, 0], runs.map(({ err }) => err).join("\n"));
    const status = runs.map(({ out }) => (JSON.parse(out) as { status: string }).status).sort();
    assert.deepEqual(status, ["installed", "unchanged", "unchanged", "unchanged"]);
    assert.deepEqual(await events(job, path), job.target.entries.map((entry) => entry.event));
    const undone = await run(root, "uninstall");
    assert.equal(undone.code, 0, undone.err);
    assert.equal(await Deno.readTextFile(path), "{}\n");
  });
});

Deno.test("a lock that somebody keeps ends in a message, the lock of a dead process does not", async () => {
  await inHome(async (_job, _path, root) => {
    const state = join(root, "state");
    await withLock(state, async () => {
      await assert.rejects(() => withLock(state, () => Promise.resolve(), 100), /Another process has held/);
    });
    await Deno.writeTextFile(join(state, "install.lock"), "999999999");
    assert.equal(await withLock(state, () => Promise.resolve("done"), 100), "done");
    assert.deepEqual(await names(state), []);
  });
});

Deno.test({
  name: "receipts can be read by the person only",
  ignore: !posix,
  fn: async () => {
    await inHome(async (job, path, root) => {
      await Deno.writeTextFile(path, '{"token": "t"}');
      await install(job);
      const folder = join(root, "state", "receipts");
      assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
      for (const name of await names(folder)) {
        assert.equal((await Deno.stat(join(folder, name))).mode! & 0o777, 0o600);
      }
      const fresh = { ...job, file: join(root, "fresh", "settings.json") };
      await install(fresh);
      assert.equal((await Deno.stat(fresh.file)).mode! & 0o777, 0o600);
    });
  },
});
