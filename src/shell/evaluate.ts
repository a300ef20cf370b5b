/** The state of following a line: the programs found, the work done, the files written. */

import { type Function as FunctionNode, parse, type ParsedScript } from "unbash";
import { MissingPart } from "../parts.ts";
import type { Assignment, Doubt, Invocation, Redirection, Span, Word } from "./model.ts";
import { Choices } from "./choices.ts";
import { expandSingle } from "./expand.ts";
import { evaluateText } from "./expressions.ts";
import { type Expander, placeholderEnd, placeholderStart } from "./expand/expander.ts";
import { type Call, type Frame, type Output, TooComplex } from "./frame.ts";
import { joinSigns, placeBefore, placeBehind } from "./joints.ts";
import { mayHide, programName } from "./names.ts";
import { type Atom, concat, makeWord, plain, unknown } from "./pieces.ts";
import { runProgram } from "./programs.ts";
import {
  changeDirectory,
  forkScope,
  giveValue,
  joinDirectories,
  joinWaysOut,
  leaveFunction,
  mergeScope,
  positionalWords,
  type Scope,
  type ShellFunction,
  type Source,
} from "./scope.ts";
import { runCommand, runStatements } from "./statements.ts";
import type { UnderstandOptions } from "./understand.ts";

const maxDepth = 16;
/** A step stands for less than half a microsecond, so that a command takes less than a tenth of a second. */
const maxSteps = 200_000;
/**
 * The rules take up to a tenth of a millisecond for a program, most where files are deleted or copied (measured over
 * lines of a thousand of one kind: 20 to 110 ms of CPU time), so that this many keep to the tenth of a second as well.
 */
const maxInvocations = 1_024;
const maxNodeDepth = 200;
/** More traps than these in one shell are not kept for its end. */
const maxTraps = 20;
/** More `<<` than this in one text are not what a person writes. */
const maxHeredocs = 400;

/** Follows one command line to every program that it would start. */
export class Evaluation {
  readonly invocations: Invocation[] = [];
  readonly doubts: Doubt[] = [];
  /** Content of files that the command itself writes, by absolute path. */
  readonly files = new Map<string, readonly Atom[]>();
  readonly options: UnderstandOptions;
  /** Length of the outermost text, in UTF-16 code units. */
  readonly #length: number;
  #steps = 0;
  #most = maxInvocations;
  #pipelines = 0;
  #nesting = 0;
  /** Traps of the shells that are being followed, outermost first. */
  readonly #shells: NonNullable<Scope["traps"]>[] = [];
  readonly #placeholders: (readonly Atom[])[] = [];
  /** What process substitutions print, by the list of invocations in their piece. */
  readonly #substituted = new WeakMap<readonly Invocation[], readonly Atom[]>();

  constructor(command: string, options: UnderstandOptions) {
    this.options = options;
    this.#length = command.length;
  }

  /** Counts work; throws when a command needs too much of it. */
  step(cost = 1): void {
    this.#steps += cost;
    if (this.#steps > maxSteps) throw new TooComplex();
  }

  /** Notes something that could not be resolved and could be dangerous. */
  doubt(reason: Doubt["reason"], message: string, span: Span): void {
    if (this.doubts.length < 50) this.doubts.push({ reason, message, span });
  }

  /** Notes a program that is started. */
  emit(invocation: Invocation): void {
    const { path, alternatives = [] } = invocation.directory;
    this.step(20 + (((path?.length ?? 0) * (1 + alternatives.length)) >> 1));
    if (this.invocations.length >= this.#most) throw new TooComplex();
    this.invocations.push(invocation);
  }

  /** Runs something that is nested in what is run now; throws when that is too deep. */
  deeper<T>(run: () => T): T {
    if (++this.#nesting > maxNodeDepth) throw new TooComplex();
    try {
      return run();
    } finally {
      this.#nesting--;
    }
  }

  /** True when nothing is followed further into a frame, which is then doubted. */
  isTooDeep(frame: Frame, what: "commands" | "scripts" | "substitutions", span: Span): boolean {
    if (frame.depth < maxDepth) return false;
    this.doubt("too-deep", `${what} are nested too deeply to be followed`, span);
    return true;
  }

  /** Where a node of the syntax stands in the outermost text. */
  spanOf(node: { readonly pos: number; readonly end: number }, frame: Frame): Span {
    const { span, joints } = frame.source;
    if (span !== undefined) return span;
    // The parser goes beyond the end where something is not closed.
    const end = Math.min(placeBefore(node.end, joints), this.#length);
    return { start: Math.min(placeBehind(node.pos, joints), end), end };
  }

  /** Identifier of a pipeline. */
  newPipeline(): number {
    return ++this.#pipelines;
  }

  // Scripts and statements.

  /** Parses and runs code that was put together from pieces; unknown pieces stay unknown inside it. */
  runCode(code: readonly Atom[], span: Span, scope: Scope, frame: Frame): Output {
    if (this.isTooDeep(frame, "scripts", span)) return undefined;
    const text = this.codeText(code);
    this.step(1 + (text.length >> 3));
    return this.runText(text, { text, span }, scope, {
      ...frame,
      dialect: "posix",
      depth: frame.depth + 1,
      source: { text, span },
    });
  }

  /**
   * Code of another shell language than POSIX: its text, and the frame in which it is read.
   *
   * @param span where the code stands in the outermost text; undefined when it is that text
   */
  foreignCode(
    code: readonly Atom[],
    dialect: "powershell" | "cmd",
    span: Span | undefined,
    frame: Frame,
  ): { readonly text: string; readonly inside: Frame } {
    const text = this.codeText(code);
    this.step(1 + (text.length >> 3));
    const source = span === undefined ? { text } : { text, span };
    return { text, inside: { ...frame, dialect, source } };
  }

  /** Source text of code with marks for what is unknown. */
  codeText(code: readonly Atom[]): string {
    return code.map((atom) => {
      if (atom.kind === "text" || atom.kind === "glob") return atom.text;
      if (atom.kind === "unknown") return this.mark([atom]);
      return " ";
    }).join("");
  }

  /** A mark that stands for pieces in a script. */
  mark(atoms: readonly Atom[]): string {
    this.#placeholders.push(atoms);
    return `${placeholderStart}${this.#placeholders.length - 1}${placeholderEnd}`;
  }

  /** Pieces of a text that may hold marks. */
  unmark(text: string): Atom[] {
    return text.split(placeholderStart).flatMap((chunk, index) => {
      const end = index === 0 ? -1 : chunk.indexOf(placeholderEnd);
      if (end < 0) return [plain(chunk)];
      return [...this.#placeholders[Number(chunk.slice(0, end))] ?? [], plain(chunk.slice(end + 1))];
    });
  }

  /** Parses and runs a text. */
  runText(text: string, source: Source, scope: Scope, frame: Frame): Output {
    // The parser takes time in the square of these.
    let marks = 0;
    for (let at = text.indexOf("<<"); at >= 0; at = text.indexOf("<<", at + 2)) {
      if (++marks > maxHeredocs) throw new TooComplex();
    }
    // The parser does not see that such a line goes on in the middle of a sign.
    const { whole, joints } = text.includes("\\\n") ? joinSigns(text) : { whole: text, joints: undefined };
    return this.runScript(parse(whole), scope, {
      ...frame,
      source: joints === undefined ? source : { ...source, joints },
    });
  }

  /** Runs what has been parsed. */
  runScript(script: ParsedScript, scope: Scope, frame: Frame): Output {
    this.step(40);
    const error = script.errors?.[0];
    if (error !== undefined && mayHide(frame.source.text)) {
      this.doubt(
        "syntax",
        `cannot be parsed: ${error.message}`,
        this.spanOf({ pos: error.pos, end: script.end }, frame),
      );
    }
    return runStatements(this, script.commands, scope, frame);
  }

  /** State of a subshell or a branch. */
  fork(scope: Scope): Scope {
    this.step(10 + ((scope.variables.size + scope.functions.size) >> 1));
    return forkScope(scope);
  }

  /** Notes the content of a file that the command writes. */
  written(target: Word, content: Output, append: boolean, scope: Scope): void {
    this.step(10);
    const path = this.absolute(target, scope);
    if (path === undefined) return;
    const before = append ? this.files.get(path) : [];
    if (content === undefined || (append && before === undefined)) {
      this.files.set(path, content ?? [unknown(target.text, "command")]);
    } else this.files.set(path, concat(before ?? [], content));
  }

  /** Absolute path of a static word. */
  absolute(word: Word, scope: Scope): string | undefined {
    if (!word.isStatic || word.text === "" || scope.directory.path === undefined) return undefined;
    return changeDirectory(scope.directory, word.text, this.options.windows === true).path;
  }

  /** What a file holds: written earlier in the command, or on disk. */
  fileContent(word: Word, scope: Scope): Output {
    const piece = word.pieces[0];
    if (word.pieces.length === 1 && piece?.kind === "unknown" && piece.invocations !== undefined) {
      return this.#substituted.get(piece.invocations);
    }
    const path = this.absolute(word, scope);
    if (path === undefined) return undefined;
    const own = this.files.get(path);
    if (own !== undefined) return own;
    const text = this.options.readFile?.(path);
    return text === undefined || text.length > 256 * 1024 ? undefined : [plain(text)];
  }

  /** What a file gives to a program that prints it: the text of a file with secrets stays unknown. */
  fileData(word: Word, scope: Scope): Output {
    const path = this.absolute(word, scope);
    const hidden = path !== undefined && !this.files.has(path) && this.options.isSecret?.(path) === true;
    return hidden ? undefined : this.fileContent(word, scope);
  }

  /** Gives a variable one value. */
  setVariable(name: string, value: readonly Atom[], scope: Scope): void {
    giveValue(name, this.weigh(value), scope);
  }

  /** Counts the work that a value makes, and joins the text in it, so that it costs no more the next time. */
  weigh(atoms: readonly Atom[]): readonly Atom[] {
    let size = 0;
    for (const atom of atoms) size += atom.kind === "text" ? atom.text.length : 8;
    this.step(1 + (size >> 4) + (atoms.length >> 2));
    if (atoms.every((atom) => atom.kind !== "text")) return atoms;
    const joined: Atom[] = [];
    let text: string[] = [];
    const flush = () => {
      if (text.length > 0) joined.push(plain(text.join("")));
      text = [];
    };
    for (const atom of atoms) {
      if (atom.kind === "text") text.push(atom.text);
      else {
        flush();
        joined.push(atom);
      }
    }
    flush();
    return joined;
  }

  /** A word of the model; its length counts as work. */
  word(atoms: readonly Atom[], span: Span): Word {
    let size = atoms.length;
    for (const atom of atoms) if (atom.kind === "text") size += atom.text.length;
    this.step(8 + (size >> 4));
    return makeWord(atoms, span);
  }

  // Programs.

  /** A call as the model shows it. */
  invocation(call: Call): Invocation {
    const { frame, scope } = call;
    return {
      program: call.program,
      word: call.word,
      args: call.args,
      assignments: call.assignments,
      redirections: call.redirections,
      directory: scope.failed === undefined
        ? scope.directory
        : joinDirectories(scope.directory, scope.failed),
      dialect: frame.dialect ?? "posix",
      pipeline: frame.pipeline ?? { id: this.newPipeline(), index: 0, length: 1 },
      provenance: frame.provenance,
      via: frame.via,
      privileged: frame.privileged,
      ...(frame.remote === undefined ? {} : { remote: frame.remote }),
      ...(frame.mounts === undefined ? {} : { mounts: frame.mounts }),
      ...(frame.within === undefined ? {} : { within: frame.within }),
      moreArguments: frame.moreArguments,
      ...(frame.stdin === undefined ? {} : { stdin: makeWord(frame.stdin.atoms, call.span) }),
      background: frame.background,
      span: call.span,
    };
  }

  /** Runs a command whose words are expanded: functions, aliases, builtins, launchers, programs. */
  runWords(
    words: readonly Word[],
    assignments: readonly Assignment[],
    redirections: readonly Redirection[],
    span: Span,
    scope: Scope,
    frame: Frame,
  ): Output {
    const word = words[0];
    if (word === undefined) return [];
    this.step();
    if (this.isTooDeep(frame, "commands", span)) return undefined;
    const call: Call = {
      program: programName(word),
      word,
      args: words.slice(1),
      assignments,
      redirections,
      scope,
      frame,
      span,
    };
    if (word.isStatic && frame.external !== true) {
      const known = scope.functions.get(word.text);
      const run = () =>
        known === undefined ? runProgram(this, call) : this.#callFunction(word.text, known, call);
      const aliases = scope.aliases.get(word.text)?.filter((alias) =>
        !frame.calls.includes(`alias ${word.text}=${alias}`)
      ) ?? [];
      if (aliases.length === 0) {
        return run();
      }
      const branches: Scope[] = [];
      for (const alias of aliases) {
        for (const next of this.#nextAliases(alias, call)) {
          const branch = this.fork(scope);
          this.#runAlias(alias, next, call, branch);
          branches.push(branch);
        }
      }
      // On the line that defines it, in what was parsed before, and in scripts an alias is not known.
      run();
      for (const branch of branches) {
        mergeScope(scope, branch);
      }
      return undefined;
    }
    return runProgram(this, call);
  }

  /** What the word behind an alias is an alias for: it may be one where the first ends in white space. */
  #nextAliases(alias: string, { args: [next], scope }: Call): readonly (string | undefined)[] {
    return (/\s$/.test(alias) && next?.isStatic ? scope.aliases.get(next.text) : undefined) ?? [undefined];
  }

  #runAlias(
    alias: string,
    second: string | undefined,
    { word, args, frame, span }: Call,
    scope: Scope,
  ): void {
    const rest = second === undefined ? args : args.slice(1);
    this.runCode(
      [
        plain(second === undefined ? alias : `${alias} ${second}`),
        ...rest.flatMap((argument) => [plain(" "), plain(this.mark(argument.pieces))]),
      ],
      span,
      scope,
      {
        ...frame,
        provenance: "alias",
        calls: [...frame.calls, `alias ${word.text}=${alias}`],
        via: [...frame.via, word.text],
      },
    );
  }

  #callFunction(name: string, target: ShellFunction, call: Call): Output {
    const { frame, scope } = call;
    const label = `${name}()`;
    // Another function of the same name is no recursion.
    const identity = `${label} ${target.node.pos} ${target.source.text.length}`;
    const active = frame.calls.filter((one) => one === identity).length;
    const inner: Frame = {
      ...frame,
      source: target.source,
      // Further arguments are parameters of the function.
      moreArguments: false,
      provenance: "function",
      via: [...frame.via, label],
      depth: frame.depth + 1,
      calls: [...frame.calls, identity],
    };
    if (active > 0) {
      // A function that calls itself is shown once more, so that rules can see the recursion.
      this.emit(this.invocation({ ...call, frame: { ...frame, provenance: "function" } }));
      if (active > 1) return undefined;
    }
    const { positional, handed, locals, breaks, returns } = scope;
    const waysOut: Scope[] = [];
    scope.locals = new Map();
    scope.breaks = undefined;
    scope.returns = waysOut;
    scope.positional = frame.moreArguments ? undefined : positionalWords(call.args);
    scope.handed = frame.moreArguments;
    const node: FunctionNode = target.node;
    try {
      const output = this.deeper(() =>
        node.body.type === "CompoundList"
          ? runStatements(this, node.body.commands, scope, inner)
          : runCommand(this, node.body, scope, inner)
      );
      this.step(10 * waysOut.length);
      joinWaysOut(scope, waysOut);
      return output;
    } finally {
      scope.positional = positional;
      scope.handed = handed;
      scope.breaks = breaks;
      scope.returns = returns;
      leaveFunction(scope, locals);
    }
  }

  // Expansion.

  /** What word expansion needs to know at a place. */
  expander(scope: Scope, frame: Frame, choices = new Choices()): Expander {
    const expander: Expander = {
      scope,
      home: this.options.home,
      environment: this.options.variables,
      choose: (name, count) => choices.choose(name, count),
      step: (cost) => this.step(cost),
      placeholder: (number) => this.#placeholders[number],
      substitute: (script, text, pos, end, origin) => {
        if (this.isTooDeep(frame, "substitutions", this.spanOf({ pos, end }, frame))) {
          return { output: undefined, invocations: [] };
        }
        const start = this.invocations.length;
        const source: Source = script.source === undefined
          ? frame.source
          : { text: script.source, span: this.spanOf({ pos, end }, frame) };
        const inner = this.fork(scope);
        const run = () =>
          this.runScript(script, inner, {
            ...frame,
            source: { ...source, text },
            provenance: origin === "command" ? "substitution" : "process-substitution",
            depth: frame.depth + 1,
            pipeline: undefined,
            stdin: undefined,
            moreArguments: false,
          });
        const output = this.inShell(inner, run);
        const invocations = this.invocations.slice(start);
        this.step(invocations.length);
        if (output !== undefined) this.#substituted.set(invocations, output);
        return { output, invocations };
      },
      promptExpansion: (value, part) => {
        const span = this.spanOf(part, frame);
        this.doubt("unknown-code", `${part.text} runs the commands inside the value`, span);
        if (frame.depth < maxDepth) {
          const code = value.map((atom) =>
            atom.kind === "text" ? { ...atom, text: promptCode(atom.text) } : atom
          );
          this.runCode([plain("echo "), ...code], span, this.fork(scope), {
            ...frame,
            provenance: "substitution",
          });
        }
      },
      expand: (word) => expandSingle(word, expander),
      arithmetic: (text) => evaluateText(this, text, scope, frame),
    };
    return expander;
  }

  /** Runs something when this shell ends, in the state of that time: in its own scope and in the shell's. */
  atExit(scope: Scope, run: (scope: Scope) => void): void {
    if (scope.traps !== undefined && scope.traps.length < maxTraps) scope.traps.push({ scope, run });
    else run(scope);
  }

  /** The end of a line that was not followed to its end: what runs then is still looked at, with a little more work. */
  exitEarly(scope: Scope): void {
    for (const traps of [...this.#shells, scope.traps ?? []]) {
      for (const one of traps.splice(0)) {
        this.#steps = maxSteps - maxSteps / 20;
        this.#most = this.invocations.length + 50;
        this.#nesting = 0;
        try {
          one.run(one.scope);
          if (one.scope !== scope) one.run(scope);
        } catch (error) {
          // The line is doubted already.
          if (error instanceof MissingPart) throw error;
        }
      }
    }
  }

  /** Runs a shell of its own, to its end; what its traps print is not told. */
  inShell(scope: Scope, run: () => Output): Output {
    const traps: NonNullable<Scope["traps"]> = scope.traps = [];
    this.#shells.push(traps);
    const output = run();
    this.#shells.pop();
    if (traps.length === 0) return output;
    this.exit(scope);
    return undefined;
  }

  /** The end of a shell. */
  exit(scope: Scope): void {
    for (const one of scope.traps?.splice(0) ?? []) {
      one.run(one.scope);
      // What a branch has set may be known only there.
      if (one.scope !== scope) one.run(scope);
    }
  }
}

/** Only the substitutions of a prompt string are code; the rest is text. */
function promptCode(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}
