/**
 * What a policy says about paths, and what marker files name. Loaded only when there is one of both.
 *
 * A path counts as written and where its links lead, as protected paths do. What is used as a whole directory is
 * looked through for what is named, within bounds; beyond them it is a question.
 */

import { isLate } from "../bounds.ts";
import { locate, type Location, shown } from "../paths.ts";
import { type IgnorePatterns, ignorePatterns } from "../paths/ignored.ts";
import { matchesGlob } from "../paths/glob.ts";
import { markedFrom, markerName } from "../paths/markers.ts";
import { below, nameOf, parentOf } from "../paths/normal.ts";
import { programPaths } from "../paths/programs.ts";
import { special } from "../paths/special.ts";
import type { Invocation, PathOperation, PathUse, Understanding, Word } from "../shell/model.ts";
import type { Action, Context, Facts, Finding, PathPermission, PathPermissionOperation } from "../types.ts";
import { impliedActions } from "../tool_arguments.ts";
import { textsIn } from "../value_texts.ts";
import { dropStart, staticWord } from "../words.ts";
import { absoluteGlob, isNamed } from "./protected_paths.ts";
import { because, policyAdvice, policySeverity } from "./said.ts";

/** Names and directories that are looked at below one directory. */
const limits = { names: 4000, directories: 400, depth: 12, marker: 16 * 1024, words: 400 };

/** Running a file, or making another name of it, brings its content to light as well. */
const meanings: Readonly<Record<PathOperation, readonly PathPermissionOperation[]>> = {
  read: ["read"],
  list: ["list"],
  write: ["write"],
  append: ["write"],
  mode: ["write"],
  delete: ["delete"],
  execute: ["execute", "read"],
  link: ["read", "write"],
  handed: ["read", "write", "execute"],
};

/** Something that names paths. */
interface Naming {
  readonly decision: "ask" | "deny";
  readonly rule: string;
  message(path: string): string;
  readonly advice: string;
  concerns(operation: PathOperation): boolean;
  names(path: string, directory: boolean): boolean;
}

/** Findings about the paths that an action uses. */
export function pathsSay(
  action: Action,
  understanding: Understanding | undefined,
  uses: readonly PathUse[],
  at: number,
  context: Context,
): readonly Finding[] {
  const findings: Finding[] = [];
  const entries = context.policy.paths.map((entry) => namingOf(entry, context));
  const more = [...movedAway(uses), ...namedBy(action, understanding, uses, context)];
  for (const use of [...uses, ...more]) {
    if (use.remote !== undefined) continue;
    if (isLate(context)) break;
    let worst: Finding | undefined;
    for (const location of locate(use, context).locations) {
      if (location.place === "null-device") continue;
      const namings = [...entries, ...markersFor(location, context)].filter(({ concerns }) =>
        concerns(use.operation)
      );
      const found = meets(use, location, namings, action, context);
      if (
        found === undefined ||
        (worst !== undefined && (worst.decision === "deny" || found.decision === "ask"))
      ) {
        continue;
      }
      worst = {
        rule: found.rule,
        decision: found.decision,
        severity: policySeverity[found.decision],
        message: found.message,
        advice: found.advice,
        evidence: { text: use.path.text, span: use.span },
        action: at,
      };
    }
    if (worst !== undefined) findings.push(worst);
  }
  return findings;
}

function namingOf(entry: PathPermission, context: Context): Naming {
  const { decision, operations } = entry;
  const globs = entry.paths.map((glob) => absoluteGlob(glob, context));
  const verb = decision === "deny" ? "denies" : "asks about";
  return {
    decision,
    rule: `policy/${decision}-path`,
    message: (path) => `The policy ${verb} ${shown(path, context)}${because(entry)}`,
    advice: policyAdvice.path[decision],
    concerns: (operation) =>
      operations === undefined || meanings[operation].some((one) => operations.includes(one)),
    names: (path) => globs.some((glob) => isNamed(path, glob, context)),
  };
}

const markers = new WeakMap<Facts, Map<string, Naming>>();

/** What the markers say that lie on the way to a place. */
function markersFor({ path }: Location, context: Context): readonly Naming[] {
  return markedFrom(path, context).map((directory) => markerIn(directory, context));
}

function markerIn(directory: string, context: Context): Naming {
  let known = markers.get(context.facts);
  if (known === undefined) markers.set(context.facts, known = new Map());
  const before = known.get(directory);
  if (before !== undefined) return before;
  const file = `${directory}/${markerName}`;
  const text = context.facts.text(file, limits.marker);
  const patterns: IgnorePatterns | undefined = text === undefined
    ? undefined
    : ignorePatterns(text, context.caseInsensitive);
  const marker = shown(file, context);
  const naming: Naming = {
    decision: patterns === undefined ? "ask" : "deny",
    rule: "policy/ignored-path",
    message: (path) =>
      patterns === undefined
        ? `${marker} cannot be read, so that all that lies beside it may be meant.`
        : `${marker} says that nobody reads, writes or deletes ${shown(path, context)}.`,
    advice: "Leave these files out (`--exclude-dir`, `-g '!name'`), or ask the person.",
    concerns: (operation) => operation !== "list",
    names(path, isDirectory) {
      const inner = below(path, directory);
      // The marker itself is to be read, so that everybody knows.
      if (inner === undefined || nameOf(path) === markerName) return false;
      return patterns === undefined || patterns.ignores(inner, isDirectory);
    },
  };
  known.set(directory, naming);
  return naming;
}

interface Met {
  readonly decision: "ask" | "deny";
  readonly rule: string;
  readonly message: string;
  readonly advice: string;
}

function met(naming: Naming, path: string): Met {
  return {
    decision: naming.decision,
    rule: naming.rule,
    message: naming.message(path),
    advice: naming.advice,
  };
}

/** The strictest that is said about what a use reaches. */
function meets(
  use: PathUse,
  location: Location,
  namings: readonly Naming[],
  action: Action,
  context: Context,
): Met | undefined {
  const { path, contents, unknownBelow } = location;
  const kind = context.facts.kind(path);
  const isDirectory = contents || kind === "directory";
  const denying = namings.toSorted((a, b) => Number(b.decision === "deny") - Number(a.decision === "deny"));
  const direct = denying.find((one) => one.names(path, isDirectory || use.recursive && kind !== "file"));
  if (direct?.decision === "deny") return met(direct, path);
  // A tool that searches is given a directory.
  const whole = use.recursive || contents || unknownBelow || use.filter !== undefined ||
    (action.kind === "file" && kind === "directory");
  // Names that come up in a list of everything are no list of what is named.
  if (use.operation === "list") return direct === undefined ? undefined : met(direct, path);
  const inside = whole ? reachedBelow(use, location, denying, context) : undefined;
  if (inside?.decision === "deny") return inside;
  return direct === undefined ? inside : met(direct, path);
}

/** What is named below a directory, of that which a use reaches. */
function reachedBelow(
  use: PathUse,
  location: Location,
  namings: readonly Naming[],
  context: Context,
): Met | undefined {
  const { path, contents, filter, unknownBelow } = location;
  const { facts } = context;
  const deep = use.recursive || unknownBelow || use.filter !== undefined || !contents ||
    filter?.includes("**") === true;
  const excluded = exclusionsOf(use);
  const deletes = use.operation === "delete";
  let [names, directories] = [0, 0];
  let asked: Met | undefined;
  let cut = false;
  const all = [...namings];
  const queue: { readonly at: string; readonly depth: number }[] = [{ at: path, depth: 0 }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { at, depth } = next;
    if (++directories > limits.directories || isLate(context)) {
      cut = true;
      break;
    }
    const list = facts.list(at) ?? [];
    if (list.includes(markerName) && at !== path) all.unshift(markerIn(at, context));
    for (const name of list) {
      if (++names > limits.names) {
        cut = true;
        break;
      }
      const inner = below(`${at}/${name}`, path) ?? name;
      const full = at === "/" ? `/${name}` : `${at}/${name}`;
      const isDirectory = facts.kind(full) === "directory";
      if (excluded.skips(name, inner, isDirectory)) continue;
      // What only leads on is looked through.
      const reached = passes(use, location, inner, isDirectory);
      if (reached) {
        if (deletes && name === markerName) {
          return {
            decision: "ask",
            rule: "policy/ignored-path",
            message: `${shown(full, context)} would be deleted with it, which says what nobody touches.`,
            advice: "Leave it there, or ask the person.",
          };
        }
        const one = all.find((naming) => naming.concerns(use.operation) && naming.names(full, isDirectory));
        if (one !== undefined && !(excluded.ignored && isIgnored(full, context))) {
          const said = met(one, full);
          if (said.decision === "deny" && !unknownBelow) return said;
          asked ??= { ...said, decision: "ask" };
          continue;
        }
      }
      if (isDirectory && (deep || depth < (filter?.split("/").length ?? 1) - 1)) {
        if (depth + 1 >= limits.depth) cut = true;
        else if (name !== ".git" && name !== "node_modules") queue.push({ at: full, depth: depth + 1 });
      }
    }
    if (cut) break;
  }
  if (asked !== undefined || !cut) return asked;
  const [strictest] = namings;
  if (strictest === undefined) return undefined;
  return {
    decision: "ask",
    rule: strictest.rule,
    message: `There is more below ${shown(path, context)} than is looked through for what the policy names.`,
    advice: "Name the directories that you need, or leave the others out.",
  };
}

/** Whether a name below the directory is among what a use reaches. */
function passes(use: PathUse, location: Location, inner: string, isDirectory: boolean): boolean {
  if (use.filter !== undefined && use.filter !== "*") {
    const name = inner.slice(inner.lastIndexOf("/") + 1);
    return matchesGlob(name, use.filter) || matchesGlob(inner, use.filter, { slashes: true }) ||
      (isDirectory && use.recursive && matchesGlob(name, use.filter));
  }
  const { contents, filter } = location;
  if (!contents && filter === undefined) return true;
  if (filter === undefined) {
    // A bare `*` skips hidden names.
    return use.invocation?.program === "find" || !inner.startsWith(".");
  }
  const parts = inner.split("/");
  const length = filter.includes("**") ? parts.length : Math.min(filter.split("/").length, parts.length);
  const start = parts.slice(0, length).join("/");
  return matchesGlob(start, filter) && (use.recursive || parts.length === length);
}

function isIgnored(path: string, context: Context): boolean {
  return context.facts.git(parentOf(path))?.ignores(path) === true;
}

interface Exclusions {
  /** @param inner the path from the directory that is searched */
  skips(name: string, inner: string, isDirectory: boolean): boolean;
  /** The program leaves out what git ignores. */
  readonly ignored: boolean;
}

/** What is told to be left out: a glob on names anywhere, or on paths from the directory that is searched. */
interface Excluded {
  readonly glob: string;
  readonly anchored: boolean;
  readonly only?: "files" | "directories";
}

/** What a program is told to leave out: `--exclude-dir=x`, `-g '!x'`, and what `rg` leaves out by itself. */
function exclusionsOf({ invocation }: PathUse): Exclusions {
  const none: Exclusions = { skips: () => false, ignored: false };
  if (invocation === undefined || invocation.moreArguments) return none;
  const { program, args } = invocation;
  const words = args.map((word) => word.text);
  const searches = program === "rg" || program === "ag";
  if (!searches && !/^(?:[ef]?grep|tar|rsync|zip|du)$/.test(program)) return none;
  const excluded: Excluded[] = [];
  // What is named for `rg` is searched although it is hidden or ignored.
  let open = words.some((text) => /^(?:--hidden|--unrestricted|--no-ignore.*|-[a-zA-Z]*[uU.].*)$/.test(text));
  for (const [index, text] of words.slice(0, limits.words).entries()) {
    if (args[index]?.isStatic !== true) continue;
    const next = args[index + 1]?.isStatic === true ? words[index + 1] : undefined;
    if (program === "rg") {
      const glob = /^(?:-g|--i?glob=)(.+)$/.exec(text)?.[1] ??
        (/^(?:-g|--i?glob)$/.test(text) ? next : undefined);
      if (glob === undefined) continue;
      if (glob.startsWith("!")) excluded.push(...excludedBy(program, glob.slice(1)));
      else {
        open = true;
        excluded.length = 0;
      }
      continue;
    }
    const [, option, attached] = /^(--exclude(?:-dir)?)(?:=(.+))?$/.exec(text) ?? [];
    const glob = attached ?? next;
    if (option !== undefined && glob !== undefined) excluded.push(...excludedBy(program, glob, option));
    // What is taken in again counts after what was left out.
    if (/^--include/.test(text)) excluded.length = 0;
  }
  return {
    skips: (name, inner, isDirectory) =>
      (searches && !open && name.startsWith(".")) ||
      excluded.some(({ glob, anchored, only }) =>
        (only === undefined || only === (isDirectory ? "directories" : "files")) &&
        (matchesGlob(inner, glob) || (!anchored && matchesGlob(name, glob)))
      ),
    ignored: searches && !open,
  };
}

/** One pattern as the program reads it; none where it leaves nothing out that is looked at here. */
function excludedBy(program: string, written: string, option?: string): readonly Excluded[] {
  const trimmed = written.replace(/\/(?:\*\*?)?$/, "");
  if (/^[ef]?grep$/.test(program)) {
    // It compares the names alone, of files with one option and of directories with the other.
    const only = option === "--exclude-dir" ? "directories" : "files";
    return trimmed === "" || trimmed.includes("/") ? [] : [{ glob: trimmed, anchored: false, only }];
  }
  const glob = trimmed.replace(/^(?:\*\*\/)+/, "");
  if (glob === "") return [];
  const plain = glob.replace(/^\.?\//, "");
  // `./x` is what tar calls it, and nothing to the others.
  if (glob.startsWith("./") && program !== "tar") return [];
  return plain === "" ? [] : [{ glob: plain, anchored: plain !== glob }];
}

/** What is moved is read where it comes to lie, of which the policy may say nothing. */
function movedAway(uses: readonly PathUse[]): readonly PathUse[] {
  return uses.filter(({ operation, invocation, path }) => {
    if (invocation === undefined) return false;
    if (invocation.program !== "git") return invocation.program === "mv" && operation === "delete";
    const words = invocation.args.map(({ text }) => text);
    // The last one is where it goes, also with a name behind it.
    return operation === "append" && words.includes("mv") && !path.text.startsWith(words.at(-1)!);
  }).map((use) => ({ ...use, operation: "read", recursive: true }));
}

/** Programs that take a path for a text. */
const speakers: ReadonlySet<string> = new Set(
  "echo printf export local declare typeset read true false : test [ [[ cd pushd popd which type command alias set unset basename dirname expr"
    .split(" "),
);

/** Tools that move files; what they move is read elsewhere. */
const moving = /move|rename|(?:^|[_\W])mv(?:$|[_\W])/i;

/** Tools that say something about a file, and not what is in it. */
const naming = /(?:^|[_\W])(?:list|ls|stat|info|exists|glob|metadata)|(?:Info|Exists|List)$/;

const searchTools =
  /^(?:grep|rg|ripgrep|grep_?search|search_?files?(?:_content)?|search_?file_?content|search_?code)$/i;

/** Paths that are named to programs of which no table says what they do with them, and to tools that search here. */
function namedBy(
  action: Action,
  understanding: Understanding | undefined,
  uses: readonly PathUse[],
  context: Context,
): readonly PathUse[] {
  const span = { start: 0, end: 0 };
  if (action.kind === "unknown" && searchTools.test(action.tool) && uses.length === 0) {
    const mode = typeof action.input === "object" && action.input !== null
      ? (action.input as Readonly<Record<string, unknown>>)["output_mode"]
      : undefined;
    // Without a mode this one only lists names.
    if (mode === undefined ? action.tool === "Grep" : mode !== "content") return [];
    return [{
      operation: "read",
      path: staticWord(".", span),
      directory: { path: context.cwd, certain: true },
      recursive: true,
      span,
    }];
  }
  const found: PathUse[] = [];
  if ((action.kind === "mcp" || action.kind === "unknown") && !naming.test(action.tool)) {
    const moves = moving.test(action.tool);
    // What the tool surely does with a path is judged by itself.
    const known = new Set(
      moves ? [] : impliedActions(action).actions.flatMap((one) => one.kind === "file" ? [one.path] : []),
    );
    for (const text of textsIn(action.input)) {
      if (found.length >= limits.words || isLate(context)) break;
      const name = text.replace(/^file:\/\/(?:localhost)?(?=\/)/i, "");
      if (known.has(name) || !/^[^\n]{1,1000}$/.test(name)) continue;
      known.add(name);
      const kind = context.facts.kind(name.startsWith("/") ? name : `${context.cwd}/${name}`);
      if (kind !== "file" && kind !== "link" && !(moves && kind === "directory")) continue;
      found.push({
        operation: "read",
        path: staticWord(name, span),
        directory: { path: context.cwd, certain: true },
        recursive: kind === "directory",
        span,
      });
    }
  }
  for (const invocation of understanding?.invocations ?? []) {
    const { program, args, remote, directory } = invocation;
    if (
      remote === undefined && searchesHere(invocation) && !uses.some((use) => use.invocation === invocation)
    ) {
      found.push({
        operation: "read",
        path: staticWord(".", invocation.span),
        directory,
        recursive: true,
        invocation,
        span: invocation.span,
      });
      continue;
    }
    if (
      remote !== undefined || speakers.has(program) || Object.hasOwn(special, program) ||
      programPaths(program) !== undefined
    ) continue;
    for (const word of args) {
      if (found.length >= limits.words) return found;
      const path = valueOf(word);
      if (path === undefined) continue;
      found.push({
        operation: "read",
        path,
        directory,
        recursive: context.facts.kind(pathText(path, directory.path)) === "directory",
        invocation,
        span: word.span.end > word.span.start ? word.span : invocation.span,
      });
    }
  }
  return found;
}

/** True for a search that is given no directory and so takes the current one. */
function searchesHere({ program, args, pipeline, moreArguments }: Invocation): boolean {
  if (moreArguments || pipeline.index > 0) return false;
  const words = args.map(({ text }) => text);
  if (words.some((text) => /^(?:--files|--files-with-matches|--count|--version|--help|-l)$/.test(text))) {
    return false;
  }
  if (program === "rg" || program === "ag" || program === "ack") return true;
  if (program === "git") return words.find((text) => !text.startsWith("-")) === "grep";
  return /^[ef]?grep$/.test(program) &&
    words.some((text) => /^(?:-[A-Za-z]*[rR][A-Za-z]*|--(?:dereference-)?recursive)$/.test(text));
}

function pathText({ text }: Word, directory: string | undefined): string {
  return text.startsWith("/") || directory === undefined ? text : `${directory}/${text}`;
}

/** The path in `path`, `--option=path`, `name=path` and `@path`; undefined for an option and for an address. */
function valueOf(word: Word): Word | undefined {
  if (word.text.length > 4096 || /^[a-z][a-z0-9+.-]*:\/\//i.test(word.text)) return undefined;
  const short = /^-[A-Za-z](?=[^-=].*[/.])/.exec(word.text);
  if (short !== null) return dropStart(word, 2);
  const start = /^(?:-{0,2}[A-Za-z][\w.-]*=)?@?/.exec(word.text)?.[0].length ?? 0;
  if (start === 0) return word.text === "" || word.text.startsWith("-") ? undefined : word;
  const rest = dropStart(word, start);
  return rest.text === "" ? undefined : rest;
}
