import assert from "node:assert/strict";
import { join } from "node:path";
import { GuardError } from "../errors.ts";
import { loadPolicy } from "./load.ts";

async function withPlace(run: (root: string, state: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "guard-forms-" });
  try {
    await run(root, join(root, "state"));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function write(root: string, name: string, text: string): string {
  const path = join(root, name);
  Deno.writeTextFileSync(path, text);
  return path;
}

function kept(state: string): string[] {
  try {
    return [...Deno.readDirSync(join(state, "policy"))].map((entry) => entry.name).sort();
  } catch {
    return [];
  }
}

Deno.test("a kept form gives the same policy, and a changed text another one", () =>
  withPlace(async (root, state) => {
    const user = write(root, "user.jsonc", `{"rules": {"git/x": "off"}, /* c */ "protectedPaths": ["a"],}`);
    const project = write(root, "project.jsonc", `{"rules": {"git/x": "ask", "git/y": "off"}}`);
    const plain = await loadPolicy({ user, project });
    const first = await loadPolicy({ user, project, state });
    assert.equal(kept(state).length, 2);
    const second = await loadPolicy({ user, project, state });
    assert.deepEqual(first.policy, plain.policy);
    assert.deepEqual(second.policy, plain.policy);
    assert.deepEqual(second.problems.map((p) => p.message), plain.problems.map((p) => p.message));
    write(root, "user.jsonc", `{"rules": {"git/x": "deny"}}`);
    assert.deepEqual((await loadPolicy({ user, project, state })).policy.rules, { "git/x": "deny" });
  }));

Deno.test("the administrator's policy is neither kept nor taken from what a user can write", () =>
  withPlace(async (root, state) => {
    const managed = write(root, "managed.jsonc", `{"rules": {"git/x": "deny"}}`);
    await loadPolicy({ managed, state });
    assert.deepEqual(kept(state), []);
    const user = write(root, "user.jsonc", `{}`);
    await loadPolicy({ managed, user, state });
    assert.deepEqual(kept(state), ["user.json"]);
  }));

Deno.test("a form that is damaged, or of another text or version, does not count", () =>
  withPlace(async (root, state) => {
    const user = write(root, "user.jsonc", `{"mode": "observe"}`);
    await loadPolicy({ user, state });
    const path = join(state, "policy", "user.json");
    const good = JSON.parse(Deno.readTextFileSync(path));
    const loose = { mode: "enforce" };
    const damaged = ["", "{", "null", "[]", "7", JSON.stringify({ ...good, source: "{}", form: loose })];
    damaged.push(
      JSON.stringify({ ...good, guard: "0.0.0", form: loose }),
      JSON.stringify({ ...good, form: 1 }),
    );
    for (const text of damaged) {
      Deno.writeTextFileSync(path, text);
      assert.equal((await loadPolicy({ user, state })).policy.mode, "observe", text);
    }
  }));

Deno.test("a broken policy is not kept and fails every time", () =>
  withPlace(async (root, state) => {
    const user = write(root, "user.jsonc", `{"mode": 1}`);
    for (let i = 0; i < 2; i++) await assert.rejects(loadPolicy({ user, state }), GuardError);
    assert.deepEqual(kept(state), []);
  }));

Deno.test("a state that cannot be written changes nothing", () =>
  withPlace(async (root, state) => {
    Deno.writeTextFileSync(state, "");
    const user = write(root, "user.jsonc", `{"mode": "observe"}`);
    assert.equal((await loadPolicy({ user, state })).policy.mode, "observe");
  }));
