/** Runs `guard serve` as a host's plugin does: one process, lines on its pipes. */

import type { HookReply } from "../src/types.ts";
import { environment, type Place, type Target } from "./hook_process.ts";

export interface Answer {
  readonly id: string | number | null;
  readonly reply: HookReply;
}

/** A running `guard serve`. */
export interface Serving {
  readonly pid: number;
  /** Its first line. */
  readonly greeting: { readonly guard: string; readonly protocol: number };
  /** Writes to its stdin and forgets it. */
  send(text: string): Promise<void>;
  /** The next answer; undefined when it has ended. */
  next(): Promise<Answer | undefined>;
  /** Closes stdin and gives the exit code. */
  end(): Promise<number>;
  kill(): Promise<void>;
}

export async function startServing(target: Target, place: Place, host: string): Promise<Serving> {
  const places = ["--policy", place.policy, "--state", place.state];
  const child = new Deno.Command(target.command, {
    args: [...target.args, "serve", "--host", host, ...places],
    cwd: place.project,
    clearEnv: true,
    env: environment(place),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  const next = async () => {
    const line = await lines.next();
    return line.done === true ? undefined : JSON.parse(line.value);
  };
  const greeting = await next();
  if (greeting === undefined) throw new Error(`guard serve ended at once, with ${(await child.status).code}`);
  return {
    pid: child.pid,
    greeting,
    next,
    send: (text) => writer.write(new TextEncoder().encode(text)),
    end: async () => {
      await writer.close().catch(() => {/* It has ended. */});
      await lines.return(undefined);
      return (await child.status).code;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await writer.abort().catch(() => {/* It has ended. */});
      await child.status;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return undefined;
}
