/** Word expansion: what bash makes of a word, as far as that can be known without running anything. */

import type { ArrayValue, ParameterExpansionPart, ParsedScript, Word as SyntaxWord, WordPart } from "unbash";
import type { Invocation } from "./model.ts";
import { type Atom, joinAtoms, piecesText, plain, staticText, unknown } from "./pieces.ts";
import {
  compilePattern,
  matchesPattern,
  patternTextLimit,
  removePattern,
  replacePattern,
} from "./pattern.ts";
import type { Scope, Variable } from "./scope.ts";
import { evaluateArithmetic } from "./arithmetic.ts";

/** What expansion needs from the walk over the line. */
export interface Expander {
  readonly scope: Scope;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** Which of the values of a variable is taken when it may have several. */
  readonly choice: number;
  /** Told about every variable that may have several values. */
  choices(count: number): void;
  /** Counts work; throws when a command needs too much of it. */
  step(cost?: number): void;
  /** Runs a substitution; what it prints, when known, and what runs inside. */
  substitute(script: ParsedScript, text: string, pos: number, end: number, origin: "command" | "process"): {
    output: readonly Atom[] | undefined;
    invocations: readonly Invocation[];
  };
  /** Code that a parameter transformation runs (`${x@P}`). */
  promptExpansion(value: readonly Atom[], part: { pos: number; end: number; text: string }): void;
  /** Pieces for which a mark in a generated script stands. */
  placeholder(number: number): readonly Atom[] | undefined;
}

/** Marks around the number of a piece in a script that was put together from pieces. */
export const placeholderStart = "\uE000";
export const placeholderEnd = "\uE001";

const maxBraceWords = 128;

/** Expands a word into the fields that a command receives. */
export function expandFields(word: SyntaxWord, expander: Expander): Atom[][] {
  const fields: Atom[][] = [];
  for (const atoms of expandBraces(wordAtoms(word, expander), expander)) {
    fields.push(...splitFields(expandTilde(joinText(atoms), expander, false), expander));
  }
  return fields;
}

/** Joins bare text that brace expansion has put together, so that a tilde sees what follows it. */
function joinText(atoms: Atom[]): Atom[] {
  const [first, second] = atoms;
  if (first?.kind !== "text" || second?.kind !== "text" || first.quoted || second.quoted) return atoms;
  if (first.split || second.split || !first.text.startsWith("~")) return atoms;
  return [{ kind: "text", text: first.text + second.text, quoted: false }, ...atoms.slice(2)];
}

/** Expands the value of an assignment, a redirection target or a here-string: one field, no braces. */
export function expandSingle(word: SyntaxWord, expander: Expander, assignment = false): Atom[] {
  const atoms = expandTilde(wordAtoms(word, expander, true), expander, assignment);
  return atoms.flatMap((atom): Atom[] => {
    if (atom.kind === "break") return [plain(" ")];
    if (atom.kind === "text" && atom.split) return [{ ...atom, split: false }];
    return [atom];
  });
}

/** Elements of an array value. */
export function expandArray(value: ArrayValue, expander: Expander): Atom[][] {
  return value.elements.flatMap((element) => expandFields(element, expander));
}

/** Body of an unquoted heredoc. */
export function expandHeredoc(
  text: string,
  parts: readonly WordPart[] | undefined,
  expander: Expander,
): Atom[] {
  if (parts === undefined) return withPlaceholders(unescapeHeredoc(text), true, expander);
  return parts.flatMap((part) =>
    part.type === "Literal"
      ? withPlaceholders(unescapeHeredoc(part.text), true, expander)
      : partAtoms(part, true, expander)
  );
}

function unescapeHeredoc(text: string): string {
  return text.includes("\\") ? text.replace(/\\(\n|[\\$`])/g, (_, char) => char === "\n" ? "" : char) : text;
}

function wordAtoms(word: SyntaxWord, expander: Expander, noBraces = false): Atom[] {
  expander.step(1 + (word.text.length >> 4));
  if (word.parts === undefined) return literalAtoms(word.text, expander);
  const parts = continued(word.parts, word.text);
  const atoms: Atom[] = [];
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.type === "BraceExpansion") {
      if (noBraces) atoms.push(...literalAtoms(part.text, expander));
      else {
        const alternatives = braceAlternatives(braceTokens(part, expander), expander);
        const name = before?.type === "SimpleExpansion" ? before.text.slice(1) : "";
        const named = /^[A-Za-z_][A-Za-z_0-9]*$/.test(name);
        atoms.push({
          kind: "brace",
          alternatives: named ? alternatives.map((one) => lengthened(name, one, parts[index + 1], expander)) : alternatives,
        });
      }
    } else if (
      part.type === "SimpleExpansion" && !noBraces && parts[index + 1]?.type === "BraceExpansion" &&
      /^\$[A-Za-z_]/.test(part.text)
    ) continue;
    else {
      for (const atom of partAtoms(part, false, expander)) atoms.push(atom);
    }
  }
  return atoms;
}

/** The end of a line behind a backslash is not there at all: a name goes on behind it. */
function continued(parts: readonly WordPart[], text: string): readonly WordPart[] {
  if (!text.includes("\\\n")) return parts;
  const joined: WordPart[] = [];
  for (const part of parts) {
    const before = joined[joined.length - 1];
    const lead = part.type === "Literal" ? /^(?:\\\n)+([A-Za-z_0-9]*)/.exec(part.text) : null;
    if (part.type !== "Literal" || lead === null || before?.type !== "SimpleExpansion") {
      joined.push(part);
      continue;
    }
    const more = /^\$[A-Za-z_]/.test(before.text) ? lead[1]! : "";
    joined[joined.length - 1] = { ...before, text: before.text + more };
    const rest = part.text.slice(lead[0].length - lead[1]!.length + more.length);
    const value = part.value.startsWith(lead[1]!) ? part.value.slice(more.length) : rest;
    if (rest !== "") joined.push({ ...part, text: rest, value });
  }
  return joined;
}

/** Braces come before variables: `$a{b,c}` is `$ab $ac`. */
function lengthened(name: string, rest: readonly Atom[], next: WordPart | undefined, expander: Expander): Atom[] {
  const first = rest[0];
  const bare = first?.kind === "text" && !first.quoted ? first.text : "";
  const more = /^[A-Za-z_0-9]*/.exec(bare)![0];
  const whole = more === bare && rest.length < 2;
  const open = next?.type === "BraceExpansion" || (next?.type === "Literal" && /^[A-Za-z_0-9]/.test(next.text));
  // What follows would belong to the name as well.
  if (whole && open) return [unknown(`$${name}${more}`, "variable", { name: `${name}${more}` })];
  return [
    ...parameterAtoms(name + more, `$${name}${more}`, false, expander),
    ...more.length < bare.length && first?.kind === "text" ? [{ ...first, text: bare.slice(more.length) }] : [],
    ...bare === "" ? rest : rest.slice(1),
  ];
}

/** Bare text with backslash escapes. */
function literalAtoms(text: string, expander: Expander): Atom[] {
  if (!text.includes("\\")) return withPlaceholders(text, false, expander);
  const atoms: Atom[] = [];
  let start = 0;
  for (let index = text.indexOf("\\"); index >= 0; index = text.indexOf("\\", start)) {
    if (index > start) atoms.push(...withPlaceholders(text.slice(start, index), false, expander));
    const next = text[index + 1];
    if (next === undefined) atoms.push(plain("\\"));
    else if (next !== "\n") atoms.push(plain(next));
    start = index + 2;
  }
  if (start < text.length) atoms.push(...withPlaceholders(text.slice(start), false, expander));
  return atoms;
}

function withPlaceholders(text: string, quoted: boolean, expander: Expander): Atom[] {
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

function partAtoms(part: WordPart, quoted: boolean, expander: Expander): Atom[] {
  expander.step();
  switch (part.type) {
    case "Literal":
      return quoted ? withPlaceholders(part.value, true, expander) : literalAtoms(part.text, expander);
    case "SingleQuoted":
    case "AnsiCQuoted":
      // An empty quoted piece still makes a field.
      return part.value === "" ? [plain("")] : withPlaceholders(part.value, true, expander);
    case "DoubleQuoted":
    case "LocaleString": {
      const atoms = continued(part.parts, part.text).flatMap((child) => partAtoms(child, true, expander));
      return atoms.length === 0 && part.parts.length === 0 ? [plain("")] : atoms;
    }
    case "Glob":
      return quoted ? [plain(part.text)] : [{ kind: "glob", text: part.text }];
    case "ExtendedGlob":
      return [{ kind: "glob", text: part.text }];
    case "BraceExpansion":
      return literalAtoms(part.text, expander);
    case "SimpleExpansion":
      return parameterAtoms(part.text.slice(1), part.text, quoted, expander);
    case "ParameterExpansion":
      return parameterExpansion(part, quoted, expander);
    case "ArithmeticExpansion": {
      const value = evaluateArithmetic(part.expression, expander, part);
      return value === undefined
        ? [unknown(part.text, "arithmetic", { mayBeEmpty: false })]
        : [{ kind: "text", text: String(value), quoted: true }];
    }
    case "CommandExpansion":
    case "ProcessSubstitution": {
      const origin = part.type === "CommandExpansion" ? "command" : "process";
      if (part.script === undefined) return [unknown(part.text, origin)];
      const result = expander.substitute(part.script, part.text, part.pos, part.end, origin);
      if (origin === "process" || result.output === undefined) {
        return [
          unknown(part.text, origin, {
            invocations: result.invocations,
            mayBeEmpty: origin === "command",
          }),
        ];
      }
      return asExpansion(trimNewlines(result.output), quoted);
    }
  }
}

/** Command substitution drops the newlines at the end. */
function trimNewlines(atoms: readonly Atom[]): Atom[] {
  const trimmed = [...atoms];
  while (trimmed.length > 0) {
    const last = trimmed[trimmed.length - 1]!;
    if (last.kind !== "text") break;
    let end = last.text.length;
    while (end > 0 && last.text[end - 1] === "\n") end--;
    trimmed.pop();
    if (end > 0) {
      trimmed.push({ ...last, text: last.text.slice(0, end) });
      break;
    }
  }
  return trimmed;
}

/** A value where an expansion stands: split and globbed later unless quoted. */
function asExpansion(value: readonly Atom[], quoted: boolean): Atom[] {
  if (quoted && value.length === 0) return [plain("")];
  return value.map((atom): Atom => {
    if (atom.kind !== "text") return atom;
    return quoted ? { kind: "text", text: atom.text, quoted: true } : {
      kind: "text",
      text: atom.text,
      quoted: false,
      split: true,
    };
  });
}

const unknowable = new Set(["?", "$", "!", "-", "_", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID"]);

/** The variable as far as the line, the environment given and the shell itself define it. */
export function lookup(name: string, expander: Expander): Variable | undefined {
  const variable = expander.scope.variables.get(name);
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

function chosen(variable: Variable, expander: Expander): readonly Atom[] {
  if (variable.values.length > 1) expander.choices(variable.values.length);
  return variable.values[expander.choice % variable.values.length] ?? [];
}

function parameterAtoms(name: string, source: string, quoted: boolean, expander: Expander): Atom[] {
  if (name === "@" || name === "*") {
    return listAtoms(expander.scope.positional, name, source, quoted, expander);
  }
  if (name === "#") {
    const { positional } = expander.scope;
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
function parameterValue(name: string, expander: Expander): readonly Atom[] | undefined {
  if (/^[1-9][0-9]*$/.test(name)) {
    const { positional } = expander.scope;
    return positional === undefined ? undefined : positional[Number(name) - 1] ?? [];
  }
  const variable = lookup(name, expander);
  return variable === undefined ? undefined : chosen(variable, expander);
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
    const separator = staticText(lookup("IFS", expander)?.values[0]);
    return asExpansion(joinAtoms(values, separator === undefined ? " " : separator.slice(0, 1)), true);
  }
  const atoms: Atom[] = [];
  values.forEach((value, index) => {
    if (index > 0) atoms.push({ kind: "break" });
    atoms.push(...asExpansion(value, quoted));
  });
  return atoms;
}

function parameterExpansion(part: ParameterExpansionPart, quoted: boolean, expander: Expander): Atom[] {
  const { parameter: name, operation } = part;
  const source = part.text;
  const giveUp = (mayBeEmpty = true) => [unknown(source, "variable", { name, mayBeEmpty })];
  let value: readonly Atom[] | undefined;
  if (part.index !== undefined) {
    const variable = lookup(name, expander);
    const index = part.index.text;
    if (index === "@" || index === "*") {
      const elements = variable?.elements ?? (variable?.keys ? [...variable.keys.values()] : undefined) ??
        variable?.values.slice(0, 1);
      if (part.prefix === "#") {
        return elements === undefined ? giveUp(false) : [plain(String(elements.length))];
      }
      if (part.prefix === "!") return giveUp();
      if (elements === undefined) return [unknown(source, "variable", { name })];
      if (operation === undefined) return listAtoms(elements, index, source, quoted, expander);
      if (operation.type === "Slice") {
        const sliced = sliceList(elements, operation.offset, operation.length, expander);
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
    const { positional } = expander.scope;
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
    if (positional === undefined && operation.type !== "Default") return [unknown(source, "positional")];
    value = positional === undefined ? undefined : joinAtoms(positional);
  } else value = parameterValue(name, expander);

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
    if (target === undefined || !/^([A-Za-z_][A-Za-z_0-9]*|[0-9]+)$/.test(target)) return giveUp();
    value = parameterValue(target, expander);
    if (value === undefined && operation === undefined) return [missing(target, source)];
  }
  if (operation === undefined) {
    if (value !== undefined) return asExpansion(value, quoted);
    return name === "#" ? parameterAtoms(name, source, quoted, expander) : [missing(name, source)];
  }
  const result = operate(value, part, quoted, expander);
  if (result === undefined) {
    const sure = operation.type === "Default" && operation.operator === ":?";
    return giveUp(!sure);
  }
  // The operand of a default keeps its own quoting.
  if (operation.type !== "Default" || (quoted && result.length === 0)) return asExpansion(result, quoted);
  return [...result];
}

function elementValue(variable: Variable | undefined, index: SyntaxWord, expander: Expander) {
  if (variable === undefined) return undefined;
  const key = staticText(expandSingle(index, expander));
  if (key === undefined) return undefined;
  if (variable.keys !== undefined) return variable.keys.get(key);
  if (!/^-?[0-9]{1,6}$/.test(key)) return undefined;
  const elements = variable.elements ?? variable.values.slice(0, 1);
  const at = Number(key);
  return elements[at < 0 ? elements.length + at : at] ?? [];
}

function sliceList(
  list: readonly (readonly Atom[])[],
  offset: SyntaxWord,
  length: SyntaxWord | undefined,
  expander: Expander,
) {
  const start = smallNumber(offset, expander);
  const count = length === undefined ? list.length : smallNumber(length, expander);
  if (start === undefined || count === undefined) return undefined;
  const from = start < 0 ? Math.max(0, list.length + start) : start;
  return list.slice(from, from + Math.max(0, count));
}

function smallNumber(word: SyntaxWord, expander: Expander): number | undefined {
  const text = staticText(expandSingle(word, expander))?.trim();
  return text !== undefined && /^-?[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Carries out an operator; undefined when the result cannot be known. */
function operate(
  value: readonly Atom[] | undefined,
  part: ParameterExpansionPart,
  quoted: boolean,
  expander: Expander,
): readonly Atom[] | undefined {
  const operation = part.operation!;
  const text = staticText(value);
  switch (operation.type) {
    case "Default": {
      const operator = operation.operator;
      const colon = operator[0] === ":";
      const kind = operator[operator.length - 1]!;
      const operand = () => {
        const atoms = wordAtoms(operation.operand, expander, true);
        const tilde = quoted ? atoms : expandTilde(atoms, expander, false);
        return quoted
          ? asExpansion(tilde, true)
          : tilde.map((atom): Atom => atom.kind === "text" && !atom.quoted ? { ...atom, split: true } : atom);
      };
      const empty = value !== undefined && colon && text === "";
      const missing = value === undefined || empty;
      if (kind === "+") return missing && value !== undefined ? [] : operand();
      if (kind === "?") return value === undefined || empty ? undefined : asExpansion(value, quoted);
      if (!missing) return asExpansion(value, quoted);
      const atoms = operand();
      if (kind === "=" && /^[A-Za-z_]/.test(part.parameter)) {
        expander.scope.variables.set(part.parameter, { values: [atoms] });
      }
      return atoms;
    }
    case "Remove": {
      const pattern = compilePattern(wordAtoms(operation.operand, expander, true));
      if (pattern === undefined || value === undefined) return undefined;
      if (text === undefined || text.length > patternTextLimit) {
        return removeFromPartly(value, operation.operator, operation.operand.text);
      }
      expander.step(text.length * (1 + pattern.length));
      return [plain(removePattern(text, operation.operator, pattern))];
    }
    case "Replace": {
      const pattern = compilePattern(wordAtoms(operation.pattern, expander, true));
      const replacement = staticText(expandSingle(operation.replacement, expander));
      if (pattern === undefined || replacement === undefined || text === undefined) return undefined;
      if (pattern.every((token) => token.kind === "char")) {
        return [
          plain(replaceLiteral(
            text,
            operation.operator,
            pattern.map((token) => token.kind === "char" ? token.char : "").join(""),
            replacement,
          )),
        ];
      }
      if (text.length > 64) return undefined;
      expander.step(text.length * text.length * (1 + pattern.length));
      return [plain(replacePattern(text, operation.operator, pattern, replacement))];
    }
    case "Slice": {
      if (text === undefined) return undefined;
      const start = smallNumber(operation.offset, expander);
      const count = operation.length === undefined ? text.length : smallNumber(operation.length, expander);
      if (start === undefined || count === undefined) return undefined;
      const from = start < 0 ? text.length + start : start;
      if (from < 0) return [];
      const to = count < 0 ? text.length + count : from + count;
      return [plain(text.slice(from, to))];
    }
    case "CaseModification": {
      if (text === undefined) return undefined;
      const change = (char: string) =>
        operation.operator[0] === "^" ? char.toUpperCase() : char.toLowerCase();
      const pattern = operation.operand === undefined || operation.operand.text === ""
        ? undefined
        : compilePattern(wordAtoms(operation.operand, expander, true));
      if (operation.operand !== undefined && operation.operand.text !== "" && pattern === undefined) {
        return undefined;
      }
      expander.step(text.length);
      const all = operation.operator.length === 2;
      return [
        plain(
          [...text].map((char, index) =>
            (all || index === 0) && (pattern === undefined || matchesPattern(pattern, char))
              ? change(char)
              : char
          ).join(""),
        ),
      ];
    }
    case "Transform": {
      const kind = operation.operand.text;
      if (kind === "P") {
        if (value === undefined || text === undefined || /`|\$\(/.test(text)) {
          expander.promptExpansion(value ?? [unknown(part.text, "variable", { name: part.parameter })], part);
          return undefined;
        }
        return /[$\\]/.test(text) ? undefined : value;
      }
      if (text === undefined) return undefined;
      if (kind === "U") return [plain(text.toUpperCase())];
      if (kind === "L") return [plain(text.toLowerCase())];
      if (kind === "u") return [plain(text.slice(0, 1).toUpperCase() + text.slice(1))];
      if (kind === "Q") return [plain(`'${text.replaceAll("'", "'\\''")}'`)];
      return undefined;
    }
    default:
      return undefined;
  }
}

function replaceLiteral(
  text: string,
  operator: "/" | "//" | "/#" | "/%",
  pattern: string,
  by: string,
): string {
  if (pattern === "") return operator === "/#" ? by + text : operator === "/%" ? text + by : text;
  if (operator === "/#") return text.startsWith(pattern) ? by + text.slice(pattern.length) : text;
  if (operator === "/%") return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text;
  if (operator === "//") return text.length * by.length > 1 << 20 ? text : text.replaceAll(pattern, () => by);
  return text.replace(pattern, () => by);
}

/** `${x%/}` and `${x%/*}` of a value that ends in known text: the unknown front stays. */
function removeFromPartly(
  value: readonly Atom[],
  operator: string,
  pattern: string,
): readonly Atom[] | undefined {
  const last = value[value.length - 1];
  if (operator !== "%" || last?.kind !== "text") return undefined;
  if (pattern === "/*") {
    const slash = last.text.lastIndexOf("/");
    return slash < 0 ? undefined : [...value.slice(0, -1), { ...last, text: last.text.slice(0, slash) }];
  }
  if (/[*?\[\\$`'"]/.test(pattern) || !last.text.endsWith(pattern)) return undefined;
  return [...value.slice(0, -1), { ...last, text: last.text.slice(0, -pattern.length) }];
}

/** Tilde at the start of a word, and after `:` and `=` where a path list may stand. */
function expandTilde(atoms: Atom[], expander: Expander, assignment: boolean): Atom[] {
  const first = atoms[0];
  if (first?.kind !== "text" || first.quoted || first.split || !first.text.includes("~")) return atoms;
  // A word that looks like an assignment is treated as one.
  const lead = assignment ? "" : /^[A-Za-z_][A-Za-z_0-9]*=/.exec(first.text)?.[0] ?? "";
  const chunks = assignment || lead !== "" ? first.text.slice(lead.length).split(":") : [first.text];
  const expanded: Atom[] = lead === "" ? [] : [{ kind: "text", text: lead, quoted: false }];
  chunks.forEach((chunk, index) => {
    if (index > 0) expanded.push({ kind: "text", text: ":", quoted: false });
    const whole = index < chunks.length - 1 || atoms.length === 1;
    expanded.push(...tilde(chunk, whole, expander));
  });
  return [...expanded, ...atoms.slice(1)];
}

function tilde(text: string, whole: boolean, expander: Expander): Atom[] {
  if (!text.startsWith("~")) return [{ kind: "text", text, quoted: false }];
  const slash = text.indexOf("/");
  if (slash < 0 && !whole) return [plain("~"), { kind: "text", text: text.slice(1), quoted: false }];
  const prefix = slash < 0 ? text : text.slice(0, slash);
  const rest: Atom = { kind: "text", text: slash < 0 ? "" : text.slice(slash), quoted: false };
  if (prefix === "~") return [...(parameterValue("HOME", expander) ?? [plain(expander.home)]), rest];
  if (prefix === "~+" || prefix === "~-") {
    return [...parameterAtoms(prefix === "~+" ? "PWD" : "OLDPWD", prefix, true, expander), rest];
  }
  return [{ kind: "text", text, quoted: false }];
}

/** Splits the results of unquoted expansions at IFS and turns their pattern characters into globs. */
function splitFields(atoms: readonly Atom[], expander: Expander): Atom[][] {
  if (!atoms.some((atom) => atom.kind === "break" || (atom.kind === "text" && atom.split))) {
    return atoms.length === 0
      ? []
      : atoms.every((atom) => atom.kind === "text" && !atom.quoted && atom.text === "")
      ? []
      : [[...atoms]];
  }
  const separators = staticText(lookup("IFS", expander)?.values[0]) ?? " \t\n";
  const fields: Atom[][] = [];
  let field: Atom[] | undefined;
  const close = () => {
    if (field !== undefined) fields.push(field);
    field = undefined;
  };
  for (const atom of atoms) {
    if (atom.kind === "break") {
      close();
    } else if (atom.kind === "text" && atom.split) {
      expander.step(1 + (atom.text.length >> 4));
      let start = 0;
      for (let at = 0; at <= atom.text.length; at++) {
        const char = atom.text[at];
        if (char !== undefined && !separators.includes(char)) continue;
        if (at > start) (field ??= []).push(...globAtoms(atom.text.slice(start, at)));
        if (char !== undefined) {
          // A separator that is not white space ends a field even if that is empty.
          if (!" \t\n".includes(char)) field ??= [plain("")];
          close();
        }
        start = at + 1;
      }
    } else if (atom.kind === "text" && !atom.quoted && atom.text === "") {
      continue;
    } else (field ??= []).push(atom);
  }
  close();
  return fields;
}

/** Text of an unquoted expansion: pattern characters are active, tildes are not. */
function globAtoms(text: string): Atom[] {
  if (!/[*?\[]/.test(text)) return [plain(text)];
  const atoms: Atom[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (!"*?[".includes(char)) continue;
    const end = char === "[" ? text.indexOf("]", at + 2) : at;
    if (end < 0) break;
    if (at > start) atoms.push(plain(text.slice(start, at)));
    atoms.push({ kind: "glob", text: text.slice(at, end + 1) });
    at = end;
    start = end + 1;
  }
  if (start < text.length) atoms.push(plain(text.slice(start)));
  return atoms;
}

type BraceToken = string | Atom;

/** Active characters of a brace expansion, and atoms for everything that is quoted or expanded. */
function braceTokens(part: Extract<WordPart, { type: "BraceExpansion" }>, expander: Expander): BraceToken[] {
  if (part.parts === undefined) return activeTokens(part.text, expander);
  // The parts are what stands between the braces.
  const tokens: BraceToken[] = ["{"];
  for (const child of part.parts) {
    if (child.type === "BraceExpansion") {
      for (const token of braceTokens(child, expander)) tokens.push(token);
    } else if (child.type === "Literal") {
      for (const token of activeTokens(child.text, expander)) tokens.push(token);
    } else for (const atom of partAtoms(child, false, expander)) tokens.push(atom);
  }
  tokens.push("}");
  return tokens;
}

function activeTokens(text: string, expander: Expander): BraceToken[] {
  const tokens: BraceToken[] = [];
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "\\") {
      if (index + 1 < text.length) tokens.push(plain(text[++index]!));
    } else if (char === placeholderStart) {
      const end = text.indexOf(placeholderEnd, index);
      if (end < 0) tokens.push(char);
      else {
        tokens.push(...withPlaceholders(text.slice(index, end + 1), false, expander));
        index = end;
      }
    } else tokens.push(char);
  }
  return tokens;
}

/** Alternatives of the brace expansion that spans all tokens. */
function braceAlternatives(tokens: readonly BraceToken[], expander: Expander): Atom[][] {
  expander.step(1 + (tokens.length >> 2));
  const inner = tokens.slice(1, -1);
  const items: BraceToken[][] = [[]];
  let depth = 0;
  for (const token of inner) {
    if (token === "," && depth === 0) {
      items.push([]);
      continue;
    }
    if (token === "{") depth++;
    if (token === "}" && depth > 0) depth--;
    items[items.length - 1]!.push(token);
  }
  if (items.length === 1) {
    const sequence = braceSequence(inner.every((token) => typeof token === "string") ? inner.join("") : "");
    return sequence ?? [tokensToAtoms(tokens, expander)];
  }
  return items.flatMap((item) => expandBraces(tokensToAtoms(item, expander), expander));
}

/** Turns tokens back into atoms, with nested braces as brace atoms. */
function tokensToAtoms(tokens: readonly BraceToken[], expander: Expander): Atom[] {
  const closing = matchBraces(tokens);
  const atoms: Atom[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") atoms.push({ kind: "text", text, quoted: false });
    text = "";
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const end = closing.get(index);
    if (end !== undefined) {
      const whole = tokens.slice(index, end + 1);
      if (isBraceExpansion(whole)) {
        flush();
        atoms.push({ kind: "brace", alternatives: braceAlternatives(whole, expander) });
        index = end;
        continue;
      }
    }
    if (typeof token === "string") {
      if (token === "*" || token === "?") {
        flush();
        atoms.push({ kind: "glob", text: token });
      } else text += token;
    } else {
      flush();
      atoms.push(token);
    }
  }
  flush();
  return atoms;
}

function matchBraces(tokens: readonly BraceToken[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token === "{") open.push(index);
    else if (token === "}" && open.length > 0) closing.set(open.pop()!, index);
  });
  return closing;
}

function isBraceExpansion(tokens: readonly BraceToken[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (token === "," && depth === 1) return true;
  }
  const inner = tokens.slice(1, -1);
  return inner.every((token) => typeof token === "string") && braceSequence(inner.join("")) !== undefined;
}

function braceSequence(text: string): Atom[][] | undefined {
  const numbers = /^(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?$/.exec(text);
  const letters = numbers === null ? /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?[0-9]{1,9}))?$/.exec(text) : null;
  const match = numbers ?? letters;
  if (match === null) return undefined;
  const first = numbers ? Number(match[1]) : match[1]!.charCodeAt(0);
  const last = numbers ? Number(match[2]) : match[2]!.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)));
  const padded = numbers !== null && (/^-?0[0-9]/.test(match[1]!) || /^-?0[0-9]/.test(match[2]!));
  const width = padded ? Math.max(match[1]!.length, match[2]!.length) : 0;
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  const render = (value: number): Atom[] => {
    const letter = String.fromCharCode(value);
    if (letters) return [{ kind: "text", text: letter, quoted: !/[A-Za-z]/.test(letter) }];
    const sign = value < 0 ? "-" : "";
    const digits = String(Math.abs(value)).padStart(Math.max(0, width - sign.length), "0");
    return [{ kind: "text", text: sign + digits, quoted: false }];
  };
  const direction = first <= last ? step : -step;
  if (count > maxBraceWords) {
    return [render(first), [unknown(`{${text}}`, "limit", { mayBeEmpty: false })], render(last)];
  }
  return Array.from({ length: count }, (_, index) => render(first + index * direction));
}

/** The words that brace expansion makes; more than a person writes stay one word with an unknown piece. */
function expandBraces(atoms: readonly Atom[], expander: Expander): Atom[][] {
  if (!atoms.some((atom) => atom.kind === "brace")) return [[...atoms]];
  let words: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.kind !== "brace") {
      for (const word of words) word.push(atom);
      continue;
    }
    const count = words.length * atom.alternatives.length;
    expander.step(count);
    if (count > maxBraceWords) {
      for (const word of words) {
        word.push(unknown(piecesText(atom.alternatives.flat()).slice(0, 40), "limit"));
      }
      continue;
    }
    words = words.flatMap((word) => atom.alternatives.map((alternative) => [...word, ...alternative]));
  }
  return words;
}
