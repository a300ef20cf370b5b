/** Where an interpreter takes the code from that it runs. */

import type { Invocation, Word } from "../../src/shell/model.ts";
import { type OptionSpec, parseArguments, type ParsedArguments } from "../options.ts";

export interface Code {
  /** Code in arguments: `-c`, `-e`, eval, here-strings. */
  readonly inline: readonly Word[];
  /** A script file, process substitutions included. */
  readonly file: Word | undefined;
  /** Standard input is the code. */
  readonly stdin: boolean;
}

const shells = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "fish",
  "csh",
  "tcsh",
  "rbash",
  "yash",
  "nu",
  "elvish",
  "xonsh",
]);

/** True for shells, whose bare form reads commands from standard input. */
export function isShell(program: string): boolean {
  return shells.has(program);
}

interface Language {
  readonly spec: OptionSpec;
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that start something else than a script, so that standard input is data. */
  readonly elsewhere?: readonly string[];
  /** First words that are no script. */
  readonly subcommands?: RegExp;
}

const python: Language = {
  spec: { values: ["-c", "-m", "-X", "-W", "-Q"], stopAtOperand: true },
  code: ["-c"],
  elsewhere: ["-m", "-V", "--version", "-h", "--help"],
};
const javascript: Language = {
  spec: {
    values: [
      "-e",
      "-p",
      "--eval",
      "--print",
      "-r",
      "--require",
      "--import",
      "--loader",
      "-C",
      "--input-type",
    ],
    stopAtOperand: true,
  },
  code: ["-e", "-p", "--eval", "--print", "-pe"],
  elsewhere: ["-v", "--version", "-h", "--help", "--test", "--check"],
};
const runtime: Language = {
  spec: { values: ["-e", "--eval", "-p", "-c", "--config"], stopAtOperand: true },
  code: ["-e", "--eval", "-p"],
  elsewhere: ["-v", "--version", "--help"],
  subcommands:
    /^(?:test|install|add|remove|x|create|init|link|pm|build|fmt|lint|task|check|cache|doc|compile|info|upgrade|publish|repl|lsp|bench|types|serve|i|up|update|outdated|eval)$/,
};
const perl: Language = {
  spec: {
    values: [
      "-e",
      "-E",
      "-I",
      "-M",
      "-m",
    ],
    attached: ["-i", "-0", "-l", "-F", "-C", "-x"],
    stopAtOperand: true,
  },
  code: ["-e", "-E"],
  elsewhere: ["-v", "-V"],
};
const ruby: Language = {
  spec: {
    values: [
      "-e",
      "-I",
      "-r",
      "-C",
      "-E",
    ],
    attached: ["-i", "-0", "-F", "-K", "-W", "-T"],
    stopAtOperand: true,
  },
  code: ["-e"],
  elsewhere: ["-v", "--version", "-S"],
};
const php: Language = {
  spec: { values: ["-r", "-f", "-d", "-c", "-B", "-R", "-F", "-E", "-S", "-t", "-z"], stopAtOperand: true },
  code: ["-r", "-B", "-R", "-E"],
  elsewhere: ["-S", "-v", "-i", "-m", "-l"],
};
const lua: Language = {
  spec: { values: ["-e", "-l"], stopAtOperand: true },
  code: ["-e"],
  elsewhere: ["-v"],
};

const languages: Readonly<Record<string, Language>> = {
  python,
  python2: python,
  python3: python,
  pypy: python,
  pypy3: python,
  node: javascript,
  nodejs: javascript,
  deno: runtime,
  bun: runtime,
  perl,
  ruby,
  php,
  lua,
  luajit: lua,
  rscript: { spec: { values: ["-e"], stopAtOperand: true }, code: ["-e"], elsewhere: ["--version"] },
  osascript: { spec: { values: ["-e", "-l", "-s"], stopAtOperand: true }, code: ["-e"] },
  tclsh: { spec: { stopAtOperand: true }, code: [] },
  groovy: { spec: { values: ["-e", "-cp"], stopAtOperand: true }, code: ["-e"] },
  julia: { spec: { values: ["-e", "-E", "-p", "-t", "-L"], stopAtOperand: true }, code: ["-e", "-E"] },
};

/** Every program that `codeOf` knows. */
export const interpreterPrograms: readonly string[] = [
  ...shells,
  ...Object.keys(languages),
  "source",
  ".",
  "eval",
  "iex",
  "invoke-expression",
  "pwsh",
  "powershell",
  "mshta",
  "regsvr32",
];

const shellSpec: OptionSpec = {
  values: ["-o", "-O", "--rcfile", "--init-file", "+o", "+O"],
  stopAtOperand: true,
};

/** Undefined when the program runs no code of its own, or only prints something about itself. */
export function codeOf(invocation: Invocation): Code | undefined {
  const program = invocation.program.toLowerCase();
  if (isShell(program)) return shellCode(invocation);
  if (program === "source" || program === ".") {
    const file = invocation.args.find((word) => !/^-/.test(word.text));
    return { inline: [], file, stdin: file !== undefined && isStdinPath(file) };
  }
  if (program === "eval") return { inline: invocation.args, file: undefined, stdin: false };
  if (program === "iex" || program === "invoke-expression") {
    const parsed = parseArguments(invocation.args, { style: "powershell", values: ["-command"] });
    const inline = [...parsed.values("-command"), ...parsed.operands];
    return { inline, file: undefined, stdin: inline.length === 0 };
  }
  if (program === "pwsh" || program === "powershell") {
    const parsed = parseArguments(invocation.args, {
      style: "powershell",
      values: [
        "-command",
        "-c",
        "-file",
        "-encodedcommand",
        "-executionpolicy",
        "-version",
        "-windowstyle",
        "-workingdirectory",
        "-inputformat",
        "-outputformat",
        "-configurationname",
      ],
    });
    const inline = parsed.values("-command", "-c");
    const file = parsed.value("-file");
    const bare = inline.length === 0 && file === undefined && parsed.operands.length === 0 &&
      !parsed.has("-encodedcommand");
    return {
      inline: [...inline, ...parsed.operands],
      file,
      stdin: bare || inline.some((word) => word.text === "-"),
    };
  }
  const language = Object.hasOwn(languages, program) ? languages[program] : undefined;
  return language === undefined ? undefined : languageCode(invocation, language);
}

function shellCode(invocation: Invocation): Code | undefined {
  const args = [...invocation.args];
  // `-c` takes the first operand, wherever it stands in a cluster.
  const parsed = parseArguments(args, shellSpec);
  if (parsed.has("--version", "--help")) return undefined;
  const operands = parsed.operands.filter((word) => !/^\+[a-zA-Z]/.test(word.text));
  const command = parsed.has("-c") || parsed.has("--command");
  if (command) {
    const inline = operands.slice(0, 1);
    return { inline: [...inline, ...herestrings(invocation)], file: undefined, stdin: false };
  }
  const file = parsed.has("-s") ? undefined : operands[0];
  const stdin = file === undefined || isStdinPath(file);
  return { inline: stdin ? herestrings(invocation) : [], file: stdin ? undefined : file, stdin };
}

function languageCode(invocation: Invocation, language: Language): Code | undefined {
  const parsed = parseArguments(invocation.args, language.spec);
  const inline = parsed.values(...language.code);
  if (inline.length > 0) return { inline, file: undefined, stdin: false };
  if (language.elsewhere !== undefined && parsed.has(...language.elsewhere)) return undefined;
  const operands = scriptOperands(parsed, language);
  if (operands === undefined) return undefined;
  const file = operands[0];
  const stdin = file === undefined || isStdinPath(file);
  return { inline: stdin ? herestrings(invocation) : [], file: stdin ? undefined : file, stdin };
}

function scriptOperands(parsed: ParsedArguments, language: Language): readonly Word[] | undefined {
  const [first, ...rest] = parsed.operands;
  if (language.subcommands === undefined) return parsed.operands;
  if (first?.text === "run") return rest.filter((word) => word.text === "-" || !word.text.startsWith("-"));
  if (first === undefined || language.subcommands.test(first.text)) return undefined;
  return parsed.operands;
}

function herestrings(invocation: Invocation): readonly Word[] {
  return invocation.stdin === undefined ? [] : [invocation.stdin];
}

function isStdinPath(word: Word): boolean {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word.text);
}
