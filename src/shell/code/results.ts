/** What members, elements and calls of functions without an effect give. */

import { decodeBase64 } from "../outputs.ts";
import { joinAtoms, plain, splitWhite, staticText } from "../pieces.ts";
import { valueOf } from "./effects.ts";
import { currentDirectory, environmentVariable, expandHome, homeDirectory, type Place } from "./script.ts";
import type { Token } from "./tokens.ts";
import {
  type Arguments,
  globs,
  hidden,
  isPathLike,
  joinPaths,
  moduleName,
  parentOf,
  type Value,
} from "./values.ts";

/** A member of a value; `called` when it is called with brackets. */
export function memberOf(place: Place, value: Value, name: string, called: boolean): Value {
  if (value.name === undefined) {
    if (value.path === true || isPathLike(value)) {
      if (name === "parent") return { atoms: parentOf(value.atoms), path: true };
      if (name === "sep") return { atoms: [plain("/")] };
    }
    return { atoms: [hidden(name)], name: `?.${name}` };
  }
  const full = `${value.name}.${name}`.replace(".promises.", ".");
  if (value.name === "process.env" || value.name === "Deno.env" || value.name === "Bun.env") {
    if (name !== "get") return { atoms: environmentVariable(place, name) };
  }
  if (full === "os.sep" || full === "path.sep") return { atoms: [plain("/")] };
  if (full === "import.meta.dirname" && place.script.file !== undefined) {
    return { atoms: parentOf([plain(place.script.file)]) };
  }
  if (place.script.language === "ruby" && !called && /^(?:Dir\.home|Dir\.pwd)$/.test(full)) {
    return { atoms: full === "Dir.home" ? homeDirectory(place) : currentDirectory(place) };
  }
  const { args } = place.script;
  if ((full === "sys.argv" || full === "process.argv" || full === "Deno.args") && args !== undefined) {
    const before = full === "sys.argv"
      ? 1
      : full === "Deno.args"
      ? 0
      : place.script.file === undefined
      ? 1
      : 2;
    return {
      atoms: [],
      list: [...Array(before).fill({ atoms: [plain("script")] }), ...args.map((atoms) => ({ atoms }))],
    };
  }
  return { atoms: [hidden(full)], name: full };
}

/** An element of a value. `bare` is the token of an index that needs no quotes. */
export function elementOf(place: Place, value: Value, index: Value | undefined, bare?: Token): Value {
  const key = staticText(index?.atoms) ?? "";
  const name = value.name ?? "";
  if (/^(?:os\.environ|process\.env|ENV|\$ENV|\$_ENV|\$_SERVER|Bun\.env)$/.test(name)) {
    const text = index?.name ?? (key === "" ? bare?.text ?? "" : key);
    return { atoms: environmentVariable(place, text) };
  }
  if (value.list !== undefined && /^[0-9]{1,4}$/.test(key)) return value.list[Number(key)] ?? { atoms: [] };
  if (value.list !== undefined && index === undefined) return value;
  if (name !== "" && index?.literal === true && key !== "") {
    return { atoms: [hidden(key)], name: `${name}.${key}` };
  }
  if (value.list !== undefined) return { atoms: [hidden(name || "…")], list: value.list };
  return { atoms: [hidden(name || "…")] };
}

/** Result of a function, by its dotted name. */
export function resultOf(place: Place, name: string, receiver: Value | undefined, given: Arguments): Value {
  const [first] = given.values;
  const unknowable = { atoms: [hidden(`${name}(…)`)] };
  switch (valueOf(name)) {
    case "home":
      return { atoms: homeDirectory(place), path: name.includes("Path") };
    case "cwd":
      return { atoms: currentDirectory(place), path: name.includes("Path") };
    case "join": {
      const parts = name.endsWith("joinpath") && receiver !== undefined
        ? [receiver, ...given.values]
        : given.values;
      const atoms = joinPaths(parts.map((part) => part.atoms));
      return { atoms: atoms.length === 0 ? [plain(".")] : atoms, path: /Path|joinpath/.test(name) };
    }
    case "expand":
      return {
        ...(first ?? receiver ?? unknowable),
        atoms: expandHome(place, (first ?? receiver)?.atoms ?? []),
      };
    case "variable": {
      const atoms = environmentVariable(place, staticText(first?.atoms) ?? "");
      return atoms.some((atom) => atom.kind === "unknown") && given.values[1] !== undefined
        ? given.values[1]
        : { atoms };
    }
    case "parent":
      return { atoms: parentOf(first?.atoms ?? []) };
    case "module":
      return { atoms: [hidden(name)], name: moduleName(staticText(first?.atoms) ?? "") };
    case "member":
      return first?.name === undefined
        ? unknowable
        : { atoms: [hidden(name)], name: `${first.name}.${staticText(given.values[1]?.atoms) ?? "?"}` };
    case "words": {
      const text = name === "shlex.split" ? first : receiver;
      return text === undefined || (text.name !== undefined)
        ? unknowable
        : { atoms: [], list: splitWhite(text.atoms).map((atoms) => ({ atoms, literal: true })) };
    }
    case "base64": {
      const text = staticText(first?.atoms);
      const decoded = text === undefined || text.length > 1 << 16 ? undefined : decodeBase64(text);
      return decoded === undefined ? unknowable : { atoms: [plain(decoded)] };
    }
    case "buffer": {
      if (staticText(given.values[1]?.atoms) !== "base64") return first ?? unknowable;
      const decoded = decodeBase64(staticText(first?.atoms) ?? "");
      return decoded === undefined ? unknowable : { atoms: [plain(decoded)] };
    }
    case "hex": {
      const text = staticText(first?.atoms) ?? "";
      if (!/^(?:[0-9a-fA-F]{2}){1,4096}$/.test(text)) return unknowable;
      let decoded = "";
      for (let at = 0; at < text.length; at += 2) {
        decoded += String.fromCharCode(parseInt(text.slice(at, at + 2), 16));
      }
      return { atoms: [plain(decoded)] };
    }
    case "glob":
      if (receiver === undefined || receiver.name !== undefined) return unknowable;
      return { atoms: joinPaths([receiver.atoms, globs(first?.atoms ?? [])]), path: true };
    case "path":
      return { atoms: globs(first?.atoms ?? []) };
    case "concat": {
      const list = place.script.language === "python" ? first?.list : receiver?.list;
      const separator = staticText(place.script.language === "python" ? receiver?.atoms : first?.atoms) ??
        ",";
      return list === undefined ? unknowable : { atoms: joinAtoms(list.map((one) => one.atoms), separator) };
    }
    case "append":
      return receiver?.list === undefined
        ? { atoms: [...receiver?.atoms ?? [], ...given.values.flatMap((one) => one.atoms)] }
        : { atoms: [], list: [...receiver.list, ...given.values.flatMap((one) => one.list ?? [one])] };
    case "same": {
      const same = first !== undefined && !name.includes("?.") ? first : receiver ?? first;
      return same === undefined || same.name !== undefined ? unknowable : same;
    }
  }
  return unknowable;
}
