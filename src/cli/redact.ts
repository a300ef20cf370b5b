/** `guard redact`: a filter that takes secrets out of what passes through it. */

import type { Command } from "commander";
import { GuardError } from "../errors.ts";
import type { replacePersonal } from "../personal/scan.ts";
import { environment } from "../facts/environment.ts";
import { replaceSecrets } from "../secrets/replace.ts";
import { exitCodes } from "./exit_codes.ts";
import { warn } from "./terminal.ts";

/** Most bytes that are taken: secrets can span lines, so all of it is held. */
const limit = 512 * 1024 * 1024;

export function register(program: Command): void {
  program
    .command("redact")
    .description("copy stdin to stdout without the secrets in it")
    .option("--personal", "also e-mail addresses, telephone, card and account numbers, and national numbers")
    .addHelpText(
      "after",
      `
What was taken out is said on stderr; the rest is copied unchanged.

Example:
  $ kubectl logs web | guard redact`,
    )
    .action(run);
}

async function run(options: { readonly personal?: boolean }): Promise<void> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of Deno.stdin.readable) {
    length += chunk.length;
    if (length > limit) throw new GuardError(`expected at most ${limit} bytes on stdin, found more`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const personal = options.personal === true
    ? (await import("../personal/scan.ts")).replacePersonal
    : undefined;
  const { out, counts } = redactBytes(bytes, personal);
  for (let from = 0; from < out.length;) from += await Deno.stdout.write(out.subarray(from));
  for (const [title, count] of counts) warn(`guard: took out ${count} × ${title}`);
  Deno.exitCode = exitCodes.none;
}

/** The same bytes without secrets, and how many of each kind there were. */
export function redactBytes(
  bytes: Uint8Array,
  personal?: typeof replacePersonal,
): { readonly out: Uint8Array; readonly counts: ReadonlyMap<string, number> } {
  // One character for each byte, so that bytes that are no text come out as they went in.
  const latin = new TextDecoder("latin1").decode(bytes);
  const { text, secrets } = replaceSecrets(latin, { environment: environment() });
  const counts = new Map<string, number>();
  for (const { title } of secrets) counts.set(title, (counts.get(title) ?? 0) + 1);
  const people = personal?.(text);
  for (const { title } of people?.found ?? []) counts.set(title, (counts.get(title) ?? 0) + 1);
  return { out: counts.size === 0 ? bytes : encodeLatin(people?.text ?? text), counts };
}

/** TextDecoder's "latin1" is windows-1252: what it makes of the bytes 0x80 to 0x9f. */
const upper = new Map(
  Array.from({ length: 32 }, (_, index) => {
    const byte = 0x80 + index;
    return [new TextDecoder("latin1").decode(Uint8Array.of(byte)).charCodeAt(0), byte] as const;
  }),
);

function encodeLatin(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    out[index] = code < 256 && !upper.has(code) ? code : upper.get(code) ?? 0x3f;
  }
  return out;
}
