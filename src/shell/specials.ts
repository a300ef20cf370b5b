/** Programs whose way of starting others is their own: env, xargs, find, fd. */

import { part } from "../parts.ts";
import type { Assignment, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { dropText, makeWord, plain, splitWhite, textWord, unknown } from "./pieces.ts";
import { findTerms } from "./find_terms.ts";
import { splitOptions } from "./launch.ts";
import { programName } from "./names.ts";
import { nested } from "./nested.ts";
import { changeDirectory, type Scope } from "./scope.ts";
import { shellNames } from "./shells.ts";

/** Runs the program if it is one of these. */
export function runSpecial(evaluation: Evaluation, call: Call): { output: Output } | undefined {
  switch (call.program) {
    case "env":
    case "genv":
      return { output: runEnv(evaluation, call) };
    case "coreutils": {
      // All programs in one, of which an option names the one that is meant.
      const [first, ...rest] = call.args;
      if (first === undefined) return undefined;
      const option = /^--coreutils-prog(?:-shebang)?=/.exec(first.text)?.[0] ?? "";
      const words = [dropText(first, option.length), ...rest];
      return {
        output: evaluation.runWords(
          words,
          call.assignments,
          call.redirections,
          call.span,
          call.scope,
          nested(call, "wrapper", "coreutils"),
        ),
      };
    }
    case "xargs":
    case "gxargs":
      return { output: runXargs(evaluation, call) };
    case "parallel":
    case "env_parallel":
      return { output: part("parallel").runParallel(evaluation, call) };
    case "find":
    case "gfind":
      return { output: runFind(evaluation, call) };
    case "fd":
    case "fdfind":
      return { output: runFd(evaluation, call) };
  }
  return undefined;
}

function runEnv(evaluation: Evaluation, call: Call): Output {
  const scope: Scope = { ...call.scope };
  const assignments: Assignment[] = [...call.assignments];
  let queue: readonly Word[] = call.args;
  for (let round = 0; round < 20; round++) {
    const { options, operands } = splitOptions(queue, {
      values: "uCSP",
      longValues: ["unset", "chdir", "split-string"],
    });
    let rest = operands;
    let split: Word | undefined;
    for (const { name, value } of options) {
      if (value === undefined) continue;
      if (name === "C" || name === "chdir") {
        scope.directory = value.isStatic
          ? changeDirectory(scope.directory, value.text, evaluation.options.windows === true)
          : { path: undefined, certain: false };
      } else if (name === "S" || name === "split-string") split = value;
    }
    if (split !== undefined) {
      // The string is split by rules like the shell's, without operators.
      queue = [...splitString(evaluation, split), ...rest];
      continue;
    }
    if (rest[0]?.text === "-") rest = rest.slice(1);
    const before = assignments.length;
    while (rest[0] !== undefined && rest[0].text.indexOf("=") > 0 && !rest[0].text.startsWith("/")) {
      const equals = rest[0].text.indexOf("=");
      assignments.push({ name: rest[0].text.slice(0, equals), value: dropText(rest[0], equals + 1) });
      rest = rest.slice(1);
    }
    for (const one of assignments.slice(before)) runExportedFunction(evaluation, call, one);
    while (rest.length > 1 && readsSettings(evaluation, rest[0]!, scope)) rest = rest.slice(1);
    if (rest.length === 0) break;
    return evaluation.runWords(
      rest,
      assignments,
      call.redirections,
      call.span,
      scope,
      nested(call, "wrapper", "env", { external: true }),
    );
  }
  evaluation.emit(evaluation.invocation({ ...call, assignments }));
  return undefined;
}

/** `BASH_FUNC_ls%%=() { …`: to every bash that is started, however deep inside, a function of that name. */
function runExportedFunction(evaluation: Evaluation, call: Call, { name, value }: Assignment): void {
  if (!/^BASH_FUNC_/.test(name)) return;
  const brackets = /^\s*\(\s*\)/.exec(value.text);
  if (brackets === null || value.pieces[0]?.kind !== "text") return;
  const body = dropText(value, brackets[0].length).pieces;
  evaluation.runCode(
    body,
    value.span,
    { ...call.scope, positional: undefined },
    nested(call, "function", name),
  );
}

/** `$(cat .env | xargs)`: settings for the environment, taken from a file that holds nothing else. */
function readsSettings(evaluation: Evaluation, { pieces }: Word, scope: Scope): boolean {
  const [first, ...rest] = pieces;
  if (rest.length > 0 || first?.kind !== "unknown" || first.invocations === undefined) return false;
  return first.invocations.some(({ args, redirections }) =>
    [...args, ...redirections.map((one) => one.target)].some((word) => {
      const path = evaluation.absolute(word, scope);
      return path !== undefined && evaluation.options.isSecret?.(path) === true;
    })
  );
}

/** Words of an `env -S` string: quotes and escapes count, operators and globs do not. */
function splitString(evaluation: Evaluation, word: Word): Word[] {
  const words: Word[] = [];
  let current: string | undefined;
  let quote = "";
  const text = evaluation.codeText(word.pieces);
  const marked = !word.isStatic;
  const push = () => {
    if (current !== undefined) {
      words.push(marked ? makeWord(evaluation.unmark(current), word.span) : textWord(current, word.span));
    }
    current = undefined;
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "\\" && quote !== "'") {
      const next = text[++index];
      if (next === "c") break;
      if (next === "_") {
        if (quote === "") push();
        else current = (current ?? "") + " ";
      } else if (next !== undefined) {
        const special: Record<string, string> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v" };
        current = (current ?? "") + (special[next] ?? next);
      }
    } else if (quote !== "") {
      if (char === quote) quote = "";
      else current = (current ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      current ??= "";
    } else if (/\s/.test(char)) push();
    else if (char === "#" && current === undefined) break;
    else current = (current ?? "") + char;
  }
  push();
  return words;
}

function runXargs(evaluation: Evaluation, call: Call): Output {
  const { options, operands } = splitOptions(attachedMarks(call.args), {
    values: "aEdILnPsJRS",
    longValues: [
      "arg-file",
      "delimiter",
      "max-lines",
      "max-args",
      "max-procs",
      "max-chars",
      "process-slot-var",
    ],
  });
  let mark: string | undefined;
  const marked = call.args.some((word) => /^-[IJ]/.test(word.text));
  let separator = /\s+/;
  let batch = Infinity;
  for (const { name, value } of options) {
    if (name === "I" || name === "J" || name === "i" || name === "replace") {
      mark = value?.text ?? "{}";
    } else if (name === "0" || name === "null") separator = /\0/;
    else if (name === "d" || name === "delimiter") {
      separator = value?.text === "\\n" ? /\n/ : value?.text === "\\0" ? /\0/ : /[^\s\S]/;
    } else if (
      (name === "n" || name === "L" || name === "max-args") && /^[1-9][0-9]*$/.test(value?.text ?? "")
    ) batch = Number(value!.text);
  }
  const words = operands.length === 0 ? [textWord("echo", call.span)] : operands;
  const file = options.find(({ name }) => name === "a" || name === "arg-file")?.value;
  // The words come out of a file, as if it were printed into the pipe.
  if (file !== undefined) evaluation.emit({ ...evaluation.invocation(call), program: "cat", args: [file] });
  const input = file === undefined ? call.frame.stdin?.atoms : evaluation.fileData(file, call.scope);
  const frame = nested(call, "wrapper", "xargs", { stdin: undefined, external: true });
  if (mark !== undefined) {
    const lines = input === undefined ? undefined : splitWhite(input, /\n/);
    const values = lines ?? [[unknown(mark, "stdin", { name: mark, mayBeEmpty: false })]];
    let output: Output;
    for (const value of values) {
      output = evaluation.runWords(
        words.map((word) => replaceText(word, mark!, value)),
        call.assignments,
        call.redirections,
        call.span,
        call.scope,
        frame,
      );
    }
    // Without the mark in a word nothing is handed over; an older xargs, or its writer, takes `-i` for a flag.
    if (!marked && words.every((word) => !word.text.includes(mark!))) {
      const more = lines?.map((line) => makeWord(line, call.span));
      evaluation.runWords([...words, ...more ?? []], call.assignments, call.redirections, call.span, {
        ...call.scope,
      }, {
        ...frame,
        moreArguments: more === undefined,
      });
    }
    return output;
  }
  if (input === undefined) {
    return evaluation.runWords(words, call.assignments, call.redirections, call.span, call.scope, {
      ...frame,
      moreArguments: true,
    });
  }
  if (
    words.length > 1 && shellNames.has(programName(words[0]!)) &&
    words.some((word) => /^-[a-z]*c$/.test(word.text))
  ) {
    // Each line as one word is what was meant, although xargs takes the words in it.
    for (const line of splitWhite(input, /\n/)) {
      const whole = makeWord(line, call.span);
      if (!/\s/.test(whole.text)) continue;
      evaluation.runWords([...words, whole], call.assignments, call.redirections, call.span, {
        ...call.scope,
      }, frame);
    }
  }
  const items = splitWhite(unquoteItems(input), separator).map((atoms) => makeWord(atoms, call.span));
  let output: Output;
  const size = Math.max(1, Math.min(batch, items.length || 1));
  for (let start = 0; start === 0 || start < items.length; start += size) {
    output = evaluation.runWords(
      [...words, ...items.slice(start, start + size)],
      call.assignments,
      call.redirections,
      call.span,
      call.scope,
      frame,
    );
  }
  return output;
}

/** `-i{}` written as `-I{}`: the older option takes a mark only where it is attached, and `-l2` a number. */
function attachedMarks(args: readonly Word[]): readonly Word[] {
  const written = [...args];
  for (let index = 0; index < args.length; index++) {
    const { text, span } = args[index]!;
    if (!text.startsWith("-") || text === "--") break;
    if (/^-[aEdILnPsJRS]$/.test(text)) index++;
    else if (/^-[il]./.test(text)) {
      written[index] = textWord(`-${text[1]!.toUpperCase()}${text.slice(2)}`, span);
    }
  }
  return written;
}

function unquoteItems(input: Parameters<typeof splitWhite>[0]) {
  return input.map((atom) =>
    atom.kind === "text" ? plain(atom.text.replace(/\\([\s\S])|["']/g, (_, char) => char ?? "")) : atom
  );
}

/** Replaces a mark in known text by pieces. */
export function replaceText(word: Word, mark: string, by: Parameters<typeof makeWord>[0]): Word {
  if (mark === "" || !word.text.includes(mark)) return word;
  return makeWord(
    word.pieces.flatMap((piece): Parameters<typeof makeWord>[0][number][] => {
      if (piece.kind !== "text") return [piece];
      return piece.text.split(mark).flatMap((chunk, index) =>
        index === 0 ? [{ ...piece, text: chunk }] : [...by, { ...piece, text: chunk }]
      );
    }),
    word.span,
  );
}

function runFind(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  for (const { name, run = [] } of findTerms(call.args, 0)) {
    if (run.length === 0) continue;
    const scope = name.endsWith("dir")
      ? { ...call.scope, directory: { path: undefined, certain: false } }
      : call.scope;
    const found = [unknown("{}", "stdin", { name: "{}", mayBeEmpty: false })];
    evaluation.runWords(
      run.map((word) => replaceText(word, "{}", found)),
      call.assignments,
      [],
      call.span,
      scope,
      nested(call, "wrapper", `find ${name}`, { stdin: undefined, external: true }),
    );
  }
  return undefined;
}

function runFd(evaluation: Evaluation, call: Call): Output {
  evaluation.emit(evaluation.invocation(call));
  const at = call.args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text));
  if (at < 0) return undefined;
  let filled = false;
  const words: Word[] = [];
  for (const word of call.args.slice(at + 1)) {
    if (word.text === ";") break;
    let replaced = word;
    for (const mark of ["{}", "{/}", "{//}", "{.}", "{/.}"]) {
      if (!replaced.text.includes(mark) || replaced.pieces.some((piece) => piece.kind === "unknown")) {
        continue;
      }
      replaced = replaceText(replaced, mark, [unknown(mark, "stdin", { name: "{}", mayBeEmpty: false })]);
      filled = true;
    }
    words.push(replaced);
  }
  return evaluation.runWords(
    words,
    call.assignments,
    [],
    call.span,
    call.scope,
    nested(call, "wrapper", "fd -x", { stdin: undefined, moreArguments: !filled, external: true }),
  );
}
