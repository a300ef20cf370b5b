/** What a command, or an action of a file tool, does to which paths. */

import { parseArguments } from "../rules/options.ts";
import { part } from "./parts.ts";
import { handedDrafts } from "./paths/handed.ts";
import { fromFileUrl, nameOf } from "./paths/normal.ts";
import type { Draft } from "./paths/draft.ts";
import { type ProgramPaths, programPaths } from "./paths/programs.ts";
import { fdScope, type FindScope, findScope } from "./paths/search.ts";
import { special } from "./paths/special.ts";
import type {
  Directory,
  Invocation,
  PathOperation,
  PathUse,
  Redirection,
  Span,
  Understanding,
  Word,
} from "./shell/model.ts";
import type { ActionOf, Context } from "./types.ts";
import { staticWord, unknownWord, wordOf } from "./words.ts";

/** Most paths that are looked at in one command, each in every directory that it may be in. */
const maxPaths = 800;

/** True when a command uses more paths than are looked at, which makes it a question. */
export function hasTooManyUses(uses: readonly PathUse[]): boolean {
  return cutShort.has(uses);
}

const cutShort = new WeakSet<readonly PathUse[]>();

/**
 * All uses of paths in a command, in order.
 *
 * @param command its text, from which the operators between two programs are told
 */
export function pathUses(understanding: Understanding, context: Context, command = ""): PathUse[] {
  const uses: PathUse[] = [];
  let paths = 0;
  const { invocations } = understanding;
  const loads = loadedSettings(invocations);
  const links: { readonly name: string; readonly target: Word; readonly directory: Directory }[] = [];
  for (const [index, invocation] of invocations.entries()) {
    const drafts: readonly PlacedDraft[] = [
      ...draftsOf(invocation, understanding),
      ...redirected(invocation),
    ];
    for (const written of drafts) {
      if (paths > maxPaths) {
        cutShort.add(uses);
        return uses;
      }
      paths += 1 + (invocation.directory.alternatives?.length ?? 0);
      const draft: PlacedDraft = written.operation === "read" && loads.has(invocation)
        ? { ...written, operation: "execute" }
        : written.operation === "write" && isSpared(written, invocation, invocations[index - 1], command)
        ? { ...written, operation: "append" }
        : written;
      const use = place(draft, invocation, draft.span);
      if (invocation.mounts === undefined) uses.push(use);
      else uses.push(...part("mounts").withMounts(use, invocation.mounts));
      // What a link made earlier in the line leads to is used too.
      for (const link of links) {
        if (draft.operation === "link") continue;
        if (draft.path.text === link.name) {
          uses.push(
            place({ ...draft, path: link.target, base: undefined }, invocation, draft.span, link.directory),
          );
        } else if (invocation.directory.path === link.name && link.target.isStatic) {
          uses.push(place(draft, invocation, draft.span, baseDirectory(link.target, link.directory)));
        }
      }
    }
    if (invocation.program === "ln" && links.length < 64) links.push(...linksOf(invocation, context));
  }
  return uses;
}

/** Programs that pass on, filter or rearrange lines. */
const lineFilters: ReadonlySet<string> = new Set(
  "cat grep egrep fgrep rg sed awk gawk tr cut sort uniq head tail echo printf".split(" "),
);

/**
 * Programs that read settings into the environment and show them to nobody: `export $(cat .env | xargs)`,
 * `env $(grep -v '^#' .env | xargs) npm start`, `while read -r line; do export "$line"; done < .env`.
 */
function loadedSettings(invocations: readonly Invocation[]): ReadonlySet<Invocation> {
  const loaded = new Set<Invocation>();
  const within = (inner: Invocation, outer: Invocation) =>
    inner !== outer && inner.span.start >= outer.span.start && inner.span.end <= outer.span.end;
  for (const one of invocations) {
    if (one.program === "export" || one.via.at(-1) === "env") {
      const exports = one.program === "export";
      if (exports && !one.args.every(isWholeSubstitution)) continue;
      const shown = new Set(one.args.flatMap((word) => exports ? [] : substituted(word)));
      const inner = invocations.filter((other) => other.provenance !== "line" && within(other, one));
      // What `env` starts, and what that starts in its turn, reads for itself.
      const sources = exports
        ? inner
        : inner.filter(({ via }) => !one.via.every((label, at) => via[at] === label));
      if (sources.some((other) => shown.has(other) || !lineFilters.has(other.program))) continue;
      for (const other of sources) loaded.add(other);
    } else if (
      one.program === ":" && one.redirections.length === 1 && one.redirections[0]!.operator === "<"
    ) {
      const body = invocations.filter((other) => within(other, one));
      const exports = body.some((other) => other.program === "export");
      if (exports && body.every((other) => /^(?:read|export|\[|\[\[|test|continue)$/.test(other.program))) {
        loaded.add(one);
      }
    }
  }
  return loaded;
}

function isWholeSubstitution({ pieces }: Word): boolean {
  return pieces.length === 1 && pieces[0]!.kind === "unknown" && pieces[0]!.origin === "command";
}

function substituted(word: Word): readonly Invocation[] {
  return word.pieces.flatMap((piece) => piece.kind === "unknown" ? piece.invocations ?? [] : []);
}

/** True when the command before makes sure that the file is not there yet: `test -f x || cp y x`. */
function isSpared(
  draft: Draft,
  invocation: Invocation,
  before: Invocation | undefined,
  command: string,
): boolean {
  if (before === undefined || invocation.provenance !== "line" || !/^(?:test|\[\[?)$/.test(before.program)) {
    return false;
  }
  const texts = before.args.map((word) => word.text).filter((text) => text !== "]" && text !== "]]");
  const negated = texts[0] === "!";
  const [test, path, ...rest] = negated ? texts.slice(1) : texts;
  if (rest.length > 0 || path !== draft.path.text || !/^-[efs]$/.test(test ?? "")) return false;
  const between = command.slice(before.span.end, invocation.span.start);
  return negated ? /^\s*(?:&&|[;\n]\s*then)\s*$/.test(between) : /^\s*\|\|\s*$/.test(between);
}

/** Uses of paths by an action of a file tool, in the terms that commands use. */
export function fileUses(action: ActionOf<"file">, context: Context): PathUse[] {
  const operation: Readonly<Record<typeof action.operation, PathOperation>> = {
    read: "read",
    write: "write",
    // An edit changes a part and keeps the rest.
    edit: "append",
    delete: "delete",
  };
  return [toolUse(operation[action.operation], action.path, context, action.content === "")];
}

/** One use of a path by a tool that is no shell. A tilde means home, as most tools read it. */
function toolUse(operation: PathOperation, path: string, context: Context, empties = false): PathUse {
  const local = fromFileUrl(path);
  const expanded = /^~(?=$|[\\/])/.test(local) ? context.home + local.slice(1) : local;
  const span: Span = { start: 0, end: path.length };
  return {
    operation,
    path: staticWord(expanded, span),
    directory: { path: context.cwd, certain: true },
    // Tools that delete take directories as well.
    recursive: operation === "delete",
    empties,
    span,
  };
}

interface PlacedDraft extends Draft {
  readonly span?: Span;
}

function place(draft: PlacedDraft, invocation: Invocation, span?: Span, directory?: Directory): PathUse {
  return {
    operation: draft.operation,
    path: draft.path,
    directory: directory ?? baseDirectory(draft.base, invocation.directory),
    recursive: draft.recursive ?? false,
    filter: draft.filter,
    empties: draft.empties ?? false,
    invocation,
    remote: invocation.remote,
    span: span ?? (draft.path.span.end > draft.path.span.start ? draft.path.span : invocation.span),
  };
}

/** The directory to which an option such as `-C` leads. */
function baseDirectory(base: Word | undefined, directory: Directory): Directory {
  if (base === undefined) return directory;
  if (!base.isStatic) return { path: undefined, certain: false };
  const join = (
    from: string,
  ) => (/^(?:[\\/]|[A-Za-z]:)/.test(base.text) ? base.text : `${from}/${base.text}`);
  if (directory.path === undefined) {
    return /^(?:[\\/]|[A-Za-z]:)/.test(base.text) ? { path: base.text, certain: true } : directory;
  }
  return { ...directory, path: join(directory.path), alternatives: directory.alternatives?.map(join) };
}

function draftsOf(invocation: Invocation, understanding: Understanding): readonly Draft[] {
  const { program } = invocation;
  const handler = Object.hasOwn(special, program) ? special[program] : undefined;
  const spec = handler === undefined ? specFor(invocation) : undefined;
  const drafts = handler?.(invocation) ??
    (spec === undefined ? handedDrafts(invocation) : tabled(invocation, spec));
  return supplied(invocation, drafts, understanding);
}

function specFor(invocation: Invocation): ProgramPaths | undefined {
  if (invocation.dialect === "cmd" && (invocation.program === "rmdir" || invocation.program === "mkdir")) {
    return invocation.program === "rmdir" ? programPaths("rd") : { style: "cmd", operands: "list" };
  }
  return programPaths(invocation.program);
}

function tabled(invocation: Invocation, spec: ProgramPaths | undefined): readonly Draft[] {
  if (spec === undefined) return [];
  const parsed = parseArguments(invocation.args, spec);
  const drafts: Draft[] = [];
  let operands = parsed.operands;
  if (spec.style === "powershell") operands = operands.flatMap(commaSeparated);
  if (invocation.program === "add-content" || invocation.program === "set-content") {
    // The second position is the content.
    if (!parsed.has("-path", "-literalpath") && operands[0] !== undefined) {
      drafts.push({
        operation: invocation.program === "add-content" ? "append" : "write",
        path: operands[0],
      });
    }
    operands = [];
  }
  if (invocation.program === "select-string") operands = operands.slice(parsed.has("-pattern") ? 0 : 1);
  if (spec.verbs?.includes(operands[0]?.text ?? "") === true) operands = operands.slice(1);
  // `chmod -x file`: the mode looks like options.
  const modeIsOption = invocation.program === "chmod" &&
    invocation.args.some((word) => /^-[rwxXst]+(?:,[-+=rwxXstugoa,]+)?$/.test(word.text));
  if (
    spec.skip !== undefined && !modeIsOption &&
    !(spec.skipUnless !== undefined && parsed.has(...spec.skipUnless))
  ) {
    operands = operands.slice(spec.skip);
  }
  const changed = spec.when?.find((one) => parsed.has(...one.option));
  const operation = changed?.operation ??
    (invocation.program === "select-string" ? "read" : spec.operands);
  const recursive = spec.recursive === true ||
    (spec.recursive !== undefined && parsed.has(...spec.recursive));
  const empties = spec.empties !== undefined &&
    /^[<%]?0+[A-Za-z]*$/.test(parsed.value(...spec.empties)?.text ?? "");
  const appends = invocation.program === "out-file" || invocation.program === "tee-object"
    ? parsed.has("-append")
    : false;
  if (parsed.has("-whatif", "--dry-run", "--help", "--version")) return [];
  let last: Word | undefined;
  if (spec.last !== undefined) {
    const named = spec.destination === undefined ? undefined : parsed.value(...spec.destination);
    if (named !== undefined) last = named;
    else if (operands.length > 1) {
      last = operands.at(-1);
      operands = operands.slice(0, -1);
    }
  }
  if (operation !== undefined) {
    for (const path of operands) {
      drafts.push({ operation: appends ? "append" : operation, path, recursive, empties });
    }
  }
  if (spec.replaces !== undefined && !parsed.has(...spec.replaces)) {
    // The other file that takes its place has another name.
    for (const path of operands) drafts.push({ operation: "append", path, recursive });
  }
  for (const [name, use] of Object.entries(spec.options ?? {})) {
    for (const path of parsed.values(name)) {
      for (const one of spec.style === "powershell" ? commaSeparated(path) : [path]) {
        drafts.push({ operation: appends ? "append" : use, path: one, recursive });
      }
    }
  }
  if (last !== undefined && spec.last !== undefined) {
    const sources = drafts.filter((draft) => draft.operation !== "list");
    // Copying the empty device empties its target.
    const nothing = sources.length === 1 && sources[0]!.path.text === "/dev/null";
    const keeps = parsed.has("-n", "--no-clobber", "-i", "--interactive");
    const remote = invocation.program === "scp" && /^[^/]*:/.test(last.text);
    if (!remote) drafts.push({ operation: keeps ? "append" : spec.last, path: last, empties: nothing });
  }
  if (invocation.program === "cp" && parsed.has("-l", "-s", "--link", "--symbolic-link")) {
    // The copies are other names of the same files.
    for (const path of operands) drafts.push({ operation: "link", path, recursive });
  }
  if (invocation.program.endsWith("awk") && /^inplace/.test(parsed.value("-i", "--include")?.text ?? "")) {
    for (const path of operands) drafts.push({ operation: "write", path });
  }
  if (invocation.program === "split" && operands[1] !== undefined) {
    const [, prefix] = operands;
    const first = wordOf([...prefix.pieces, { kind: "glob", text: "*" }], prefix.span);
    drafts.push({ operation: "append", path: first });
  }
  if (invocation.program === "scp") {
    return drafts.filter((draft) => !/^[^/]*:/.test(draft.path.text) || draft.operation === "write");
  }
  if (operation === "append" && parsed.has("-c", "--cmd", "-e", "-E", "-s")) {
    // An editor that runs commands can print what it edits.
    for (const path of operands) drafts.push({ operation: "read", path });
  }
  if (isLineRunner(invocation.program) && parsed.has("-e", "-E")) {
    const edits = parsed.has("-i");
    for (const path of parsed.operands) drafts.push({ operation: edits ? "write" : "read", path });
  }
  if (isScriptRunner(invocation.program)) {
    const code = parsed.has("-c", "-e", "-E", "-m", "-r", "-p", "--eval", "--command");
    const script = parsed.operands[0];
    if (!code && script !== undefined && script.text !== "-") {
      drafts.push({ operation: "execute", path: script });
    }
  }
  return drafts;
}

function isScriptRunner(program: string): boolean {
  return /^(?:bash|sh|zsh|dash|ksh|fish|python3?|node|ruby|perl|php)$/.test(program);
}

/** Interpreters whose one-liners read, or change, the files after them. */
function isLineRunner(program: string): boolean {
  return program === "perl" || program === "ruby";
}

/** PowerShell takes `a, b` as a list where one path is expected. */
function commaSeparated(word: Word): readonly Word[] {
  if (!word.isStatic || !word.text.includes(",")) return [word];
  return word.text.split(",").filter((text) => text.trim() !== "").map((text) =>
    staticWord(text.trim(), word.span)
  );
}

/** Arguments that another program hands over: `find -exec`, `fd -x`, `… | xargs`. */
function supplied(
  invocation: Invocation,
  drafts: readonly Draft[],
  understanding: Understanding,
): readonly Draft[] {
  const slots = drafts.some((draft) => draft.path.text.includes("{}"));
  if (!slots && !invocation.moreArguments) return drafts;
  const source = sourceOf(invocation, understanding);
  const out: Draft[] = [];
  for (const draft of drafts) {
    if (!draft.path.text.includes("{}")) out.push(draft);
    else out.push(...fill(draft, source));
  }
  if (!slots && invocation.moreArguments) {
    const model = impliedDraft(invocation);
    if (model !== undefined) out.push(...fill(model, source));
  }
  return out;
}

interface Source {
  readonly roots: readonly Word[];
  readonly filter: string | undefined;
  /** The words are the arguments themselves, not directories in which they lie. */
  readonly exact: boolean;
}

/** What the program would do to one more operand. */
function impliedDraft(invocation: Invocation): Draft | undefined {
  const marker = staticWord("{}", invocation.span);
  const handler = Object.hasOwn(special, invocation.program) ? special[invocation.program] : undefined;
  const grown: Invocation = { ...invocation, args: [...invocation.args, marker], moreArguments: false };
  const drafts = handler?.(grown) ?? tabled(grown, specFor(grown));
  return drafts.find((draft) => draft.path.text === "{}");
}

function fill(draft: Draft, source: Source | undefined): readonly Draft[] {
  if (source === undefined) return [{ ...draft, path: unknownWord(draft.path.text, draft.path.span) }];
  if (source.exact) return source.roots.map((path) => ({ ...draft, path }));
  return source.roots.map((path) => ({
    ...draft,
    path,
    // Whole directories go when they are named and the program is recursive; else only files below.
    recursive: true,
    filter: source.filter ?? (draft.recursive ? undefined : "*"),
  }));
}

function sourceOf(invocation: Invocation, understanding: Understanding): Source | undefined {
  let finder: Invocation | undefined;
  for (const other of understanding.invocations) {
    if (other === invocation) continue;
    const encloses = other.span.start <= invocation.span.start && other.span.end >= invocation.span.end;
    if (encloses && /^(?:find|fd|fdfind)$/.test(other.program)) finder = other;
  }
  if (finder === undefined) {
    const before = understanding.invocations.filter((other) =>
      other.pipeline.id === invocation.pipeline.id && other.pipeline.index < invocation.pipeline.index
    );
    const first = before.find((other) => other.pipeline.index === 0);
    const between = before.filter((other) => other.pipeline.index > 0);
    if (first !== undefined && /^(?:find|fd|fdfind)$/.test(first.program)) {
      finder = first;
      // A filter in between leaves fewer names.
      if (between.some((other) => /^(?:grep|egrep|rg|head|tail|awk|sed)$/.test(other.program))) {
        const scope = scopeOf(first);
        return { roots: scope.roots, filter: scope.filter ?? "*", exact: false };
      }
    } else if (
      first !== undefined && (first.program === "echo" || first.program === "printf") && between.length === 0
    ) {
      const words = first.args.filter((word) => !word.text.startsWith("-") && !word.text.includes("%"));
      return { roots: words.flatMap(lines), filter: undefined, exact: true };
    } else if (first?.program === "get-childitem" && between.length === 0) {
      const parsed = parseArguments(first.args, programPaths("get-childitem"));
      const named = [...parsed.operands, ...parsed.values("-path", "-literalpath")].flatMap(commaSeparated);
      return {
        roots: named.length > 0 ? named : [staticWord(".")],
        filter: parsed.value("-filter", "-include")?.text,
        exact: false,
      };
    } else if (first?.program === "ls") {
      const directories = parseArguments(first.args, { attached: ["--color"] }).operands;
      const roots = directories.length > 0 ? directories : [staticWord(".")];
      return {
        roots: roots.flatMap((word) => {
          if (word.hasGlob) return [word];
          const inside = wordOf(
            [...word.pieces, { kind: "text", text: "/", quoted: true }, { kind: "glob", text: "*" }],
            word.span,
          );
          // Of a directory the names in it are listed, of a file its own.
          return /^\.{0,2}\/?$/.test(word.text) ? [inside] : [word, inside];
        }),
        filter: undefined,
        exact: true,
      };
    }
  }
  if (finder === undefined) return undefined;
  const scope = scopeOf(finder);
  return { ...scope, exact: false };
}

function lines(word: Word): readonly Word[] {
  if (!word.isStatic) return [word];
  return word.text.split(/\s+|\\n/).filter((text) => text !== "").map((text) => staticWord(text, word.span));
}

const scopes = new WeakMap<Invocation, FindScope>();

/** Read once for each command: it may start many programs. */
function scopeOf(finder: Invocation): FindScope {
  let scope = scopes.get(finder);
  if (scope === undefined) {
    scope = finder.program === "find" ? findScope(finder.args) : fdScope(finder.args);
    scopes.set(finder, scope);
  }
  return scope;
}

const writers: Readonly<Record<string, PathOperation>> = {
  "<": "read",
  ">": "write",
  ">|": "write",
  "&>": "write",
  ">>": "append",
  "&>>": "append",
  "<>": "append",
  ">&": "write",
};

function redirected(invocation: Invocation): readonly PlacedDraft[] {
  const drafts: PlacedDraft[] = [];
  for (const redirection of invocation.redirections) {
    const operation = writers[redirection.operator];
    if (operation === undefined || isDescriptor(redirection)) continue;
    drafts.push({
      operation,
      path: redirection.target,
      empties: operation === "write" && writesNothing(invocation),
      span: redirection.span,
    });
  }
  return drafts;
}

function isDescriptor(redirection: Redirection): boolean {
  return redirection.operator.endsWith("&") && /^(?:\d+-?|-)$/.test(redirection.target.text);
}

/** True for programs that print nothing: `>` then leaves an empty file. */
function writesNothing({ program, args }: Invocation): boolean {
  if (program === "" || program === ":" || program === "true") return args.length === 0 || program !== "";
  if (program === "cat") return args.length === 1 && args[0]!.text === "/dev/null";
  if (program === "echo") return args.length === 1 && args[0]!.text === "-n";
  return program === "printf" && args.length === 1 && args[0]!.text === "";
}

function linksOf(invocation: Invocation, context: Context) {
  const drafts = special["ln"]!(invocation);
  const targets = drafts.filter((draft) => draft.operation === "link");
  const name = drafts.find((draft) => draft.operation !== "link")?.path;
  return targets.flatMap((draft) => {
    const base = nameOf(`/${draft.path.text}`);
    const directory = invocation.directory.path ?? context.cwd;
    const names = name === undefined ? [base] : [name.text, `${name.text.replace(/\/$/, "")}/${base}`];
    return names.flatMap((one) =>
      [one, `./${one}`, `${directory}/${one}`].map((text) => ({
        name: text,
        target: draft.path,
        directory: invocation.directory,
      }))
    );
  });
}
