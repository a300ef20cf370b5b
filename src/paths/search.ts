/** Which paths `find` and `fd` look at, what narrows them, and what they delete or write. */

import { parseArguments } from "../../rules/options.ts";
import { findNames, findRuns, type FindTerm, findTerms } from "../shell/find_terms.ts";
import type { Invocation, Word } from "../shell/model.ts";
import { staticWord, unknownWord } from "../words.ts";
import type { Draft } from "./draft.ts";
import { isEverything } from "./resolve.ts";

/** Tests that leave some files out. */
const findNarrow = new Set(
  ("-type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -user -group -perm -empty " +
    "-regex -iregex -lname -ilname -nouser -nogroup -links -inum -uid -gid -samefile -fstype -used -readable -writable " +
    "-executable -maxdepth")
    .split(" "),
);

/** Where a find command looks, and what narrows it. */
export interface FindScope {
  readonly roots: readonly Word[];
  /** See `PathUse.filter`; `*` when it is narrowed by something other than names. */
  readonly filter: string | undefined;
}

interface FindCommand extends FindScope {
  readonly terms: readonly FindTerm[];
}

/** Reads roots, filter and expression of a find command. */
export function findScope(args: readonly Word[]): FindCommand {
  const roots: Word[] = [];
  let start = 0;
  while (start < args.length && /^-(?:[HLP]|O\d?)$/.test(args[start]!.text)) start++;
  while (start < args.length && !/^[-(!,]/.test(args[start]!.text)) roots.push(args[start++]!);
  const terms = findTerms(args, start);
  const branches = findBranches(terms);
  const acting = branches.filter((branch) =>
    branch.some(({ name }) => name === "-delete" || findRuns.has(name))
  );
  const filters = (acting.length > 0 ? acting : branches).map((branch) =>
    findFilter(branch, branches.length > 1)
  );
  const filter = filters.includes(undefined) ? undefined : joinFilters(filters as readonly string[]);
  return { roots: roots.length > 0 ? roots : [staticWord(".")], filter, terms };
}

/** The alternatives of an expression: its parts between `-o` outside of parentheses. */
function findBranches(terms: readonly FindTerm[]): readonly (readonly FindTerm[])[] {
  const branches: FindTerm[][] = [[]];
  let depth = 0;
  for (const term of terms) {
    if (term.name === "(") depth++;
    else if (term.name === ")") depth--;
    if (depth === 0 && /^(?:-o|-or|,)$/.test(term.name)) branches.push([]);
    else branches.at(-1)!.push(term);
  }
  return branches;
}

function findFilter(branch: readonly FindTerm[], oneOfSeveral: boolean): string | undefined {
  const names: string[] = [];
  // What another branch took (`-name x -prune -o -delete`) is left out of this one.
  let narrowed = oneOfSeveral;
  let open = false;
  for (const [index, { name, value }] of branch.entries()) {
    if (findNames.has(name)) {
      const written = value?.text ?? "*";
      const before = branch[index - 1]?.name;
      if (before === "!" || before === "-not") narrowed = true;
      else if (isEverything(written)) open = true;
      else names.push(/path|wholename/.test(name) ? written.replace(/^\*\//, "") : written);
    } else if (findNarrow.has(name)) {
      // `-type d` still takes whole directories.
      if (name !== "-type" || !/^d|,d/.test(value?.text ?? "")) narrowed = true;
    }
  }
  return names.length > 0 ? joinFilters(names) : narrowed && !open ? "*" : undefined;
}

function joinFilters(filters: readonly string[]): string {
  if (filters.includes("*")) return "*";
  return filters.length === 1 ? filters[0]! : `{${filters.join(",")}}`;
}

/** What `find` does to paths. */
export function find(invocation: Invocation): readonly Draft[] {
  const { roots, filter, terms } = findScope(invocation.args);
  // Links that are followed lead anywhere.
  const follows = terms.some(({ name }) => name === "-follow") ||
    invocation.args.slice(0, 4).findLast(({ text }) => /^-[HLP]$/.test(text))?.text === "-L";
  const drafts: Draft[] = roots.map((path) => ({ operation: "list", path, recursive: true }));
  for (const { name, value } of terms) {
    if (name === "-delete") {
      for (const path of roots) {
        drafts.push({ operation: "delete", path, recursive: true, filter });
        if (follows && (filter === undefined || filter === "*")) {
          drafts.push({ operation: "delete", path: unknownWord(`links in ${path.text}`, path.span) });
        }
      }
    } else if (/^-(?:fprint0?|fprintf|fls)$/.test(name) && value !== undefined) {
      drafts.push({ operation: "write", path: value });
    }
  }
  return drafts;
}

/** Where an fd command looks; its pattern is a regular expression, so it only says "some". */
export function fdScope(args: readonly Word[]): FindScope {
  const end = args.findIndex((word) => /^-(?:x|X|-exec|-exec-batch)$/.test(word.text));
  const parsed = parseArguments(end < 0 ? args : args.slice(0, end), {
    values: [
      "-e",
      "-t",
      "-d",
      "-E",
      "-S",
      "-c",
      "--extension",
      "--type",
      "--max-depth",
      "--exclude",
      "--size",
      "--base-directory",
    ],
  });
  const extension = parsed.value("-e", "--extension")?.text;
  const roots = parsed.operands.slice(1);
  const pattern = parsed.operands[0]?.text;
  const filter = extension !== undefined
    ? `*.${extension}`
    : pattern === undefined || pattern === "."
    ? undefined
    : "*";
  return { roots: roots.length > 0 ? roots : [staticWord(".")], filter };
}

/** What `fd` does to paths. */
export function fd(invocation: Invocation): readonly Draft[] {
  return fdScope(invocation.args).roots.map((path) => ({ operation: "list", path, recursive: true }));
}
