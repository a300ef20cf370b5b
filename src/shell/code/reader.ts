/**
 * Reads a script of another language for what it does to files and programs. It follows literals, constants
 * and paths put together from them, one pass over the tokens; it is no interpreter, so branches and loops are
 * read once, from top to bottom.
 */

import type { Evaluation } from "../evaluate.ts";
import { type Atom, plain, splitWhite, staticText } from "../pieces.ts";
import { effectOf } from "./effects.ts";
import { readImport } from "./imports.ts";
import { elementOf, memberOf, resultOf } from "./results.ts";
import { Effects } from "./run_effects.ts";
import { type Place, type Script, wellKnown } from "./script.ts";
import { type Language, type Token, tokenize } from "./tokens.ts";
import {
  append,
  type Arguments,
  fill,
  hidden,
  isMember,
  isPathLike,
  joinPaths,
  type Value,
} from "./values.ts";

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
  julia: "*",
  elixir: "<>",
  groovy: "+",
};

/** Follows a script. Returns what it prints, when everything that it prints is known. */
export function readScript(evaluation: Evaluation, script: Script): readonly Atom[] | undefined {
  const reader = new Reader({ evaluation, script }, new Map(), new Map(), 0);
  reader.statements();
  return reader.printed?.length === 0 ? undefined : reader.printed;
}

class Reader {
  readonly #place: Place;
  readonly #effects: Effects;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #variables: Map<string, Value>;
  /** Local names of modules and functions. */
  readonly #aliases: Map<string, string>;
  /** Modules whose names are all known here. */
  readonly #stars: string[] = [];
  #at = 0;
  #depth: number;

  constructor(place: Place, variables: Map<string, Value>, aliases: Map<string, string>, depth: number) {
    const { evaluation, script } = place;
    this.#place = place;
    this.#effects = new Effects(place, (code) => {
      if (this.#depth <= maxDepth - 12) this.#another(code, 10).statements();
    });
    this.#text = evaluation.codeText(script.code);
    evaluation.step(1 + (this.#text.length >> 3));
    this.#tokens = tokenize(this.#text, script.language);
    this.#variables = variables;
    this.#aliases = aliases;
    this.#depth = depth;
  }

  /** A reader of code inside this script, which shares its names. */
  #another(code: readonly Atom[], deeper: number): Reader {
    const { evaluation, script } = this.#place;
    return new Reader(
      { evaluation, script: { ...script, code } },
      this.#variables,
      this.#aliases,
      this.#depth + deeper,
    );
  }

  /** What the script prints; undefined when that is not known. */
  get printed(): readonly Atom[] | undefined {
    return this.#effects.printed;
  }

  get #language(): Language {
    return this.#place.script.language;
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
    this.#place.evaluation.step();
    const token = this.#tokens[this.#at]!;
    if (token.kind === "name") {
      if (this.#import()) return;
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
      if (
        target?.kind === "name" && sign?.kind === "punctuation" && (sign.text === "=" || sign.text === ":=")
      ) {
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
    this.#variables.set(name, { ...value, atoms: this.#place.evaluation.weigh(value.atoms) });
    this.#place.evaluation.step((value.list?.length ?? 0) >> 2);
  }

  #import(): boolean {
    const found = readImport(this.#tokens, this.#at, this.#language);
    if (found === undefined) return false;
    this.#at = found.end;
    for (const [local, full] of found.aliases) this.#aliases.set(local, full);
    if (found.star !== undefined) this.#stars.push(found.star);
    return true;
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
    if (name !== undefined) {
      for (const [local, member] of names) this.#aliases.set(local, `${name}.${member}`);
    }
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
    this.#assign(
      name.text,
      value.list !== undefined && value.list.length > 1 ? { atoms: [hidden(name.text)] } : first,
    );
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
      this.#place.evaluation.step();
      const token = this.#tokens[this.#at]!;
      if (
        token.kind === "string" && left.literal === true &&
        (this.#language === "python" || this.#language === "awk") && !token.command
      ) {
        left = { atoms: append(left.atoms, this.#term().atoms), literal: true };
        this.#place.evaluation.step(left.atoms.length >> 2);
        continue;
      }
      if (
        this.#language === "awk" && token.kind === "name" && left.literal === true &&
        !keywords.has(token.text)
      ) {
        left = { atoms: append(left.atoms, this.#term().atoms), literal: true };
        this.#place.evaluation.step(left.atoms.length >> 2);
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
        this.#place.evaluation.weigh(right.atoms);
        this.#place.evaluation.step(left.atoms.length >> 2);
      } else if (text === "/" && this.#language === "python" && (left.path === true || isPathLike(left))) {
        this.#at++;
        left = { atoms: joinPaths([left.atoms, this.#term().atoms]), path: true };
        this.#place.evaluation.step(left.atoms.length);
      } else if (text === "%" && this.#language === "python" && left.literal === true) {
        this.#at++;
        const right = this.#term();
        left = { atoms: fill(left.atoms, right.list ?? [right]) };
      } else if (text === "|" && this.#language === "awk") {
        this.#at++;
        if (this.#is("&")) this.#at++;
        if (this.#is("getline")) this.#effects.shell(left, false);
        else this.#effects.feed(this.#term(), left);
        left = { atoms: [hidden("|")] };
      } else if (this.#language === "awk" && /^(?:>>?|<)$/.test(text) && this.#redirects(text)) {
        this.#at++;
        this.#effects.use(text === "<" ? "cat" : "tee", this.#term());
        left = { atoms: [hidden(text)] };
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

  /** True for `print … > "file"` and `getline < "file"` of awk, which elsewhere compare. */
  #redirects(operator: string): boolean {
    if (this.#tokens[this.#at + 1]?.kind !== "string") return false;
    for (let at = this.#at - 1; at >= Math.max(0, this.#at - 64); at--) {
      const { text } = this.#tokens[at]!;
      if (operator === "<" ? text === "getline" : /^printf?$/.test(text)) return true;
      if (/^[;{}]$/.test(text)) return false;
    }
    return false;
  }

  #term(): Value {
    this.#place.evaluation.step();
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
    this.#place.evaluation.step(list.length);
    return list;
  }

  /** A block of statements or an object literal. */
  #block(): Value {
    const properties = new Map<string, Value>();
    while (this.#at < this.#tokens.length && !this.#is("}")) {
      this.#place.evaluation.step();
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
      this.#place.evaluation.step();
      const before = this.#at;
      const token = this.#tokens[this.#at]!;
      if (token.kind === "punctuation" && token.text === ",") {
        this.#at++;
        added = false;
        continue;
      }
      const sign = this.#tokens[this.#at + 1];
      if (
        token.kind === "name" && sign?.kind === "punctuation" &&
        (sign.text === "=" || sign.text === "=>" || (sign.text === ":" && this.#language !== "javascript"))
      ) {
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
        if (this.#language !== "perl" || values.length > 1) {
          values[values.length - 1] = { atoms: [hidden("…")] };
        }
      } else values.push(value);
      added = true;
    }
    this.#at++;
    return { values, named };
  }

  #literal(token: Extract<Token, { kind: "string" }>): Value {
    const atoms = token.parts.flatMap((part): readonly Atom[] =>
      typeof part === "string" ? this.#place.evaluation.unmark(part) : this.#inline(part.code)
    );
    if (token.list) return { atoms: [], list: splitWhite(atoms).map((one) => ({ atoms: one })) };
    if (token.command) {
      this.#effects.shell({ atoms }, false);
      return { atoms: [hidden(token.text.slice(0, 40))] };
    }
    return { atoms, literal: true };
  }

  /** Value of code inside a string. */
  #inline(code: string): readonly Atom[] {
    if (this.#depth > maxDepth - 8) return [hidden(code)];
    const expression = code.replace(/[!:][^'"()[\]]*$/, (end) => this.#language === "python" ? "" : end);
    const inner = this.#another([plain(expression)], 4);
    const { atoms } = inner.#expression();
    return atoms.length === 0 ? [hidden(code)] : atoms;
  }

  #name(token: Token): Value {
    this.#at++;
    const { text } = token;
    if (text.includes("\uE000")) return this.#chain({ atoms: this.#place.evaluation.unmark(text) });
    const before = this.#tokens[this.#at - 2];
    if (before?.kind === "punctuation" && isMember(before.text, this.#language)) {
      return this.#chain({ atoms: [hidden(text)], name: `?.${text}` });
    }
    if (text === "function" || text === "def" || text === "sub") {
      if (this.#tokens[this.#at]?.kind === "name") this.#at++;
      return { atoms: [] };
    }
    if (keywords.has(text)) {
      return this.#at < this.#tokens.length && !this.#tokens[this.#at]!.fresh ? this.#term() : { atoms: [] };
    }
    if (this.#language === "applescript" && text === "do" && this.#is("shell")) return this.#term();
    if (text === "shell" && this.#language === "applescript" && this.#is("script")) {
      this.#at++;
      this.#effects.shell(this.#expression(), false);
      return { atoms: [] };
    }
    const alias = this.#aliases.get(text);
    if (alias !== undefined) return this.#chain({ atoms: [hidden(text)], name: alias });
    const special = wellKnown(this.#place, text);
    if (special !== undefined) return this.#chain(special);
    const value = this.#variables.get(text);
    if (value !== undefined) {
      return this.#chain(value.name === undefined ? { ...value, literal: false } : value);
    }
    const module = this.#stars.find((one) => effectOf(this.#language, `${one}.${text}`)?.method === false);
    return this.#chain({
      atoms: [hidden(text)],
      name: module === undefined ? text.replace(/^[@%]/, "") : `${module}.${text}`,
    });
  }

  /** Members, calls and subscripts behind a value. */
  #chain(start: Value): Value {
    let value = start;
    let receiver: Value | undefined;
    while (this.#at < this.#tokens.length) {
      this.#place.evaluation.step();
      const token = this.#tokens[this.#at]!;
      if (
        token.kind === "string" && token.text.startsWith("`") && this.#language === "javascript" &&
        /(?:^|\.)\$$/.test(value.name ?? "")
      ) {
        this.#at++;
        this.#effects.shell(this.#literal(token), false);
        value = { atoms: [hidden("$`…`")] };
        continue;
      }
      if (
        token.kind === "string" && token.text.startsWith("`") && this.#language === "javascript" &&
        /^(?:sql|\$executeRaw|\$queryRaw)$/.test(this.#tokens[this.#at - 1]?.text ?? "")
      ) {
        this.#at++;
        this.#effects.perform("sql", { values: [this.#literal(token)], named: new Map() }, undefined, "");
        value = { atoms: [hidden("sql`…`")] };
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
        value = memberOf(this.#place, value, next.text, this.#is("("));
      } else if (
        token.text === "(" && !(token.fresh && this.#language !== "javascript" && this.#language !== "php")
      ) {
        this.#at++;
        const start = token.end;
        const given = this.#arguments(")");
        value = this.#call(
          value,
          receiver,
          given,
          this.#text.slice(start, Math.min(start + 4000, this.#tokens[this.#at - 1]?.start ?? start)),
        );
        receiver = undefined;
      } else if (
        token.text === "[" ||
        (token.text === "{" && /^\$\w+$/.test(value.name ?? "") && this.#language === "perl")
      ) {
        if (token.fresh && this.#language !== "javascript") return value;
        this.#at++;
        const { values } = this.#arguments(token.text === "[" ? "]" : "}");
        const from = staticText(values[0]?.atoms) ?? "";
        if (value.list !== undefined && this.#is(":", -2) && /^[0-9]{1,4}$/.test(from)) {
          value = { atoms: [], list: value.list.slice(Number(from)) };
          continue;
        }
        value = elementOf(
          this.#place,
          value,
          values[0],
          this.#language === "perl" ? this.#tokens[this.#at - 2] : undefined,
        );
        receiver = undefined;
      } else return this.#bareCall(value, token) ? { atoms: [] } : value;
    }
    return value;
  }

  /** `system "x"`, `unlink $a, $b`: a call without brackets. */
  #bareCall(value: Value, token: Token): boolean {
    if (value.name === undefined || token.fresh || !/^(?:ruby|perl|php|lua)$/.test(this.#language)) {
      return false;
    }
    if (effectOf(this.#language, value.name) === undefined) return false;
    const starts = token.kind === "string" || token.kind === "number" ||
      (token.kind === "name" && !keywords.has(token.text)) || token.text === "[" || token.text === "{" ||
      token.text === "\\" || token.text === "<";
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
    this.#call(
      value,
      undefined,
      { values, named },
      this.#text.slice(start, Math.min(start + 4000, this.#tokens[this.#at]?.start ?? this.#text.length)),
    );
    return true;
  }

  #call(target: Value, receiver: Value | undefined, given: Arguments, source: string): Value {
    const name = target.name;
    if (name === undefined) return { atoms: [hidden("…")] };
    const found = effectOf(this.#language, name);
    if (found === undefined) return resultOf(this.#place, name, receiver, given);
    // What a method is called on is its path (`Path(x).unlink()`), unless that is a module of another name.
    const onPath = found.method && /^(?:python|ruby|groovy)$/.test(this.#language) &&
      receiver !== undefined &&
      (receiver.name === undefined || given.values.length === 0 || found.effect === "tee");
    this.#effects.perform(found.effect, given, onPath ? receiver : undefined, source);
    return { atoms: [hidden(`${name}(…)`)] };
  }
}
