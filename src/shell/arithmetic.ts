/** Arithmetic on constants: `$((…))`, `((…))`. */

import type { ArithmeticExpression } from "unbash";
import type { Expander } from "./expand/expander.ts";
import { parameterValue } from "./expand/parameters.ts";
import { plain, staticText } from "./pieces.ts";

/**
 * Value of an expression, or undefined when it depends on something unknown. Command substitutions inside
 * are run through the expander, and assignments take effect.
 */
export function evaluateArithmetic(
  expression: ArithmeticExpression | undefined,
  expander: Expander,
  part: { readonly pos: number; readonly end: number; readonly text: string },
): number | undefined {
  if (expression === undefined) return undefined;
  expander.step();
  switch (expression.type) {
    case "ArithmeticWord": {
      const { parts, value } = expression;
      if (parts?.some((one) => one.type !== "Literal" && one.type !== "SimpleExpansion") !== true) {
        return wordValue(value.trim(), expander, 0);
      }
      const { pos, end } = expression;
      const text = staticText(expander.expand({ type: "Word", text: value, value, parts, pos, end }))?.trim();
      return text === undefined ? undefined : wordValue(text, expander, 0);
    }
    case "ArithmeticGroup":
      return evaluateArithmetic(expression.expression, expander, part);
    case "ArithmeticCommandExpansion": {
      if (expression.script === undefined) return undefined;
      const { output } = expander.substitute(
        expression.script,
        expression.text,
        expression.pos,
        expression.end,
        "command",
      );
      const text = staticText(output)?.trim();
      return text === undefined ? undefined : numberOf(text);
    }
    case "ArithmeticUnary": {
      const value = evaluateArithmetic(expression.operand, expander, part);
      if (expression.operator === "++" || expression.operator === "--") {
        const next = value === undefined ? undefined : value + (expression.operator === "++" ? 1 : -1);
        assign(expression.operand, next, expander);
        return expression.prefix ? next : value;
      }
      if (value === undefined) return undefined;
      if (expression.operator === "-") return -value;
      if (expression.operator === "+") return value;
      if (expression.operator === "!") return value === 0 ? 1 : 0;
      if (expression.operator === "~") return safe(-value - 1);
      return undefined;
    }
    case "ArithmeticTernary": {
      const test = evaluateArithmetic(expression.test, expander, part);
      // What is not chosen is not evaluated.
      const yes = test === 0 ? undefined : evaluateArithmetic(expression.consequent, expander, part);
      const no = test !== undefined && test !== 0
        ? undefined
        : evaluateArithmetic(expression.alternate, expander, part);
      return test === undefined ? undefined : test !== 0 ? yes : no;
    }
    case "ArithmeticBinary": {
      if (expression.operator === "=") {
        const value = evaluateArithmetic(expression.right, expander, part);
        assign(expression.left, value, expander);
        return value;
      }
      const left = evaluateArithmetic(expression.left, expander, part);
      if (expression.operator === "&&" && left === 0) return 0;
      if (expression.operator === "||" && left !== undefined && left !== 0) return 1;
      const right = evaluateArithmetic(expression.right, expander, part);
      const compound = /^(\*\*|<<|>>|[-+*\/%&|^])=$/.exec(expression.operator);
      const value = left === undefined || right === undefined
        ? undefined
        : compute(left, compound === null ? expression.operator : compound[1]!, right);
      if (compound !== null) assign(expression.left, value, expander);
      return value;
    }
  }
}

function assign(target: ArithmeticExpression, value: number | undefined, expander: Expander): void {
  if (target.type !== "ArithmeticWord" || !/^[A-Za-z_][A-Za-z_0-9]*$/.test(target.value)) return;
  if (value === undefined) expander.scope.variables.delete(target.value);
  else {
    const { variables } = expander.scope;
    // A number stays what it is, whatever the declaration of the variable changes.
    const odd = variables.get(target.value)?.odd === true;
    variables.set(target.value, { values: [[plain(String(value))]], ...(odd ? { odd } : {}) });
  }
}

function wordValue(text: string, expander: Expander, depth: number): number | undefined {
  const number = numberOf(text);
  if (number !== undefined) return number;
  const name = /^\$?\{?([A-Za-z_][A-Za-z_0-9]*)\}?$/.exec(text)?.[1];
  if (name === undefined || depth > 4) return undefined;
  const value = staticText(parameterValue(name, expander));
  return value === undefined ? undefined : value === "" ? 0 : wordValue(value.trim(), expander, depth + 1);
}

function numberOf(text: string): number | undefined {
  if (text.length > 16) return undefined;
  if (/^-?(0|[1-9][0-9]*)$/.test(text)) return safe(Number(text));
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return safe(Number(text));
  if (/^0[0-7]+$/.test(text)) return safe(parseInt(text, 8));
  const based = /^([0-9]{1,2})#([0-9a-zA-Z]+)$/.exec(text);
  if (based !== null) {
    const base = Number(based[1]);
    const value = base >= 2 && base <= 36 ? parseInt(based[2]!, base) : NaN;
    return Number.isNaN(value) ? undefined : safe(value);
  }
  return undefined;
}

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

function compute(left: number, operator: string, right: number): number | undefined {
  switch (operator) {
    case "+":
      return safe(left + right);
    case "-":
      return safe(left - right);
    case "*":
      return safe(left * right);
    case "/":
      return right === 0 ? undefined : safe(Math.trunc(left / right));
    case "%":
      return right === 0 ? undefined : safe(left % right);
    case "**":
      return right < 0 ? undefined : safe(left ** right);
    case "<<":
      return right < 0 || right > 40 ? undefined : safe(left * 2 ** right);
    case ">>":
      return right < 0 || right > 40 ? undefined : safe(Math.floor(left / 2 ** right));
    case "<":
      return left < right ? 1 : 0;
    case ">":
      return left > right ? 1 : 0;
    case "<=":
      return left <= right ? 1 : 0;
    case ">=":
      return left >= right ? 1 : 0;
    case "==":
      return left === right ? 1 : 0;
    case "!=":
      return left !== right ? 1 : 0;
    case "&&":
      return left !== 0 && right !== 0 ? 1 : 0;
    case "||":
      return left !== 0 || right !== 0 ? 1 : 0;
    case ",":
      return right;
    case "&":
    case "|":
    case "^": {
      if (left < 0 || right < 0 || left > 0x7fffffff || right > 0x7fffffff) return undefined;
      return operator === "&" ? left & right : operator === "|" ? left | right : left ^ right;
    }
  }
  return undefined;
}
