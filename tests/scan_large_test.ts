/** `guard scan` over many files and large ones: what it finds, how much memory and time it takes, and its interruption. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Leak, leaksIn } from "../src/scan/finding.ts";
import { filesIn } from "../src/scan/files.ts";
import { makeScanTree } from "../tools/scan_tree.ts";
import { usedTime } from "./cpu_time.ts";
import { environment, makePlace, type Place, type Target, targets } from "./hook_process.ts";

const address = (name: string) =>
  `postgres://${name}:${["Zx9", "kQ2", "vT7", "mB4"].join("-")}@db.acme.dev/app\n`;

function inFolder(name: string, work: (folder: string) => Promise<void>, ignore = false): void {
  Deno.test({
    name,
    ignore,
    fn: async () => {
      const folder = Deno.makeTempDirSync({ prefix: "guard-large-" });
      try {
        await work(folder);
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    },
  });
}

function start(target: Target, place: Place, args: readonly string[], cwd: string): Deno.ChildProcess {
  return new Deno.Command(target.command, {
    args: [...target.args, "scan", ...args],
    cwd,
    clearEnv: true,
    env: environment(place),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function leaksBelow(folder: string): Promise<Leak[]> {
  const leaks: Leak[] = [];
  for await (const source of filesIn([folder])) {
    assert.ok("text" in source, source.path);
    leaks.push(...await leaksIn(source, "salt"));
  }
  return leaks;
}

inFolder(
  "every planted secret of a tree of 3,000 files is found, and twice the files take twice the time",
  async (folder) => {
    const sizes = { half: 1500, whole: 3000 };
    const least = { half: Infinity, whole: Infinity };
    for (const [name, files] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
      const tree = makeScanTree(join(folder, name), { files, large: 0 });
      await new Deno.Command("git", { args: ["init", "-q", join(folder, name)] }).output();
      const found = new Set((await leaksBelow(join(folder, name))).map(({ path }) => path));
      const wanted = tree.planted.filter(({ ignored }) => !ignored).map(({ path }) =>
        join(folder, name, path)
      );
      assert.ok(wanted.length > 8);
      assert.deepEqual(wanted.filter((path) => !found.has(path)), []);
      assert.equal(found.size, wanted.length, "more than was planted");
    }
    for (let run = 0; run < 5; run++) {
      for (const name of ["half", "whole"] as const) {
        const before = usedTime();
        await leaksBelow(join(folder, name));
        least[name] = Math.min(least[name], usedTime() - before);
      }
      if (least.whole <= 2.5 * least.half) return;
    }
    assert.fail(`${least.half.toFixed(0)} ms, then ${least.whole.toFixed(0)} ms`);
  },
);

/** Largest resident memory of a scan in megabytes. */
async function peak(target: Target, place: Place, folder: string): Promise<number> {
  const child = start(target, place, ["--json"], folder);
  let megabytes = 0;
  const timer = setInterval(() => {
    try {
      const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
      megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  }, 20);
  const { stdout } = await child.output();
  clearInterval(timer);
  assert.equal(JSON.parse(new TextDecoder().decode(stdout)).leaks.length, 1);
  assert.ok(megabytes > 0);
  return megabytes;
}

for (const target of targets()) {
  const linux = Deno.build.os === "linux";

  inFolder(`${target.name}: a file of 300 MB takes no more memory than one of 20 MB`, async (folder) => {
    const place = makePlace();
    try {
      const block = new TextEncoder().encode(
        "one line of a log that holds nothing of interest\n".repeat(20_000),
      );
      const peaks: number[] = [];
      for (const megabytes of [20, 300]) {
        const file = Deno.openSync(join(folder, "large.log"), { create: true, write: true, truncate: true });
        for (let bytes = 0; bytes < megabytes * 1e6; bytes += block.length) file.writeSync(block);
        file.writeSync(new TextEncoder().encode(address("svc")));
        file.close();
        peaks.push(await peak(target, place, folder));
      }
      assert.ok(peaks[1]! < peaks[0]! + 100, `${peaks.map((one) => one.toFixed(0)).join(" MB, then ")} MB`);
    } finally {
      place.remove();
    }
  }, !linux);

  inFolder(
    `${target.name}: an interrupted scan shows what it has found, and ends with 130`,
    async (folder) => {
      const place = makePlace();
      try {
        Deno.writeTextFileSync(join(folder, "a.txt"), address("svc"));
        Deno.writeTextFileSync(join(folder, "large.txt"), "a line without anything\n".repeat(1_500_000));
        // Far more than can be looked through before the signal comes.
        for (let index = 0; index < 400; index++) {
          Deno.linkSync(join(folder, "large.txt"), join(folder, `large${index}.txt`));
        }
        const child = start(target, place, [], folder);
        const errors = new Response(child.stderr).text();
        let shown = "";
        for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
          if (shown === "") child.kill("SIGINT");
          shown += piece;
        }
        const { code, signal } = await child.status;
        assert.deepEqual([code, signal], [130, null]);
        assert.match(shown, /a\.txt:1:16 {2}password in an address/);
        assert.match(shown, /1 secret in \d+ texts?/);
        assert.match(await errors, /interrupted after \d+ texts?; what comes after was not looked through/);
      } finally {
        place.remove();
      }
    },
    Deno.build.os === "windows",
  );
}
