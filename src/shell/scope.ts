/** What is known while a line is followed: variables, functions, directory, positional parameters. */

import type { Function as FunctionNode } from "unbash";
import { part } from "../parts.ts";
import * as posix from "../posix_path.ts";
import type { Directory, Word } from "./model.ts";
import { TooComplex } from "./frame.ts";
import type { Joint } from "./joints.ts";
import type { Watch } from "./traps.ts";
import { type Atom, mayVanish, plain, unknown } from "./pieces.ts";

/** Values that a variable may have; the first one is the likeliest. */
export interface Variable {
  readonly values: readonly (readonly Atom[])[];
  /** Elements of an indexed array; `values` then hold the first element. */
  readonly elements?: readonly (readonly Atom[])[];
  /** Elements of an associative array or of a sparse one, by key. */
  readonly keys?: ReadonlyMap<string, readonly Atom[]>;
  /** It is surely not set; `values` then hold one that is empty. */
  readonly unset?: boolean;
  /** What else an array may be. */
  readonly others?: readonly Variable[];
  /** Its declaration changes what is assigned to it (`declare -n`, `-u`, `-i`): its values are not known. */
  readonly odd?: boolean;
  /** It is read-only, so that what is assigned to it has no effect. */
  readonly fixed?: "surely" | "perhaps";
}

/** A variable that is not set. */
export const unsetVariable: Variable = { values: [[]], unset: true };

/** Gives a variable another meaning, unless it is read-only. */
export function define({ variables }: Scope, name: string, variable: Variable): void {
  const old = variables.get(name);
  if (old?.fixed === undefined) variables.set(name, variable);
  else if (old.fixed === "perhaps") variables.set(name, mergeVariables(name, variable, old));
}

/** Forgets what a variable is, unless it is read-only. */
export function forget(scope: Scope, name: string): void {
  const fixed = scope.variables.get(name)?.fixed;
  if (fixed === undefined) scope.variables.delete(name);
  else if (fixed === "perhaps") {
    define(scope, name, { values: [[unknown(`$${name}`, "variable", { name })]] });
  }
}

/** Makes a variable read-only. */
export function fix({ variables }: Scope, name: string): void {
  const variable = variables.get(name);
  if (variable !== undefined) variables.set(name, { ...variable, fixed: "surely" });
}

/** Gives a variable one value, which is not known where its declaration changes what is assigned. */
export function giveValue(name: string, value: readonly Atom[], scope: Scope): void {
  const odd = scope.variables.get(name)?.odd === true;
  define(
    scope,
    name,
    odd ? { values: [[unknown(`$${name}`, "variable", { name })]], odd } : { values: [value] },
  );
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
  /** Where the parser was given less than the text. */
  readonly joints?: readonly Joint[];
  readonly span?: { readonly start: number; readonly end: number };
}

/** Values in a row. */
export type Values = readonly (readonly Atom[])[];

/** Positional parameters, and what else they may be; undefined where the command does not say. */
export interface Positional {
  readonly values: Values;
  readonly others?: readonly (Values | undefined)[];
}

/** Words as positional parameters. */
export function positionalWords(words: readonly Word[]): Positional {
  const values = words.map((word) => word.pieces);
  const kept = words.filter((word) => !mayVanish(word));
  return kept.length === words.length ? { values } : { values, others: [kept.map((word) => word.pieces)] };
}

/** State of a shell at a point of the line. */
export interface Scope {
  readonly variables: Map<string, Variable>;
  readonly functions: Map<string, ShellFunction>;
  /** What each name is an alias for: the newest first, then what commands that were read before still have. */
  readonly aliases: Map<string, readonly string[]>;
  /** `$1` and on; undefined when the command does not say. */
  positional: Positional | undefined;
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
  /** In a function: what its local variables hide, which comes back when it ends. */
  locals?: Map<string, Variable | undefined>;
  /** Some variable may have several values. */
  isBranched?: boolean;
  /** What runs when this shell ends: its traps, with the scope of each. */
  traps?: { readonly scope: Scope; readonly run: (scope: Scope) => void }[];
  /** Traps that run at any time: on an error, on a signal. */
  watches?: readonly Watch[];
  /** In a loop: the states in which it may have been left early. */
  breaks?: Scope[];
  /** In a function: the states in which it may have been left early. */
  returns?: Scope[];
}

/** More ways out of one loop or function than these are joined. */
const maxWaysOut = 16;

/** Notes that what runs is left here, in the state of now. */
export function leaveEarly(states: Scope[] | undefined, scope: Scope): void {
  const last = states?.[maxWaysOut - 1];
  if (last === undefined) states?.push(forkScope(scope));
  else mergeScope(last, scope);
}

/** Adds the states in which something may have been left early to the one at its end. */
export function joinWaysOut(scope: Scope, states: readonly Scope[]): void {
  for (const state of states) {
    const { breaks, returns } = scope;
    const end = forkScope(scope);
    adoptScope(scope, state);
    mergeScope(scope, end);
    scope.breaks = breaks;
    scope.returns = returns;
  }
}

/** A copy for a subshell or a branch. */
export function forkScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    stack: [...scope.stack],
    ...(scope.locals === undefined ? {} : { locals: new Map(scope.locals) }),
  };
}

/** Makes a variable local to the function that is being run; what it hides comes back afterwards. */
export function makeLocal(scope: Scope, name: string): void {
  if (scope.locals === undefined || scope.locals.has(name)) return;
  if (scope.variables.get(name)?.fixed === "surely") return;
  scope.locals.set(name, scope.variables.get(name));
  scope.variables.set(name, unsetVariable);
}

/** What a function leaves behind: everything but its local variables. */
export function leaveFunction(scope: Scope, outer: Scope["locals"]): void {
  for (const [name, hidden] of scope.locals ?? []) {
    if (hidden === undefined) scope.variables.delete(name);
    else scope.variables.set(name, hidden);
  }
  scope.locals = outer;
}

/** More meanings of one alias than these are not followed. */
const maxAliases = 16;

/** Adds meanings of an alias, in front of those that it has. Throws `TooComplex` when it has too many. */
export function addAlias({ aliases }: Scope, name: string, values: readonly string[]): void {
  const old = aliases.get(name) ?? [];
  if (values === old) return;
  const all = [...values, ...old.filter((one) => !values.includes(one))];
  if (all.length > maxAliases) throw new TooComplex();
  aliases.set(name, all);
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
  target.locals = from.locals;
  target.isBranched = from.isBranched;
  target.watches = from.watches;
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
    const own = target.variables.get(name) ?? (name === "IFS" ? defaultSeparators : undefined);
    if (own === variable) continue;
    const merged = own !== undefined
      ? mergeVariables(name, variable, own)
      : variable.fixed === "surely"
      ? { ...variable, fixed: "perhaps" as const }
      : variable;
    target.variables.set(name, merged);
    if (merged.values.length > 1 || merged.others !== undefined) target.isBranched = true;
  }
  const separators = target.variables.get("IFS");
  if (separators !== undefined && !branch.variables.has("IFS")) {
    target.variables.set("IFS", mergeVariables("IFS", defaultSeparators, separators));
    target.isBranched = true;
  }
  for (const [name, value] of branch.functions) target.functions.set(name, value);
  for (const [name, values] of branch.aliases) addAlias(target, name, values);
  target.directory = joinDirectories(branch.directory, target.directory);
  if (branch.failed !== undefined) target.directory = joinDirectories(target.directory, branch.failed);
  if (branch.positional !== target.positional) {
    target.positional = mergePositional(branch.positional, target.positional);
    if (target.positional?.others !== undefined) target.isBranched = true;
  }
  target.previous = branch.previous ?? target.previous;
  if (branch.exportsAll === true) target.exportsAll = true;
  const added = branch.watches?.filter((one) => target.watches?.includes(one) !== true) ?? [];
  if (added.length > 0) target.watches = [...target.watches ?? [], ...added];
  for (const [name, hidden] of branch.locals ?? []) {
    if (target.locals?.has(name) === false) target.locals.set(name, hidden);
  }
}

const defaultSeparators: Variable = { values: [[plain(" \t\n")]] };

/** More values of one variable than these are not kept apart: what comes then is not known. */
const maxValues = 8;

function mergePositional(
  first: Positional | undefined,
  second: Positional | undefined,
): Positional | undefined {
  if (first === second || first?.values === second?.values) return first;
  const known = first ?? second!;
  const others = [
    ...first?.others ?? [],
    second === known ? undefined : second?.values,
    ...second?.others ?? [],
  ];
  const kept = others.slice(0, maxValues - 1);
  return { values: known.values, others: others.length > kept.length ? [...kept, undefined] : kept };
}

function mergeVariables(name: string, one: Variable, second: Variable): Variable {
  const { fixed: _, ...rest } = one;
  const fixed = one.fixed === "surely" && second.fixed === "surely"
    ? "surely"
    : (one.fixed ?? second.fixed) === undefined
    ? undefined
    : "perhaps";
  const first: Variable = fixed === undefined ? rest : { ...rest, fixed };
  if ([first, second].some((one) => one.elements !== undefined || one.keys !== undefined)) {
    const { others = [], ...rest } = first;
    const { others: more = [], ...other } = second;
    const all = [...others, other, ...more];
    const kept = all.slice(0, maxValues - 1);
    return {
      ...rest,
      others: all.length > kept.length ? [...kept, { values: [tooMany(name, "[@]")] }] : kept,
    };
  }
  const values = [...first.values];
  for (const value of second.values) {
    if (values.length > maxValues) break;
    if (values.some((other) => sameAtoms(other, value))) continue;
    values.push(values.length < maxValues ? value : tooMany(name));
  }
  return { ...first, values, unset: first.unset === true && second.unset === true };
}

/** One of more values than are kept. */
function tooMany(name: string, subscript?: "[@]"): readonly Atom[] {
  const source = subscript === undefined ? `$${name}` : `\${${name}${subscript}}`;
  return [unknown(source, "limit", { name })];
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
