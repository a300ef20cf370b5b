/**
 * Makes the executable: bundles main.ts into chunks (so that what is imported lazily is also loaded lazily), then embeds
 * the chunks into Deno's runtime without a code cache, since a cache would be read from a place that others can write.
 *
 *   deno task compile [--target TRIPLE] [--output PATH]
 *
 * DENORT_BIN, when set, names the runtime to embed into, as for `deno compile` itself.
 */
import { parseArgs } from "node:util";
import { ascii } from "./ascii.ts";
import { checkVersion, deno, projectVersion, root } from "./deno.ts";

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

export interface CompileOptions {
  /** Entry module. */
  readonly entry: string;
  /** Executable to write, without `.exe`, which is added for Windows. */
  readonly output: string;
  /** Where the chunks go; emptied first. */
  readonly chunks: string;
  readonly target?: string;
}

async function succeed(what: string, code: Promise<number>): Promise<void> {
  const actual = await code;
  if (actual !== 0) throw new Error(`${what} failed with exit code ${actual}; its output is above`);
}

/** Bundles and compiles. @returns the path of the executable. @throws Error when a step fails. */
export async function compile(options: CompileOptions): Promise<string> {
  const { entry, chunks, target } = options;
  if (target !== undefined && Deno.env.get("DENORT_BIN") && target !== Deno.build.target) {
    throw new Error(`--target ${target} and DENORT_BIN contradict each other; unset DENORT_BIN`);
  }
  const windows = target === undefined ? Deno.build.os === "windows" : target.includes("windows");
  const output = windows && !options.output.endsWith(".exe") ? `${options.output}.exe` : options.output;

  await Deno.remove(chunks, { recursive: true }).catch(() => {});
  await Deno.mkdir(chunks, { recursive: true });
  const bundle = ["bundle", "--quiet", "--minify", "--code-splitting", "--frozen", "--outdir", chunks, entry];
  await succeed("deno bundle", deno(bundle, { quiet: true }));

  const includes: string[] = [];
  let main: string | undefined;
  const expected = entry.replaceAll("\\", "/").split("/").at(-1)!.replace(/\.ts$/, ".js");
  for (const file of [...Deno.readDirSync(chunks)].map((entry) => entry.name).toSorted()) {
    Deno.writeTextFileSync(`${chunks}/${file}`, ascii(Deno.readTextFileSync(`${chunks}/${file}`)));
    if (file === expected) main = `${chunks}/${file}`;
    else includes.push("--include", `${chunks}/${file}`);
  }
  if (main === undefined) throw new Error(`deno bundle wrote no ${expected} into ${chunks}`);
  // Other modules of the checkout must not get in, so the checkout's own configuration is left out.
  const args = ["compile", "--quiet", "--no-check", "--no-config", "--no-lock", "--no-npm", "--no-remote"];
  args.push("--no-code-cache", ...permissions, ...includes, "--output", output);
  if (target !== undefined) args.push("--target", target);
  await succeed("deno compile", deno([...args, main], { quiet: true }));
  return output;
}

/** Compiles the project itself. */
export function compileGuard(output = `${root}/dist/guard`, target?: string): Promise<string> {
  return compile({ entry: `${root}/main.ts`, chunks: `${root}/dist/chunks`, output, target });
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
  let chunks = 0;
  for (const entry of Deno.readDirSync(`${root}/dist/chunks`)) {
    chunks += Deno.statSync(`${root}/dist/chunks/${entry.name}`).size;
  }
  console.log(
    `${output}: guard ${projectVersion()}, ${megabytes(Deno.statSync(output).size)}, of which chunks ${
      megabytes(chunks)
    }`,
  );
}
