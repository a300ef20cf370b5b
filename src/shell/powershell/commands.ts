/** Commands of PowerShell: cmdlets that change what runs, and the programs that are started. */

import type { Redirection, Span, Word } from "../model.ts";
import type { Call, Frame } from "../frame.ts";
import { programName } from "../names.ts";
import { joinAtoms, makeWord, plain, textWord, unknown } from "../pieces.ts";
import { noteUnknownCode } from "../nested.ts";
import { changeDirectory, joinDirectories } from "../scope.ts";
import { aliases, programNames } from "../cmdlets.ts";
import { assign, callOf, type Place, runNested } from "./place.ts";
import { type Items, lines } from "./values.ts";

/** One argument of a command. */
export interface Argument {
  readonly word: Word;
  /** Text of a script block. */
  readonly block?: string;
}

/** Cmdlets whose paths come from the pipeline. */
const pathCmdlets: ReadonlySet<string> = new Set(
  "remove-item clear-content move-item copy-item get-content rename-item set-acl".split(" "),
);

/**
 * Runs one command of a pipeline.
 *
 * @param list the command word and its arguments
 * @param input what comes through the pipeline; undefined where nothing does
 * @returns what it gives; undefined when that is not known
 */
export function runCommand(
  place: Place,
  list: readonly Argument[],
  redirections: readonly Redirection[],
  span: Span,
  frame: Frame,
  input: Items | "unknown" | undefined,
): Items | undefined {
  const [head, ...rest] = list;
  if (head === undefined) return [];
  if (head.block !== undefined) return place.inside(head.block, { pipeline: frame.pipeline });
  const args = rest.map((one) => one.word);
  const windows = place.evaluation.options.windows === true;
  const name = canonical(head.word, args, windows);
  const body = head.word.isStatic ? place.blocks.get(name) : undefined;
  if (body !== undefined && !place.frame.calls.includes(name)) {
    return place.inside(body, {
      calls: [...place.frame.calls, name],
      provenance: "function",
      via: [...place.frame.via, name],
    });
  }
  const alias = head.word.isStatic ? place.scope.aliases.get(name) : undefined;
  const program = alias === undefined ? name : canonical(textWord(alias[0]!, span), args, windows);
  const takesInput = input !== undefined && pathCmdlets.has(program);
  const items = Array.isArray(input) ? input as Items : undefined;
  const given = takesInput && items !== undefined && !args.some((word) => !word.text.startsWith("-"))
    ? [...items.map((item) => makeWord(item, span)), ...args]
    : args;
  const call = callOf(place, program, head.word, given, redirections, span, {
    ...frame,
    moreArguments: frame.moreArguments || (takesInput && items === undefined),
  });
  switch (program) {
    case "invoke-expression":
      return invoke(place, call);
    case "invoke-command":
    case "start-job":
    case "start-threadjob":
    case "measure-command": {
      place.evaluation.emit(place.evaluation.invocation(call));
      const at = args.findIndex((word) => /^-(?:cn|comp)/i.test(word.text));
      const remote = at >= 0 ? args[at + 1]?.text : undefined;
      runBlocks(place, rest, {
        ...(remote === undefined ? {} : { remote }),
        ...(program.startsWith("start") ? { background: true } : {}),
      });
      return undefined;
    }
    case "set-alias":
    case "new-alias": {
      place.evaluation.emit(place.evaluation.invocation(call));
      const operands = args.filter((word) => !word.text.startsWith("-"));
      if (operands[0]?.isStatic && operands[1]?.isStatic) {
        place.scope.aliases.set(operands[0].text.toLowerCase(), [operands[1].text]);
      }
      return [];
    }
    case "set-location":
    case "push-location":
    case "pop-location":
      change(place, call);
      return [];
    case "get-location": {
      place.evaluation.emit(place.evaluation.invocation(call));
      const { directory } = place.scope;
      return directory.certain && directory.path !== undefined ? [[plain(directory.path)]] : undefined;
    }
    case "join-path": {
      place.evaluation.emit(place.evaluation.invocation(call));
      const parts = args.filter((word) => !/^-\w/.test(word.text));
      return [joinAtoms(parts.map((word) => word.pieces), "/")];
    }
    case "start-process":
      start(place, args, span, call.frame, call);
      return undefined;
    case "write-output":
    case "echo":
      place.evaluation.emit(place.evaluation.invocation(call));
      return args.filter((word) => word.text.toLowerCase() !== "-noenumerate").map((word) => word.pieces);
    case "resolve-path":
    case "convert-path":
    case "get-item": {
      place.evaluation.emit(place.evaluation.invocation(call));
      const path = args.find((word) => !word.text.startsWith("-"));
      return path === undefined ? undefined : [path.pieces];
    }
    case "foreach-object":
    case "where-object":
      place.evaluation.emit(place.evaluation.invocation(call));
      if (items !== undefined && items.length <= 64 && program === "foreach-object") {
        for (const item of items) {
          assign(place, "_", [item]);
          runBlocks(place, rest, {});
        }
      } else {
        assign(place, "_", [[unknown("$_", "stdin", { name: "_", mayBeEmpty: false })]]);
        runBlocks(place, rest, {});
      }
      place.scope.variables.delete("ps:_");
      return undefined;
  }
  if (program.includes("-") && !/[\\/.]/.test(program) && /^[a-z]+-[a-z]+$/.test(program)) {
    place.evaluation.emit(place.evaluation.invocation(call));
    runBlocks(place, rest, {});
    return program === "get-content" ? content(place, call) : undefined;
  }
  if (alias === undefined && program === "mkdir") {
    place.evaluation.emit(place.evaluation.invocation(call));
    return [];
  }
  // Of these the block is the code that they get as text.
  if (program !== "pwsh" && program !== "powershell") runBlocks(place, rest, {});
  const output = place.evaluation.runWords(
    [head.word, ...given],
    [],
    redirections,
    span,
    { ...place.scope, aliases: new Map(), functions: new Map() },
    call.frame,
  );
  return output === undefined ? undefined : lines(output);
}

/** What a file holds that was written before or can be read. */
function content(place: Place, call: Call): Items | undefined {
  const path = call.args.find((word) => !word.text.startsWith("-"));
  const content = path === undefined ? undefined : place.evaluation.fileData(path, place.scope);
  return content === undefined ? undefined : [content];
}

function runBlocks(place: Place, list: readonly Argument[], more: Partial<Frame>): void {
  for (const { block } of list) if (block !== undefined) place.inside(block, more);
}

function invoke(place: Place, call: Call): Items | undefined {
  place.evaluation.emit(place.evaluation.invocation(call));
  const words = call.args.filter((word) => !/^-c[a-z]*$/i.test(word.text));
  const code = words.length > 0 ? joinAtoms(words.map((word) => word.pieces)) : call.frame.stdin?.atoms;
  if (code === undefined) return undefined;
  noteUnknownCode(place.evaluation, call, code);
  return runNested(place, code, call);
}

function change(place: Place, call: Call): void {
  place.evaluation.emit(place.evaluation.invocation(call));
  const scope = place.scope;
  const windows = place.evaluation.options.windows === true;
  if (call.program === "pop-location") {
    scope.directory = scope.stack.pop() ?? { path: undefined, certain: false };
    return;
  }
  if (call.program === "push-location") scope.stack.push(scope.directory);
  const target = call.args.find((word) => !/^-[A-Za-z]/.test(word.text));
  const from = scope.failed === undefined ? scope.directory : joinDirectories(scope.directory, scope.failed);
  if (target === undefined) return;
  const path = target.text === "-" ? undefined : target.isStatic ? target.text : undefined;
  scope.directory = target.text === "-"
    ? scope.previous ?? { path: undefined, certain: false }
    : path === undefined
    ? { path: undefined, certain: false, ...(from.path === undefined ? {} : { alternatives: [from.path] }) }
    : changeDirectory(from, windows ? path : path.replaceAll("\\", "/"), windows);
  scope.previous = from;
  scope.failed = path === place.evaluation.options.home ? undefined : from;
}

/** `Start-Process program -ArgumentList a, b -Verb RunAs` */
export function start(place: Place, args: readonly Word[], span: Span, frame: Frame, call?: Call): void {
  if (call !== undefined) place.evaluation.emit(place.evaluation.invocation(call));
  let program: Word | undefined;
  const given: Word[] = [];
  let privileged = frame.privileged;
  for (let index = 0; index < args.length; index++) {
    const text = args[index]!.text.toLowerCase();
    const value = args[index + 1];
    if (/^-fi/.test(text)) program = args[++index];
    else if (/^-(?:a|args)/.test(text)) {
      if (value !== undefined) given.push(value);
      index++;
    } else if (/^-verb/.test(text)) {
      if (/runas/i.test(value?.text ?? "")) privileged = true;
      index++;
    } else if (/^-(?:wo|wi|redirect|cred|env)/.test(text)) index++;
    else if (!text.startsWith("-")) {
      if (program === undefined) program = args[index];
      else given.push(args[index]!);
    }
  }
  if (program === undefined) return;
  const words = given.flatMap((word) =>
    word.isStatic ? splitArguments(word.text).map((text) => textWord(text, word.span)) : [word]
  );
  const scope = { ...place.scope, aliases: new Map(), functions: new Map() };
  place.evaluation.runWords([program, ...words], [], [], span, scope, {
    ...frame,
    via: [...frame.via, "start-process"],
    provenance: "wrapper",
    privileged,
    stdin: undefined,
    depth: frame.depth + 1,
  });
}

/** `a,b "c d"` as the arguments of a program. */
function splitArguments(text: string): string[] {
  return text.match(/"[^"]*"|[^\s,"]+/g)?.map((part) => part.replace(/^"|"$/g, "")) ?? [];
}

/** Canonical name of a cmdlet; programs by their base name. */
function canonical(word: Word, args: readonly Word[], windows: boolean): string {
  const base = programName(word);
  const bare = base.slice(base.lastIndexOf("\\") + 1).toLowerCase();
  if (/[\\/]/.test(word.text) && !/^[a-z.]+\\[a-z]+-[a-z]+$/i.test(word.text)) return base;
  const named = Object.hasOwn(aliases, bare) && !/\.(?:exe|cmd)$/i.test(word.text);
  const alias = named ? aliases[bare] : undefined;
  if (alias === undefined) return /^[a-z]+-[a-z]+$/.test(bare) ? bare : base;
  // Where it is a program, its options are those of that program.
  const foreign = !windows && programNames.has(bare) &&
    args.some((one) => /^-(?:[rRfiv]{2,}|-[a-z].*|[a-zA-Z]*[0-9].*)$/.test(one.text));
  return foreign || ((bare === "curl" || bare === "wget") && !windows) ? bare : alias;
}
