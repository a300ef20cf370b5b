/** The last steps of word expansion: tildes, and splitting into fields. */

import { type Atom, plain } from "../pieces.ts";
import { type Expander, separatorsOf } from "./expander.ts";
import { parameterAtoms, parameterValue } from "./parameters.ts";

/** Tilde at the start of a word, and after `:` and `=` where a path list may stand. */
export function expandTilde(atoms: Atom[], expander: Expander, assignment: boolean): Atom[] {
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
  if (prefix === "~") {
    const isUnset = expander.scope.variables.get("HOME")?.unset === true;
    const home = isUnset ? undefined : parameterValue("HOME", expander);
    return [...(home ?? [plain(expander.home)]), rest];
  }
  if (prefix === "~+" || prefix === "~-") {
    return [...parameterAtoms(prefix === "~+" ? "PWD" : "OLDPWD", prefix, true, expander), rest];
  }
  return [{ kind: "text", text, quoted: false }];
}

/** Splits the results of unquoted expansions at IFS and turns their pattern characters into globs. */
export function splitFields(atoms: readonly Atom[], expander: Expander): Atom[][] {
  if (!atoms.some((atom) => atom.kind === "break" || (atom.kind === "text" && atom.split))) {
    return atoms.length === 0
      ? []
      : atoms.every((atom) => atom.kind === "text" && !atom.quoted && atom.text === "")
      ? []
      : [[...atoms]];
  }
  const separators = separatorsOf(expander);
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

/**
 * Makes one piece of a `[` that stands as a piece of its own, what follows, and the `]` behind it. Without the `]`
 * it is plain text.
 */
export function joinBrackets(field: Atom[]): Atom[] {
  if (!field.some((atom) => atom.kind === "glob" && atom.text === "[")) return field;
  const joined: Atom[] = [];
  for (let index = 0; index < field.length; index++) {
    const atom = field[index]!;
    if (atom.kind !== "glob" || atom.text !== "[") {
      joined.push(atom);
      continue;
    }
    const end = closing(field, index + 1);
    if (end === undefined) joined.push(plain("["));
    else if ("open" in end) joined.push(atom);
    else {
      joined.push({ kind: "glob", text: `[${end.text}]` });
      if (end.rest !== undefined) field[end.at] = end.rest;
      index = end.rest === undefined ? end.at : end.at - 1;
    }
  }
  return joined;
}

/** Where a bracket is closed, and the text in it; `open` where something in it is not known. */
function closing(
  field: readonly Atom[],
  from: number,
):
  | { readonly at: number; readonly text: string; readonly rest?: Atom }
  | { readonly open: true }
  | undefined {
  let text = "";
  for (let at = from; at < field.length; at++) {
    const atom = field[at]!;
    if (atom.kind === "unknown") return { open: true };
    if (atom.kind === "break" || atom.kind === "brace") return undefined;
    if (atom.kind === "glob" && atom.text === "]" && text !== "") return { at, text };
    const active = atom.kind === "text" && !atom.quoted;
    const close = active ? atom.text.indexOf("]", text === "" ? 1 : 0) : -1;
    if (close >= 0 && active) {
      const rest = atom.text.slice(close + 1);
      return {
        at,
        text: text + atom.text.slice(0, close),
        ...(rest === "" ? {} : { rest: { ...atom, text: rest } }),
      };
    }
    text += atom.text;
  }
  return undefined;
}

/** Text of an unquoted expansion: pattern characters are active, tildes are not. */
function globAtoms(text: string): Atom[] {
  if (!/[*?\[\]]/.test(text)) return [plain(text)];
  const atoms: Atom[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (!"*?[]".includes(char)) continue;
    const close = char === "[" ? text.indexOf("]", at + 2) : at;
    // What closes it may stand behind this text.
    const end = close < 0 ? at : close;
    if (at > start) atoms.push(plain(text.slice(start, at)));
    if (char === "]") atoms.push({ kind: "text", text: char, quoted: false });
    else atoms.push({ kind: "glob", text: text.slice(at, end + 1) });
    at = end;
    start = end + 1;
  }
  if (start < text.length) atoms.push(plain(text.slice(start)));
  return atoms;
}
