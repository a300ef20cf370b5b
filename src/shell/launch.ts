/** Launchers: programs that start the program among their arguments. */

import type { Assignment, Mount, Word } from "./model.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Call, Frame, Output } from "./frame.ts";
import { isInterpreter } from "./interpreters.ts";
import type { Launcher } from "./launchers.ts";
import { programName } from "./names.ts";
import { nested, noteUnknownCode } from "./nested.ts";
import { dropText, joinAtoms, textWord } from "./pieces.ts";
import { changeDirectory, type Scope } from "./scope.ts";
import { shellNames } from "./shells.ts";

/** Words in front of a command that are read by the shell itself. */
const modifiers: ReadonlySet<string> = new Set(["noglob", "nocorrect", "-"]);

interface Launch {
  readonly operands: readonly Word[];
  readonly options: readonly { readonly name: string; readonly value?: Word }[];
}

/**
 * Separates a launcher's options from its operands, the way the program itself does.
 *
 * @param anywhere Options may also follow operands.
 */
export function splitOptions(args: readonly Word[], launcher: Launcher, anywhere = false): Launch {
  const options: { name: string; value?: Word }[] = [];
  const before: Word[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index]!;
    const text = word.text;
    if (text === "--") {
      index++;
      break;
    }
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
      if (equals >= 0) options.push({ name, value: dropText(word, equals + 1) });
      else if (launcher.longValues?.includes(name)) options.push({ name, value: args[++index] });
      else if (launcher.pairs?.includes(name)) {
        options.push({ name });
        index += 2;
      } else options.push({ name });
    } else if (/^-./.test(text)) {
      let at = 1;
      for (; at < text.length; at++) {
        const letter = text[at]!;
        if (launcher.values?.includes(letter)) {
          const value = at + 1 < text.length ? dropText(word, at + 1) : args[++index];
          options.push({ name: letter, value });
          break;
        }
        options.push({ name: letter });
      }
    } else if (anywhere) before.push(word);
    else break;
  }
  return { options, operands: [...before, ...args.slice(index)] };
}

/** Runs what a launcher starts; undefined when it starts nothing here. */
export function runLauncher(
  evaluation: Evaluation,
  call: Call,
  launcher: Launcher,
): { readonly output: Output } | undefined {
  let args = call.args;
  let label = call.program;
  if (launcher.subcommands !== undefined) {
    const found = findSubcommand(args, launcher);
    if (found < 0) return undefined;
    label = `${call.program} ${args[found]!.text}`;
    args = args.slice(found + 1);
  }
  const { options, operands } = splitOptions(args, launcher, launcher.skip === Infinity);
  if (launcher.shows !== undefined && options.some((option) => launcher.shows!.includes(option.name))) {
    return undefined;
  }
  const more: { -readonly [K in keyof Frame]?: Frame[K] } = {};
  if (launcher.privileged && !launcher.remote) more.privileged = true;
  if (launcher.background) more.background = true;
  const scope: Scope = { ...call.scope };
  for (const option of options) {
    if (launcher.directory?.includes(option.name) && option.value !== undefined) {
      scope.directory = option.value.isStatic
        ? changeDirectory(scope.directory, option.value.text, evaluation.options.windows === true)
        : { path: undefined, certain: false };
    }
  }
  const assignments: Assignment[] = [...call.assignments];
  let rest = operands;
  if (launcher.remote !== undefined && operands[0] !== undefined) {
    more.remote = `${launcher.remote} ${operands[0].text}`;
    if (launcher.remote === "ssh") {
      more.remote = operands[0].text;
      more.privileged = /^root@/.test(operands[0].text);
    }
    more.mounts = launcher.remote === "container" ? mountsOf(evaluation, call, options) : undefined;
    const place = options.findLast(({ name }) => name === "w" || name === "workdir")?.value?.text;
    const inside = place !== undefined && more.mounts?.some(({ to }) => isBelow(place, to)) === true;
    scope.directory = inside ? { path: place, certain: true } : { path: undefined, certain: false };
  }
  const unskipped = launcher.unskipped?.some((word) => label === `${call.program} ${word}`) === true;
  const skip = unskipped ? 0 : launcher.skip ?? 0;
  rest = skip === Infinity ? [] : rest.slice(skip);
  if (launcher.afterDashes) {
    const dashes = args.findIndex((word) => word.text === "--");
    rest = dashes >= 0 ? args.slice(dashes + 1) : rest;
  }
  if (launcher.commandAfter !== undefined) {
    const at = args.findIndex((word) => launcher.commandAfter!.includes(word.text));
    if (at >= 0) rest = args.slice(at + 1);
    else if (!launcher.afterDashes) rest = [];
  }
  if (rest[0]?.text === "--") rest = rest.slice(1);
  if (launcher.assignments) {
    while (rest[0] !== undefined && /^[A-Za-z_][A-Za-z_0-9]*=/.test(rest[0].text)) {
      const equals = rest[0].text.indexOf("=");
      assignments.push({ name: rest[0].text.slice(0, equals), value: dropText(rest[0], equals + 1) });
      rest = rest.slice(1);
    }
  }
  if (launcher.language !== undefined && /^-$|\.pyw?$/.test(rest[0]?.text ?? "")) {
    rest = [textWord(launcher.language, rest[0]!.span), ...rest];
  }
  const codes = options.filter((option) =>
    launcher.code?.includes(option.name) && option.value !== undefined
  );
  if (rest[1] !== undefined && /^-./.test(rest[0]!.text) && launcher.code?.includes(rest[0]!.text.slice(1))) {
    // `flock FILE -c CODE`: the option stands behind an operand.
    codes.push({ name: rest[0]!.text.slice(1), value: rest[1] });
    rest = [];
  }
  const input = call.frame.stdin?.atoms;
  const opensShell = (launcher.remote === "ssh" && operands.length > 0) ||
    /^(?:su|runuser)$/.test(call.program) ||
    (/^(?:sudo|doas)$/.test(call.program) && options.some(({ name }) => /^(?:s|i|shell|login)$/.test(name)));
  if (rest.length === 0 && codes.length === 0 && opensShell && input !== undefined) {
    // Without a command the shell that it opens reads its commands from standard input.
    evaluation.emit(evaluation.invocation(call));
    noteUnknownCode(evaluation, call, input);
    const frame = nested(call, "pipe", label, { ...more, stdin: undefined });
    return { output: evaluation.runCode(input, call.span, scope, frame) };
  }
  if (rest.length === 0 && codes.length === 0) return undefined;
  if (launcher.keep) evaluation.emit(evaluation.invocation(call));
  let output: Output = [];
  for (const { value } of codes) {
    noteUnknownCode(evaluation, call, value!.pieces);
    output = evaluation.runCode(
      value!.pieces,
      value!.span,
      scope,
      nested(call, "nested-script", `${label} -c`, more),
    );
  }
  if (rest.length === 0) return { output };
  if (launcher.scripts) {
    for (const word of rest) {
      // `concurrently npm:watch` names a script.
      const [, runner, name] = /^(npm|yarn|pnpm|bun|node):(\S+)$/.exec(word.text) ?? [];
      if (runner !== undefined) {
        const words = [runner, runner === "node" ? "--run" : "run", name!].map((text) =>
          textWord(text, word.span)
        );
        const branch = evaluation.fork(scope);
        evaluation.runWords(words, assignments, [], word.span, branch, nested(call, "wrapper", label, more));
      }
      if (word.text.startsWith("-") || !/\s/.test(word.text)) continue;
      noteUnknownCode(evaluation, call, word.pieces);
      const branch = evaluation.fork(scope);
      evaluation.runCode(word.pieces, word.span, branch, nested(call, "nested-script", label, more));
    }
  }
  if (launcher.script) {
    const code = joinAtoms(rest.map((word) => word.pieces));
    noteUnknownCode(evaluation, call, code);
    const frame = nested(call, "nested-script", label, more);
    if (losesQuotes(rest)) evaluation.runWords(rest, assignments, call.redirections, call.span, scope, frame);
    return { output: evaluation.runCode(code, rest[0]!.span, scope, frame) };
  }
  const keyword = modifiers.has(call.program) || (call.program === "time" && call.assignments.length === 0);
  const frame = nested(call, "wrapper", label, { ...more, external: !keyword });
  return { output: evaluation.runWords(rest, assignments, call.redirections, call.span, scope, frame) };
}

/**
 * True when a shell or an interpreter among the words is given code, of which joining the words leaves only the first word. What
 * was meant is judged as well: another version of the launcher may keep the words apart.
 */
export function losesQuotes(words: readonly Word[]): boolean {
  const at = words.findIndex((word) => shellNames.has(programName(word)) || isInterpreter(programName(word)));
  return at >= 0 && words.slice(at + 1).some((word) => /[\s;&|<>()]/.test(word.text)) &&
    words.slice(0, at + 1).every((word) => !/\s/.test(word.text));
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

/** The directories that options of `docker run` give to the container; those that no path names are its own. */
function mountsOf(
  evaluation: Evaluation,
  call: Call,
  options: Launch["options"],
): readonly Mount[] | undefined {
  const mounts: Mount[] = [];
  const add = (source: string, target: string, readonly: boolean) => {
    if (!/^(?:[./]|~$|~\/)/.test(source) || !target.startsWith("/")) return;
    const from = evaluation.absolute(
      textWord(source.replace(/^~/, evaluation.options.home), call.span),
      call.scope,
    );
    if (from !== undefined) {
      mounts.push({ from, to: target.replace(/(?!^)\/+$/, ""), ...(readonly ? { readonly } : {}) });
    }
  };
  for (const { name, value } of options) {
    if (value?.isStatic !== true) continue;
    if (name === "v" || name === "volume") {
      const [source = "", target = "", mode = ""] = value.text.split(":");
      add(source, target, mode.split(",").includes("ro"));
    } else if (name === "mount") {
      const fields = new Map(
        value.text.split(",").map((field) => [field.split("=", 1)[0]!, field.slice(field.indexOf("=") + 1)]),
      );
      add(
        fields.get("source") ?? fields.get("src") ?? "",
        fields.get("target") ?? fields.get("destination") ?? fields.get("dst") ?? "",
        fields.has("readonly") || fields.has("ro"),
      );
    }
  }
  return mounts.length > 0 ? mounts : undefined;
}

/** Words in front of subcommands that only group them: `docker compose run`, `kitty @ send-text`. */
const groups: ReadonlySet<string> = new Set([
  "compose",
  "tool",
  "cli",
  "@",
  "action",
  "workspaces",
  "foreach",
  "codespace",
  "util",
  "cs",
]);

function findSubcommand(args: readonly Word[], launcher: Launcher): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]!.text;
    if (launcher.subcommands!.includes(text)) return index;
    if (text === "workspace") {
      // `yarn workspace NAME exec …`.
      index++;
      continue;
    }
    if (text.startsWith("--")) {
      if (!text.includes("=") && launcher.longValues?.includes(text.slice(2))) index++;
    } else if (/^-.$/.test(text)) {
      if (launcher.values?.includes(text[1]!)) index++;
    } else if (!text.startsWith("-") && !groups.has(text)) return -1;
  }
  return -1;
}
