/** PowerShell: statements, pipelines and words, read in one pass, and the programs they start. */

import type { Redirection, Span, Word } from "./model.ts";
import { type Call, type Evaluation, type Frame, type Output, programName, TooComplex } from "./evaluate.ts";
import { type Atom, joinAtoms, makeWord, plain, staticText, textWord, unknown } from "./pieces.ts";
import { nested, noteUnknownCode } from "./programs.ts";
import { changeDirectory, forkScope, joinDirectories, type Scope } from "./scope.ts";
import { aliases, encodedCommand, methods, programNames } from "./cmdlets.ts";

/** Items of a pipeline; what is not known is one unknown item. */
type Items = readonly (readonly Atom[])[];

interface Argument {
  readonly word: Word;
  /** Text of a script block. */
  readonly block?: string;
}

const keywords: ReadonlySet<string> = new Set(
  "if elseif else while until do for switch try catch finally return throw trap begin process end param data default"
    .split(" "),
);
const maxNesting = 60;

/** Runs text as PowerShell. Returns what it prints when that is known. */
export function runPowerShell(
  evaluation: Evaluation,
  code: readonly Atom[],
  span: Span | undefined,
  scope: Scope,
  frame: Frame,
): Output {
  const text = evaluation.codeText(code);
  evaluation.step(1 + (text.length >> 3));
  const source = span === undefined ? {} : { span };
  const reader = new Reader(evaluation, text, scope, { ...frame, dialect: "powershell", source: { text, ...source } }, 0);
  const items = reader.statements("");
  return items === undefined ? undefined : joinLines(items);
}

/** `powershell` and `pwsh` with the code or file that they are given. */
export function runPowerShellProgram(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { args } = call;
  const scope = forkScope(call.scope);
  const run = (code: readonly Atom[], span: Span, label: string, provenance: Frame["provenance"] = "nested-script") => {
    if (call.frame.depth >= 16) {
      evaluation.doubt("too-deep", "scripts are nested too deeply to be followed", span);
      return undefined;
    }
    noteUnknownCode(evaluation, call, code);
    return runPowerShell(evaluation, code, span, scope, nested(call, provenance, `${call.program}${label}`, { stdin: undefined, moreArguments: false }));
  };
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const text = word.text.toLowerCase();
    const rest = args.slice(index + 1);
    const is = (name: string, least: number) =>
      /^[-/–—]/.test(text) && text.length > least && name.startsWith(text.slice(1));
    if (is("command", 1) || text === "-c" || is("commandwithargs", 12)) {
      if (rest.length === 0 || rest[0]!.text === "-") return fromInput(call, run);
      return run(joinAtoms(rest.map((one) => one.pieces)), rest[0]!.span, " -Command");
    }
    if (encodedCommand.test(text)) {
      const decoded = rest[0]?.isStatic ? decodeUtf16(rest[0].text) : undefined;
      if (rest[0] === undefined) return undefined;
      if (decoded === undefined) {
        evaluation.doubt("encoded-code", `${call.program} runs encoded text that cannot be decoded`, rest[0].span);
        return undefined;
      }
      return run([plain(decoded)], rest[0].span, " -EncodedCommand");
    }
    if (is("file", 1)) return runFile(evaluation, call, rest, run);
    if (is("workingdirectory", 1) && !is("windowstyle", 2) || text === "-wd") {
      if (rest[0]?.isStatic) scope.directory = changeDirectory(scope.directory, rest[0].text, evaluation.options.windows === true);
      index++;
    } else if (
      is("executionpolicy", 2) || text === "-ep" || text === "-ex" || is("windowstyle", 1) || is("version", 1) ||
      is("inputformat", 2) || is("outputformat", 1) || is("configurationname", 7) || is("configurationfile", 14) ||
      is("psconsolefile", 1) || is("settingsfile", 2) || is("custompipename", 2)
    ) index++;
    else if (!/^[-/–—]./.test(text)) {
      return /^pwsh/.test(call.program)
        ? runFile(evaluation, call, args.slice(index), run)
        : run(joinAtoms(args.slice(index).map((one) => one.pieces)), word.span, "");
    }
  }
  return fromInput(call, run);
}

type Run = (code: readonly Atom[], span: Span, label: string, provenance?: Frame["provenance"]) => Output;

function fromInput(call: Call, run: Run): Output {
  const input = call.frame.stdin?.atoms;
  return input === undefined || input.length === 0 ? undefined : run(input, call.span, "", "pipe");
}

function runFile(evaluation: Evaluation, call: Call, rest: readonly Word[], run: Run): Output {
  const file = rest[0];
  if (file === undefined) return undefined;
  const content = evaluation.fileContent(file, call.scope);
  return content === undefined ? undefined : run(content, file.span, "", "script-file");
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

function joinLines(items: Items): readonly Atom[] {
  return items.flatMap((item) => [...item, plain("\n")]);
}

function hidden(source: string, name?: string): Atom {
  return unknown(source, name === undefined ? "command" : "variable", name === undefined ? {} : { name });
}

class Reader {
  readonly #evaluation: Evaluation;
  readonly #text: string;
  readonly #scope: Scope;
  readonly #frame: Frame;
  readonly #nesting: number;
  readonly #blocks: Map<string, string>;
  #at = 0;

  constructor(evaluation: Evaluation, text: string, scope: Scope, frame: Frame, nesting: number, blocks = new Map<string, string>()) {
    if (nesting > maxNesting) throw new TooComplex();
    this.#evaluation = evaluation;
    this.#text = text;
    this.#scope = scope;
    this.#frame = frame;
    this.#nesting = nesting;
    this.#blocks = blocks;
  }

  #span(start: number, end: number): Span {
    const most = this.#text.length;
    return this.#frame.source.span ?? { start: Math.min(start, most), end: Math.min(end, most) };
  }

  /** Runs text inside: a block, a sub-expression. */
  #inside(text: string, frame: Partial<Frame> = {}): Items | undefined {
    this.#evaluation.step(1 + (text.length >> 4));
    const span = this.#frame.source.span ?? this.#span(this.#at, this.#at);
    const inner = new Reader(
      this.#evaluation,
      text,
      this.#scope,
      { ...this.#frame, source: { text, span }, ...frame },
      this.#nesting + 1,
      this.#blocks,
    );
    return inner.statements("");
  }

  #blank(lines: boolean): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (char === "`" && /[\r\n]/.test(text[this.#at + 1] ?? "")) {
        this.#at += text[this.#at + 1] === "\r" && text[this.#at + 2] === "\n" ? 3 : 2;
      } else if (char === "#" && text[this.#at - 1] !== "<") this.#skipTo("\n");
      else if (char === "<" && text[this.#at + 1] === "#") {
        this.#skipTo("#>");
        this.#at += 2;
      } else if (char === "\n" || char === "\r") {
        if (!lines) return;
        this.#at++;
      } else if (/\s/.test(char)) this.#at++;
      else return;
    }
  }

  #skipTo(mark: string): void {
    const end = this.#text.indexOf(mark, this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Statements up to a closing character, which is passed, or to the end. Returns what the last one gives. */
  statements(close: string): Items | undefined {
    let items: Items | undefined = [];
    while (true) {
      this.#blank(true);
      this.#evaluation.step();
      const char = this.#text[this.#at];
      if (char === undefined) return items;
      if (close !== "" && char === close) {
        this.#at++;
        return items;
      }
      const before = this.#at;
      if (/[;)}\]|,]/.test(char) || (char === "&" && !/[\s'"{($]/.test(this.#text[this.#at + 1] ?? ""))) this.#at++;
      else items = this.#statement();
      this.#settle();
      if (this.#at === before) this.#at++;
    }
  }

  #settle(): void {
    const { failed } = this.#scope;
    if (failed === undefined) return;
    this.#scope.directory = joinDirectories(this.#scope.directory, failed);
    this.#scope.failed = undefined;
  }

  #statement(): Items | undefined {
    const word = /^[A-Za-z]+/.exec(this.#text.slice(this.#at, this.#at + 12))?.[0].toLowerCase() ?? "";
    const behind = this.#text[this.#at + word.length] ?? "";
    if (keywords.has(word) && /[\s({;]|^$/.test(behind)) {
      this.#at += word.length;
      return [];
    }
    if ((word === "function" || word === "filter") && /\s/.test(behind)) {
      this.#at += word.length;
      this.#blank(true);
      const name = /^[\w:-]+/.exec(this.#text.slice(this.#at, this.#at + 80))?.[0] ?? "";
      this.#at += name.length;
      this.#blank(true);
      if (this.#text[this.#at] === "(") this.#enclosed("(", ")");
      this.#blank(true);
      if (this.#text[this.#at] === "{") this.#blocks.set(name.toLowerCase(), this.#enclosed("{", "}"));
      return [];
    }
    if (word === "foreach" && /[\s(]/.test(behind)) {
      const start = this.#at;
      this.#at += word.length;
      this.#blank(false);
      if (this.#text[this.#at] === "(") return this.#foreach(this.#enclosed("(", ")"));
      this.#at = start;
    }
    const char = this.#text[this.#at]!;
    if (char === "{") {
      this.#inside(this.#enclosed("{", "}"));
      return undefined;
    }
    const assigned = /^(?:\[[\w.\[\]]{1,60}\]\s*)?\$(?:\{[^}\n]{1,80}\}|[\w:]+)\s*(?:\+|-|\?\?)?=(?!=)/.exec(this.#text.slice(this.#at, this.#at + 200));
    if (assigned !== null) {
      this.#at += assigned[0].length;
      this.#blank(true);
      const name = /\$\{?([\w:]+)/.exec(assigned[0])?.[1]?.toLowerCase() ?? "";
      const value = this.#chain();
      const added = assigned[0].endsWith("+=");
      const old = added ? this.#scope.variables.get(`ps:${name}`)?.values[0] ?? [hidden(`$${name}`, name)] : [];
      this.#assign(name, value === undefined ? undefined : added ? [[...old, ...value[0] ?? []]] : value);
      return [];
    }
    return this.#chain();
  }

  #assign(name: string, value: Items | undefined): void {
    const items = value ?? [[hidden(`$${name}`)]];
    const elements = items.map((item) => this.#evaluation.weigh(item));
    this.#scope.variables.set(`ps:${name}`, { values: [elements[0] ?? []], elements });
  }

  #foreach(head: string): Items | undefined {
    this.#blank(true);
    const body = this.#text[this.#at] === "{" ? this.#enclosed("{", "}") : "";
    const match = /^\s*\$(\w+)\s+in\s+/i.exec(head.slice(0, 100));
    if (match === null) {
      this.#inside(head);
      this.#inside(body);
      return undefined;
    }
    const values = this.#inside(head.slice(match[0].length));
    const name = match[1]!.toLowerCase();
    for (const value of values === undefined || values.length > 64 ? [[hidden(`$${name}`, name)]] : values) {
      this.#assign(name, [value]);
      this.#inside(body);
    }
    return undefined;
  }

  /** Pipelines joined by `&&` and `||`. */
  #chain(): Items | undefined {
    let items = this.#pipeline();
    while (true) {
      this.#blank(false);
      const two = this.#text.slice(this.#at, this.#at + 2);
      if (two !== "&&" && two !== "||") return items;
      const scope = this.#scope;
      const failed = scope.failed;
      scope.failed = undefined;
      this.#at += 2;
      this.#blank(true);
      if (two === "||") {
        const success = scope.directory;
        if (failed !== undefined) scope.directory = failed;
        items = this.#pipeline();
        scope.directory = joinDirectories(success, scope.directory);
      } else {
        items = this.#pipeline();
        if (failed !== undefined && scope.failed === undefined) scope.failed = failed;
      }
    }
  }

  #pipeline(): Items | undefined {
    const id = this.#evaluation.newPipeline();
    let items: Items | undefined;
    const first = this.#evaluation.invocations.length;
    for (let index = 0; index < 1000; index++) {
      this.#blank(index > 0);
      items = this.#command(index, { id, index, length: index + 1 }, index === 0 ? undefined : items ?? "unknown");
      this.#blank(false);
      const more = this.#text[this.#at] === "|" && this.#text[this.#at + 1] !== "|";
      if (!more) {
        if (index > 0) this.#complete(id, first, index + 1);
        return items;
      }
      this.#at++;
    }
    return undefined;
  }

  /** How long a pipeline is is known once it is read. */
  #complete(id: number, from: number, length: number): void {
    const { invocations } = this.#evaluation;
    this.#evaluation.step(invocations.length - from);
    for (let at = from; at < invocations.length; at++) {
      const one = invocations[at]!;
      if (one.pipeline.id === id) invocations[at] = { ...one, pipeline: { ...one.pipeline, length } };
    }
  }

  #command(index: number, pipeline: NonNullable<Frame["pipeline"]>, input: Items | "unknown" | undefined): Items | undefined {
    const start = this.#at;
    const char = this.#text[this.#at] ?? "";
    const next = this.#text[this.#at + 1] ?? "";
    let called = false;
    if ((char === "&" || char === ".") && /[\s'"{($]/.test(next)) {
      this.#at++;
      this.#blank(false);
      called = true;
    }
    if (!called && /^['"$@(\[0-9]/.test(char) && index === 0) return this.#expression();
    const list: Argument[] = [];
    const redirections: Redirection[] = [];
    while (this.#at < this.#text.length) {
      this.#blank(false);
      const at = this.#text[this.#at];
      if (at === undefined || /[\r\n;|)}]/.test(at)) break;
      if (at === "&") {
        if (this.#text[this.#at + 1] !== "&") this.#at++;
        break;
      }
      const redirection = /^(?:[*0-9]?)>{1,2}(?:&[0-9])?/.exec(this.#text.slice(this.#at, this.#at + 5))?.[0];
      if (redirection !== undefined) {
        const from = this.#at;
        this.#at += redirection.length;
        if (!redirection.includes("&")) {
          this.#blank(false);
          redirections.push({
            operator: redirection.includes(">>") ? ">>" : ">",
            ...(/^[0-9]/.test(redirection) ? { descriptor: Number(redirection[0]) } : {}),
            target: this.#argument()?.word ?? textWord("", this.#span(from, from)),
            span: this.#span(from, this.#at),
          });
        }
        continue;
      }
      const before = this.#at;
      const argument = this.#argument();
      if (argument !== undefined) list.push(argument);
      if (this.#at === before) this.#at++;
    }
    const span = this.#span(start, this.#at);
    const frame: Frame = { ...this.#frame, pipeline, stdin: Array.isArray(input) ? { atoms: joinLines(input as Items) } : undefined };
    return this.#run(list, redirections, span, frame, input);
  }

  /** One argument; lists with commas are one. */
  #argument(): Argument | undefined {
    const start = this.#at;
    if (this.#text[start] === "{") {
      const block = this.#enclosed("{", "}");
      const span = this.#span(start, this.#at);
      return { word: textWord(`{${block}}`, span), block };
    }
    const atoms: Atom[] = [...this.#piece()];
    while (true) {
      const rest = /^[ \t]*,[ \t\r\n]*/.exec(this.#text.slice(this.#at, this.#at + 80))?.[0];
      if (rest === undefined) break;
      this.#at += rest.length;
      const before = this.#at;
      atoms.push(plain(","), ...this.#piece());
      if (this.#at === before) break;
    }
    if (this.#at === start) return undefined;
    this.#evaluation.weigh(atoms);
    return { word: makeWord(atoms, this.#span(start, this.#at)) };
  }

  /** A bare word with the strings, variables and sub-expressions in it. */
  #piece(): readonly Atom[] {
    const atoms: Atom[] = [];
    let bare = "";
    const start = this.#at;
    const flush = () => {
      if (bare !== "") atoms.push(...this.#bare(bare, atoms.length === 0));
      bare = "";
    };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (/[\s;|,)}&]/.test(char)) break;
      if (char === "{" || (char === ">" && this.#at > start)) break;
      this.#evaluation.step();
      if (char === "`") {
        flush();
        atoms.push(plain(this.#text[this.#at + 1] ?? ""));
        this.#at += 2;
      } else if (isQuote(char)) {
        flush();
        const value = this.#string();
        atoms.push(...value.length === 0 ? [plain("")] : value);
      } else if (char === "$") {
        flush();
        atoms.push(...this.#variable());
      } else if (char === "(" || (char === "@" && /[({]/.test(this.#text[this.#at + 1] ?? ""))) {
        flush();
        atoms.push(...this.#group());
      } else if (char === "@" && isQuote(this.#text[this.#at + 1] ?? "")) {
        flush();
        atoms.push(...this.#hereString());
      } else {
        bare += char;
        this.#at++;
      }
    }
    flush();
    return atoms;
  }

  #bare(text: string, first: boolean): readonly Atom[] {
    const atoms: Atom[] = [];
    let rest = text;
    if (first && /^~(?:[\\/]|$)/.test(rest)) {
      atoms.push(plain(this.#evaluation.options.home));
      rest = rest.slice(1);
    }
    return [...atoms, ...patterns(this.#evaluation.unmark(rest))];
  }

  /** A quoted string. */
  #string(): readonly Atom[] {
    const text = this.#text;
    const single = isSingle(text[this.#at]!);
    this.#at++;
    const atoms: Atom[] = [];
    let current = "";
    const flush = () => {
      if (current !== "") atoms.push(...this.#evaluation.unmark(current));
      current = "";
    };
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (isQuote(char) && isSingle(char) === single) {
        if (isQuote(text[this.#at + 1] ?? "") && isSingle(text[this.#at + 1]!) === single) {
          current += char;
          this.#at += 2;
          continue;
        }
        this.#at++;
        break;
      }
      if (!single && char === "`") {
        const escape = text[this.#at + 1] ?? "";
        current += ({ n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b" } as Record<string, string>)[escape] ?? escape;
        this.#at += 2;
      } else if (!single && char === "$" && /[\w{(:?^$]/.test(text[this.#at + 1] ?? "")) {
        flush();
        atoms.push(...this.#variable(true));
      } else {
        current += char;
        this.#at++;
      }
    }
    flush();
    return patterns(atoms);
  }

  /** `@'` … `'@` */
  #hereString(): readonly Atom[] {
    const quote = this.#text[this.#at + 1]!;
    const from = this.#text.indexOf("\n", this.#at);
    const end = from < 0 ? -1 : this.#text.indexOf(`\n${quote}@`, from);
    const body = from < 0 ? "" : this.#text.slice(from + 1, end < 0 ? undefined : Math.max(from + 1, end));
    this.#at = end < 0 ? this.#text.length : end + 3;
    if (quote === "'" || this.#nesting > 20) return this.#evaluation.unmark(body);
    const inner = new Reader(this.#evaluation, `"${body.replaceAll('"', '""')}"`, this.#scope, this.#frame, this.#nesting + 1, this.#blocks);
    return inner.#string();
  }

  /** A variable or a sub-expression, at `$`. */
  #variable(inString = false): readonly Atom[] {
    const text = this.#text;
    if (text[this.#at + 1] === "(") {
      this.#at++;
      const items = this.#inside(this.#enclosed("(", ")"));
      return items === undefined || items.length === 0 ? [hidden("$(…)")] : joinAtoms(items);
    }
    const match = /^\$(?:\{([^}\n]{1,100})\}|((?:env|global|script|local|private|using|variable|function):\w+|\w+|[?^$]))/i
      .exec(text.slice(this.#at, this.#at + 120));
    if (match === null) {
      this.#at++;
      return [plain("$")];
    }
    this.#at += match[0].length;
    let atoms = this.#lookup(match[1] ?? match[2]!, match[0]);
    // Members and elements of it are not followed.
    const member = inString ? null : /^(?:\.\w+(?:\([^()\n]{0,200}\))?|\[[^\]\n]{0,80}\])+/.exec(text.slice(this.#at, this.#at + 400));
    if (member !== null && !/^\.(?:exe|ps1|txt|md|json|log|bak)\b/i.test(member[0])) {
      this.#at += member[0].length;
      atoms = [hidden(match[0] + member[0])];
    }
    return atoms;
  }

  #lookup(name: string, source: string): readonly Atom[] {
    const { home, variables } = this.#evaluation.options;
    const lower = name.toLowerCase().replace(/^(?:global|script|local|private|using|variable):/, "");
    const known = this.#scope.variables.get(`ps:${lower}`);
    if (known !== undefined) {
      return known.elements !== undefined && known.elements.length > 1
        ? joinAtoms(known.elements, ",")
        : known.values[0] ?? [];
    }
    switch (lower) {
      case "home":
      case "env:userprofile":
      case "env:home":
        return [plain(home)];
      case "pwd": {
        const { directory } = this.#scope;
        return directory.certain && directory.path !== undefined ? [plain(directory.path)] : [hidden(source, name)];
      }
      case "true":
      case "false":
        return [plain(lower)];
      case "null":
        return [];
    }
    if (lower.startsWith("env:")) {
      const wanted = lower.slice(4);
      const found = Object.keys(variables ?? {}).find((key) => key.toLowerCase() === wanted);
      if (found !== undefined) return [plain(variables![found]!)];
      return [hidden(source, wanted.toUpperCase())];
    }
    return [hidden(source, name)];
  }

  /** `( … )`, `@( … )`, `@{ … }` */
  #group(): readonly Atom[] {
    if (this.#text[this.#at] === "@") {
      this.#at++;
      if (this.#text[this.#at] === "{") {
        this.#inside(this.#enclosed("{", "}"));
        return [hidden("@{…}")];
      }
    }
    const before = this.#evaluation.invocations.length;
    const items = this.#inside(this.#enclosed("(", ")"));
    if (items === undefined || items.length === 0) {
      return [unknown("(…)", "command", { invocations: this.#evaluation.invocations.slice(before) })];
    }
    return joinAtoms(items, ",");
  }

  /** Text between brackets; strings and comments in it do not count. Moves behind it. */
  #enclosed(open: string, close: string): string {
    const text = this.#text;
    const start = this.#at + 1;
    let depth = 0;
    let at = this.#at;
    for (; at < text.length; at++) {
      const char = text[at]!;
      if (char === "`") at++;
      else if (char === "@" && isQuote(text[at + 1] ?? "") && /^[ \t\r]*\n/.test(text.slice(at + 2, at + 40))) {
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
    this.#evaluation.step(1 + ((at - this.#at) >> 4));
    this.#at = Math.min(text.length, at + 1);
    return text.slice(start, Math.min(at, text.length));
  }

  // Expressions.

  /** Values joined by operators, up to the end of the command. */
  #expression(): Items | undefined {
    let items: (readonly Atom[])[] | undefined = [];
    let joined = false;
    let format: readonly Atom[] | undefined;
    while (this.#at < this.#text.length) {
      this.#blank(false);
      this.#evaluation.step();
      const rest = this.#text.slice(this.#at, this.#at + 12);
      if (rest === "" || /^[\r\n;|)}]/.test(rest)) break;
      if (rest.startsWith("&&")) break;
      const redirection = /^>{1,2}/.exec(rest)?.[0];
      if (redirection !== undefined) {
        this.#at += redirection.length;
        this.#blank(false);
        const target = this.#argument()?.word;
        if (target !== undefined) this.#emit(":", [], [{ operator: redirection as ">" | ">>", target, span: target.span }], target.span);
        continue;
      }
      if (rest[0] === ",") {
        this.#at++;
        joined = false;
        continue;
      }
      if (rest[0] === "+") {
        this.#at++;
        joined = true;
        continue;
      }
      const operator = /^-[a-z]{1,11}\b/i.exec(rest)?.[0].toLowerCase();
      if (operator !== undefined) {
        this.#at += operator.length;
        if (operator === "-f") format = items?.[0];
        else if (operator !== "-as") items = undefined;
        if (operator === "-f") items = [];
        joined = false;
        continue;
      }
      if (/^[=!<*/%?]/.test(rest)) {
        this.#at++;
        items = undefined;
        continue;
      }
      const before = this.#at;
      const value = this.#value();
      if (this.#at === before) this.#at++;
      if (value === undefined) items = undefined;
      else if (items !== undefined) {
        if (joined && items.length > 0) {
          items[items.length - 1] = this.#evaluation.weigh([...items[items.length - 1]!, ...value]);
        }
        else items.push(this.#evaluation.weigh(value));
      }
      joined = false;
    }
    if (format !== undefined) return items === undefined ? undefined : [fill(format, items)];
    return items;
  }

  /** One operand of an expression. */
  #value(): readonly Atom[] | undefined {
    const text = this.#text;
    const char = text[this.#at]!;
    const start = this.#at;
    if (char === "[") {
      const type = /^\[([\w.]{1,100})(?:\[\])?\]/.exec(text.slice(start, start + 120));
      if (type === null) {
        this.#enclosed("[", "]");
        return [hidden("[…]")];
      }
      this.#at += type[0].length;
      const method = /^::(\w+)/.exec(text.slice(this.#at, this.#at + 60))?.[1];
      // A cast leaves the value as it is.
      if (method === undefined) return this.#value();
      this.#at += method.length + 2;
      const name = `${type[1]!.toLowerCase().replace(/^system\./, "")}.${method.toLowerCase()}`;
      if (text[this.#at] !== "(") return this.#members([hidden(name)]);
      return this.#members(this.#method(name, this.#enclosed("(", ")")));
    }
    let atoms: readonly Atom[] | undefined;
    if (isQuote(char)) atoms = this.#string();
    else if (char === "@" && isQuote(text[start + 1] ?? "")) atoms = this.#hereString();
    else if (char === "$") atoms = this.#variable(true);
    else if (char === "(" || char === "@") atoms = this.#group();
    else if (char === "{") {
      this.#inside(this.#enclosed("{", "}"));
      atoms = [hidden("{…}")];
    } else {
      const bare = /^[^\s;|,(){}'"$@+]+/.exec(text.slice(start, start + 200))?.[0] ?? "";
      this.#at += bare.length;
      atoms = [plain(bare)];
    }
    return this.#members(atoms);
  }

  /** `.Method(…)`, `.Property`, `[0]` behind a value. */
  #members(value: readonly Atom[] | undefined): readonly Atom[] | undefined {
    let current = value;
    for (let round = 0; round < 200; round++) {
      const member = /^(?:\.|::)(\w+)/.exec(this.#text.slice(this.#at, this.#at + 60));
      if (member !== null) {
        this.#at += member[0].length;
        const name = member[1]!.toLowerCase();
        if (this.#text[this.#at] === "(") {
          const args = this.#enclosed("(", ")");
          const text = staticText(current);
          if (name === "replace" || name === "trim" || name === "tostring" || name === "tolower") {
            current = this.#textMethod(name, text, args);
          } else if (name === "invoke" && text !== undefined) {
            // `{…}.Invoke()` has been run; `[scriptblock]::Create(text).Invoke()` is run here.
            this.#nested([plain(text)]);
            current = undefined;
          } else if (name === "delete" && text !== undefined) {
            this.#emit("remove-item", [text, "-Recurse"], [], this.#span(this.#at, this.#at));
            current = undefined;
          } else current = this.#method(`*.${name}`, args);
        } else current = name === "fullname" || name === "path" ? current : [hidden(`.${member[1]}`)];
      } else if (this.#text[this.#at] === "[") {
        this.#enclosed("[", "]");
        current = [hidden("[…]")];
      } else return current;
    }
    return current;
  }

  #textMethod(name: string, text: string | undefined, args: string): readonly Atom[] | undefined {
    const given = this.#inside(args);
    if (text === undefined) return undefined;
    if (name === "trim") return [plain(text.trim())];
    if (name === "tolower") return [plain(text.toLowerCase())];
    if (name === "tostring") return [plain(text)];
    const [from, to] = [staticText(given?.[0]), staticText(given?.[1])];
    if (from === undefined || to === undefined || from === "" || text.length * (to.length + 1) > 1 << 18) return undefined;
    return [plain(text.replaceAll(from, () => to))];
  }

  /** A call of a method of .NET. */
  #method(name: string, args: string): readonly Atom[] | undefined {
    const before = this.#evaluation.invocations.length;
    const given = this.#inside(args);
    const span = this.#span(this.#at - args.length, this.#at);
    const [first, second] = given ?? [];
    switch (name) {
      case "io.path.combine":
        return given === undefined ? undefined : joinAtoms(given, "/");
      case "environment.getfolderpath":
        return /^(?:userprofile|personal)$/i.test(staticText(first) ?? "") ? [plain(this.#evaluation.options.home)] : [hidden(name)];
      case "environment.getenvironmentvariable":
        return this.#lookup(`env:${staticText(first) ?? "?"}`, name);
      case "io.directory.getcurrentdirectory":
        return this.#lookup("pwd", "$PWD");
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
        return narrow !== undefined && !narrow.includes("\0") ? [plain(narrow)] : wide === undefined ? undefined : [plain(wide)];
      }
      case "scriptblock.create":
        return first;
      case "io.directory.setcurrentdirectory":
        this.#emit("set-location", first === undefined ? [] : [makeWord(first, span)], [], span);
        return undefined;
    }
    const effect = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (effect !== undefined) {
      const [program, ...flags] = effect.replace(/^2 /, "").split(" ");
      const operands = (effect.startsWith("2 ") || program === "start-process" ? [first, second] : [first])
        .filter((one) => one !== undefined).map((one) => makeWord(one, span));
      const recursive = name !== "io.directory.delete" || staticText(second) !== "false" ? flags : [];
      if (program === "start-process") this.#start(operands, span, this.#frame);
      else this.#emit(program!, [...operands, ...recursive], [], span, "interpreter");
    }
    return [unknown(`${name}(…)`, "command", { invocations: this.#evaluation.invocations.slice(before) })];
  }

  // Programs.

  #emit(
    program: string,
    args: readonly (Word | string)[],
    redirections: readonly Redirection[],
    span: Span,
    provenance?: Frame["provenance"],
  ): void {
    const frame = provenance === undefined ? this.#frame : { ...this.#frame, provenance };
    const words = args.map((one) => typeof one === "string" ? textWord(one, span) : one);
    this.#evaluation.emit(this.#evaluation.invocation(this.#call(program, textWord(program, span), words, redirections, span, frame)));
  }

  #call(program: string, word: Word, args: readonly Word[], redirections: readonly Redirection[], span: Span, frame: Frame): Call {
    return { program, word, args, assignments: [], redirections, scope: this.#scope, frame, span };
  }

  #run(list: readonly Argument[], redirections: readonly Redirection[], span: Span, frame: Frame, input: Items | "unknown" | undefined): Items | undefined {
    const [head, ...rest] = list;
    if (head === undefined) return [];
    if (head.block !== undefined) return this.#inside(head.block, { pipeline: frame.pipeline });
    const args = rest.map((one) => one.word);
    const name = canonical(head.word, args, this.#evaluation.options.windows === true);
    const body = head.word.isStatic ? this.#blocks.get(name) : undefined;
    if (body !== undefined && !this.#frame.calls.includes(name)) {
      return this.#inside(body, { calls: [...this.#frame.calls, name], provenance: "function", via: [...this.#frame.via, name] });
    }
    const alias = head.word.isStatic ? this.#scope.aliases.get(name) : undefined;
    const program = alias === undefined ? name : canonical(textWord(alias, span), args, this.#evaluation.options.windows === true);
    const takesInput = input !== undefined && pathCmdlets.has(program);
    const items = Array.isArray(input) ? input as Items : undefined;
    const given = takesInput && items !== undefined && !args.some((word) => !word.text.startsWith("-"))
      ? [...items.map((item) => makeWord(item, span)), ...args]
      : args;
    const call = this.#call(program, head.word, given, redirections, span, {
      ...frame,
      moreArguments: frame.moreArguments || (takesInput && items === undefined),
    });
    switch (program) {
      case "invoke-expression":
        return this.#invoke(call);
      case "invoke-command":
      case "start-job":
      case "start-threadjob":
      case "measure-command": {
        this.#evaluation.emit(this.#evaluation.invocation(call));
        const at = args.findIndex((word) => /^-(?:cn|comp)/i.test(word.text));
        const remote = at >= 0 ? args[at + 1]?.text : undefined;
        this.#runBlocks(rest, {
          ...(remote === undefined ? {} : { remote }),
          ...(program.startsWith("start") ? { background: true } : {}),
        });
        return undefined;
      }
      case "set-alias":
      case "new-alias": {
        this.#evaluation.emit(this.#evaluation.invocation(call));
        const operands = args.filter((word) => !word.text.startsWith("-"));
        if (operands[0]?.isStatic && operands[1]?.isStatic) {
          this.#scope.aliases.set(operands[0].text.toLowerCase(), operands[1].text);
        }
        return [];
      }
      case "set-location":
      case "push-location":
      case "pop-location":
        this.#change(call);
        return [];
      case "get-location": {
        this.#evaluation.emit(this.#evaluation.invocation(call));
        const { directory } = this.#scope;
        return directory.certain && directory.path !== undefined ? [[plain(directory.path)]] : undefined;
      }
      case "join-path": {
        this.#evaluation.emit(this.#evaluation.invocation(call));
        const parts = args.filter((word) => !/^-\w/.test(word.text));
        return [joinAtoms(parts.map((word) => word.pieces), "/")];
      }
      case "start-process":
        this.#start(args, span, call.frame, call);
        return undefined;
      case "write-output":
      case "echo":
        this.#evaluation.emit(this.#evaluation.invocation(call));
        return args.filter((word) => word.text.toLowerCase() !== "-noenumerate").map((word) => word.pieces);
      case "resolve-path":
      case "convert-path":
      case "get-item": {
        this.#evaluation.emit(this.#evaluation.invocation(call));
        const path = args.find((word) => !word.text.startsWith("-"));
        return path === undefined ? undefined : [path.pieces];
      }
      case "foreach-object":
      case "where-object":
        this.#evaluation.emit(this.#evaluation.invocation(call));
        if (items !== undefined && items.length <= 64 && program === "foreach-object") {
          for (const item of items) {
            this.#assign("_", [item]);
            this.#runBlocks(rest, {});
          }
        } else {
          this.#assign("_", [[unknown("$_", "stdin", { name: "_", mayBeEmpty: false })]]);
          this.#runBlocks(rest, {});
        }
        this.#scope.variables.delete("ps:_");
        return undefined;
    }
    if (program.includes("-") && !/[\\/.]/.test(program) && /^[a-z]+-[a-z]+$/.test(program)) {
      this.#evaluation.emit(this.#evaluation.invocation(call));
      this.#runBlocks(rest, {});
      return program === "get-content" ? this.#content(call) : undefined;
    }
    if (alias === undefined && program === "mkdir") {
      this.#evaluation.emit(this.#evaluation.invocation(call));
      return [];
    }
    // Of these the block is the code that they get as text.
    if (program !== "pwsh" && program !== "powershell") this.#runBlocks(rest, {});
    const output = this.#evaluation.runWords(
      [head.word, ...given],
      [],
      redirections,
      span,
      { ...this.#scope, aliases: new Map(), functions: new Map() },
      call.frame,
    );
    return output === undefined ? undefined : lines(output);
  }

  /** What a file holds that was written before or can be read. */
  #content(call: Call): Items | undefined {
    const path = call.args.find((word) => !word.text.startsWith("-"));
    const content = path === undefined ? undefined : this.#evaluation.fileData(path, this.#scope);
    return content === undefined ? undefined : [content];
  }

  #runBlocks(list: readonly Argument[], more: Partial<Frame>): void {
    for (const { block } of list) { if (block !== undefined) this.#inside(block, more); }
  }

  #nested(code: readonly Atom[], call?: Call): Items | undefined {
    if (this.#frame.depth >= 16) {
      this.#evaluation.doubt("too-deep", "scripts are nested too deeply to be followed", this.#span(this.#at, this.#at));
      return undefined;
    }
    if (!code.some((atom) => atom.kind === "text" && atom.text.trim() !== "")) return undefined;
    const text = this.#evaluation.codeText(code);
    return this.#inside(text, {
      depth: this.#frame.depth + 1,
      provenance: "nested-script",
      via: [...this.#frame.via, call?.program ?? "Invoke"],
    });
  }

  #invoke(call: Call): Items | undefined {
    this.#evaluation.emit(this.#evaluation.invocation(call));
    const words = call.args.filter((word) => !/^-c[a-z]*$/i.test(word.text));
    const code = words.length > 0 ? joinAtoms(words.map((word) => word.pieces)) : call.frame.stdin?.atoms;
    if (code === undefined) return undefined;
    noteUnknownCode(this.#evaluation, call, code);
    return this.#nested(code, call);
  }

  #change(call: Call): void {
    this.#evaluation.emit(this.#evaluation.invocation(call));
    const scope = this.#scope;
    const windows = this.#evaluation.options.windows === true;
    if (call.program === "pop-location") {
      scope.directory = scope.stack.pop() ?? { path: undefined, certain: false };
      return;
    }
    if (call.program === "push-location") scope.stack.push(scope.directory);
    const target = call.args.find((word) => !/^-[A-Za-z]/.test(word.text));
    const from = scope.failed === undefined ? scope.directory : joinDirectories(scope.directory, scope.failed);
    if (target === undefined) return;
    const path = target.text === "-" ? undefined : target.isStatic ? target.text : undefined;
    scope.directory = target.text === "-"
      ? scope.previous ?? { path: undefined, certain: false }
      : path === undefined
      ? { path: undefined, certain: false, ...(from.path === undefined ? {} : { alternatives: [from.path] }) }
      : changeDirectory(from, windows ? path : path.replaceAll("\\", "/"), windows);
    scope.previous = from;
    scope.failed = path === this.#evaluation.options.home ? undefined : from;
  }

  /** `Start-Process program -ArgumentList a, b -Verb RunAs` */
  #start(args: readonly Word[], span: Span, frame: Frame, call?: Call): void {
    if (call !== undefined) this.#evaluation.emit(this.#evaluation.invocation(call));
    let program: Word | undefined;
    const given: Word[] = [];
    let privileged = frame.privileged;
    for (let index = 0; index < args.length; index++) {
      const text = args[index]!.text.toLowerCase();
      const value = args[index + 1];
      if (/^-fi/.test(text)) program = args[++index];
      else if (/^-(?:a|args)/.test(text)) {
        if (value !== undefined) given.push(value);
        index++;
      } else if (/^-verb/.test(text)) {
        if (/runas/i.test(value?.text ?? "")) privileged = true;
        index++;
      } else if (/^-(?:wo|wi|redirect|cred|env)/.test(text)) index++;
      else if (!text.startsWith("-")) {
        if (program === undefined) program = args[index];
        else given.push(args[index]!);
      }
    }
    if (program === undefined) return;
    const words = given.flatMap((word) =>
      word.isStatic ? splitArguments(word.text).map((text) => textWord(text, word.span)) : [word]
    );
    this.#evaluation.runWords([program, ...words], [], [], span, { ...this.#scope, aliases: new Map(), functions: new Map() }, {
      ...frame,
      via: [...frame.via, "start-process"],
      provenance: "wrapper",
      privileged,
      stdin: undefined,
      depth: frame.depth + 1,
    });
  }
}

/** Cmdlets whose paths come from the pipeline. */
const pathCmdlets: ReadonlySet<string> = new Set(
  "remove-item clear-content move-item copy-item get-content rename-item set-acl".split(" "),
);

/** `a,b "c d"` as the arguments of a program. */
function splitArguments(text: string): string[] {
  return text.match(/"[^"]*"|[^\s,"]+/g)?.map((part) => part.replace(/^"|"$/g, "")) ?? [];
}

/** Canonical name of a cmdlet; programs by their base name. */
function canonical(word: Word, args: readonly Word[], windows: boolean): string {
  const base = programName(word);
  const bare = base.slice(base.lastIndexOf("\\") + 1).toLowerCase();
  if (/[\\/]/.test(word.text) && !/^[a-z.]+\\[a-z]+-[a-z]+$/i.test(word.text)) return base;
  const alias = Object.hasOwn(aliases, bare) && !/\.(?:exe|cmd)$/i.test(word.text) ? aliases[bare] : undefined;
  if (alias === undefined) return /^[a-z]+-[a-z]+$/.test(bare) ? bare : base;
  // Where it is a program, its options are those of that program.
  const foreign = !windows && programNames.has(bare) &&
    args.some((one) => /^-(?:[rRfiv]{2,}|-[a-z].*|[a-zA-Z]*[0-9].*)$/.test(one.text));
  return foreign || ((bare === "curl" || bare === "wget") && !windows) ? bare : alias;
}

function isQuote(char: string): boolean {
  return char === "'" || char === '"' || (char >= "\u2018" && char <= "\u201e");
}

function isSingle(char: string): boolean {
  return char === "'" || (char >= "\u2018" && char <= "\u201b");
}

/** Pattern characters are active even in quotes, since cmdlets match them. */
function patterns(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text" || !/[*?]/.test(atom.text)) return [atom];
    return atom.text.split(/([*?]+)/).filter((part) => part !== "").map((part): Atom =>
      /^[*?]/.test(part) ? { kind: "glob", text: part } : plain(part)
    );
  });
}

function decodeNarrow(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text.replace(/\s+/g, "")), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** `{0}` in a format. */
function fill(format: readonly Atom[], values: Items): readonly Atom[] {
  return format.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text") return [atom];
    return atom.text.split(/(\{[0-9]\})/).flatMap((part): readonly Atom[] =>
      /^\{[0-9]\}$/.test(part) ? values[Number(part[1])] ?? [] : part === "" ? [] : [plain(part)]
    );
  });
}

function lines(output: readonly Atom[]): Items {
  const text = staticText(output);
  if (text === undefined) return [output];
  return text.replace(/\r?\n$/, "").split(/\r?\n/).slice(0, 200).map((line) => [plain(line)]);
}
