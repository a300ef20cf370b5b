/**
 * Has V8 compile what a hook uses, and keeps that. Compiled into an executable beside the packs, with the runtime that guard itself is
 * embedded into, since V8 takes up nothing from another one (tools/compile.ts):
 *
 *   record DIRECTORY < calls.json    writes DIRECTORY/<pack>.compiled for every pack that the calls need
 *
 * Fails when any chunk of any pack cannot be loaded.
 */
import type { Script } from "node:vm";
import { packsFrom, readPack } from "../src/packs.ts";

/** A call of the hook: its arguments, and what comes on stdin. */
export interface RecordedCall {
  readonly args: readonly string[];
  readonly payload: string;
}

const folder = `${import.meta.dirname}/packs`;

async function record(directory: string, calls: readonly RecordedCall[]): Promise<void> {
  const scripts = new Map<string, Script>();
  const scriptOf = (pack: string) => {
    const script = scripts.get(pack) ?? readPack(folder, pack);
    scripts.set(pack, script);
    return script;
  };
  for (const { args, payload } of calls) {
    // As in a process of its own: what one call has loaded is not there for the next, but stays compiled.
    const { respond, give } = await packsFrom(scriptOf).load(
      "hook.js",
      "hook.js",
    ) as typeof import("../src/hook.ts");
    const bytes = new TextEncoder().encode(payload);
    let at = 0;
    const response = await respond(args, {
      read(buffer) {
        const count = Math.min(buffer.length, bytes.length - at);
        buffer.set(bytes.subarray(at, at + count));
        at += count;
        return Promise.resolve(count === 0 ? null : count);
      },
    });
    const failure = response.record === undefined ? response.reply.stderr : response.record.failure;
    if (failure !== undefined) throw new Error(`${args.join(" ")}: ${payload}: ${failure}`);
    give(response);
  }
  for (const [pack, script] of scripts) {
    Deno.writeFileSync(`${directory}/${pack}.compiled`, script.createCachedData());
  }
}

/** Loads every chunk as it will be loaded. @throws Error for one that cannot be. */
async function loadAll(): Promise<void> {
  const { load } = packsFrom((pack) => readPack(folder, pack));
  for (const { name: pack } of Deno.readDirSync(folder)) {
    if (pack.endsWith(".compiled")) continue;
    for (const name of Object.keys(readPack(folder, pack).runInThisContext())) await load(name, pack);
  }
}

if (import.meta.main) {
  await record(Deno.args[0]!, await new Response(Deno.stdin.readable).json());
  await loadAll();
}
