import assert from "node:assert/strict";
import { join } from "node:path";
import { Script } from "node:vm";
import { deflateRawSync } from "node:zlib";
import { packsFrom, readPack } from "../src/packs.ts";
import { type Chunk, packsOf, packText, readChunk } from "./packs.ts";

async function read(sources: Readonly<Record<string, string>>): Promise<Map<string, Chunk>> {
  const chunks = new Map<string, Chunk>();
  for (const [name, source] of Object.entries(sources)) chunks.set(name, await readChunk(name, source));
  return chunks;
}

/** The chunks of each pack. */
async function shares(
  sources: Readonly<Record<string, string>>,
  roots: readonly string[],
  leading: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const packs = packsOf(await read(sources), roots, leading);
  return Object.fromEntries([...packs].map(([name, { chunks }]) => [name, chunks.toSorted()]));
}

Deno.test("chunks do the same out of packs", async () => {
  const chunks = await read({
    "a.js":
      'import{x as b,y}from"./c.js";import*as all from"./c.js";import z from"./c.js";import"./d.js";import{posix as p}from"node:path";' +
      'import n from"node:path";var later=async()=>[(await import("./e.js")).default(),(await import("node:path")).posix===p];' +
      'var text=`import{q}from"./none.js"`,r=/import("x")/;' +
      'var out=[b,y,all.x,z,p.join("a","b"),n.posix===p,text,typeof import.meta.url,this];' +
      "export{out,later as run};\n/*! a notice */\n",
    "c.js": "var x=1,$=2,d=3;export{x,$ as y,d as default};",
    "d.js": "globalThis.packsTest=(globalThis.packsTest??0)+1;",
    "e.js": 'import{x}from"./c.js";import"./d.js";function e(){return x+1}export{e as default};',
  });
  const packs = packsOf(chunks, ["a.js"], ["a.js"]);
  const packOf = (name: string) => [...packs].find(([, pack]) => pack.chunks.includes(name))![0];
  const loaded: string[] = [];
  const { load } = packsFrom((pack) => {
    loaded.push(pack);
    return new Script(packText(chunks, packs.get(pack)!.chunks, packOf));
  });
  const a = await load("a.js", "a.js") as { out: unknown[]; run: () => Promise<unknown[]> };
  const text = 'import{q}from"./none.js"';
  assert.deepEqual(a.out, [1, 2, 1, 3, "a/b", true, text, "string", undefined]);
  assert.deepEqual(loaded, ["a.js"]);
  assert.deepEqual(await a.run(), [2, true]);
  assert.deepEqual(loaded, ["a.js", "e.js"]);
  assert.equal(await load("a.js", "a.js"), a);
  assert.equal(Reflect.get(globalThis, "packsTest"), 1);
  assert.deepEqual(loaded, ["a.js", "e.js"]);
});

const sources = {
  "a.js": 'import"./s.js";(()=>import("./b.js"));(()=>import("./c.js"));',
  "b.js": 'import"./s.js";import"./t.js";import"./own.js";(()=>import("./d.js"));',
  "c.js": 'import"./t.js";import"./u.js";(()=>import("./d.js"));',
  "d.js": 'import"./s.js";import"./t.js";import"./u.js";(()=>import("./a.js"))',
  "other.js": 'import"./s.js";import"./v.js";',
  "own.js": "",
  "s.js": "",
  "t.js": "",
  "u.js": 'import"./v.js"//',
  "v.js": "",
};

Deno.test("a chunk is in one pack, which holds what the same entries need", async () => {
  assert.deepEqual(await shares(sources, ["a.js", "other.js"]), {
    "a.js": ["a.js"],
    "b.js": ["b.js", "own.js"],
    "c.js": ["c.js"],
    "d.js": ["d.js"],
    "other.js": ["other.js"],
    "s.js": ["s.js"],
    "t.js": ["t.js"],
    "u.js": ["u.js"],
    "v.js": ["v.js"],
  });
});

Deno.test("what a leading entry needs is in its pack", async () => {
  assert.deepEqual(await shares(sources, ["a.js", "other.js"], ["a.js", "c.js"]), {
    "a.js": ["a.js", "s.js"],
    "b.js": ["b.js", "own.js"],
    "c.js": ["c.js", "t.js", "u.js", "v.js"],
    "d.js": ["d.js"],
    "other.js": ["other.js"],
  });
});

Deno.test("what very many entries need is in the first pack", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}.js`);
  const packs = await shares(
    {
      "a.js": names.map((name) => `import("./${name}");`).join(""),
      ...Object.fromEntries(names.map((name) => [name, 'import"./s.js";'])),
      "s.js": "",
    },
    ["a.js"],
    ["a.js"],
  );
  assert.deepEqual(packs["a.js"], ["a.js", "s.js"]);
  assert.deepEqual(packs["p3.js"], ["p3.js"]);
});

Deno.test("a chunk that needs one of another pack has it read", async () => {
  const chunks = await read(sources);
  const packs = packsOf(chunks, ["a.js", "other.js"]);
  const packOf = (name: string) => [...packs].find(([, pack]) => pack.chunks.includes(name))![0];
  const loaded: string[] = [];
  const { load } = packsFrom((pack) => {
    loaded.push(pack);
    if (pack === "v.js") throw new Error("unreadable");
    return new Script(packText(chunks, packs.get(pack)!.chunks, packOf));
  });
  await load("b.js", "b.js");
  assert.deepEqual(loaded, ["b.js", "s.js", "t.js"]);
  await assert.rejects(load("c.js", "c.js"), /unreadable/);
  await assert.rejects(load("none.js", "b.js"), /expected none\.js in the pack b\.js/);
});

Deno.test("what a function cannot do as a module does is refused", async () => {
  await assert.rejects(readChunk("a.js", "export var a=1;"), /one list of exports/);
  await assert.rejects(readChunk("a.js", 'export*from"./b.js";'), /one list of exports/);
  await assert.rejects(readChunk("a.js", "var a;export{a};a=1;"), /one list of exports/);
  await assert.rejects(readChunk("a.js", "import(x);"), /imports of names/);
  await assert.rejects(readChunk("a.js", "var a=1;function f(){a=2}export{a,f};"), /a is assigned twice/);
  await assert.rejects(readChunk("a.js", "var $=1;function f(){$++}export{$};"), /\$ is assigned twice/);
  await readChunk("a.js", "var $=1,a=b=>b.$===1?`--${b}`:{a:1},c=a=>a==$;export{$,a,c};");
  await assert.rejects(
    shares({ "a.js": 'import"./b.js";', "b.js": 'import"./a.js";' }, ["a.js"]),
    /need each other: a\.js -> b\.js -> a\.js/,
  );
});

Deno.test("packs are read as they were written, whatever was compiled for them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const compilations = [
      () => new Uint8Array(),
      (script: Script) => script.createCachedData(),
      () => new Uint8Array(64).fill(7),
    ];
    for (const [index, compilation] of compilations.entries()) {
      // Each time another text, since V8 keeps what it has compiled in this process.
      const text = `"use strict";({"a.js":function(){return{f(){return"…${index}"}}}})`;
      const script = new Script(text);
      script.runInThisContext()["a.js"]().f();
      await Deno.writeTextFile(join(folder, "a.js"), text);
      await Deno.writeFile(join(folder, "a.js.compiled"), compilation(script));
      await Deno.writeFile(join(folder, "a.js.z"), deflateRawSync(text));
      for (const pack of ["a.js", "a.js.z"]) {
        const { load } = packsFrom((name) => readPack(folder, name));
        const { f } = await load("a.js", pack) as { f: () => string };
        assert.equal(f(), `…${index}`);
      }
    }
    const { load } = packsFrom((name) => readPack(folder, name));
    await assert.rejects(load("b.js", "b.js"), Deno.errors.NotFound);
    await assert.rejects(load("b.js", "b.js.z"), Deno.errors.NotFound);
    await Deno.writeFile(join(folder, "b.js.z"), new Uint8Array(64).fill(7));
    await assert.rejects(load("b.js", "b.js.z"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
