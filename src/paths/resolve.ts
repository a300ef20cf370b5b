/** From a word of a command to the places on disk that it may name. */

import type { Directory, Word } from "../shell/model.ts";
import { isAbsolute, looksWindows, normalise, type PathStyle } from "./normal.ts";

/** One place that a word may name; `path` is in normal form (see normal.ts). */
export interface Target {
  readonly path: string;
  /** A glob follows: what lies in `path` is meant, not `path` itself. */
  readonly contents: boolean;
  /** Glob relative to `path` for what is meant; absent with `contents` when it is everything. */
  readonly filter?: string;
  /** Holds only when an unknown part of the word is empty. */
  readonly assumedEmpty: boolean;
  /** Something unknown follows: a name in `path` or below it. */
  readonly unknownBelow: boolean;
  /** False when the directory is only one of several in which the command may run. */
  readonly certain: boolean;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** The word may also name a place about which nothing is known. */
  readonly unknown: boolean;
}

/** Stands in front of an active glob while a word is taken apart. */
const mark = "\uE000";

export interface ResolveStyle extends PathStyle {
  /** For a tilde that is still there. */
  readonly home: string;
  readonly backslashes?: boolean;
  /** What `$TMPDIR` stands for in front of a name. */
  readonly temporary?: string;
}

/** Variables that hold the temporary directory. */
const temporaryName = /^(?:env:)?(?:TMPDIR|TMP|TEMP)$/i;

/** True for `$TMPDIR/name`: what lies in the temporary directory, wherever that is. */
function isBelowTemporary(word: Word): boolean {
  const [first, next] = word.pieces;
  return first?.kind === "unknown" && first.origin === "variable" && temporaryName.test(first.name ?? "") &&
    next?.kind === "text" && /^[\\/]+[^\\/]/.test(next.text);
}

/** The home that `~` or `~user` at the start of a word names; undefined when there is no tilde. */
function homeOf(text: string, home: string): string | undefined {
  const user = /^~([A-Za-z_][\w.-]*)?(?=\/|$)/.exec(text);
  if (user === null) return undefined;
  const [whole, name] = user;
  const directory = name === undefined || home.endsWith(`/${name}`)
    ? home
    : name === "root"
    ? "/root"
    : `${home.slice(0, home.lastIndexOf("/")) || "/home"}/${name}`;
  return directory + text.slice(whole.length);
}

/** Takes a word and the directory in which it is used. */
export function resolveWord(
  word: Word,
  directory: Directory,
  style: ResolveStyle,
): Targets {
  const bases = [directory.path, ...(directory.alternatives ?? [])];
  const targets: Target[] = [];
  let unknown = false;
  for (const variant of variantsOf(word, style)) {
    if (variant.text === undefined) {
      unknown = true;
      continue;
    }
    const absolute = isAbsolute(variant.text.replaceAll(mark, ""), style);
    for (const base of absolute ? ["/"] : bases) {
      if (base === undefined) {
        unknown = true;
        continue;
      }
      // An absolute path on Windows without a drive belongs to the drive of the directory.
      const from = absolute ? (directory.path ?? "/") : base;
      targets.push({
        ...split(variant.text, normalise(from, "/", style), style),
        assumedEmpty: variant.assumedEmpty,
        unknownBelow: variant.unknownBelow,
        certain: absolute || (directory.certain && base === directory.path),
      });
    }
  }
  return { targets, unknown };
}

interface Variant {
  readonly text: string | undefined;
  readonly assumedEmpty: boolean;
  readonly unknownBelow: boolean;
}

/** A word with unknown parts stands for itself with them empty, and for something below its known start. */
function variantsOf(
  word: Word,
  style: ResolveStyle,
): readonly Variant[] {
  let text = "";
  let known = "";
  let unknownSeen = false;
  let mayBeEmpty = true;
  let rest = "";
  const temporary = isBelowTemporary(word) ? style.temporary : undefined;
  for (const [index, piece] of word.pieces.entries()) {
    if (index === 0 && temporary !== undefined) {
      text = temporary;
      continue;
    }
    if (piece.kind === "unknown") {
      if (!unknownSeen) known = text;
      unknownSeen = true;
      mayBeEmpty &&= piece.mayBeEmpty;
      continue;
    }
    let part = piece.kind === "glob" ? mark + piece.text : piece.text.replaceAll(mark, "");
    if (piece.kind === "text") {
      if (style.windows || style.backslashes || (index === 0 && looksWindows(part))) {
        part = part.replaceAll("\\", "/");
      }
      // A tilde ends with its word: `~$X` is no home.
      if (index === 0 && !piece.quoted && (part.includes("/") || word.pieces.length === 1)) {
        part = homeOf(part, style.home) ?? part;
      }
    }
    text += part;
    if (unknownSeen) rest += part;
  }
  if (!unknownSeen) return [{ text, assumedEmpty: false, unknownBelow: false }];
  const variants: Variant[] = [];
  if (mayBeEmpty && text !== "") variants.push({ text, assumedEmpty: true, unknownBelow: false });
  const slash = known.lastIndexOf("/");
  if (known === "" || known.includes(mark)) {
    variants.push({ text: undefined, assumedEmpty: false, unknownBelow: false });
  } else {
    // What is known of the name after the unknown part narrows it, as `/tmp/$X.log` does.
    const filter = rest.includes("/") ? "" : `${known.slice(slash + 1)}${mark}*${rest}`;
    const start = slash < 0 ? "." : known.slice(0, slash) || "/";
    variants.push({
      text: filter === "" || filter === `${mark}*` ? start : `${start}/${filter}`,
      assumedEmpty: false,
      unknownBelow: true,
    });
  }
  return variants;
}

function split(text: string, base: string, style: PathStyle): Pick<Target, "path" | "contents" | "filter"> {
  if (!text.includes(mark)) return { path: normalise(text, base, style), contents: false };
  const parts = text.split("/");
  const first = parts.findIndex((part) => part.includes(mark));
  const start = parts.slice(0, first).join("/");
  const path = first === 0 ? base : normalise(start === "" ? "/" : start, base, style);
  const filter = parts.slice(first).filter((part) => part !== "" && part !== ".").map(globPart).join("/");
  return isEverything(filter) ? { path, contents: true } : { path, contents: true, filter };
}

/** A path component as a glob: characters that the shell takes literally are escaped. */
function globPart(part: string): string {
  let out = "";
  const pieces = part.split(mark);
  for (const [index, piece] of pieces.entries()) {
    if (index === 0) out += piece.replaceAll(/[*?[\]{}\\]/g, "\\$&");
    else {
      const operator = /^(?:\*+|\?|\[[^\]]*\]|[@?*+!]\([^)]*\))/.exec(piece)?.[0] ?? piece;
      const extended = /^[@?*+!]\(/.test(operator) ? "*" : operator;
      out += extended + piece.slice(operator.length).replaceAll(/[*?[\]{}\\]/g, "\\$&");
    }
  }
  return out;
}

/** True for a glob that matches every name: `*`, `**`, `*.*` as cmd reads it. */
export function isEverything(filter: string): boolean {
  return filter.split("/").every((part) => /^\*+$/.test(part) || part === "*.*" || part === "?*");
}
