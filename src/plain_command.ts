/**
 * Commands so plain that no parser is needed: words of letters, digits and a few signs, and a program that
 * starts no other. Everyday calls are of this kind, and loading the parser costs more than judging them.
 */

import type { Invocation, Piece, Span, Understanding, Word } from "./shell/model.ts";

/** Programs that do nothing but what their own arguments say. */
const programs = new Set(
  ("rm rmdir ls mkdir touch cp mv chmod chown cat head tail wc diff stat du df file tree whoami date ps uname id " +
    "hostname grep rg sort cut uniq pytest eslint prettier tsc jest vitest mvn cmake ruff mypy black")
    .split(" "),
);

/** Subcommands of git that run nothing else and have no alias in front of them. */
const gitVerbs = new Set(
  "status diff log show add commit branch checkout switch restore reset push pull fetch stash tag merge rev-parse clean rm mv remote blame"
    .split(" "),
);

const plainText = /^[A-Za-z0-9_./:=@+, ~-]{1,2000}$/;

/**
 * What the command runs, exactly as the parser would say it; undefined when the parser has to be asked.
 *
 * @param cwd absolute directory in which it runs
 */
export function plainUnderstanding(command: string, cwd: string, home: string): Understanding | undefined {
  if (command.startsWith("cat ") && command.includes("\n")) return writtenDocument(command, cwd, home);
  if (!plainText.test(command) || command.startsWith(" ") || command.endsWith(" ")) return undefined;
  const words: Word[] = [];
  let at = 0;
  for (const text of command.split(" ")) {
    const word = plainWord(text, at, home);
    if (word === undefined) return undefined;
    words.push(word);
    at += text.length + 1;
  }
  const [first, ...args] = words;
  if (first === undefined || !isPlainProgram(first.text, args)) return undefined;
  const span = { start: 0, end: command.length };
  const directory = { path: cwd, certain: true };
  return { invocations: [{ ...alone, word: first, program: first.text, args, directory, span }], doubts: [] };
}

/** What holds for a program that is all of a line. */
const alone = {
  assignments: [],
  redirections: [],
  dialect: "posix",
  pipeline: { id: 1, index: 0, length: 1 },
  provenance: "line",
  via: [],
  privileged: false,
  moreArguments: false,
  background: false,
} as const;

/** A quoted here-document into one file: how agents write files with a shell. */
const documentHead = /^cat (>>?) ?([A-Za-z0-9_./@+,~-]{1,1000}) <<(['"])([A-Za-z_]{1,40})\3\n/;
/** The most that may be a command at all is looked at by the parser. */
const longestDocument = 64 * 1024;

function writtenDocument(command: string, cwd: string, home: string): Understanding | undefined {
  // A carriage return or NUL is not the same to every shell.
  if (command.length > longestDocument || /[\r\0]/.test(command)) return undefined;
  const head = documentHead.exec(command);
  if (head === null) return undefined;
  const [{ length: start }, operator, path = "", , delimiter = ""] = head;
  const close = command.indexOf(`\n${delimiter}\n`, start - 1);
  const end = close < 0 ? command.length - delimiter.length : close + 1;
  // Nothing but a line feed may follow, and a document without lines is left to the parser.
  if (end <= start || !/^\n?$/.test(command.slice(end + delimiter.length))) return undefined;
  if (close < 0 && !command.endsWith(`\n${delimiter}`)) return undefined;
  const headEnd = start - 1;
  const pathStart = command.indexOf(path, 4 + operator!.length);
  const target = plainWord(path, pathStart, home);
  const word = plainWord("cat", 0, home);
  if (target === undefined || word === undefined) return undefined;
  const mark = { start: headEnd - delimiter.length - 4, end: headEnd };
  const body = quotedWord(command.slice(start, end), { start, end });
  const span = { start: 0, end: headEnd };
  const invocation: Invocation = {
    ...alone,
    word,
    program: "cat",
    args: [],
    redirections: [
      { operator: operator as ">" | ">>", target, span: { start: 4, end: target.span.end } },
      { operator: "<<", target: quotedWord(delimiter, mark), body, span: mark },
    ],
    directory: { path: cwd, certain: true },
    stdin: { ...body, span },
    span,
  };
  return { invocations: [invocation], doubts: [] };
}

function quotedWord(text: string, span: Span): Word {
  return { pieces: [{ kind: "text", text, quoted: true }], text, isStatic: true, hasGlob: false, span };
}

function isPlainProgram(program: string, args: readonly Word[]): boolean {
  if (program === "git") {
    const verb = args[0]?.text ?? "";
    // Some options name a program to run.
    return gitVerbs.has(verb) &&
      !args.some(({ text }) => /exec|pack|tool|cmd|editor|pager|=|^ext::/.test(text));
  }
  return programs.has(program) && !(program === "cmake" && args.some(({ text }) => text === "-E")) &&
    !args.some(({ text }) => /^--?(?:pre|hostname-bin|compress-program)/.test(text));
}

function plainWord(text: string, start: number, home: string): Word | undefined {
  // Several spaces in a row, somebody else's home, or one that shells expand inside a word.
  if (text === "" || /^~[^/]|[=:]~/.test(text)) return undefined;
  const pieces: Piece[] = [];
  let rest = text;
  if (text.startsWith("~")) {
    pieces.push({ kind: "text", text: home, quoted: true });
    rest = text.slice(1);
  }
  if (rest !== "") pieces.push({ kind: "text", text: rest, quoted: false });
  return {
    pieces,
    text: pieces.map((piece) => (piece as { text: string }).text).join(""),
    isStatic: true,
    hasGlob: false,
    span: { start, end: start + text.length },
  };
}
