/** Packs the chunks of a bundle for src/packs.ts: each chunk becomes a function, each entry a script of the chunks that it needs. */

import { init, parse } from "es-module-lexer";

/** A chunk as a bundler with code splitting writes it: a module with its imports and one list of exports at the end. */
export interface Chunk {
  /** Chunks that are loaded with it. */
  readonly statics: readonly string[];
  /** Chunks that it may load later: entries. */
  readonly dynamics: readonly string[];
  /** The same code as the text of a function, which takes `__need`, `__load` and `__meta` and returns the exports. */
  code(packOf: PackOf): string;
}

/** Gives the name of the file of the pack that a chunk is in. */
export type PackOf = (chunk: string) => string;

interface Edit {
  readonly start: number;
  readonly end: number;
  text(packOf: PackOf): string;
}

/**
 * Reads a module as a chunk.
 *
 * @param name its path from the directory of the bundle
 * @throws Error for what a function cannot do as a module does, as exports other than in one list.
 */
export async function readChunk(name: string, source: string): Promise<Chunk> {
  await init();
  const [imports, exports] = parse(source, name);
  const statics: string[] = [];
  const dynamics: string[] = [];
  const edits: Edit[] = [];
  for (const one of imports) {
    const { importStart: start, importEnd: end } = one;
    if (one.type === "import-meta") {
      edits.push({ start, end, text: () => "__meta" });
      continue;
    }
    if (one.specifier === undefined) {
      throw new Error(`${name}: expected imports of names, found ${source.slice(start, end)}`);
    }
    const target = resolved(one.specifier, name);
    if (one.type === "dynamic") {
      dynamics.push(target);
      edits.push({ start, end, text: (packOf) => `__load(${place(target, packOf)})` });
    } else {
      if (!source.startsWith("import", start)) {
        throw new Error(`${name}: expected one list of exports at the end`);
      }
      statics.push(target);
      const names = bindings(source.slice(start, end));
      const binding = names === "" ? "" : `const ${names}=`;
      edits.push({ start, end, text: (packOf) => `${binding}__need(${place(target, packOf)})` });
    }
  }
  const start = exports[0]?.exportStart ?? source.length;
  const list = /^export\s*\{([^{}]*)\};?((?:\s|\/\*[\s\S]*?\*\/)*)$/.exec(source.slice(start));
  if (exports.length > 0 && list === null) {
    throw new Error(`${name}: expected one list of exports at the end`);
  }
  for (const local of members(list?.[1] ?? "", "$1").split(",")) {
    if (local !== "" && timesAssigned(source, local) > 1) {
      const exported = members(list?.[1] ?? "", "$1=$2").split(",").find((one) =>
        one.startsWith(`${local}=`)
      );
      throw new Error(
        `${name}: expected exports that keep their value, but ${local} is assigned twice (exported as ` +
          `${
            exported?.slice(local.length + 1) ?? local
          }); export a function that returns it, or an object that holds it`,
      );
    }
  }
  // On a line of its own, since a module without exports may end in a comment or without a semicolon.
  const returned = `\n;return{${members(list?.[1] ?? "", "$2:$1")}}`;
  edits.push({ start, end: source.length, text: () => returned });
  edits.sort((a, b) => a.start - b.start);
  const code = (packOf: PackOf) => {
    let text = "";
    let at = 0;
    for (const edit of edits) {
      text += source.slice(at, edit.start) + edit.text(packOf);
      at = edit.end;
    }
    return `function(__need,__load,__meta){${text}}`;
  };
  return { statics, dynamics, code };
}

/**
 * How often a name is given a value in minified code. Whoever needs a chunk takes the values of its exports once, after it
 * has run, so that an export which changes later would keep its first value for them.
 *
 * This searches text and knows no scopes. Where another scope uses the name too, it counts more than there is: the build
 * stops for nothing, and says what to do. What it does not see is an export that is declared without a value and set
 * once later, or set by taking apart a list or an object: that one is undefined for everybody from the beginning, which
 * the tests of the executable show.
 */
function timesAssigned(source: string, name: string): number {
  const escaped = name.replaceAll("$", "\\$");
  const given = String
    .raw`(?<![\w$.])${escaped}(?:(?:[-+*/|&?^%]|\*\*|<<|>>>?|\?\?|&&|\|\|)?=(?![=>])|\+\+|--)`;
  const counted = String.raw`(?:\+\+|--)${escaped}(?![\w$]|\{)`;
  return [...source.matchAll(new RegExp(`${given}|${counted}`, "g"))].length;
}

/** The arguments for a chunk, or a module of Node. */
function place(name: string, packOf: PackOf): string {
  const names = name.startsWith("node:") ? [name] : [name, packOf(name)];
  return names.map((text) => JSON.stringify(text)).join(",");
}

/** A specifier of a chunk as a path from the directory of the bundle. */
function resolved(specifier: string, from: string): string {
  if (!specifier.startsWith(".")) return specifier;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

/** The names that an import binds, as a pattern: `{a:b,default:c}`, a name for all of them, or nothing. */
function bindings(statement: string): string {
  const clause = /^import\s*(.*?)\s*(?:from\s*)?["']/s.exec(statement)![1]!;
  const parts = /^(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{(.*)\})?$/s.exec(clause);
  if (parts === null || (parts[1] !== undefined && parts[2] !== undefined)) {
    throw new Error(`expected an import of names, found ${statement}`);
  }
  const [, byDefault, all, list] = parts;
  if (all !== undefined) return all;
  const bound = [members(list ?? "", "$1:$2"), byDefault === undefined ? "" : `default:${byDefault}`]
    .filter((text) => text !== "").join(",");
  return bound === "" ? "" : `{${bound}}`;
}

/** The members of a list of imports or exports, `a as b` in the form that is asked for. */
function members(list: string, form: string): string {
  const names = list.split(",").map((text) => text.trim()).filter((text) => text !== "");
  return names.map((text) => text.replace(/^(\S+)\s+as\s+(\S+)$/, form)).join(",");
}

type Chunks = ReadonlyMap<string, Chunk>;

/** The chunks that are loaded with this one, itself included. @throws Error when they need each other in a circle. */
function closure(chunks: Chunks, entry: string): Set<string> {
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (name: string) => {
    if (open.has(name)) throw new Error(`chunks need each other: ${[...open, name].join(" -> ")}`);
    const chunk = chunks.get(name);
    if (chunk === undefined || done.has(name)) return;
    open.add(name);
    chunk.statics.forEach(visit);
    open.delete(name);
    done.add(name);
  };
  visit(entry);
  return done;
}

/** What is loaded together. */
export interface Pack {
  readonly chunks: readonly string[];
  /** What is imported by others, or by nobody but the program's own entry, and needs something of it. */
  readonly entries: readonly string[];
}

/** Entries that have so much in common have it in the pack of the first of the leading ones. */
const common = 12;

/**
 * The packs, by name. A chunk is in one pack only: with the first of the `leading` entries that needs it, or else with what
 * the very same entries need.
 *
 * @param roots entries that no chunk imports
 */
export function packsOf(
  chunks: Chunks,
  roots: readonly string[],
  leading: readonly string[] = [],
): Map<string, Pack> {
  const imported = [...chunks.values()].flatMap(({ dynamics }) => dynamics).filter((name) =>
    chunks.has(name)
  );
  const entriesOf = new Map<string, string[]>();
  for (const entry of new Set([...roots, ...imported])) {
    for (const name of closure(chunks, entry)) {
      entriesOf.set(name, [...entriesOf.get(name) ?? [], entry]);
    }
  }
  const packs = new Map<string, { chunks: string[]; entries: string[] }>();
  for (const [name, entries] of entriesOf) {
    const lead = leading.find((entry) => entries.includes(entry)) ??
      (entries.length < common ? undefined : leading[0]);
    const pack = lead === undefined ? entries : [lead];
    const key = pack.join("+");
    if (!packs.has(key)) packs.set(key, { chunks: [], entries: pack });
    packs.get(key)!.chunks.push(name);
  }
  // A pack of several entries is named after one of its chunks.
  return new Map([...packs.values()].map((pack) => {
    const [entry, ...others] = pack.entries;
    return [others.length === 0 ? entry! : pack.chunks[0]!, pack];
  }));
}

/** The script of a pack: an object of its chunks. */
export function packText(chunks: Chunks, names: readonly string[], packOf: PackOf): string {
  const written = names.map((name) => `${JSON.stringify(name)}:${chunks.get(name)!.code(packOf)}`);
  return `"use strict";({${written.join(",\n")}})`;
}
