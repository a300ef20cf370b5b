/**
 * Commands so plain that no parser is needed: words of letters, digits and a few signs, and a program that
 * starts no other. Everyday calls are of this kind, and loading the parser costs more than judging them.
 */

import type { Piece, Understanding, Word } from "./shell/model.ts";

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
  return {
    invocations: [{
      program: first.text,
      word: first,
      args,
      assignments: [],
      redirections: [],
      directory: { path: cwd, certain: true },
      dialect: "posix",
      pipeline: { id: 1, index: 0, length: 1 },
      provenance: "line",
      via: [],
      privileged: false,
      moreArguments: false,
      background: false,
      span: { start: 0, end: command.length },
    }],
    doubts: [],
  };
}

function isPlainProgram(program: string, args: readonly Word[]): boolean {
  if (program === "git") {
    const verb = args[0]?.text ?? "";
    // Some options name a program to run.
    return gitVerbs.has(verb) && !args.some(({ text }) => /exec|pack|tool|cmd|editor|pager|=/.test(text));
  }
  return programs.has(program) && !args.some(({ text }) => /^--?(?:pre|hostname-bin|compress-program)/.test(text));
}

function plainWord(text: string, start: number, home: string): Word | undefined {
  // Several spaces in a row, or somebody else's home.
  if (text === "" || /^~[^/]/.test(text)) return undefined;
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
