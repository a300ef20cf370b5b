/** Interpreters of other languages: where their code comes from, and following it. */

import { part } from "../parts.ts";
import type { Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { type Atom, dropText, plain, staticText } from "./pieces.ts";
import { heldBy, nested, noteUnknownCode } from "./nested.ts";
import { forkScope, type Scope } from "./scope.ts";
import type { Language } from "./code/tokens.ts";

interface Interpreter {
  readonly language: Language;
  /** Options whose value is code; single letters also at the end of a cluster (`perl -lne`). */
  readonly code: readonly string[];
  /** Other options with a value. */
  readonly values?: readonly string[];
  /** Options after which no script follows. */
  readonly stops?: readonly string[];
  /** First words that come before the code or the file. */
  readonly codeWords?: readonly string[];
  readonly fileWords?: readonly string[];
  /** Every operand is data: the code is an option or the first operand. */
  readonly first?: boolean;
}

const python: Interpreter = {
  language: "python",
  code: ["-c"],
  values: ["-W", "-X", "-Q"],
  stops: ["-m", "-V", "-h"],
};
const javascript: Interpreter = {
  language: "javascript",
  code: ["-e", "-p", "--eval", "--print"],
  values: [
    "-r",
    "--require",
    "--import",
    "--loader",
    "-C",
    "--conditions",
    "--input-type",
    "--env-file",
    "--env-file-if-exists",
    "--tsconfig",
    "--title",
    "--watch-path",
    "--test-name-pattern",
    "--test-reporter",
    "--test-reporter-destination",
    "--stack-trace-limit",
    "--unhandled-rejections",
    "--redirect-warnings",
    "--disable-warning",
    "--diagnostic-dir",
    "--cpu-prof-dir",
    "--heap-prof-dir",
    "--icu-data-dir",
    "--openssl-config",
    "--dns-result-order",
    "--trace-event-categories",
    "--trace-event-file-pattern",
    "--localstorage-file",
  ],
  stops: ["--test", "--check", "-c", "-v"],
};
const ruby: Interpreter = { language: "ruby", code: ["-e"], values: ["-I", "-r", "-C", "-E"] };
const perl: Interpreter = { language: "perl", code: ["-e", "-E"], values: ["-I"] };
const php: Interpreter = { language: "php", code: ["-r", "-B", "-R", "-E"], values: ["-d", "-c", "-z"] };
const lua: Interpreter = { language: "lua", code: ["-e"], values: ["-l"] };
const awk: Interpreter = {
  language: "awk",
  code: ["-e", "--source"],
  values: ["-F", "-v", "-f", "-i", "--field-separator", "--assign", "--file", "--include"],
  first: true,
};
const r: Interpreter = { language: "r", code: ["-e"], values: ["-f"] };
const elixir: Interpreter = {
  language: "elixir",
  code: ["-e", "--eval", "--rpc-eval"],
  values: ["-r", "-S"],
};

/** By program name without version. */
const interpreters: Readonly<Record<string, Interpreter>> = {
  python,
  pypy: python,
  ipython: python,
  py: python,
  node: javascript,
  nodejs: javascript,
  tsx: javascript,
  zx: { ...javascript, code: [...javascript.code, "-e"] },
  "ts-node": javascript,
  deno: {
    ...javascript,
    code: [],
    values: ["--config", "-c"],
    stops: ["-V"],
    codeWords: ["eval"],
    fileWords: ["run"],
  },
  bun: { ...javascript, stops: ["-v"], fileWords: ["run"] },
  ruby,
  jruby: ruby,
  rails: { ...ruby, code: [], codeWords: ["runner", "r"] },
  perl,
  php,
  lua,
  luajit: lua,
  texlua: lua,
  osascript: { language: "applescript", code: ["-e"], values: ["-l", "-s"] },
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  rscript: r,
  julia: { language: "julia", code: ["-e", "-E", "--eval", "--print"], values: ["-L", "-J", "-t", "-p"] },
  elixir,
  iex: elixir,
  groovy: { language: "groovy", code: ["-e"], values: ["-cp", "-classpath"] },
  crystal: { ...ruby, code: [], codeWords: ["eval"], fileWords: ["run"] },
  raku: perl,
};

function interpreterOf(program: string): Interpreter | undefined {
  const name = program.toLowerCase().replace(/-?[0-9][0-9.]*$/, "");
  return Object.hasOwn(interpreters, name) ? interpreters[name] : undefined;
}

/** True for programs that {@link runInterpreter} follows. */
export function isInterpreter(program: string): boolean {
  return interpreterOf(program) !== undefined;
}

/** Notes the interpreter and what its code does; the output is that of the code, when it is known. */
export function runInterpreter(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const interpreter = interpreterOf(call.program)!;
  const { codes, operands, stopped, label } = readArguments(call.args, interpreter);
  let language = interpreter.language;
  if (language === "applescript" && call.args.some((word) => /^(?:-l)?JavaScript$/i.test(word.text))) {
    language = "javascript";
  }
  const scope = interpreterScope(call);
  const run = (
    code: readonly Atom[],
    word: Word | undefined,
    args: readonly Word[],
    name: string,
    file?: string,
  ) =>
    part("scripts").readScript(evaluation, {
      language,
      code,
      span: word?.span ?? call.span,
      scope,
      frame: nested(call, "interpreter", `${call.program}${name}`, {
        stdin: undefined,
        moreArguments: false,
        ...(file === undefined || word === undefined ? {} : heldBy(call, word)),
      }),
      call,
      args: call.frame.moreArguments ? undefined : args.map((one) => one.pieces),
      ...(file === undefined ? {} : { file }),
    });
  if (codes.length > 0) {
    const code = codes.flatMap((word, index) => index === 0 ? word.pieces : [plain("\n"), ...word.pieces]);
    if (!isFilterVariable(language, code)) noteUnknownCode(evaluation, call, code);
    const printed = run(code, codes[0], operands, label === "" ? "" : ` ${label}`);
    // Options that print something else, or run the code once for each line.
    return /^-(?:p|-print)$/.test(label) || call.args.some((word) => /^-[a-z]*[np][a-z]*$/.test(word.text))
      ? undefined
      : printed;
  }
  if (stopped) return undefined;
  const [file, ...rest] = operands;
  if (file !== undefined && file.text !== "-" && file.text !== "/dev/stdin") {
    const console = consoleCode(file.text, rest);
    if (console !== undefined) {
      noteUnknownCode(evaluation, call, console.pieces);
      run(console.pieces, console, [], ` ${rest[0]!.text}`);
    }
    runFile(evaluation, call, file, (code, path) => run(code, file, rest, "", path));
    return undefined;
  }
  const input = call.frame.stdin?.atoms;
  if (input === undefined || input.length === 0 || interpreter.first === true) return undefined;
  noteUnknownCode(evaluation, call, input);
  return run(input, undefined, rest, "");
}

/** Code that a framework's own command line is given: `manage.py shell -c CODE`, `artisan tinker --execute=CODE`. */
function consoleCode(file: string, [verb, ...rest]: readonly Word[]): Word | undefined {
  const option = /(?:^|\/)manage\.py$/.test(file) && /^shell(?:_plus)?$/.test(verb?.text ?? "")
    ? /^(?:-c|--command)(?:=|$)/
    : /(?:^|\/)artisan$/.test(file) && verb?.text === "tinker"
    ? /^--execute(?:=|$)/
    : undefined;
  const at = option === undefined ? -1 : rest.findIndex((word) => option.test(word.text));
  const word = rest[at];
  if (word === undefined) return undefined;
  const equals = word.text.indexOf("=");
  return equals < 0 || !word.text.startsWith("--") ? rest[at + 1] : dropText(word, equals + 1);
}

/** `awk "$PROGRAM"`: a text filter that the environment holds, as `sed "$SCRIPT"` is one; not what a program prints. */
function isFilterVariable(language: Language, [first]: readonly Atom[]): boolean {
  return language === "awk" && first?.kind === "unknown" && first.origin === "variable" &&
    first.name !== undefined;
}

/** Places of code that is installed, not written by a project. */
const installed =
  /^\/(?:bin|sbin|usr|opt|lib|nix|snap|System|Library)\/|\/(?:node_modules|site-packages|\.venv|vendor)\//;

function runFile(
  evaluation: Evaluation,
  call: Call,
  file: Word,
  run: (code: readonly Atom[], path: string | undefined) => void,
): void {
  const path = evaluation.absolute(file, call.scope);
  if (path !== undefined && installed.test(path)) return;
  const content = evaluation.fileContent(file, call.scope);
  if (content === undefined || (staticText(content.slice(0, 1)) ?? "").slice(0, 1024).includes("\0")) return;
  // What the command itself has put into a file is its own code, as strict as an argument.
  run(content, path === undefined || evaluation.files.has(path) ? undefined : path);
}

/** Follows a script that is started by its path, in the language that its first line names. */
export function runForeignScript(evaluation: Evaluation, call: Call, program: string): void {
  const interpreter = interpreterOf(program);
  if (interpreter === undefined) return;
  runFile(evaluation, call, call.word, (code, file) =>
    part("scripts").readScript(evaluation, {
      language: interpreter.language,
      code,
      span: call.word.span,
      scope: interpreterScope(call),
      frame: nested(call, "script-file", call.program, {
        stdin: undefined,
        moreArguments: false,
        ...heldBy(call, call.word),
      }),
      call,
      args: call.frame.moreArguments ? undefined : call.args.map((one) => one.pieces),
      ...(file === undefined ? {} : { file }),
    }));
}

function interpreterScope(call: Call): Scope {
  const scope = forkScope(call.scope);
  scope.aliases.clear();
  scope.functions.clear();
  scope.exitOnError = false;
  scope.positional = undefined;
  for (const { name, value } of call.assignments) scope.variables.set(name, { values: [value.pieces] });
  return scope;
}

function readArguments(args: readonly Word[], interpreter: Interpreter) {
  const codes: Word[] = [];
  let label = "";
  let index = 0;
  let stopped = false;
  let fileGiven = false;
  for (; index < args.length; index++) {
    const word = args[index]!;
    const { text } = word;
    if (text === "--") {
      index++;
      break;
    }
    if (text === "-" || !text.startsWith("-")) {
      if (codes.length === 0 && interpreter.codeWords?.includes(text)) {
        const code = args.slice(index + 1).find((one) => !one.text.startsWith("-"));
        if (code !== undefined) codes.push(code);
        label = text;
        stopped = true;
        index = code === undefined ? args.length : args.indexOf(code) + 1;
        break;
      }
      if (interpreter.fileWords?.includes(text)) continue;
      break;
    }
    const equals = text.indexOf("=");
    if (text.startsWith("--") && equals > 0 && interpreter.code.includes(text.slice(0, equals))) {
      codes.push(dropText(word, equals + 1));
      label = text.slice(0, equals);
      continue;
    }
    if (interpreter.stops?.some((one) => one.length === 2 ? text.startsWith(one) : text === one)) {
      stopped = true;
      break;
    }
    if (interpreter.code.includes(text)) {
      label = text;
      const code = args[++index];
      if (code !== undefined) codes.push(code);
      continue;
    }
    if (interpreter.values?.includes(text)) {
      if (text === "-f" || text === "--file") fileGiven = true;
      index++;
      continue;
    }
    // A cluster that ends in the option, or one to which the code is attached.
    const letter = text.startsWith("--") ? -1 : clusterCode(text, interpreter);
    if (letter > 0) {
      label = `-${text[letter]}`;
      const code = letter + 1 < text.length ? dropText(word, letter + 1) : args[++index];
      if (code !== undefined) codes.push(code);
    }
  }
  let operands = args.slice(index);
  if (interpreter.first === true && codes.length === 0 && !fileGiven && operands[0] !== undefined) {
    codes.push(operands[0]);
    operands = operands.slice(1);
  }
  return { codes, operands, stopped, label };
}

function clusterCode(text: string, interpreter: Interpreter): number {
  for (let at = 1; at < text.length; at++) {
    const option = `-${text[at]}`;
    // `node -pe`: two options for one code.
    const both = at + 2 === text.length && interpreter.code.includes(`-${text[at + 1]}`);
    if (interpreter.code.includes(option) && !both) return at;
    if (interpreter.values?.includes(option) || !/[A-Za-z0]/.test(text[at]!)) return -1;
    if (interpreter.language === "perl" && /[iIMmFxCD]/.test(text[at]!)) return -1;
  }
  return -1;
}

/** Editors that run commands given as options. */
export const editors: ReadonlySet<string> = new Set("vim vi nvim view vimdiff gvim ex ed red".split(" "));

/** Settings of Mercurial and Sapling that are commands. */
const configured = "ui.editor= ui.ssh= ui.merge= pager.pager= hooks. alias.".split(" ").map((lead) =>
  ["--config", lead] as const
);

/** Options of other programs whose value is a command, with what stands in front of it. */
const codeOptions: Readonly<Record<string, readonly (readonly [option: string, lead?: string])[]>> = {
  tar: [
    ["--checkpoint-action", "exec="],
    ["--to-command"],
    ["--use-compress-program"],
    ["-I"],
    ["--rsh-command"],
    ["--info-script"],
    ["--new-volume-script"],
  ],
  rsync: [["-e"], ["--rsh"], ["--rsync-path"]],
  ssh: [["-o", "ProxyCommand="], ["-o", "LocalCommand="], ["-o", "KnownHostsCommand="]],
  scp: [["-o", "ProxyCommand="], ["-S"]],
  sftp: [["-o", "ProxyCommand="], ["-S"]],
  man: [["-P"], ["--pager"]],
  psql: [["-c", "\\!"], ["--command", "\\!"]],
  mysql: [["-e", "\\!"], ["-e", "system "]],
  gdb: [["-ex", "shell "], ["-ex", "!"], ["-eval-command", "shell "]],
  split: [["--filter"]],
  sort: [["--compress-program"]],
  zip: [["-TT"], ["--unzip-command"]],
  tcpdump: [["-z"]],
  xterm: [["-e"]],
  // Without an option it stands for any argument.
  sqlite3: [["", ".shell "], ["", ".system "]],
  socat: [["", "exec:"], ["", "system:"], ["", "shell:"]],
  less: [["", "+!"], ["", "++!"]],
  gh: [["", "!"]],
  hg: configured,
  chg: configured,
  sl: configured,
  jj: [["--config", "ui.editor="], ["--config", "ui.pager="], ["--config", "ui.diff-formatter="]],
};

/** Options whose command is run as it is; to those of the others the program adds arguments. */
const complete: ReadonlySet<string> = new Set(["--to-command", "--info-script", "--new-volume-script"]);

/** Runs the commands in options of a program that is otherwise no launcher. */
export function runCodeOptions(evaluation: Evaluation, call: Call): void {
  const known = Object.hasOwn(codeOptions, call.program) ? codeOptions[call.program]! : undefined;
  if (known === undefined) return;
  call.args.forEach((word, index) => {
    for (const [option, lead = ""] of known) {
      let value: Word | undefined;
      if (option === "") value = word;
      else if (word.text === option) value = call.args[index + 1];
      else if (option.startsWith("--") && word.text.startsWith(`${option}=`)) {
        value = dropText(word, option.length + 1);
      } else if (/^-.$/.test(option) && word.text.startsWith(option) && lead !== "") {
        value = dropText(word, 2);
      }
      if (value === undefined || !value.text.trimStart().toLowerCase().startsWith(lead.toLowerCase())) {
        continue;
      }
      const blank = value.text.length - value.text.trimStart().length;
      // `hooks.update=COMMAND`, `alias.x=!COMMAND`, and quotes of TOML around the command.
      const behind = value.text.slice(blank + lead.length);
      const named = option !== "--config"
        ? 0
        : (lead.endsWith(".") ? /^[\w.-]*=["'[]*!?/ : /^["'[]*!?/).exec(behind)?.[0].length ?? 0;
      const code = dropText(value, blank + lead.length + named);
      if (code.text.trim() === "") continue;
      evaluation.runCode(
        code.pieces,
        code.span,
        { ...call.scope },
        nested(call, "nested-script", `${call.program} ${option}`, {
          stdin: undefined,
          moreArguments: lead === "" && !complete.has(option),
        }),
      );
    }
  });
}
