/** Words of PowerShell: bare text, strings, variables and sub-expressions, read in one pass. */

import type { Span } from "../model.ts";
import type { Evaluation } from "../evaluate.ts";
import { type Frame, TooComplex } from "../frame.ts";
import { type Atom, joinAtoms, makeWord, plain, textWord, unknown } from "../pieces.ts";
import type { Scope } from "../scope.ts";
import type { Argument } from "./commands.ts";
import { lookup, type Place } from "./place.ts";
import { hidden, isQuote, isSingle, type Items, patterns } from "./values.ts";

const maxNesting = 60;

/** Reads words from a text. Sub-expressions are run by another reader, which knows statements. */
export abstract class WordReader implements Place {
  readonly evaluation: Evaluation;
  readonly scope: Scope;
  readonly frame: Frame;
  readonly blocks: Map<string, string>;
  protected readonly text: string;
  protected readonly nesting: number;
  protected at = 0;

  constructor(
    evaluation: Evaluation,
    text: string,
    scope: Scope,
    frame: Frame,
    nesting = 0,
    blocks = new Map<string, string>(),
  ) {
    if (nesting > maxNesting) throw new TooComplex();
    this.evaluation = evaluation;
    this.text = text;
    this.scope = scope;
    this.frame = frame;
    this.nesting = nesting;
    this.blocks = blocks;
  }

  /** A reader of text inside this one. */
  protected abstract another(text: string, frame: Frame): WordReader;

  /** Runs statements up to a closing character, which is passed, or to the end. Returns what the last one gives. */
  abstract statements(close: string): Items | undefined;

  inside(text: string, frame: Partial<Frame> = {}): Items | undefined {
    this.evaluation.step(1 + (text.length >> 4));
    const span = this.frame.source.span ?? this.here();
    return this.another(text, { ...this.frame, source: { text, span }, ...frame }).statements("");
  }

  here(): Span {
    return this.span(this.at, this.at);
  }

  protected span(start: number, end: number): Span {
    const most = this.text.length;
    return this.frame.source.span ?? { start: Math.min(start, most), end: Math.min(end, most) };
  }

  protected blank(lines: boolean): void {
    const text = this.text;
    while (this.at < text.length) {
      const char = text[this.at]!;
      if (char === "`" && /[\r\n]/.test(text[this.at + 1] ?? "")) {
        this.at += text[this.at + 1] === "\r" && text[this.at + 2] === "\n" ? 3 : 2;
      } else if (char === "#" && text[this.at - 1] !== "<") this.#skipTo("\n");
      else if (char === "<" && text[this.at + 1] === "#") {
        this.#skipTo("#>");
        this.at += 2;
      } else if (char === "\n" || char === "\r") {
        if (!lines) return;
        this.at++;
      } else if (/\s/.test(char)) this.at++;
      else return;
    }
  }

  #skipTo(mark: string): void {
    const end = this.text.indexOf(mark, this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  /** One argument; lists with commas are one. */
  protected argument(): Argument | undefined {
    const start = this.at;
    if (this.text[start] === "{") {
      const block = this.enclosed("{", "}");
      const span = this.span(start, this.at);
      return { word: textWord(`{${block}}`, span), block };
    }
    const atoms: Atom[] = [...this.#piece()];
    while (true) {
      const rest = /^[ \t]*,[ \t\r\n]*/.exec(this.text.slice(this.at, this.at + 80))?.[0];
      if (rest === undefined) break;
      this.at += rest.length;
      const before = this.at;
      atoms.push(plain(","), ...this.#piece());
      if (this.at === before) break;
    }
    if (this.at === start) return undefined;
    this.evaluation.weigh(atoms);
    return { word: makeWord(atoms, this.span(start, this.at)) };
  }

  /** A bare word with the strings, variables and sub-expressions in it. */
  #piece(): readonly Atom[] {
    const atoms: Atom[] = [];
    let bare = "";
    const start = this.at;
    const flush = () => {
      if (bare !== "") atoms.push(...this.#bare(bare, atoms.length === 0));
      bare = "";
    };
    while (this.at < this.text.length) {
      const char = this.text[this.at]!;
      if (/[\s;|,)}&]/.test(char)) break;
      if (char === "{" || (char === ">" && this.at > start)) break;
      this.evaluation.step();
      if (char === "`") {
        flush();
        atoms.push(plain(this.text[this.at + 1] ?? ""));
        this.at += 2;
      } else if (isQuote(char)) {
        flush();
        const value = this.string();
        atoms.push(...value.length === 0 ? [plain("")] : value);
      } else if (char === "$") {
        flush();
        atoms.push(...this.variable());
      } else if (char === "(" || (char === "@" && /[({]/.test(this.text[this.at + 1] ?? ""))) {
        flush();
        atoms.push(...this.group());
      } else if (char === "@" && isQuote(this.text[this.at + 1] ?? "")) {
        flush();
        atoms.push(...this.hereString());
      } else {
        bare += char;
        this.at++;
      }
    }
    flush();
    return atoms;
  }

  #bare(text: string, first: boolean): readonly Atom[] {
    const atoms: Atom[] = [];
    let rest = text;
    if (first && /^~(?:[\\/]|$)/.test(rest)) {
      atoms.push(plain(this.evaluation.options.home));
      rest = rest.slice(1);
    }
    return [...atoms, ...patterns(this.evaluation.unmark(rest))];
  }

  /** A quoted string. */
  protected string(): readonly Atom[] {
    const text = this.text;
    const single = isSingle(text[this.at]!);
    this.at++;
    const atoms: Atom[] = [];
    let current = "";
    const flush = () => {
      if (current !== "") atoms.push(...this.evaluation.unmark(current));
      current = "";
    };
    while (this.at < text.length) {
      const char = text[this.at]!;
      if (isQuote(char) && isSingle(char) === single) {
        if (isQuote(text[this.at + 1] ?? "") && isSingle(text[this.at + 1]!) === single) {
          current += char;
          this.at += 2;
          continue;
        }
        this.at++;
        break;
      }
      if (!single && char === "`") {
        const escape = text[this.at + 1] ?? "";
        current += ({ n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b" } as Record<string, string>)[escape] ??
          escape;
        this.at += 2;
      } else if (!single && char === "$" && /[\w{(:?^$]/.test(text[this.at + 1] ?? "")) {
        flush();
        atoms.push(...this.variable(true));
      } else {
        current += char;
        this.at++;
      }
    }
    flush();
    return patterns(atoms);
  }

  /** `@'` … `'@` */
  protected hereString(): readonly Atom[] {
    const quote = this.text[this.at + 1]!;
    const from = this.text.indexOf("\n", this.at);
    const end = from < 0 ? -1 : this.text.indexOf(`\n${quote}@`, from);
    const body = from < 0 ? "" : this.text.slice(from + 1, end < 0 ? undefined : Math.max(from + 1, end));
    this.at = end < 0 ? this.text.length : end + 3;
    if (quote === "'" || this.nesting > 20) return this.evaluation.unmark(body);
    const inner = this.another(`"${body.replaceAll('"', '""')}"`, this.frame);
    return inner.string();
  }

  /** A variable or a sub-expression, at `$`. */
  protected variable(inString = false): readonly Atom[] {
    const text = this.text;
    if (text[this.at + 1] === "(") {
      this.at++;
      const items = this.inside(this.enclosed("(", ")"));
      return items === undefined || items.length === 0 ? [hidden("$(…)")] : joinAtoms(items);
    }
    const match =
      /^\$(?:\{([^}\n]{1,100})\}|((?:env|global|script|local|private|using|variable|function):\w+|\w+|[?^$]))/i
        .exec(text.slice(this.at, this.at + 120));
    if (match === null) {
      this.at++;
      return [plain("$")];
    }
    this.at += match[0].length;
    let atoms = lookup(this, match[1] ?? match[2]!, match[0]);
    // Members and elements of it are not followed.
    const member = inString
      ? null
      : /^(?:\.\w+(?:\([^()\n]{0,200}\))?|\[[^\]\n]{0,80}\])+/.exec(text.slice(this.at, this.at + 400));
    if (member !== null && !/^\.(?:exe|ps1|txt|md|json|log|bak)\b/i.test(member[0])) {
      this.at += member[0].length;
      atoms = [hidden(match[0] + member[0])];
    }
    return atoms;
  }

  /** `( … )`, `@( … )`, `@{ … }` */
  protected group(): readonly Atom[] {
    if (this.text[this.at] === "@") {
      this.at++;
      if (this.text[this.at] === "{") {
        this.inside(this.enclosed("{", "}"));
        return [hidden("@{…}")];
      }
    }
    const before = this.evaluation.invocations.length;
    const items = this.inside(this.enclosed("(", ")"));
    if (items === undefined || items.length === 0) {
      return [unknown("(…)", "command", { invocations: this.evaluation.invocations.slice(before) })];
    }
    return joinAtoms(items, ",");
  }

  /** Text between brackets; strings and comments in it do not count. Moves behind it. */
  protected enclosed(open: string, close: string): string {
    const text = this.text;
    const start = this.at + 1;
    let depth = 0;
    let at = this.at;
    for (; at < text.length; at++) {
      const char = text[at]!;
      if (char === "`") at++;
      else if (
        char === "@" && isQuote(text[at + 1] ?? "") && /^[ \t\r]*\n/.test(text.slice(at + 2, at + 40))
      ) {
        const end = text.indexOf(`\n${text[at + 1]}@`, at);
        at = end < 0 ? text.length : end + 2;
      } else if (isQuote(char)) {
        const single = isSingle(char);
        for (at++; at < text.length && !(isQuote(text[at]!) && isSingle(text[at]!) === single); at++) {
          if (!single && text[at] === "`") at++;
        }
      } else if (char === "#" && /[\s;{(]/.test(text[at - 1] ?? " ")) {
        const end = text.indexOf("\n", at);
        at = end < 0 ? text.length : end;
      } else if (char === open) depth++;
      else if (char === close && --depth === 0) break;
    }
    this.evaluation.step(1 + ((at - this.at) >> 4));
    this.at = Math.min(text.length, at + 1);
    return text.slice(start, Math.min(at, text.length));
  }
}
