/** Assignments to variables, arrays and their elements. */

import type { Assignment as AssignmentNode } from "unbash";
import type { Evaluation } from "./evaluate.ts";
import { expandArray, expandSingle } from "./expand.ts";
import type { Expander } from "./expand/expander.ts";
import { type Atom, concat, piecesText, plain, staticText, unknown } from "./pieces.ts";
import type { Scope } from "./scope.ts";

/** Carries out an assignment. */
export function assign(evaluation: Evaluation, node: AssignmentNode, scope: Scope, expander: Expander): void {
  const name = node.name;
  const old = scope.variables.get(name);
  if (node.value.type === "ArrayValue") {
    const added = expandArray(node.value, expander);
    const elements = node.append ? [...(old?.elements ?? []), ...added] : added;
    evaluation.step(elements.length);
    const keyed = elements.every((element) => /^\[[^\]]+\]=/.test(piecesText(element))) &&
      elements.length > 0;
    if (keyed) {
      const keys = new Map<string, readonly Atom[]>();
      for (const element of elements) {
        const text = piecesText(element);
        const end = text.indexOf("]=");
        keys.set(text.slice(1, end), [plain(text.slice(end + 2))]);
      }
      scope.variables.set(name, { values: [[]], keys });
    } else scope.variables.set(name, { values: [elements[0] ?? []], elements });
    return;
  }
  const value = expandSingle(node.value, expander, true);
  if (node.index !== undefined) {
    const key = staticText(expandSingle(node.index, expander));
    if (key === undefined) scope.variables.delete(name);
    else if (/^[0-9]{1,4}$/.test(key) && old?.keys === undefined) {
      const elements = [...(old?.elements ?? old?.values.slice(0, 1) ?? [])];
      while (elements.length < Number(key)) elements.push([]);
      elements[Number(key)] = value;
      evaluation.step(elements.length);
      scope.variables.set(name, { values: [elements[0] ?? []], elements });
    } else {
      const keys = new Map(old?.keys ?? []);
      keys.set(key, value);
      evaluation.step(keys.size);
      scope.variables.set(name, { values: [[]], keys });
    }
    return;
  }
  evaluation.setVariable(
    name,
    node.append ? concat(old?.values[0] ?? environmentValue(evaluation, name), value) : value,
    scope,
  );
}

function environmentValue(evaluation: Evaluation, name: string): readonly Atom[] {
  const text = evaluation.options.variables?.[name];
  return text !== undefined ? [plain(text)] : name === "PATH" ? [unknown("$PATH", "variable", { name })] : [];
}
