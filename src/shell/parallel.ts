/** GNU parallel: a template, values for it behind `:::`, in files or on standard input, and Perl in `{= … =}`. */

import type { Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame, Output } from "./frame.ts";
import { losesQuotes, splitOptions } from "./launch.ts";
import { nested } from "./nested.ts";
import { type Atom, dropText, joinAtoms, makeWord, plain, splitWhite, textWord, unknown } from "./pieces.ts";

type Value = readonly Atom[];

/** Values of one input source; undefined when they are not known. */
type Source = readonly Value[] | undefined;

const optionSpec = {
  values: "aCdEIJjLlnNPSsU",
  longValues:
    ("jobs sshlogin sshloginfile arg-file arg-sep arg-file-sep colsep delay joblog retries results timeout max-args max-procs " +
      "max-lines max-replace-args max-chars max-line-length-allowed tmpdir tempdir workdir wd env halt halt-on-error nice header " +
      "delimiter rpl load memfree memsuspend noswap limit tagstring filter parens profile shuf-seed recstart recend block " +
      "block-timeout transferfile return basefile trc compress-program decompress-program process-slot-var semaphore-name id " +
      "semaphore-timeout replace seqreplace termseq sqlmaster sqlworker sqlandworker hostgroup cleanup-cmd ctagstring embed")
      .split(" "),
};

/** Options by their letters and their older names. */
const names: Readonly<Record<string, string>> = {
  a: "arg-file",
  I: "replace",
  S: "sshlogin",
  sshloginfile: "sshlogin",
  slf: "sshlogin",
  N: "max-replace-args",
  n: "max-args",
  L: "max-lines",
  m: "xargs",
  X: "xargs",
  xapply: "link",
  dryrun: "dry-run",
  pipepart: "pipe",
  "pipe-part": "pipe",
  spreadstdin: "pipe",
  tee: "pipe",
};

/** In front of each input source. */
const separator = /^::::?\+?$/;

/** What stands for a value in a template, at the place where the pattern is tried. */
const simpleMark = /\{(-?[0-9]{1,4})?(\.|\/|\/\/|\/\.|#|%)?\}/y;

/** A mark that the options define. */
interface Tag {
  readonly text: string;
  readonly form: string;
}

/** A part of a template that is replaced. */
interface Mark {
  readonly start: number;
  readonly end: number;
  /** Number of the value in its job; absent for all of them. */
  readonly position?: number;
  readonly form: string;
}

/** Runs the jobs, and the Perl that makes their commands, which runs even when the jobs do not. */
export function runParallel(evaluation: Evaluation, call: Call): Output {
  const { options: given, operands } = splitOptions(call.args, optionSpec);
  const options = given.map(({ name, value }) => ({ name: names[name] ?? name, value }));
  const option = (name: string) => options.find((one) => one.name === name);
  const at = operands.findIndex((word) => separator.test(word.text));
  const template = joined(at < 0 ? operands : operands.slice(0, at));
  const frame = nested(call, "nested-script", "parallel", {
    stdin: undefined,
    moreArguments: false,
    ...placeOf(option("sshlogin")?.value?.text),
  });
  const tags: Tag[] = [];
  const mark = option("replace")?.value?.text;
  if (mark !== undefined && mark !== "") tags.push({ text: mark, form: "" });
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (name === "rpl") {
      const blank = value.text.search(/\s/);
      if (blank <= 0) continue;
      // Brackets in a tag make groups: only what stands before them is sure to be in the template.
      const tag = value.text.slice(0, blank).replace(/\(.*$/, "");
      if (tag !== "") tags.push({ text: tag, form: "perl" });
      runPerl(evaluation, dropText(value, blank + 1), call, frame);
    } else if (name === "filter") runPerl(evaluation, value, call, frame);
    else runMarks(evaluation, value, call, frame);
  }
  for (const word of template) runMarks(evaluation, word, call, frame);
  const sources = sourcesOf(evaluation, call, operands.slice(Math.max(at, 0)), at >= 0, option("arg-file"));
  if (option("dry-run") !== undefined) {
    evaluation.emit(evaluation.invocation(call));
    return undefined;
  }
  if (option("pipe") !== undefined) {
    const code = joinAtoms(template.map((word) => word.pieces));
    evaluation.runCode(code, call.span, call.scope, { ...frame, stdin: call.frame.stdin });
    return undefined;
  }
  const scope = frame.remote === call.frame.remote
    ? call.scope
    : { ...call.scope, directory: { path: undefined, certain: false } };
  const linked = option("link") !== undefined;
  if (template.length === 0) {
    if (at < 0) evaluation.emit(evaluation.invocation(call));
    // Without a template the values are the commands.
    for (const row of rowsOf(evaluation, sources, linked, 1)) {
      const known = row.filter((value) => value !== undefined);
      if (known.length === row.length) evaluation.runCode(joinAtoms(known), call.span, scope, frame);
    }
    return undefined;
  }
  const size = Number(
    (option("max-replace-args") ?? option("max-args") ?? option("max-lines"))?.value?.text ?? "1",
  );
  const batch = option("xargs") !== undefined ? Infinity : Number.isInteger(size) && size > 0 ? size : 1;
  const job = { evaluation, call: { ...call, scope }, frame, template, tags };
  for (const row of rowsOf(evaluation, sources, linked, batch)) runJob(job, row);
  return undefined;
}

/** A template of which a mark may span several words is one word: parallel itself joins them. */
function joined(template: readonly Word[]): readonly Word[] {
  const [first] = template;
  if (first === undefined || !template.some((word) => word.text.includes("{="))) return template;
  const atoms = joinAtoms(template.map((word) => word.pieces));
  return [makeWord(atoms.map((atom) => atom.kind === "text" ? plain(atom.text) : atom), first.span)];
}

/** Where jobs run that are handed to other machines. */
function placeOf(login: string | undefined): Partial<Frame> {
  if (login === undefined || login === ":") return {};
  const host = login.replace(/^[0-9]+\//, "");
  return { remote: host, privileged: /^root@/.test(host) };
}

interface Job {
  readonly evaluation: Evaluation;
  readonly call: Call;
  readonly frame: Frame;
  readonly template: readonly Word[];
  readonly tags: readonly Tag[];
}

/** Runs the template with the values of one job; undefined for a value that is not known. */
function runJob({ evaluation, call, frame, template, tags }: Job, row: readonly (Value | undefined)[]): void {
  const { span, scope } = call;
  const values = row.map((value): Value =>
    value ?? [unknown("{}", "stdin", { name: "{}", mayBeEmpty: false })]
  );
  let filled = false;
  const words = template.map((word) => {
    const pieces = word.pieces.flatMap((piece): readonly Atom[] => {
      if (piece.kind !== "text") return [piece];
      evaluation.step((piece.text.length * tags.length) >> 4);
      const marks = marksIn(piece.text, tags);
      if (marks.length === 0) return [piece];
      evaluation.step(marks.length * values.length);
      filled = true;
      let from = 0;
      const atoms: Atom[] = [];
      for (const mark of marks) {
        atoms.push({ ...piece, text: piece.text.slice(from, mark.start) }, ...filling(mark, values));
        from = mark.end;
      }
      return [...atoms, { ...piece, text: piece.text.slice(from) }];
    });
    return makeWord(pieces, word.span);
  });
  const known = row.every((value) => value !== undefined);
  const more = filled || !known ? [] : values.map((value) => makeWord(quoted(value), span));
  const lost = losesQuotes(words);
  if (lost) {
    evaluation.runWords([...words, ...more], call.assignments, [], span, { ...scope }, frame);
  }
  const before = evaluation.doubts.length;
  const code = joinAtoms([...words, ...more].map((word) => word.pieces));
  evaluation.runCode(code, span, scope, { ...frame, moreArguments: !filled && !known });
  // What was meant is judged already, and of what cannot be parsed nothing runs.
  if (lost) {
    const added = evaluation.doubts.splice(before);
    evaluation.doubts.push(...added.filter((one) => one.reason !== "syntax"));
  }
}

/** In a template a value is one word, whatever is in it. */
function quoted(value: Value): Value {
  const text = value.every((atom) => atom.kind === "text")
    ? value.map((atom) => (atom as { text: string }).text).join("")
    : undefined;
  if (text === undefined) return value;
  return text === "" || /[^\w@%+=:,./{}-]/.test(text) ? [plain(`'${text.replaceAll("'", `'\\''`)}'`)] : value;
}

/** The marks in a text, from left to right. */
function marksIn(text: string, tags: readonly Tag[]): readonly Mark[] {
  const marks: Mark[] = [];
  let closed = true;
  for (let at = 0; at < text.length;) {
    const tag = tags.find((one) => text.startsWith(one.text, at));
    if (tag !== undefined) {
      marks.push({ start: at, end: at + tag.text.length, form: tag.form });
      at += tag.text.length;
      continue;
    }
    if (text[at] === "{") {
      if (closed && text[at + 1] === "=") {
        const end = text.indexOf("=}", at + 2);
        closed = end >= 0;
        if (closed) {
          const code = text.slice(at + 2, end).trim();
          marks.push({ start: at, end: end + 2, form: /^uq(?:\(\))?;?$/.test(code) ? "uq" : "perl" });
          at = end + 2;
          continue;
        }
      }
      simpleMark.lastIndex = at;
      const found = simpleMark.exec(text);
      if (found !== null) {
        marks.push({
          start: at,
          end: simpleMark.lastIndex,
          form: found[2] ?? "",
          ...(found[1] === undefined ? {} : { position: Number(found[1]) }),
        });
        at = simpleMark.lastIndex;
        continue;
      }
    }
    // Without tags only a bracket can begin a mark.
    const next = tags.length > 0 ? at + 1 : text.indexOf("{", at + 1);
    if (next < 0) break;
    at = next;
  }
  return marks;
}

/** What stands in place of a mark. */
function filling({ position, form }: Mark, values: readonly Value[]): readonly Atom[] {
  if (form === "#" || form === "%") return [plain("1")];
  if (form === "perl") return [unknown("{= … =}", "stdin", { name: "{}", mayBeEmpty: true })];
  const chosen = position === undefined
    ? values
    : [values[position < 0 ? values.length + position : position - 1] ?? []];
  if (form === "uq") return joinAtoms(chosen);
  return joinAtoms(chosen.map((value) => quoted(form === "" ? value : part(value, form))));
}

/** `{.}`, `{/}`, `{//}`, `{/.}`: a part of a path. */
function part(value: Value, form: string): Value {
  if (value.length !== 1 || value[0]?.kind !== "text") return value;
  let { text } = value[0];
  const slash = text.lastIndexOf("/");
  if (form === "//") return [plain(slash < 0 ? "." : slash === 0 ? "/" : text.slice(0, slash))];
  if (form.startsWith("/")) text = text.slice(slash + 1);
  return [plain(form.endsWith(".") ? text.replace(/\.[^/.]*$/, "") : text)];
}

/** Perl between `{=` and `=}` in a word. */
function runMarks(evaluation: Evaluation, word: Word, call: Call, frame: Frame): void {
  const { text } = word;
  for (let at = text.indexOf("{="); at >= 0;) {
    const end = text.indexOf("=}", at + 2);
    if (end < 0) return;
    const code = text.slice(at + 2, end).replace(/^\s*-?[0-9]+\s/, "").trim();
    if (!/^uq(?:\(\))?;?$/.test(code)) runPerl(evaluation, textWord(code, word.span), call, frame);
    at = text.indexOf("{=", end + 2);
  }
}

function runPerl(evaluation: Evaluation, code: Word, call: Call, frame: Frame): void {
  const words = [textWord("perl", code.span), textWord("-e", code.span), code];
  // It runs here, whatever machine the jobs run on.
  const here = { ...frame, remote: call.frame.remote, privileged: call.frame.privileged };
  evaluation.runWords(words, call.assignments, [], call.span, { ...call.scope }, here);
}

interface LinkedSource {
  readonly values: Source;
  /** Goes along with the source before it, value by value. */
  readonly linked: boolean;
}

/** The input sources: what follows each `:::` and `::::`, a file, or else standard input. */
function sourcesOf(
  evaluation: Evaluation,
  call: Call,
  operands: readonly Word[],
  named: boolean,
  file: { readonly value?: Word } | undefined,
): readonly LinkedSource[] {
  const sources: LinkedSource[] = [];
  const read = (word: Word) => {
    // The values come out of a file, as if it were printed into a pipe.
    evaluation.emit({ ...evaluation.invocation(call), program: "cat", args: [word] });
    return linesOf(evaluation.fileData(word, call.scope));
  };
  if (file?.value !== undefined) sources.push({ values: read(file.value), linked: false });
  if (named) {
    let index = 0;
    while (index < operands.length) {
      const sign = operands[index++]!.text;
      const words: Word[] = [];
      while (index < operands.length && !separator.test(operands[index]!.text)) {
        words.push(operands[index++]!);
      }
      const linked = sign.endsWith("+");
      if (sign.startsWith("::::")) {
        for (const word of words) sources.push({ values: read(word), linked });
      } else sources.push({ values: words.map((word) => word.pieces), linked });
    }
  }
  return sources.length > 0 ? sources : [{ values: linesOf(call.frame.stdin?.atoms), linked: false }];
}

function linesOf(text: Output): Source {
  return text === undefined ? undefined : splitWhite(text, /\n/);
}

/** The values of each job, one after the other. */
function* rowsOf(
  evaluation: Evaluation,
  sources: readonly LinkedSource[],
  link: boolean,
  batch: number,
): Generator<readonly (Value | undefined)[]> {
  const groups: (readonly (Value | undefined)[])[][] = [];
  for (const [index, source] of sources.entries()) {
    const values = source.values ?? [undefined];
    const last = groups[groups.length - 1];
    if (last === undefined || index === 0 || !(source.linked || link)) {
      groups.push(values.map((value) => [value]));
      continue;
    }
    const length = Math.max(last.length, values.length);
    if (last.length === 0 || values.length === 0) continue;
    evaluation.step(length);
    groups[groups.length - 1] = Array.from(
      { length },
      (_, row) => [...last[row % last.length]!, values[row % values.length]],
    );
  }
  const [only] = groups;
  if (groups.length === 1 && batch > 1 && only!.length > 0) {
    for (let start = 0; start < only!.length; start += batch) {
      yield only!.slice(start, start + batch).flat();
    }
    return;
  }
  const total = groups.reduce((count, group) => count * group.length, 1);
  for (let job = 0; job < total; job++) {
    evaluation.step();
    const row: (Value | undefined)[] = [];
    let rest = job;
    for (let index = groups.length - 1; index >= 0; index--) {
      const group = groups[index]!;
      row.unshift(...group[rest % group.length]!);
      rest = Math.floor(rest / group.length);
    }
    yield row;
  }
}
