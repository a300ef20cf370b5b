/** Reads SQL: strings, dollar quotes, comments, identifiers, statements. Linear in the text, and never fails. */

/** How a client reads strings, names and comments. `any` is read by the rules of the standard. */
export type SqlDialect = "postgres" | "mysql" | "sqlite" | "tsql" | "any";

export interface SqlToken {
  /** `name` is a quoted identifier, `mark` one sign of punctuation. */
  readonly kind: "word" | "name" | "string" | "number" | "mark";
  /** Words in upper case; strings and names without quotes. */
  readonly text: string;
  /** Number of parentheses around it. */
  readonly depth: number;
}

/** Tokens up to a semicolon; never empty. */
export type SqlStatement = readonly SqlToken[];

/** A command of the client itself: `\! ls`, `.shell ls`, `source file`. */
export interface ClientCommand {
  /** Without the sign in front, lower case. */
  readonly name: string;
  readonly rest: string;
}

export interface SqlScript {
  readonly statements: readonly SqlStatement[];
  readonly commands: readonly ClientCommand[];
}

const wordStart = /[A-Za-z_\u0080-\uffff]/;
const wordPart = /[A-Za-z0-9_$#@\u0080-\uffff]/;
const digits = /[0-9.]/;

/** Reads a script as a client of the dialect would. */
export function readSql(text: string, dialect: SqlDialect): SqlScript {
  return new Reader(text, dialect).read();
}

class Reader {
  readonly #text: string;
  readonly #dialect: SqlDialect;
  readonly #statements: SqlToken[][] = [];
  readonly #commands: ClientCommand[] = [];
  #tokens: SqlToken[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string, dialect: SqlDialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  read(): SqlScript {
    let lineStart = true;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === "\n") {
        lineStart = true;
        this.#at++;
        continue;
      }
      if (/\s/.test(char)) {
        this.#at++;
        continue;
      }
      if (this.#skipComment() || this.#clientCommand(lineStart)) continue;
      lineStart = false;
      this.#token(char);
    }
    this.#end();
    return { statements: this.#statements, commands: this.#commands };
  }

  #end(): void {
    if (this.#tokens.length > 0) this.#statements.push(this.#tokens);
    this.#tokens = [];
    this.#depth = 0;
  }

  #push(kind: SqlToken["kind"], text: string): void {
    this.#tokens.push({ kind, text, depth: this.#depth });
  }

  #skipComment(): boolean {
    const text = this.#text;
    const at = this.#at;
    const next = text[at + 1];
    if (text[at] === "-" && next === "-") {
      // MySQL wants white space behind the dashes.
      if (this.#dialect === "mysql" && at + 2 < text.length && !/\s/.test(text[at + 2]!)) return false;
      this.#at = lineEnd(text, at);
      return true;
    }
    if (text[at] === "#" && this.#dialect === "mysql") {
      this.#at = lineEnd(text, at);
      return true;
    }
    if (text[at] === "*" && next === "/" && this.#dialect === "mysql") {
      this.#at = at + 2;
      return true;
    }
    if (text[at] !== "/" || next !== "*") return false;
    if (
      this.#dialect === "mysql" && /[!M]/.test(text[at + 2] ?? "") && text.slice(at + 2, at + 4).includes("!")
    ) {
      // What stands in it is run, from the version on that it names.
      let from = text.indexOf("!", at) + 1;
      while (/[0-9]/.test(text[from] ?? "")) from++;
      this.#at = from;
      return true;
    }
    const nests = this.#dialect === "postgres" || this.#dialect === "tsql";
    let open = 1;
    let end = at + 2;
    while (end < text.length && open > 0) {
      if (text[end] === "*" && text[end + 1] === "/") {
        open--;
        end += 2;
      } else if (nests && text[end] === "/" && text[end + 1] === "*") {
        open++;
        end += 2;
      } else end++;
    }
    this.#at = end;
    return true;
  }

  /** Lines that the client takes for itself. */
  #clientCommand(lineStart: boolean): boolean {
    const text = this.#text;
    const sign = text[this.#at];
    const backslash = sign === "\\" && (this.#dialect === "postgres" || this.#dialect === "mysql");
    const point = sign === "." && this.#dialect === "sqlite" && lineStart && this.#tokens.length === 0;
    const begins = lineStart && this.#tokens.length === 0;
    if (!backslash && !point) {
      const named = begins &&
        (this.#dialect === "mysql"
          ? /^(?:system|source|tee|pager)\s/i.exec(text.slice(this.#at, this.#at + 8))
          : this.#dialect === "tsql"
          ? /^(?::?!!|:r\s)/i.exec(text.slice(this.#at, this.#at + 8))
          : undefined);
      if (this.#dialect === "tsql" && begins && /^go\s*(?:\n|$)/i.test(text.slice(this.#at, this.#at + 12))) {
        this.#at += 2;
        this.#end();
        return true;
      }
      if (!named) return false;
      const end = lineEnd(text, this.#at);
      const name = named[0].trim();
      this.#commands.push({ name: name.toLowerCase(), rest: text.slice(this.#at + name.length, end).trim() });
      this.#at = end;
      return true;
    }
    const name = /^(?:!|[A-Za-z_]+\+?)/.exec(text.slice(this.#at + 1, this.#at + 40))?.[0] ?? "";
    const from = this.#at + 1 + name.length;
    if (this.#dialect === "mysql" && (name === "g" || name === "G")) {
      this.#at = from;
      this.#end();
      return true;
    }
    if (name === "") {
      this.#at++;
      return true;
    }
    const end = lineEnd(text, from);
    this.#commands.push({ name: name.toLowerCase(), rest: text.slice(from, end).trim() });
    if (/^g/.test(name)) this.#end();
    this.#at = end;
    return true;
  }

  #token(char: string): void {
    const text = this.#text;
    const dialect = this.#dialect;
    if (char === "'" || char === '"' || char === "`") {
      const escapes = dialect === "mysql" && char !== "`";
      this.#push(char === "'" ? "string" : "name", this.#quoted(char, escapes));
    } else if (char === "[" && (dialect === "tsql" || dialect === "sqlite")) {
      this.#push("name", this.#quoted("]", false));
    } else if (char === "$" && (dialect === "postgres" || dialect === "any") && this.#dollarQuoted()) {
      return;
    } else if (/[eE]/.test(char) && text[this.#at + 1] === "'" && dialect !== "mysql") {
      this.#at++;
      this.#push("string", this.#quoted("'", dialect === "postgres" || dialect === "any"));
    } else if (wordStart.test(char)) {
      const start = this.#at;
      while (this.#at < text.length && wordPart.test(text[this.#at]!)) this.#at++;
      this.#push("word", text.slice(start, this.#at).toUpperCase());
    } else if (/[0-9]/.test(char)) {
      const start = this.#at;
      while (this.#at < text.length && digits.test(text[this.#at]!)) this.#at++;
      this.#push("number", text.slice(start, this.#at));
    } else {
      this.#at++;
      if (char === ";") {
        this.#end();
        return;
      }
      if (char === "(") {
        this.#push("mark", char);
        this.#depth++;
        return;
      }
      if (char === ")") this.#depth = Math.max(0, this.#depth - 1);
      this.#push("mark", char);
    }
  }

  /** Text of a quoted piece; leaves the position behind it. A doubled quote is the quote itself. */
  #quoted(close: string, escapes: boolean): string {
    const text = this.#text;
    let found = "";
    let start = ++this.#at;
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (escapes && char === "\\") {
        found += text.slice(start, this.#at) + (text[this.#at + 1] ?? "");
        this.#at += 2;
        start = this.#at;
      } else if (char !== close) {
        this.#at++;
      } else if (text[this.#at + 1] === close) {
        found += text.slice(start, this.#at + 1);
        this.#at += 2;
        start = this.#at;
      } else break;
    }
    found += text.slice(start, this.#at);
    this.#at++;
    return found;
  }

  #dollarQuoted(): boolean {
    const text = this.#text;
    const tag = /^\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/.exec(
      text.slice(this.#at, this.#at + 70),
    )?.[0];
    if (tag === undefined) return false;
    const from = this.#at + tag.length;
    const close = text.indexOf(tag, from);
    const end = close < 0 ? text.length : close;
    this.#push("string", text.slice(from, end));
    this.#at = Math.min(text.length, end + tag.length);
    return true;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** True for an unquoted word that is one of these (upper case). */
export function isWord(token: SqlToken | undefined, ...texts: readonly string[]): boolean {
  return token?.kind === "word" && texts.includes(token.text);
}

/** True for this sign of punctuation. */
export function isMark(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}
