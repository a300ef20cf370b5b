/** Patterns as in `.gitignore`, matched without regular expressions: at most pattern × name steps each. */

/** What a file of patterns says; undefined for a text that is too large to be one. */
export interface IgnorePatterns {
  /** `path` is relative to the directory of the file; `directory` tells whether it is one. */
  ignores(path: string, directory: boolean): boolean;
}

/** Most patterns, characters of all of them, answers that are kept, and names in a path that is looked through. */
const limits = { patterns: 500, characters: 16 * 1024, kept: 5000, depth: 64 };

/** A part of a pattern, taken apart; `**` stands for any number of names. */
type Part = "**" | readonly Step[];

interface Pattern {
  readonly parts: readonly Part[];
  readonly negated: boolean;
  readonly directoryOnly: boolean;
}

/** Reads the text of a file of patterns; an empty text stands for everything. */
export function ignorePatterns(text: string, caseInsensitive: boolean): IgnorePatterns | undefined {
  if (text.length > limits.characters) return undefined;
  if (text.replace(/^\uFEFF/, "").trim() === "") return { ignores: () => true };
  const patterns: Pattern[] = [];
  const fold = (part: string) => caseInsensitive ? part.toLowerCase() : part;
  for (const written of text.replace(/^\uFEFF/, "").split("\n")) {
    const pattern = patternOf(fold(written.replace(/\r$/, "")));
    if (pattern === undefined) continue;
    if (patterns.push(pattern) > limits.patterns) return undefined;
  }
  const known = new Map<string, boolean>();
  /** Whether the path itself is named, by the last pattern that speaks of it. */
  const named = (parts: readonly string[], directory: boolean): boolean => {
    for (let at = patterns.length - 1; at >= 0; at--) {
      const one = patterns[at]!;
      if ((directory || !one.directoryOnly) && matchesParts(one.parts, parts)) return !one.negated;
    }
    return false;
  };
  return {
    ignores(path, directory) {
      const parts = fold(path).split("/");
      if (parts.length > limits.depth) return true;
      // What a directory loses, nothing below it gets back.
      for (let length = 1; length <= parts.length; length++) {
        const isDirectory = length < parts.length || directory;
        const key = `${isDirectory}${parts.slice(0, length).join("/")}`;
        let found = known.get(key);
        if (found === undefined) {
          if (known.size >= limits.kept) known.clear();
          known.set(key, found = named(parts.slice(0, length), isDirectory));
        }
        if (found) return true;
      }
      return false;
    },
  };
}

function patternOf(line: string): Pattern | undefined {
  if (line.startsWith("#")) return undefined;
  // Spaces at the end do not count, unless they are escaped.
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end--;
  let text = line.slice(0, end);
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const directoryOnly = text.endsWith("/") && !isEscaped(text, text.length - 1);
  if (directoryOnly) text = text.slice(0, -1);
  if (text === "" || text === "/") return undefined;
  const anchored = text.includes("/");
  const parts = text.replace(/^\//, "").split("/");
  const compiled = parts.map((part): Part => part === "**" ? part : compile(part));
  return { parts: anchored ? compiled : ["**", ...compiled], negated, directoryOnly };
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** Names against the parts of a pattern; `**` stands for any number of names, at the end for at least one. */
function matchesParts(pattern: readonly Part[], names: readonly string[]): boolean {
  const last = pattern.at(-1)!;
  if (last !== "**" && !runs(last, names.at(-1)!)) return false;
  if (pattern.length === 2 && pattern[0] === "**") return true;
  let reached = new Set([0]);
  const skip = (set: Set<number>) => {
    for (const at of set) if (pattern[at] === "**" && at < pattern.length - 1) set.add(at + 1);
  };
  skip(reached);
  for (const name of names) {
    const next = new Set<number>();
    for (const at of reached) {
      const part = pattern[at];
      if (part === undefined) continue;
      if (part === "**") {
        next.add(at);
        if (at === pattern.length - 1) next.add(at + 1);
      } else if (runs(part, name)) next.add(at + 1);
    }
    skip(next);
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(pattern.length);
}

/** One name against a pattern of `*`, `?`, `[…]` and escapes. */
export function matchesName(pattern: string, name: string): boolean {
  return runs(compile(pattern), name);
}

/** Goes back to the last star alone. */
function runs(steps: readonly Step[], name: string): boolean {
  let [at, position, star, mark] = [0, 0, -1, 0];
  while (position < name.length) {
    const step = steps[at];
    if (step === "*") {
      star = ++at;
      mark = position;
    } else if (
      step !== undefined &&
      (step === "?" || (typeof step === "string" ? step[1] === name[position] : step(name[position]!)))
    ) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star;
      position = ++mark;
    } else return false;
  }
  while (steps[at] === "*") at++;
  return at === steps.length;
}

/** `*`, `?`, a character behind `=`, or a set. */
type Step = string | ((char: string) => boolean);

function compile(pattern: string): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "*" || char === "?") {
      if (char === "?" || steps.at(-1) !== "*") steps.push(char);
    } else if (char === "[") {
      const set = setAt(pattern, at);
      steps.push(set.matches);
      at = set.next - 1;
    } else if (char === "\\") {
      at++;
      // A backslash at the end matches nothing.
      steps.push(at < pattern.length ? `=${pattern[at]}` : () => false);
    } else steps.push(`=${char}`);
  }
  return steps;
}

interface CharacterSet {
  readonly next: number;
  matches(char: string): boolean;
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
};

/** `[…]`; a set that is not closed matches nothing, as in git. */
function setAt(pattern: string, start: number): CharacterSet {
  let at = start + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  const tests: ((char: string) => boolean)[] = [];
  for (let first = true; at < pattern.length; first = false) {
    if (pattern[at] === "]" && !first) {
      return { next: at + 1, matches: (char) => negated !== tests.some((test) => test(char)) };
    }
    const named = /^\[:([a-z]{1,8}):\]/.exec(pattern.slice(at, at + 13))?.[1];
    if (named !== undefined) {
      const kind = Object.hasOwn(classes, named) ? classes[named]! : /(?!)/;
      tests.push((char) => kind.test(char));
      at += named.length + 4;
      continue;
    }
    if (pattern[at] === "\\") at++;
    const low = pattern[at++] ?? "";
    if (pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      at += pattern[at + 1] === "\\" ? 2 : 1;
      const high = pattern[at++] ?? "";
      tests.push((char) => char >= low && char <= high);
    } else tests.push((char) => char === low);
  }
  return { next: pattern.length, matches: () => false };
}
