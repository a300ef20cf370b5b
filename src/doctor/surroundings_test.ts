import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { allAdapters } from "../install/hosts.ts";
import { resolveLocation, type Surroundings } from "../install/location.ts";
import { auditPath } from "../audit.ts";
import { checkLog, checkRecords } from "./log.ts";
import { checkProfile } from "./profile.ts";
import { doctorSession } from "./session.ts";
import { checkSwitches } from "./switches.ts";

const posix = Deno.build.os !== "windows";

async function inHome(work: (around: Surroundings, root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-doctor-" }));
  try {
    await work({
      system: "linux",
      home: join(root, "home"),
      project: join(root, "project"),
      env: { PATH: Deno.env.get("PATH"), HOME: join(root, "home"), SHELL: "/bin/sh" },
    }, root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function put(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

for (const adapter of await allAdapters()) {
  for (const hookSwitch of adapter.disabledBy ?? []) {
    const name = `${adapter.id}: ${hookSwitch.at.join(".")} in ${hookSwitch.location.segments.join("/")}`;
    Deno.test(`${name} is reported when it is off, and only then`, async () => {
      const alone = { ...adapter, disabledBy: [hookSwitch] };
      await inHome(async (around) => {
        const [on, off] = hookSwitch.on === undefined
          ? [!hookSwitch.off, hookSwitch.off]
          : [hookSwitch.on, !hookSwitch.on];
        const unset = await checkSwitches(alone, around);
        assert.deepEqual(unset.map(({ status }) => status), hookSwitch.on === undefined ? [] : ["problem"]);
        const path = resolveLocation(hookSwitch.location, around);
        const write = (value: unknown) =>
          hookSwitch.format === "toml"
            ? `[${hookSwitch.at.slice(0, -1).join(".")}]\n${hookSwitch.at.at(-1)} = ${
              JSON.stringify(value)
            }\n`
            : JSON.stringify(
              hookSwitch.at.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value),
            );
        await put(path, write(on));
        assert.deepEqual(await checkSwitches(alone, around), []);
        await put(path, write(off));
        const checks = await checkSwitches(alone, around);
        assert.equal(checks.length, 1);
        assert.equal(checks[0]?.status, "problem");
        assert.ok(checks[0]?.detail.includes(path));
        for (const place of hookSwitch.otherwise ?? []) {
          await Deno.remove(path);
          await put(resolveLocation(place, around), write(on));
          assert.deepEqual(await checkSwitches(alone, around), []);
          await put(path, write(off));
          assert.equal(
            (await checkSwitches(alone, around)).length,
            1,
            "the first place that says it counts",
          );
        }
        await put(path, "{ torn = ");
        assert.equal((await checkSwitches(alone, around))[0]?.status, "note");
      });
    });
  }
}

Deno.test({
  name: "a start-up file that prints is found with its line",
  ignore: !posix,
  fn: async () => {
    await inHome(async (around) => {
      await put(
        join(around.home, ".profile"),
        "# Welcome to the machine\nX=1\necho Welcome to the machine\n",
      );
      const [check] = await checkProfile(around);
      assert.equal(check?.status, "note");
      assert.ok(check?.detail.includes(`${around.home}/.profile:3`), check?.detail);
      await put(join(around.home, ".profile"), "X=1\n");
      const quiet = await checkProfile(around);
      // The system's own profile may print, too; that is then no matter of this home.
      assert.ok(quiet.every((found) => !found.detail.includes(around.home)));
    });
  },
});

Deno.test("a log that cannot be written is a problem, and looking leaves nothing behind", async () => {
  await inHome(async (_around, root) => {
    const state = join(root, "state");
    assert.equal((await checkLog(state)).status, "ok");
    assert.deepEqual(await Array.fromAsync(Deno.readDir(state)), []);
    await put(auditPath(state), "{}\n");
    assert.equal((await checkLog(state)).status, "ok");
    assert.equal(await Deno.readTextFile(auditPath(state)), "{}\n");
    await Deno.remove(auditPath(state));
    await Deno.mkdir(auditPath(state));
    assert.equal((await checkLog(state)).status, "problem");
    await put(join(root, "file"), "");
    assert.equal((await checkLog(join(root, "file"))).status, "problem");
  });
});

Deno.test("records of the hooks that doctor started are looked for, and older ones do not count", async () => {
  await inHome(async (_around, root) => {
    const state = join(root, "state");
    const record = (session: string, time: number) =>
      `${
        JSON.stringify({
          time: new Date(time).toISOString(),
          host: "h",
          session,
          subject: "",
          decision: "none",
          rules: [],
        })
      }\n`;
    const now = 1_800_000_000_000;
    assert.equal((await checkRecords(state, now)).status, "problem");
    await put(auditPath(state), record(doctorSession, now - 1) + record("another", now + 1));
    assert.equal((await checkRecords(state, now)).status, "problem");
    await put(
      auditPath(state),
      "x".repeat(3_000_000) + "\n" + record(doctorSession, now + 1) + record("another", now + 2),
    );
    assert.equal((await checkRecords(state, now)).status, "ok");
    // The log was rotated just now.
    await Deno.rename(auditPath(state), join(state, "audit.20270115T080000000Z-0123abcd.jsonl"));
    assert.equal((await checkRecords(state, now)).status, "ok");
  });
});
