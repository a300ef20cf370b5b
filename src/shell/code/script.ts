/** A script that is read, and what it finds around it: directories, variables, arguments. */

import type { Span } from "../model.ts";
import type { Evaluation } from "../evaluate.ts";
import type { Call, Frame } from "../frame.ts";
import { type Atom, plain, unknown } from "../pieces.ts";
import type { Scope } from "../scope.ts";
import type { Language } from "./tokens.ts";
import { hidden, type Value } from "./values.ts";

/** A script and where it runs. */
export interface Script {
  readonly language: Language;
  readonly code: readonly Atom[];
  readonly span: Span;
  readonly scope: Scope;
  readonly frame: Frame;
  readonly call: Call;
  /** Arguments of the script, from the first one on; undefined when they are not known. */
  readonly args: readonly (readonly Atom[])[] | undefined;
  /** Absolute path of the script file. In a file only what is known is followed. */
  readonly file?: string;
}

/** Where a piece of a script is read. */
export interface Place {
  readonly evaluation: Evaluation;
  readonly script: Script;
}

/** A name that the language gives a value to; undefined for any other. */
export function wellKnown(place: Place, text: string): Value | undefined {
  const { file, args } = place.script;
  switch (text) {
    case "__file__":
    case "__filename":
    case "__FILE__":
      return file === undefined ? undefined : { atoms: [plain(file)] };
    case "__dirname":
    case "__DIR__":
      return {
        atoms: file === undefined
          ? currentDirectory(place)
          : [plain(file.slice(0, Math.max(1, file.lastIndexOf("/"))))],
      };
    case "ARGV":
    case "$ARGV":
    case "@ARGV":
    case "arg":
      return args === undefined ? undefined : { atoms: [], list: args.map((atoms) => ({ atoms })) };
  }
  return undefined;
}

/** The directory in which the script runs. */
export function currentDirectory(place: Place): readonly Atom[] {
  const { path } = place.script.scope.directory;
  return path === undefined ? [hidden("the current directory")] : [plain(path)];
}

/** The home directory, as the script sees it. */
export function homeDirectory(place: Place): readonly Atom[] {
  return place.script.scope.variables.get("HOME")?.values[0] ?? [plain(place.evaluation.options.home)];
}

/** Value of a variable of the environment. */
export function environmentVariable(place: Place, name: string): readonly Atom[] {
  if (name === "HOME" || name === "USERPROFILE") return homeDirectory(place);
  if (name === "PWD") return currentDirectory(place);
  const known = place.script.scope.variables.get(name)?.values[0];
  const given = place.evaluation.options.variables?.[name];
  return known ?? (given === undefined ? [unknown(`$${name}`, "variable", { name })] : [plain(given)]);
}

/** A path with `~` in front of it replaced. */
export function expandHome(place: Place, atoms: readonly Atom[]): readonly Atom[] {
  const first = atoms[0];
  if (first?.kind !== "text" || !/^~(?:\/|$)/.test(first.text)) return atoms;
  return [...homeDirectory(place), { ...first, text: first.text.slice(1) }, ...atoms.slice(1)];
}
