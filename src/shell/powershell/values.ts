/** Values of PowerShell, and the small texts that they are made of. */

import { type Atom, plain, staticText, unknown } from "../pieces.ts";

/** Items of a pipeline; what is not known is one unknown item. */
export type Items = readonly (readonly Atom[])[];

/** Items as lines of text. */
export function joinLines(items: Items): readonly Atom[] {
  return items.flatMap((item) => [...item, plain("\n")]);
}

/** Lines of text as items. */
export function lines(output: readonly Atom[]): Items {
  const text = staticText(output);
  if (text === undefined) return [output];
  return text.replace(/\r?\n$/, "").split(/\r?\n/).slice(0, 200).map((line) => [plain(line)]);
}

/** A value that is not known. */
export function hidden(source: string, name?: string): Atom {
  return unknown(source, name === undefined ? "command" : "variable", name === undefined ? {} : { name });
}

/** True for a quote; typographic ones count too. */
export function isQuote(char: string): boolean {
  return char === "'" || char === '"' || (char >= "\u2018" && char <= "\u201e");
}

/** True for a single quote; typographic ones count too. */
export function isSingle(char: string): boolean {
  return char === "'" || (char >= "\u2018" && char <= "\u201b");
}

/** Pattern characters are active even in quotes, since cmdlets match them. */
export function patterns(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text" || !/[*?]/.test(atom.text)) return [atom];
    return atom.text.split(/([*?]+)/).filter((part) => part !== "").map((part): Atom =>
      /^[*?]/.test(part) ? { kind: "glob", text: part } : plain(part)
    );
  });
}

/** Base64 of UTF-16LE, as `-EncodedCommand` takes it. */
export function decodeUtf16(text: string): string | undefined {
  try {
    const binary = atob(text.replace(/\s+/g, ""));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-16le").decode(bytes);
  } catch {
    return undefined;
  }
}

/** Base64 of UTF-8. */
export function decodeNarrow(text: string): string | undefined {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text.replace(/\s+/g, "")), (char) => char.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** `{0}` in a format. */
export function fill(format: readonly Atom[], values: Items): readonly Atom[] {
  return format.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(\{[0-9]\})/).flatMap((part): readonly Atom[] =>
      /^\{[0-9]\}$/.test(part) ? values[Number(part[1])] ?? [] : part === "" ? [] : [plain(part)]
    );
  });
}
