/**
 * The code of the executable in packs (tools/packs.ts). A pack is a script that holds chunks as functions. A pack that is
 * needed all day lies there as text, with what V8 had compiled of it when the executable was made: taking that up costs a
 * fraction of compiling. V8 does so for the same text, version and settings, and compiles the text otherwise. The other packs
 * are deflated, since the runtime reads all that is embedded whenever it starts.
 *
 * Packs are read from within the executable, where nobody else can write.
 */

import type { Script } from "node:vm";
import { node } from "./native_path.ts";

type Module = Readonly<Record<string, unknown>>;
/** Gives the exports of a chunk that is in this pack, or of a module of Node, which is in none. */
type Need = (name: string, pack?: string) => Module;
/** A chunk: gives its exports, from others that it needs and others that it may load later. */
type Chunk = (need: Need, load: (name: string, pack?: string) => Promise<Module>, meta: ImportMeta) => Module;

/** What ends the name of a pack that is deflated. */
export const deflated = ".z";

/** Chunks out of packs, which are read when a chunk is asked for that is not there yet. */
export interface Packs {
  /** The exports of a chunk that is in this pack, or of a module of Node, which is in none; rejects as an import does. */
  load(name: string, pack?: string): Promise<Module>;
}

export function packsFrom(scriptOf: (pack: string) => Script): Packs {
  const chunks: Record<string, Chunk> = {};
  const modules: Record<string, Module> = {};
  const run = (name: string, pack: string): Module => {
    if (chunks[name] === undefined) Object.assign(chunks, scriptOf(pack).runInThisContext());
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`expected ${name} in the pack ${pack}, found no such chunk`);
    // Without `this`, as in a module.
    return chunk(need, load, import.meta);
  };
  const need: Need = (name, pack) => modules[name] ??= pack === undefined ? builtIn(name) : run(name, pack);
  // deno-lint-ignore require-await -- what fails is a rejection, as with an import.
  const load = async (name: string, pack?: string): Promise<Module> => need(name, pack);
  return { load };
}

function builtIn(name: string): Module {
  const module = node().getBuiltinModule(name) as unknown as Module;
  return { ...module, default: module };
}

/** The script of a pack in a directory. An empty file beside it stands for nothing compiled. */
export function readPack(directory: string, pack: string): Script {
  const { Script } = node().getBuiltinModule("node:vm");
  const path = `${directory}/${pack}`;
  if (pack.endsWith(deflated)) {
    const { inflateRawSync } = node().getBuiltinModule("node:zlib");
    return new Script(inflateRawSync(Deno.readFileSync(path)).toString(), { filename: pack });
  }
  const cachedData = Deno.readFileSync(`${path}.compiled`);
  return new Script(Deno.readTextFileSync(path), {
    filename: pack,
    ...(cachedData.length === 0 ? {} : { cachedData }),
  });
}
