/**
 * Reads a script of another language for what it does to files and programs. It follows literals, constants
 * and paths put together from them, one pass over the tokens; it is no interpreter, so branches and loops are
 * read once, from top to bottom.
 */

import type { Span } from "../model.ts";
import type { Scope } from "../scope.ts";
import type { Call, Evaluation, Frame } from "../evaluate.ts";
import { type Atom, joinAtoms, makeWord, plain, staticText, textWord, unknown } from "../pieces.ts";
import { changeDirectory } from "../scope.ts";
import { noteUnknownCode, splitWhite } from "../programs.ts";
import { decodeBase64 } from "../outputs.ts";
import { type Effect, effectOf, valueOf } from "./effects.ts";
import { type Language, type Token, tokenize } from "./tokens.ts";

export interface Script {
  readonly language: Language;
  readonly code: readonly Atom[];
  readonly span: Span;
  readonly scope: Scope;
  readonly frame: Frame;
  readonly call: Call;
  /** Arguments of the script, from the first one on; undefined when they are not known. */
  readonly args: readonly (readonly Atom[])[] | undefined;
  /** Absolute path of the script file. In a file only what is known is followed. */
  readonly file?: string;
}

interface Value {
  readonly atoms: readonly Atom[];
  readonly list?: readonly Value[];
  readonly properties?: ReadonlyMap<string, Value>;
  /** Dotted name of a module, function or thing that is known by name only. */
  readonly name?: string;
  /** A path object, on which `/` joins. */
  readonly path?: boolean;
  readonly literal?: boolean;
}

interface Arguments {
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

const maxDepth = 40;
const keywords: ReadonlySet<string> = new Set(
  "return await new not yield typeof void throw raise else do then in and or if elif elsif unless while until when case of is lambda async begin try rescue ensure finally except with export default static public private function def sub end pass my our local let const var global nonlocal assert del print_r"
    .split(" "),
);
const declaring: ReadonlySet<string> = new Set(["my", "our", "local", "let", "const", "var", "static"]);
const concatenating: Readonly<Record<Language, string>> = {
  python: "+",
  javascript: "+",
  ruby: "+",
  perl: ".",
  php: ".",
  lua: "..",
  awk: "",
  applescript: "&",
  r: "",
};

/** Follows a script. Returns what it prints, when everything that it prints is known. */
export function readScript(evaluation: Evaluation, script: Script): readonly Atom[] | undefined {
  const reader = new Reader(evaluation, script, new Map(), new Map(), 0);
  reader.statements();
  return reader.printed?.length === 0 ? undefined : reader.printed;
}

class Reader {
  printed: readonly Atom[] | undefined = [];
  readonly #evaluation: Evaluation;
  readonly #script: Script;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #variables: Map<string, Value>;
  /** Local names of modules and functions. */
  readonly #aliases: Map<string, string>;
  /** Modules whose names are all known here. */
  readonly #stars: string[] = [];
  #at = 0;
  #depth: number;

  constructor(
    evaluation: Evaluation,
    script: Script,
    variables: Map<string, Value>,
    aliases: Map<string, string>,
    depth: number,
  ) {
    this.#evaluation = evaluation;
    this.#script = script;
    this.#text = evaluation.codeText(script.code);
    evaluation.step(1 + (this.#text.length >> 3));
    this.#tokens = tokenize(this.#text, script.language);
    this.#variables = variables;
    this.#aliases = aliases;
    this.#depth = depth;
  }

  get #language(): Language {
    return this.#script.language;
  }

  #is(text: string, offset = 0): boolean {
    const token = this.#tokens[this.#at + offset];
    return token !== undefined && token.kind !== "string" && token.text === text;
  }

  /** Reads statements up to a closing bracket, or to the end. */
  statements(close?: string): void {
    while (this.#at < this.#tokens.length) {
      if (close !== undefined && this.#is(close)) {
        this.#at++;
        return;
      }
      const before = this.#at;
      this.#statement();
      if (this.#at === before) this.#at++;
    }
  }

  #statement(): void {
    this.#evaluation.step();
    const token = this.#tokens[this.#at]!;
    if (token.kind === "name") {
      if (this.#import(token)) return;
      let at = this.#at;
      while (declaring.has(this.#tokens[at]?.text ?? "")) at++;
      if (at > this.#at && this.#tokens[at]?.text === "{") {
        this.#at = at;
        this.#destructure();
        return;
      }
      if (token.text === "for" || token.text === "foreach") {
        this.#loop();
        return;
      }
      const target = this.#tokens[at];
      const sign = this.#tokens[at + 1];
      if (target?.kind === "name" && sign?.kind === "punctuation" && (sign.text === "=" || sign.text === ":=")) {
        this.#at = at + 2;
        this.#assign(target.text, this.#expression());
        return;
      }
    }
    this.#expression();
  }

  #assign(name: string, value: Value): void {
    if (value.name !== undefined && value.list === undefined) this.#aliases.set(name, value.name);
    else this.#aliases.delete(name);
    this.#variables.set(name, { ...value, atoms: this.#evaluation.weigh(value.atoms) });
    this.#evaluation.step((value.list?.length ?? 0) >> 2);
  }

  /** `import x as y`, `from x import y`, `import {a as b} from 'x'`. */
  #import(token: Token): boolean {
    if (token.text !== "import" && token.text !== "from") return false;
    if (this.#language === "python") {
      this.#at++;
      const first = this.#dotted();
      if (token.text === "from") {
        if (this.#is("import")) this.#at++;
        if (this.#is("(")) this.#at++;
      }
      if (token.text === "from" && this.#is("*")) {
        this.#stars.push(first);
        this.#at++;
        return true;
      }
      let name = token.text === "from" ? this.#dotted() : first;
      for (let round = 0; name !== "" && round < 100; round++) {
        const full = token.text === "from" ? `${first}.${name}` : name;
        let local = name;
        if (this.#is("as")) {
          this.#at++;
          local = this.#dotted();
        }
        if (local !== full && !(token.text === "import" && local === name)) this.#aliases.set(local, full);
        if (!this.#is(",")) break;
        this.#at++;
        name = this.#dotted();
      }
      return true;
    }
    if (this.#language !== "javascript" || token.text !== "import" || this.#is("(", 1) || this.#is(".", 1)) return false;
    this.#at++;
    const names: [string, string][] = [];
    let inside = false;
    for (let round = 0; round < 200 && this.#at < this.#tokens.length; round++) {
      const next = this.#tokens[this.#at++]!;
      if (next.kind === "string") {
        const module = moduleName(next.parts.join(""));
        for (const [local, member] of names) this.#aliases.set(local, member === "" ? module : `${module}.${member}`);
        return true;
      }
      if (next.text === "{") inside = true;
      else if (next.text === "}") inside = false;
      else if (next.text === ";") return true;
      else if (next.kind === "name" && next.text !== "from" && next.text !== "type") {
        if (next.text === "as" && this.#tokens[this.#at] !== undefined) {
          const last = names.pop();
          names.push([this.#tokens[this.#at++]!.text, last?.[1] ?? ""]);
        } else names.push([next.text, inside ? next.text : ""]);
      }
    }
    return true;
  }

  #dotted(): string {
    let name = "";
    while (this.#tokens[this.#at]?.kind === "name") {
      name += this.#tokens[this.#at++]!.text;
      if (!this.#is(".")) break;
      this.#at++;
      name += ".";
    }
    return name;
  }

  /** `const {a, b: c} = …` */
  #destructure(): void {
    const names: [string, string][] = [];
    this.#at++;
    while (this.#at < this.#tokens.length && !this.#is("}")) {
      const token = this.#tokens[this.#at++]!;
      if (token.kind !== "name") continue;
      if (this.#is(":") && this.#tokens[this.#at + 1]?.kind === "name") {
        names.push([this.#tokens[this.#at + 1]!.text, token.text]);
        this.#at += 2;
      } else names.push([token.text, token.text]);
    }
    this.#at++;
    if (!this.#is("=")) return;
    this.#at++;
    const { name } = this.#expression();
    if (name !== undefined) { for (const [local, member] of names) this.#aliases.set(local, `${name}.${member}`); }
  }

  /** `for x in values`, `for (const x of values)`, `foreach my $x (values)`. */
  #loop(): void {
    this.#at++;
    if (this.#is("(")) this.#at++;
    while (declaring.has(this.#tokens[this.#at]?.text ?? "")) this.#at++;
    const name = this.#tokens[this.#at];
    const sign = this.#tokens[this.#at + 1]?.text;
    if (name?.kind !== "name" || (sign !== "in" && sign !== "of" && sign !== "(")) return;
    this.#at += 2;
    const value = this.#expression();
    const first = value.list?.[0] ?? value;
    this.#assign(name.text, value.list !== undefined && value.list.length > 1 ? { atoms: [hidden(name.text)] } : first);
  }

  #expression(): Value {
    if (++this.#depth > maxDepth) {
      this.#depth--;
      this.#at++;
      return { atoms: [hidden("…")] };
    }
    try {
      return this.#operators();
    } finally {
      this.#depth--;
    }
  }

  #operators(): Value {
    let left = this.#term();
    const joint = concatenating[this.#language];
    while (this.#at < this.#tokens.length) {
      this.#evaluation.step();
      const token = this.#tokens[this.#at]!;
      if (token.kind === "string" && left.literal === true && (this.#language === "python" || this.#language === "awk") && !token.command) {
        left = { atoms: append(left.atoms, this.#term().atoms), literal: true };
        this.#evaluation.step(left.atoms.length >> 2);
        continue;
      }
      if (this.#language === "awk" && token.kind === "name" && left.literal === true && !keywords.has(token.text)) {
        left = { atoms: append(left.atoms, this.#term().atoms), literal: true };
        this.#evaluation.step(left.atoms.length >> 2);
        continue;
      }
      if (token.kind === "string" || token.kind === "number") return left;
      const { text } = token;
      if (text === joint && joint !== "") {
        this.#at++;
        const right = this.#term();
        left = left.list !== undefined || right.list !== undefined
          ? { atoms: [], list: this.#weighed([...left.list ?? [left], ...right.list ?? [right]]) }
          : left.path === true && this.#language === "ruby"
          ? { atoms: joinPaths([left.atoms, right.atoms]), path: true }
          : { atoms: append(left.atoms, right.atoms) };
        this.#evaluation.weigh(right.atoms);
        this.#evaluation.step(left.atoms.length >> 2);
      } else if (text === "/" && this.#language === "python" && (left.path === true || isPathLike(left))) {
        this.#at++;
        left = { atoms: joinPaths([left.atoms, this.#term().atoms]), path: true };
        this.#evaluation.step(left.atoms.length);
      } else if (text === "%" && this.#language === "python" && left.literal === true) {
        this.#at++;
        const right = this.#term();
        left = { atoms: fill(left.atoms, right.list ?? [right]) };
      } else if (text === "|" && this.#language === "awk") {
        this.#at++;
        if (this.#is("&")) this.#at++;
        if (this.#is("getline")) this.#shell(left, false);
        else this.#feed(this.#term(), left);
        left = { atoms: [hidden("|")] };
      } else if (text === "||" || text === "??" || text === "or") {
        this.#at++;
        const right = this.#term();
        if (left.atoms.some((atom) => atom.kind === "unknown") && right.atoms.length > 0) left = right;
      } else if (/^(?:[=!]==?|[<>]=?|&&|and|[-+*%|&^?]|=~|\*\*|<<|is|in|\.\.)$/.test(text)) {
        this.#at++;
        if (this.#at < this.#tokens.length && !/^[)\]},;]$/.test(this.#tokens[this.#at]!.text)) this.#term();
        left = { atoms: [hidden(this.#text.slice(token.start, token.end))] };
      } else return left;
    }
    return left;
  }

  #term(): Value {
    this.#evaluation.step();
    const token = this.#tokens[this.#at];
    if (token === undefined) return { atoms: [] };
    if (++this.#depth > maxDepth) {
      this.#depth--;
      this.#at++;
      return { atoms: [hidden("…")] };
    }
    try {
      if (token.kind === "string") {
        this.#at++;
        return this.#chain(this.#literal(token));
      }
      if (token.kind === "number") {
        this.#at++;
        return this.#chain({ atoms: [plain(token.text)] });
      }
      if (token.kind === "name") return this.#name(token);
      switch (token.text) {
        case "(":
        case "[": {
          this.#at++;
          const { values } = this.#arguments(token.text === "(" ? ")" : "]");
          if (token.text === "(" && values.length === 1) return this.#chain(values[0]!);
          return this.#chain({ atoms: [], list: values });
        }
        case "{":
          this.#at++;
          return this.#chain(this.#block());
        case "!":
        case "-":
        case "...":
        case "*":
        case "\\":
        case "&":
        case "~":
        case "+":
          this.#at++;
          return this.#term();
      }
      return { atoms: [] };
    } finally {
      this.#depth--;
    }
  }

  #weighed(list: readonly Value[]): readonly Value[] {
    this.#evaluation.step(list.length);
    return list;
  }

  /** A block of statements or an object literal. */
  #block(): Value {
    const properties = new Map<string, Value>();
    while (this.#at < this.#tokens.length && !this.#is("}")) {
      this.#evaluation.step();
      const before = this.#at;
      const token = this.#tokens[this.#at]!;
      const sign = this.#tokens[this.#at + 1];
      if ((token.kind === "name" || token.kind === "string") && (sign?.text === ":" || sign?.text === "=>")) {
        this.#at += 2;
        properties.set(token.kind === "string" ? token.parts.join("") : token.text, this.#expression());
      } else this.#statement();
      if (this.#at === before) this.#at++;
    }
    this.#at++;
    return { atoms: [hidden("{…}")], properties };
  }

  /** Values up to a closing bracket, which is passed. */
  #arguments(close: string): Arguments {
    const values: Value[] = [];
    const named = new Map<string, Value>();
    let added = false;
    while (this.#at < this.#tokens.length && !this.#is(close)) {
      this.#evaluation.step();
      const before = this.#at;
      const token = this.#tokens[this.#at]!;
      if (token.kind === "punctuation" && token.text === ",") {
        this.#at++;
        added = false;
        continue;
      }
      const sign = this.#tokens[this.#at + 1];
      if (token.kind === "name" && sign?.kind === "punctuation" && (sign.text === "=" || sign.text === "=>" || (sign.text === ":" && this.#language !== "javascript"))) {
        this.#at += 2;
        named.set(token.text, this.#expression());
        continue;
      }
      const value = this.#expression();
      if (this.#at === before) {
        this.#at++;
        continue;
      }
      if (added) {
        // Something follows that is not understood (a comprehension, an arrow): the value is not known.
        if (this.#language !== "perl" || values.length > 1) values[values.length - 1] = { atoms: [hidden("…")] };
      } else values.push(value);
      added = true;
    }
    this.#at++;
    return { values, named };
  }

  #literal(token: Extract<Token, { kind: "string" }>): Value {
    const atoms = token.parts.flatMap((part): readonly Atom[] =>
      typeof part === "string" ? this.#evaluation.unmark(part) : this.#inline(part.code)
    );
    if (token.list) return { atoms: [], list: splitWhite(atoms).map((one) => ({ atoms: one })) };
    if (token.command) {
      this.#shell({ atoms }, false);
      return { atoms: [hidden(token.text.slice(0, 40))] };
    }
    return { atoms, literal: true };
  }

  /** Value of code inside a string. */
  #inline(code: string): readonly Atom[] {
    if (this.#depth > maxDepth - 8) return [hidden(code)];
    const inner = new Reader(
      this.#evaluation,
      { ...this.#script, code: [plain(code.replace(/[!:][^'"()[\]]*$/, (end) => this.#language === "python" ? "" : end))] },
      this.#variables,
      this.#aliases,
      this.#depth + 4,
    );
    const { atoms } = inner.#expression();
    return atoms.length === 0 ? [hidden(code)] : atoms;
  }

  #name(token: Token): Value {
    this.#at++;
    const { text } = token;
    if (text.includes("\uE000")) return this.#chain({ atoms: this.#evaluation.unmark(text) });
    const before = this.#tokens[this.#at - 2];
    if (before?.kind === "punctuation" && isMember(before.text, this.#language)) {
      return this.#chain({ atoms: [hidden(text)], name: `?.${text}` });
    }
    if (text === "function" || text === "def" || text === "sub") {
      if (this.#tokens[this.#at]?.kind === "name") this.#at++;
      return { atoms: [] };
    }
    if (keywords.has(text)) return this.#at < this.#tokens.length && !this.#tokens[this.#at]!.fresh ? this.#term() : { atoms: [] };
    if (this.#language === "applescript" && text === "do" && this.#is("shell")) return this.#term();
    if (text === "shell" && this.#language === "applescript" && this.#is("script")) {
      this.#at++;
      this.#shell(this.#expression(), false);
      return { atoms: [] };
    }
    const alias = this.#aliases.get(text);
    if (alias !== undefined) return this.#chain({ atoms: [hidden(text)], name: alias });
    const special = this.#wellKnown(text);
    if (special !== undefined) return this.#chain(special);
    const value = this.#variables.get(text);
    if (value !== undefined) return this.#chain(value.name === undefined ? { ...value, literal: false } : value);
    const module = this.#stars.find((one) => effectOf(this.#language, `${one}.${text}`)?.method === false);
    return this.#chain({ atoms: [hidden(text)], name: module === undefined ? text.replace(/^[@%]/, "") : `${module}.${text}` });
  }

  #wellKnown(text: string): Value | undefined {
    const { file, args } = this.#script;
    switch (text) {
      case "__file__":
      case "__filename":
      case "__FILE__":
        return file === undefined ? undefined : { atoms: [plain(file)] };
      case "__dirname":
      case "__DIR__":
        return { atoms: file === undefined ? this.#directory() : [plain(file.slice(0, Math.max(1, file.lastIndexOf("/"))))] };
      case "ARGV":
      case "$ARGV":
      case "@ARGV":
      case "arg":
        return args === undefined ? undefined : { atoms: [], list: args.map((atoms) => ({ atoms })) };
    }
    return undefined;
  }

  #directory(): readonly Atom[] {
    const { path } = this.#script.scope.directory;
    return path === undefined ? [hidden("the current directory")] : [plain(path)];
  }

  /** Members, calls and subscripts behind a value. */
  #chain(start: Value): Value {
    let value = start;
    let receiver: Value | undefined;
    while (this.#at < this.#tokens.length) {
      this.#evaluation.step();
      const token = this.#tokens[this.#at]!;
      if (token.kind === "string" && token.text.startsWith("`") && this.#language === "javascript" && /^(?:\$|Bun\.\$|zx\.\$)$/.test(value.name ?? "")) {
        this.#at++;
        this.#shell(this.#literal(token), false);
        value = { atoms: [hidden("$`…`")] };
        continue;
      }
      if (token.kind !== "punctuation") {
        if (this.#bareCall(value, token)) return { atoms: [hidden(value.name ?? "")] };
        return value;
      }
      const member = isMember(token.text, this.#language);
      const next = this.#tokens[this.#at + 1];
      if (member && next?.kind === "name") {
        this.#at += 2;
        receiver = value;
        value = this.#member(value, next.text);
      } else if (token.text === "(" && !(token.fresh && this.#language !== "javascript" && this.#language !== "php")) {
        this.#at++;
        const start = token.end;
        const given = this.#arguments(")");
        value = this.#call(value, receiver, given, this.#text.slice(start, Math.min(start + 4000, this.#tokens[this.#at - 1]?.start ?? start)));
        receiver = undefined;
      } else if (token.text === "[" || (token.text === "{" && /^\$\w+$/.test(value.name ?? "") && this.#language === "perl")) {
        if (token.fresh && this.#language !== "javascript") return value;
        this.#at++;
        const { values } = this.#arguments(token.text === "[" ? "]" : "}");
        const from = staticText(values[0]?.atoms) ?? "";
        if (value.list !== undefined && this.#is(":", -2) && /^[0-9]{1,4}$/.test(from)) {
          value = { atoms: [], list: value.list.slice(Number(from)) };
          continue;
        }
        value = this.#subscript(value, values[0], this.#language === "perl" ? this.#tokens[this.#at - 2] : undefined);
        receiver = undefined;
      } else return this.#bareCall(value, token) ? { atoms: [] } : value;
    }
    return value;
  }

  #member(value: Value, name: string): Value {
    if (value.name === undefined) {
      if (value.path === true || isPathLike(value)) {
        if (name === "parent") return { atoms: parentOf(value.atoms), path: true };
        if (name === "sep") return { atoms: [plain("/")] };
      }
      return { atoms: [hidden(name)], name: `?.${name}` };
    }
    const full = `${value.name}.${name}`.replace(".promises.", ".");
    if (value.name === "process.env" || value.name === "Deno.env" || value.name === "Bun.env") {
      if (name !== "get") return { atoms: this.#variable(name) };
    }
    if (full === "os.sep" || full === "path.sep") return { atoms: [plain("/")] };
    if (full === "import.meta.dirname" && this.#script.file !== undefined) {
      return { atoms: parentOf([plain(this.#script.file)]) };
    }
    if (this.#language === "ruby" && !this.#is("(") && /^(?:Dir\.home|Dir\.pwd)$/.test(full)) {
      return { atoms: full === "Dir.home" ? this.#home() : this.#directory() };
    }
    const { args } = this.#script;
    if ((full === "sys.argv" || full === "process.argv" || full === "Deno.args") && args !== undefined) {
      const before = full === "sys.argv" ? 1 : full === "Deno.args" ? 0 : this.#script.file === undefined ? 1 : 2;
      return { atoms: [], list: [...Array(before).fill({ atoms: [plain("script")] }), ...args.map((atoms) => ({ atoms }))] };
    }
    return { atoms: [hidden(full)], name: full };
  }

  #subscript(value: Value, index: Value | undefined, bare?: Token): Value {
    const key = staticText(index?.atoms) ?? "";
    const name = value.name ?? "";
    if (/^(?:os\.environ|process\.env|ENV|\$ENV|\$_ENV|\$_SERVER|Bun\.env)$/.test(name)) {
      const text = index?.name ?? (key === "" ? bare?.text ?? "" : key);
      return { atoms: this.#variable(text) };
    }
    if (value.list !== undefined && /^[0-9]{1,4}$/.test(key)) return value.list[Number(key)] ?? { atoms: [] };
    if (value.list !== undefined && index === undefined) return value;
    if (name !== "" && index?.literal === true && key !== "") return { atoms: [hidden(key)], name: `${name}.${key}` };
    if (value.list !== undefined) return { atoms: [hidden(name || "…")], list: value.list };
    return { atoms: [hidden(name || "…")] };
  }

  #variable(name: string): readonly Atom[] {
    if (name === "HOME" || name === "USERPROFILE") return this.#home();
    if (name === "PWD") return this.#directory();
    const known = this.#script.scope.variables.get(name)?.values[0];
    const given = this.#evaluation.options.variables?.[name];
    return known ?? (given === undefined ? [unknown(`$${name}`, "variable", { name })] : [plain(given)]);
  }

  #home(): readonly Atom[] {
    return this.#script.scope.variables.get("HOME")?.values[0] ?? [plain(this.#evaluation.options.home)];
  }

  /** `system "x"`, `unlink $a, $b`: a call without brackets. */
  #bareCall(value: Value, token: Token): boolean {
    if (value.name === undefined || token.fresh || !/^(?:ruby|perl|php|lua)$/.test(this.#language)) return false;
    if (effectOf(this.#language, value.name) === undefined) return false;
    const starts = token.kind === "string" || token.kind === "number" ||
      (token.kind === "name" && !keywords.has(token.text)) || token.text === "[" || token.text === "{" || token.text === "\\" || token.text === "<";
    if (!starts) return false;
    if (token.text === "{" && this.#language === "perl" && value.name !== "eval") return false;
    const values: Value[] = [];
    const named = new Map<string, Value>();
    const start = token.start;
    for (let round = 0; round < 1000 && this.#at < this.#tokens.length; round++) {
      const next = this.#tokens[this.#at]!;
      if (round > 0 && next.fresh && !this.#is(",", -1)) break;
      const before = this.#at;
      values.push(this.#expression());
      if (this.#at === before) break;
      if (!this.#is(",") && !this.#is("=>")) break;
      this.#at++;
    }
    this.#call(value, undefined, { values, named }, this.#text.slice(start, Math.min(start + 4000, this.#tokens[this.#at]?.start ?? this.#text.length)));
    return true;
  }

  #call(target: Value, receiver: Value | undefined, given: Arguments, source: string): Value {
    const name = target.name;
    if (name === undefined) return { atoms: [hidden("…")] };
    const found = effectOf(this.#language, name);
    if (found === undefined) return this.#value(name, receiver, given);
    // What a method is called on is its path (`Path(x).unlink()`), unless that is a module of another name.
    const onPath = found.method && (this.#language === "python" || this.#language === "ruby") &&
      receiver !== undefined &&
      (receiver.name === undefined || given.values.length === 0 || found.effect === "tee");
    this.#effect(found.effect, given, onPath ? receiver : undefined, source);
    return { atoms: [hidden(`${name}(…)`)] };
  }

  #value(name: string, receiver: Value | undefined, given: Arguments): Value {
    const [first] = given.values;
    const unknowable = { atoms: [hidden(`${name}(…)`)] };
    switch (valueOf(name)) {
      case "home":
        return { atoms: this.#home(), path: name.includes("Path") };
      case "cwd":
        return { atoms: this.#directory(), path: name.includes("Path") };
      case "join": {
        const parts = name.endsWith("joinpath") && receiver !== undefined ? [receiver, ...given.values] : given.values;
        const atoms = joinPaths(parts.map((part) => part.atoms));
        return { atoms: atoms.length === 0 ? [plain(".")] : atoms, path: /Path|joinpath/.test(name) };
      }
      case "expand":
        return { ...(first ?? receiver ?? unknowable), atoms: this.#expandHome((first ?? receiver)?.atoms ?? []) };
      case "variable": {
        const atoms = this.#variable(staticText(first?.atoms) ?? "");
        return atoms.some((atom) => atom.kind === "unknown") && given.values[1] !== undefined ? given.values[1] : { atoms };
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
        for (let at = 0; at < text.length; at += 2) decoded += String.fromCharCode(parseInt(text.slice(at, at + 2), 16));
        return { atoms: [plain(decoded)] };
      }
      case "glob":
        if (receiver === undefined || receiver.name !== undefined) return unknowable;
        return { atoms: joinPaths([receiver.atoms, globs(first?.atoms ?? [])]), path: true };
      case "path":
        return { atoms: globs(first?.atoms ?? []) };
      case "concat": {
        const list = this.#language === "python" ? first?.list : receiver?.list;
        const separator = staticText(this.#language === "python" ? receiver?.atoms : first?.atoms) ?? ",";
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

  #expandHome(atoms: readonly Atom[]): readonly Atom[] {
    const first = atoms[0];
    if (first?.kind !== "text" || !/^~(?:\/|$)/.test(first.text)) return atoms;
    return [...this.#home(), { ...first, text: first.text.slice(1) }, ...atoms.slice(1)];
  }

  // Effects.

  #effect(effect: Effect, given: Arguments, receiver: Value | undefined, source: string): void {
    const [kind, ...flags] = effect.split(" ");
    const called = given.values.length > 0 ? undefined : given.named.get("path") ?? given.named.get("file");
    const own = called === undefined ? given.values : [called];
    const values = receiver === undefined ? own : [receiver, ...own];
    const [first, second] = values;
    switch (kind) {
      case "shell": {
        const target = first ?? given.named.get("args") ?? given.named.get("cmd");
        const command = target?.properties?.get("cmd") ?? target;
        if (command === undefined) return;
        if (command.list === undefined && values.length > 1 && values.every((one) => one.list === undefined && one.properties === undefined)) {
          this.#words(this.#language === "python" ? [command] : values);
        } else this.#shell(command, /\bshell\s*[:=]\s*(?:true|True|1)\b/.test(source));
        return;
      }
      case "words":
        this.#words(values.flatMap((one) => one.list ?? [one]));
        return;
      case "named": {
        const at = Number(flags[0] ?? 0);
        const program = values[at];
        const list = values[at + 1]?.list ?? values[at + 1]?.properties?.get("args")?.list ?? [];
        if (program === undefined) return;
        // Of the exec family the list begins with the name of the program.
        const args = this.#language === "python" ? list.slice(1) : list;
        if (/\bshell\s*:\s*true\b/.test(source) || (list.length === 0 && /\s/.test(staticText(program.atoms) ?? ""))) {
          this.#shell({ atoms: joinAtoms([program, ...args].map((one) => one.atoms)) }, false);
        } else this.#words([program, ...args]);
        return;
      }
      case "rest": {
        const at = Number(flags[0] ?? 0);
        if (values[at] !== undefined) this.#words([values[at], ...values.slice(at + 2)]);
        return;
      }
      case "code":
        if (first !== undefined && first.name === undefined) this.#code(values[values.length - 1]!.literal ? values[values.length - 1]! : first);
        return;
      case "open":
        this.#open(values, given, flags[0] === "perl");
        return;
      case "print":
      case "write":
        this.#print(values, kind === "print");
        return;
      case "chdir": {
        const path = staticText(first?.atoms);
        const { scope } = this.#script;
        scope.directory = path === undefined
          ? { path: undefined, certain: false }
          : changeDirectory(scope.directory, path, this.#evaluation.options.windows === true);
        return;
      }
      case "2":
        if (first !== undefined && second !== undefined) this.#program(flags, [first, second]);
        return;
      case "second":
        if (second !== undefined) this.#program(flags, [second]);
        return;
      case "chmod": {
        const [path, mode] = flags[0] === "last" ? [values[1], values[0]] : [first, second];
        if (path !== undefined) this.#program(["chmod", (staticText(mode?.atoms) ?? "").replace(/^0o?/, "") || "777"], [path]);
        return;
      }
    }
    const program = [kind!, ...flags];
    const last = program[program.length - 1];
    if (last === "*") this.#program(program.slice(0, -1), values.flatMap((one) => one.list ?? (one.properties === undefined ? [one] : [])));
    else if (last === "?") {
      const recursive = /\brecursive['"]?\s*[:=]\s*true\b/.test(source);
      if (first !== undefined) this.#program(recursive ? ["rm", "-rf"] : [program[0]!], [first]);
    } else if (first !== undefined) this.#program(program, first.list ?? [first]);
  }

  /** In a file of a project only what is known is followed: its unknown paths are its daily work. */
  #skips(atoms: readonly Atom[]): boolean {
    return this.#script.file !== undefined && atoms[0]?.kind === "unknown";
  }

  #program(program: readonly string[], operands: readonly Value[]): void {
    const known = operands.filter((one) => one.atoms.length > 0 && !this.#skips(one.atoms));
    if (known.length === 0) return;
    const { span } = this.#script;
    this.#run([
      ...program.map((text) => textWord(text, span)),
      ...known.map((one) => makeWord(one.atoms, span)),
    ]);
  }

  #run(words: Parameters<Evaluation["runWords"]>[0]): void {
    this.printed = undefined;
    const { scope, frame, span } = this.#script;
    this.#evaluation.runWords(words, [], [], span, scope, frame);
  }

  #words(values: readonly Value[]): void {
    const first = values[0];
    if (first === undefined || this.#skips(first.atoms)) return;
    const { span } = this.#script;
    this.#run(values.filter((one) => one.properties === undefined).map((one) => makeWord(one.atoms, span)));
  }

  #shell(value: Value, joined: boolean): void {
    if (value.list !== undefined && !joined) {
      this.#words(value.list);
      return;
    }
    const atoms = value.list?.[0]?.atoms ?? value.atoms;
    this.printed = undefined;
    if (atoms.length === 0 || this.#skips(atoms)) return;
    const { call, scope, frame, span } = this.#script;
    noteUnknownCode(this.#evaluation, call, atoms);
    this.#evaluation.runCode(atoms, span, scope, frame);
  }

  /** `print text | command`. */
  #feed(command: Value, text: Value): void {
    const { call, scope, frame, span } = this.#script;
    if (command.atoms.length === 0) return;
    noteUnknownCode(this.#evaluation, call, command.atoms);
    const stdin = text.literal === true ? { atoms: text.atoms } : undefined;
    this.#evaluation.runCode(command.atoms, span, scope, { ...frame, stdin });
  }

  #code(value: Value): void {
    if (value.atoms.length === 0 || value.properties !== undefined || this.#depth > maxDepth - 12) return;
    if (value.atoms[0]?.kind === "unknown") {
      if (this.#script.file === undefined) noteUnknownCode(this.#evaluation, this.#script.call, value.atoms);
      return;
    }
    new Reader(
      this.#evaluation,
      { ...this.#script, code: value.atoms },
      this.#variables,
      this.#aliases,
      this.#depth + 10,
    ).statements();
  }

  #open(values: readonly Value[], given: Arguments, threeParts: boolean): void {
    const [target, mode] = threeParts && values.length > 2
      ? [values[2], values[1]]
      : threeParts
      ? [values[1], undefined]
      : [values[0], values[1] ?? given.named.get("mode")];
    if (target === undefined) return;
    let path = target;
    let text = staticText(mode?.atoms) ?? "r";
    if (threeParts && values.length === 2) {
      // `open(F, ">$path")`: the mode is part of the name.
      const lead = path.atoms[0];
      const match = lead?.kind === "text" ? /^\s*(\+?[<>]{1,2}|\|)\s*/.exec(lead.text) : null;
      text = match?.[1] ?? "<";
      if (match !== null && lead?.kind === "text") {
        path = { atoms: [{ ...lead, text: lead.text.slice(match[0].length) }, ...path.atoms.slice(1)] };
      }
    }
    if (threeParts && (text.includes("|") || (staticText(path.atoms) ?? "").trimEnd().endsWith("|"))) {
      const command = path.atoms.map((atom): Atom => atom.kind === "text" ? { ...atom, text: atom.text.replace(/\|\s*$/, "") } : atom);
      this.#shell({ atoms: command }, false);
      return;
    }
    if (/^[rb<]*t?$/.test(text)) this.#program(["cat"], [path]);
    else if (/a|>>/.test(text)) this.#program(["tee", "-a"], [path]);
    else this.#program(["tee"], [path]);
  }

  #print(values: readonly Value[], newline: boolean): void {
    const atoms = joinAtoms(values.map((one) => one.atoms));
    if (this.printed === undefined || values.some((one) => one.list !== undefined) || this.printed.length > 1000) {
      this.printed = undefined;
    } else this.printed = [...this.#evaluation.weigh(this.printed), ...atoms, ...newline ? [plain("\n")] : []];
  }
}

/** A piece of a script whose value is not known. */
function hidden(source: string): Atom {
  return unknown(source, "variable", { mayBeEmpty: false });
}

function isMember(text: string, language: Language): boolean {
  switch (text) {
    case ".":
      return language !== "perl" && language !== "php";
    case "->":
    case "::":
    case "?.":
    case "&.":
      return true;
    case ":":
      return language === "lua";
  }
  return false;
}

function moduleName(text: string): string {
  return text.replace(/^node:/, "").replace(/\/promises$/, "").replace(/^(?:fs-extra|graceful-fs|memfs)$/, "fs");
}

function isPathLike(value: Value): boolean {
  return value.name === undefined && value.list === undefined && value.properties === undefined && value.atoms.length > 0;
}

/** Joins paths; an absolute one starts anew. */
function joinPaths(parts: readonly (readonly Atom[])[]): readonly Atom[] {
  let joined: Atom[] = [];
  for (const part of parts) {
    const first = part[0];
    if (first === undefined) continue;
    const absolute = first.kind === "text" && first.text.startsWith("/");
    if (joined.length === 0 || absolute) joined = [...part];
    else {
      const last = joined[joined.length - 1]!;
      const slashed = last.kind === "text" && last.text.endsWith("/");
      joined.push(...slashed ? [] : [plain("/")], ...part);
    }
  }
  return joined;
}

function parentOf(atoms: readonly Atom[]): readonly Atom[] {
  const text = staticText(atoms);
  if (text === undefined) return [hidden("the parent directory")];
  const slash = text.lastIndexOf("/");
  return [plain(slash < 0 ? "." : slash === 0 ? "/" : text.slice(0, slash))];
}

/** Text whose pattern characters are active. */
function globs(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(\*+|\?)/).filter((part) => part !== "").map((part): Atom =>
      /^[*?]/.test(part) ? { kind: "glob", text: part } : plain(part)
    );
  });
}

/** One value behind another; text that meets is joined. */
function append(left: readonly Atom[], right: readonly Atom[]): readonly Atom[] {
  const last = left[left.length - 1];
  const first = right[0];
  if (last?.kind !== "text" || first?.kind !== "text") return [...left, ...right];
  return [...left.slice(0, -1), plain(last.text + first.text), ...right.slice(1)];
}

/** `%s` in a format. */
function fill(atoms: readonly Atom[], values: readonly Value[]): readonly Atom[] {
  let next = 0;
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(%[sdr])/).flatMap((part): readonly Atom[] =>
      /^%[sdr]$/.test(part) ? values[next++]?.atoms ?? [hidden(part)] : part === "" ? [] : [plain(part)]
    );
  });
}
