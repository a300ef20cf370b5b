/** What programs do with their arguments that makes other programs run. */

import type { Assignment, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame, Output } from "./frame.ts";
import { programName } from "./names.ts";
import {
  type Atom,
  concat,
  dropText,
  joinAtoms,
  makeWord,
  piecesText,
  plain,
  staticText,
  unknown,
} from "./pieces.ts";
import { type Launcher, launchers } from "./launchers.ts";
import { programOutput, textPrograms } from "./outputs.ts";
import { runScriptFile, runShell, shellNames } from "./shells.ts";
import { changeDirectory, joinDirectories, type Scope } from "./scope.ts";
import { runGit } from "./git.ts";
import { runCommandProgram } from "./cmd.ts";
import { runPowerShellProgram } from "./powershell.ts";
import { editors, isInterpreter, runCodeOptions, runEditor, runInterpreter, runSed } from "./interpreters.ts";
import { runSpecial } from "./specials.ts";

type Handler = (evaluation: Evaluation, call: Call) => Output;

/** Runs one program: notes it, and whatever it starts in its turn. */
export function runProgram(evaluation: Evaluation, call: Call): Output {
  const { program } = call;
  if (program === "") return runUnknown(evaluation, call);
  runCodeOptions(evaluation, call);
  const builtin = Object.hasOwn(builtins, program) ? builtins[program] : undefined;
  if (builtin !== undefined) return builtin(evaluation, call);
  if (shellNames.has(program)) return runShell(evaluation, call);
  if (program === "git" || program === "hub") return runGit(evaluation, call);
  const launcher = Object.hasOwn(launchers, program) ? launchers[program] : undefined;
  if (launcher !== undefined) {
    const output = runLauncher(evaluation, call, launcher);
    if (output !== notLaunched) return output;
  }
  const special = runSpecial(evaluation, call);
  if (special !== undefined) return special.output;
  if (isInterpreter(program)) return runInterpreter(evaluation, call);
  if (/^(?:powershell|pwsh)(?:-preview)?$/i.test(program)) return runPowerShellProgram(evaluation, call);
  if (program === "cmd") return runCommandProgram(evaluation, call);
  if (editors.has(program)) return runEditor(evaluation, call);
  evaluation.emit(evaluation.invocation(call));
  if (program === "sed" || program === "gsed") runSed(evaluation, call);
  else if (call.word.isStatic && call.word.text.includes("/")) runScriptFile(evaluation, call);
  return printed(call);
}

/** What a program prints, where that can be told. */
function printed(call: Call): Output {
  const { directory } = call.scope;
  if (call.frame.moreArguments && /^(?:echo|printf|print)$/.test(call.program)) return undefined;
  return programOutput(
    call.program,
    call.args,
    call.frame.stdin?.atoms,
    directory.certain && call.scope.failed === undefined ? directory.path : undefined,
  );
}

function runUnknown(evaluation: Evaluation, call: Call): Output {
  const { word } = call;
  evaluation.emit(evaluation.invocation(call));
  const hidden = word.pieces.find((piece) => piece.kind === "unknown");
  if (hidden?.kind === "unknown") {
    const made = hidden.origin === "stdin" || hidden.origin === "limit" ||
      hidden.invocations?.some((one) => textPrograms.has(one.program)) === true;
    const typed = hidden.name !== undefined && hidden.origin === "variable";
    if (made && !typed) {
      evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
    }
  } else if (word.hasGlob && !word.text.startsWith("./")) {
    evaluation.doubt("unknown-program", `which program ${word.text} starts cannot be told`, word.span);
  }
  return undefined;
}

// Builtins.

const emitOnly: Handler = (evaluation, call) => {
  evaluation.emit(evaluation.invocation(call));
  return printed(call);
};

const builtins: Readonly<Record<string, Handler>> = {
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
    scope.directory = back ?? { path: undefined, certain: false, alternatives: alternatives(scope) };
    return [];
  },
  eval: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const code = joinAtoms(withoutDashes(call.args).map((word) => word.pieces));
    if (code.length === 0) return [];
    if (isInitialiser(code)) return [];
    noteUnknownCode(evaluation, call, code);
    return evaluation.runCode(code, spanOfArgs(call), call.scope, nested(call, "nested-script", "eval"));
  },
  source: runSource,
  ".": runSource,
  trap: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const [code, signal] = withoutDashes(call.args);
    if (code === undefined || signal === undefined || code.text.startsWith("-")) return [];
    noteUnknownCode(evaluation, call, code.pieces);
    evaluation.runCode(code.pieces, code.span, { ...call.scope }, nested(call, "nested-script", "trap"));
    return [];
  },
  alias: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    for (const word of call.args) {
      const equals = word.text.indexOf("=");
      if (equals > 0 && word.isStatic) {
        call.scope.aliases.set(word.text.slice(0, equals), word.text.slice(equals + 1));
      }
    }
    return [];
  },
  unalias: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    for (const word of call.args) call.scope.aliases.delete(word.text);
    return [];
  },
  unset: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    for (const word of call.args) {
      call.scope.variables.delete(word.text);
      call.scope.functions.delete(word.text);
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
    if (dashes >= 0) scope.positional = args.slice(dashes + 1).map((word) => word.pieces);
    else if (args.length > 0 && !/^[-+]/.test(args[0]!.text)) {
      scope.positional = args.map((word) => word.pieces);
    }
    const first = args[0]?.text ?? "";
    if (/^-[a-zA-Z]*e/.test(first) || (first === "-o" && args[1]?.text === "errexit")) {
      scope.exitOnError = true;
    }
    return [];
  },
  shift: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const count = Number(call.args[0]?.text ?? "1");
    call.scope.positional = Number.isInteger(count) ? call.scope.positional?.slice(count) : undefined;
    return [];
  },
  printf: (evaluation, call) => {
    evaluation.emit(evaluation.invocation(call));
    const { args } = call;
    if (args[0]?.text === "-v" && args[1] !== undefined) {
      const value = programOutput("printf", args.slice(2), undefined, undefined);
      if (value === undefined) call.scope.variables.delete(args[1].text);
      else evaluation.setVariable(args[1].text, value, call.scope);
      return [];
    }
    return printed(call);
  },
  export: emitOnly,
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
    for (const line of splitWhite(content ?? [], /\n/).slice(0, 200)) {
      const code = withoutTimes(line);
      if (code === undefined) continue;
      const frame = nested(call, "nested-script", "crontab", { stdin: undefined, background: true });
      evaluation.runCode(code, call.span, { ...call.scope }, frame);
    }
    return [];
  },
};

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
    if (content !== undefined && to !== undefined) evaluation.files.set(to, content);
  }
  return [];
}

function alternatives(scope: Scope): readonly string[] {
  const { directory } = scope;
  return [...(directory.path === undefined ? [] : [directory.path]), ...(directory.alternatives ?? [])];
}

/** `$(mktemp -d)`: a directory that was just made, and of which only the place is known. */
function isFreshDirectory({ pieces }: Word): boolean {
  const [first, ...rest] = pieces;
  return rest.length === 0 && first?.kind === "unknown" && first.invocations?.length === 1 &&
    first.invocations[0]!.program === "mktemp" &&
    !first.invocations[0]!.args.some((word) => /^(?:-[a-z]*p|--tmpdir=)|\.\./.test(word.text) || /^[^-].*\//.test(word.text));
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
  const content = evaluation.fileContent(file, call.scope);
  if (content === undefined) return undefined;
  const positional = call.scope.positional;
  if (rest.length > 0) call.scope.positional = rest.map((word) => word.pieces);
  const output = evaluation.runCode(content, file.span, call.scope, nested(call, "script-file", "source"));
  call.scope.positional = positional;
  return output;
}

function runRead(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const names: string[] = [];
  let array = false;
  let raw = false;
  for (let index = 0; index < call.args.length; index++) {
    const text = call.args[index]!.text;
    if (/^-/.test(text) && names.length === 0) {
      if (/a/.test(text)) array = true;
      if (/r/.test(text)) raw = true;
      if (/[dinNptu]$/.test(text)) index++;
    } else names.push(text);
  }
  if (names.length === 0) names.push("REPLY");
  const input = call.frame.stdin;
  if (input === undefined) {
    for (const name of names) {
      call.scope.variables.set(name, { values: [[unknown(`$${name}`, "stdin", { name })]] });
    }
    return [];
  }
  const line = takeLine(input);
  const fields = splitWhite(raw ? line : line);
  if (array) {
    call.scope.variables.set(names[0]!, { values: [fields[0] ?? []], elements: fields });
    return [];
  }
  names.forEach((name, index) => {
    const value = index === names.length - 1 ? joinAtoms(fields.slice(index)) : fields[index] ?? [];
    evaluation.setVariable(name, value, call.scope);
  });
  return [];
}

function runMapfile(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const name = call.args.findLast((word) => !word.text.startsWith("-"))?.text ?? "MAPFILE";
  const input = call.frame.stdin;
  if (input === undefined) {
    call.scope.variables.set(name, { values: [[unknown(`$${name}`, "stdin", { name })]] });
    return [];
  }
  const lines: (readonly Atom[])[] = [];
  while (input.atoms.length > 0 && lines.length < 1000) lines.push(takeLine(input));
  call.scope.variables.set(name, { values: [lines[0] ?? []], elements: lines });
  return [];
}

/** Takes the first line off known input. */
function takeLine(input: { atoms: readonly Atom[] }): readonly Atom[] {
  const line: Atom[] = [];
  for (let index = 0; index < input.atoms.length; index++) {
    const atom = input.atoms[index]!;
    const newline = atom.kind === "text" ? atom.text.indexOf("\n") : -1;
    if (atom.kind === "text" && newline >= 0) {
      line.push(plain(atom.text.slice(0, newline)));
      const rest = atom.text.slice(newline + 1);
      input.atoms = [...(rest === "" ? [] : [plain(rest)]), ...input.atoms.slice(index + 1)];
      return line;
    }
    line.push(atom);
  }
  input.atoms = [];
  return line;
}

/** Splits at white space; quoted text in it is text like any other. */
export function splitWhite(atoms: readonly Atom[], separator = /\s+/): Atom[][] {
  const fields: Atom[][] = [];
  let field: Atom[] | undefined;
  for (const atom of atoms) {
    if (atom.kind !== "text") {
      (field ??= []).push(atom);
      continue;
    }
    const chunks = atom.text.split(separator);
    chunks.forEach((chunk, index) => {
      if (index > 0 && field !== undefined) {
        fields.push(field);
        field = undefined;
      }
      if (chunk !== "") (field ??= []).push(plain(chunk));
    });
  }
  if (field !== undefined) fields.push(field);
  return fields;
}

// Helpers for everything that nests.

/** A frame one level further in. */
export function nested(
  call: Call,
  provenance: Frame["provenance"],
  label: string,
  more: Partial<Frame> = {},
): Frame {
  return {
    ...call.frame,
    provenance,
    via: [...call.frame.via, label],
    depth: call.frame.depth + 1,
    ...more,
  };
}

export function withoutDashes(args: readonly Word[]): readonly Word[] {
  return args[0]?.text === "--" ? args.slice(1) : args;
}

function spanOfArgs(call: Call) {
  const first = call.args[0]?.span ?? call.span;
  const last = call.args[call.args.length - 1]?.span ?? call.span;
  return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}

/** Doubts code that is unknown as a whole and that no rule can judge by where it comes from. */
export function noteUnknownCode(evaluation: Evaluation, call: Call, code: readonly Atom[]): void {
  const lead = code.find((atom) => atom.kind !== "text" || atom.text.trim() !== "");
  if (lead?.kind !== "unknown") return;
  const inside = lead.invocations ?? [];
  const encoded = inside.some((one) => decoders.has(one.program));
  const judged = inside.some((one) => fetchers.has(one.program)) && !encoded;
  if (judged || isInitialiser(code)) return;
  if (lead.origin === "positional" && call.frame.moreArguments) return;
  evaluation.doubt(
    encoded ? "encoded-code" : "unknown-code",
    `${call.program} runs ${piecesText([lead])}, which cannot be known`,
    call.span,
  );
}

/** Programs that turn unreadable text into code. */
export const decoders: ReadonlySet<string> = new Set("base64 base32 xxd openssl gunzip zcat uudecode rev tr od bzip2 xz gpg".split(" "));
const fetchers = new Set("curl wget http https aria2c fetch lynx invoke-webrequest invoke-restmethod".split(" "));

const initialisers = new Set(
  "ssh-agent direnv pyenv rbenv nodenv goenv jenv zoxide brew starship mise rtx asdf fnm nvm thefuck opam atuin mcfly navi dircolors register-python-argcomplete minikube docker-machine luarocks perl conda mamba micromamba gh kubectl helm op fzf keychain gpg-agent lesspipe tput resize basenc vault aws-vault sheldon antibody rustup cargo pip uv poetry ruby npm pnpm volta oh-my-posh devbox flox"
    .split(" "),
);
const initialising =
  /^(?:-s|-c|hook|init|env|shellenv|shell|activate|completion|completions|export|generate-shell-completion|docker-env|virtualenv-init|--eval|--sh|--path|path|config-env|--bootstrap|-|--shell.*|--auto|--alias|-I.*|-Mlocal::lib.*|print-env|-b|--agents)$/;

/** `eval "$(tool init shell)"` and its like. */
export function isInitialiser(code: readonly Atom[]): boolean {
  const atoms = code.filter((atom) => atom.kind !== "text" || atom.text.trim() !== "");
  const only = atoms[0];
  if (atoms.length !== 1 || only?.kind !== "unknown" || only.invocations === undefined) return false;
  const [first, ...rest] = only.invocations;
  if (first === undefined || rest.length > 0) return false;
  if (first.program === "ssh-agent" || first.program === "dircolors" || first.program === "resize") {
    return true;
  }
  return initialisers.has(first.program) && first.args.some((word) => initialising.test(word.text));
}

// Launchers.

const notLaunched = Symbol("not a launch") as unknown as Output;

interface Launch {
  readonly operands: readonly Word[];
  readonly options: readonly { readonly name: string; readonly value?: Word }[];
}

/**
 * Separates a launcher's options from its operands, the way the program itself does.
 *
 * @param anywhere Options may also follow operands.
 */
export function splitOptions(args: readonly Word[], launcher: Launcher, anywhere = false): Launch {
  const options: { name: string; value?: Word }[] = [];
  const before: Word[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index]!;
    const text = word.text;
    if (text === "--") {
      index++;
      break;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
      if (equals >= 0) options.push({ name, value: dropText(word, equals + 1) });
      else if (launcher.longValues?.includes(name)) options.push({ name, value: args[++index] });
      else options.push({ name });
    } else if (/^-./.test(text)) {
      let at = 1;
      for (; at < text.length; at++) {
        const letter = text[at]!;
        if (launcher.values?.includes(letter)) {
          const value = at + 1 < text.length ? dropText(word, at + 1) : args[++index];
          options.push({ name: letter, value });
          break;
        }
        options.push({ name: letter });
      }
    } else if (anywhere) before.push(word);
    else break;
  }
  return { options, operands: [...before, ...args.slice(index)] };
}

function runLauncher(evaluation: Evaluation, call: Call, launcher: Launcher): Output {
  let args = call.args;
  let label = call.program;
  if (launcher.subcommands !== undefined) {
    const found = findSubcommand(args, launcher);
    if (found < 0) return notLaunched;
    label = `${call.program} ${args[found]!.text}`;
    args = args.slice(found + 1);
  }
  const { options, operands } = splitOptions(args, launcher, launcher.skip === Infinity);
  if (launcher.shows !== undefined && options.some((option) => launcher.shows!.includes(option.name))) {
    return notLaunched;
  }
  const more: { -readonly [K in keyof Frame]?: Frame[K] } = {};
  if (launcher.privileged && !launcher.remote) more.privileged = true;
  if (launcher.background) more.background = true;
  const scope: Scope = { ...call.scope };
  for (const option of options) {
    if (launcher.directory?.includes(option.name) && option.value !== undefined) {
      scope.directory = option.value.isStatic
        ? changeDirectory(scope.directory, option.value.text, evaluation.options.windows === true)
        : { path: undefined, certain: false };
    }
  }
  const assignments: Assignment[] = [...call.assignments];
  let rest = operands;
  if (launcher.remote !== undefined && operands[0] !== undefined) {
    more.remote = `${launcher.remote} ${operands[0].text}`;
    if (launcher.remote === "ssh") {
      more.remote = operands[0].text;
      more.privileged = /^root@/.test(operands[0].text);
    }
    scope.directory = { path: undefined, certain: false };
  }
  const skip = launcher.skip ?? 0;
  rest = skip === Infinity ? [] : rest.slice(skip);
  if (launcher.afterDashes && rest.length > 0) {
    const dashes = args.findIndex((word) => word.text === "--");
    rest = dashes >= 0 ? args.slice(dashes + 1) : rest;
  }
  if (rest[0]?.text === "--") rest = rest.slice(1);
  if (launcher.assignments) {
    while (rest[0] !== undefined && /^[A-Za-z_][A-Za-z_0-9]*=/.test(rest[0].text)) {
      const equals = rest[0].text.indexOf("=");
      assignments.push({ name: rest[0].text.slice(0, equals), value: dropText(rest[0], equals + 1) });
      rest = rest.slice(1);
    }
  }
  const codes = options.filter((option) =>
    launcher.code?.includes(option.name) && option.value !== undefined
  );
  if (rest[1] !== undefined && /^-./.test(rest[0]!.text) && launcher.code?.includes(rest[0]!.text.slice(1))) {
    // `flock FILE -c CODE`: the option stands behind an operand.
    codes.push({ name: rest[0]!.text.slice(1), value: rest[1] });
    rest = [];
  }
  const input = call.frame.stdin?.atoms;
  const opensShell = (launcher.remote === "ssh" && operands.length > 0) || /^(?:su|runuser)$/.test(call.program) ||
    (/^(?:sudo|doas)$/.test(call.program) && options.some(({ name }) => /^(?:s|i|shell|login)$/.test(name)));
  if (rest.length === 0 && codes.length === 0 && opensShell && input !== undefined) {
    // Without a command the shell that it opens reads its commands from standard input.
    evaluation.emit(evaluation.invocation(call));
    noteUnknownCode(evaluation, call, input);
    return evaluation.runCode(input, call.span, scope, nested(call, "pipe", label, { ...more, stdin: undefined }));
  }
  if (rest.length === 0 && codes.length === 0) return notLaunched;
  if (launcher.keep) evaluation.emit(evaluation.invocation(call));
  let output: Output = [];
  for (const { value } of codes) {
    noteUnknownCode(evaluation, call, value!.pieces);
    output = evaluation.runCode(
      value!.pieces,
      value!.span,
      scope,
      nested(call, "nested-script", `${label} -c`, more),
    );
  }
  if (rest.length === 0) return output;
  if (launcher.script) {
    const code = joinAtoms(rest.map((word) => word.pieces));
    noteUnknownCode(evaluation, call, code);
    return evaluation.runCode(code, rest[0]!.span, scope, nested(call, "nested-script", label, more));
  }
  return evaluation.runWords(
    rest,
    assignments,
    call.redirections,
    call.span,
    scope,
    nested(call, "wrapper", label, more),
  );
}

function findSubcommand(args: readonly Word[], launcher: Launcher): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]!.text;
    if (launcher.subcommands!.includes(text)) return index;
    if (text.startsWith("--")) {
      if (!text.includes("=") && launcher.longValues?.includes(text.slice(2))) index++;
    } else if (/^-.$/.test(text)) {
      if (launcher.values?.includes(text[1]!)) index++;
    } else if (!text.startsWith("-") && text !== "compose" && text !== "tool") return -1;
  }
  return -1;
}

export { makeWord, programName, staticText };
