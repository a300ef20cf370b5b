/**
 * `guard serve`: the same as `guard hook` for hosts whose process lives long. Requests come as lines on stdin
 * (src/serve/request.ts), answers go out as lines on stdout: `{"id": "7", "reply": {"stdout", "stderr",
 * "exitCode"}}`, where the reply is what `guard hook` would have given. The first line says who answers.
 */

import { adapterIds, loadAdapter } from "../adapters/registry.ts";
import { appendAudit } from "./audit.ts";
import { UsageError } from "./errors.ts";
import { placesOf } from "./hook.ts";
import { type HookOptions, parseHookOptions } from "./hook_options.ts";
import { serveLines } from "./serve/loop.ts";
import type { Source } from "./stdin.ts";
import { version } from "./version.ts";

/** Version of the protocol; one that a plugin does not know makes it start one process for each call. */
export const protocol = 1;

/** Milliseconds without a request after which the process ends; a plugin then starts another. */
const idleLimit = 15 * 60_000;
/** Milliseconds within which an answer must have been taken. */
const writeLimit = 30_000;
/** Milliseconds between two looks at whether the parent is still there. */
const parentInterval = 10_000;

/** Serves until stdin ends, the parent is gone or nothing is asked any more, and ends the process. */
export async function serve(args: readonly string[]): Promise<void> {
  let options: HookOptions;
  try {
    options = await optionsOf(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}`);
    console.error("Expected: guard serve --host ID [--policy PATH] [--state DIR]");
    Deno.exit(64);
  }
  endWithParent();
  const idle = idleTimer();
  await write(`${JSON.stringify({ guard: version, protocol })}\n`);
  // Whoever asks at once is answered first.
  const warming = setTimeout(() => warmUp(options), 20);
  const heard = () => {
    clearTimeout(warming);
    idle();
  };
  try {
    await serveLines(options, { source: watched(Deno.stdin, heard), write }, ({ record, state }) => {
      if (record !== undefined && state !== undefined) appendAudit(state, record);
    });
  } catch (error) {
    console.error(`guard serve: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
  Deno.exit(0);
}

async function optionsOf(args: readonly string[]): Promise<HookOptions> {
  const options = parseHookOptions(args, "guard serve");
  if (options.event !== undefined) throw new UsageError("guard serve: each request names its event");
  if (await loadAdapter(options.host) === undefined) {
    throw new UsageError(`guard serve: unknown host ${options.host}, expected ${adapterIds.join(", ")}`);
  }
  return options;
}

/** Commands that take guard through its parser and its rules, and that it has nothing to say about. */
const harmless = ["ls -la | head -5", "cd src && grep -rn needle . > found.txt", "git commit -m text"];

/**
 * Loads what judging needs and lets it be compiled, so that the first call does not wait for it. Nothing is
 * recorded; what fails here fails again, and is answered, when there is a call.
 */
async function warmUp(options: HookOptions): Promise<void> {
  try {
    const adapter = await loadAdapter(options.host);
    const event = adapter?.events.find(({ id }) => id === "pre_tool");
    if (adapter === undefined || event === undefined) return;
    const [{ verdictOn }, { loadAllRules }] = await Promise.all([
      import("./verdict.ts"),
      import("./rules_loader.ts"),
    ]);
    await loadAllRules();
    const { capabilities } = adapter;
    for (const command of harmless) {
      const action = { kind: "shell", command, dialect: "posix" } as const;
      const call = {
        host: adapter.id,
        event: event.id,
        nativeEvent: event.native,
        cwd: "/",
        actions: [action],
      };
      const until = performance.now() + 1000;
      await verdictOn({ call, event, capabilities, places: placesOf(options), until });
    }
  } catch {
    // Said where it matters.
  }
}

/** A process whose parent has ended is given to another one; stdin may stay open in somebody else's hands. */
function endWithParent(): void {
  if (Deno.build.os === "windows") return;
  const parent = Deno.ppid;
  setInterval(() => {
    if (Deno.ppid !== parent) Deno.exit(0);
  }, parentInterval);
}

/** Gives a function that puts the end off. */
function idleTimer(): () => void {
  let timer = setTimeout(() => Deno.exit(0), idleLimit);
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => Deno.exit(0), idleLimit);
  };
}

function watched(source: Source, heard: () => void): Source {
  return {
    async read(buffer) {
      const count = await source.read(buffer);
      heard();
      return count;
    },
  };
}

let writing: Promise<void> = Promise.resolve();

/** One answer after the other; a parent that takes none does not keep this process. */
function write(text: string): Promise<void> {
  writing = writing.then(async () => {
    const timer = setTimeout(() => Deno.exit(1), writeLimit);
    try {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    } finally {
      clearTimeout(timer);
    }
  });
  return writing;
}
