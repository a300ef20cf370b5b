/**
 * Makes the executable: bundles the project into chunks (so that what is imported lazily is also loaded lazily), puts them
 * into packs (src/packs.ts), has V8 compile what a hook uses of them, and embeds all of it into Deno's runtime. Deno's own code
 * cache is left out, since it would be read from a place that others can write.
 *
 *   deno task compile [--target TRIPLE] [--output PATH]
 *
 * DENORT_BIN, when set, names the runtime to embed into, as for `deno compile` itself.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { deflated } from "../src/packs.ts";
import { ascii } from "./ascii.ts";
import { checkVersion, deno, projectVersion, root } from "./deno.ts";
import { type Chunk, packsOf, packText, readChunk } from "./packs.ts";
import { recordedCalls } from "./recorded_calls.ts";

/** The platforms that a release is made for, and the name of the asset of each. */
export const targets: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-gnu": "guard-linux-x64",
  "aarch64-unknown-linux-gnu": "guard-linux-arm64",
  "x86_64-apple-darwin": "guard-macos-x64",
  "aarch64-apple-darwin": "guard-macos-arm64",
  "x86_64-pc-windows-msvc": "guard-windows-x64.exe",
};

/**
 * What the executable may do: files, environment, child processes (git, and the shell for `doctor`), and to ask who the user is. No
 * network, no foreign functions, no imports. Programs are not listed by name: Deno looks listed names up at every
 * start and prints a line for each that is missing, and a list with a shell in it limits nothing.
 */
export const permissions: readonly string[] = [
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
  "--allow-sys=homedir,uid,gid,hostname,osRelease,cpus",
  "--deny-net",
  "--deny-ffi",
  "--deny-import",
];

interface Embedding {
  /** Executable to write, without `.exe`, which is added for Windows. */
  readonly output: string;
  /** Directory of the chunks; what else lies in it is embedded too. */
  readonly chunks: string;
  readonly target?: string;
}

export interface CompileOptions extends Embedding {
  /** Entry module. */
  readonly entry: string;
}

async function succeed(what: string, code: Promise<number>): Promise<void> {
  const actual = await code;
  if (actual !== 0) throw new Error(`${what} failed with exit code ${actual}; its output is above`);
}

/** Bundles entries into a directory, which is emptied first. */
async function bundle(entries: readonly string[], chunks: string): Promise<void> {
  await Deno.remove(chunks, { recursive: true }).catch(() => {});
  await Deno.mkdir(chunks, { recursive: true });
  const args = ["bundle", "--quiet", "--minify", "--code-splitting", "--frozen", "--outdir", chunks];
  await succeed("deno bundle", deno([...args, ...entries], { quiet: true }));
}

/** Embeds the chunks of an entry into the runtime. @returns the path of the executable. */
async function embed(entry: string, { output, chunks, target }: Embedding): Promise<string> {
  if (target !== undefined && Deno.env.get("DENORT_BIN") && target !== Deno.build.target) {
    throw new Error(`--target ${target} and DENORT_BIN contradict each other; unset DENORT_BIN`);
  }
  const windows = target === undefined ? Deno.build.os === "windows" : target.includes("windows");
  const path = windows && !output.endsWith(".exe") ? `${output}.exe` : output;
  const main = entry.replaceAll("\\", "/").split("/").at(-1)!.replace(/\.ts$/, ".js");
  const names = [...Deno.readDirSync(chunks)].map((file) => file.name);
  if (!names.includes(main)) throw new Error(`deno bundle wrote no ${main} into ${chunks}`);
  const includes = names.filter((name) => name !== main).toSorted()
    .flatMap((name) => ["--include", `${chunks}/${name}`]);
  // Other modules of the checkout must not get in, so the checkout's own configuration is left out.
  const args = ["compile", "--quiet", "--no-check", "--no-config", "--no-lock", "--no-npm", "--no-remote"];
  args.push("--no-code-cache", ...permissions, ...includes, "--output", path);
  if (target !== undefined) args.push("--target", target);
  await succeed("deno compile", deno([...args, `${chunks}/${main}`], { quiet: true }));
  return path;
}

/** Bundles and compiles. @returns the path of the executable. @throws Error when a step fails. */
export async function compile({ entry, ...embedding }: CompileOptions): Promise<string> {
  await bundle([entry], embedding.chunks);
  return await embed(entry, embedding);
}

/** Compiles the project itself, whose chunks go into packs. */
export async function compileGuard(output = `${root}/dist/guard`, target?: string): Promise<string> {
  const entry = `${root}/main_packed.ts`;
  const chunks = `${root}/dist/chunks`;
  const packs = await makePacks(`${root}/dist/packs`);
  // V8 of another platform would not take up what V8 of this one has compiled.
  const native = target === undefined || target === Deno.build.target;
  const compiled = native ? await record(packs, `${root}/dist/recorder`) : new Map<string, Uint8Array>();
  await bundle([entry], chunks);
  await Deno.mkdir(`${chunks}/packs`);
  for (const [name, text] of packs) writePack(`${chunks}/packs/${name}`, text, compiled.get(name));
  return await embed(entry, { chunks, output, target });
}

/** What is imported by nobody: the hook, the server, the command line. */
const roots = ["hook.js", "serve.js", "cli/main.js"];
/** What most calls load, so that what others need too is there. */
const leading = ["hook", "verdict", "filesystem", "grants", "understand", "claude"];
/** What is needed all day. Other packs are deflated, since the runtime reads all that is embedded whenever it starts. */
const atHand = ["hook", "verdict", "filesystem", "grants", "claude", "codex", "cursor", "gemini"];
/** Packs of which what V8 has compiled saves more than it takes to read. */
const precompiled = ["hook", "verdict", "filesystem"];

/** Whether an entry of the bundle is one of these modules. */
function isOneOf(modules: readonly string[], entry: string): boolean {
  return modules.includes(entry.replace(/(?:-[A-Z0-9]{8})?\.js$/, ""));
}

/** The entry of a module among the chunks. @throws Error when there is not exactly one. */
function entryOf(chunks: ReadonlyMap<string, Chunk>, module: string): string {
  const found = [...chunks.keys()].filter((name) => isOneOf([module], name));
  if (found.length !== 1) {
    throw new Error(`expected one chunk for the module ${module}, found ${found.join(", ") || "none"}`);
  }
  return found[0]!;
}

/** The texts of the packs, by the names of their files. @param folder where the bundle goes */
async function makePacks(folder: string): Promise<ReadonlyMap<string, string>> {
  await bundle(roots.map((entry) => `${root}/src/${entry.replace(/js$/, "ts")}`), folder);
  const chunks = new Map<string, Chunk>();
  for (const path of filesBelow(folder)) {
    chunks.set(path, await readChunk(path, ascii(Deno.readTextFileSync(`${folder}/${path}`))));
  }
  const packs = packsOf(chunks, roots, leading.map((module) => entryOf(chunks, module)));
  const plain = new Set(atHand.map((module) => entryOf(chunks, module)));
  const fileOf = new Map<string, string>();
  for (const [name, pack] of packs) {
    const file = name.replaceAll("/", "-") +
      (pack.entries.some((entry) => plain.has(entry)) ? "" : deflated);
    for (const chunk of pack.chunks) fileOf.set(chunk, file);
  }
  return new Map([...packs.values()].map((pack) => [
    fileOf.get(pack.chunks[0]!)!,
    packText(chunks, pack.chunks, (chunk) => fileOf.get(chunk)!),
  ]));
}

function filesBelow(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(`${folder}/${prefix}`)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(folder, `${prefix}${name}/`) : [prefix + name]
  );
}

function writePack(path: string, text: string, compiled: Uint8Array = new Uint8Array()): void {
  if (path.endsWith(deflated)) {
    Deno.writeFileSync(path, deflateRawSync(text, { level: 9 }));
  } else {
    Deno.writeTextFileSync(path, text);
    Deno.writeFileSync(`${path}.compiled`, compiled);
  }
}

/** What V8 compiles of the packs when the hook is called, by their names. @param folder where it is recorded */
async function record(packs: ReadonlyMap<string, string>, folder: string): Promise<Map<string, Uint8Array>> {
  const entry = `${root}/tools/record_packs.ts`;
  const chunks = `${folder}/chunks`;
  await bundle([entry], chunks);
  await Deno.mkdir(`${chunks}/packs`);
  for (const [name, text] of packs) writePack(`${chunks}/packs/${name}`, text);
  const recorder = await embed(entry, { chunks, output: `${folder}/record` });
  const place = await Deno.makeTempDir({ prefix: "guard-packs-" });
  try {
    await Deno.mkdir(`${place}/compiled`);
    const child = new Deno.Command(recorder, {
      args: [`${place}/compiled`],
      cwd: place,
      clearEnv: true,
      env: { HOME: place, USERPROFILE: place, PATH: Deno.env.get("PATH") ?? "", TMPDIR: place, TEMP: place },
      stdin: "piped",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const calls = new Blob([JSON.stringify(recordedCalls(place))]);
    const [{ code, stderr }] = await Promise.all([child.output(), calls.stream().pipeTo(child.stdin)]);
    if (code !== 0) throw new Error(`recording of packs failed: ${new TextDecoder().decode(stderr)}`);
    const found = [...packs.keys()].flatMap((name): [string, Uint8Array][] => {
      const path = `${place}/compiled/${name}.compiled`;
      return isOneOf(precompiled, name) && existsSync(path) ? [[name, Deno.readFileSync(path)]] : [];
    });
    return new Map(found);
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

if (import.meta.main) {
  checkVersion();
  const { values } = parseArgs({
    args: Deno.args,
    options: { target: { type: "string" }, output: { type: "string" } },
  });
  if (values.target !== undefined && !(values.target in targets)) {
    console.error(`unknown target ${values.target}; one of: ${Object.keys(targets).join(", ")}`);
    Deno.exit(64);
  }
  const output = await compileGuard(values.output, values.target).catch((error: Error) => {
    console.error(`compile: ${error.message}`);
    console.error(
      "Where Deno's download host is out of reach, DENORT_BIN names a runtime on disk to embed into.",
    );
    Deno.exit(1);
  });
  const chunks = `${root}/dist/chunks`;
  const embedded = filesBelow(chunks).map((path) => Deno.statSync(`${chunks}/${path}`).size);
  console.log(
    `${output}: guard ${projectVersion()}, ${megabytes(Deno.statSync(output).size)}, of which embedded ${
      megabytes(embedded.reduce((sum, size) => sum + size, 0))
    }`,
  );
}
