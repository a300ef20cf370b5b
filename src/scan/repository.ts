/**
 * What git says about the repository that is scanned. It is not trusted: nothing that its configuration names is
 * started, as in src/facts/git.ts.
 */

import { GuardError } from "../errors.ts";
import { environment, findGit, neutralSettings } from "../facts/git.ts";
import { native } from "../native_path.ts";

/** A git that works in a directory. */
export interface Git {
  /** The lines, or parts between NULs, that git prints. @throws GuardError when it fails */
  parts(args: readonly string[], separator: "\n" | "\0"): AsyncGenerator<string>;
}

/** The git for a directory; undefined when none is installed or the directory is in no repository. */
export async function gitIn(directory: string): Promise<Git | undefined> {
  const program = findGit({ path: Deno.env.get("PATH"), untrusted: [directory] });
  if (program === undefined) return undefined;
  const git: Git = {
    async *parts(args, separator) {
      const settings = [...neutralSettings, ["core.quotePath", "false"] as const];
      const child = new Deno.Command(program, {
        args: ["--no-pager", ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]), ...args],
        cwd: directory,
        clearEnv: true,
        // It may look further up than the directory that was named.
        env: { ...environment(program, directory), GIT_CEILING_DIRECTORIES: "" },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const errors = new Response(child.stderr).text();
      let ended = false;
      try {
        yield* partsOf(child.stdout, separator);
        ended = true;
      } finally {
        // Whoever asked wants no more of it.
        if (!ended) stop(child);
      }
      const { success } = await child.status;
      if (!success) {
        const said = (await errors).trim().slice(0, 300);
        throw new GuardError(`git ${args[0]} failed in ${native.resolve(directory)}: ${said}`);
      }
    },
  };
  try {
    for await (const _ of git.parts(["rev-parse", "--show-toplevel"], "\n")) return git;
  } catch {
    return undefined;
  }
  return undefined;
}

function stop(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The parts of a stream that a separator ends; bytes that are no text become U+FFFD. */
async function* partsOf(stream: ReadableStream<Uint8Array>, separator: string): AsyncGenerator<string> {
  let rest = "";
  for await (
    const chunk of stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
  ) {
    const parts = (rest + chunk).split(separator);
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest !== "") yield rest;
}
