/** What belongs to a host: its adapter, its fixtures and what is generated from them. CONTRIBUTING.md tells how to add one. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { adapterIds } from "../adapters/registry.ts";
import type { HostAdapter } from "../src/types.ts";
import { generators } from "../tools/generate.ts";
import { payloadNames } from "./payloads.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The adapters by their files, not by the registry, which may not know them yet. */
async function adaptersByFile(): Promise<Map<string, HostAdapter>> {
  const found = new Map<string, HostAdapter>();
  for (const { name } of Deno.readDirSync(`${root}/adapters`)) {
    if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
    if (!/^export default adapter;$/m.test(Deno.readTextFileSync(`${root}/adapters/${name}`))) continue;
    const module: { default: HostAdapter } = await import(
      new URL(`../adapters/${name}`, import.meta.url).href
    );
    found.set(name, module.default);
  }
  return found;
}

const adapters = await adaptersByFile();

Deno.test("every adapter is in a file of its own, has an own id and is registered", () => {
  const ids = [...adapters.values()].map(({ id }) => id);
  assert.deepEqual(adapterIds.toSorted(), ids.toSorted(), "run: deno task generate");
  const names = [...adapters.values()].flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), [], "names of two hosts");
  for (const [file, { id }] of adapters) assert.equal(file, `${id.replaceAll("-", "_")}.ts`);
});

Deno.test("every adapter has its fixtures, and every folder of fixtures its adapter", () => {
  const fixtures = `${root}/tests/fixtures`;
  const folders = [...Deno.readDirSync(fixtures)].filter(({ isDirectory }) => isDirectory).map(({ name }) =>
    name
  );
  const ids = [...adapters.values()].map(({ id }) => id);
  assert.deepEqual(folders.filter((folder) => /^[a-z-]+$/.test(folder)).toSorted(), ids.toSorted());
  for (const { id, install, events } of adapters.values()) {
    const names = [...Deno.readDirSync(`${fixtures}/${id}`)].map(({ name }) => name);
    assert(
      names.includes("client.ts"),
      `${id}: write how its client reads a reply, in tests/fixtures/${id}/client.ts`,
    );
    if (install.length === 0) continue;
    assert(names.includes("replies.json"), `${id}: write its answers, in tests/fixtures/${id}/replies.json`);
    const payloads = payloadNames(id).map((name) =>
      JSON.parse(Deno.readTextFileSync(`${fixtures}/${id}/${name}`)) as { call: { event: string } }
    );
    // A payload for every kind of event that the host is stopped at.
    for (const kind of new Set(events.filter(({ gates }) => gates).map((event) => event.id))) {
      assert(payloads.some(({ call }) => call.event === kind), `${id}: no payload of a ${kind} event`);
    }
  }
});

Deno.test("what is generated from the adapters is fresh", async () => {
  const about = generators().filter((path) => /adapters|host/.test(path));
  assert(about.length >= 4, about.join(", "));
  await Promise.all(about.map(async (path) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", path, "--check"],
      cwd: root,
      stdout: "null",
      stderr: "piped",
    }).output();
    assert.equal(code, 0, `${path}: ${new TextDecoder().decode(stderr)}`);
  }));
});

Deno.test("the guide for a new host names what is checked here", () => {
  const guide = /^## Adding a host\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(
    Deno.readTextFileSync(`${root}/CONTRIBUTING.md`),
  )?.[1];
  assert(guide !== undefined, "CONTRIBUTING.md has no section on adding a host");
  for (const word of ["adapters/", "tests/fixtures/", "client.ts", "replies.json", "deno task generate"]) {
    assert(guide.includes(word), word);
  }
});
