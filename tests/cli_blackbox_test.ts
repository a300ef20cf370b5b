/** Runs the command line as a person does: as a process, from source and as the executable. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliCase, cliCases } from "./cli_cases.ts";
import { type Ended, makePlace, runGuard, targets } from "./hook_process.ts";

function occurs(text: string, part: string | RegExp): boolean {
  return typeof part === "string" ? text.includes(part) : part.test(text);
}

function compare(found: Ended, expected: CliCase): void {
  const all = `\n${found.stdout}\n${found.stderr}`;
  assert.equal(found.code, expected.code, all);
  for (const part of expected.stdout ?? []) assert.ok(occurs(found.stdout, part), `${part} in stdout${all}`);
  for (const part of expected.stderr ?? []) assert.ok(occurs(found.stderr, part), `${part} in stderr${all}`);
  // Whatever fails leaves stdout to the answer, and there is none.
  if (expected.code === 64) assert.equal(found.stdout, "");
  if (expected.json === undefined) return;
  const documents = found.stdout.split("\n").filter((text) => text !== "").map((text) => JSON.parse(text));
  assert.equal(documents.length, expected.json.length, all);
  for (const [index, members] of expected.json.entries()) {
    for (const [name, value] of Object.entries(members)) assert.deepEqual(documents[index][name], value, all);
  }
}

for (const target of targets()) {
  for (const expected of cliCases) {
    Deno.test(`${target.name}: ${expected.name}`, async () => {
      const place = makePlace();
      try {
        for (const [name, text] of Object.entries(expected.files ?? {})) {
          const path = join(place.home, name);
          Deno.mkdirSync(dirname(path), { recursive: true });
          Deno.writeTextFileSync(path, text);
        }
        compare(await runGuard(target, place, expected.args, { stdin: expected.stdin }), expected);
      } finally {
        place.remove();
      }
    });
  }

  Deno.test(`${target.name}: policy init writes a file that is valid and says nothing`, async () => {
    const place = makePlace();
    try {
      const written = await runGuard(target, place, ["policy", "init"]);
      assert.equal(written.code, 0, written.stderr);
      const path = written.stdout.trim();
      assert.equal((await runGuard(target, place, ["policy", "path"])).stdout.trim(), path);
      const shown = await runGuard(target, place, ["policy", "--json"]);
      assert.equal(shown.code, 0, shown.stdout);
      const { problems, warnings, policy } = JSON.parse(shown.stdout);
      assert.deepEqual([problems, warnings, policy.mode], [[], [], "enforce"]);
      // Every example in it is valid too.
      const text = Deno.readTextFileSync(path);
      const examples = text.split("\n").map((row) =>
        /^ +\/\/ (?= *["{}\]])/.test(row) ? row.replace("// ", "") : row
      ).join("\n");
      assert.notEqual(examples, text);
      Deno.writeTextFileSync(path, examples);
      const filled = await runGuard(target, place, ["policy", "--json"]);
      // An example may have expired; none may be broken or name a rule that is none.
      const { problems: found, warnings: unknown } = JSON.parse(filled.stdout);
      assert.deepEqual([found.filter((problem: { broken: boolean }) => problem.broken), unknown], [[], []]);
    } finally {
      place.remove();
    }
  });

  Deno.test(`${target.name}: allow is refused below an agent`, async () => {
    const place = makePlace();
    try {
      const refused = await runGuard(target, place, ["allow", "ABCDEFGH"], {
        stdin: "y\n",
        env: { CLAUDECODE: "1" },
      });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /below an agent \(CLAUDECODE is set\)/);
    } finally {
      place.remove();
    }
  });

  Deno.test(`${target.name}: thousands of lines are judged in a few seconds`, async () => {
    const place = makePlace();
    try {
      const commands = [
        "git status",
        "ls -la src",
        "npm test",
        "rm -rf node_modules",
        "cat README.md | grep x",
        "rm -rf /",
      ];
      const lines = Array.from(
        { length: 4000 },
        (_, id) => JSON.stringify({ id, command: commands[id % commands.length] }),
      );
      const started = performance.now();
      const found = await runGuard(target, place, ["check", "--jsonl"], { stdin: lines.join("\n") });
      const took = performance.now() - started;
      assert.equal(found.code, 0, found.stderr);
      const ids = found.stdout.trim().split("\n").map((text) => JSON.parse(text).id);
      assert.deepEqual(ids, Array.from({ length: 4000 }, (_, id) => id));
      assert.ok(took < 20_000, `took ${Math.round(took)} ms`);
    } finally {
      place.remove();
    }
  });
}
