/** What the parts of word expansion share: the state of the line, variables, marks. */

import type { ParsedScript, Word } from "unbash";
import type { Invocation } from "../model.ts";
import { type Atom, plain, staticText } from "../pieces.ts";
import type { Scope, Values, Variable } from "../scope.ts";

/** What expansion needs from the walk over the line. */
export interface Expander {
  readonly scope: Scope;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** Which of the `count` values of a variable is taken; -1 for none of them. */
  choose(name: string, count: number): number;
  /** Counts work; throws when a command needs too much of it. */
  step(cost?: number): void;
  /** Runs a substitution; what it prints, when known, and what runs inside. */
  substitute(script: ParsedScript, text: string, pos: number, end: number, origin: "command" | "process"): {
    output: readonly Atom[] | undefined;
    invocations: readonly Invocation[];
  };
  /** The value of a word as one field; what stands in it is run. */
  expand(word: Word): readonly Atom[];
  /** The value of text that bash takes for an expression; the commands in its subscripts are run. */
  arithmetic(text: readonly Atom[]): number | undefined;
  /** Code that a parameter transformation runs (`${x@P}`). */
  promptExpansion(value: readonly Atom[], part: { pos: number; end: number; text: string }): void;
  /** Pieces for which a mark in a generated script stands. */
  placeholder(number: number): readonly Atom[] | undefined;
}

/** Marks around the number of a piece in a script that was put together from pieces. */
export const placeholderStart = "\uE000";
export const placeholderEnd = "\uE001";

/** Text with the pieces for which its marks stand. */
export function withPlaceholders(text: string, quoted: boolean, expander: Expander): Atom[] {
  if (!text.includes(placeholderStart)) return [{ kind: "text", text, quoted }];
  const atoms: Atom[] = [];
  for (const [index, chunk] of text.split(placeholderStart).entries()) {
    const end = index === 0 ? -1 : chunk.indexOf(placeholderEnd);
    const pieces = end > 0 ? expander.placeholder(Number(chunk.slice(0, end))) : undefined;
    if (pieces === undefined) {
      atoms.push({ kind: "text", text: index === 0 ? chunk : placeholderStart + chunk, quoted });
    } else {
      atoms.push(...pieces, { kind: "text", text: chunk.slice(end + 1), quoted });
    }
  }
  return atoms.filter((atom) => atom.kind !== "text" || atom.text !== "");
}

const unknowable = new Set(["?", "$", "!", "-", "_", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID"]);

/** The variable as far as the line, the environment given and the shell itself define it. */
export function lookup(name: string, expander: Expander): Variable | undefined {
  const variable = expander.scope.variables.get(name);
  if (variable?.others !== undefined) {
    const all = [variable, ...variable.others];
    return all[expander.choose(name, all.length)];
  }
  if (variable !== undefined) return variable;
  const text = builtinText(name, expander);
  return text === undefined ? undefined : { values: [[plain(text)]] };
}

function builtinText(name: string, expander: Expander): string | undefined {
  const { scope } = expander;
  switch (name) {
    case "HOME":
      return expander.home;
    case "PWD":
      return scope.directory.certain ? scope.directory.path : undefined;
    case "OLDPWD":
      return scope.previous?.certain ? scope.previous.path : undefined;
    case "IFS":
      return " \t\n";
    case "0":
    case "BASH":
    case "SHELL":
      return name === "0" ? scope.zero : "/bin/bash";
  }
  return unknowable.has(name) ? undefined : expander.environment?.[name];
}

/** The positional parameters; undefined when the command does not say. */
export function positionalOf({ scope, choose }: Expander): Values | undefined {
  const { values, others } = scope.positional ?? {};
  if (values === undefined || others === undefined) return values;
  return [values, ...others][choose("@", others.length + 1)];
}

/** The characters at which unquoted values are split. */
export function separatorsOf(expander: Expander): string {
  const variable = lookup("IFS", expander);
  if (variable === undefined || variable.unset === true) return " \t\n";
  const text = staticText(variable.values[expander.choose("IFS", variable.values.length)]);
  return text ?? " \t\n";
}

/** A value where an expansion stands: split and globbed later unless quoted. */
export function asExpansion(value: readonly Atom[], quoted: boolean): Atom[] {
  if (quoted && value.length === 0) return [plain("")];
  return value.map((atom): Atom => {
    // In a value a pattern is text; where it is not quoted, it becomes a pattern again.
    if (atom.kind !== "text" && atom.kind !== "glob") return atom;
    return quoted ? { kind: "text", text: atom.text, quoted: true } : {
      kind: "text",
      text: atom.text,
      quoted: false,
      split: true,
    };
  });
}
