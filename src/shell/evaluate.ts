/** The walk along a line: follows statements in order and finds every program that would be started. */

import {
  type AndOr,
  type ArithmeticExpression,
  type Assignment as AssignmentNode,
  type Command,
  type CommandNode,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  parse,
  type ParsedScript,
  type Pipeline,
  type Redirection as RedirectionNode,
  type Select,
  type Statement,
  type TestExpression,
  type While,
  type Word as SyntaxWord,
} from "unbash";
import type {
  Assignment,
  Dialect,
  Directory,
  Doubt,
  Invocation,
  Provenance,
  Redirection,
  RedirectionOperator,
  Span,
  Word,
} from "./model.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { expandArray, expandFields, expandHeredoc, expandSingle } from "./expand.ts";
import { type Expander, placeholderEnd, placeholderStart } from "./expand/expander.ts";
import { type Atom, makeWord, piecesText, plain, staticText, textWord, unknown } from "./pieces.ts";
import { compilePattern, matchesPattern } from "./pattern.ts";
import {
  adoptScope,
  changeDirectory,
  forkScope,
  joinDirectories,
  mergeScope,
  type Scope,
  type ShellFunction,
  type Source,
} from "./scope.ts";
import { runProgram } from "./programs.ts";
import type { UnderstandOptions } from "./understand.ts";

/** Text that a command prints; undefined when it is not known. */
export type Output = readonly Atom[] | undefined;

/** Known standard input; `read` takes lines off it. */
export interface Input {
  atoms: readonly Atom[];
}

/** Where a command stands: constant for everything inside it. */
export interface Frame {
  readonly source: Source;
  readonly provenance: Provenance;
  readonly via: readonly string[];
  readonly privileged: boolean;
  readonly remote?: string;
  readonly background: boolean;
  readonly pipeline?: { readonly id: number; readonly index: number; readonly length: number };
  readonly stdin?: Input;
  /** Language of the text around it; POSIX when absent. */
  readonly dialect?: Dialect;
  /** Nested scripts, functions and substitutions around it. */
  readonly depth: number;
  readonly moreArguments: boolean;
  /** Functions that are being run. */
  readonly calls: readonly string[];
}

/** A program about to run, with everything expanded. */
export interface Call {
  readonly program: string;
  readonly word: Word;
  readonly args: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  readonly scope: Scope;
  readonly frame: Frame;
  readonly span: Span;
}

/** Thrown when a command needs more work than is reasonable; caught in `understand`. */
export class TooComplex extends Error {}

const maxDepth = 16;
const maxSteps = 200_000;
const maxInvocations = 4_000;
const maxLoopRuns = 64;
const maxNodeDepth = 200;
/** More `<<` than this in one text are not what a person writes. */
const maxHeredocs = 400;

export class Evaluation {
  readonly invocations: Invocation[] = [];
  readonly doubts: Doubt[] = [];
  /** Content of files that the command itself writes, by absolute path. */
  readonly files = new Map<string, readonly Atom[]>();
  readonly options: UnderstandOptions;
  #steps = 0;
  #pipelines = 0;
  #nesting = 0;
  readonly #placeholders: (readonly Atom[])[] = [];
  /** What process substitutions print, by the list of invocations in their piece. */
  readonly #substituted = new WeakMap<readonly Invocation[], readonly Atom[]>();

  constructor(options: UnderstandOptions) {
    this.options = options;
  }

  step(cost = 1): void {
    this.#steps += cost;
    if (this.#steps > maxSteps) throw new TooComplex();
  }

  doubt(reason: Doubt["reason"], message: string, span: Span): void {
    if (this.doubts.length < 50) this.doubts.push({ reason, message, span });
  }

  emit(invocation: Invocation): void {
    this.step();
    if (this.invocations.length >= maxInvocations) throw new TooComplex();
    this.invocations.push(invocation);
  }

  spanOf(node: { readonly pos: number; readonly end: number }, frame: Frame): Span {
    return frame.source.span ?? { start: node.pos, end: node.end };
  }

  newPipeline(): number {
    return ++this.#pipelines;
  }

  // Scripts and statements.

  /** Parses and runs code that was put together from pieces; unknown pieces stay unknown inside it. */
  runCode(code: readonly Atom[], span: Span, scope: Scope, frame: Frame): Output {
    if (frame.depth >= maxDepth) {
      this.doubt("too-deep", "scripts are nested too deeply to be followed", span);
      return undefined;
    }
    const text = this.codeText(code);
    this.step(1 + (text.length >> 3));
    return this.runText(text, { text, span }, scope, {
      ...frame,
      dialect: "posix",
      depth: frame.depth + 1,
      source: { text, span },
    });
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

  runText(text: string, source: Source, scope: Scope, frame: Frame): Output {
    // The parser takes time in the square of these.
    let marks = 0;
    for (let at = text.indexOf("<<"); at >= 0; at = text.indexOf("<<", at + 2)) {
      if (++marks > maxHeredocs) throw new TooComplex();
    }
    // The parser does not see that such a line goes on in the middle of a sign.
    const script = parse(text.includes("\\\n") ? text.replace(/([$&|<>])(?:\\\n)+(?=[({&|<>A-Za-z_0-9])/g, "$1") : text);
    return this.runScript(script, scope, { ...frame, source });
  }

  runScript(script: ParsedScript, scope: Scope, frame: Frame): Output {
    const error = script.errors?.[0];
    if (error !== undefined && mayHide(frame.source.text)) {
      this.doubt(
        "syntax",
        `cannot be parsed: ${error.message}`,
        this.spanOf({ pos: error.pos, end: script.end }, frame),
      );
    }
    return this.#statements(script.commands, scope, frame);
  }

  #statements(statements: readonly Statement[], scope: Scope, frame: Frame): Output {
    if (++this.#nesting > maxNodeDepth) throw new TooComplex();
    try {
      let output: Output = [];
      for (const statement of statements) {
        this.step();
        const printed = this.#statement(statement, scope, frame);
        output = output === undefined || printed === undefined ? undefined : concat(output, printed);
        settle(scope);
      }
      return output;
    } finally {
      this.#nesting--;
    }
  }

  #statement(statement: Statement, scope: Scope, frame: Frame): Output {
    if (statement.background !== true) return this.#list(statement.command, scope, frame);
    const inner = this.#fork(scope);
    return this.#list(statement.command, inner, { ...frame, background: true });
  }

  #fork(scope: Scope): Scope {
    this.step(1 + (scope.variables.size >> 2));
    return forkScope(scope);
  }

  #list(node: Statement["command"], scope: Scope, frame: Frame): Output {
    if (node.type === "AndOr") return this.#andOr(node, scope, frame);
    if (node.type === "Pipeline") return this.#pipeline(node, scope, frame);
    return this.#command(node, scope, frame);
  }

  #andOr(node: AndOr, scope: Scope, frame: Frame): Output {
    let output = this.#list(node.commands[0]!, scope, frame);
    let failedAt: Directory | undefined = scope.failed;
    scope.failed = undefined;
    let sure = alwaysSucceeds(node.commands[0]!);
    for (let index = 0; index < node.operators.length; index++) {
      const right = node.commands[index + 1]!;
      this.step();
      if (node.operators[index] === "&&") {
        const branch = sure ? scope : this.#fork(scope);
        const printed = this.#list(right, branch, frame);
        output = output === undefined || printed === undefined ? undefined : concat(output, printed);
        if (branch.failed !== undefined) {
          failedAt = failedAt === undefined ? branch.failed : joinDirectories(failedAt, branch.failed);
          branch.failed = undefined;
        }
        if (branch !== scope) {
          // Inside the chain the right side counts as run; what it found before stays possible.
          const before = scope.directory;
          mergeScope(scope, branch);
          scope.directory = branch.directory;
          if (before !== branch.directory && failedAt === undefined) failedAt = before;
        }
        sure = sure && alwaysSucceeds(right);
      } else {
        const branch = this.#fork(scope);
        if (failedAt !== undefined) branch.directory = failedAt;
        const printed = this.#list(right, branch, frame);
        if (output === undefined || (output.length === 0 && !sure)) {
          output = output === undefined ? undefined : printed;
        }
        if (leaves(right)) {
          // `cd x || exit`: what follows runs only where the left side succeeded.
          failedAt = undefined;
        } else {
          settle(branch);
          const success = scope.directory;
          mergeScope(scope, branch);
          scope.directory = joinDirectories(success, branch.directory);
          failedAt = undefined;
        }
        sure = false;
      }
    }
    scope.failed = failedAt;
    return output;
  }

  #pipeline(node: Pipeline, scope: Scope, frame: Frame): Output {
    const outer = frame.pipeline;
    const id = outer?.id ?? this.newPipeline();
    const first = outer?.index ?? 0;
    const length = Math.max(outer?.length ?? 0, first + node.commands.length);
    let stdin = frame.stdin;
    let output: Output;
    node.commands.forEach((command, index) => {
      this.step();
      const last = index === node.commands.length - 1;
      const single = node.commands.length === 1;
      output = this.#command(command, single ? scope : this.#fork(scope), {
        ...frame,
        pipeline: single ? outer : { id, index: first + index, length },
        stdin,
      });
      stdin = output === undefined || last ? undefined : { atoms: output };
    });
    return output;
  }

  #command(node: CommandNode, scope: Scope, frame: Frame): Output {
    this.step();
    switch (node.type) {
      case "Command":
        return this.#simple(node, scope, frame);
      case "Redirected": {
        const { redirections, stdin } = this.#redirections(node.redirects, scope, frame);
        if (redirections.some((one) => one.operator !== "<<" && one.operator !== "<<<")) {
          this.#emitRedirections(redirections, [], this.spanOf(node, frame), scope, frame);
        }
        const inner = stdin === undefined ? this.#fileInput(redirections, scope, frame) : { ...frame, stdin };
        const output = this.#command(node.command, scope, inner);
        return this.#redirected(output, redirections, scope);
      }
      case "Subshell":
        return this.#statements(node.body.commands, this.#fork(scope), frame);
      case "BraceGroup":
        return this.#statements(node.body.commands, scope, frame);
      case "If": {
        const result = this.#fork(scope);
        let output = this.#statements(node.clause.commands.slice(0, -1), result, frame);
        output = this.#condition(node.clause, result, frame) === undefined ? undefined : output;
        const failed = result.failed;
        result.failed = undefined;
        const otherwise = this.#fork(result);
        if (failed !== undefined) otherwise.directory = failed;
        this.#statements(node.then.commands, result, frame);
        const ends = endsList(node.then);
        for (const branch of node.elif) {
          this.#statements(branch.clause.commands, otherwise, frame);
          const inner = this.#fork(otherwise);
          this.#statements(branch.then.commands, inner, frame);
          mergeScope(otherwise, inner);
        }
        if (node.else !== undefined) this.#statements(node.else.commands, otherwise, frame);
        adoptScope(scope, otherwise);
        if (!ends) {
          if (node.else !== undefined && endsList(node.else)) adoptScope(scope, result);
          else mergeScope(scope, result);
        }
        return undefined;
      }
      case "While":
        return this.#while(node, scope, frame);
      case "For":
      case "Select":
        return this.#for(node, scope, frame);
      case "ArithmeticFor": {
        const expander = this.expander(scope, frame);
        const part = { pos: node.pos, end: node.end, text: "" };
        evaluateArithmetic(node.initialize, expander, part);
        evaluateArithmetic(node.test, expander, part);
        const before = new Map(scope.variables);
        this.step(before.size);
        evaluateArithmetic(node.update, expander, part);
        // What a round changes has another value in each round.
        for (const name of new Set([...before.keys(), ...scope.variables.keys()])) {
          if (scope.variables.get(name) === before.get(name)) continue;
          const value = unknown(`$${name}`, "arithmetic", { name, mayBeEmpty: false });
          scope.variables.set(name, { values: [[value]] });
        }
        this.#loopBody(node.body, scope, frame);
        return undefined;
      }
      case "Case":
        return this.#case(node, scope, frame);
      case "TestCommand":
        this.#test(node.expression, scope, frame);
        return [];
      case "ArithmeticCommand":
        evaluateArithmetic(node.expression as ArithmeticExpression | undefined, this.expander(scope, frame), {
          pos: node.pos,
          end: node.end,
          text: node.body,
        });
        return [];
      case "Function": {
        const name = node.name.value;
        scope.functions.set(name, { node, source: frame.source });
        return [];
      }
      case "Coproc": {
        const inner = { ...frame, background: true };
        const body = node.body;
        if (body.type === "CompoundList") this.#statements(body.commands, this.#fork(scope), inner);
        else this.#command(body, this.#fork(scope), inner);
        return [];
      }
    }
  }

  /** The last statement of a condition, with the state that holds when it succeeded. */
  #condition(clause: CompoundList, scope: Scope, frame: Frame): Output {
    const last = clause.commands[clause.commands.length - 1];
    return last === undefined ? [] : this.#statement(last, scope, frame);
  }

  #loopBody(body: CompoundList, scope: Scope, frame: Frame): void {
    const before = scope.directory;
    const inner = this.#fork(scope);
    this.#statements(body.commands, inner, frame);
    settle(inner);
    const moved = inner.directory !== before && inner.directory.path !== before.path;
    mergeScope(scope, inner);
    if (moved) {
      // Each further round may go further.
      scope.directory = { path: undefined, certain: false, alternatives: alternativesOf(scope.directory) };
    }
  }

  #while(node: While, scope: Scope, frame: Frame): Output {
    const input = frame.stdin;
    let rounds = 0;
    let left: readonly Atom[] | undefined;
    do {
      left = input?.atoms;
      this.#statements(node.clause.commands, scope, frame);
      this.#loopBody(node.body, scope, frame);
      // Only a clause that reads known input is run again.
    } while (
      input !== undefined && input.atoms !== left && input.atoms.length > 0 && ++rounds < maxLoopRuns
    );
    if (rounds >= maxLoopRuns) {
      // The rest of the input is taken at once, as not known.
      const rest = { ...frame, stdin: undefined };
      this.#statements(node.clause.commands, scope, rest);
      this.#loopBody(node.body, scope, rest);
    }
    return undefined;
  }

  #for(node: For | Select, scope: Scope, frame: Frame): Output {
    const expander = this.expander(scope, frame);
    const name = node.name.value;
    const values = node.wordlist === undefined
      ? scope.positional ?? [[unknown('"$@"', "positional", { name: "@" })]]
      : node.wordlist.flatMap((word) => expandFields(word, expander));
    const before = scope.directory;
    const inner = this.#fork(scope);
    let output: Output = [];
    for (const value of values.slice(0, maxLoopRuns)) {
      inner.variables.set(name, { values: [value] });
      const printed = this.#statements(node.body.commands, inner, frame);
      output = output === undefined || printed === undefined ? undefined : concat(output, printed);
      settle(inner);
      this.step();
    }
    if (values.length > maxLoopRuns) {
      // The rest of the values is taken at once, as not known.
      inner.variables.set(name, { values: [[unknown(`$${name}`, "limit", { name, mayBeEmpty: false })]] });
      this.#statements(node.body.commands, inner, frame);
      output = undefined;
    }
    const moved = inner.directory !== before && inner.directory.path !== before.path;
    if (values.length === 0 || moved) mergeScope(scope, inner);
    else adoptScope(scope, inner);
    return output;
  }

  #case(node: Extract<CommandNode, { type: "Case" }>, scope: Scope, frame: Frame): Output {
    const expander = this.expander(scope, frame);
    const subject = staticText(expandSingle(node.word, expander));
    const result = this.#fork(scope);
    let decided = false;
    for (const item of node.items) {
      const patterns = item.pattern.map((word) => expandSingle(word, expander));
      if (subject !== undefined && subject.length < 4096 && !decided) {
        const compiled = patterns.map(compilePattern);
        const known = compiled.every((pattern) => pattern !== undefined);
        this.step(subject.length);
        const matches = compiled.some((pattern) => pattern !== undefined && matchesPattern(pattern, subject));
        if (known && !matches) continue;
        if (known && matches && item.terminator === ";;") decided = true;
      } else if (decided) continue;
      const branch = this.#fork(scope);
      this.#statements(item.body.commands, branch, frame);
      if (decided) adoptScope(result, branch);
      else mergeScope(result, branch);
      if (decided) break;
    }
    adoptScope(scope, result);
    return undefined;
  }

  #test(expression: TestExpression, scope: Scope, frame: Frame): void {
    this.step();
    switch (expression.type) {
      case "TestUnary":
        expandSingle(expression.operand, this.expander(scope, frame));
        break;
      case "TestBinary":
        expandSingle(expression.left, this.expander(scope, frame));
        expandSingle(expression.right, this.expander(scope, frame));
        break;
      case "TestLogical":
        for (const operand of expression.operands) this.#test(operand, scope, frame);
        break;
      case "TestNot":
        this.#test(expression.operand, scope, frame);
        break;
      case "TestGroup":
        this.#test(expression.expression, scope, frame);
        break;
    }
  }

  // Simple commands.

  #simple(node: Command, scope: Scope, frame: Frame): Output {
    let output: Output = [];
    let choice = 0;
    let choices = 1;
    do {
      const expander = this.expander(scope, frame, choice, (count) => choices = Math.max(choices, count));
      output = this.#simpleOnce(node, scope, frame, expander);
    } while (++choice < choices);
    return choices > 1 ? undefined : output;
  }

  #simpleOnce(node: Command, scope: Scope, frame: Frame, expander: Expander): Output {
    const span = this.spanOf(node, frame);
    const words: Word[] = [];
    const declared: AssignmentNode[] = [];
    const name = node.name === undefined ? [] : this.#words(node.name, expander, frame);
    words.push(...name);
    const declaring = declarations.has(words[0]?.text ?? "");
    for (const argument of node.args) {
      if (argument.type === "Assignment") {
        declared.push(argument);
        const value = argument.value;
        words.push(this.#word([
          plain(argument.text.slice(0, Math.max(0, argument.text.indexOf("=") + 1))),
          ...(value.type === "ArrayValue" ? [plain("(…)")] : expandSingle(value, expander, true)),
        ], this.spanOf(argument, frame)));
      } else words.push(...this.#words(argument, expander, frame));
    }
    const { redirections, stdin } = this.#redirections(node.redirects, scope, frame, expander);
    const inner = stdin === undefined ? this.#fileInput(redirections, scope, frame) : { ...frame, stdin };
    const assignments: Assignment[] = [];
    for (const prefix of node.prefix) {
      if (prefix.type !== "Assignment") continue;
      if (words.length === 0) this.assign(prefix, scope, expander);
      if (prefix.value.type === "Word") {
        assignments.push({
          name: prefix.name,
          value: this.#word(expandSingle(prefix.value, expander, true), this.spanOf(prefix, frame)),
        });
      }
    }
    if (words.length === 0) {
      if (redirections.length > 0 || hasCode(assignments)) {
        this.#emitRedirections(redirections, assignments, span, scope, frame);
      }
      // `> file` alone prints nothing; `$(< file)` prints the file.
      const [only, ...others] = redirections;
      return only?.operator === "<" && (only.descriptor ?? 0) === 0 && others.length === 0 && assignments.length === 0
        ? this.fileData(only.target, scope)
        : [];
    }
    if (declaring) { for (const assignment of declared) this.assign(assignment, scope, expander); }
    const output = this.runWords(words, assignments, redirections, span, scope, inner);
    this.#noteFedShells([...words, ...redirections.map((one) => one.target)]);
    return this.#redirected(output, redirections, scope);
  }

  /** `>(sh)`: what a command writes there is code, and it is not known here. */
  #noteFedShells(words: readonly Word[]): void {
    for (const word of words) {
      for (const piece of word.pieces) {
        if (piece.kind !== "unknown" || piece.origin !== "process" || !piece.source.startsWith(">(")) continue;
        if (!piece.invocations?.some((one) => readsCode(one))) continue;
        this.doubt("unknown-code", `${piece.source} runs what is written to it, which cannot be known`, word.span);
      }
    }
  }

  #words(word: SyntaxWord, expander: Expander, frame: Frame): Word[] {
    const span = this.spanOf(word, frame);
    return expandFields(word, expander).map((atoms) => this.#word(atoms, span));
  }

  /** Stdin from a file that the command itself has written or that can be read. */
  #fileInput(redirections: readonly Redirection[], scope: Scope, frame: Frame): Frame {
    const input = redirections.findLast((one) => one.operator === "<" && (one.descriptor ?? 0) === 0);
    if (input === undefined) return frame;
    const output = this.fileData(input.target, scope);
    return { ...frame, stdin: output === undefined ? undefined : { atoms: output } };
  }

  #emitRedirections(
    redirections: readonly Redirection[],
    assignments: readonly Assignment[],
    span: Span,
    scope: Scope,
    frame: Frame,
  ): void {
    this.emit(this.invocation({
      program: ":",
      word: textWord(":", span),
      args: [],
      assignments,
      redirections,
      scope,
      frame,
      span,
    }));
  }

  /** Remembers what is written to a file by `> file`; what goes there is not printed. */
  #redirected(output: Output, redirections: readonly Redirection[], scope: Scope): Output {
    let printed = output;
    for (const one of redirections) {
      const writes = one.operator === ">" || one.operator === ">>" || one.operator === ">|" ||
        one.operator === "&>" ||
        one.operator === "&>>";
      if (!writes || (one.descriptor ?? 1) !== 1) continue;
      this.written(one.target, output, one.operator.includes(">>"), scope);
      printed = [];
    }
    return printed;
  }

  /** Notes the content of a file that the command writes. */
  written(target: Word, content: Output, append: boolean, scope: Scope): void {
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

  #redirections(
    nodes: readonly RedirectionNode[],
    scope: Scope,
    frame: Frame,
    expander = this.expander(scope, frame),
  ): { redirections: Redirection[]; stdin: Input | undefined } {
    const redirections: Redirection[] = [];
    let stdin: Input | undefined;
    for (const node of nodes) {
      this.step();
      const span = this.spanOf(node, frame);
      const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : undefined;
      if (node.type === "HereDoc") {
        const raw = node.operator === "<<-" ? stripTabs(node.body.text) : node.body.text;
        const body = node.delimiter?.quoted ? [plain(raw)] : expandHeredoc(
          raw,
          node.operator === "<<-" && node.body.parts === undefined ? undefined : node.body.parts,
          expander,
        );
        redirections.push({
          operator: "<<",
          descriptor,
          target: textWord(node.delimiter?.value ?? "", span),
          body: this.#word(body, this.spanOf(node.body, frame)),
          span,
        });
        if ((descriptor ?? 0) === 0) stdin = { atoms: body };
      } else if (node.type === "HereString") {
        const body = node.target === undefined ? [] : expandSingle(node.target, expander);
        const target = this.#word(body, span);
        redirections.push({ operator: "<<<", descriptor, target, body: target, span });
        if ((descriptor ?? 0) === 0) stdin = { atoms: concat(body, [plain("\n")]) };
      } else {
        const target = node.target === undefined ? [] : expandFields(node.target, expander)[0] ?? [];
        redirections.push({
          operator: node.operator as RedirectionOperator,
          descriptor,
          target: this.#word(target, node.target === undefined ? span : this.spanOf(node.target, frame)),
          span,
        });
      }
    }
    return { redirections, stdin };
  }

  /** Carries out an assignment. */
  assign(node: AssignmentNode, scope: Scope, expander: Expander): void {
    const name = node.name;
    const old = scope.variables.get(name);
    if (node.value.type === "ArrayValue") {
      const added = expandArray(node.value, expander);
      const elements = node.append ? [...(old?.elements ?? []), ...added] : added;
      this.step(elements.length);
      const keyed = elements.every((element) => /^\[[^\]]+\]=/.test(piecesText(element))) &&
        elements.length > 0;
      if (keyed) {
        const keys = new Map<string, readonly Atom[]>();
        for (const element of elements) {
          const text = piecesText(element);
          const end = text.indexOf("]=");
          keys.set(text.slice(1, end), [plain(text.slice(end + 2))]);
        }
        scope.variables.set(name, { values: [[]], keys });
      } else scope.variables.set(name, { values: [elements[0] ?? []], elements });
      return;
    }
    const value = expandSingle(node.value, expander, true);
    if (node.index !== undefined) {
      const key = staticText(expandSingle(node.index, expander));
      if (key === undefined) scope.variables.delete(name);
      else if (/^[0-9]{1,4}$/.test(key) && old?.keys === undefined) {
        const elements = [...(old?.elements ?? old?.values.slice(0, 1) ?? [])];
        while (elements.length < Number(key)) elements.push([]);
        elements[Number(key)] = value;
        this.step(elements.length);
        scope.variables.set(name, { values: [elements[0] ?? []], elements });
      } else {
        const keys = new Map(old?.keys ?? []);
        keys.set(key, value);
        this.step(keys.size);
        scope.variables.set(name, { values: [[]], keys });
      }
      return;
    }
    this.setVariable(
      name,
      node.append ? concat(old?.values[0] ?? this.#environmentValue(name), value) : value,
      scope,
    );
  }

  #environmentValue(name: string): readonly Atom[] {
    const text = this.options.variables?.[name];
    return text !== undefined
      ? [plain(text)]
      : name === "PATH"
      ? [unknown("$PATH", "variable", { name })]
      : [];
  }

  setVariable(name: string, value: readonly Atom[], scope: Scope): void {
    scope.variables.set(name, { values: [this.weigh(value)] });
  }

  /** Counts the work that a value makes, and joins the text in it, so that it costs no more the next time. */
  weigh(atoms: readonly Atom[]): readonly Atom[] {
    let size = 0;
    for (const atom of atoms) size += atom.kind === "text" ? atom.text.length : 8;
    this.step(1 + (size >> 4) + (atoms.length >> 2));
    if (atoms.every((atom) => atom.kind !== "text") || (atoms.length === 1 && atoms[0]!.kind !== "text")) return atoms;
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
  #word(atoms: readonly Atom[], span: Span): Word {
    let size = atoms.length;
    for (const atom of atoms) if (atom.kind === "text") size += atom.text.length;
    this.step(size >> 4);
    return makeWord(atoms, span);
  }

  // Programs.

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
    if (frame.depth >= maxDepth) {
      this.doubt("too-deep", "commands are nested too deeply to be followed", span);
      return undefined;
    }
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
    if (word.isStatic) {
      const known = scope.functions.get(word.text);
      if (known !== undefined) return this.#callFunction(word.text, known, call);
      const alias = scope.aliases.get(word.text);
      if (alias !== undefined && !frame.calls.includes(`alias ${word.text}`)) {
        return this.runCode(
          [plain(alias), ...call.args.flatMap((argument) => [plain(" "), plain(this.mark(argument.pieces))])],
          span,
          scope,
          {
            ...frame,
            provenance: "alias",
            calls: [...frame.calls, `alias ${word.text}`],
            via: [...frame.via, word.text],
          },
        );
      }
    }
    return runProgram(this, call);
  }

  #callFunction(name: string, target: ShellFunction, call: Call): Output {
    const { frame, scope } = call;
    const label = `${name}()`;
    const active = frame.calls.filter((one) => one === label).length;
    const inner: Frame = {
      ...frame,
      source: target.source,
      provenance: "function",
      via: [...frame.via, label],
      depth: frame.depth + 1,
      calls: [...frame.calls, label],
    };
    if (active > 0) {
      // A function that calls itself is shown once more, so that rules can see the recursion.
      this.emit(this.invocation({ ...call, frame: { ...frame, provenance: "function" } }));
      if (active > 1) return undefined;
    }
    const positional = scope.positional;
    scope.positional = call.args.map((word) => word.pieces);
    if (frame.moreArguments) scope.positional = undefined;
    const node: FunctionNode = target.node;
    if (++this.#nesting > maxNodeDepth) throw new TooComplex();
    try {
      const output = node.body.type === "CompoundList"
        ? this.#statements(node.body.commands, scope, inner)
        : this.#command(node.body, scope, inner);
      return output;
    } finally {
      this.#nesting--;
      scope.positional = positional;
    }
  }

  // Expansion.

  expander(scope: Scope, frame: Frame, choice = 0, choices: (count: number) => void = () => {}): Expander {
    return {
      scope,
      home: this.options.home,
      environment: this.options.variables,
      choice,
      choices,
      step: (cost) => this.step(cost),
      placeholder: (number) => this.#placeholders[number],
      substitute: (script, text, pos, end, origin) => {
        if (frame.depth >= maxDepth) {
          this.doubt(
            "too-deep",
            "substitutions are nested too deeply to be followed",
            this.spanOf({ pos, end }, frame),
          );
          return { output: undefined, invocations: [] };
        }
        const start = this.invocations.length;
        const source: Source = script.source === undefined
          ? frame.source
          : { text: script.source, span: this.spanOf({ pos, end }, frame) };
        const output = this.runScript(script, this.#fork(scope), {
          ...frame,
          source: { ...source, text },
          provenance: origin === "command" ? "substitution" : "process-substitution",
          depth: frame.depth + 1,
          pipeline: undefined,
          stdin: undefined,
          moreArguments: false,
        });
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
          this.runCode([plain("echo "), ...code], span, this.#fork(scope), {
            ...frame,
            provenance: "substitution",
          });
        }
      },
    };
  }
}

/** True for a shell that takes its commands from standard input. */
function readsCode(invocation: Invocation): boolean {
  return /^(?:ba|z|da|k|a|fi)?sh$/.test(invocation.program) && invocation.stdin === undefined &&
    invocation.args.every((word) => /^-[A-Za-z]*s?$/.test(word.text) && !word.text.includes("c"));
}

/** Only the substitutions of a prompt string are code; the rest is text. */
function promptCode(text: string): string {
  return `"${text.replaceAll('"', '\\"')}"`;
}

const declarations = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Longest combined text that is carried along. */
export function concat(first: readonly Atom[], second: readonly Atom[]): readonly Atom[] {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return [...first, ...second];
}

function settle(scope: Scope): void {
  if (scope.failed === undefined) return;
  if (!scope.exitOnError) scope.directory = joinDirectories(scope.directory, scope.failed);
  scope.failed = undefined;
}

function alternativesOf(directory: Directory): readonly string[] {
  return [...(directory.path === undefined ? [] : [directory.path]), ...(directory.alternatives ?? [])];
}

function stripTabs(text: string): string {
  return text.replace(/^\t+/gm, "");
}

function hasCode(assignments: readonly Assignment[]): boolean {
  return assignments.some((one) => one.name.startsWith("GIT_"));
}

const steady = new Set([
  "true",
  ":",
  "export",
  "echo",
  "printf",
  "set",
  "unset",
  "alias",
  "declare",
  "local",
  "shopt",
]);

function alwaysSucceeds(node: Statement["command"]): boolean {
  if (node.type !== "Command") return node.type === "Function";
  return node.name === undefined || steady.has(node.name.text) || node.name.text === "cd";
}

const leaving = new Set(["exit", "return", "break", "continue", "exec", "die", "fail", "abort"]);

/** True when nothing after this command runs in the same list. */
function leaves(node: Statement["command"]): boolean {
  if (node.type === "Command") return leaving.has(node.name?.text ?? "");
  if (node.type === "BraceGroup") return endsList(node.body);
  return false;
}

function endsList(list: CompoundList): boolean {
  const last = list.commands[list.commands.length - 1];
  return last !== undefined && leaves(last.command);
}

/** Name by which rules know a program; empty when it is not known. */
export function programName(word: Word): string {
  let text = "";
  if (word.isStatic) text = word.text;
  else {
    // `$(brew --prefix)/bin/x` and `/b?n/rm` still show the name.
    const last = word.pieces[word.pieces.length - 1];
    if (last?.kind !== "text" || !last.text.includes("/")) return "";
    text = last.text;
  }
  // The separators of such a path are lost where nobody quoted it.
  const unquoted = /^[A-Za-z]:[^\\/]*?(powershell|pwsh|cmd|bash|wsl)\.exe$/i.exec(text);
  if (unquoted !== null) return unquoted[1]!.toLowerCase();
  const windows = /^[A-Za-z]:[\\/]|\.(?:exe|cmd|bat|com)$|^\\\\/i.test(text);
  const slash = windows ? Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) : text.lastIndexOf("/");
  const base = text.slice(slash + 1);
  const lower = base.toLowerCase();
  if (windows) return lower.replace(/\.(?:exe|cmd|bat|com)$/, "");
  // Volumes without case find the program under any spelling, and elsewhere there is none to be mistaken.
  return base !== lower && risky.has(lower) ? lower : base;
}

const risky = new Set(
  "rm rmdir unlink shred dd mkfs mv chmod chown chgrp curl wget nc ncat socat ssh scp sudo doas su git sh bash zsh dash eval exec source find xargs python python3 node perl ruby php osascript powershell pwsh truncate tee kill pkill killall crontab systemctl docker kubectl terraform aws gcloud az base64 cat env guard"
    .split(" "),
);

/** True when text that could not be parsed as a whole might hold something that a rule would object to. */
export function mayHide(text: string): boolean {
  if (/[`\\]|\$[('{]|<\(/.test(text)) return true;
  return text.split(/[^A-Za-z0-9_.]+/).some((word) => risky.has(word) || word.startsWith("mkfs"));
}
