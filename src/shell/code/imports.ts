/** Imports of Python and JavaScript: which local names stand for which functions and modules. */

import type { Language, Token } from "./tokens.ts";
import { moduleName } from "./values.ts";

interface Imports {
  /** Index of the token behind the statement. */
  readonly end: number;
  /** Local names and the full names that they stand for. */
  readonly aliases: readonly (readonly [local: string, full: string])[];
  /** Module of which all names are imported. */
  readonly star?: string;
}

/** Reads an import at a token; undefined when there is none. */
export function readImport(tokens: readonly Token[], at: number, language: Language): Imports | undefined {
  const word = tokens[at]?.text;
  if (word !== "import" && word !== "from") return undefined;
  if (language === "python") return readPython(tokens, at, word === "from");
  if (language !== "javascript" || word !== "import") return undefined;
  return is(tokens[at + 1], "(") || is(tokens[at + 1], ".") ? undefined : readJavaScript(tokens, at + 1);
}

/** `import x as y`, `from x import y`. */
function readPython(tokens: readonly Token[], start: number, members: boolean): Imports {
  const aliases: [string, string][] = [];
  let at = start + 1;
  const dotted = () => {
    let name = "";
    while (tokens[at]?.kind === "name") {
      name += tokens[at++]!.text;
      if (!is(tokens[at], ".")) break;
      at++;
      name += ".";
    }
    return name;
  };
  const first = dotted();
  if (members) {
    if (is(tokens[at], "import")) at++;
    if (is(tokens[at], "(")) at++;
    if (is(tokens[at], "*")) return { end: at + 1, aliases, star: first };
  }
  let name = members ? dotted() : first;
  for (let round = 0; name !== "" && round < 100; round++) {
    const full = members ? `${first}.${name}` : name;
    let local = name;
    if (is(tokens[at], "as")) {
      at++;
      local = dotted();
    }
    if (local !== full) aliases.push([local, full]);
    if (!is(tokens[at], ",")) break;
    at++;
    name = dotted();
  }
  return { end: at, aliases };
}

/** `import {a as b} from 'x'`. */
function readJavaScript(tokens: readonly Token[], start: number): Imports {
  const names: [string, string][] = [];
  let at = start;
  let inside = false;
  for (let round = 0; round < 200 && at < tokens.length; round++) {
    const next = tokens[at++]!;
    if (next.kind === "string") {
      const module = moduleName(next.parts.join(""));
      const aliases = names.map(([local, member]) =>
        [local, member === "" ? module : `${module}.${member}`] as const
      );
      return { end: at, aliases };
    }
    if (next.text === "{") inside = true;
    else if (next.text === "}") inside = false;
    else if (next.text === ";") break;
    else if (next.kind === "name" && next.text !== "from" && next.text !== "type") {
      if (next.text === "as" && tokens[at] !== undefined) {
        const last = names.pop();
        names.push([tokens[at++]!.text, last?.[1] ?? ""]);
      } else names.push([next.text, inside ? next.text : ""]);
    }
  }
  return { end: at, aliases: [] };
}

function is(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.kind !== "string" && token.text === text;
}
