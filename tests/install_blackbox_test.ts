/** `guard install`, `guard doctor` and `guard uninstall` as processes, in a temporary home. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { allAdapters } from "../src/install/hosts.ts";
import { configurationPath } from "../src/install/job.ts";
import type { Check } from "../src/doctor/check.ts";
import type { HostReport } from "../src/doctor/host.ts";
import { type Ended, makePlace, type Place, runGuard, type Target, targets } from "./hook_process.ts";

interface Installed {
  readonly id: string;
  readonly user: string;
  readonly project: string;
}

/** Where each host's configurations are in a place. */
async function hosts(place: Place): Promise<Installed[]> {
  const around = { system: "linux" as const, home: place.home, project: place.project, env: {} };
  return (await allAdapters()).map((adapter) => {
    const file = (scope: string) => {
      const target = adapter.install.find((candidate) => candidate.scope === scope);
      return target === undefined ? "" : configurationPath({ target, around });
    };
    return { id: adapter.id, user: file("user"), project: file("project") };
  });
}

async function put(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

function report(ended: Ended, host: string): HostReport {
  const { hosts } = JSON.parse(ended.stdout) as { hosts: HostReport[] };
  const found = hosts.find((candidate) => candidate.host === host);
  assert.ok(found, `doctor says nothing about ${host}: ${ended.stderr}`);
  return found;
}

const checkout = (target: Target) =>
  target.name === "source" ? /runs the checkout in/ : /^(?![\s\S]*checkout)/;

for (const target of targets()) {
  const test = (name: string, work: (place: Place) => Promise<void>) =>
    Deno.test({
      name: `${target.name}: ${name}`,
      ignore: Deno.build.os !== "linux",
      fn: async () => {
        const place = makePlace();
        try {
          await work(place);
        } finally {
          place.remove();
        }
      },
    });

  test("install, doctor and uninstall on every host that is found", async (place) => {
    const all = await hosts(place);
    const before = '{\n  "theirs": [1, 2]\n}\n';
    for (const { user } of all) await put(user, before);
    const installed = await runGuard(target, place, ["install", "--all"]);
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stderr, checkout(target));
    assert.match(installed.stdout, /Check it: guard doctor/);
    assert.match(installed.stdout, /\/hooks and\s+trust/);
    const texts = await Promise.all(all.map(({ user }) => Deno.readTextFile(user)));
    const again = await runGuard(target, place, ["install", "--all", "--json"]);
    const outcomes = (JSON.parse(again.stdout) as { hosts: { status: string }[] }).hosts;
    assert.deepEqual(outcomes.map(({ status }) => status), all.map(() => "unchanged"));
    assert.deepEqual(await Promise.all(all.map(({ user }) => Deno.readTextFile(user))), texts);

    const examined = await runGuard(target, place, ["doctor", "--json"]);
    assert.equal(examined.code, 1, "Codex does not trust the hooks yet");
    for (const { id } of all) {
      const found = report(examined, id);
      const problems = found.checks.filter((check) => check.status === "problem");
      assert.deepEqual(
        problems.map((check) => check.name),
        id === "codex" ? ["trust"] : [],
        JSON.stringify(problems),
      );
      for (const name of ["canary", "harmless", "missing", "killed"]) {
        assert.ok(
          found.checks.some((check) => check.name === name && check.status === "ok"),
          `${id} ${name}`,
        );
      }
    }
    const state = join(place.home, ".local", "state", "guard");
    const pending = await Array.fromAsync(Deno.readDir(join(state, "pending"))).catch(() => []);
    assert.deepEqual(pending, []);
    const log = await runGuard(target, place, ["log", "--json"]);
    assert.equal(log.stdout, "");

    const removed = await runGuard(target, place, ["uninstall", "--all"]);
    assert.equal(removed.code, 0, removed.stderr);
    for (const { user } of all) {
      assert.equal(await Deno.readTextFile(user), before);
      assert.equal((await Array.fromAsync(Deno.readDir(dirname(user)))).length, 1);
    }
  });

  test("a host that cannot be edited does not stop the others", async (place) => {
    const all = await hosts(place);
    const [first, ...rest] = all;
    for (const { user } of rest) await put(user, "{}");
    await put(first!.user, '{\n  "permissions": {\n');
    const installed = await runGuard(target, place, ["install", "--all"]);
    assert.equal(installed.code, 1);
    assert.match(installed.stdout, /was left as it is.*line 3, column 1/);
    assert.match(installed.stdout, /by hand/);
    assert.equal(await Deno.readTextFile(first!.user), '{\n  "permissions": {\n');
    for (const { user } of rest) assert.match(await Deno.readTextFile(user), /hook --host/);
    const examined = await runGuard(target, place, ["doctor", "--host", first!.id, "--json"]);
    assert.equal(examined.code, 1);
    assert.equal(report(examined, first!.id).state, "problem");
  });

  test("nothing is done without saying where, and an unknown host is named", async (place) => {
    const all = await hosts(place);
    await put(all[0]!.user, "{}");
    const bare = await runGuard(target, place, ["install"]);
    assert.equal(bare.code, 64);
    assert.match(bare.stdout, new RegExp(`\\(${all[0]!.id}\\) is here`));
    assert.match(bare.stdout, /Run: guard install --all/);
    const unknown = await runGuard(target, place, ["install", "--host", "no-such-host"]);
    assert.equal(unknown.code, 64);
    assert.match(unknown.stderr, /no-such-host/);
    assert.equal((await runGuard(target, place, ["uninstall"])).code, 64);
    assert.equal((await runGuard(target, place, ["install", "--all", "--host", "claude"])).code, 64);
    assert.equal(await Deno.readTextFile(all[0]!.user), "{}");
  });

  test("home as the project is the same file: one entry, and one uninstall removes it", async (place) => {
    const [first] = await hosts(place);
    await put(first!.user, "{}");
    await runGuard(target, place, ["install", "--host", first!.id]);
    const text = await Deno.readTextFile(first!.user);
    const project = ["install", "--host", first!.id, "--scope", "project"];
    assert.equal((await runGuard(target, place, project, { cwd: place.home })).code, 0);
    assert.equal(await Deno.readTextFile(first!.user), text);
    await runGuard(target, place, ["uninstall", "--host", first!.id], { cwd: place.home });
    assert.equal(await Deno.readTextFile(first!.user), "{}");
  });

  test("an installation in a project is found again from anywhere, and told twice by doctor", async (place) => {
    const [first] = await hosts(place);
    await runGuard(target, place, ["install", "--host", first!.id]);
    const inside = join(place.project, "src", "deep");
    await Deno.mkdir(inside, { recursive: true });
    const installed = await runGuard(target, place, ["install", "--host", first!.id, "--scope", "project"], {
      cwd: inside,
    });
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stderr, /do not commit/);
    assert.match(await Deno.readTextFile(first!.project), /hook --host/);
    const examined = await runGuard(target, place, ["doctor", "--host", first!.id, "--json"], {
      cwd: inside,
    });
    assert.ok(report(examined, first!.id).checks.some((check) => check.name === "duplicate"));
    await runGuard(target, place, ["uninstall", "--all"], { cwd: place.root });
    for (const file of [first!.user, first!.project]) {
      await assert.rejects(() => Deno.lstat(file), Deno.errors.NotFound);
    }
  });

  test("doctor tells of a log that cannot be written and of a policy that cannot be used", async (place) => {
    await runGuard(target, place, ["install", "--host", "claude"]);
    const general = async () => {
      const { stdout } = await runGuard(target, place, ["doctor", "--host", "claude", "--json"]);
      return JSON.parse(stdout) as { general: Check[]; hosts: HostReport[] };
    };
    const log = ({ general }: { general: readonly Check[] }) =>
      general.filter((check) => check.name === "log");
    assert.deepEqual(log(await general()).map((check) => check.status), ["ok", "ok"]);
    const path = join(place.home, ".local", "state", "guard", "audit.jsonl");
    await Deno.remove(path);
    await Deno.mkdir(path);
    assert.deepEqual(log(await general()).map((check) => check.status), ["problem"]);
    await put(join(place.home, ".config", "guard", "policy.jsonc"), '{ "mode": 1 }');
    const { checks } = (await general()).hosts[0]!;
    const blocked = checks.filter((check) => check.name === "harmless" && check.status === "problem");
    assert.ok(
      blocked.length > 0 && blocked.every((check) => /policy.jsonc:1:11: expected mode/.test(check.detail)),
    );
  });

  test("doctor sees a command that cannot be started and a switch that is off", async (place) => {
    await runGuard(target, place, ["install", "--host", "claude"]);
    const file = (await hosts(place)).find(({ id }) => id === "claude")!.user;
    const document = JSON.parse(await Deno.readTextFile(file)) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    for (const groups of Object.values(document.hooks)) {
      const handler = groups[0]!.hooks[0]!;
      handler.command = `${place.home}/gone/guard${
        handler.command.slice(handler.command.indexOf(" hook --host"))
      }`;
    }
    await put(file, JSON.stringify({ ...document, disableAllHooks: true }));
    const examined = await runGuard(target, place, ["doctor", "--host", "claude", "--json"]);
    assert.equal(examined.code, 1);
    const { checks } = report(examined, "claude");
    const problems = checks.filter((check) => check.status === "problem");
    assert.ok(problems.some((check) => check.name === "switch" && check.detail.includes("disableAllHooks")));
    assert.ok(
      problems.some((check) => check.name === "canary" && /not found|No such file/.test(check.detail)),
    );
  });
}
