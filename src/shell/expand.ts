/** Word expansion: what bash makes of a word, as far as that can be known without running anything. */

import type { ArrayValue, Word as SyntaxWord, WordPart } from "unbash";
import { type Atom, plain, unknown } from "./pieces.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import {
  activeTokens,
  braceAlternatives,
  type BraceToken,
  braceTokens,
  expandBraces,
  tokensToAtoms,
} from "./expand/braces.ts";
import { asExpansion, type Expander, withPlaceholders } from "./expand/expander.ts";
import { expandTilde, joinBrackets, splitFields } from "./expand/fields.ts";
import { parameterAtoms, parameterExpansion } from "./expand/parameters.ts";
import { define } from "./scope.ts";

/** Expands a word into the fields that a command receives. */
export function expandFields(word: SyntaxWord, expander: Expander): Atom[][] {
  const fields: Atom[][] = [];
  for (const atoms of expandBraces(wordAtoms(word, expander), expander)) {
    for (const field of splitFields(expandTilde(joinText(atoms), expander, false), expander)) {
      fields.push(joinBrackets(field));
    }
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
  return joinBrackets(atoms.flatMap((atom): Atom[] => {
    if (atom.kind === "break") return [plain(" ")];
    if (atom.kind === "text" && atom.split) return [{ ...atom, split: false }];
    return [atom];
  }));
}

/** Elements of an array value. */
export function expandArray(value: ArrayValue, expander: Expander): Atom[][] {
  return value.elements.flatMap((element) =>
    // `[key]=value` is an assignment, in which nothing is split.
    /^\[[^\]]+\]\+?=/.test(element.text)
      ? [expandSingle(element, expander, true)]
      : expandFields(element, expander)
  );
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

/** Atoms of a word before tildes and splitting. */
export function wordAtoms(word: SyntaxWord, expander: Expander, noBraces = false): Atom[] {
  expander.step(1 + (word.text.length >> 4));
  if (word.parts === undefined) {
    const text: WordPart = {
      type: "Literal",
      text: word.text,
      value: word.text,
      pos: word.pos,
      end: word.end,
    };
    return !noBraces && hasOddBraces([text], word.text)
      ? oddBraces([text], false, expander)
      : literalAtoms(word.text, expander);
  }
  const parts = continued(word.parts, word.text);
  const changing = !noBraces && changesBesideBraces(parts, expander);
  if (!noBraces && hasOddBraces(parts, word.text)) return oddBraces(parts, changing, expander);
  const atoms: Atom[] = [];
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.type === "BraceExpansion" && !noBraces && lengthensName(part, before, parts[index + 1])) {
      const from = before?.type === "SimpleExpansion" ? index - 1 : index;
      const rest = parts.slice(from).map((one) => one.text).join("");
      atoms.push(unknown(rest, "variable"));
      break;
    }
    if (part.type === "BraceExpansion") {
      const tokens = braceTokens(part, expander, (inner) => partAtoms(inner, false, expander));
      if (noBraces) {
        for (const token of tokens) {
          atoms.push(typeof token === "string" ? { kind: "text", text: token, quoted: false } : token);
        }
      } else {
        const alternatives = braceAlternatives(tokens, expander);
        const name = before?.type === "SimpleExpansion" ? before.text.slice(1) : "";
        const named = /^[A-Za-z_][A-Za-z_0-9]*$/.test(name);
        atoms.push({
          kind: "brace",
          alternatives: named ? alternatives.map((one) => lengthened(name, one, expander)) : alternatives,
        });
      }
    } else if (
      part.type === "SimpleExpansion" && !noBraces && parts[index + 1]?.type === "BraceExpansion" &&
      /^\$[A-Za-z_]/.test(part.text)
    ) continue;
    else {
      const expanded = partAtoms(part, false, expander);
      const varies = changing && part.type === "ArithmeticExpansion";
      if (varies) atoms.push(unknown(part.text, "arithmetic", { mayBeEmpty: false }));
      else for (const atom of expanded) atoms.push(atom);
    }
  }
  if (changing) changesBesideBraces(parts, expander);
  return atoms;
}

/** True where a brace that the parser takes for text may open or close an expansion: `{a},b}`, `[{a,b}]`. */
function hasOddBraces(parts: readonly WordPart[], text: string): boolean {
  const last = text.lastIndexOf("}");
  const first = last < 0 ? -1 : text.indexOf("{");
  if (first < 0) return false;
  const separated = (sign: string) => {
    const at = text.indexOf(sign, first);
    return at >= 0 && at < last;
  };
  return (separated(",") || separated("..")) &&
    parts.some((part) => (part.type === "Literal" || part.type === "Glob") && /[{}]/.test(part.text));
}

/** A word in which braces are looked for as bash does it; where a name would go on into them it is not known. */
function oddBraces(parts: readonly WordPart[], changing: boolean, expander: Expander): Atom[] {
  const tokensOf = (part: WordPart): BraceToken[] => {
    if (part.type === "BraceExpansion") {
      return braceTokens(part, expander, (inner) => partAtoms(inner, false, expander));
    }
    if (part.type === "Literal") return activeTokens(part.text, expander);
    if (part.type === "Glob" && part.kind === "bracket") return ["[", ...part.parts.flatMap(tokensOf), "]"];
    const atoms = partAtoms(part, false, expander);
    return changing && part.type === "ArithmeticExpansion"
      ? [unknown(part.text, "arithmetic", { mayBeEmpty: false })]
      : atoms;
  };
  const tokens = parts.flatMap(tokensOf);
  const text = parts.map((part) => part.text).join("");
  const goesOn = /\}[A-Za-z_0-9{\\]/.test(text) ? /^[{},]/ : /^\{/;
  const named = parts.some((part, index) =>
    part.type === "SimpleExpansion" && /^\$[A-Za-z_]/.test(part.text) &&
    goesOn.test(parts[index + 1]?.text ?? "")
  );
  return named ? [unknown(text, "variable")] : tokensToAtoms(tokens, expander);
}

/**
 * Arithmetic beside braces is done once for each alternative: what it changes is then not known. True where it
 * changes something.
 */
function changesBesideBraces(parts: readonly WordPart[], expander: Expander): boolean {
  if (!parts.some((part) => part.type === "BraceExpansion")) return false;
  let changes = false;
  for (const part of parts) {
    if (part.type !== "ArithmeticExpansion") continue;
    const names = part.text.matchAll(
      /([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/%&|^]?=(?!=))|(?:\+\+|--)\s*([A-Za-z_]\w*)/g,
    );
    for (const [, before, behind] of names) {
      const name = before ?? behind!;
      define(expander.scope, name, { values: [[unknown(`$${name}`, "arithmetic", { name })]] });
      changes = true;
    }
  }
  return changes;
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

/** True where a name that begins before or in braces would go on behind them: too odd to be followed. */
function lengthensName(
  part: Extract<WordPart, { type: "BraceExpansion" }>,
  before: WordPart | undefined,
  next: WordPart | undefined,
): boolean {
  const goesOn = next?.type === "BraceExpansion" ||
    (next?.type === "Literal" && /^(?:\\\n)*[A-Za-z_0-9]/.test(next.text));
  if (!goesOn) return false;
  const ends = /\$[A-Za-z_][A-Za-z_0-9]*[,}]/.test(part.text);
  return ends || (before?.type === "SimpleExpansion" && /^\$[A-Za-z_]/.test(before.text));
}

/** Braces come before variables: `$a{b,c}` is `$ab $ac`. */
function lengthened(name: string, rest: readonly Atom[], expander: Expander): Atom[] {
  const first = rest[0];
  const bare = first?.kind === "text" && !first.quoted ? first.text : "";
  const more = /^[A-Za-z_0-9]*/.exec(bare)![0];
  return [
    ...parameterAtoms(name + more, `$${name}${more}`, false, expander),
    ...more.length < bare.length && first?.kind === "text"
      ? [{ ...first, text: bare.slice(more.length) }]
      : [],
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

function partAtoms(part: WordPart, quoted: boolean, expander: Expander): Atom[] {
  expander.step(6);
  switch (part.type) {
    case "Literal":
      return quoted ? withPlaceholders(part.value, true, expander) : literalAtoms(part.text, expander);
    case "AnsiCQuoted":
      if (hasNoCharacter(part.text)) return [unknown(part.text, "limit")];
      return part.value === "" ? [plain("")] : withPlaceholders(part.value, true, expander);
    case "SingleQuoted":
      // An empty quoted piece still makes a field.
      return part.value === "" ? [plain("")] : withPlaceholders(part.value, true, expander);
    case "DoubleQuoted":
    case "LocaleString": {
      const atoms = continued(part.parts, part.text).flatMap((child) => partAtoms(child, true, expander))
        .map((atom) => atom.kind === "unknown" && !isList(atom.source) ? { ...atom, quoted: true } : atom);
      return atoms.length === 0 && part.parts.length === 0 ? [plain("")] : atoms;
    }
    case "Glob":
      if (quoted) return [plain(part.text)];
      return part.kind === "bracket" && isExpanded(part.parts)
        ? around("[", part.parts, "]", expander)
        : [{ kind: "glob", text: part.text }];
    case "ExtendedGlob":
      return isExpanded(part.parts)
        ? around(`${part.operator}(`, part.parts ?? [], ")", expander)
        : [{ kind: "glob", text: part.text }];
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

/** True for a pattern in which something is quoted or expanded. */
function isExpanded(parts: readonly WordPart[] | undefined): boolean {
  return parts?.some((part) => part.type !== "Literal" || part.text.includes("\\")) === true;
}

/** A pattern whose text is put together by expansions; `joinBrackets` makes one piece of it. */
function around(open: string, parts: readonly WordPart[], close: string, expander: Expander): Atom[] {
  const inner = parts.flatMap((part) => partAtoms(part, false, expander));
  return [{ kind: "glob", text: open }, ...inner, { kind: "glob", text: close }];
}

/** True for `$'…'` with a number that is no character: one shell makes bytes of it, another nothing or an error. */
function hasNoCharacter(text: string): boolean {
  if (!/\\[uU]/.test(text)) return false;
  for (const [, short, long] of text.matchAll(/\\(?:u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|[^uU])/g)) {
    const code = parseInt(short ?? long ?? "0", 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return true;
  }
  return false;
}

/** True for `$@` and `${x[@]}`, which make as many words as there are values. */
function isList(source: string): boolean {
  return source === "$@" || (source.startsWith("${") && source.includes("@"));
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
