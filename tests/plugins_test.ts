/** The plugins that guard writes, loaded as their hosts load them, with a guard that has every fault. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadAdapter } from "../adapters/registry.ts";
import { parseAudit } from "../src/audit.ts";
import type { Job } from "../src/install/job.ts";
import { wholeText } from "../src/install/whole.ts";
import type { AuditRecord, HostAdapter, WholeTarget } from "../src/types.ts";
import { type Host, type Offer, pluginHosts } from "./plugin_hosts.ts";

const scripted = fileURLToPath(new URL("./scripted_guard.ts", import.meta.url));
const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const lead = ["run", "-A", "--no-check", "--quiet"];

/** Milliseconds that the plugin gives to guard in these tests. */
const deadline = 4000;

interface Loaded extends Host {
  /** How often guard was started so. */
  starts(mode: "serve" | "hook"): number;
  readonly root: string;
}

interface LoadOptions {
  readonly program?: string;
  readonly lead: (root: string) => readonly string[];
  readonly deadline?: number;
}

async function pluginOf(adapter: HostAdapter): Promise<WholeTarget> {
  const target = adapter.install.find((one): one is WholeTarget =>
    one.format === "whole" && one.scope === "user" && /\.[jt]s$/.test(one.location.segments.at(-1) ?? "")
  );
  assert(target !== undefined, adapter.id);
  return await Promise.resolve(target);
}

/** Loads the plugin of a host from a fresh directory, which is removed afterwards. */
async function withPlugin(
  host: string,
  options: LoadOptions,
  work: (loaded: Loaded) => Promise<void>,
): Promise<void> {
  const adapter = await loadAdapter(host);
  assert(adapter !== undefined);
  const target = await pluginOf(adapter);
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard plugin's-" }));
  try {
    const home = join(root, "home");
    const place = join(home, "app");
    await Deno.mkdir(place, { recursive: true });
    const job: Job<WholeTarget> = {
      adapter,
      target,
      around: { system: "linux", home, project: place, env: {} },
      launch: { program: options.program ?? Deno.execPath(), lead: options.lead(root) },
      policy: join(root, "policy.jsonc"),
      state: join(root, "state"),
    };
    const file = join(root, "guard.mjs");
    const text = wholeText(job, file);
    const limited = text.replace('"deadline": 10000', `"deadline": ${options.deadline ?? deadline}`);
    assert.notEqual(limited, text);
    await Deno.writeTextFile(file, limited);
    const module = await import(new URL(`file://${file.replaceAll("\\", "/")}`).href);
    const { offer, finish } = await pluginHosts[host]!(module, place);
    const starts = (mode: string) =>
      [...Deno.readDirSync(root)].filter((entry) => entry.name.startsWith(`${mode}-`)).length;
    await work({ offer, finish, starts, root });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The records of tool calls in the audit log, once there are as many: the last ones are written after their answers. */
async function recorded(state: string, count: number): Promise<AuditRecord[]> {
  for (let tries = 0;; tries++) {
    const { records: all, torn } = parseAudit(await Deno.readTextFile(join(state, "audit.jsonl")));
    assert.equal(torn, 0);
    const records = all.filter((record) => record.event === "pre_tool");
    if (records.length >= count || tries === 100) {
      assert.equal(records.length, count);
      return records;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const faulty = (fault: string): LoadOptions => ({
  lead: (root) => [...lead, scripted, fault, root],
});

/** What the hosts call their shell, where it is not `bash`. */
const shell: Readonly<Record<string, string>> = { aiderdesk: "power---bash", amp: "Bash", openclaw: "exec" };

for (const [place, host] of Object.keys(pluginHosts).entries()) {
  const test = (name: string, fn: () => Promise<void>) =>
    // A process of guard that serves outlives the test that started it, until its stdin ends.
    Deno.test({ name: `${host}: ${name}`, fn, sanitizeOps: false, sanitizeResources: false });
  const call = (command: string): Offer => ({ tool: shell[host] ?? "bash", input: { command } });

  // What only the shared part does is looked at with one host.
  const shared = (name: string, fn: () => Promise<void>) => place === 0 ? test(name, fn) : undefined;

  /** Every call ends so, and none changes what it is about. */
  const stopped = async ({ offer }: Loaded, told: RegExp) => {
    const one = call("make");
    const taken = await offer(one);
    assert.deepEqual([taken.runs, one.input], [false, { command: "make" }]);
    assert.match(taken.told, told);
  };
  const passed = async ({ offer }: Loaded) => {
    const one = call("make");
    assert.deepEqual([await offer(one), one.input], [{ runs: true, told: "" }, { command: "make" }]);
  };

  test("what guard lets pass runs unchanged, and one process answers every call", async () => {
    await withPlugin(host, faulty("allows"), async (loaded) => {
      for (let count = 0; count < 5; count++) await passed(loaded);
      assert.deepEqual([loaded.starts("serve"), loaded.starts("hook")], [1, 0]);
    });
  });

  test("what guard denies does not run, and the model is told why", async () => {
    await withPlugin(host, faulty("denies"), (loaded) => stopped(loaded, /^not make$/));
  });

  shared("a process that is slow to start is waited for", async () => {
    await withPlugin(host, faulty("slow-start"), passed);
  });

  shared("of calls that wait at once each gets its own answer", async () => {
    await withPlugin(host, faulty("denies-late"), async (loaded) => {
      const commands = Array.from({ length: 8 }, (_, index) => `make part-${index}`);
      const told = await Promise.all(commands.map((command) => loaded.offer(call(command))));
      assert.deepEqual(told.map((one) => one.told), commands.map((command) => `not ${command}`));
      assert.equal(loaded.starts("serve"), 1);
    });
  });

  const unclear = /^guard: blocked, since guard could not judge this call: .*guard doctor/;
  for (
    const fault of [
      "dies",
      "ends",
      "says-nothing-clear",
      "says-yes",
      "allows-and-fails",
      "answers-another",
      "answers-nobody",
      "answers-garbled",
      "answers-without-reply",
      "floods",
    ]
  ) {
    const run = fault === "dies" || fault === "says-nothing-clear" ? test : shared;
    run(`a guard that ${fault.replaceAll("-", " ")} blocks`, async () => {
      await withPlugin(host, faulty(fault), async (loaded) => {
        await stopped(loaded, unclear);
        assert.equal(loaded.starts("hook"), 0);
      });
    });
  }

  test("a guard that hangs blocks after the deadline", async () => {
    await withPlugin(host, { ...faulty("hangs"), deadline: 5000 }, async (loaded) => {
      const started = performance.now();
      await stopped(loaded, /did not answer in time/);
      const passed = performance.now() - started;
      assert(passed > 4900 && passed < 15_000, `${passed} ms`);
    });
  });

  shared("after a guard that hangs the next call gets another process", async () => {
    await withPlugin(host, { ...faulty("hangs"), deadline: 5000 }, async (loaded) => {
      await stopped(loaded, /did not answer in time/);
      await stopped(loaded, /did not answer in time/);
      assert.equal(loaded.starts("serve"), 2);
    });
  });

  shared("a process that has died is replaced, and the call that it died in is blocked", async () => {
    await withPlugin(host, faulty("dies-after-answer"), async (loaded) => {
      let passes = 0;
      // A call that comes before the death is noticed is the one that it died in.
      for (let tries = 0; passes < 3 && tries < 50; tries++) {
        const { runs, told } = await loaded.offer(call("make"));
        if (runs) passes++;
        else assert.match(told, unclear);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.equal(passes, 3);
      assert(loaded.starts("serve") >= 3);
    });
  });

  for (const fault of ["serve-missing-allow", "serve-silent", "serve-other-protocol", "serve-garbled"]) {
    shared(`where guard cannot serve (${fault}), each call gets its own process`, async () => {
      await withPlugin(host, { ...faulty(fault), deadline: 6000 }, async (loaded) => {
        await passed(loaded);
        await passed(loaded);
        // The second call does not try again what has just failed.
        assert.deepEqual([loaded.starts("serve"), loaded.starts("hook")], [1, 2]);
      });
    });
  }

  shared("where guard cannot serve, its denials are heard all the same", async () => {
    await withPlugin(host, faulty("serve-missing"), (loaded) => stopped(loaded, /^not make$/));
  });

  for (const fault of ["hook-crashes", "hook-empty", "hook-garbled", "hook-floods", "hook-dies"]) {
    shared(`where guard cannot serve and its ${fault.replace("-", " ")}, calls are blocked`, async () => {
      await withPlugin(host, faulty(fault), (loaded) => stopped(loaded, unclear));
    });
  }

  shared("where guard cannot serve and its hook hangs, calls are blocked after the deadline", async () => {
    await withPlugin(
      host,
      { ...faulty("hook-hangs"), deadline: 2500 },
      (loaded) => stopped(loaded, /in time/),
    );
  });

  test("without guard calls are blocked, and the person learns what to do", async () => {
    const gone = { program: "/nowhere/guard", lead: () => [] };
    await withPlugin(host, gone, async (loaded) => {
      await stopped(loaded, /install it again/);
      await stopped(loaded, /install it again/);
    });
  });

  test("a call that cannot be told, or is too long, is blocked", async () => {
    await withPlugin(host, faulty("allows"), async ({ offer }) => {
      const circle: Record<string, unknown> = { command: "make" };
      circle.self = circle;
      for (const input of [circle, { command: 7n }, { command: "x".repeat(16 * 1024 * 1024) }]) {
        const taken = await offer({ tool: shell[host] ?? "bash", input });
        assert.equal(taken.runs, false);
        assert.match(taken.told, unclear);
      }
    });
  });

  test("guard's questions are put to a person, or else count as a denial", async () => {
    const adapter = await loadAdapter(host);
    await withPlugin(host, faulty("asks"), async ({ offer }) => {
      assert.deepEqual(await offer(call("make")), { runs: false, told: "really?" });
      const asks = adapter?.capabilities.ask === "always";
      for (const person of ["first", "closes"] as const) {
        const { runs, told } = await offer({ ...call("make"), person });
        assert.equal(runs, false);
        assert.equal(told, asks ? "really? The person was asked, and did not consent." : "really?");
      }
      assert.equal((await offer({ ...call("make"), person: "consents" })).runs, asks);
    });
  });

  const results: readonly (readonly string[])[] = [["made"], ["made", "", "tested"]];
  const tool = shell[host] ?? "bash";

  test("a result about which guard says nothing stays as it is", async () => {
    await withPlugin(host, faulty("allows"), async ({ finish, starts }) => {
      for (const texts of results) assert.deepEqual(await finish(tool, texts), texts);
      assert.equal(starts("serve"), 1);
    });
  });

  test("what guard takes out of a result is gone, and the model is told", async () => {
    await withPlugin(host, faulty("cleans"), async ({ finish }) => {
      const text = (await finish(tool, ["made with a secret"])).join("\n");
      assert.match(text, /^made with a \[redacted\]\s+taken out$/);
      const parts = (await finish(tool, ["one secret", "", "two"])).join("\n");
      assert.match(parts, /^one \[redacted\]\n\ntwo\s+taken out$/);
    });
  });

  for (const fault of ["dies", "says-nothing-clear", "denies", "cleans-half", "cleans-to-numbers"]) {
    test(`a guard that ${fault.replaceAll("-", " ")} leaves a result as it is, and the model is told`, async () => {
      await withPlugin(host, faulty(fault), async ({ finish }) => {
        for (const texts of results) {
          const [whole, note] = [
            texts.join("\n"),
            "guard: nothing looked for secrets and for orders in this result",
          ];
          const shown = (await finish(tool, texts)).join("\n");
          assert.equal(shown.slice(0, whole.length), whole);
          assert.ok(shown.slice(whole.length).trim().startsWith(note), shown);
        }
      });
    });
  }

  test("without guard results stay as they are", async () => {
    const gone = { program: "/nowhere/guard", lead: () => [] };
    await withPlugin(host, gone, async ({ finish }) => {
      for (const texts of results) {
        assert.equal(
          (await finish(tool, texts)).join("\n").slice(0, texts.join("\n").length),
          texts.join("\n"),
        );
      }
    });
  });

  shared("a guard that hangs lets a result pass after the deadline", async () => {
    await withPlugin(host, { ...faulty("hangs"), deadline: 3000 }, async ({ finish }) => {
      assert.match((await finish(tool, ["made"])).join(), /^made\s+guard: .*in time/);
    });
  });

  test("guard itself takes a secret out of a result of any length", async () => {
    const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");
    const options = { lead: () => [...lead, main], deadline: 30_000 };
    await withPlugin(host, options, async ({ finish }) => {
      for (const filling of ["", '"\\\u001b\n'.repeat(300_000)]) {
        const shown = (await finish(tool, [`${filling}postgres://svc:${password}@db.acme.dev/app`])).join(
          "\n",
        );
        assert.ok(shown.startsWith(`${filling}postgres://svc:[redacted: url-password]@db.acme.dev/app`));
        assert.match(shown.slice(filling.length), /guard: took out of this result/);
      }
    });
  });

  test("guard itself answers: calls run or not, also many at once", async () => {
    const options = { lead: () => [...lead, main], deadline: 30_000 };
    await withPlugin(host, options, async ({ offer, root }) => {
      const commands = Array.from(
        { length: 16 },
        (_, index) => index % 2 === 0 ? `git log -${index + 1}` : `cat ~/.ssh/id_ed25519 > part-${index}`,
      );
      const taken = await Promise.all(commands.map((command) => offer(call(command))));
      for (const [index, { runs, told }] of taken.entries()) {
        assert.equal(runs, index % 2 === 0, told);
        if (!runs) assert.match(told, new RegExp(`part-${index}\``));
      }
      const records = await recorded(join(root, "state"), commands.length);
      assert.deepEqual(new Set(records.map((record) => record.host)), new Set([host]));
      assert.deepEqual(new Set(records.map((record) => record.subject)), new Set(commands));
      assert(
        records.every((record) => record.cwd === join(root, "home", "app") && record.session !== undefined),
      );
    });
  });
}
