/** Values of scripts, as far as they are known without running them. */

import { type Atom, plain, staticText, unknown } from "../pieces.ts";
import type { Language } from "./tokens.ts";

/** A value, as far as it is known. */
export interface Value {
  readonly atoms: readonly Atom[];
  readonly list?: readonly Value[];
  readonly properties?: ReadonlyMap<string, Value>;
  /** Dotted name of a module, function or thing that is known by name only. */
  readonly name?: string;
  /** A path object, on which `/` joins. */
  readonly path?: boolean;
  readonly literal?: boolean;
}

/** What a function is called with. */
export interface Arguments {
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** A piece of a script whose value is not known. */
export function hidden(source: string): Atom {
  return unknown(source, "variable", { mayBeEmpty: false });
}

/** True for the sign between a value and its member. */
export function isMember(text: string, language: Language): boolean {
  switch (text) {
    case ".":
      return language !== "perl" && language !== "php";
    case "->":
    case "::":
    case "?.":
    case "&.":
      return true;
    case ":":
      return language === "lua";
  }
  return false;
}

/** Name of a module under which its functions are known here. */
export function moduleName(text: string): string {
  return text.replace(/^node:/, "").replace(/\/promises$/, "").replace(
    /^(?:fs-extra|graceful-fs|memfs)$/,
    "fs",
  );
}

/** True for a value that can be a path. */
export function isPathLike(value: Value): boolean {
  return value.name === undefined && value.list === undefined && value.properties === undefined &&
    value.atoms.length > 0;
}

/** Joins paths; an absolute one starts anew. */
export function joinPaths(parts: readonly (readonly Atom[])[]): readonly Atom[] {
  let joined: Atom[] = [];
  for (const part of parts) {
    const first = part[0];
    if (first === undefined) continue;
    const absolute = first.kind === "text" && first.text.startsWith("/");
    if (joined.length === 0 || absolute) joined = [...part];
    else {
      const last = joined[joined.length - 1]!;
      const slashed = last.kind === "text" && last.text.endsWith("/");
      joined.push(...slashed ? [] : [plain("/")], ...part);
    }
  }
  return joined;
}

/** The directory above a path. */
export function parentOf(atoms: readonly Atom[]): readonly Atom[] {
  const text = staticText(atoms);
  if (text === undefined) return [hidden("the parent directory")];
  const slash = text.lastIndexOf("/");
  return [plain(slash < 0 ? "." : slash === 0 ? "/" : text.slice(0, slash))];
}

/** Text whose pattern characters are active. */
export function globs(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(\*+|\?)/).filter((part) => part !== "").map((part): Atom =>
      /^[*?]/.test(part) ? { kind: "glob", text: part } : plain(part)
    );
  });
}

/** One value behind another; text that meets is joined. */
export function append(left: readonly Atom[], right: readonly Atom[]): readonly Atom[] {
  const last = left[left.length - 1];
  const first = right[0];
  if (last?.kind !== "text" || first?.kind !== "text") return [...left, ...right];
  return [...left.slice(0, -1), plain(last.text + first.text), ...right.slice(1)];
}

/** `%s` in a format. */
export function fill(atoms: readonly Atom[], values: readonly Value[]): readonly Atom[] {
  let next = 0;
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(%[sdr])/).flatMap((part): readonly Atom[] =>
      /^%[sdr]$/.test(part) ? values[next++]?.atoms ?? [hidden(part)] : part === "" ? [] : [plain(part)]
    );
  });
}
