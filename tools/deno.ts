/** What every tool needs: the checkout's root, the pinned Deno, and running it. */
import { fileURLToPath } from "node:url";

/** Absolute path of the checkout, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** The one Deno version that the project is built and tested with: the content of `.dvmrc`. */
export function pinnedVersion(): string {
  return Deno.readTextFileSync(`${root}/.dvmrc`).trim();
}

/** The project's version, from deno.json. */
export function projectVersion(): string {
  const config: { version: string } = JSON.parse(Deno.readTextFileSync(`${root}/deno.json`));
  return config.version;
}

/** Says so when the tools run on another Deno than the pinned one; `strict` makes it an error. */
export function checkVersion(strict = false): void {
  const expected = pinnedVersion();
  const actual = Deno.version.deno;
  if (actual === expected) return;
  const text =
    `expected Deno ${expected} (from .dvmrc), running on ${actual}; run: npx -y deno@${expected} task …`;
  if (strict) throw new Error(text);
  console.error(`note: ${text}`);
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly quiet?: boolean;
}

/**
 * Runs this Deno with arguments, in the checkout unless told otherwise.
 * @returns the exit code; with `quiet` what it printed is shown only when it fails.
 */
export async function deno(args: readonly string[], options: RunOptions = {}): Promise<number> {
  const output = options.quiet ? "piped" : "inherit";
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd ?? root,
    env: { DENO_NO_UPDATE_CHECK: "1", ...options.env },
    stdin: "null",
    stdout: output,
    stderr: output,
  }).spawn();
  if (!options.quiet) return (await child.status).code;
  const result = await child.output();
  if (result.code !== 0) {
    await Deno.stderr.write(result.stdout);
    await Deno.stderr.write(result.stderr);
  }
  return result.code;
}
