/** Finds and reads the files that hosts hand to their models as instructions, within bounds. */

import { openText } from "../facts/open.ts";
import { parentOf } from "../paths/normal.ts";
import type { Context } from "../types.ts";
import { homeFiles, homeFolders, isRead, projectFiles, projectFolders } from "./names.ts";

/** What is read at most. */
export const instructionLimits = {
  /** Files, and names in all directories. */
  files: 300,
  names: 4000,
  /** Bytes of one file, and of all of them. */
  file: 512 * 1024,
  bytes: 4 * 1024 * 1024,
  /** Directories above the one in which the session begins. */
  parents: 12,
} as const;

/** One of them, with its text, or why it has none. */
export type InstructionFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly unread: string };

/**
 * The files for a session that begins in the context's directory: in it, in its parents up to the workspace, and in the
 * home directory. Ends early when `goOn` says so. Never blocks on what is no regular file.
 */
export function* instructionFiles(context: Context, goOn: () => boolean): Generator<InstructionFile> {
  let left: number = instructionLimits.bytes;
  let files = 0;
  const seen = new Set<string>();
  const budget: Budget = { names: instructionLimits.names };
  for (const path of instructionPaths(context, budget)) {
    if (!goOn() || files >= instructionLimits.files || left <= 0 || budget.names < 0) {
      yield {
        path,
        unread: "there are more files of instructions than are looked through when a session begins",
      };
      return;
    }
    const real = context.facts.realPath(path);
    if (seen.has(real)) continue;
    seen.add(real);
    if (isFolder(path)) continue;
    const opened = openText(path, instructionLimits.file);
    if (opened.state === "missing") continue;
    files++;
    if (opened.state === "unreadable") yield { path, unread: opened.reason };
    else {
      left -= opened.text.length;
      yield { path, text: opened.text };
    }
  }
}

/** `.clinerules` is a file or a directory. */
function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** What may still be looked at; below zero there was more. */
interface Budget {
  names: number;
}

/** With a last path, the directory in which looking ended, when there are more names than are looked at. */
function* instructionPaths(context: Context, budget: Budget): Generator<string> {
  const { cwd, workspace, home } = context;
  for (let at = cwd, hops = 0; hops < instructionLimits.parents; at = parentOf(at), hops++) {
    for (const file of projectFiles) yield `${at}/${file}`;
    for (const [folder, depth] of projectFolders) {
      yield* within(context, `${at}/${folder}`, folder, depth, budget);
    }
    if (at === workspace || at === home || parentOf(at) === at) break;
  }
  for (const file of homeFiles) yield `${home}/${file}`;
  for (const [folder, depth] of homeFolders) {
    yield* within(context, `${home}/${folder}`, folder, depth, budget);
  }
}

function* within(
  context: Context,
  path: string,
  folder: string,
  depth: number,
  budget: Budget,
): Generator<string> {
  const names = context.facts.list(path);
  if (names === undefined) return;
  for (const name of [...names].sort()) {
    if (budget.names < 0) return;
    if (--budget.names < 0) return yield path;
    const below = `${path}/${name}`;
    if (isRead(folder, name)) yield below;
    else if (depth > 1 && isFolder(below)) yield* within(context, below, folder, depth - 1, budget);
  }
}
