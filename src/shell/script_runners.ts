/** Programs that run the scripts of a project by their names: one line each says how, and where the scripts stand. */

import type { Word } from "./model.ts";
import { dropText } from "./pieces.ts";

/** How files hold scripts; src/shell/project_scripts.ts and src/shell/recipes.ts read them. */
export type ScriptFormat = "package" | "deno" | "composer" | "make" | "just" | "task" | "toml";

/** How a program is told which scripts it runs. */
export interface ScriptRunner {
  readonly format: ScriptFormat;
  /** Names of the files that hold the scripts; the first one that is there counts. */
  readonly files: readonly string[];
  /** Of a file in TOML, the tables that hold scripts. */
  readonly tables?: string;
  /** Directories above are looked through too. */
  readonly upward?: boolean;
  /** Words, separated by spaces, behind which the name of a script follows. */
  readonly verbs?: string;
  /** Words that run scripts with names of their own: `install` runs `postinstall`. */
  readonly hooks?: Readonly<Record<string, string>>;
  /** The first word may be the name of a script. */
  readonly direct?: boolean;
  /** Every operand names a script, or sets a variable; without any the file says which one runs. */
  readonly targets?: boolean;
  /** Words behind which it is told what to write into the file. */
  readonly edits?: string;
  /** Options of its own may also follow the name of a script. */
  readonly anywhere?: boolean;
  /** Letters, and names, of options with a value. */
  readonly values?: string;
  readonly longValues?: string;
  /** Options, without dashes, whose value is the directory in which it works. */
  readonly directory?: readonly string[];
  /** Options whose value is the file. */
  readonly file?: readonly string[];
  /** Options, and words, whose value names a package of the workspace. */
  readonly packages?: readonly string[];
  /** Options, and words, with which the scripts of all packages run. */
  readonly everywhere?: readonly string[];
}

const install = "preinstall install postinstall prepublish preprepare prepare postprepare";
const packageFile = { format: "package", files: ["package.json"], upward: true } as const;
/** Words that npm reads as one of its commands, besides the starts of them. */
const aliases: Readonly<Record<string, string>> = Object.fromEntries(
  ([
    ["install", "in ins inst insta instal isnt isnta isntal isntall link ln"],
    ["ci", "clean-install ic install-clean isntall-clean"],
    ["it", "install-test cit clean-install-test sit install-ci-test"],
  ] as const).flatMap(([name, words]) => words.split(" ").map((word) => [word, name])),
);
const lifecycle = {
  install,
  i: install,
  ci: install,
  add: install,
  pack: "prepack prepare postpack",
} as const;
const publish = "prepublishOnly prepack prepare postpack publish postpublish";
const own = { test: "test", start: "start", stop: "stop", restart: "stop restart start" } as const;
const make: ScriptRunner = {
  format: "make",
  files: ["GNUmakefile", "makefile", "Makefile"],
  targets: true,
  values: "CfIjloWE",
  longValues:
    "directory file makefile include-dir jobs load-average max-load old-file assume-old what-if new-file assume-new eval",
  directory: ["C", "directory"],
  file: ["f", "file", "makefile"],
};

const task: ScriptRunner = {
  format: "task",
  files: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"],
  upward: true,
  targets: true,
  values: "dtCoI",
  longValues: "dir taskfile concurrency output interval",
  directory: ["d", "dir"],
  file: ["t", "taskfile"],
};

/** By program name. One line adds one. */
export const scriptRunners: Readonly<Record<string, ScriptRunner>> = {
  npm: {
    ...packageFile,
    verbs: "run run-script rum urn",
    hooks: {
      ...lifecycle,
      ...own,
      t: "test",
      tst: "test",
      it: `${install} test`,
      publish,
      version: "preversion version postversion",
    },
    edits: "pkg set",
    anywhere: true,
    values: "Cw",
    longValues: "prefix workspace loglevel registry script-shell",
    directory: ["C", "prefix"],
    packages: ["w", "workspace"],
    everywhere: ["ws", "workspaces"],
  },
  pnpm: {
    ...packageFile,
    verbs: "run run-script",
    hooks: { ...lifecycle, ...own, t: "test", publish },
    direct: true,
    values: "CF",
    longValues: "dir filter workspace-concurrency reporter loglevel",
    directory: ["C", "dir"],
    packages: ["F", "filter"],
    everywhere: ["r", "recursive"],
  },
  yarn: {
    ...packageFile,
    verbs: "run",
    hooks: { ...lifecycle, "": install, publish },
    direct: true,
    longValues: "cwd from include exclude jobs",
    directory: ["cwd"],
    packages: ["workspace"],
    everywhere: ["workspaces", "foreach"],
  },
  bun: {
    ...packageFile,
    verbs: "run",
    hooks: { ...lifecycle, publish },
    direct: true,
    values: "F",
    longValues: "cwd filter",
    directory: ["cwd"],
    packages: ["F", "filter"],
  },
  node: { ...packageFile, verbs: "--run" },
  "npm-run-all": { ...packageFile, targets: true },
  "run-s": { ...packageFile, targets: true },
  "run-p": { ...packageFile, targets: true },
  "npm-run-all2": { ...packageFile, targets: true },
  rushx: { ...packageFile, direct: true },
  nr: { ...packageFile, direct: true },
  turbo: {
    ...packageFile,
    verbs: "run",
    direct: true,
    longValues: "filter",
    packages: ["filter"],
    everywhere: ["run"],
  },
  lerna: { ...packageFile, verbs: "run", longValues: "scope", packages: ["scope"], everywhere: ["run"] },
  deno: {
    format: "deno",
    files: ["deno.json", "deno.jsonc", "package.json"],
    upward: true,
    verbs: "task run",
    values: "c",
    longValues: "cwd config",
    directory: ["cwd"],
    file: ["c", "config"],
  },
  composer: {
    format: "composer",
    files: ["composer.json"],
    verbs: "run run-script",
    hooks: {
      install: "pre-install-cmd post-install-cmd pre-autoload-dump post-autoload-dump",
      update: "pre-update-cmd post-update-cmd pre-autoload-dump post-autoload-dump",
      "dump-autoload": "pre-autoload-dump post-autoload-dump",
    },
    direct: true,
    values: "d",
    longValues: "working-dir timeout",
    directory: ["d", "working-dir"],
  },
  make,
  gmake: make,
  bmake: make,
  remake: make,
  pmake: make,
  just: {
    format: "just",
    files: ["justfile", "Justfile", ".justfile"],
    upward: true,
    targets: true,
    values: "fd",
    longValues: "justfile working-directory shell shell-arg dotenv-path color",
    directory: ["d", "working-directory"],
    file: ["f", "justfile"],
  },
  mise: {
    format: "toml",
    files: ["mise.toml", ".mise.toml"],
    tables: "tasks",
    upward: true,
    everywhere: ["tasks"],
    verbs: "run r",
    direct: true,
    values: "C",
    directory: ["C"],
  },
  pixi: {
    format: "toml",
    files: ["pixi.toml", "pyproject.toml"],
    tables: "tasks tool.pixi.tasks",
    upward: true,
    verbs: "run",
    values: "e",
  },
  pdm: {
    format: "toml",
    files: ["pyproject.toml"],
    tables: "tool.pdm.scripts",
    upward: true,
    verbs: "run",
    direct: true,
    values: "p",
  },
  hatch: {
    format: "toml",
    files: ["pyproject.toml"],
    tables: "tool.hatch.envs.default.scripts",
    upward: true,
    verbs: "run",
    values: "e",
  },
  rye: { format: "toml", files: ["pyproject.toml"], tables: "tool.rye.scripts", upward: true, verbs: "run" },
  poe: { format: "toml", files: ["pyproject.toml"], tables: "tool.poe.tasks", upward: true, direct: true },
  task,
  "go-task": task,
};
/** What a runner is told: which scripts, with which arguments and options. */
export interface ScriptOrder {
  /** Names of scripts, in the order in which they run; empty for the one that the file says. */
  readonly names: readonly Word[];
  /** They run by themselves, where they are there. */
  readonly hooks: readonly string[];
  /** What it sets in the file instead, as `scripts.NAME=CODE`. */
  readonly edits?: readonly Word[];
  /** What a script is given behind its own words. */
  readonly args: readonly Word[];
  /** `NAME=value` */
  readonly settings: readonly { readonly name: string; readonly value: Word }[];
  /** Options without their dashes, and the words that count like them. */
  readonly options: readonly { readonly name: string; readonly value?: Word }[];
}

/** Reads a runner's arguments; undefined when it runs no script. */
export function readOrder(runner: ScriptRunner, args: readonly Word[]): ScriptOrder | undefined {
  const order = readOnce(runner, args);
  if (order !== undefined || runner.anywhere !== true) return order;
  // What was taken for the command may be the value of an option that no table names.
  for (let at = 1; at < args.length && at < 64; at++) {
    if (/^--?[a-z]/i.test(args[at - 1]!.text) && !args[at]!.text.startsWith("-")) {
      const other = readOnce(runner, [...args.slice(0, at - 1), ...args.slice(at + 1)]);
      if (other !== undefined) return other;
    }
  }
  return undefined;
}

/** The option of which this is the start, as getopt and npm take it. */
function wholeName(name: string, longValues: readonly string[]): string {
  if (longValues.includes(name) || name.length < 2) return name;
  return longValues.find((one) => one.startsWith(name)) ?? name;
}

/** The command that npm makes of a word: itself, another name of it, or the only one that begins like it. */
function wholeCommand(word: string, { hooks = {}, verbs = "" }: ScriptRunner): string {
  if (Object.hasOwn(hooks, word) || word.length < 2) return word;
  if (Object.hasOwn(aliases, word)) return aliases[word]!;
  return [...verbs.split(" "), ...Object.keys(hooks)].find((one) => one.startsWith(word)) ?? word;
}

function readOnce(runner: ScriptRunner, args: readonly Word[]): ScriptOrder | undefined {
  if (runner.edits !== undefined && args.slice(0, 2).map(({ text }) => text).join(" ") === runner.edits) {
    return { names: [], hooks: [], args: [], settings: [], options: [], edits: args.slice(2) };
  }
  const verbs = runner.verbs?.split(" ") ?? [];
  const longValues = runner.longValues?.split(" ") ?? [];
  const options: { name: string; value?: Word }[] = [];
  const operands: Word[] = [];
  const settings: { name: string; value: Word }[] = [];
  let behind: readonly Word[] = [];
  let verb = false;
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const { text } = word;
    const leads = operands.length === 0 && !verb;
    if (text === "--") {
      // npm takes what follows for what it is told, as far as it was told nothing yet.
      if (runner.anywhere === true && (leads || (verb && operands.length === 0))) continue;
      behind = args.slice(index + 1);
      break;
    }
    if (leads && runner.everywhere?.includes(text)) options.push({ name: text });
    if (leads && (verbs.includes(text) || (runner.anywhere && verbs.includes(wholeCommand(text, runner))))) {
      verb = true;
    } else if (leads && runner.everywhere?.includes(text)) continue;
    else if (leads && verbs.includes(text.split("=", 1)[0]!) && text.startsWith("--")) {
      verb = true;
      operands.push(dropText(word, text.indexOf("=") + 1));
    } else if (
      /^-[A-Za-z]{2}/.test(text) && !runner.values?.includes(text[1]!) && runner.values !== undefined
    ) {
      // A cluster, of which the last letter may take a value.
      const at = [...text].findIndex((letter) => runner.values!.includes(letter));
      if (at < 0) options.push({ name: text.slice(1) });
      else {options.push({
          name: text[at]!,
          value: at + 1 < text.length ? dropText(word, at + 1) : args[++index],
        });}
    } else if (/^-./.test(text)) {
      const equals = text.indexOf("=");
      const long = text.startsWith("--");
      const name = long ? wholeName(text.slice(2, equals < 0 ? undefined : equals), longValues) : text[1]!;
      const valued = long ? longValues.includes(name) : runner.values?.includes(name) === true;
      const next = args[index + 1];
      if (long && equals > 0) options.push({ name, value: dropText(word, equals + 1) });
      else if (!valued) options.push({ name: long ? name : text.slice(1) });
      else if (!long && text.length > 2) options.push({ name, value: dropText(word, 2) });
      // The number behind `-j` and `-l` may be missing.
      else if (/^(?:[jl]|jobs|load-average|max-load)$/.test(name) && !/^[0-9.]+$/.test(next?.text ?? "")) {
        options.push({ name });
      } else {
        options.push({ name, value: next });
        index++;
      }
    } else if (leads && runner.packages?.includes(text) && args[index + 1] !== undefined) {
      options.push({ name: text, value: args[++index] });
    } else if (runner.targets === true && /^[A-Za-z_][\w.-]*[:+?]{0,2}=/.test(text)) {
      const name = /^[\w.-]+/.exec(text)![0];
      settings.push({ name, value: dropText(word, text.indexOf("=") + 1) });
    } else {
      operands.push(word);
      if (runner.targets === true || runner.anywhere === true) continue;
      behind = args.slice(index + 1);
      break;
    }
  }
  const order = { names: operands, hooks: [], args: behind, settings, options };
  if (runner.targets === true) return order;
  const [first, ...rest] = operands;
  if (verb) return first === undefined ? undefined : { ...order, names: [first], args: [...rest, ...behind] };
  const key = runner.anywhere === true ? wholeCommand(first?.text ?? "", runner) : first?.text ?? "";
  if (runner.hooks !== undefined && Object.hasOwn(runner.hooks, key)) {
    const hooks = runner.hooks[key]!.split(" ");
    // What is installed is no argument of a script.
    return { ...order, names: [], hooks, args: hooks.length > 1 ? [] : [...rest, ...behind] };
  }
  return runner.direct === true && first !== undefined
    ? { ...order, names: [first], args: [...rest, ...behind] }
    : undefined;
}
