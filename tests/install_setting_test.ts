/** Targets that set members of a configuration: those of every host, and a made-up one. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { install, uninstall } from "../src/install/apply.ts";
import { parseDocument, valueOf } from "../src/install/document.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { eventsOf, type Job } from "../src/install/job.ts";
import type { HostAdapter, InstallSetting, MergeTarget } from "../src/types.ts";
import { beside, exists, inHome, put } from "./install_place.ts";

const adapters = await allAdapters();

const sample: MergeTarget = {
  scope: "user",
  location: { base: "home", segments: [".sample", "settings.json"] },
  format: "jsonc",
  entries: [],
  settings: [
    { event: "before_tool", at: ["plugins", "guard", "enabled"], value: true },
    { event: "after_tool", at: ["commit"], value: "verify" },
  ],
};

const cases: { readonly adapter: HostAdapter; readonly target: MergeTarget; readonly name: string }[] = [
  { adapter: adapters[0]!, target: sample, name: "sample" },
  { adapter: adapters[0]!, target: { ...sample, format: "json" }, name: "sample in plain JSON" },
  ...adapters.flatMap((adapter) =>
    adapter.install.flatMap((target) =>
      target.format === "whole" || target.settings === undefined
        ? []
        : [{ adapter, target, name: `${adapter.id} ${target.scope}` }]
    )
  ),
];

async function valueIn(path: string, target: MergeTarget): Promise<unknown> {
  const root = parseDocument((await Deno.readTextFile(path)).replace(/^\ufeff/, ""), target.format);
  return root === undefined ? {} : valueOf(root);
}

function at(document: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    document,
  );
}

const nest = ({ at }: InstallSetting, value: unknown) =>
  at.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value) as object;

for (const { adapter, target, name } of cases) {
  const test = (what: string, work: (job: Job<MergeTarget>, path: string) => Promise<void>) =>
    Deno.test(`${name}: ${what}`, () => inHome(adapter, target, work));
  const settings = target.settings ?? [];
  const [first] = settings;
  const outer = first!.at.slice(0, -1);

  const holds = async (path: string) => {
    const document = await valueIn(path, target);
    for (const { at: keys, value } of settings) assert.equal(at(document, keys), value, keys.join("."));
  };

  /** Installs twice and uninstalls. */
  const roundTrip = async (job: Job<MergeTarget>, path: string) => {
    const installed = await install(job);
    assert.equal(installed.status, "installed", installed.message);
    assert.deepEqual(installed.events, eventsOf(target));
    await holds(path);
    const bytes = await Deno.readFile(path);
    assert.equal((await install(job)).status, "unchanged");
    assert.deepEqual(await Deno.readFile(path), bytes);
    assert.equal((await uninstall(job)).status, "restored");
  };

  test("without a file, one is made and taken away with its directories", async (job, path) => {
    await roundTrip(job, path);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(job.around.home)), []);
  });

  const inside = outer.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), { theirs: 1 });
  const editable: Record<string, string> = {
    "an empty file": "",
    "an empty object": "{}",
    "an empty object over lines": "{\n}\n",
    "a compact file": JSON.stringify({ a: 1 }),
    "members of others beside it": JSON.stringify(inside, null, 4),
    "tabs and CRLF": JSON.stringify({ z: [1] }, null, "\t").replaceAll("\n", "\r\n") + "\r\n",
    "a byte order mark": "\ufeff" + JSON.stringify({ a: [] }, null, 2),
    "keys of the prototype": '{"__proto__": {"x": 1}, "constructor": 2}',
    ...(target.format === "jsonc"
      ? {
        "comments and trailing commas":
          '// top\n{\n  // mine\n  "a": [1, 2,], /* b */\n  "c": {}, // last\n}\n',
      }
      : {}),
  };
  for (const [kind, text] of Object.entries(editable)) {
    test(`${kind} is edited and restored byte for byte`, async (job, path) => {
      const before = await put(path, text);
      await roundTrip(job, path);
      assert.deepEqual(await Deno.readFile(path), before);
      assert.equal((await beside(path)).length, 1);
      assert.equal(await exists(join(job.state, "receipts")), false);
    });
  }

  const refused: Record<string, [string, RegExp]> = {
    "a torn file": ['{\n  "a": {"b": [1, 2', /not valid JSONC?.*line 2, column \d+/],
    "a list": ["[]", /an array where an object was expected/],
    "a key that occurs twice": [`{"${first!.at[0]}": {}, "${first!.at[0]}": {}}`, /occurs twice/],
    "another value": [
      JSON.stringify(nest(first!, "off"), null, 1),
      /is "off" where .* was expected \(line \d+/,
    ],
    "an object as value": [JSON.stringify(nest(first!, {})), /is an object where .* was expected/],
    "unquoted keys": ["{ a: 1 }", /not valid JSON/],
    ...(first!.at.length > 1
      ? {
        "a text as container": [
          `{"${first!.at[0]}": "x"}`,
          /is a string where an object was expected/,
        ] as const,
      }
      : {}),
  } as Record<string, [string, RegExp]>;
  for (const [kind, [text, message]] of Object.entries(refused)) {
    test(`${kind} is refused and left as it is`, async (job, path) => {
      const before = await put(path, text);
      const outcome = await install(job);
      assert.equal(outcome.status, "refused");
      assert.match(outcome.message ?? "", message);
      assert.match(outcome.manual ?? "", /by hand/);
      for (const { at: keys } of settings) assert.ok(outcome.manual?.includes(`"${keys.at(-1)}"`));
      assert.deepEqual(await Deno.readFile(path), before);
      assert.equal(await exists(join(job.state, "receipts")), false);
    });
  }

  test("in a file that has changed since only guard's members go", async (job, path) => {
    await put(path, '{ "mine": 1 }');
    await install(job);
    const document = await valueIn(path, target) as object;
    await put(path, JSON.stringify({ ...document, later: [2] }, null, 2));
    assert.equal((await uninstall(job)).status, "removed");
    assert.deepEqual(await valueIn(path, target), { mine: 1, later: [2] });
  });

  test("without a receipt guard's members are found and nothing of them is left", async (job, path) => {
    await put(path, '{\n  "mine": 1\n}\n');
    await install(job);
    await Deno.remove(job.state, { recursive: true });
    assert.equal((await uninstall(job)).status, "removed");
    assert.deepEqual(await valueIn(path, target), { mine: 1 });
  });

  test("what the person has set to another value since is left", async (job, path) => {
    await install(job);
    const changed = settings.reduce((all, setting) => ({ ...all, ...nest(setting, "theirs") }), {});
    const before = await put(path, JSON.stringify(changed));
    assert.equal((await uninstall(job)).status, "absent");
    assert.deepEqual(await Deno.readFile(path), before);
  });

  test("a dry run writes nothing and shows the members", async (job, path) => {
    const before = await put(path, '{\n  "mine": 1\n}\n');
    const outcome = await install(job, { dryRun: true });
    assert.equal(outcome.status, "installed");
    assert.match(outcome.difference ?? "", new RegExp(`\\n\\+.*"${settings.at(-1)!.at.at(-1)}"`));
    assert.deepEqual(await Deno.readFile(path), before);
    assert.equal(await exists(job.state), false);
  });
}
