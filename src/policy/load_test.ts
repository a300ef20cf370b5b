import assert from "node:assert/strict";
import { join } from "node:path";
import { GuardError } from "../errors.ts";
import { loadPolicy, problemText, readPolicy } from "./load.ts";
import { slowness, usedTime } from "../../tests/cpu_time.ts";

async function withFiles(run: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "guard-policy-" });
  try {
    await run(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function write(root: string, name: string, text: string): string {
  const path = join(root, name);
  Deno.writeTextFileSync(path, text);
  return path;
}

Deno.test("missing files are no problem", () =>
  withFiles(async (root) => {
    const loaded = await loadPolicy({
      managed: join(root, "a"),
      user: join(root, "b", "c"),
      project: join(root, "d"),
    });
    assert.equal(loaded.policy.mode, "enforce");
    assert.deepEqual(loaded.problems, []);
    assert.ok(loaded.files.every((file) => !file.present));
  }));

Deno.test("a broken user or managed policy is a failure that names file, line and next command", () =>
  withFiles(async (root) => {
    const broken = write(root, "p.jsonc", `{\n  "mode": 1\n}`);
    for (const sources of [{ user: broken }, { managed: broken }]) {
      await assert.rejects(loadPolicy(sources), (error) => {
        assert.ok(error instanceof GuardError);
        assert.ok(error.message.includes(`${broken}:2:11: expected mode`), error.message);
        assert.equal(error.next, "guard policy");
        return true;
      });
    }
  }));

Deno.test("a broken project policy neither fails nor loosens", () =>
  withFiles(async (root) => {
    const user = write(root, "user.jsonc", `{"rules": {"git/x": "deny"}}`);
    const broken: readonly string[] = [
      `{`,
      `{"mode": "observe", "nonsense": 1}`,
      "[".repeat(100_000),
      "\u0000",
      " ".repeat(2 * 1024 * 1024),
    ];
    for (const text of broken) {
      const project = write(root, "project.jsonc", text);
      const loaded = await loadPolicy({ user, project });
      assert.equal(loaded.policy.mode, "enforce");
      assert.deepEqual(loaded.policy.rules, { "git/x": "deny" });
      assert.equal(loaded.problems[0]?.layer, "project");
      assert.equal(loaded.problems[0]?.broken, true);
    }
  }));

Deno.test(
  "a FIFO, a directory or a loop of links never blocks",
  { ignore: Deno.build.os === "windows" },
  () =>
    withFiles(async (root) => {
      const fifo = join(root, "fifo");
      assert.ok(new Deno.Command("mkfifo", { args: [fifo] }).outputSync().success);
      const loop = join(root, "loop");
      Deno.symlinkSync(loop, loop);
      for (const path of [fifo, root, loop, "/dev/zero"]) {
        const loaded = await loadPolicy({ project: path });
        assert.equal(loaded.problems[0]?.broken, true, path);
        await assert.rejects(loadPolicy({ user: path }), GuardError);
      }
    }),
);

Deno.test("a link that leads nowhere is a broken policy, and is called what it is", {
  ignore: Deno.build.os === "windows",
}, () =>
  withFiles(async (root) => {
    const user = join(root, "policy.jsonc");
    Deno.symlinkSync("/nowhere/policy.jsonc", user);
    await assert.rejects(
      loadPolicy({ user }),
      /policy\.jsonc: .*it is a link to \/nowhere\/policy\.jsonc, which does not exist/,
    );
    const loaded = await loadPolicy({ project: user });
    assert.deepEqual(loaded.problems.map(({ broken }) => broken), [true]);
  }));

Deno.test("values that do not count are reported with their place", () =>
  withFiles(async (root) => {
    const project = write(
      root,
      "p.jsonc",
      `{\n  // loosens\n  "mode": "observe",\n  "rules": { "git/x": "off" }\n}`,
    );
    const loaded = await readPolicy({ project });
    assert.deepEqual(loaded.problems.map((p) => [p.line, p.column, p.broken]), [[3, 11, false], [
      4,
      23,
      false,
    ]]);
    assert.ok(problemText(loaded.problems[0] ?? assert.fail()).startsWith(`${project}:3:11: `));
  }));

Deno.test("own rules are compiled; a pattern that is none breaks the file", () =>
  withFiles(async (root) => {
    const rule = (match: string, id = "team/a") =>
      `{"ownRules": [{"id": "${id}", "title": "t", "decision": "deny", "advice": "a", "match": ${match}}]}`;
    const user = write(root, "user.jsonc", rule(`{"program": "kubectl", "text": "--context[= ]prod"}`));
    const loaded = await loadPolicy({ user });
    assert.deepEqual(loaded.policy.ownRules.map(({ id }) => id), ["team/a"]);
    assert.deepEqual(loaded.origins.ownRules, ["user"]);
    const broken = write(root, "broken.jsonc", rule(`{"text": "("}`, "team/b"));
    await assert.rejects(loadPolicy({ user: broken }), /own rule "team\/b"/);
    // The other layers still count.
    const both = await loadPolicy({ user, project: broken });
    assert.equal(both.policy.ownRules.length, 1);
    assert.equal(both.problems[0]?.broken, true);
  }));

Deno.test("a project's file full of mistakes is read in time, and only the first of them are told", () =>
  withFiles(async (root) => {
    const many = (member: (i: number) => string) =>
      Array.from({ length: 50_000 }, (_, i) => member(i)).join(",");
    const mistakes = {
      unknown: `{${many((i) => `"k${i}": 1`)}}`,
      loosening: `{"rules": {${many((i) => `"a/b${i}": "off"`)}}}`,
      repeated: `{${many(() => `"mode": "enforce"`)}}`,
    };
    const limit = 3000 * slowness();
    for (const [name, text] of Object.entries(mistakes)) {
      const project = write(root, `${name}.jsonc`, text);
      const started = usedTime();
      const { problems } = await loadPolicy({ project });
      const took = usedTime() - started;
      assert.ok(problems.length > 0 && problems.length <= 100, `${name}: ${problems.length} problems`);
      assert.ok(took < limit, `${name}: ${Math.round(took)} ms of CPU time, ${Math.round(limit)} at most`);
    }
  }));
