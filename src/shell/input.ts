/** Builtins that take text off standard input into variables: `read` and `mapfile`. */

import type { Evaluation } from "./evaluate.ts";
import type { Call, Input, Output } from "./frame.ts";
import { nested } from "./nested.ts";
import { type Atom, joinAtoms, plain, splitWhite, staticText, unknown } from "./pieces.ts";
import { define, mergeScope, type Scope } from "./scope.ts";

const whiteSpace = " \t\n";

interface Options {
  /** Values of options by letter; empty for those without one. */
  readonly letters: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/** Reads options the way a builtin does; `valued` are the letters that take a value. */
function readOptions({ args }: Call, valued: string): Options {
  const letters = new Map<string, string>();
  let index = 0;
  for (; index < args.length; index++) {
    const { text } = args[index]!;
    if (text === "--") {
      index++;
      break;
    }
    if (!/^-./.test(text)) break;
    for (let at = 1; at < text.length; at++) {
      if (!valued.includes(text[at]!)) {
        letters.set(text[at]!, "");
        continue;
      }
      letters.set(text[at]!, at + 1 < text.length ? text.slice(at + 1) : args[++index]?.text ?? "");
      break;
    }
  }
  return { letters, operands: args.slice(index).map((word) => word.text) };
}

function setUnknown(name: string, scope: Scope): void {
  define(scope, name, { values: [[unknown(`$${name}`, "stdin", { name })]] });
}

/** `read`: fields of one line, as far as the input is known. */
export function runRead(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { letters, operands } = readOptions(call, "adinNptu");
  const array = letters.get("a");
  const names = array !== undefined ? [array] : operands.length > 0 ? operands : ["REPLY"];
  const { scope } = call;
  const input = letters.has("u") ? undefined : call.frame.stdin;
  if (input === undefined || letters.has("n") || letters.has("N")) {
    for (const name of names) setUnknown(name, scope);
    // What is left of the input is not known either.
    if (input !== undefined) input.atoms = [unknown("stdin", "stdin")];
    return [];
  }
  const end = letters.has("d") ? letters.get("d")!.slice(0, 1) || "\0" : "\n";
  const line = takeLine(evaluation, input, end, !letters.has("r"));
  evaluation.step(line.length);
  const text = staticText(line);
  if (text === undefined) {
    const plainly = letters.has("r")
      ? line
      : line.map((atom) =>
        atom.kind === "text" ? plain(unescape(atom.text, true).map(({ char }) => char).join("")) : atom
      );
    readPartly(evaluation, plainly, names, array !== undefined, call);
    return [];
  }
  evaluation.step(text.length >> 2);
  const chars = unescape(text, !letters.has("r"));
  if (array === undefined && operands.length === 0) {
    evaluation.setVariable("REPLY", [plain(chars.map(({ char }) => char).join(""))], scope);
    return [];
  }
  separatorsOf(call).forEach((separators, index) => {
    const branch = index === 0 ? scope : evaluation.fork(scope);
    const fields = separators === undefined
      ? undefined
      : splitLine(chars, separators, array === undefined ? names.length : Infinity);
    setFields(evaluation, names, array !== undefined, fields, branch);
    if (branch !== scope) mergeScope(scope, branch);
  });
  return [];
}

/** Gives the fields of a line to the variables; undefined fields are not known. */
function setFields(
  evaluation: Evaluation,
  names: readonly string[],
  array: boolean,
  fields: readonly string[] | undefined,
  scope: Scope,
): void {
  if (fields === undefined) names.forEach((name) => setUnknown(name, scope));
  else if (array) {
    const elements = fields.map((field) => [plain(field)]);
    define(scope, names[0]!, { values: [elements[0] ?? []], elements });
  } else names.forEach((name, index) => evaluation.setVariable(name, [plain(fields[index] ?? "")], scope));
}

/** Fields of a line that is known in part: white space in the known text separates them. */
function readPartly(
  evaluation: Evaluation,
  line: readonly Atom[],
  names: readonly string[],
  array: boolean,
  call: Call,
): void {
  const fields = splitWhite(line);
  if (array) {
    define(call.scope, names[0]!, { values: [fields[0] ?? []], elements: fields });
    return;
  }
  names.forEach((name, index) => {
    const value = index === names.length - 1 ? joinAtoms(fields.slice(index)) : fields[index] ?? [];
    evaluation.setVariable(name, value, call.scope);
  });
}

/** What IFS may be for this command; undefined where that is not known. */
function separatorsOf({ assignments, scope }: Call): readonly (string | undefined)[] {
  const given = assignments.findLast((one) => one.name === "IFS")?.value.pieces;
  if (given !== undefined) return [staticText(given)];
  const variable = scope.variables.get("IFS");
  return variable === undefined || variable.unset === true ? [whiteSpace] : variable.values.map(staticText);
}

interface Char {
  readonly char: string;
  /** It stood behind a backslash, so that it separates nothing. */
  readonly kept: boolean;
}

function unescape(text: string, escapes: boolean): readonly Char[] {
  const chars: Char[] = [];
  for (let at = 0; at < text.length; at++) {
    if (escapes && text[at] === "\\") {
      at++;
      if (at < text.length && text[at] !== "\n") chars.push({ char: text[at]!, kept: true });
    } else chars.push({ char: text[at]!, kept: false });
  }
  return chars;
}

/** At most `count` fields; the last one holds the rest of the line. */
function splitLine(chars: readonly Char[], separators: string, count: number): string[] {
  const isWhite = (at: number) =>
    at < chars.length && !chars[at]!.kept && whiteSpace.includes(chars[at]!.char) &&
    separators.includes(chars[at]!.char);
  const separates = (at: number) =>
    at < chars.length && !chars[at]!.kept && separators.includes(chars[at]!.char);
  const text = (from: number, to: number) => chars.slice(from, to).map(({ char }) => char).join("");
  /** Behind the separator at a place: white space, one other sign, white space. */
  const behind = (at: number) => {
    while (isWhite(at)) at++;
    if (separates(at)) at++;
    while (isWhite(at)) at++;
    return at;
  };
  const fieldEnd = (at: number) => {
    while (at < chars.length && !separates(at)) at++;
    return at;
  };
  const fields: string[] = [];
  let at = 0;
  while (isWhite(at)) at++;
  while (at < chars.length) {
    const end = fieldEnd(at);
    if (fields.length + 1 < count || behind(end) >= chars.length) {
      fields.push(text(at, end));
      at = behind(end);
      continue;
    }
    let last = chars.length;
    while (last > at && isWhite(last - 1)) last--;
    fields.push(text(at, last));
    break;
  }
  return fields;
}

/** `mapfile`: all lines, as far as the input is known. */
export function runMapfile(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { letters, operands } = readOptions(call, "dnOsuCc");
  const name = operands[0] ?? "MAPFILE";
  const input = letters.has("u") ? undefined : call.frame.stdin;
  const callback = letters.get("C");
  if (callback !== undefined) {
    // It is run for lines of the input, with an index and the line behind it.
    const more = [plain(`${callback} `), unknown("0", "stdin"), plain(" "), unknown("line", "stdin")];
    evaluation.runCode(more, call.span, call.scope, nested(call, "nested-script", `${call.program} -C`));
  }
  if (input === undefined || ["d", "n", "O", "s"].some((letter) => letters.has(letter))) {
    setUnknown(name, call.scope);
    return [];
  }
  const lines: (readonly Atom[])[] = [];
  while (input.atoms.length > 0) {
    const line = takeLine(evaluation, input, "\n", false);
    lines.push(letters.has("t") ? line : [...line, plain("\n")]);
  }
  define(call.scope, name, { values: [lines[0] ?? []], elements: lines });
  return [];
}

/** Takes the first line off known input; with `escapes`, a line whose end is escaped goes on. */
function takeLine(
  evaluation: Evaluation,
  input: Input,
  end: string,
  escapes: boolean,
): readonly Atom[] {
  evaluation.step(8 + (input.atoms.length >> 3));
  const line: Atom[] = [];
  for (let index = 0; index < input.atoms.length; index++) {
    const atom = input.atoms[index]!;
    const at = atom.kind === "text" ? lineEnd(atom.text, end, escapes) : -1;
    if (atom.kind === "text" && at >= 0) {
      line.push(plain(atom.text.slice(0, at)));
      const rest = atom.text.slice(at + 1);
      input.atoms = [...(rest === "" ? [] : [plain(rest)]), ...input.atoms.slice(index + 1)];
      return line;
    }
    line.push(atom);
  }
  input.atoms = [];
  return line;
}

function lineEnd(text: string, end: string, escapes: boolean): number {
  if (!escapes || !text.includes("\\")) return text.indexOf(end);
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === end) return at;
  }
  return -1;
}
