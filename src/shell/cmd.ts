/** The command interpreter of Windows: statements, carets, percent variables, and the programs they start. */

import type { Redirection, Span, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import { type Call, type Frame, type Output, TooComplex } from "./frame.ts";
import { programName } from "./names.ts";
import { type Atom, joinAtoms, makeWord, plain, staticText, textWord, unknown } from "./pieces.ts";
import { nested, noteUnknownCode } from "./nested.ts";
import { changeDirectory, forkScope, joinDirectories, type Scope } from "./scope.ts";

/** Commands that the interpreter itself carries out. */
const internal: ReadonlySet<string> = new Set(
  "assoc break cd chdir cls color copy date del dir echo endlocal erase exit ftype goto md mkdir mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift time title type ver verify vol"
    .split(" "),
);
const maxNesting = 40;

/** Runs text as a command line or batch script. */
export function runCommandLine(
  evaluation: Evaluation,
  code: readonly Atom[],
  span: Span | undefined,
  scope: Scope,
  frame: Frame,
): Output {
  const { text, inside } = evaluation.foreignCode(code, "cmd", span, frame);
  new Reader(evaluation, text, scope, inside, 0).statements();
  return undefined;
}

/** `cmd /c line`: everything behind the switch is the line. */
export function runCommandProgram(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const at = call.args.findIndex((word) => /^\/{1,2}[ckr]/i.test(word.text));
  const input = call.frame.stdin?.atoms;
  const scope = forkScope(call.scope);
  const run = (code: readonly Atom[], span: Span, label: string, provenance: Frame["provenance"]) => {
    noteUnknownCode(evaluation, call, code);
    if (evaluation.isTooDeep(call.frame, "commands", span)) return;
    runCommandLine(
      evaluation,
      code,
      span,
      scope,
      nested(call, provenance, label, { stdin: undefined, moreArguments: false }),
    );
  };
  if (at < 0) {
    if (input !== undefined && input.length > 0) run(input, call.span, "cmd", "pipe");
    return undefined;
  }
  const first = call.args[at]!.text.replace(/^\/{1,2}[ckr]/i, "");
  const rest = call.args.slice(at + 1).filter((word, index) =>
    index > 0 || !/^\/[dsqaueftv](?::.*)?$/i.test(word.text)
  );
  // One argument is the line as it stands; several were quoted each for itself.
  const words = rest.map((word): readonly Atom[] =>
    rest.length > 1 && /\s/.test(word.text) ? [plain('"'), ...word.pieces, plain('"')] : word.pieces
  );
  const code = joinAtoms(first === "" ? words : [[plain(first)], ...words]);
  if (code.length > 0) run(code, rest[0]?.span ?? call.span, "cmd /c", "nested-script");
  return undefined;
}

class Reader {
  readonly #evaluation: Evaluation;
  readonly #text: string;
  readonly #scope: Scope;
  readonly #frame: Frame;
  readonly #nesting: number;
  #at = 0;

  constructor(evaluation: Evaluation, text: string, scope: Scope, frame: Frame, nesting: number) {
    if (nesting > maxNesting) throw new TooComplex();
    this.#evaluation = evaluation;
    this.#text = text;
    this.#scope = scope;
    this.#frame = frame;
    this.#nesting = nesting;
  }

  /** Lines and statements up to the end. */
  statements(): void {
    let before = "";
    let pipeline: { id: number; index: number } | undefined;
    while (this.#at < this.#text.length) {
      this.#evaluation.step();
      const char = this.#text[this.#at]!;
      if (/[\s();,@]/.test(char)) {
        if (char === "\n") before = "";
        this.#at++;
        continue;
      }
      const operator = /^(?:&&|\|\||&|\|)/.exec(this.#text.slice(this.#at, this.#at + 2))?.[0];
      if (operator !== undefined) {
        this.#at += operator.length;
        before = operator;
        continue;
      }
      const start = this.#at;
      if (before !== "|") pipeline = { id: this.#evaluation.newPipeline(), index: 0 };
      else pipeline = { id: pipeline!.id, index: pipeline!.index + 1 };
      this.#statement(before, pipeline);
      if (this.#at === start) this.#at++;
      before = "";
    }
    this.#settle();
  }

  #settle(): void {
    const { failed } = this.#scope;
    if (failed === undefined) return;
    this.#scope.directory = joinDirectories(this.#scope.directory, failed);
    this.#scope.failed = undefined;
  }

  #statement(before: string, pipeline: { id: number; index: number }): void {
    const failed = this.#scope.failed;
    if (before === "&&") this.#scope.failed = undefined;
    else if (before === "||" && failed !== undefined) {
      this.#scope.directory = failed;
      this.#scope.failed = undefined;
    } else this.#settle();
    const start = this.#at;
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    let more = false;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!;
      if (char === "\n" || char === "&" || char === "|" || (char === ")" && this.#opened(words))) {
        more = char === "|" && this.#text[this.#at + 1] !== "|";
        break;
      }
      if (/[\s,;]/.test(char)) {
        this.#at++;
        continue;
      }
      if (char === "(" && /^(?:in|do|else)$/i.test(words[words.length - 1]?.text ?? "(")) {
        this.#at++;
        if (/^in$/i.test(words[words.length - 1]?.text ?? "")) {
          this.#loop(words);
          return;
        }
        break;
      }
      const redirection = /^[0-9]?(?:>>?(?:&[0-9])?|<)/.exec(this.#text.slice(this.#at, this.#at + 5))?.[0];
      if (redirection !== undefined) {
        const from = this.#at;
        this.#at += redirection.length;
        while (/[ \t]/.test(this.#text[this.#at] ?? "")) this.#at++;
        if (!redirection.includes("&")) {
          const descriptor = /^[0-9]/.test(redirection) ? { descriptor: Number(redirection[0]) } : {};
          redirections.push({
            operator: redirection.includes(">>") ? ">>" : redirection.includes("<") ? "<" : ">",
            ...descriptor,
            target: this.#word(),
            span: this.#span(from, this.#at),
          });
        }
        continue;
      }
      if (char === "(" || char === ")" || char === "<" || char === ">") {
        this.#at++;
        continue;
      }
      words.push(this.#word());
      const rest = this.#condition(words);
      if (rest !== undefined) words.splice(0, words.length, ...rest);
      if (/^(?:rem|::)/i.test(words[0]?.text ?? "") && words.length === 1) {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
        return;
      }
    }
    const span = this.#span(start, this.#at);
    const length = more ? pipeline.index + 2 : pipeline.index + 1;
    this.#run(words, redirections, span, {
      ...this.#frame,
      pipeline: { id: pipeline.id, index: pipeline.index, length },
      stdin: undefined,
    });
  }

  /** A closing bracket ends a command unless it is in the middle of an argument. */
  #opened(words: readonly Word[]): boolean {
    return words.length > 0 || this.#text[this.#at] === ")";
  }

  #span(start: number, end: number): Span {
    const most = this.#text.length;
    return this.#frame.source.span ?? { start: Math.min(start, most), end: Math.min(end, most) };
  }

  /** What is left once a condition is complete: `if exist x del y` → `del y`. */
  #condition(words: readonly Word[]): readonly Word[] | undefined {
    // A condition is over after few words.
    if (words.length > 8) return undefined;
    const texts = words.map((word) => word.text.toLowerCase());
    if (texts[0] === "else" || texts[0] === "do" || texts[0] === "call") return words.slice(1);
    if (texts[0] !== "if") return undefined;
    let at = 1;
    while (texts[at] === "/i" || texts[at] === "not") at++;
    if (texts[at] === undefined) return undefined;
    if (texts[at] === "exist" || texts[at] === "defined" || texts[at] === "errorlevel") at += 2;
    else if (/^(?:equ|neq|lss|leq|gtr|geq|==)$/.test(texts[at + 1] ?? "")) at += 3;
    else if (texts[at]!.includes("==")) at += 1;
    else return texts.length > at + 2 ? [] : undefined;
    return words.length === at ? [] : undefined;
  }

  /** `for %i in (…) do …`, after the opening bracket. */
  #loop(words: readonly Word[]): void {
    const end = this.#text.indexOf(")", this.#at);
    const set = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    const name = words.map((word) => word.text).find((text) => /^%{1,2}[A-Za-z]$/.test(text))?.slice(-1) ??
      "";
    if (words.some((word) => /^\/f$/i.test(word.text))) {
      const code = /^\s*(['`])([\s\S]*)\1\s*$/.exec(set)?.[2];
      if (code !== undefined) this.#inside(code);
    }
    this.#scope.variables.set(`cmd:%${name}`, {
      values: [[unknown(`%${name}`, "stdin", { name, mayBeEmpty: false })]],
    });
  }

  #inside(text: string): void {
    new Reader(
      this.#evaluation,
      text,
      this.#scope,
      { ...this.#frame, source: { text, span: this.#span(this.#at, this.#at) } },
      this.#nesting + 1,
    ).statements();
  }

  /** A word: quotes are taken off, carets escape, variables are put in. */
  #word(): Word {
    const text = this.#text;
    const start = this.#at;
    const atoms: Atom[] = [];
    let current = "";
    let quoted = false;
    const flush = () => {
      if (current !== "") atoms.push(...patterns(this.#evaluation.unmark(current)));
      current = "";
    };
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (char === "\n") break;
      if (!quoted && /[\s,;&|<>()]/.test(char) && !(char === "(" && this.#at > start)) break;
      this.#at++;
      if (char === '"') {
        quoted = !quoted;
        if (!quoted && current === "" && atoms.length === 0) atoms.push(plain(""));
      } else if (char === "^" && !quoted) {
        const next = text[this.#at++];
        if (next === "\r") this.#at++;
        else if (next !== undefined && next !== "\n") current += next;
      } else if (char === "%" || char === "!") {
        const value = this.#variable(char);
        if (value === undefined) current += char;
        else {
          flush();
          atoms.push(...value);
        }
      } else current += char;
    }
    flush();
    this.#evaluation.weigh(atoms);
    return makeWord(atoms, this.#span(start, this.#at));
  }

  /** Value of a variable whose opening mark has been passed. */
  #variable(mark: string): readonly Atom[] | undefined {
    const rest = this.#text.slice(this.#at, this.#at + 120);
    if (mark === "%") {
      const bound = /^%?([A-Za-z])(?![\w%])/.exec(rest) ?? /^%?~[a-z]*([A-Za-z0-9])/.exec(rest);
      const known = bound === null ? undefined : this.#scope.variables.get(`cmd:%${bound[1]}`)?.values[0];
      if (bound !== null && known !== undefined) {
        this.#at += bound[0].length;
        return known;
      }
      const position = /^%?(?:~[a-z]*)?([0-9*])/.exec(rest);
      if (position !== null) {
        this.#at += position[0].length;
        return [unknown(`%${position[1]}`, "positional", { name: position[1]! })];
      }
    }
    const match = new RegExp(`^([^${mark}\\s:]{1,60})(:[^${mark}]{1,40})?${mark}`).exec(rest);
    if (match === null) return undefined;
    this.#at += match[0].length;
    const name = match[1]!.toLowerCase();
    const value = match[2] === undefined ? this.#lookup(name) : undefined;
    return value ?? [unknown(`%${match[1]}%`, "variable", { name: match[1]! })];
  }

  #lookup(name: string): readonly Atom[] | undefined {
    const known = this.#scope.variables.get(`cmd:${name}`)?.values[0];
    if (known !== undefined) return known;
    const { home, variables } = this.#evaluation.options;
    if (name === "userprofile" || name === "home") return [plain(home)];
    if (name === "homedrive") return [plain(/^[A-Za-z]:/.exec(home)?.[0] ?? "")];
    if (name === "homepath") return [plain(home.replace(/^[A-Za-z]:/, ""))];
    const { directory } = this.#scope;
    if (name === "cd" && directory.certain && directory.path !== undefined) return [plain(directory.path)];
    const found = Object.keys(variables ?? {}).find((key) => key.toLowerCase() === name);
    return found === undefined ? undefined : [plain(variables![found]!)];
  }

  #run(words: readonly Word[], redirections: readonly Redirection[], span: Span, frame: Frame): void {
    let [head, ...args] = words;
    if (head === undefined) return;
    // The name of an internal command ends where a switch or a path begins: `rd/s`, `cd..`.
    const glued = /^([A-Za-z]+)([/\\.][\s\S]*)$/.exec(head.text);
    if (head.isStatic && glued !== null && internal.has(glued[1]!.toLowerCase())) {
      head = textWord(glued[1]!, head.span);
      args = [textWord(glued[2]!, span), ...args];
    }
    const program = programName(head).toLowerCase();
    const call: Call = {
      program,
      word: head,
      args,
      assignments: [],
      redirections,
      scope: this.#scope,
      frame,
      span,
    };
    if (!head.isStatic || !internal.has(program)) {
      if (program === "start") return this.#start(call);
      this.#evaluation.runWords([head, ...args], [], redirections, span, {
        ...this.#scope,
        aliases: new Map(),
        functions: new Map(),
      }, frame);
      return;
    }
    this.#evaluation.emit(this.#evaluation.invocation(call));
    if (program === "set") this.#set(args);
    else if (/^(?:cd|chdir|pushd|popd)$/.test(program)) this.#change(program, args);
  }

  #set(args: readonly Word[]): void {
    const line = joinAtoms(args.filter((word) => !/^\/[ap]$/i.test(word.text)).map((word) => word.pieces));
    const first = line[0];
    const match = first?.kind === "text" ? /^([^=]{1,60})=/.exec(first.text) : null;
    if (match === null || first?.kind !== "text") return;
    this.#scope.variables.set(`cmd:${match[1]!.toLowerCase()}`, {
      values: [this.#evaluation.weigh([plain(first.text.slice(match[0].length)), ...line.slice(1)])],
    });
  }

  #change(program: string, args: readonly Word[]): void {
    const scope = this.#scope;
    const windows = this.#evaluation.options.windows === true;
    if (program === "popd") {
      scope.directory = scope.stack.pop() ?? { path: undefined, certain: false };
      return;
    }
    if (program === "pushd") scope.stack.push(scope.directory);
    const target = makeWord(
      joinAtoms(args.filter((word) => !/^\/d$/i.test(word.text)).map((word) => word.pieces)),
      this.#span(0, 0),
    );
    if (target.text === "") return;
    const from = scope.directory;
    const path = staticText(target.pieces);
    scope.directory = path === undefined
      ? { path: undefined, certain: false, ...(from.path === undefined ? {} : { alternatives: [from.path] }) }
      : changeDirectory(from, windows ? path : path.replaceAll("\\", "/"), windows);
    scope.previous = from;
    scope.failed = from;
  }

  /** `start "title" /b program …` */
  #start(call: Call): void {
    let rest = call.args;
    const text = this.#text.slice(0, this.#at);
    if (/\bstart\s+"[^"\n]*"\s*[^\n&|]*$/i.test(text.slice(-400)) && rest.length > 1) rest = rest.slice(1);
    while (/^\/[a-z]/i.test(rest[0]?.text ?? "")) {
      rest = rest.slice(rest[0]!.text.toLowerCase() === "/d" ? 2 : 1);
    }
    if (rest.length === 0) {
      this.#evaluation.emit(this.#evaluation.invocation(call));
      return;
    }
    this.#evaluation.runWords(rest, [], call.redirections, call.span, {
      ...this.#scope,
      aliases: new Map(),
      functions: new Map(),
    }, nested(call, "wrapper", "start", { background: true }));
  }
}

/** Pattern characters are active, in quotes too: programs match them themselves. */
function patterns(atoms: readonly Atom[]): readonly Atom[] {
  return atoms.flatMap((atom): readonly Atom[] => {
    if (atom.kind !== "text" || !/[*?]/.test(atom.text)) return [atom];
    return atom.text.split(/([*?]+)/).filter((part) => part !== "").map((part): Atom =>
      /^[*?]/.test(part) ? { kind: "glob", text: part } : plain(part)
    );
  });
}
