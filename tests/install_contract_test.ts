/** Every target of every host, installed into hostile configurations in a temporary home. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { install, uninstall } from "../src/install/apply.ts";
import { parseDocument, valueOf } from "../src/install/document.ts";
import { ownEntries } from "../src/install/entry.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { commandOf, type Job } from "../src/install/job.ts";
import { hashOf, writeReceipt } from "../src/install/receipt.ts";
import type { MergeTarget } from "../src/types.ts";
import { beside, exists, inHome, posix, put } from "./install_place.ts";

const adapters = await allAdapters();

async function parsed(path: string, target: MergeTarget) {
  return parseDocument((await Deno.readTextFile(path)).replace(/^\ufeff/, ""), target.format)!;
}

/** Installs, checks that the entries are there once, installs again, and uninstalls. */
async function roundTrip(job: Job<MergeTarget>, path: string): Promise<void> {
  const first = await install(job);
  assert.equal(first.status, "installed", first.message);
  assert.deepEqual(first.events, job.target.entries.map((entry) => entry.event));
  const entries = ownEntries(await parsed(path, job.target));
  assert.deepEqual(
    entries.map((own) => own.command.event).sort(),
    job.target.entries.map((entry) => entry.event).sort(),
  );
  const bytes = await Deno.readFile(path);
  const second = await install(job);
  assert.equal(second.status, "unchanged");
  assert.deepEqual(await Deno.readFile(path), bytes);
  const last = await uninstall(job);
  assert.equal(last.status, "restored", last.message);
}

/** Configurations that have to be edited. */
function editable(target: MergeTarget): Record<string, string> {
  const at = target.entries[0]!.at;
  const nest = (value: unknown) => at.toReversed().reduce((inner, key) => ({ [key]: inner }), value);
  const foreign = {
    matcher: "Bash",
    hooks: [{ type: "command", command: "/srv/bodyguard/scan.sh hook" }],
    command: "x",
  };
  const common: Record<string, string> = {
    "an empty file": "",
    "white space": " \r\n\t",
    "an empty object": "{}",
    "an empty object over lines": "{\n}\n",
    "an object with blanks": "{ }",
    "a compact file": JSON.stringify({ a: 1, ...nest([foreign]) as object }),
    "two blanks": JSON.stringify({ ...nest([foreign]) as object, z: "x,} y,]" }, null, 2) + "\n",
    "four blanks, no final line end": JSON.stringify(nest([foreign]), null, 4),
    "tabs and CRLF": JSON.stringify(nest([foreign]), null, "\t").replaceAll("\n", "\r\n") + "\r\n",
    "a byte order mark": "\ufeff" + JSON.stringify({ a: [] }, null, 2),
    "an empty list": JSON.stringify(nest([]), null, 2),
    "escapes and long numbers": '{ "a\\u0041": 1.0e10, "n": 12345678901234567890, "s": "\\/ \\ud83d" }',
    "keys of the prototype": '{"__proto__": {"x": 1}, "constructor": 2}',
    "a text that mentions guard": JSON.stringify({ note: "guard hook --host claude --event PreToolUse" }),
  };
  if (target.format !== "jsonc") return common;
  return {
    ...common,
    "comments only": "// nothing here\n/* yet */\n",
    "comments and trailing commas":
      '// top\n{\n  // keep me\n  "a": [1, 2,], /* b */\n  "c": {}, // last\n}\n// end\n',
    "a comment in an empty object": "{\n  // keep me\n}\n",
  };
}

/** Configurations that have to be left as they are, each with what the message must say. */
function refused(target: MergeTarget): Record<string, [string | Uint8Array, RegExp]> {
  const at = target.entries[0]!.at;
  const first = JSON.stringify(at[0]);
  const wanted = at.length === 1 ? "array" : "object";
  const strict: Record<string, [string, RegExp]> = {
    "a trailing comma": ['{\n  "p": {"list": [1],},\n}\n', /not valid JSON.*line 2/],
    "a comment": ["{\n  // mine\n}\n", /not valid JSON.*line 2, column 3/],
  };
  return {
    ...(target.format === "json" ? strict : {}),
    "a torn file": ['{\n  "a": {"b": [1, 2', /not valid JSONC?.*line 2, column \d+/],
    "two documents": ["{}\n{}", /not valid JSONC?.*line 2, column 1/],
    "a list": ["[]", /an array where an object was expected/],
    "null": ["null", /null where an object was expected/],
    "a list as container": [
      at.length === 1 ? `{\n  ${first}: {}}` : `{\n  ${first}: []}`,
      new RegExp(`${at[0]} is an (?:array|object) where an ${wanted}.*line 2, column ${first.length + 5}`),
    ],
    "a string as container": [`{${first}: "x"}`, new RegExp(`is a string where an ${wanted}`)],
    "null as container": [`{${first}: null}`, new RegExp(`is null where an ${wanted}`)],
    "an object as list": [
      JSON.stringify(at.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), {})),
      /is an object where an array/,
    ],
    "a key that occurs twice": [`{${first}: {}, ${first}: {}}`, /occurs twice/],
    "invalid UTF-8": [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not valid UTF-8/],
    "UTF-16": [new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /UTF-16/],
    "deep nesting": ["[".repeat(200_000), /nested too deeply|not valid/],
    "nesting that can just be read": [
      `{"a":${"[".repeat(1500)}${"]".repeat(1500)}}`,
      /nested more than 256 levels deep/,
    ],
  };
}

for (const adapter of adapters) {
  for (const target of adapter.install) {
    // Targets that set members instead: tests/install_setting_test.ts.
    if (target.format === "whole" || target.entries.length === 0) continue;
    const name = `${adapter.id} ${target.scope}`;

    Deno.test(`${name}: without a file, one is made and taken away with its directories`, async () => {
      await inHome(adapter, target, async (job, path) => {
        await roundTrip(job, path);
        const base = target.scope === "user" ? job.around.home : job.around.project;
        assert.deepEqual(await Array.fromAsync(Deno.readDir(base)), []);
      });
    });

    for (const [kind, text] of Object.entries(editable(target))) {
      Deno.test(`${name}: ${kind} is edited and restored byte for byte`, async () => {
        await inHome(adapter, target, async (job, path) => {
          const before = await put(path, text);
          await roundTrip(job, path);
          assert.deepEqual(await Deno.readFile(path), before);
          assert.equal((await beside(path)).length, 1);
          assert.equal(await exists(join(job.state, "receipts")), false);
        });
      });
    }

    for (const [kind, [content, message]] of Object.entries(refused(target))) {
      Deno.test(`${name}: ${kind} is refused and left as it is`, async () => {
        await inHome(adapter, target, async (job, path) => {
          const before = await put(path, content);
          const outcome = await install(job);
          assert.equal(outcome.status, "refused");
          assert.match(outcome.message ?? "", message);
          assert.match(outcome.manual ?? "", /by hand/);
          assert.ok(outcome.manual?.includes(JSON.stringify(commandOf(job, target.entries[0]!.event))));
          assert.deepEqual(await Deno.readFile(path), before);
          assert.equal((await beside(path)).length, 1);
          assert.equal(await exists(join(job.state, "receipts")), false);
        });
      });
    }

    Deno.test(`${name}: a torn file is refused at uninstalling only where it may hold something of guard's`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const torn = '{\n  "a": {"b": [1, 2';
        await put(path, torn);
        assert.equal((await uninstall(job)).status, "absent");
        const held = `${torn}, ${JSON.stringify(commandOf(job, target.entries[0]!.event))}`;
        await put(path, held);
        const outcome = await uninstall(job);
        assert.equal(outcome.status, "refused");
        assert.match(outcome.manual ?? "", /by hand/);
        assert.equal(await Deno.readTextFile(path), held);
      });
    });

    Deno.test(`${name}: a file that has changed since loses guard's entries only`, async () => {
      await inHome(adapter, target, async (job, path) => {
        await put(path, '{\n  "mine": 1\n}\n');
        await install(job);
        const text = (await Deno.readTextFile(path)).replace('"mine": 1', '"mine": 2');
        await put(path, text);
        assert.equal((await uninstall(job)).status, "removed");
        assert.equal(await Deno.readTextFile(path), '{\n  "mine": 2\n}\n');
      });
    });

    Deno.test(`${name}: without a receipt guard's entries are found and nothing of them is left`, async () => {
      await inHome(adapter, target, async (job, path) => {
        await put(path, '{\n  "mine": 1\n}\n');
        await install(job);
        await Deno.remove(job.state, { recursive: true });
        assert.equal((await uninstall(job)).status, "removed");
        const left = valueOf(await parsed(path, target)) as Record<string, unknown>;
        assert.deepEqual(left, { mine: 1, ...target.skeleton });
      });
    });

    Deno.test(`${name}: an edited receipt does not choose what is written, nor what is removed`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const bytes = await put(path, '{"mine": 1}');
        await install(job);
        const folder = join(job.state, "receipts");
        const [receipt] = await Array.fromAsync(Deno.readDir(folder));
        const file = join(folder, receipt!.name);
        const written = JSON.parse(await Deno.readTextFile(file));
        const foreign = btoa('{"mine": 1, "apiKeyHelper": "/srv/other"}');
        const installed = await Deno.readFile(path);
        for (const original of [foreign, btoa("#!/bin/sh"), null]) {
          await Deno.writeFile(path, installed);
          await put(file, JSON.stringify({ ...written, original }));
          assert.equal((await uninstall(job)).status, "removed");
          assert.deepEqual(JSON.parse(await Deno.readTextFile(path)), { mine: 1 });
        }
        // A file without guard's entries is nobody's to write, whatever a receipt says about it.
        const other = join(job.around.home, ".profile.json");
        await put(other, bytes);
        const lie = { ...written, path: other, original: foreign, after: hashOf(bytes) };
        await writeReceipt(job.state, lie);
        assert.equal((await uninstall({ ...job, file: other })).status, "absent");
        assert.deepEqual(await Deno.readFile(other), bytes);
      });
    });

    Deno.test(`${name}: of the directories that a receipt names only those of its file go`, async () => {
      await inHome(adapter, target, async (job, path) => {
        await install(job);
        const [receipt] = await Array.fromAsync(Deno.readDir(join(job.state, "receipts")));
        const file = join(job.state, "receipts", receipt!.name);
        const kept = join(job.around.home, "empty");
        await Deno.mkdir(kept);
        const written = JSON.parse(await Deno.readTextFile(file));
        await put(file, JSON.stringify({ ...written, directories: [...written.directories, kept] }));
        assert.equal((await uninstall(job)).status, "restored");
        const made = dirname(path) !== job.around.project;
        assert.deepEqual([await exists(kept), await exists(dirname(path))], [true, !made]);
      });
    });

    Deno.test(`${name}: paths with blanks, quotes, backslashes and other alphabets are written and found again`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const before = await put(path, '{\n  "mine": 1\n}\n');
        for (const odd of ["a b", "it's", 'say "x"', "back\\slash", "ünï 日本", "$HOME `id` %PATH%"]) {
          const strange = {
            ...job,
            launch: { program: `/opt/${odd}/guard`, lead: [] },
            policy: `/etc/${odd}/policy.jsonc`,
            state: join(job.state, odd),
          };
          assert.equal((await install(strange)).status, "installed");
          for (const { command } of ownEntries(await parsed(path, target))) {
            const { launch: { program }, policy, state } = strange;
            assert.deepEqual(
              [command.program, command.policy, command.state],
              [program, policy, state],
            );
          }
          assert.equal((await uninstall(strange)).status, "restored");
          assert.deepEqual(await Deno.readFile(path), before);
        }
      });
    });

    Deno.test(`${name}: entries of an older guard are brought up to date in place`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const old = { ...job, launch: { program: "/old/place/guard", lead: [] } };
        await install(old);
        const lines = (await Deno.readTextFile(path)).split("\n").length;
        const outcome = await install(job);
        assert.equal(outcome.status, "refreshed");
        const text = await Deno.readTextFile(path);
        assert.equal(text.includes("/old/place"), false);
        assert.equal(text.split("\n").length, lines);
        assert.equal((await uninstall(job)).status, "restored");
        assert.equal(await exists(path), false);
      });
    });

    Deno.test(`${name}: an entry with its arguments apart, twice, counts as guard's own`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const entry = target.entries[0]!;
        const apart = JSON.parse(
          JSON.stringify(entry.value("C")),
          (key, value) => key === "command" ? "/home/kim/.local/bin/guard" : value,
        );
        const withArguments = JSON.parse(
          JSON.stringify(apart).replace(
            '"/home/kim/.local/bin/guard"',
            `"/home/kim/.local/bin/guard","args":["hook","--host","${adapter.id}"]`,
          ),
        );
        const [first, ...rest] = entry.at.toReversed();
        const document = rest.reduce<unknown>(
          (inner, key) => ({ [key]: inner }),
          { [first!]: [withArguments, { command: "other" }, withArguments] },
        );
        await put(path, JSON.stringify({ ...target.skeleton, ...document as object }, null, 2));
        await install(job);
        const own = ownEntries(await parsed(path, target));
        assert.equal(own.length, target.entries.length);
        assert.ok((await Deno.readTextFile(path)).includes('"other"'));
      });
    });

    Deno.test(`${name}: a dry run writes nothing and shows the entries`, async () => {
      await inHome(adapter, target, async (job, path) => {
        const before = await put(path, '{\n  "mine": 1\n}\n');
        const outcome = await install(job, { dryRun: true });
        assert.equal(outcome.status, "installed");
        assert.match(outcome.difference ?? "", /^--- .*\n\+\+\+ .*\n@@ -1,3 \+1,\d+ @@\n/);
        assert.match(outcome.difference ?? "", /\n\+.*guard.* hook --host/);
        assert.deepEqual(await Deno.readFile(path), before);
        assert.equal(await exists(job.state), false);
      });
    });

    Deno.test({
      name: `${name}: links, mode and several names of a file stay`,
      ignore: !posix,
      fn: async () => {
        await inHome(adapter, target, async (job, path) => {
          const real = join(job.around.home, "dotfiles", "settings");
          const before = await put(real, "{}\n");
          await Deno.chmod(real, 0o640);
          await Deno.mkdir(dirname(path), { recursive: true });
          await Deno.symlink(real, path);
          await roundTrip(job, path);
          assert.equal((await Deno.lstat(path)).isSymlink, true);
          assert.deepEqual(await Deno.readFile(real), before);
          assert.equal((await Deno.stat(real)).mode! & 0o777, 0o640);
          assert.deepEqual(await beside(real), ["settings"]);
          await Deno.link(real, join(job.around.home, "other-name"));
          await install(job);
          assert.equal((await Deno.stat(real)).nlink, 2);
          assert.deepEqual(
            await Deno.readFile(join(job.around.home, "other-name")),
            await Deno.readFile(real),
          );
        });
      },
    });

    Deno.test({
      name: `${name}: a link to nothing gets its target; a linked directory stays linked`,
      ignore: !posix,
      fn: async () => {
        await inHome(adapter, target, async (job, path) => {
          const elsewhere = join(job.around.home, "elsewhere");
          await Deno.mkdir(elsewhere);
          await Deno.mkdir(dirname(dirname(path)), { recursive: true });
          await Deno.remove(dirname(path)).catch(() => {});
          await Deno.symlink(elsewhere, dirname(path));
          await Deno.symlink("made-later", path);
          await install(job);
          assert.equal(await Deno.readLink(path), "made-later");
          assert.equal((await Deno.lstat(dirname(path))).isSymlink, true);
          assert.ok(await exists(join(elsewhere, "made-later")));
          await uninstall(job);
          assert.equal(await exists(join(elsewhere, "made-later")), false);
          assert.equal(await Deno.readLink(path), "made-later");
        });
      },
    });

    Deno.test({
      name: `${name}: what is no plain, writable file is refused`,
      ignore: !posix,
      fn: async () => {
        await inHome(adapter, target, async (job, path) => {
          const before = await put(path, "{}\n");
          await Deno.chmod(path, 0o444);
          const readOnly = await install(job);
          assert.equal(readOnly.status, "refused");
          assert.match(readOnly.message ?? "", /read-only/);
          assert.match(readOnly.manual ?? "", /by hand/);
          await Deno.chmod(path, 0o644);
          await Deno.chmod(dirname(path), 0o555);
          assert.match((await install(job)).message ?? "", /read-only/);
          await Deno.chmod(dirname(path), 0o755);
          assert.deepEqual(await Deno.readFile(path), before);
          await Deno.remove(path);
          await Deno.mkdir(path);
          assert.match((await install(job)).message ?? "", /not a regular file/);
          await Deno.remove(path);
          await Deno.symlink(path, path);
          assert.equal((await install(job)).status, "refused");
        });
      },
    });
  }
}
