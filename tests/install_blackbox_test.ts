/** `guard install`, `guard doctor` and `guard uninstall` as processes, in a temporary home. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { allAdapters } from "../src/install/hosts.ts";
import { resolveLocation } from "../src/install/location.ts";
import { configurationPath } from "../src/install/job.ts";
import type { Check } from "../src/doctor/check.ts";
import type { HostReport } from "../src/doctor/host.ts";
import {
  type Ended,
  environment,
  makePlace,
  type Place,
  runGuard,
  type Target,
  targets,
} from "./hook_process.ts";

interface Installed {
  readonly id: string;
  readonly user: string;
  readonly project: string;
}

const aroundOf = ({ home, project }: Place) => ({ system: "linux" as const, home, project, env: {} });

/** Where the hosts that have a configuration for the user and one for a project keep them in a place. */
async function hosts(place: Place): Promise<Installed[]> {
  const around = aroundOf(place);
  return (await allAdapters()).flatMap((adapter) => {
    const files = (["user", "project"] as const).map((scope) => {
      const target = adapter.install.find((candidate) => candidate.scope === scope);
      return target === undefined || target.format === "whole"
        ? undefined
        : configurationPath({ target, around });
    });
    const [user, project] = files;
    return user === undefined || project === undefined ? [] : [{ id: adapter.id, user, project }];
  });
}

/** Makes every host look as if it were here, with configurations that say something already. */
async function pretend(place: Place, before: string): Promise<void> {
  const around = aroundOf(place);
  for (const adapter of await allAdapters()) {
    for (const target of adapter.install) {
      if (target.scope !== "user" || target.format === "whole") continue;
      const path = configurationPath({ target, around });
      await put(target.each === undefined ? path : join(path, `mine${target.each}`), before);
    }
    for (const location of adapter.detect.locations.slice(0, 1)) {
      const path = resolveLocation(location, around);
      // Some are files.
      if (path.endsWith(".yml")) await put(path, "");
      else await Deno.mkdir(path, { recursive: true });
    }
  }
}

/** Everything below a directory but guard's own state: directories, and files with their text. */
function tree(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      if (path === join(root, ".local")) continue;
      found.set(path, isDirectory ? "" : Deno.readTextFileSync(path));
      if (isDirectory) visit(path);
    }
  };
  visit(root);
  return new Map([...found].toSorted());
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
    await pretend(place, '{\n  "theirs": [1, 2]\n}\n');
    const before = tree(place.home);
    const adapters = await allAdapters();
    const installed = await runGuard(target, place, ["install", "--all"]);
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stderr, checkout(target));
    assert.match(installed.stdout, /Check it: guard doctor/);
    assert.match(installed.stdout, /\/hooks and\s+trust/);
    for (const { title } of adapters) assert.ok(installed.stdout.includes(title), title);
    const after = tree(place.home);
    const again = await runGuard(target, place, ["install", "--all", "--json"]);
    const outcomes = (JSON.parse(again.stdout) as { hosts: { host: string; status: string }[] }).hosts;
    const enforced = adapters.filter(({ install }) => install.some(({ scope }) => scope === "user"));
    for (const { host, status } of outcomes) {
      const has = enforced.some(({ id }) => id === host);
      assert.equal(status, has ? "unchanged" : "unenforced", host);
    }
    assert.deepEqual(tree(place.home), after);

    const examined = await runGuard(target, place, ["doctor", "--json"]);
    assert.equal(examined.code, 1, "Codex does not trust the hooks yet");
    for (const { id, hookShell } of enforced) {
      const found = report(examined, id);
      const problems = found.checks.filter((check) => check.status === "problem");
      assert.deepEqual(
        problems.map((check) => check.name),
        id === "codex" ? ["trust"] : [],
        JSON.stringify(problems),
      );
      // A plugin closes itself, and no shell around the command does it, which alone is tried here.
      const closed = hookShell.posix === "none" ? [] : ["missing", "killed"];
      for (const name of ["canary", "harmless", ...closed]) {
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
    assert.deepEqual(tree(place.home), before);
  });

  test("doctor --fix installs again where guard was installed, and nowhere else", async (place) => {
    const settings = join(place.home, ".claude", "settings.json");
    await put(settings, '{\n  "theirs": [1, 2]\n}\n');
    await put(join(place.home, ".gemini", "settings.json"), "{}\n");
    const named = ["doctor", "--fix", "--host", "claude"];
    const nothing = await runGuard(target, place, named);
    assert.match(nothing.stdout, /Nothing is to be restored/);
    assert.equal((await runGuard(target, place, ["install", "--host", "claude"])).code, 0);
    const installed = await Deno.readTextFile(settings);

    const damages: readonly (readonly [name: string, damage: (text: string) => string])[] = [
      ["taken out", () => '{\n  "theirs": [1, 2]\n}\n'],
      ["another program", (text) => text.replaceAll("--host claude", "--host claude --observe")],
    ];
    for (const [name, damage] of damages) {
      await Deno.writeTextFile(settings, damage(installed));
      const damaged = await Deno.readTextFile(settings);
      assert.notEqual(damaged, installed, name);
      const unasked = await runGuard(target, place, ["doctor", "--fix"]);
      assert.equal(unasked.code, 64, name);
      assert.match(unasked.stdout, /Claude Code \(user\): would be /, name);
      assert.match(unasked.stderr, /Run: guard doctor --fix --host claude\n/, name);
      assert.equal(await Deno.readTextFile(settings), damaged, name);
      const fixed = await runGuard(target, place, named);
      assert.equal(fixed.code, 0, `${name}: ${fixed.stdout}${fixed.stderr}`);
      assert.match(
        fixed.stdout,
        /\+ .*hook --host claude[\s\S]*Claude Code \(user\): (?:installed|brought)/,
        name,
      );
      assert.match(await Deno.readTextFile(settings), /"theirs": \[1, 2\]/, name);
    }
    await Deno.remove(settings);
    const json = JSON.parse((await runGuard(target, place, [...named, "--json"])).stdout) as {
      ok: boolean;
      fixed: { host: string; status: string }[];
    };
    assert.deepEqual([json.ok, json.fixed.map(({ host, status }) => [host, status])], [true, [[
      "claude",
      "installed",
    ]]]);
    assert.equal(await Deno.readTextFile(join(place.home, ".gemini", "settings.json")), "{}\n");
    // What was given up stays so.
    assert.equal((await runGuard(target, place, ["uninstall", "--all"])).code, 0);
    assert.match((await runGuard(target, place, named)).stdout, /Nothing is to be restored/);
  });

  test("doctor --fix leaves a file that somebody has changed to the person", async (place) => {
    assert.equal((await runGuard(target, place, ["install", "--host", "pi"])).code, 0);
    const plugin = join(place.home, ".pi", "agent", "extensions", "guard.js");
    const changed = `${await Deno.readTextFile(plugin)}\n// mine\n`;
    await Deno.writeTextFile(plugin, changed);
    const kept = await runGuard(target, place, ["doctor", "--fix", "--host", "pi"]);
    assert.equal(kept.code, 1);
    assert.match(kept.stdout, /somebody has changed it since/);
    assert.equal(await Deno.readTextFile(plugin), changed);
    await Deno.remove(plugin);
    assert.match(
      (await runGuard(target, place, ["doctor", "--fix", "--host", "pi"])).stdout,
      /Pi \(user\): installed/,
    );
    assert.doesNotMatch(await Deno.readTextFile(plugin), /mine/);
  });

  test("doctor says once what stands in the way of a plugin, and what helps", async (place) => {
    await Deno.mkdir(join(place.home, ".config", "opencode"), { recursive: true });
    assert.equal((await runGuard(target, place, ["install", "--host", "opencode"])).code, 0);
    const plugin = join(place.home, ".config", "opencode", "plugins", "guard.js");
    const installed = await Deno.readTextFile(plugin);
    const problems = async () => {
      const { stdout, code } = await runGuard(target, place, ["doctor", "--host", "opencode", "--json"]);
      assert.equal(code, 1);
      const { hosts } = JSON.parse(stdout) as { hosts: { checks: { status: string; next?: string }[] }[] };
      return hosts[0]!.checks.filter(({ status }) => status === "problem").map(({ next }) => next);
    };
    for (const text of [installed.replace("import", "Import"), "// other\n"]) {
      await Deno.writeTextFile(plugin, text);
      assert.deepEqual(await problems(), [`Move ${plugin} away, then run: guard install --host opencode`]);
    }
    // The directory was made by guard: without it the plugin is gone, and the host is still there.
    await Deno.remove(join(place.home, ".config", "opencode", "plugins"), { recursive: true });
    assert.deepEqual(await problems(), ["guard install --host opencode, or guard uninstall to give it up"]);
    const fixed = await runGuard(target, place, ["doctor", "--fix", "--host", "opencode"]);
    assert.match(fixed.stdout, /OpenCode \(user\): installed in/);
    assert.equal(await Deno.readTextFile(plugin), installed);
  });

  // What a checkout starts is Deno.
  if (target.name === "executable") {
    test("an executable that was replaced is told when a session begins, and by doctor", async (place) => {
      const program = join(place.root, "bin", "guard");
      const copy = { name: "copy", command: program, args: [] };
      await Deno.mkdir(dirname(program));
      await Deno.copyFile(target.command, program);
      assert.equal((await runGuard(copy, place, ["install", "--host", "claude"])).code, 0);
      const state = join(place.home, ".local", "state", "guard");
      const begin = async () => {
        const args = ["hook", "--host", "claude", "--event", "SessionStart", "--policy", place.policy];
        const stdin = JSON.stringify({
          hook_event_name: "SessionStart",
          session_id: "s-1",
          source: "startup",
        });
        return (await runGuard(copy, place, [...args, "--state", state], { stdin })).stdout;
      };
      const programs = async () => {
        const { general } = JSON.parse((await runGuard(copy, place, ["doctor", "--json"])).stdout) as {
          general: Check[];
        };
        return general.filter(({ detail }) => detail.includes(`${program} is `)).map(({ status }) => status);
      };
      assert.doesNotMatch(await begin(), /replaced/);
      assert.deepEqual(await programs(), ["ok"]);
      // It hands the calls on, or not.
      await Deno.remove(program);
      await Deno.writeTextFile(program, `#!/bin/sh\nexec '${target.command}' "$@"\n`, { mode: 0o755 });
      assert.match(await begin(), /replaced or changed since it was installed.*guard doctor --host claude/);
      assert.deepEqual(await programs(), ["problem"]);
    });
  }

  test("where nothing can be enforced it is said, and nothing is written", async (place) => {
    const before = tree(place.home);
    const cases: readonly (readonly [args: readonly string[], told: RegExp])[] = [
      [["--host", "zoocode"], /nothing was written\. No release of Zoo Code/],
      [["--host", "zoocode", "--scope", "project"], /nothing was written\. No release of Zoo Code/],
      [["--host", "junie", "--scope", "project"], /Junie ignores hooks in a project's own configuration/],
      [
        ["--host", "aider"],
        /pre-commit hook of one repository[\s\S]*guard install --host aider --scope project/,
      ],
    ];
    for (const [args, told] of cases) {
      const ended = await runGuard(target, place, ["install", ...args]);
      assert.equal(ended.code, 1, args.join(" "));
      assert.match(ended.stdout, told);
      assert.deepEqual(tree(place.home), before);
    }
    const inNoRepository = await runGuard(target, place, [
      "install",
      "--host",
      "aider",
      "--scope",
      "project",
    ]);
    assert.match(inNoRepository.stdout, /in no git repository/);
    assert.equal((await runGuard(target, place, ["uninstall", "--all"])).code, 0);
    assert.deepEqual(tree(place.home), before);
  });

  test("what aider commits is judged by the hook of its repository, what a person commits is not", async (place) => {
    const git = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const ended = await new Deno.Command("git", {
        args: ["-c", "user.name=Kim", "-c", "user.email=kim@example.com", ...args],
        cwd: place.project,
        clearEnv: true,
        env: { ...environment(place), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ...env },
      }).output();
      return { code: ended.code, told: new TextDecoder().decode(ended.stderr) };
    };
    assert.equal((await git(["init", "-q"])).code, 0);
    const installed = await runGuard(target, place, ["install", "--host", "aider", "--scope", "project"]);
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stdout.replace(/\s+/g, " "), /`git-commit-verify: true` into \.aider\.conf\.yml/);
    const examine = () => runGuard(target, place, ["doctor", "--host", "aider", "--json"]);
    const switches = report(await examine(), "aider").checks.filter(({ status }) => status === "problem");
    assert.deepEqual(switches.map(({ name }) => name), ["switch"]);
    await put(join(place.project, ".aider.conf.yml"), "git-commit-verify: true\n");
    assert.equal(report(await examine(), "aider").state, "enforced");
    await git(["add", "-A"]);
    assert.equal((await git(["commit", "-q", "-m", "Settings"])).code, 0);

    const aider = { OR_APP_NAME: "Aider" };
    await put(join(place.project, "notes ü.txt"), "Hello\n+++ b/x\n");
    await git(["add", "-A"]);
    const plain = await git(["commit", "-q", "-m", "Notes"], aider);
    assert.equal(plain.code, 0, plain.told);
    await put(join(place.project, ".claude", "settings.json"), '{"disableAllHooks": true}\n');
    await git(["add", "-A"]);
    const stopped = await git(["commit", "-q", "-m", "Settings"], aider);
    assert.notEqual(stopped.code, 0);
    assert.match(stopped.told, /self\/change-host-settings/);
    assert.equal((await git(["commit", "-q", "-m", "Settings"])).code, 0);

    const hook = join(place.project, ".git", "hooks", "pre-commit");
    assert.ok(Deno.statSync(hook).isFile);
    assert.equal((await runGuard(target, place, ["uninstall", "--all"], { cwd: place.root })).code, 0);
    await assert.rejects(() => Deno.lstat(hook), Deno.errors.NotFound);
  });

  test("directories that several files of guard's share go with the last of them", async (place) => {
    const before = tree(place.home);
    const hosts = ["openclaw", "opencode", "kilo", "amp"].flatMap((id) => ["--host", id]);
    const installed = await runGuard(target, place, ["install", ...hosts]);
    assert.equal(installed.code, 0, installed.stderr);
    assert.ok(tree(place.home).size > before.size + 8);
    assert.equal((await runGuard(target, place, ["uninstall", "--all"])).code, 0);
    assert.deepEqual(tree(place.home), before);
  });

  test("a host that cannot be edited does not stop the others", async (place) => {
    const all = await hosts(place);
    const first = all.find(({ id }) => id === "claude");
    const rest = all.filter((one) => one !== first);
    await pretend(place, "{}");
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

  test("a home that is not absolute is refused before anything is written", async (place) => {
    const before = tree(place.home);
    for (const args of [["install", "--host", "claude"], ["uninstall", "--all"], ["status"], ["doctor"]]) {
      const refused = await runGuard(target, place, args, { env: { HOME: "home", USERPROFILE: "home" } });
      assert.equal(refused.code, 64);
      assert.match(refused.stderr, /expected (?:HOME|USERPROFILE) to be an absolute path, found "home"/);
    }
    assert.deepEqual(tree(place.home), before);
  });

  test("nothing is done without saying where, and an unknown host is named", async (place) => {
    const first = (await hosts(place)).find(({ id }) => id === "claude");
    await put(first!.user, "{}");
    const bare = await runGuard(target, place, ["install"]);
    assert.equal(bare.code, 64);
    assert.match(bare.stdout, /\(claude\) is here/);
    assert.match(bare.stdout, /Run: guard install --all/);
    const unknown = await runGuard(target, place, ["install", "--host", "no-such-host"]);
    assert.equal(unknown.code, 64);
    assert.match(unknown.stderr, /no-such-host/);
    assert.equal((await runGuard(target, place, ["uninstall"])).code, 64);
    assert.equal((await runGuard(target, place, ["install", "--all", "--host", "claude"])).code, 64);
    assert.equal(await Deno.readTextFile(first!.user), "{}");
  });

  test("home as the project is the same file: one entry, and one uninstall removes it", async (place) => {
    const first = (await hosts(place)).find(({ id }) => id === "claude");
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
    const first = (await hosts(place)).find(({ id }) => id === "claude");
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
