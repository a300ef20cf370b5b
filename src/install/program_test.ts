import assert from "node:assert/strict";
import { join } from "node:path";
import { checkPrograms } from "../doctor/general.ts";
import { sessionNotes } from "../session_start.ts";
import type { HostAdapter } from "../types.ts";
import { version } from "../version.ts";
import { looksReplaced, type Program, registeredProgram } from "./program.ts";
import { readReceipt, type Receipt, renewProgram, writeReceipt } from "./receipt.ts";

const host: Pick<HostAdapter, "id" | "install"> = { id: "claude", install: [] };

interface Place {
  readonly state: string;
  readonly path: string;
  readonly program: Program;
  /** Writes a receipt of an installation of this executable. */
  keep(program?: Program): Promise<void>;
}

async function installed(work: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-program-" }));
  const path = join(root, "guard");
  const state = join(root, "state");
  try {
    await Deno.writeTextFile(path, "guard itself");
    const program = await registeredProgram({ program: path, lead: [] });
    assert.ok(program !== undefined);
    const receipt: Receipt = {
      version: 1,
      host: host.id,
      scope: "user",
      path: join(root, "gone", "settings.json"),
      original: null,
      restorable: true,
      owned: true,
      after: "0".repeat(64),
      directories: [],
      created: [],
      filled: [],
    };
    const keep = (kept: Program = program) => writeReceipt(state, { ...receipt, program: kept });
    await keep();
    await work({ state, path, program, keep });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const notes = async (state: string) =>
  (await sessionNotes(host as HostAdapter, state)).map(({ text }) => text);
const statuses = async (state: string) => (await checkPrograms(state)).map(({ status }) => status);

Deno.test("what was registered is known by checksum, size, time and version", async () => {
  await installed(async ({ state, path, program }) => {
    const { size, mtime } = await Deno.stat(path);
    assert.deepEqual(program, {
      path,
      sha256: "8b0f113f61b737cfcaa4d13ff554d01a20338b967e826d93fb63ac71ebb2fc5d",
      size,
      modified: mtime?.getTime() ?? null,
      version,
    });
    assert.deepEqual(await notes(state), []);
    assert.deepEqual(await statuses(state), ["ok"]);
  });
});

Deno.test("an executable that was replaced is told at the beginning of a session, and by doctor", async () => {
  await installed(async ({ state, path, program }) => {
    await Deno.writeTextFile(path, "something else that lets everything pass");
    const [note, ...others] = await notes(state);
    assert.deepEqual(others, []);
    assert.match(
      note ?? "",
      /guard, which the hooks start, has been replaced .* guard doctor --host claude$/,
    );
    const [check] = await checkPrograms(state);
    assert.equal(check?.status, "problem");
    assert.ok(check?.detail.includes(program.sha256));
  });
});

Deno.test("one of the same size and time escapes a session, and not doctor", async () => {
  await installed(async ({ state, path, program }) => {
    await Deno.writeTextFile(path, "guard itselF");
    await Deno.utime(path, new Date(program.modified!), new Date(program.modified!));
    assert.deepEqual(await notes(state), []);
    assert.deepEqual(await statuses(state), ["problem"]);
  });
});

Deno.test("a new time alone is told, and installing again settles it", async () => {
  await installed(async ({ state, path }) => {
    await Deno.utime(path, new Date(0), new Date(0));
    assert.equal((await notes(state)).length, 1);
    assert.deepEqual(await statuses(state), ["ok"]);
    const receipt = join(path, "..", "gone", "settings.json");
    await renewProgram(state, receipt, await registeredProgram({ program: path, lead: [] }));
    assert.deepEqual(await notes(state), []);
    assert.equal((await readReceipt(state, receipt))?.program?.modified, 0);
  });
});

Deno.test("an upgrade in place is no alarm, and another program that calls guard is", async () => {
  await installed(async ({ state, path, program, keep }) => {
    const older = { ...program, version: "0.0.1" };
    await keep(older);
    await Deno.writeTextFile(path, "guard, newer");
    assert.equal(looksReplaced(older, path), false);
    assert.equal(looksReplaced(older, Deno.execPath()), true);
    assert.equal(looksReplaced(program, path), true);
    assert.deepEqual(await statuses(state), ["note"]);
  });
});

Deno.test("an executable that is gone is left to the host, which blocks then", async () => {
  await installed(async ({ state, path }) => {
    await Deno.remove(path);
    assert.deepEqual(await notes(state), []);
    assert.deepEqual(await statuses(state), []);
  });
});

Deno.test("a checkout, and what cannot be read, are not registered", async () => {
  assert.equal(await registeredProgram({ program: Deno.execPath(), lead: ["run"] }), undefined);
  assert.equal(await registeredProgram({ program: "/nowhere/guard", lead: [] }), undefined);
});
