/** Scripts of a project: what `npm run x`, `make x` and their like run, read from the file that holds it. */

import { part } from "../parts.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame } from "./frame.ts";
import type { Word } from "./model.ts";
import { nested } from "./nested.ts";
import { type Atom, plain, textWord } from "./pieces.ts";
import type { Scope } from "./scope.ts";
import type { ScriptFormat, ScriptOrder, ScriptRunner } from "./script_runners.ts";
import { shellScope } from "./shells.ts";

/** One piece of a script: a text for a shell of its own. */
export interface ScriptStep {
  /** The script that it belongs to. */
  readonly name: string;
  readonly code: string;
  /** It takes the arguments that the runner was given. */
  readonly takesArguments?: boolean;
  /** Program, with its first words, that reads the text where that is no shell. */
  readonly interpreter?: readonly string[];
  /** Values that the shell finds. */
  readonly variables?: ReadonlyMap<string, string>;
}

/** What reading a script asks for. */
export interface ScriptRequest {
  readonly text: string;
  /** The text as JSON; undefined when it is none. */
  readonly json: () => unknown;
  /** Absolute directory of the file. */
  readonly directory: string;
  /** What is to run; empty for what runs without a name. */
  readonly names: readonly string[];
  readonly order: ScriptOrder;
  readonly runner: ScriptRunner;
  readonly call: Call;
  readonly evaluation: Evaluation;
}

/** More directories above one another than these are not looked through. */
const maxParents = 64;

/** Follows the scripts that a runner is told to run, as far as their file can be read. */
export function runScripts(
  evaluation: Evaluation,
  call: Call,
  runner: ScriptRunner,
  order: ScriptOrder,
): void {
  // Files of another machine are not here, and words that are not known name no script.
  if (call.frame.remote !== undefined || !order.names.every(isKnown)) return;
  const names = [...order.names.map(({ text }) => text), ...order.hooks];
  let directory = call.scope.directory.path;
  const given: Word[] = [];
  for (const { name, value } of order.options) {
    if (value === undefined) continue;
    const isPlace = runner.directory?.includes(name) === true;
    if (!isPlace && runner.file?.includes(name) !== true) continue;
    const at: Scope = { ...call.scope, directory: { path: directory, certain: true } };
    const path = evaluation.absolute(value, at);
    if (path === undefined) return;
    if (isPlace) directory = path;
    else given.push(textWord(path, value.span));
  }
  if (directory === undefined) return;
  const found = given.length === 0
    ? findFiles(evaluation, call, runner, directory)
    : given.slice(0, 16).map((word) => readText(evaluation, call, word.text)).filter((one) =>
      one !== undefined
    );
  const [first, ...others] = found;
  if (first === undefined) return;
  if (order.edits !== undefined) {
    edit(evaluation, first, order.edits);
    return;
  }
  // make reads all that it is given as one file.
  const whole = runner.format === "make" && others.length > 0
    ? { path: first.path, text: found.map(({ text }) => text).join("\n") }
    : first;
  for (const file of packagesOf(evaluation, call, runner, order, whole)) {
    follow(evaluation, call, runner, { names, order, file });
  }
  if (runner.format !== "deno") return;
  for (const file of others) follow(evaluation, call, runner, { names, order, file });
}

function isKnown({ isStatic, text }: Word): boolean {
  return isStatic && text.length <= 1000;
}

/** A file that has been read. */
interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  json?: { readonly value: unknown };
}

/** What a file holds as JSON, comments left out; undefined when it is none. */
function jsonOf(file: ScriptFile): unknown {
  return (file.json ??= { value: parseJson(file.text) }).value;
}

/** Files that an evaluation has read, since one command can run a thousand scripts of a file. */
const read = new WeakMap<Evaluation, Map<string, ScriptFile | undefined>>();

function readText(evaluation: Evaluation, call: Call, path: string): ScriptFile | undefined {
  evaluation.step(2);
  let known = read.get(evaluation);
  if (known === undefined) read.set(evaluation, known = new Map());
  const written = evaluation.files.has(path);
  if (!written && known.has(path)) return known.get(path);
  // Asking the disk takes some thirty microseconds.
  evaluation.step(60);
  const content = evaluation.fileContent(textWord(path, call.span), call.scope);
  const text = content === undefined ? undefined : evaluation.codeText(content);
  evaluation.step((text?.length ?? 0) >> 4);
  const file = text === undefined ? undefined : { path, text };
  if (!written) known.set(path, file);
  return file;
}

/** The file that counts; of deno's all, since it takes a task from wherever it is, nearest first. */
function findFiles(
  evaluation: Evaluation,
  call: Call,
  { files, upward, format }: ScriptRunner,
  from: string,
): readonly ScriptFile[] {
  const all: ScriptFile[] = [];
  let directory = from;
  for (let count = 0; count < maxParents; count++) {
    for (const name of files) {
      const found = readText(evaluation, call, join(directory, name));
      if (found !== undefined && all.push(found) > 0 && format !== "deno") return all;
      if (found === undefined && name.endsWith("son") && isThere(evaluation, directory, name)) {
        const said = `${call.program} runs scripts of ${name}, which cannot be read`;
        evaluation.doubt("unknown-code", said, call.span);
        return [];
      }
    }
    if (upward !== true || directory.length < 2) break;
    directory = parentOf(directory);
  }
  return all;
}

/** A file of scripts that is there and cannot be read is larger than any that people write. */
function isThere(evaluation: Evaluation, directory: string, name: string): boolean {
  evaluation.step(20);
  return evaluation.options.list?.(directory)?.includes(name) === true;
}

/** @param directory absolute */
function join(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

/** The path of a file that another one names. @param directory absolute, of the file that names it */
export function pathFrom(directory: string, name: string): string {
  return name.startsWith("/") ? name : join(directory, name);
}

/** The text of another file that a file of scripts takes in; undefined when it cannot be read. */
export function takenIn({ evaluation, call }: ScriptRequest, path: string): string | undefined {
  const content = evaluation.fileContent(textWord(path, call.span), call.scope);
  return content === undefined ? undefined : evaluation.codeText(content);
}

/** Lines with either ending. */
export function linesOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Remembers the scripts that a command puts into the file, for those that it runs afterwards. */
function edit(evaluation: Evaluation, file: ScriptFile, words: readonly Word[]): void {
  const manifest = objectOf(jsonOf(file));
  const scripts: Record<string, unknown> = { ...objectOf(manifest.scripts) };
  for (const word of words) {
    const written = evaluation.codeText(word.pieces);
    const name = /^scripts\.([\w:.-]+)=/.exec(written)?.[1];
    if (name !== undefined) scripts[name] = written.slice(written.indexOf("=") + 1);
  }
  evaluation.files.set(file.path, [plain(JSON.stringify({ ...manifest, scripts }))]);
}

/** The files of the packages that options name; the file itself without them. */
function packagesOf(
  evaluation: Evaluation,
  call: Call,
  runner: ScriptRunner,
  order: ScriptOrder,
  root: ScriptFile,
): readonly ScriptFile[] {
  const wanted = order.options.flatMap(({ name, value }) =>
    value !== undefined && runner.packages?.includes(name) === true ? [value.text] : []
  );
  const all = order.options.some(({ name }) => runner.everywhere?.includes(name) === true);
  if (wanted.length === 0 && !all) return [root];
  const top = parentOf(root.path);
  const directories = new Set<string>();
  const { workspaces } = objectOf(jsonOf(root));
  const patterns = [
    ...textsOf(Array.isArray(workspaces) ? workspaces : objectOf(workspaces).packages),
    ...listed(readText(evaluation, call, join(top, "pnpm-workspace.yaml"))?.text ?? ""),
  ];
  for (const pattern of patterns) {
    const [, base, wild] = /^(?:\.\/)?([\w@./-]*?)\/?(\/\*{1,2})?$/.exec(pattern) ?? [];
    if (base === undefined) continue;
    const place = base === "" ? top : join(top, base);
    if (wild === undefined) directories.add(place);
    else for (const name of evaluation.options.list?.(place) ?? []) directories.add(join(place, name));
  }
  for (const name of wanted) {
    if (/^[\w@./-]+$/.test(name)) directories.add(join(top, name.replace(/^\.\//, "")));
  }
  const packages: ScriptFile[] = all ? [root] : [];
  const short = (name: string) => name.slice(name.lastIndexOf("/") + 1);
  for (const directory of directories) {
    const file = readText(evaluation, call, join(directory, "package.json"));
    if (file === undefined) continue;
    const { name } = objectOf(jsonOf(file));
    const isWanted = all ||
      wanted.some((one) =>
        one === name || /[*.{!^]/.test(one) || directory.endsWith(`/${one.replace(/^\.\//, "")}`) ||
        (typeof name === "string" && short(name) === one)
      );
    if (isWanted) packages.push(file);
  }
  return packages;
}

/** The entries of a list in YAML. */
function listed(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*-[ \t]*["']?([\w@./*-]+)["']?[ \t\r]*$/gm)].map(([, one]) => one!);
}

interface Followed {
  readonly names: readonly string[];
  readonly order: ScriptOrder;
  readonly file: ScriptFile;
}

function follow(
  evaluation: Evaluation,
  call: Call,
  runner: ScriptRunner,
  { names, order, file }: Followed,
): void {
  const { path, text } = file;
  const directory = parentOf(path);
  const request = { text, json: () => jsonOf(file), directory, names, order, runner, call, evaluation };
  const label = call.program;
  const { workspace } = evaluation.options;
  const inside = workspace !== undefined && path.startsWith(`${workspace}/`);
  const shown = path.slice((inside ? workspace.length : path.lastIndexOf("/")) + 1);
  const span = order.names[0]?.span ?? call.word.span;
  for (const step of formats[runner.format](request)) {
    const identity = `script ${path} ${step.name}`;
    // A script that runs itself runs nothing new.
    if (call.frame.calls.includes(identity)) continue;
    const scope = shellScope(call);
    scope.directory = { path: directory, certain: true };
    for (const [name, value] of step.variables ?? []) scope.variables.set(name, { values: [[plain(value)]] });
    const frame = nested(call, "script-file", `${label} ${step.name}`, {
      stdin: undefined,
      moreArguments: false,
      calls: [...call.frame.calls, identity],
      within: { text: `the script ${step.name} of ${shown}`, task: true },
    });
    runStep(evaluation, step, span, scope, frame, order);
  }
}

function runStep(
  evaluation: Evaluation,
  step: ScriptStep,
  span: Word["span"],
  scope: Scope,
  frame: Frame,
  { args }: ScriptOrder,
): void {
  if (step.interpreter !== undefined) {
    const words = step.interpreter.map((word) => textWord(word, span));
    const stdin = { atoms: [plain(step.code)] };
    evaluation.runWords([...words, ...args], [], [], span, scope, { ...frame, stdin });
    return;
  }
  const more = step.takesArguments === true
    ? args.map((word): Atom => plain(` ${evaluation.mark(word.pieces)}`))
    : [];
  evaluation.inShell(scope, () => evaluation.runCode([plain(step.code), ...more], span, scope, frame));
}

/** A value that may be anything, as an object. */
function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function parseJson(text: string): unknown {
  for (const one of [text, withoutComments(text)]) {
    try {
      return JSON.parse(one.charCodeAt(0) === 0xFEFF ? one.slice(1) : one);
    } catch {
      // Only deno's file may hold comments, and it does no harm to read them elsewhere.
    }
  }
  return undefined;
}

/** JSON with comments, and with commas at ends, as plain JSON. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let comma = -1;
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    let end = at + 1;
    if (char === '"') {
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      end++;
    } else if (char === "/" && (text[end] === "/" || text[end] === "*")) {
      const close = text[end] === "/" ? text.indexOf("\n", end) : text.indexOf("*/", end + 1) + 2;
      at = close < end ? text.length : close;
      continue;
    }
    if (char === "}" || char === "]") { if (comma >= 0) kept[comma] = ""; }
    if (!/\s/.test(char)) comma = char === "," ? kept.length : -1;
    kept.push(text.slice(at, end));
    at = end;
  }
  return kept.join("");
}

const formats: Readonly<Record<ScriptFormat, (request: ScriptRequest) => readonly ScriptStep[]>> = {
  package: ({ json, names, directory }) => {
    const manifest = objectOf(json());
    const scripts = objectOf(manifest.scripts);
    const variables = new Map([["npm_execpath", "npm"], ["npm_node_execpath", "node"], [
      "INIT_CWD",
      directory,
    ]]);
    for (const member of ["name", "version"]) {
      const value = manifest[member];
      if (typeof value === "string") variables.set(`npm_package_${member}`, value);
    }
    for (const [name, value] of Object.entries(objectOf(manifest.config))) {
      if (typeof value === "string") variables.set(`npm_package_config_${name}`, value);
    }
    return names.flatMap((name) => matching(scripts, name)).flatMap((name) =>
      [`pre${name}`, name, `post${name}`].flatMap((one) => {
        const code = Object.hasOwn(scripts, one) ? scripts[one] : undefined;
        return typeof code === "string" ? [{ name: one, code, variables, takesArguments: one === name }] : [];
      })
    );
  },
  deno: ({ json, names, order }) => {
    const parsed = objectOf(json());
    const tasks = { ...objectOf(parsed.scripts), ...objectOf(parsed.tasks) };
    const steps: ScriptStep[] = [];
    if (order.options.some(({ name }) => name === "eval")) {
      return names.map((code) => ({ name: "(eval)", code }));
    }
    const add = (name: string, takesArguments: boolean) => {
      const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (task === undefined || steps.some((step) => step.name === name)) return;
      const { command = task, dependencies } = objectOf(task);
      if (typeof command === "string") steps.unshift({ name, code: command, takesArguments });
      else steps.unshift({ name, code: "" });
      for (const one of textsOf(dependencies)) add(one, false);
    };
    for (const name of names) for (const one of matching(tasks, name)) add(one, true);
    return steps;
  },
  composer: ({ json, names }) => {
    const scripts = objectOf(objectOf(json()).scripts);
    return names.filter((name) => Object.hasOwn(scripts, name)).flatMap((name) => {
      const entries = typeof scripts[name] === "string" ? [scripts[name]] : textsOf(scripts[name]);
      return entries.flatMap((entry): readonly ScriptStep[] => {
        // A method of PHP, and a variable for what follows.
        if (/^[\w\\]+::\w+$/.test(entry) || entry.startsWith("@putenv")) return [];
        const own = /^@(?!php\b|composer\b)/.test(entry)
          ? `composer run ${entry.slice(1)}`
          : entry.replace(/^@/, "");
        return [{ name, code: own, takesArguments: true }];
      });
    });
  },
  make: (request) => part("recipes").readMakefile(request),
  just: (request) => part("recipes").readJustfile(request),
  task: (request) => part("recipes").readTaskfile(request),
  toml: (request) => part("recipes").readTasks(request),
};

/** The names of scripts that a name stands for: `build:*` stands for many. */
function matching(scripts: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  if (Object.hasOwn(scripts, name)) return [name];
  // A regular expression of pnpm may mean all of them.
  if (/^\/.*\/[a-z]*$/s.test(name)) return Object.keys(scripts);
  // `run-s "x --flag"`: what follows are arguments.
  const [word = ""] = name.trim().split(/\s/, 1);
  const at = word.search(/[*?[{(!]/);
  if (at < 0) return [word];
  const head = word.slice(0, at);
  const tail = /[?[{(!]/.test(word) ? "" : word.slice(word.lastIndexOf("*") + 1);
  return Object.keys(scripts).filter((one) => one.startsWith(head) && one.endsWith(tail));
}
