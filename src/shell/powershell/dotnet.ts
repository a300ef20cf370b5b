/** Calls of methods of .NET and of strings, as PowerShell scripts make them. */

import type { Span } from "../model.ts";
import { type Atom, joinAtoms, makeWord, plain, staticText, unknown } from "../pieces.ts";
import { methods } from "../cmdlets.ts";
import { start } from "./commands.ts";
import { emit, lookup, type Place } from "./place.ts";
import { decodeNarrow, decodeUtf16, hidden } from "./values.ts";

/**
 * Calls a method of .NET.
 *
 * @param name `type.method` in lower case, `*.method` for one of an unknown type
 * @param args source text between the brackets
 * @returns its value; undefined when that is not known
 */
export function callMethod(
  place: Place,
  name: string,
  args: string,
  span: Span,
): readonly Atom[] | undefined {
  const before = place.evaluation.invocations.length;
  const given = place.inside(args);
  const [first, second] = given ?? [];
  switch (name) {
    case "io.path.combine":
      return given === undefined ? undefined : joinAtoms(given, "/");
    case "environment.getfolderpath":
      return /^(?:userprofile|personal)$/i.test(staticText(first) ?? "")
        ? [plain(place.evaluation.options.home)]
        : [hidden(name)];
    case "environment.getenvironmentvariable":
      return lookup(place, `env:${staticText(first) ?? "?"}`, name);
    case "io.directory.getcurrentdirectory":
      return lookup(place, "pwd", "$PWD");
    case "convert.frombase64string": {
      const text = staticText(first);
      return text === undefined ? undefined : [plain(text)];
    }
    case "*.getstring": {
      // Of the decoders only these two are used: the text is one or the other.
      const text = staticText(first);
      if (text === undefined) return undefined;
      const wide = decodeUtf16(text);
      const narrow = decodeNarrow(text);
      const decoded = narrow !== undefined && !narrow.includes("\0") ? narrow : wide;
      return decoded === undefined ? undefined : [plain(decoded)];
    }
    case "scriptblock.create":
      return first;
    case "io.directory.setcurrentdirectory":
      emit(place, "set-location", first === undefined ? [] : [makeWord(first, span)], [], span);
      return undefined;
  }
  const effect = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (effect !== undefined) {
    const [program, ...flags] = effect.replace(/^2 /, "").split(" ");
    const operands = (effect.startsWith("2 ") || program === "start-process" ? [first, second] : [first])
      .filter((one) => one !== undefined).map((one) => makeWord(one, span));
    const recursive = name !== "io.directory.delete" || staticText(second) !== "false" ? flags : [];
    if (program === "start-process") start(place, operands, span, place.frame);
    else emit(place, program!, [...operands, ...recursive], [], span, "interpreter");
  }
  return [unknown(`${name}(…)`, "command", { invocations: place.evaluation.invocations.slice(before) })];
}

/** Calls a method of a string; `text` is undefined when the string is not known. */
export function textMethod(
  place: Place,
  name: string,
  text: string | undefined,
  args: string,
): readonly Atom[] | undefined {
  const given = place.inside(args);
  if (text === undefined) return undefined;
  if (name === "trim") return [plain(text.trim())];
  if (name === "tolower") return [plain(text.toLowerCase())];
  if (name === "tostring") return [plain(text)];
  const [from, to] = [staticText(given?.[0]), staticText(given?.[1])];
  if (from === undefined || to === undefined || from === "") return undefined;
  if (text.length * (to.length + 1) > 1 << 18) return undefined;
  return [plain(text.replaceAll(from, () => to))];
}
