import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { install } from "../install/apply.ts";
import { configurationPath, type Job } from "../install/job.ts";
import { parseDocument } from "../install/document.ts";
import { ownEntries } from "../install/entry.ts";
import { allAdapters, jobsFor } from "../install/hosts.ts";
import type { Machine } from "../install/machine.ts";
import type { HostAdapter, InstallTarget } from "../types.ts";
import { registeredCommands } from "./canary.ts";
import { examineHost } from "./host.ts";

const ignore = Deno.build.os === "windows";

/** A machine on which guard is a script with this body; `$3` is the host and `$5` the event. */
async function onMachine(
  body: string,
  work: (machine: Machine, root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-canary-" }));
  try {
    for (const name of ["home", "project", "scratch", "bin"]) await Deno.mkdir(join(root, name));
    const program = join(root, "bin", "guard");
    await Deno.writeTextFile(program, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    await Deno.chmod(program, 0o755);
    await work({
      around: {
        system: "linux",
        home: join(root, "home"),
        project: join(root, "project"),
        gitHooks: join(root, "project", ".git", "hooks"),
        env: { PATH: Deno.env.get("PATH"), HOME: join(root, "home") },
      },
      chosen: { launch: { program, lead: [] }, warnings: [] },
      places: { policy: join(root, "p.jsonc"), managed: join(root, "m.jsonc"), state: join(root, "state") },
    }, root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The first target of this scope. */
function jobOf(machine: Machine, adapter: HostAdapter, scope: InstallTarget["scope"]): Job {
  return jobsFor(adapter, [scope], machine)[0]!;
}

for (const adapter of (await allAdapters()).filter(({ install }) => install.length > 0)) {
  const has = (scope: InstallTarget["scope"]) => adapter.install.some((target) => target.scope === scope);
  const examine = async (body: string, scope: InstallTarget["scope"] = has("user") ? "user" : "project") => {
    let checks: readonly { name: string; status: string; detail: string }[] = [];
    await onMachine(body, async (machine, root) => {
      await install(jobOf(machine, adapter, scope));
      const options = { scratch: join(root, "scratch"), observing: false, width: 2 };
      checks = (await examineHost(adapter, machine, options)).checks;
    });
    return checks;
  };
  const broken: Record<string, string> = {
    "passes everything in silence": "cat >/dev/null; exit 0",
    "prints before its answer": 'cat >/dev/null; echo "Welcome"; echo "{}"',
    "fails": "cat >/dev/null; echo trouble >&2; exit 1",
    "kills itself": "kill -9 $$",
  };
  for (const [what, body] of Object.entries(broken)) {
    Deno.test({
      name: `${adapter.id}: a guard that ${what} is a problem`,
      ignore,
      fn: async () => {
        const checks = await examine(body);
        // Where an exit code blocks, the shell around a guard that fails blocks everything.
        assert.ok(
          checks.some(({ name, status }) => /^(?:canary|harmless)$/.test(name) && status === "problem"),
          JSON.stringify(checks),
        );
      },
    });
  }

  Deno.test({
    name: `${adapter.id}: a missing or killed guard is blocked or stated as a limit, never overlooked`,
    ignore,
    fn: async () => {
      const checks = await examine("exit 0");
      for (const name of ["missing", "killed"]) {
        const found = checks.filter((check) => check.name === name);
        assert.ok(found.length > 0);
        assert.ok(
          found.every((check) => check.status === "ok" || check.status === "limit"),
          JSON.stringify(found),
        );
        assert.equal(found[0]?.status, "ok");
      }
    },
  });

  const inProject = has("project") ? [adapter.id] : [];
  for (const id of inProject) {
    Deno.test({
      name: `${id}: a command in a project that somebody else wrote is not started`,
      ignore,
      fn: async () => {
        await onMachine("exit 0", async (machine, root) => {
          const marker = join(root, "started");
          const other = join(root, "project", "guard");
          await Deno.writeTextFile(other, `#!/bin/sh\n: > ${marker}\n`, { mode: 0o755 });
          const job = { ...jobOf(machine, adapter, "project"), launch: { program: other, lead: [] } };
          await install(job);
          const options = { scratch: join(root, "scratch"), observing: false, width: 2 };
          const { checks, state } = await examineHost(adapter, machine, options);
          assert.ok(checks.some((check) => check.name === "entry" && /was not tried/.test(check.detail)));
          assert.equal(state, "problem");
          await assert.rejects(() => Deno.lstat(marker), Deno.errors.NotFound);
        });
      },
    });
  }

  Deno.test(`${adapter.id}: only a command line in guard's own form counts as startable`, async () => {
    await onMachine("exit 0", async (machine) => {
      const job = jobOf(machine, adapter, has("user") ? "user" : "project");
      const { target } = job;
      if (target.format === "whole") return;
      await install(job);
      const file = configurationPath(job);
      const options = { shell: adapter.hookShell.posix, system: "linux", file } as const;
      const read = async () => ownEntries(parseDocument(await Deno.readTextFile(file), target.format)!);
      const count = target.entries.length;
      assert.equal(registeredCommands(adapter, await read(), options).startable.length, count);
      const text = await Deno.readTextFile(file);
      for (const extra of [" --state /x", " --other", " || touch /x", " 'a\\nb'"]) {
        await Deno.mkdir(dirname(file), { recursive: true });
        await Deno.writeTextFile(file, text.replaceAll(/(--state [^ "]+)/g, `$1${extra}`));
        const found = registeredCommands(adapter, await read(), options);
        assert.deepEqual([found.startable.length, found.foreign.length], [0, count], extra);
      }
    });
  });
}
