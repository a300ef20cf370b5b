/** Builtins of the shell, and small programs that write files or run code later. */

import type { Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import {
  heldBy,
  isInitialiser,
  nested,
  noteMadeUpCode,
  noteUnknownCode,
  spanOfArgs,
  withoutDashes,
} from "./nested.ts";
import { printed, programOutput } from "./outputs.ts";
import { runMapfile, runRead } from "./input.ts";
import { runWatches, watchScope } from "./traps.ts";
import { type Atom, concat, joinAtoms, plain, splitWhite, staticText, unknown } from "./pieces.ts";
import {
  addAlias,
  alternativesOf,
  changeDirectory,
  define,
  forget,
  forkScope,
  joinDirectories,
  leaveEarly,
  positionalWords,
  type Scope,
  unsetVariable,
  type Values,
} from "./scope.ts";

type Handler = (evaluation: Evaluation, call: Call) => Output;

const emitOnly: Handler = (evaluation, call) => {
  evaluation.emit(evaluation.invocation(call));
  return printed(call);
};

/** What more files than these hold together is not known. */
const maxFiles = 100;

/** Builtins of the shell, and programs that change what the line itself knows. */
export const builtins: Readonly<Record<string, Handler>> = {
  cd: changeTo,
  chdir: changeTo,
  pushd: (evaluation, call) => {
    call.scope.stack.push(call.scope.directory);
    return changeTo(evaluation, call);
  },
  popd: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const { scope } = call;
    const back = scope.stack.pop();
    scope.previous = scope.directory;
    scope.directory = back ??
      { path: undefined, certain: false, alternatives: alternativesOf(scope.directory) };
    return [];
  },
  eval: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const code = joinAtoms(withoutDashes(call.args).map((word) => word.pieces));
    if (isInitialiser(code)) return [];
    noteUnknownCode(evaluation, call, code);
    noteMadeUpCode(evaluation, call, code);
    if (code.length === 0) return [];
    return evaluation.runCode(code, spanOfArgs(call), call.scope, nested(call, "nested-script", "eval"));
  },
  source: runSource,
  ".": runSource,
  trap: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const [code, signal] = withoutDashes(call.args);
    if (code === undefined || signal === undefined || code.text.startsWith("-")) return [];
    noteUnknownCode(evaluation, call, code.pieces);
    const run = (scope: Scope) =>
      void evaluation.runCode(code.pieces, code.span, scope, nested(call, "nested-script", "trap"));
    // A signal and an error come at any time, with the values that variables have then.
    const signals = call.args.filter((word) => word !== code && word.text !== "--");
    const ends = signals.filter((word) => /^(?:EXIT|0)$/i.test(word.text));
    if (ends.length < signals.length) {
      watchScope(evaluation, evaluation.codeText(code.pieces), call.scope, run);
      evaluation.atExit(call.scope, (scope) => runWatches(evaluation, scope));
    }
    if (ends.length > 0) evaluation.atExit(call.scope, (scope) => run(forkScope(scope)));
    return [];
  },
  alias: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    for (const word of call.args) {
      const equals = word.text.indexOf("=");
      if (equals > 0 && word.isStatic) {
        addAlias(call.scope, word.text.slice(0, equals), [word.text.slice(equals + 1)]);
      }
    }
    return [];
  },
  unalias: (evaluation, call) => {
    // The rest of a compound command, which was read before this ran, still has the alias.
    evaluation.emit(evaluation.invocation(call));
    return [];
  },
  unset: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const onlyFunctions = call.args[0]?.text === "-f";
    for (const { text } of call.args) {
      const element = /^([A-Za-z_][A-Za-z_0-9]*)\[/.exec(text)?.[1];
      if (element !== undefined) forget(call.scope, element);
      else {
        const isVariable = call.scope.variables.has(text);
        if (!onlyFunctions) define(call.scope, text, unsetVariable);
        if (onlyFunctions || !isVariable) call.scope.functions.delete(text);
      }
    }
    return [];
  },
  read: runRead,
  mapfile: runMapfile,
  readarray: runMapfile,
  set: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const { args, scope } = call;
    const dashes = args.findIndex((word) => word.text === "--");
    if (dashes >= 0) scope.positional = positionalWords(args.slice(dashes + 1));
    else if (args.length > 0 && !/^[-+]/.test(args[0]!.text)) {
      scope.positional = positionalWords(args);
    }
    const first = args[0]?.text ?? "";
    if (/^-[a-zA-Z]*a/.test(first) || (first === "-o" && args[1]?.text === "allexport")) {
      scope.exportsAll = true;
    }
    if (/^-[a-zA-Z]*e/.test(first) || (first === "-o" && args[1]?.text === "errexit")) {
      scope.exitOnError = true;
    }
    return [];
  },
  break: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    leaveEarly(call.scope.breaks, evaluation.fork(call.scope));
    return [];
  },
  continue: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    leaveEarly(call.scope.breaks, evaluation.fork(call.scope));
    return [];
  },
  return: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    // With another status what was called has failed, and what depends on it does not run.
    if (/^0*$/.test(call.args[0]?.text ?? "")) {
      leaveEarly(call.scope.returns, evaluation.fork(call.scope));
    }
    return [];
  },
  let: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    for (const { pieces, span } of call.args) {
      const code = [plain("(("), ...pieces, plain("))")];
      evaluation.runCode(code, span, call.scope, nested(call, "nested-script", "let"));
    }
    return [];
  },
  shift: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const count = Number(call.args[0]?.text ?? "1");
    const { positional } = call.scope;
    // By more than there are nothing is moved.
    const move = (values: Values) => count > values.length ? values : values.slice(count);
    call.scope.positional = Number.isInteger(count) && positional !== undefined
      ? { values: move(positional.values), others: positional.others?.map((one) => one && move(one)) }
      : undefined;
    return [];
  },
  printf: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const { args } = call;
    if (args[0]?.text === "-v" && args[1] !== undefined) {
      const value = programOutput("printf", args.slice(2), undefined, undefined);
      if (value === undefined) forget(call.scope, args[1].text);
      else evaluation.setVariable(args[1].text, value, call.scope);
      return [];
    }
    return printed(call);
  },
  export: exportNames,
  declare: exportNames,
  typeset: exportNames,
  enable: emitOnly,
  tee: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const append = call.args.some((word) => word.text === "-a" || word.text === "--append");
    for (const word of call.args) {
      if (!word.text.startsWith("-")) evaluation.written(word, call.frame.stdin?.atoms, append, call.scope);
    }
    return call.frame.stdin?.atoms;
  },
  cat: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const files = call.args.filter((word) => !word.text.startsWith("-") || word.text === "-");
    if (files.length === 0) return call.frame.stdin?.atoms;
    if (files.length > maxFiles) return [unknown(call.word.text, "command")];
    let output: Output = [];
    for (const word of files) {
      const content = word.text === "-" ? call.frame.stdin?.atoms : evaluation.fileData(word, call.scope);
      output = output === undefined || content === undefined ? undefined : concat(output, content);
    }
    return output;
  },
  cp: copyFile,
  mv: copyFile,
  ln: copyFile,
  at: runLater,
  batch: runLater,
  crontab: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    if (call.args.some((word) => /^-[lre]$/.test(word.text))) {
      return [unknown(call.word.text, "command", { mayBeEmpty: true }), plain("\n")];
    }
    const file = call.args.find((word) => word.text === "-" || !word.text.startsWith("-"));
    const content = file === undefined || file.text === "-"
      ? call.frame.stdin?.atoms
      : evaluation.fileContent(file, call.scope);
    for (const line of splitWhite(content ?? [], /\n/)) {
      evaluation.step();
      const code = withoutTimes(line);
      if (code === undefined) continue;
      const frame = nested(call, "nested-script", "crontab", { stdin: undefined, background: true });
      evaluation.runCode(code, call.span, { ...call.scope }, frame);
    }
    return [];
  },
};

/** `export -f name` and `declare -fx name`: shells that are started know the function. */
function exportNames(evaluation: Evaluation, call: Call): Output {
  const { args, scope } = call;
  const options = args.filter((word) => word.text.startsWith("-")).map((word) => word.text).join("");
  if (options.includes("f") && (call.program === "export" || options.includes("x"))) {
    for (const { text } of args) {
      const known = scope.functions.get(text);
      if (known !== undefined) scope.functions.set(text, { ...known, exported: true });
    }
  }
  return emitOnly(evaluation, call);
}

/** `at` and `batch` run their standard input later. */
function runLater(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const input = call.frame.stdin?.atoms;
  if (input === undefined || input.length === 0) return [];
  noteUnknownCode(evaluation, call, input);
  const frame = nested(call, "pipe", call.program, { stdin: undefined, background: true });
  evaluation.runCode(input, call.span, { ...call.scope }, frame);
  return [];
}

/** The command of a line of a crontab; undefined for comments and settings. */
function withoutTimes(line: readonly Atom[]): readonly Atom[] | undefined {
  const first = line[0];
  if (first?.kind !== "text") return undefined;
  const times = /^\s*(?:@\w+|(?:[-0-9*/,A-Za-z]+\s+){4}[-0-9*/,A-Za-z]+)\s+/.exec(first.text.slice(0, 400));
  return times === null ? undefined : [plain(first.text.slice(times[0].length)), ...line.slice(1)];
}

/** A copy, link or new name of a file whose content the command itself has written. */
function copyFile(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const operands = call.args.filter((word) => !word.text.startsWith("-"));
  if (operands.length === 2) {
    const from = evaluation.absolute(operands[0]!, call.scope);
    const to = evaluation.absolute(operands[1]!, call.scope);
    const content = from === undefined ? undefined : evaluation.files.get(from);
    const before = to === undefined ? undefined : evaluation.files.get(to);
    if (to !== undefined && content !== undefined) evaluation.files.set(to, content);
    // What replaces a file that the command has written may not be there, and then the file stays.
    else if (to !== undefined && before !== undefined) {
      evaluation.files.set(to, [...before, plain("\n"), unknown(operands[0]!.text, "command")]);
    }
  }
  return [];
}

/** `$(mktemp -d)`: a directory that was just made, and of which only the place is known. */
function isFreshDirectory({ pieces }: Word): boolean {
  const [first, ...rest] = pieces;
  return rest.length === 0 && first?.kind === "unknown" && first.invocations?.length === 1 &&
    first.invocations[0]!.program === "mktemp" &&
    !first.invocations[0]!.args.some((word) =>
      /^(?:-[a-z]*p|--tmpdir=)|\.\./.test(word.text) || /^[^-].*\//.test(word.text)
    );
}

function changeTo(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { scope } = call;
  const { path, alternatives: others = [] } = scope.directory;
  evaluation.step((1 + others.length) * (1 + ((path?.length ?? 0) >> 3)));
  const operands = call.args.filter((word, index) =>
    word.text === "-" || !/^-[LPe@]+$|^--$|^[-+][0-9]+$/.test(word.text) ||
    call.args.slice(0, index).some((one) => one.text === "--")
  );
  const from = scope.failed === undefined ? scope.directory : joinDirectories(scope.directory, scope.failed);
  const windows = evaluation.options.windows === true;
  const target = operands[0];
  if (target === undefined) {
    const home = scope.variables.get("HOME")?.values[0];
    const path = home === undefined ? evaluation.options.home : staticText(home);
    scope.directory = path === undefined || path === ""
      ? { path: undefined, certain: false }
      : changeDirectory(from, path, windows);
    scope.previous = from;
    scope.failed = undefined;
    return [];
  }
  let to = scope.directory;
  let sure = false;
  if (target.text === "-") {
    to = scope.previous ?? { path: undefined, certain: false };
    sure = true;
  } else if (target.isStatic) {
    // Without a path an empty operand stays where it is.
    to = target.text === "" ? from : changeDirectory(from, target.text, windows);
    sure = /^(?:\.{0,2}\/?)+$/.test(target.text) || to.path === evaluation.options.home ||
      target.text === "/tmp";
  } else if (isFreshDirectory(target)) {
    to = changeDirectory(from, "/tmp/tmp.XXXXXXXXXX", windows);
    sure = true;
  } else {
    const known = [...(from.path === undefined ? [] : [from.path])];
    to = { path: undefined, certain: false, ...(known.length > 0 ? { alternatives: known } : {}) };
  }
  scope.previous = from;
  scope.directory = to;
  scope.failed = sure ? undefined : from;
  return [];
}

function runSource(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const [file, ...rest] = withoutDashes(call.args);
  if (file === undefined) return [];
  const content = /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(file.text)
    ? call.frame.stdin?.atoms
    : evaluation.fileContent(file, call.scope);
  if (content === undefined) return undefined;
  const positional = call.scope.positional;
  if (rest.length > 0) call.scope.positional = positionalWords(rest);
  const frame = nested(call, "script-file", "source", heldBy(call, file));
  const output = evaluation.runCode(content, file.span, call.scope, frame);
  call.scope.positional = positional;
  return output;
}
