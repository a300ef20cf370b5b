/** Parameter expansion: variables, positional parameters and arrays. */

import type { ParameterExpansionPart, Word as SyntaxWord } from "unbash";
import { type Atom, joinAtoms, plain, staticText, unknown } from "../pieces.ts";
import type { Variable } from "../scope.ts";
import { expandSingle } from "../expand.ts";
import { asExpansion, type Expander, lookup, positionalOf, separatorsOf } from "./expander.ts";
import { operate, sliceList } from "./operators.ts";

/** What `$name` stands for. `source` is how it is written. */
export function parameterAtoms(name: string, source: string, quoted: boolean, expander: Expander): Atom[] {
  if (name === "@" || name === "*") {
    return listAtoms(positionalOf(expander), name, source, quoted, expander);
  }
  if (name === "#") {
    const positional = positionalOf(expander);
    return positional === undefined
      ? [unknown(source, "positional", { mayBeEmpty: false })]
      : [plain(String(positional.length))];
  }
  const value = parameterValue(name, expander);
  if (value !== undefined) return asExpansion(value, quoted);
  return [missing(name, source)];
}

function missing(name: string, source: string) {
  if (/^[0-9]+$/.test(name)) return unknown(source, "positional", { name });
  return unknown(source, "variable", { name, mayBeEmpty: !"?$!".includes(name) });
}

/** Value of a scalar or positional parameter; undefined when it is not known. */
export function parameterValue(name: string, expander: Expander): readonly Atom[] | undefined {
  if (/^[1-9][0-9]*$/.test(name)) {
    const positional = positionalOf(expander);
    return positional === undefined ? undefined : positional[Number(name) - 1] ?? [];
  }
  const variable = lookup(name, expander);
  return variable === undefined ? undefined : chosen(name, variable, expander);
}

/** True for a variable that is surely not set, and for a positional parameter behind the last one. */
function isMissing(name: string, expander: Expander): boolean {
  if (/^[1-9][0-9]*$/.test(name)) {
    const positional = positionalOf(expander);
    return positional !== undefined && Number(name) > positional.length;
  }
  return expander.scope.variables.get(name)?.unset === true;
}

function chosen(name: string, variable: Variable, expander: Expander): readonly Atom[] {
  const { values } = variable;
  return values[expander.choose(name, values.length)] ?? [unknown(`$${name}`, "limit", { name })];
}

function listAtoms(
  values: readonly (readonly Atom[])[] | undefined,
  operator: "@" | "*",
  source: string,
  quoted: boolean,
  expander: Expander,
): Atom[] {
  if (values === undefined) return [unknown(source, "positional")];
  if (quoted && operator === "*") {
    return asExpansion(joinAtoms(values, separatorsOf(expander).slice(0, 1)), true);
  }
  const atoms: Atom[] = [];
  values.forEach((value, index) => {
    if (index > 0) atoms.push({ kind: "break" });
    atoms.push(...asExpansion(value, quoted));
  });
  return atoms;
}

/** Runs what stands in the operands of an operator whose result is not known. */
function expandOperands(operation: ParameterExpansionPart["operation"], expander: Expander): void {
  if (operation === undefined) return;
  for (const operand of Object.values(operation)) {
    if (typeof operand === "object" && operand.type === "Word") expandSingle(operand, expander);
  }
}

/** What `${…}` stands for. */
export function parameterExpansion(
  part: ParameterExpansionPart,
  quoted: boolean,
  expander: Expander,
): Atom[] {
  const { parameter: name, operation } = part;
  const source = part.text;
  const giveUp = (mayBeEmpty = true) => [unknown(source, "variable", { name, mayBeEmpty })];
  let value: readonly Atom[] | undefined;
  let isUnset = false;
  if (part.index !== undefined) {
    const variable = lookup(name, expander);
    const index = part.index.text;
    if (index === "@" || index === "*") {
      const elements = variable?.elements ?? (variable?.keys ? [...variable.keys.values()] : undefined) ??
        (variable?.unset === true ? [] : variable?.values.slice(0, 1));
      if (part.prefix === "#") {
        return elements === undefined ? giveUp(false) : [plain(String(elements.length))];
      }
      if (part.prefix === "!") {
        const keys = variable?.keys?.keys() ?? elements?.keys();
        return keys === undefined
          ? giveUp()
          : listAtoms([...keys].map((key) => [plain(String(key))]), index, source, quoted, expander);
      }
      if (elements === undefined) {
        expandOperands(operation, expander);
        return [unknown(source, "variable", { name })];
      }
      if (operation === undefined) return listAtoms(elements, index, source, quoted, expander);
      if (operation.type === "Slice") {
        const sliced = sliceList(elements, operation.offset, operation.length, expander, variable?.keys);
        return sliced === undefined ? giveUp() : listAtoms(sliced, index, source, quoted, expander);
      }
      const changed = elements.map((element) => operate(element, part, quoted, expander));
      return changed.some((element) => element === undefined)
        ? giveUp()
        : listAtoms(changed as Atom[][], index, source, quoted, expander);
    }
    value = elementValue(variable, part.index, expander);
    if (variable !== undefined && value === undefined) return giveUp();
  } else if (name === "@" || name === "*") {
    const positional = positionalOf(expander);
    if (part.prefix === "#") {
      return positional === undefined ? giveUp(false) : [plain(String(positional.length))];
    }
    if (operation === undefined) return listAtoms(positional, name, source, quoted, expander);
    if (operation.type === "Slice" && positional !== undefined) {
      const sliced = sliceList(
        [[plain(expander.scope.zero)], ...positional],
        operation.offset,
        operation.length,
        expander,
      );
      return sliced === undefined ? giveUp() : listAtoms(sliced, name, source, quoted, expander);
    }
    if (positional === undefined && operation.type !== "Default") {
      expandOperands(operation, expander);
      return [unknown(source, "positional")];
    }
    value = positional === undefined ? undefined : joinAtoms(positional);
  } else {
    value = parameterValue(name, expander);
    isUnset = isMissing(name, expander);
  }

  if (part.prefix === "#") {
    if (name === "" || (name === "#" && operation === undefined)) {
      return parameterAtoms("#", source, quoted, expander);
    }
    const text = staticText(value);
    return text === undefined ? giveUp(false) : [plain(String([...text].length))];
  }
  if (part.prefix === "!") {
    if (operation?.type === "Names") return giveUp();
    const target = staticText(value);
    if (target === undefined || !/^([A-Za-z_][A-Za-z_0-9]*|[0-9]+)$/.test(target)) {
      if (value !== undefined && target?.includes("[") !== false) expander.arithmetic(value);
      expandOperands(operation, expander);
      return giveUp();
    }
    value = parameterValue(target, expander);
    isUnset = isMissing(target, expander);
    if (value === undefined && operation === undefined) return [missing(target, source)];
  }
  if (operation === undefined) {
    if (value !== undefined) return asExpansion(value, quoted);
    return name === "#" ? parameterAtoms(name, source, quoted, expander) : [missing(name, source)];
  }
  // A parameter that is handed over is there: what stands for a missing one does not count.
  if (value === undefined && expander.scope.handed === true && /^[1-9@*]/.test(name)) {
    return [unknown(source, "positional", { name, mayBeEmpty: operation.type !== "Default" })];
  }
  const result = operate(value, part, quoted, expander, isUnset);
  if (result === undefined) {
    const sure = operation.type === "Default" && operation.operator === ":?";
    return giveUp(!sure);
  }
  // The operand of a default keeps its own quoting.
  if (operation.type !== "Default" || (quoted && result.length === 0)) return asExpansion(result, quoted);
  return [...result];
}

function elementValue(variable: Variable | undefined, index: SyntaxWord, expander: Expander) {
  return elementOf(variable, expandSingle(index, expander), expander);
}

/** The element of an array whose subscript is `index`; undefined when it is not known. */
export function elementAtoms(name: string, index: string, expander: Expander): readonly Atom[] | undefined {
  return elementOf(lookup(name, expander), [plain(index)], expander);
}

function elementOf(variable: Variable | undefined, index: readonly Atom[], expander: Expander) {
  const text = staticText(index);
  if (text !== undefined && variable?.keys?.has(text)) return variable.keys.get(text);
  const at = expander.arithmetic(index);
  if (variable === undefined || at === undefined) return undefined;
  if (variable.unset === true) return [];
  if (variable.keys !== undefined) {
    return at < 0 ? undefined : variable.keys.get(String(at)) ?? [];
  }
  const elements = variable.elements ?? variable.values.slice(0, 1);
  return elements[at < 0 ? elements.length + at : at] ?? [];
}
