/** Other names for what is guard's own: copies of its executable, links to and mounts of its directories. */

import { foundPlace, type Invocation, type PathUse, type Word } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";
import { locate } from "../../src/paths.ts";
import { isWithin, nameOf } from "../../src/paths/normal.ts";
import { holdsOwn, ownOf } from "../../src/paths/protected.ts";

/** Programs that make a file available under another name. */
const copyPrograms = new Set(
  "cp gcp copy-item ln link install ginstall rsync dd scp ditto mklink new-item cat".split(" "),
);

/** Programs that make a directory available in another place. */
export const mountPrograms: readonly string[] =
  "mount bindfs unionfs unionfs-fuse mergerfs fuse-overlayfs mount_nullfs mount.fuse systemd-mount subst"
    .split(" ");

/** Programs that print the path of the program that they are given. */
const finders = new Set([
  "which",
  "command",
  "type",
  "whereis",
  "whence",
  "realpath",
  "readlink",
  "where",
  "get-command",
]);

/** True for what a search for guard's executable prints: `$(which guard)`. */
export function isFoundExecutable(word: Word, own: string): boolean {
  const named = (text: string) => text === "guard" || text === own;
  return word.pieces.some((piece, index) => {
    if (piece.kind !== "unknown") return false;
    const next = word.pieces[index + 1];
    if (piece.source === foundPlace && next?.kind === "text" && named(next.text.slice(1))) return true;
    return piece.invocations?.some((one) =>
      finders.has(one.program) && one.args.some(({ text }) => named(nameOf(`/${text}`)))
    ) === true;
  });
}

/** True when a word names guard's executable, or is what a search for it prints. */
function isExecutable(
  word: Word,
  directory: Invocation["directory"],
  context: Context,
  own: string,
): boolean {
  const named = (text: string) => text === "guard" || text === own;
  if (isFoundExecutable(word, own)) return true;
  if (!named(nameOf(`/${word.text}`.replaceAll("\\", "/")).replace(/\.exe$/i, ""))) return false;
  return placesOf(word, directory, context).some((path) =>
    ownOf(path, context) === "executable" ||
    (/\/s?bin\/guard$/.test(path) && !isWithin(path, context.workspace))
  );
}

function placesOf(word: Word, directory: Invocation["directory"], context: Context): readonly string[] {
  const use: PathUse = { operation: "link", path: word, directory, recursive: false, span: word.span };
  return locate(use, context).locations.map(({ path }) => path);
}

/** What was found for an invocation: it is asked for again with every path that the invocation uses. */
const copies = new WeakMap<Invocation, readonly [Context, Word | undefined]>();

/**
 * The argument through which guard's executable gets another name; undefined when there is none.
 *
 * @param own name of guard's executable
 */
export function copiedExecutable(
  invocation: Invocation,
  context: Context,
  own: string,
): Word | undefined {
  if (invocation.remote !== undefined || !copyPrograms.has(invocation.program)) return undefined;
  const known = copies.get(invocation);
  if (known?.[0] === context) return known[1];
  const copied = findCopied(invocation, context, own);
  copies.set(invocation, [context, copied]);
  return copied;
}

function findCopied(
  invocation: Invocation,
  context: Context,
  own: string,
): Word | undefined {
  const { program, args, directory, redirections } = invocation;
  const sources = redirections.filter(({ operator }) => operator === "<").map(({ target }) => target);
  return [...args, ...sources].find((word) => {
    const value = program === "dd" ? /^if=(.*)$/s.exec(word.text)?.[1] : word.text;
    if (value === undefined || value.startsWith("-")) return false;
    if (value === word.text) return isExecutable(word, directory, context, own);
    const pieces = word.pieces.map((piece, index) =>
      index === 0 && piece.kind === "text" ? { ...piece, text: piece.text.replace(/^if=/, "") } : piece
    );
    return isExecutable({ ...word, text: value, pieces }, directory, context, own);
  });
}

/** The argument of a mount that names, or holds, what is guard's own; undefined when there is none. */
export function mountedOwn(invocation: Invocation, context: Context): Word | undefined {
  if (invocation.remote !== undefined) return undefined;
  return invocation.args.find((word) => {
    if (!/[\\/~.]/.test(word.text) || word.text.startsWith("-")) return false;
    return placesOf(word, invocation.directory, context).some((path) =>
      ownOf(path, context) !== undefined || (path !== "/" && holdsOwn(path, context))
    );
  });
}
