/** Invocations written on one line each, for tests. */

import type { Invocation, Understanding, Word } from "./model.ts";
import { loadAllParts } from "../parts.ts";
import { understand, type UnderstandOptions } from "./understand.ts";

await loadAllParts();

/** Home directory of the tests. */
const testHome = "/home/u";
/** Directory in which the commands of the tests start. */
const testDirectory = "/home/u/p";

/** Understands a command in the directory of the tests. */
export function understood(command: string, more: Partial<UnderstandOptions> = {}): Understanding {
  return understand(command, { dialect: "posix", cwd: testDirectory, home: testHome, ...more });
}

/** A word: what is unknown stands in `«»`, what has white space in double quotes, nothing at all is `''`. */
function listWord(word: Word): string {
  const text = word.pieces.map((piece) => piece.kind === "unknown" ? `«${piece.source}»` : piece.text).join(
    "",
  );
  if (text === "") return "''";
  return /\s/.test(text) && !text.includes("«") ? JSON.stringify(text) : text;
}

/** Program and arguments. */
export function listInvocation(invocation: Invocation): string {
  const program = invocation.program === "" ? listWord(invocation.word) : invocation.program;
  const more = invocation.moreArguments ? ["…"] : [];
  return [program, ...invocation.args.map(listWord), ...more].join(" ");
}

/** All invocations of a command, in order. */
export function list(command: string, more: Partial<UnderstandOptions> = {}): string[] {
  return understood(command, more).invocations.map(listInvocation);
}
