/** Tokens of scripting languages: names, string literals and punctuation; one pass, no backtracking. */

export type Language =
  | "python"
  | "javascript"
  | "ruby"
  | "perl"
  | "php"
  | "lua"
  | "awk"
  | "applescript"
  | "r"
  | "julia"
  | "elixir"
  | "groovy";

/** A string literal holds text and, in between, code whose value stands there. */
export type StringPart = string | { readonly code: string };

/** A token of a script. */
export type Token =
  & {
    /** Text of a name, a number or an operator as written. */
    readonly text: string;
    readonly start: number;
    readonly end: number;
    /** First on its line. */
    readonly fresh: boolean;
  }
  & (
    | { readonly kind: "name" | "number" | "punctuation" }
    | {
      readonly kind: "string";
      readonly parts: readonly StringPart[];
      /** Backticks and their like: the shell runs it. */
      readonly command: boolean;
      /** Words of a list literal (`%w[a b]`). */
      readonly list: boolean;
    }
  );

/** Tokens that are kept of one script. */
const maxTokens = 60_000;

const operators = [
  "===",
  "!==",
  "**=",
  "...",
  "<=>",
  "?.",
  "::",
  "->",
  "=>",
  "==",
  "!=",
  "<=",
  ">=",
  "&&",
  "||",
  "??",
  "+=",
  "-=",
  ".=",
  "..",
  "&.",
  ":=",
  "=~",
  "<<",
  "**",
].sort((a, b) => b.length - a.length);

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

const hashComments: ReadonlySet<Language> = new Set([
  "python",
  "ruby",
  "perl",
  "php",
  "awk",
  "r",
  "julia",
  "elixir",
]);
const triples: ReadonlySet<Language> = new Set(["python", "julia", "elixir", "groovy"]);
const slashComments: ReadonlySet<Language> = new Set(["javascript", "php", "groovy"]);
const dashComments: ReadonlySet<Language> = new Set(["lua", "applescript"]);

/** Cuts a script into tokens. More than {@link maxTokens} are cut off. */
export function tokenize(text: string, language: Language): Token[] {
  return new Tokenizer(text, language, 0).run();
}

/** Code in code in code … is followed this far. */
const maxDepth = 6;

class Tokenizer {
  readonly #text: string;
  readonly #language: Language;
  readonly #depth: number;
  readonly #tokens: Token[] = [];
  #at = 0;
  #fresh = true;

  constructor(text: string, language: Language, depth: number) {
    this.#text = text;
    this.#language = language;
    this.#depth = depth;
  }

  run(): Token[] {
    const text = this.#text;
    while (this.#at < text.length && this.#tokens.length < maxTokens) {
      const char = text[this.#at]!;
      if (char === "\n") {
        this.#fresh = true;
        this.#at++;
      } else if (char <= " " || char === "\u00a0") this.#at++;
      else if (!this.#comment(char) && !this.#string(char)) this.#other(char);
    }
    return this.#tokens;
  }

  #push(
    token:
      | { kind: "name" | "number" | "punctuation" }
      | Omit<Extract<Token, { kind: "string" }>, "text" | "start" | "end" | "fresh">,
    start: number,
  ) {
    const text = this.#text.slice(start, this.#at);
    this.#tokens.push({ ...token, text, start, end: this.#at, fresh: this.#fresh } as Token);
    this.#fresh = false;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }

  #comment(char: string): boolean {
    const next = this.#text[this.#at + 1];
    const hash = char === "#" && hashComments.has(this.#language);
    const line = hash || (char === "/" && next === "/" && slashComments.has(this.#language)) ||
      (char === "-" && next === "-" && dashComments.has(this.#language));
    if (line) {
      this.#at = this.#lineEnd();
      return true;
    }
    if (char === "/" && next === "*" && slashComments.has(this.#language)) {
      const end = this.#text.indexOf("*/", this.#at + 2);
      this.#at = end < 0 ? this.#text.length : end + 2;
      return true;
    }
    return false;
  }

  /** True when what stands before can be the left side of an operator. */
  #afterValue(): boolean {
    const last = this.#tokens[this.#tokens.length - 1];
    if (last === undefined) return false;
    if (last.kind === "name") {
      return !/^(?:return|typeof|case|in|and|or|not|if|unless|print|split|grep)$/.test(last.text);
    }
    return last.kind !== "punctuation" || last.text === ")" || last.text === "]" || last.text === "}";
  }

  #string(char: string): boolean {
    const language = this.#language;
    const text = this.#text;
    const start = this.#at;
    if (char === "'" || char === '"') {
      if (language === "applescript" && char === "'") return false;
      if (language === "awk" && char === "'") return false;
      if (triples.has(language) && text.startsWith(char.repeat(3), start)) return this.#triple(char, "");
      const plain = char === "'" && (language === "ruby" || language === "perl" || language === "php");
      this.#at++;
      this.#delimited(start, char, char, plain ? "none" : this.#interpolation(), plain, false);
      return true;
    }
    if (
      char === "`" &&
      (language === "javascript" || language === "ruby" || language === "perl" || language === "php" ||
        language === "julia")
    ) {
      this.#at++;
      this.#delimited(start, "`", "`", this.#interpolation("`"), false, language !== "javascript");
      return true;
    }
    if (language === "python" && /[rRbBfFuU]/.test(char)) {
      const prefix = /^[rRbBfFuU]{1,2}(?=['"])/.exec(text.slice(start, start + 3))?.[0];
      if (prefix === undefined) return false;
      const quote = text[start + prefix.length]!;
      if (text.startsWith(quote.repeat(3), start + prefix.length)) return this.#triple(quote, prefix);
      this.#at = start + prefix.length + 1;
      this.#delimited(start, quote, quote, /f/i.test(prefix) ? "python" : "none", /r/i.test(prefix), false);
      return true;
    }
    if (language === "lua" && char === "[" && text[start + 1] === "[") {
      const end = text.indexOf("]]", start + 2);
      this.#at = end < 0 ? text.length : end + 2;
      this.#push({
        kind: "string",
        parts: [text.slice(start + 2, end < 0 ? undefined : end)],
        command: false,
        list: false,
      }, start);
      return true;
    }
    if (language === "perl" && char === "q" && this.#perlQuote()) return true;
    if (language === "perl" && /[smyqt]/.test(char)) return this.#perlPattern();
    if (language === "ruby" && char === "%" && !this.#afterValue()) return this.#rubyQuote();
    if (
      char === "/" &&
      (language === "javascript" || language === "ruby" || language === "perl" || language === "awk") &&
      !this.#afterValue()
    ) {
      return this.#pattern();
    }
    return false;
  }

  #interpolation(quote = '"'): "none" | "python" | "javascript" | "ruby" | "perl" | "php" {
    switch (this.#language) {
      case "javascript":
        return quote === "`" ? "javascript" : "none";
      case "ruby":
      case "perl":
      case "php":
        return this.#language;
      default:
        return "none";
    }
  }

  #triple(quote: string, prefix: string): boolean {
    const start = this.#at;
    this.#at = start + prefix.length + 3;
    this.#delimited(
      start,
      quote.repeat(3),
      "",
      /f/i.test(prefix) ? "python" : "none",
      /r/i.test(prefix),
      false,
    );
    return true;
  }

  /** `q(…)`, `qq{…}`, `qx!…!`, `qw(…)`. */
  #perlQuote(): boolean {
    const match = /^q([qxwr]?)(\s*)([^\w\s,;=)])/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (match === null || (match[3] === "#" && match[2] !== "")) return false;
    const start = this.#at;
    this.#at += match[0].length;
    const open = match[3]!;
    const kind = match[1]!;
    this.#delimited(
      start,
      closing[open] ?? open,
      open,
      kind === "" || kind === "w" ? "none" : "perl",
      kind === "" || kind === "w",
      kind === "x",
      kind === "w",
    );
    return true;
  }

  /** `m/…/`, `s/…/…/`, `tr/…/…/`: data, but for the replacement with the flag `e`. */
  #perlPattern(): boolean {
    if (this.#afterValue() && !/[~(]\s*$/.test(this.#text.slice(Math.max(0, this.#at - 3), this.#at))) {
      return false;
    }
    const match = /^(s|m|y|tr|qr)([^\w\s,;=)>])/.exec(this.#text.slice(this.#at, this.#at + 4));
    if (match === null) return false;
    const start = this.#at;
    this.#at += match[0].length;
    const open = match[2]!;
    const close = closing[open] ?? open;
    const part = () => {
      const from = this.#at;
      let depth = 0;
      for (; this.#at < this.#text.length; this.#at++) {
        const char = this.#text[this.#at];
        if (char === "\\") this.#at++;
        else if (char === open && open !== close) depth++;
        else if (char === close && depth-- === 0) break;
      }
      return this.#text.slice(from, this.#at++);
    };
    part();
    let replacement = "";
    if (/^(?:s|y|tr)$/.test(match[1]!)) {
      if (open !== close) {
        while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
        this.#at++;
      }
      replacement = part();
    }
    const flags = /^[a-z]*/.exec(this.#text.slice(this.#at, this.#at + 12))![0];
    this.#at += flags.length;
    this.#push({ kind: "number" }, start);
    if (match[1] === "s" && flags.includes("e") && this.#depth < maxDepth) {
      for (const token of new Tokenizer(replacement, "perl", this.#depth + 1).run()) this.#tokens.push(token);
    }
    return true;
  }

  /** `%x(…)`, `%q[…]`, `%w[a b]`. */
  #rubyQuote(): boolean {
    const match = /^%([qQxwWi]?)([^\w\s])/.exec(this.#text.slice(this.#at, this.#at + 3));
    if (match === null || match[2] === "=") return false;
    const start = this.#at;
    this.#at += match[0].length;
    const open = match[2]!;
    const kind = match[1]!;
    const raw = kind === "q" || kind === "w" || kind === "i";
    this.#delimited(
      start,
      closing[open] ?? open,
      open,
      raw ? "none" : "ruby",
      raw,
      kind === "x",
      /[wWi]/.test(kind),
    );
    return true;
  }

  /** A regular expression is skipped: it is data. */
  #pattern(): boolean {
    const start = this.#at;
    const end = this.#lineEnd();
    let inClass = false;
    for (let at = start + 1; at < end; at++) {
      const char = this.#text[at];
      if (char === "\\") at++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) {
        this.#at = at + 1;
        while (/[a-z]/.test(this.#text[this.#at] ?? "")) this.#at++;
        this.#push({ kind: "number" }, start);
        return true;
      }
    }
    return false;
  }

  /** Reads up to the closing delimiter; `open` nests when it differs from it. */
  #delimited(
    start: number,
    close: string,
    open: string,
    interpolation: "none" | "python" | "javascript" | "ruby" | "perl" | "php",
    raw: boolean,
    command: boolean,
    words = false,
  ): void {
    const text = this.#text;
    const parts: StringPart[] = [];
    // A quote that is not closed on its line was none; what follows is read as code.
    const oneLine = (close === "'" || close === '"') &&
      !/^(?:ruby|perl|php|applescript)$/.test(this.#language);
    let current = "";
    let nesting = 0;
    const code = (value: string) => {
      if (current !== "") parts.push(current);
      current = "";
      parts.push({ code: value });
    };
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (char === "\\") {
        if (raw && this.#language !== "python") {
          const next = text[this.#at + 1];
          if (next === close || next === "\\") current += next;
          else current += "\\" + (next ?? "");
          this.#at += 2;
        } else if (raw) {
          current += char + (text[this.#at + 1] ?? "");
          this.#at += 2;
        } else current += this.#escape();
        continue;
      }
      if (oneLine && char === "\n") break;
      if (nesting === 0 && text.startsWith(close, this.#at)) {
        this.#at += close.length;
        break;
      }
      if (open !== close && open !== "" && open.length === 1) {
        if (char === open) nesting++;
        else if (char === close) nesting--;
      }
      const inner = interpolation === "none" ? undefined : this.#inner(char, interpolation);
      if (inner !== undefined) code(inner);
      else {
        if (interpolation === "python" && (char === "{" || char === "}") && text[this.#at + 1] === char) {
          this.#at++;
        }
        current += char;
        this.#at++;
      }
    }
    if (current !== "" || parts.length === 0) parts.push(current);
    this.#push({ kind: "string", parts, command, list: words }, start);
  }

  /** Code inside a string literal, at the current place; moves behind it. */
  #inner(char: string, interpolation: "python" | "javascript" | "ruby" | "perl" | "php"): string | undefined {
    const text = this.#text;
    const next = text[this.#at + 1] ?? "";
    switch (interpolation) {
      case "python":
        if (char !== "{" || next === "{") return undefined;
        return this.#braced(this.#at + 1);
      case "javascript":
        return char === "$" && next === "{" ? this.#braced(this.#at + 2) : undefined;
      case "ruby":
        return char === "#" && next === "{" ? this.#braced(this.#at + 2) : undefined;
      case "php":
        if (char === "{" && next === "$") return this.#braced(this.#at + 1);
        break;
      case "perl":
        break;
    }
    if (char !== "$" && !(char === "@" && interpolation === "perl")) return undefined;
    const name = /^[$@]\{?\w+\}?(?:(?:->)?[\[{]['"]?\w+['"]?[\]}])?/.exec(text.slice(this.#at, this.#at + 80))
      ?.[0];
    if (name === undefined) return undefined;
    this.#at += name.length;
    return name.replace(/^\$\{(\w+)\}/, "$$$1");
  }

  #braced(from: number): string {
    let depth = 0;
    let at = from;
    for (; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === "{") depth++;
      else if (char === "}" && depth-- === 0) break;
      else if (char === "\n" && at - from > 2000) break;
    }
    this.#at = at + 1;
    return this.#text.slice(from, at);
  }

  #escape(): string {
    const text = this.#text;
    const next = text[this.#at + 1] ?? "";
    const hex =
      /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([0-7]{1,3}))/
        .exec(text.slice(this.#at, this.#at + 12));
    if (hex !== null) {
      this.#at += hex[0].length;
      const code = hex[5] === undefined
        ? parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4]!, 16)
        : parseInt(hex[5], 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    }
    this.#at += 2;
    if (next === "\n") return "";
    const simple: Readonly<Record<string, string>> = {
      n: "\n",
      t: "\t",
      r: "\r",
      e: "\x1b",
      a: "\x07",
      "0": "\0",
    };
    if (simple[next] !== undefined) return simple[next];
    return this.#language === "python" && /[A-Za-z.*()[\]{}+?^$|/ -]/.test(next) ? "\\" + next : next;
  }

  #other(char: string): void {
    const start = this.#at;
    const sigil = char === "$" || (char === "@" && (this.#language === "perl" || this.#language === "ruby"));
    if (sigil || /[A-Za-z_\u0080-\uffff]/.test(char)) {
      this.#at++;
      while (this.#at < this.#text.length && /[A-Za-z0-9_\u0080-\uffff$]/.test(this.#text[this.#at]!)) {
        this.#at++;
      }
      if (
        /^(?:ruby|elixir)$/.test(this.#language) && /[?!]/.test(this.#text[this.#at] ?? "") &&
        this.#text[this.#at + 1] !== "="
      ) this.#at++;
      this.#push({ kind: "name" }, start);
      return;
    }
    if (/[0-9]/.test(char)) {
      while (this.#at < this.#text.length && /[0-9A-Za-z_]/.test(this.#text[this.#at]!)) this.#at++;
      this.#push({ kind: "number" }, start);
      return;
    }
    const operator = operators.find((one) => this.#text.startsWith(one, this.#at)) ?? char;
    this.#at += operator.length;
    this.#push({ kind: "punctuation" }, start);
  }
}
