/** The shape of the module graph: who may know whom, and how little the hook loads. */

import assert from "node:assert/strict";
import { join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { adapterIds } from "../adapters/registry.ts";
import { version } from "../src/version.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

interface Module {
  readonly path: string;
  readonly text: string;
  /** Specifiers whose code is loaded with this module; imports of types load nothing. */
  readonly statics: readonly string[];
  readonly types: readonly string[];
  readonly dynamics: readonly string[];
}

function files(folder: string): string[] {
  const found: string[] = [];
  for (const entry of Deno.readDirSync(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...files(path));
    else if (entry.name.endsWith(".ts")) found.push(path);
  }
  return found;
}

/** Comments and the insides of template literals would look like imports to the patterns below. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

function parse(path: string): Module {
  const text = withoutComments(Deno.readTextFileSync(join(root, path)));
  const statics: string[] = [];
  const types: string[] = [];
  for (const match of text.matchAll(/^(import|export)\s+(type\s+)?([^;"]*?\sfrom\s+)?"([^"\n]+)"/gm)) {
    const [, , type, clause = "", specifier = ""] = match;
    const names = /\{([\s\S]*)\}/.exec(clause)?.[1]?.split(",").map((name) => name.trim()).filter(Boolean) ??
      [];
    const onlyTypes = names.length > 0 && !/^[A-Za-z_$*]/.test(clause.trim()) &&
      names.every((name) => name.startsWith("type "));
    (type !== undefined || onlyTypes ? types : statics).push(resolved(path, specifier));
  }
  const dynamics = [...text.matchAll(/\bimport\(\s*"([^"\n]+)"\s*\)/g)].map((match) =>
    resolved(path, match[1] ?? "")
  );
  return { path, text, statics, types, dynamics };
}

function resolved(from: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;
}

const modules = new Map(
  ["main.ts", "main_packed.ts", ...files("src"), ...files("adapters"), ...files("rules")].map((
    path,
  ) => [path, parse(path)]),
);

/** The id of the host that a module would be the adapter of. */
function hostOf(path: string): string {
  return /^adapters\/([a-z_]+)\.ts$/.exec(path)?.[1]?.replaceAll("_", "-") ?? "";
}

function isTest(path: string): boolean {
  return path.endsWith("_test.ts");
}

/** Everything that is loaded when this module is, itself included. */
function graph(entry: string): Set<string> {
  const seen = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    open.push(...modules.get(path)?.statics ?? []);
  }
  return seen;
}

/** What modules with this prefix may import, types included. */
function assertKnowsOnly(prefix: string, allowed: readonly (string | RegExp)[]): void {
  for (const { path, statics, types, dynamics } of modules.values()) {
    if (!path.startsWith(prefix) || isTest(path)) continue;
    for (const target of [...statics, ...types, ...dynamics]) {
      const fine = allowed.some((one) => typeof one === "string" ? one === target : one.test(target));
      assert(fine, `${path} must not know ${target}`);
    }
  }
}

Deno.test("every import leads to a module of the project or a declared dependency", () => {
  const declared = Object.keys(JSON.parse(Deno.readTextFileSync(join(root, "deno.json"))).imports);
  for (const { path, statics, types, dynamics } of modules.values()) {
    if (isTest(path)) continue;
    for (const target of [...statics, ...types, ...dynamics]) {
      const known = modules.has(target) || target.startsWith("node:") || declared.includes(target) ||
        target.endsWith(".json");
      assert(known, `${path} imports ${target}`);
    }
  }
});

Deno.test("adapters know the types, a few helpers, and no other host", () => {
  assertKnowsOnly("adapters/", [
    "src/types.ts",
    "src/shell/model.ts",
    "src/errors.ts",
    "src/block.ts",
    "src/decode.ts",
    "src/native_path.ts",
    "src/value_texts.ts",
    "node:path",
    /^adapters\//,
  ]);
  for (const { path, statics, types } of modules.values()) {
    if (!path.startsWith("adapters/") || isTest(path) || path === "adapters/registry.ts") continue;
    for (const target of [...statics, ...types]) {
      const host = hostOf(target);
      assert(!adapterIds.includes(host), `${path} knows the host ${target}`);
    }
  }
});

Deno.test("rules know no host, no command line, and no I/O", () => {
  for (const { path, statics, types, dynamics, text } of modules.values()) {
    if (!path.startsWith("rules/") || isTest(path)) continue;
    for (const target of [...statics, ...types, ...dynamics]) {
      assert(
        !/^(?:adapters|src\/cli|src\/install|src\/doctor|src\/facts|src\/policy|src\/hook|src\/audit|src\/grants)/
          .test(target),
        `${path} must not know ${target}`,
      );
      assert(!target.startsWith("node:") || target === "node:path", `${path} must not use ${target}`);
    }
    assertNoInputOutput(path, text);
  }
});

Deno.test("judging does no I/O", () => {
  // Some parts of understanding are loaded only when an action needs them.
  const parts = modules.get("src/parts.ts")?.dynamics ?? [];
  assert(parts.includes("src/shell/understand.ts"));
  for (const path of new Set(["src/judge.ts", ...parts].flatMap((entry) => [...graph(entry)]))) {
    const module = modules.get(path);
    if (module === undefined) {
      assert(["node:path", "unbash"].includes(path), `judging loads ${path}`);
    } else assertNoInputOutput(path, module.text);
  }
});

/** Names of the system's interfaces may occur in what is searched for, but not in code. */
function assertNoInputOutput(path: string, text: string): void {
  const strings = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
  const patterns = /(?<=[=(,:[?&|!]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/[a-z]*/g;
  const code = text.replaceAll(patterns, '""').replaceAll(strings, '""');
  const found =
    /\bDeno\.(?!build\b)\w+|\bgetBuiltinModule\b|\bfetch\(|\bprocess\.(?:env|cwd|exit|kill|std\w+)\b/.exec(
      code,
    );
  assert(found === null, `${path} uses ${found?.[0]}`);
}

Deno.test("the core never imports the command line", () => {
  for (const { path, statics, types, dynamics } of modules.values()) {
    if (!path.startsWith("src/") || path.startsWith("src/cli/") || isTest(path)) continue;
    for (const target of [...statics, ...types, ...dynamics]) {
      assert(!target.startsWith("src/cli/"), `${path} imports ${target}`);
    }
  }
});

Deno.test("the hook loads few modules, one adapter, and none of the heavy libraries", () => {
  const loaded = graph("src/hook.ts");
  const lazyRules = new Set(modules.get("rules/registry.ts")?.dynamics);
  assert(lazyRules.size > 0);
  const outside = [...loaded].filter((path) => !modules.has(path)).sort();
  assert.deepEqual(outside.filter((path) => !["node:path", "node:process", "unbash"].includes(path)), []);
  for (const path of loaded) {
    assert(!/^src\/(?:cli|install|doctor)\//.test(path), `the hook loads ${path}`);
    assert(!lazyRules.has(path), `the hook loads ${path} for every call`);
    const host = hostOf(path);
    assert(!adapterIds.includes(host), `the hook loads the adapter ${path} for every host`);
  }
  assert(loaded.size <= 75, `the hook loads ${loaded.size} modules: ${[...loaded].sort().join(" ")}`);
});

Deno.test("the entry point loads nothing before it knows what is asked", () => {
  assert.deepEqual(modules.get("main.ts")?.statics, []);
  const packed = [...graph("main_packed.ts")].sort();
  assert.deepEqual(packed, ["main_packed.ts", "src/native_path.ts", "src/packs.ts", "src/posix_path.ts"]);
});

Deno.test("the entry point of the executable does what that of the source does", () => {
  const plain = modules.get("main.ts")!.text;
  const packed = modules.get("main_packed.ts")!.text;
  const asPacked = plain.replaceAll(/import\("(\.\/src\/(\S+)\.ts)"\)/g, (_, path, name) => {
    const pack = `${name}.js${name === "hook" ? "" : ".z"}`.replaceAll("/", "-");
    return `load("${name}.js", "${pack}") as typeof import("${path}")`;
  });
  assert.notEqual(asPacked, plain);
  assert(packed.trimEnd().endsWith(asPacked.trim()));
});

Deno.test("the generated registry of adapters is up to date", () => {
  const text = Deno.readTextFileSync(join(root, "adapters/registry.ts"));
  for (const path of files("adapters")) {
    const isAdapter = /^export default adapter;$/m.test(Deno.readTextFileSync(join(root, path)));
    const listed = text.includes(`import("./${relative("adapters", path)}")`);
    assert.equal(listed, isAdapter, `${path}: run deno run -A tools/generate_registry_adapters.ts`);
  }
});

Deno.test("the version in the code is the version of the project", () => {
  const { version: declared } = JSON.parse(Deno.readTextFileSync(join(root, "deno.json")));
  assert.equal(version, declared);
});
