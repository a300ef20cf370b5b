/** Files that guard writes whole: those of every host, and a made-up one that has everything. */

import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { install, uninstall } from "../src/install/apply.ts";
import { allAdapters } from "../src/install/hosts.ts";
import type { Job } from "../src/install/job.ts";
import { withLock } from "../src/install/lock.ts";
import { readReceipt, writeReceipt } from "../src/install/receipt.ts";
import { ownerOf, wholeText } from "../src/install/whole.ts";
import type { HostAdapter, WholeTarget } from "../src/types.ts";
import { beside, exists, inHome, posix, put } from "./install_place.ts";

const adapters = await allAdapters();

const sample: WholeTarget = {
  scope: "user",
  location: { base: "home", segments: [".sample", "hooks", "before.js"] },
  format: "whole",
  events: ["PreToolUse"],
  executable: true,
  content: ({ stamp, line, argv }) =>
    `#!/usr/bin/env node\n// Made by guard (${stamp}).\n` +
    `run(${JSON.stringify(argv("PreToolUse"))}); // ${line("PreToolUse")}\n`,
};

interface Case {
  readonly adapter: HostAdapter;
  readonly target: WholeTarget;
  readonly name: string;
}

const cases: Case[] = [
  { adapter: adapters[0]!, target: sample, name: "sample user" },
  {
    adapter: adapters[0]!,
    target: { ...sample, scope: "project", executable: false },
    name: "sample project",
  },
  ...adapters.flatMap((adapter) =>
    adapter.install.flatMap((target) =>
      target.format === "whole"
        ? [{ adapter, target, name: `${adapter.id} ${target.scope} ${target.location.segments.at(-1)}` }]
        : []
    )
  ),
];

class PowerLoss extends Error {}

/** Another place of guard's; not every file says where guard is. */
const older = (job: Job<WholeTarget>) => ({ ...job, launch: { program: "/old/place/guard", lead: [] } });

for (const { adapter, target, name } of cases) {
  const test = (what: string, work: (job: Job<WholeTarget>, path: string) => Promise<void>, ignore = false) =>
    Deno.test({ name: `${name}: ${what}`, ignore, fn: () => inHome(adapter, target, work) });

  test("it is made, left alone by a second run, and taken away with its directories", async (job, path) => {
    const first = await install(job);
    assert.equal(first.status, "installed", first.message);
    assert.deepEqual(first.events, target.events);
    const text = await Deno.readTextFile(path);
    assert.equal(ownerOf(text), "guard");
    for (const event of target.events) assert.ok(text.includes(event));
    if (posix) assert.equal(((await Deno.stat(path)).mode! & 0o100) !== 0, target.executable);
    const second = await install(job);
    assert.deepEqual([second.status, await Deno.readTextFile(path)], ["unchanged", text]);
    assert.equal((await uninstall(job)).status, "restored");
    const base = target.scope === "user" ? job.around.home : job.around.project;
    assert.deepEqual(await Array.fromAsync(Deno.readDir(base)), []);
    assert.equal(await exists(join(job.state, "receipts")), false);
  });

  test("what is beside it stays", async (job, path) => {
    const neighbour = join(dirname(path), "neighbour");
    await put(neighbour, "x");
    await install(job);
    assert.deepEqual(await beside(path), [path.split("/").at(-1)!, "neighbour"].sort());
    assert.equal((await uninstall(job)).status, "restored");
    assert.deepEqual(await beside(path), ["neighbour"]);
  });

  test("a stranger's file is neither replaced nor removed", async (job, path) => {
    const texts = [
      "",
      "#!/bin/sh\nexec /srv/bodyguard/scan.sh\n",
      "\ufeff{}\r\n",
      new Uint8Array([0xff, 0xfe]),
    ];
    for (const content of texts) {
      const before = await put(path, content);
      const outcome = await install(job);
      assert.equal(outcome.status, "refused");
      assert.match(outcome.manual ?? "", /by hand/);
      assert.equal((await uninstall(job)).status, "absent");
      assert.deepEqual(await Deno.readFile(path), before);
      assert.equal((await beside(path)).length, 1);
      assert.equal(await exists(join(job.state, "receipts")), false);
    }
  });

  test("a file of guard's that somebody has changed is left to them", async (job, path) => {
    await install(job);
    for (const changed of [wholeText(job, path) + "more\n", wholeText(job, path).replaceAll("\n", "\r\n")]) {
      const before = await put(path, changed);
      assert.equal(ownerOf(changed), "changed");
      for (const outcome of [await install(job), await uninstall(job)]) {
        assert.equal(outcome.status, "refused");
        assert.match(outcome.message ?? "", /changed it since/);
        assert.match(outcome.manual ?? "", /by hand/);
      }
      assert.deepEqual(await Deno.readFile(path), before);
    }
  });

  test(
    "one of an older guard is brought up to date, and one without a receipt removed",
    async (job, path) => {
      if (wholeText(older(job), path) === wholeText(job, path)) return;
      assert.equal((await install(older(job))).status, "installed");
      const directories = (await readReceipt(job.state, path))?.directories;
      assert.equal((await install(job)).status, "refreshed");
      assert.equal(await Deno.readTextFile(path), wholeText(job, path));
      assert.deepEqual((await readReceipt(job.state, path))?.directories, directories);
      await Deno.remove(job.state, { recursive: true });
      assert.equal((await uninstall(job)).status, "removed");
      assert.equal(await exists(path), false);
    },
  );

  test("a dry run writes nothing and shows the text", async (job, path) => {
    const outcome = await install(job, { dryRun: true });
    assert.match(outcome.difference ?? "", /^\+.*guard-file-sha256-/m);
    assert.deepEqual([await exists(dirname(path)), await exists(job.state)], [false, false]);
    await install(job);
    const text = await Deno.readTextFile(path);
    assert.match((await uninstall(job, { dryRun: true })).difference ?? "", /^-.*guard-file-sha256-/m);
    assert.equal(await Deno.readTextFile(path), text);
    assert.ok(await readReceipt(job.state, path));
  });

  test(
    "a receipt decides about directories only, and of these about those above the file",
    async (job, path) => {
      await install(job);
      const receipt = (await readReceipt(job.state, path))!;
      const kept = join(job.around.home, "empty");
      await Deno.mkdir(kept);
      const original = btoa("#!/bin/sh");
      await writeReceipt(job.state, { ...receipt, original, directories: [...receipt.directories, kept] });
      assert.equal((await uninstall(job)).status, "restored");
      assert.deepEqual([await exists(kept), await exists(dirname(path))], [true, false]);
    },
  );

  test(
    "power lost before the rename leaves nothing that counts, and the next run cleans up",
    async (job, path) => {
      const lost = () => {
        throw new PowerLoss();
      };
      assert.equal((await install(job, { hooks: { beforeRename: lost } })).status, "refused");
      assert.equal(await exists(path), false);
      // A process that dies leaves its temporary file behind.
      await put(join(dirname(path), `.${basename(path)}.guard-dead`), "half");
      assert.equal((await install(older(job))).status, "installed");
      assert.deepEqual(await beside(path), [basename(path)]);
      if (wholeText(older(job), path) === wholeText(job, path)) return;
      const before = await Deno.readTextFile(path);
      assert.equal((await install(job, { hooks: { beforeRename: lost } })).status, "refused");
      assert.equal(await Deno.readTextFile(path), before);
      assert.equal((await install(job)).status, "refreshed");
      assert.equal((await uninstall(job)).status, "restored");
    },
  );

  test("two installations at once make one file", async (job, path) => {
    const both = await Promise.all([1, 2].map(() => withLock(job.state, () => install(job))));
    assert.deepEqual(both.map(({ status }) => status).sort(), ["installed", "unchanged"]);
    assert.equal(await Deno.readTextFile(path), wholeText(job, path));
    assert.equal((await uninstall(job)).status, "restored");
  });

  test("a file that appears meanwhile is noticed and left alone", async (job, path) => {
    const outcome = await install(job, { hooks: { beforeRename: () => Deno.writeTextFile(path, "theirs") } });
    assert.equal(outcome.status, "refused");
    assert.equal(await Deno.readTextFile(path), "theirs");
    assert.deepEqual(await beside(path), [path.split("/").at(-1)!]);
    assert.equal(await exists(join(job.state, "receipts")), false);
  });

  test("links, permissions and other kinds of file are respected", async (job, path) => {
    const elsewhere = join(job.around.home, "elsewhere");
    await Deno.mkdir(elsewhere);
    await Deno.mkdir(dirname(dirname(path)), { recursive: true });
    await Deno.symlink(elsewhere, dirname(path));
    await Deno.symlink("made-later", path);
    assert.equal((await install(job)).status, "installed");
    assert.equal(await Deno.readLink(path), "made-later");
    await Deno.chmod(join(elsewhere, "made-later"), 0o600);
    assert.equal((await install(job)).status, target.executable ? "refreshed" : "unchanged");
    const mode = (await Deno.stat(path)).mode! & 0o777;
    assert.equal(mode, target.executable ? 0o700 : 0o600);
    assert.equal((await uninstall(job)).status, "restored");
    assert.equal(await exists(join(elsewhere, "made-later")), false);
    await Deno.remove(path);
    await Deno.mkdir(path);
    assert.match((await install(job)).message ?? "", /not a regular file/);
    await Deno.remove(path);
    await Deno.chmod(elsewhere, 0o555);
    assert.match((await install(job)).message ?? "", /read-only/);
    await Deno.chmod(elsewhere, 0o755);
    assert.deepEqual(await beside(path), []);
  }, !posix);
}
