/** Assignments to variables, arrays and their elements. */

import type { Assignment as AssignmentNode, Word as SyntaxWord } from "unbash";
import type { Evaluation } from "./evaluate.ts";
import { expandArray, expandSingle } from "./expand.ts";
import type { Expander } from "./expand/expander.ts";
import { type Atom, concat, dropAtoms, piecesText, plain, staticText, unknown } from "./pieces.ts";
import { define, forget, type Scope, type Variable } from "./scope.ts";

/** What is assigned, expanded. */
export type AssignedValue =
  | { readonly atoms: readonly Atom[] }
  | { readonly elements: readonly (readonly Atom[])[] };

/** Expands what is assigned; to be done once, since what stands in it is run. */
export function assignedValue({ value }: AssignmentNode, expander: Expander): AssignedValue {
  return value.type === "ArrayValue"
    ? { elements: expandArray(value, expander) }
    : { atoms: expandSingle(value, expander, true) };
}

/** Carries out an assignment. */
export function assign(
  evaluation: Evaluation,
  node: AssignmentNode,
  assigned: AssignedValue,
  scope: Scope,
  expander: Expander,
): void {
  const name = node.name;
  const old = scope.variables.get(name);
  if ("elements" in assigned) {
    const entries = node.append && old?.unset !== true ? entriesOf(old) : new Map<string, readonly Atom[]>();
    let known = true;
    for (const element of assigned.elements) {
      const key = /^\[([^\]]+)\]=/.exec(piecesText(element));
      if (key === null) entries.set(String(nextIndex(entries)), element);
      else {
        const lead = element[0];
        known &&= lead?.kind === "text" && lead.text.startsWith(key[0]);
        entries.set(key[1]!, dropAtoms(element, key[0].length));
      }
    }
    evaluation.step(entries.size);
    setEntries(name, known ? entries : undefined, scope);
    return;
  }
  const value = assigned.atoms;
  if (node.index !== undefined) {
    const key = elementKey(node.index, expander);
    const entries = old?.unset === true ? new Map<string, readonly Atom[]>() : entriesOf(old);
    // In an indexed array another key is an expression.
    const known = key !== undefined && (isIndex(key) || ![...entries.keys()].some(isIndex));
    if (known) entries.set(key, node.append ? concat(entries.get(key) ?? [], value) : value);
    evaluation.step(entries.size);
    setEntries(name, known ? entries : undefined, scope);
    return;
  }
  if (!node.append) {
    evaluation.setVariable(name, value, scope);
    return;
  }
  if (old?.odd === true) {
    evaluation.setVariable(name, value, scope);
    return;
  }
  const before = old?.values ?? [environmentValue(evaluation, name)];
  define(scope, name, { values: before.map((one) => evaluation.weigh(concat(one, value))) });
}

/** The key of an element, for an indexed or an associative array; undefined when it is not known. */
export function elementKey(index: SyntaxWord, expander: Expander): string | undefined {
  const text = staticText(expandSingle(index, expander));
  return text === undefined || /^-|[$`]/.test(text) ? undefined : text;
}

function isIndex(key: string): boolean {
  return /^[0-9]{1,9}$/.test(key);
}

/** The elements of an array by their keys. */
function entriesOf(variable: Variable | undefined): Map<string, readonly Atom[]> {
  if (variable?.keys !== undefined) return new Map(variable.keys);
  const elements = variable?.elements ?? variable?.values.slice(0, 1) ?? [];
  return new Map(elements.map((element, index) => [String(index), element]));
}

function nextIndex(entries: ReadonlyMap<string, unknown>): number {
  if (entries.has(String(entries.size - 1)) || entries.size === 0) return entries.size;
  let last = -1;
  for (const key of entries.keys()) if (isIndex(key)) last = Math.max(last, Number(key));
  return last + 1;
}

/** Sets an array; undefined elements are not known. */
function setEntries(
  name: string,
  entries: ReadonlyMap<string, readonly Atom[]> | undefined,
  scope: Scope,
): void {
  if (entries === undefined) {
    forget(scope, name);
    return;
  }
  const keys = [...entries.keys()];
  if (keys.every((key, index) => key === String(index))) {
    const elements = [...entries.values()];
    define(scope, name, { values: [elements[0] ?? []], elements });
    return;
  }
  const indexed = keys.every(isIndex);
  const sorted = indexed ? [...entries].sort(([one], [other]) => Number(one) - Number(other)) : entries;
  define(scope, name, { values: [entries.get("0") ?? []], keys: new Map(sorted) });
}

function environmentValue(evaluation: Evaluation, name: string): readonly Atom[] {
  const text = evaluation.options.variables?.[name];
  return text !== undefined ? [plain(text)] : name === "PATH" ? [unknown("$PATH", "variable", { name })] : [];
}
