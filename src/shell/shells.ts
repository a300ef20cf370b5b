/** Shells that a command starts, with the script they are given as text, file or input. */

import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame, Output } from "./frame.ts";
import { type Atom, dropText, plain, textWord } from "./pieces.ts";
import { decoders, heldBy, nested, noteUnknownCode } from "./nested.ts";
import { forkScope, positionalWords, type Scope } from "./scope.ts";
import { isInterpreter, runForeignScript } from "./interpreters.ts";
import type { Span, Word } from "./model.ts";

/** Programs that run shell scripts. */
export const shellNames: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh ksh93 mksh ash fish rbash rzsh yash posh elvish xonsh csh tcsh nu osh ysh oil ion murex brush hush loksh rc es"
    .split(" "),
);

/** Shells that take `-n` as: read the commands and run none. */
const checking: ReadonlySet<string> = new Set("sh bash dash zsh ksh ksh93 mksh ash".split(" "));

const optionValues = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-C", "--init-command"]);

/** Runs `sh -c code`, `sh file`, `sh <<EOF`, `… | sh`. */
export function runShell(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const { args } = call;
  let code = false;
  let fromInput = false;
  let reads = false;
  let interactive = false;
  let startup: Word | undefined;
  let index = 0;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === "--" || text === "-") {
      index++;
      break;
    }
    if (optionValues.has(text) && !(call.program === "fish" && /^(?:-C|--init-command)$/.test(text))) {
      index++;
      if (/^--(?:rcfile|init-file)$/.test(text)) startup = args[index];
      if (args[index]?.text === "noexec") reads = text === "-o";
      continue;
    }
    if (text === "--command" || text === "--commands") {
      code = true;
      continue;
    }
    const given = /^--(?:init-)?commands?=/.exec(text)?.[0] ?? (/^-C./.test(text) ? "-C" : undefined);
    const before = call.program === "fish" && /^(?:-C|--init-command)$/.test(text)
      ? args[index + 1]
      : undefined;
    if (given !== undefined || before !== undefined) {
      const word = before ?? dropText(args[index]!, given!.length);
      runCodeArgument(evaluation, call, [word], shellScope(call));
      if (before !== undefined) index++;
      if (/^--commands?=/.test(given ?? "")) return undefined;
      continue;
    }
    if (text === "--version" || text === "--help") return undefined;
    if (text.startsWith("--")) continue;
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith("-") && text.includes("c")) code = true;
    if (text.startsWith("-") && text.includes("s")) fromInput = true;
    if (text.includes("n")) reads = text.startsWith("-");
    if (text.includes("i")) interactive = true;
    if (/o$/i.test(text)) index++;
  }
  // It only reads the code to find mistakes in it.
  if (reads && !interactive && checking.has(call.program)) return undefined;
  const operands = args.slice(index);
  const scope = shellScope(call);
  runStartup(evaluation, call, interactive, startup, scope);
  if (code) return runCodeArgument(evaluation, call, operands, scope);
  const [file, ...rest] = operands;
  if (file !== undefined && !fromInput && !/^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(file.text)) {
    scope.zero = file.text;
    setPositional(scope, call, rest);
    const content = evaluation.fileContent(file, call.scope);
    if (content === undefined) return undefined;
    return runOwn(
      evaluation,
      content,
      file.span,
      scope,
      nested(call, "script-file", call.program, { stdin: undefined, ...heldBy(call, file) }),
    );
  }
  const input = call.frame.stdin?.atoms;
  scope.positional = positionalWords(operands);
  if (input === undefined) noteEncodedInput(evaluation, call);
  if (input === undefined || input.length === 0) return undefined;
  const piped = call.redirections.some((one) => one.operator === "<<" || one.operator === "<<<")
    ? "heredoc"
    : "pipe";
  noteUnknownCode(evaluation, call, input);
  const frame = nested(call, piped, call.program, { stdin: undefined });
  runDoubleBrackets(evaluation, call, input, inputSpan(call), scope, frame);
  return runOwn(evaluation, input, inputSpan(call), scope, frame);
}

/** Start-up files that a shell runs before anything else: of an option, or named by the command's environment. */
function runStartup(
  evaluation: Evaluation,
  call: Call,
  interactive: boolean,
  option: Word | undefined,
  scope: Scope,
): void {
  const files: (readonly [file: Word, by: string])[] = [];
  for (const { name, value } of call.assignments) {
    const counts = (name === "BASH_ENV" && call.program === "bash" && !interactive) ||
      (name === "ENV" && interactive && call.program !== "bash");
    if (counts) files.push([value, ` (${name})`]);
  }
  if (interactive && option !== undefined) files.push([option, ""]);
  for (const [file, by] of files) {
    if (file.text === "" || file.text === "/dev/null") continue;
    const content = evaluation.fileContent(file, call.scope);
    if (content?.every((atom) => atom.kind === "text") !== true) {
      const message = `${call.program} would first run ${file.text}${by}`;
      evaluation.doubt("unknown-code", message, call.word.span);
    }
    if (content !== undefined) {
      const frame = nested(call, "script-file", call.program, {
        stdin: undefined,
        moreArguments: false,
        ...heldBy(call, file),
      });
      evaluation.runCode(content, file.span, scope, frame);
    }
  }
}

function inputSpan(call: Call) {
  const redirection = call.redirections.findLast((one) => one.body !== undefined);
  return redirection?.body?.span ?? call.span;
}

function runCodeArgument(
  evaluation: Evaluation,
  call: Call,
  operands: readonly Word[],
  scope: Scope,
): Output {
  const [code, zero, ...rest] = operands;
  if (code === undefined) return undefined;
  if (zero !== undefined) scope.zero = zero.text;
  setPositional(scope, call, rest);
  noteUnknownCode(evaluation, call, code.pieces);
  const frame = nested(call, "nested-script", `${call.program} -c`, { moreArguments: false });
  runDoubleBrackets(evaluation, call, code.pieces, code.span, scope, frame);
  const respell = Object.hasOwn(spellings, call.program) ? spellings[call.program]! : undefined;
  if (respell === undefined) return runOwn(evaluation, withoutShebang(code.pieces), code.span, scope, frame);
  if (call.program === "xonsh") {
    const words = ["python3", "-c"].map((text) => textWord(text, code.span));
    evaluation.runWords([...words, code], [], [], code.span, forkScope(scope), frame);
  }
  const written = code.pieces.map((piece) =>
    piece.kind === "text"
      ? { ...piece, text: respell.reduce((text, [from, to]) => text.replaceAll(from, to), piece.text) }
      : piece
  );
  return runOwn(evaluation, written, code.span, scope, frame);
}

/** What shells with a language of their own write otherwise, as a POSIX shell would. */
const spellings: Readonly<Record<string, readonly (readonly [from: RegExp, to: string])[]>> = {
  nu: [[/(^|[\s;|({])\^(?=[\w"'./~])/g, "$1"], [/\brun-external\b/g, "command"], [
    /\bopen(?=\s+["'~./])/g,
    "cat",
  ]],
  elvish: [[/(^|[\s;|({])e:(?=\w)/g, "$1"]],
  xonsh: [[/[!$]\[([^\]]*)\]/g, "\n$1\n"]],
};

/** `((rm x))` is arithmetic to bash, and a subshell in a subshell to the shells without arithmetic commands. */
function runDoubleBrackets(
  evaluation: Evaluation,
  call: Call,
  code: readonly Atom[],
  span: Span,
  scope: Scope,
  frame: Frame,
): void {
  if (!plainShells.has(call.program)) return;
  const text = (atom: Atom) => atom.kind === "text" ? atom.text : "";
  if (!code.some((atom) => doubleBracket.test(text(atom)))) return;
  const apart = code.map((atom) =>
    atom.kind === "text" ? plain(atom.text.replaceAll(new RegExp(doubleBracket, "g"), "$1( (")) : atom
  );
  const before = evaluation.doubts.length;
  evaluation.runCode(apart, span, forkScope(scope), frame);
  // As arithmetic it is read as well; of what cannot be parsed in this way nothing runs.
  const added = evaluation.doubts.splice(before);
  evaluation.doubts.push(...added.filter((one) => one.reason !== "syntax"));
}

const plainShells: ReadonlySet<string> = new Set(["sh", "dash", "ash"]);
const doubleBracket = /(^|[\s;&|({])\(\((?!\()/;

/** The parameters of a script; those that another program hands over are not known. */
function setPositional(scope: Scope, call: Call, words: readonly Word[]): void {
  scope.handed = call.frame.moreArguments;
  scope.positional = scope.handed ? undefined : positionalWords(words);
}

function withoutShebang(code: readonly Atom[]): readonly Atom[] {
  return code.length === 0 ? [plain("")] : code;
}

/** Runs code in a shell of its own, to its end. */
function runOwn(
  evaluation: Evaluation,
  code: readonly Atom[],
  span: Span,
  scope: Scope,
  frame: Frame,
): Output {
  return evaluation.inShell(scope, () => evaluation.runCode(code, span, scope, frame));
}

/** A new shell sees the variables (they may be exported) and exported functions, but no aliases. */
export function shellScope(call: Call): Scope {
  const inner = forkScope(call.scope);
  inner.aliases.clear();
  for (const [name, { exported }] of call.scope.functions) {
    if (exported !== true && call.scope.exportsAll !== true) inner.functions.delete(name);
  }
  inner.exitOnError = false;
  // Read-only is a variable for its own shell only.
  for (const [name, { fixed, ...variable }] of inner.variables) {
    if (fixed !== undefined) inner.variables.set(name, variable);
  }
  inner.watches = undefined;
  for (const { name, value } of call.assignments) inner.variables.set(name, { values: [value.pieces] });
  return inner;
}

/** Places of programs that are installed, not written by a project. */
const installed = /^\/(?:bin|sbin|usr|opt|lib|nix|snap|System|Library)\/|\/(?:node_modules|site-packages)\//;

/** Runs a script that is started by its path, by what its first line says. */
export function runScriptFile(evaluation: Evaluation, call: Call): void {
  if (installed.test(call.word.text)) return;
  const content = evaluation.fileContent(call.word, call.scope);
  const first = content?.[0];
  if (content === undefined || first?.kind !== "text" || first.text.slice(0, 1024).includes("\0")) return;
  const interpreter = shebang(first.text) ?? "sh";
  if (!shellNames.has(interpreter)) {
    runForeignScript(evaluation, call, interpreter);
    return;
  }
  const scope = shellScope(call);
  scope.zero = call.word.text;
  setPositional(scope, call, call.args);
  runOwn(
    evaluation,
    content,
    call.word.span,
    scope,
    nested(call, "script-file", call.program, { stdin: undefined, ...heldBy(call, call.word) }),
  );
}

/** Name of the program in the first line of a script; undefined when there is no such line. */
function shebang(text: string): string | undefined {
  if (!text.startsWith("#!")) return undefined;
  const end = text.indexOf("\n");
  const words = text.slice(2, end < 0 ? 256 : Math.min(end, 256)).trim().split(/\s+/);
  const program = (word: string | undefined) => (word ?? "").slice((word ?? "").lastIndexOf("/") + 1);
  if (program(words[0]) !== "env") return program(words[0]);
  return program(words.slice(1).find((word) => !word.startsWith("-") && !word.includes("=")));
}

/** Code that comes out of a decoder whose input is not known. */
function noteEncodedInput(evaluation: Evaluation, call: Call): void {
  const { pipeline } = call.frame;
  if (pipeline === undefined) return;
  for (let index = evaluation.invocations.length - 1; index >= 0; index--) {
    evaluation.step();
    const one = evaluation.invocations[index]!;
    const before = one.pipeline.id === pipeline.id && one.pipeline.index < pipeline.index;
    if (before && (decoders.has(one.program) || isInterpreter(one.program))) {
      evaluation.doubt(
        "encoded-code",
        `${call.program} runs what ${one.program} makes, which cannot be known`,
        call.span,
      );
      return;
    }
  }
}
