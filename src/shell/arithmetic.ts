/** Arithmetic on constants: `$((…))`, `((…))`. */

import type { ArithmeticExpression } from "unbash";
import type { Expander } from "./expand/expander.ts";
import { elementAtoms, parameterValue } from "./expand/parameters.ts";
import { plain, staticText } from "./pieces.ts";
import { define, forget } from "./scope.ts";

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
      // What is not chosen is not evaluated, but all that is to be expanded in it is.
      const yes = test === 0
        ? runSubstitutions(expression.consequent, expander)
        : evaluateArithmetic(expression.consequent, expander, part);
      const no = test !== undefined && test !== 0
        ? runSubstitutions(expression.alternate, expander)
        : evaluateArithmetic(expression.alternate, expander, part);
      return test === undefined ? undefined : test !== 0 ? yes : no;
    }
    case "ArithmeticBinary": {
      if (expression.operator === "=") {
        runSubstitutions(expression.left, expander);
        const value = evaluateArithmetic(expression.right, expander, part);
        assign(expression.left, value, expander);
        return value;
      }
      const left = evaluateArithmetic(expression.left, expander, part);
      const decided = expression.operator === "&&"
        ? left === 0
        : expression.operator === "||" && left !== undefined && left !== 0;
      if (decided) {
        runSubstitutions(expression.right, expander);
        return expression.operator === "&&" ? 0 : 1;
      }
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

/** Runs what bash expands in an expression before it knows which parts of it count. */
function runSubstitutions(expression: ArithmeticExpression, expander: Expander): undefined {
  expander.step();
  switch (expression.type) {
    case "ArithmeticWord": {
      const { parts, value, pos, end } = expression;
      const plainly = parts?.every((one) => one.type === "Literal" || one.type === "SimpleExpansion");
      if (plainly === false) expander.expand({ type: "Word", text: value, value, parts, pos, end });
      return;
    }
    case "ArithmeticCommandExpansion":
      if (expression.script !== undefined) {
        expander.substitute(expression.script, expression.text, expression.pos, expression.end, "command");
      }
      return;
    case "ArithmeticGroup":
      return runSubstitutions(expression.expression, expander);
    case "ArithmeticUnary":
      return runSubstitutions(expression.operand, expander);
    case "ArithmeticBinary":
      runSubstitutions(expression.left, expander);
      return runSubstitutions(expression.right, expander);
    case "ArithmeticTernary":
      runSubstitutions(expression.test, expander);
      runSubstitutions(expression.consequent, expander);
      return runSubstitutions(expression.alternate, expander);
  }
}

function assign(target: ArithmeticExpression, value: number | undefined, expander: Expander): void {
  if (target.type !== "ArithmeticWord") return;
  const { scope } = expander;
  const name = /^[A-Za-z_][A-Za-z_0-9]*(?=\[|$)/.exec(target.value)?.[0];
  if (name === undefined) return;
  if (name !== target.value || value === undefined) forget(scope, name);
  else {
    // A number stays what it is, whatever the declaration of the variable changes.
    const odd = scope.variables.get(name)?.odd === true;
    define(scope, name, { values: [[plain(String(value))]], ...(odd ? { odd } : {}) });
  }
}

function wordValue(text: string, expander: Expander, depth: number): number | undefined {
  const number = numberOf(text);
  if (number !== undefined) return number;
  if (depth > 4) return undefined;
  const name = /^\$?\{?([A-Za-z_][A-Za-z_0-9]*)\}?$/.exec(text)?.[1];
  const element = name === undefined ? /^([A-Za-z_][A-Za-z_0-9]*)\[([^]*)\]$/.exec(text) : null;
  if (name === undefined && element === null) return undefined;
  const atoms = name !== undefined
    ? parameterValue(name, expander)
    : elementAtoms(element![1]!, element![2]!, expander);
  if (atoms === undefined) return undefined;
  const value = staticText(atoms)?.trim();
  if (value === "") return 0;
  if (value !== undefined && /^[\w#]+$/.test(value)) return wordValue(value, expander, depth + 1);
  // A value is an expression too.
  return expander.arithmetic(atoms);
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
