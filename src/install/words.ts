/** Splits a hook command line into words, tolerantly: it is used to recognise guard's own lines, not to run them. */

export interface FirstCommand {
  readonly words: readonly string[];
  /** What follows, from the operator that ended the command. */
  readonly rest: string;
}

/**
 * The first simple command. Single and double quotes group; a backslash escapes outside of a Windows path; an
 * operator or line break ends the command. Undefined when a quote is not closed.
 */
export function firstCommand(line: string): FirstCommand | undefined {
  const words: string[] = [];
  const windows = /^\s*(?:&\s*)?["']?(?:[A-Za-z]:[\\/]|\\\\)/.test(line);
  let word: string | undefined;
  let index = 0;
  while (index < line.length) {
    const char = line[index]!;
    if (char === "'" || char === '"') {
      const end = closing(line, index, !windows && char === '"');
      if (end === undefined) return undefined;
      word = (word ?? "") + unquote(line.slice(index + 1, end), char, windows);
      index = end + 1;
      // PowerShell writes a quote inside a quoted text twice.
      if (char === "'" && line[index] === "'") word += "'";
      continue;
    }
    if (char === "\\" && !windows && index + 1 < line.length) {
      word = (word ?? "") + line[index + 1];
      index += 2;
      continue;
    }
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (char === "\n" && words.length > 0) break;
    } else if ("|&;<>()".includes(char)) {
      // The call operator of PowerShell stands before the program.
      if (char !== "&" || words.length > 0 || word !== undefined) break;
    } else {
      word = (word ?? "") + char;
    }
    index++;
  }
  if (word !== undefined) words.push(word);
  return { words, rest: line.slice(index) };
}

function closing(line: string, open: number, escapes: boolean): number | undefined {
  for (let index = open + 1; index < line.length; index++) {
    if (escapes && line[index] === "\\") index++;
    else if (line[index] === line[open]) return index;
  }
  return undefined;
}

function unquote(text: string, quote: string, windows: boolean): string {
  if (quote === "'") return text;
  return windows ? text.replace(/\\([$`])/g, "$1") : text.replace(/\\([$`"\\])/g, "$1");
}
