/** Programs whose way of starting others is their own: env, xargs, find, fd. */

import type { Assignment, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { dropText, joinAtoms, makeWord, plain, splitWhite, textWord, unknown } from "./pieces.ts";
import { losesQuotes, splitOptions } from "./launch.ts";
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
    case "xargs":
    case "gxargs":
      return { output: runXargs(evaluation, call) };
    case "parallel":
      return { output: runParallel(evaluation, call) };
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
    while (rest[0] !== undefined && rest[0].text.indexOf("=") > 0 && !rest[0].text.startsWith("/")) {
      const equals = rest[0].text.indexOf("=");
      assignments.push({ name: rest[0].text.slice(0, equals), value: dropText(rest[0], equals + 1) });
      rest = rest.slice(1);
    }
    while (rest.length > 1 && readsSettings(evaluation, rest[0]!, scope)) rest = rest.slice(1);
    if (rest.length === 0) break;
    return evaluation.runWords(
      rest,
      assignments,
      call.redirections,
      call.span,
      scope,
      nested(call, "wrapper", "env"),
    );
  }
  evaluation.emit(evaluation.invocation({ ...call, assignments }));
  return undefined;
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
  let separator = /\s+/;
  let batch = Infinity;
  for (const { name, value } of options) {
    if (name === "I" || name === "J" || name === "i" || name === "replace") mark = value?.text ?? "{}";
    else if (name === "0" || name === "null") separator = /\0/;
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
  const frame = nested(call, "wrapper", "xargs", { stdin: undefined });
  if (mark !== undefined) {
    const lines = input === undefined ? undefined : splitWhite(input, /\n/);
    const values = lines !== undefined && lines.length <= 64
      ? lines
      : [[unknown(mark, "stdin", { name: mark, mayBeEmpty: false })]];
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
    if (words.every((word) => !word.text.includes(mark!))) {
      const more = lines !== undefined && lines.length <= 64
        ? lines.map((line) => makeWord(line, call.span))
        : undefined;
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
    for (const line of splitWhite(input, /\n/).slice(0, 64)) {
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
    if (start / size > 64) {
      return evaluation.runWords(words, call.assignments, call.redirections, call.span, call.scope, {
        ...frame,
        moreArguments: true,
      });
    }
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

/** GNU parallel: a template, and the values for it behind `:::` or on standard input. */
function runParallel(evaluation: Evaluation, call: Call): Output {
  const { options, operands } = splitOptions(call.args, {
    values: "jSaINnLlPCd",
    longValues:
      "jobs sshlogin arg-file colsep delay joblog retries results timeout max-args max-procs tmpdir workdir env halt nice header delimiter rpl load memfree tagstring tempdir shuf-seed recstart recend block max-lines max-replace-args profile"
        .split(" "),
  });
  const at = operands.findIndex((word) => /^:::?:?\+?$/.test(word.text));
  const template = at < 0 ? operands : operands.slice(0, at);
  const marks = /\{(?:[1-9][0-9]?)?(?:[./#%]|\/\/|\/\.)?\}/;
  const filled = template.some((word) => marks.test(word.text));
  const values = at < 0 || operands.slice(at).some((word) => word.text.startsWith("::::")) ||
      operands.slice(at + 1).some((word) => word.text.startsWith(":::"))
    ? undefined
    : operands.slice(at + 1, at + 65);
  if (options.some(({ name }) => name === "dry-run" || name === "dryrun")) {
    evaluation.emit(evaluation.invocation(call));
    return undefined;
  }
  const frame = nested(call, "nested-script", "parallel", { stdin: undefined, moreArguments: false });
  if (template.length === 0) {
    for (const value of values ?? []) evaluation.runCode(value.pieces, value.span, call.scope, frame);
    if (values !== undefined) return undefined;
    // Without a template every line of the input is a command.
    evaluation.emit(evaluation.invocation(call));
    const lines = splitWhite(call.frame.stdin?.atoms ?? [], /\n/).slice(0, 64);
    for (const line of lines) evaluation.runCode(line, call.span, call.scope, frame);
    return undefined;
  }
  // In a template a value is one word, whatever is in it.
  const pieces =
    values?.map((value) =>
      value.isStatic && /[^\w@%+=:,./{}-]/.test(value.text)
        ? [plain(`'${value.text.replaceAll("'", `'\\''`)}'`)]
        : value.pieces
    ) ??
      [[unknown("{}", "stdin", { name: "{}", mayBeEmpty: false })]];
  for (const value of pieces) {
    const words = template.map((word) => replaceText(word, marks.exec(word.text)?.[0] ?? "{}", value));
    const more = filled || values === undefined ? [] : [makeWord(value, call.span)];
    if (losesQuotes(words)) {
      evaluation.runWords([...words, ...more], call.assignments, [], call.span, { ...call.scope }, frame);
    }
    const before = evaluation.doubts.length;
    evaluation.runCode(
      joinAtoms([...words, ...more].map((word) => word.pieces)),
      call.span,
      call.scope,
      { ...frame, moreArguments: !filled && values === undefined },
    );
    // What was meant is judged already, and of what cannot be parsed nothing runs.
    if (losesQuotes(words)) {
      const added = evaluation.doubts.splice(before);
      evaluation.doubts.push(...added.filter((one) => one.reason !== "syntax"));
    }
  }
  return undefined;
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
  const { args } = call;
  for (let index = 0; index < args.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[index]!.text)) continue;
    const label = `find ${args[index]!.text}`;
    const words: Word[] = [];
    for (index++; index < args.length; index++) {
      const text = args[index]!.text;
      if (text === ";" || (text === "+" && args[index - 1]?.text === "{}")) break;
      words.push(
        replaceText(args[index]!, "{}", [unknown("{}", "stdin", { name: "{}", mayBeEmpty: false })]),
      );
    }
    const scope = label.includes("dir")
      ? { ...call.scope, directory: { path: undefined, certain: false } }
      : call.scope;
    evaluation.runWords(
      words,
      call.assignments,
      [],
      call.span,
      scope,
      nested(call, "wrapper", label, { stdin: undefined }),
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
    nested(call, "wrapper", "fd -x", { stdin: undefined, moreArguments: !filled }),
  );
}
