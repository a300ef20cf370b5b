/** What a piece of PowerShell runs in, and what may be done there. */

import type { Redirection, Span, Word } from "../model.ts";
import type { Evaluation } from "../evaluate.ts";
import type { Call, Frame } from "../frame.ts";
import { type Atom, joinAtoms, plain, textWord } from "../pieces.ts";
import type { Scope } from "../scope.ts";
import { hidden, type Items } from "./values.ts";

/** Where a piece of PowerShell runs. */
export interface Place {
  readonly evaluation: Evaluation;
  readonly scope: Scope;
  readonly frame: Frame;
  /** Bodies of functions, by their name in lower case. */
  readonly blocks: Map<string, string>;
  /** Where reading has come to. */
  here(): Span;
  /** Runs text inside: a block, a sub-expression. Returns what it gives, when that is known. */
  inside(text: string, frame?: Partial<Frame>): Items | undefined;
}

/** Value of a variable, by its name without `$`. `source` is how it is written. */
export function lookup(place: Place, name: string, source: string): readonly Atom[] {
  const { home, variables } = place.evaluation.options;
  const lower = name.toLowerCase().replace(/^(?:global|script|local|private|using|variable):/, "");
  const known = place.scope.variables.get(`ps:${lower}`);
  if (known !== undefined) {
    return known.elements !== undefined && known.elements.length > 1
      ? joinAtoms(known.elements, ",")
      : known.values[0] ?? [];
  }
  switch (lower) {
    case "home":
    case "env:userprofile":
    case "env:home":
      return [plain(home)];
    case "pwd": {
      const { directory } = place.scope;
      return directory.certain && directory.path !== undefined
        ? [plain(directory.path)]
        : [hidden(source, name)];
    }
    case "true":
    case "false":
      return [plain(lower)];
    case "null":
      return [];
  }
  if (lower.startsWith("env:")) {
    const wanted = lower.slice(4);
    const found = Object.keys(variables ?? {}).find((key) => key.toLowerCase() === wanted);
    if (found !== undefined) return [plain(variables![found]!)];
    return [hidden(source, wanted.toUpperCase())];
  }
  return [hidden(source, name)];
}

/** Sets a variable, by its name in lower case. */
export function assign(place: Place, name: string, value: Items | undefined): void {
  const items = value ?? [[hidden(`$${name}`)]];
  const elements = items.map((item) => place.evaluation.weigh(item));
  place.scope.variables.set(`ps:${name}`, { values: [elements[0] ?? []], elements });
}

/** Notes a program that is started. */
export function emit(
  place: Place,
  program: string,
  args: readonly (Word | string)[],
  redirections: readonly Redirection[],
  span: Span,
  provenance?: Frame["provenance"],
): void {
  const frame = provenance === undefined ? place.frame : { ...place.frame, provenance };
  const words = args.map((one) => typeof one === "string" ? textWord(one, span) : one);
  const call = callOf(place, program, textWord(program, span), words, redirections, span, frame);
  place.evaluation.emit(place.evaluation.invocation(call));
}

/** A call in this place. */
export function callOf(
  place: Place,
  program: string,
  word: Word,
  args: readonly Word[],
  redirections: readonly Redirection[],
  span: Span,
  frame: Frame,
): Call {
  return { program, word, args, assignments: [], redirections, scope: place.scope, frame, span };
}

/** Runs code that was put together as text. Returns what it gives, when that is known. */
export function runNested(place: Place, code: readonly Atom[], call?: Call): Items | undefined {
  if (place.evaluation.isTooDeep(place.frame, "scripts", place.here())) return undefined;
  if (!code.some((atom) => atom.kind === "text" && atom.text.trim() !== "")) return undefined;
  const text = place.evaluation.codeText(code);
  return place.inside(text, {
    depth: place.frame.depth + 1,
    provenance: "nested-script",
    via: [...place.frame.via, call?.program ?? "Invoke"],
  });
}
