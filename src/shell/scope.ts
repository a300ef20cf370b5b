/** What is known while a line is followed: variables, functions, directory, positional parameters. */

import type { Function as FunctionNode } from "unbash";
import { part } from "../parts.ts";
import * as posix from "../posix_path.ts";
import type { Directory } from "./model.ts";
import type { Atom } from "./pieces.ts";

/** Values that a variable may have; the first one is the likeliest. */
export interface Variable {
  readonly values: readonly (readonly Atom[])[];
  /** Elements of an indexed array; `values` then hold the first element. */
  readonly elements?: readonly (readonly Atom[])[];
  /** Elements of an associative array or of a sparse one, by key. */
  readonly keys?: ReadonlyMap<string, readonly Atom[]>;
}

/** A function defined in the command, with the text that its positions refer to. */
export interface ShellFunction {
  readonly node: FunctionNode;
  readonly source: Source;
  /** Shells that are started know it too. */
  readonly exported?: boolean;
}

/** Text that is being walked; `span` is set when its positions do not point into the outermost command. */
export interface Source {
  readonly text: string;
  readonly span?: { readonly start: number; readonly end: number };
}

/** State of a shell at a point of the line. */
export interface Scope {
  readonly variables: Map<string, Variable>;
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, string>;
  /** `$1` and on; undefined when the command does not say. */
  positional: readonly (readonly Atom[])[] | undefined;
  /** With `positional` undefined: there are parameters, which another program hands over. */
  handed?: boolean;
  /** `$0` */
  zero: string;
  directory: Directory;
  /** Where the shell is if the `cd` that came last failed; cleared once that is merged. */
  failed: Directory | undefined;
  previous: Directory | undefined;
  readonly stack: Directory[];
  /** `set -e`: a failing `cd` ends the script. */
  exitOnError: boolean;
  /** `set -a`: what is defined is exported. */
  exportsAll?: boolean;
}

/** A copy for a subshell or a branch. */
export function forkScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    stack: [...scope.stack],
  };
}

/** Takes over everything from a branch that surely ran. */
export function adoptScope(target: Scope, from: Scope): void {
  replaceMap(target.variables, from.variables);
  replaceMap(target.functions, from.functions);
  replaceMap(target.aliases, from.aliases);
  target.positional = from.positional;
  target.directory = from.directory;
  target.failed = from.failed;
  target.previous = from.previous;
  target.exitOnError = from.exitOnError;
  target.exportsAll = from.exportsAll;
  target.stack.splice(0, target.stack.length, ...from.stack);
}

function replaceMap<K, V>(target: Map<K, V>, from: ReadonlyMap<K, V>): void {
  if (target === from) return;
  target.clear();
  for (const [key, value] of from) target.set(key, value);
}

/** Merges a branch that may have run into the state without it; what the branch set comes first. */
export function mergeScope(target: Scope, branch: Scope): void {
  for (const [name, variable] of branch.variables) {
    const own = target.variables.get(name);
    if (own === variable) continue;
    target.variables.set(name, own === undefined ? variable : mergeVariables(variable, own));
  }
  for (const [name, value] of branch.functions) target.functions.set(name, value);
  for (const [name, value] of branch.aliases) target.aliases.set(name, value);
  target.directory = joinDirectories(branch.directory, target.directory);
  if (branch.failed !== undefined) target.directory = joinDirectories(target.directory, branch.failed);
  if (branch.positional !== target.positional) target.positional = branch.positional ?? target.positional;
  target.previous = branch.previous ?? target.previous;
  if (branch.exportsAll === true) target.exportsAll = true;
}

const maxValues = 8;

function mergeVariables(first: Variable, second: Variable): Variable {
  const values = [...first.values];
  for (const value of second.values) {
    if (values.length >= maxValues) break;
    if (!values.some((other) => sameAtoms(other, value))) values.push(value);
  }
  return { ...first, values };
}

function sameAtoms(first: readonly Atom[], second: readonly Atom[]): boolean {
  if (first === second) return true;
  return first.length === second.length && first.every((atom, index) => {
    const other = second[index]!;
    if (atom.kind === "text" || atom.kind === "glob") {
      return other.kind === atom.kind && other.text === atom.text;
    }
    return atom === other;
  });
}

/** The directory is one of two: the first is the likelier one. */
export function joinDirectories(first: Directory, second: Directory): Directory {
  if (first === second) return first;
  const others = new Set<string>(first.alternatives ?? []);
  if (second.path !== undefined) others.add(second.path);
  for (const other of second.alternatives ?? []) others.add(other);
  if (first.path !== undefined) others.delete(first.path);
  const certain = first.certain && second.certain && first.path === second.path && others.size === 0;
  if (others.size === 0) return { path: first.path, certain };
  return { path: first.path, certain: false, alternatives: [...others].slice(0, maxValues) };
}

/** The directory after a change to `path`, seen from every directory that may be current. */
export function changeDirectory(from: Directory, path: string, windows: boolean): Directory {
  const paths = windows ? part("nodePath").win32 : posix;
  const absolute = paths.isAbsolute(path);
  // No system has longer ones.
  if (path.length + (absolute ? 0 : from.path?.length ?? 0) > 4096) {
    return { path: undefined, certain: false };
  }
  if (absolute) return { path: normalPath(path, windows), certain: true };
  const move = (base: string) => normalPath(paths.join(base, path), windows);
  const alternatives = [...new Set((from.alternatives ?? []).map(move))];
  const moved = from.path === undefined ? undefined : move(from.path);
  const others = alternatives.filter((other) => other !== moved);
  return others.length === 0
    ? { path: moved, certain: from.certain && moved !== undefined }
    : { path: moved, certain: from.certain, alternatives: others };
}

function normalPath(path: string, windows: boolean): string {
  const normal = (windows ? part("nodePath").win32 : posix).normalize(path);
  if (!windows && normal.startsWith("//")) return normalPath(normal.slice(1), windows);
  return normal.length > 1 && !windows && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

/** All paths at which a directory may be. */
export function alternativesOf(directory: Directory): readonly string[] {
  return [...(directory.path === undefined ? [] : [directory.path]), ...(directory.alternatives ?? [])];
}
