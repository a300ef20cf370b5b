/** Commands in places where a program looks for them by itself: variables, makefiles on the command line, Lisp. */

import type { Evaluation } from "./evaluate.ts";
import type { Call } from "./frame.ts";
import type { Word } from "./model.ts";
import { heldBy, nested } from "./nested.ts";
import { dropText, plain, staticText, textWord } from "./pieces.ts";

/** Variables whose value programs run as a command. What git reads is in git.ts. */
const commandVariables = new Set(
  ("PAGER MANPAGER GH_PAGER AWS_PAGER SYSTEMD_PAGER PSQL_PAGER BAT_PAGER DELTA_PAGER LESSOPEN LESSCLOSE EDITOR VISUAL " +
    "GH_EDITOR SUDO_EDITOR KUBE_EDITOR FCEDIT BROWSER GH_BROWSER SUDO_ASKPASS SSH_ASKPASS RSYNC_RSH CVS_RSH PROMPT_COMMAND " +
    "RUSTC_WRAPPER CARGO_BUILD_RUSTC_WRAPPER NODE_REPL_EXTERNAL_MODULE")
    .split(" "),
);

/** Variables in which a shell runs the substitutions. */
const prompts = /^PS[0-4]$/;

/** Runs the commands in variables that stand in front of a program. */
export function runVariables(evaluation: Evaluation, call: Call): void {
  for (const { name, value } of call.assignments) {
    if (!commandVariables.has(name) && !prompts.test(name)) continue;
    if (/^(?:[\w.+/-]*|)$/.test(value.text)) continue;
    const pieces = prompts.test(name)
      ? [plain(': "'), ...value.pieces, plain('"')]
      // `|` in front of the value of LESSOPEN means that the output is read.
      : /^\|+-?/.test(value.text)
      ? dropText(value, /^\|+-?/.exec(value.text)![0].length).pieces
      : value.pieces;
    evaluation.runCode(pieces, value.span, { ...call.scope }, nested(call, "nested-script", name));
  }
}

/** Longest text that is looked through. */
const maxText = 256 * 1024;

/** Runs the recipes of a makefile that stands on the command line: `--eval`, `-f -`. */
export function runMake(evaluation: Evaluation, call: Call): void {
  const texts: { readonly text: string; readonly span: Word["span"] }[] = [];
  call.args.forEach((word, index) => {
    const before = call.args[index - 1]?.text;
    const lead = /^(?:--ev(?:al?)?=|-E)(?=.)/s.exec(word.text)?.[0].length;
    const given = lead !== undefined
      ? dropText(word, lead)
      : /^(?:--ev(?:al?)?|-E)$/.test(before ?? "")
      ? word
      : undefined;
    if (given?.isStatic === true) texts.push({ text: given.text, span: given.span });
    const [, name, value = ""] = /^(\w+)[:+?]?=(.*)$/s.exec(word.text) ?? [];
    if (name === "SHELL") {
      const shell = dropText(word, word.text.length - value.length);
      evaluation.runCode(
        shell.pieces,
        shell.span,
        { ...call.scope },
        nested(call, "nested-script", "make SHELL"),
      );
    } else if (name !== undefined && value.includes("$(shell ")) texts.push({ text: value, span: word.span });
    const file = /^(?:-f|--file=|--makefile=)(.+)$/.exec(word.text)?.[1] ??
      (/^(?:-f|--file|--makefile)$/.test(before ?? "") ? word.text : undefined);
    if (file === "-" || file === "/dev/stdin") {
      const input = staticText(call.frame.stdin?.atoms);
      if (input !== undefined) texts.push({ text: input, span: call.span });
    }
  });
  for (const { name, value } of call.assignments) {
    // What stands in these variables is read as options, and every other one as a variable of the makefile.
    if (!value.isStatic) continue;
    const given = /^G?MAKEFLAGS$/.test(name) ? /--eval[= ](.*)$/s.exec(value.text)?.[1] : undefined;
    if (given !== undefined) texts.push({ text: given, span: value.span });
    else if (value.text.includes("$(shell ")) texts.push({ text: value.text, span: value.span });
  }
  for (const { text, span } of texts) {
    for (const line of recipes(text.slice(0, maxText))) {
      evaluation.runCode([plain(line)], span, { ...call.scope }, nested(call, "nested-script", call.program));
    }
  }
}

function recipes(makefile: string): readonly string[] {
  const found: string[] = [];
  for (const line of makefile.replaceAll("\\\n", " ").split("\n")) {
    const recipe = line.startsWith("\t") ? line : afterTarget(line);
    if (recipe !== undefined) found.push(recipe.replace(/^[\s@+-]+/, "").replaceAll("$$", "$"));
    const call = line.indexOf("$(shell ");
    const end = line.lastIndexOf(")");
    if (call >= 0 && end > call) found.push(line.slice(call + 8, end).replaceAll("$$", "$"));
    const assigned = line.indexOf("!=");
    if (assigned >= 0) found.push(line.slice(assigned + 2).replaceAll("$$", "$"));
  }
  return found;
}

/** The recipe in `target: needs; recipe`. */
function afterTarget(line: string): string | undefined {
  const colon = line.indexOf(":");
  const end = line.indexOf(";", colon);
  if (colon < 0 || end < 0 || line.slice(0, end).includes("=")) return undefined;
  return line.slice(end + 1);
}

const string = String.raw`"((?:[^"\\]|\\.){0,4000})"`;
const shellCall = new RegExp(
  String
    .raw`\(\s*(?:[\w.-]+[/:]{1,2})?(?:async-shell-command|shell-command(?:-to-string)?|eshell-command|system\*?|shell|sh|bash|run-program|run-shell-command|run/string)\s+` +
    string + String.raw`((?:\s+"(?:[^"\\]|\\.){0,400}"){0,20})`,
  "g",
);
const strings = /"((?:[^"\\]|\\.){0,400})"/g;
const fileCall = new RegExp(
  String
    .raw`\(\s*(?:[\w.-]+[/:]{1,2})?(delete-directory(?:/files)?|delete-directory-tree|delete-tree|delete-file|find-file(?:-noselect|-literally)?|insert-file-contents|view-file)\s+` +
    string,
  "g",
);

/** Runs what a Lisp expression on the command line does to files, and the commands that it starts. */
export function runLisp(evaluation: Evaluation, call: Call): void {
  call.args.forEach((word, index) => {
    const before = call.args[index - 1]?.text ?? "";
    const code = /^--?(?:eval|execute)=/.test(word.text)
      ? word.text.slice(word.text.indexOf("=") + 1)
      : /^(?:--?eval|--?execute|-e|-c|-x|-p)$/.test(before)
      ? word.text
      : undefined;
    if (code === undefined || !word.isStatic) return;
    const frame = nested(call, "interpreter", `${call.program} --eval`, { stdin: undefined });
    for (const [, text, more = ""] of code.slice(0, maxText).matchAll(shellCall)) {
      // `(sh "rm" "-rf" "/x")` is given words, `(system "rm -rf /x")` a line.
      const words = [text!, ...[...more.matchAll(strings)].map(([, one]) => one!)].map(unescaped);
      const scope = { ...call.scope };
      if (words.length === 1) evaluation.runCode([plain(words[0]!)], word.span, scope, frame);
      else {
        evaluation.runWords(words.map((one) => textWord(one, word.span)), [], [], word.span, scope, frame);
      }
    }
    for (const [, name, path] of code.slice(0, maxText).matchAll(fileCall)) {
      const program = /^delete-(?:directory|tree)/.test(name!)
        ? ["rm", "-r"]
        : name === "delete-file"
        ? ["rm"]
        : ["cat"];
      const written = unescaped(path!).replace(/^~(?=\/|$)/, evaluation.options.home ?? "~");
      const words = [...program, written].map((text) => textWord(text, word.span));
      evaluation.runWords(words, [], [], word.span, { ...call.scope }, frame);
    }
  });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}

/** Commands of Tcl and Expect that start programs, type into them, or take files away. */
const tclCommand =
  /(?:^|[\s;{[])(exec|spawn|system|send(?:_user)?|overlay|open|file\s+(?:delete|rename|copy)|source|eval)(?=[\s"{])([^\n;]*)/g;

/** Follows what Tcl on a command line, in a file or from standard input starts and deletes. */
export function runTcl(evaluation: Evaluation, call: Call): void {
  const codes: { readonly text: string; readonly span: Word["span"]; readonly file?: Word }[] = [];
  let index = 0;
  for (; index < call.args.length && call.args[index]!.text.startsWith("-"); index++) {
    const { text } = call.args[index]!;
    if (text === "-" || text === "--") break;
    const value = call.args[index + 1];
    if (text === "-c" && value !== undefined) {
      codes.push({ text: evaluation.codeText(value.pieces), span: value.span });
      index++;
    } else if (text === "-f") break;
  }
  const file = call.args.slice(index).find(({ text }) => !/^-(?:-|f)?$/.test(text));
  const content = codes.length > 0
    ? undefined
    : file === undefined
    ? call.frame.stdin?.atoms
    : evaluation.fileContent(file, call.scope);
  if (content !== undefined) {
    codes.push({ text: evaluation.codeText(content), span: file?.span ?? call.span, file });
  }
  for (const { text, span, file } of codes) {
    evaluation.step(1 + (text.length >> 3));
    const frame = nested(call, file === undefined ? "interpreter" : "script-file", call.program, {
      stdin: undefined,
      ...(file === undefined ? {} : heldBy(call, file)),
    });
    const run = (code: string) => evaluation.runCode([plain(code)], span, { ...call.scope }, frame);
    for (
      const [, name = "", rest = ""] of text.slice(0, maxText).replaceAll("\\\n", " ").matchAll(tclCommand)
    ) {
      const words = tclWords(rest).filter((word) =>
        !/^-(?:ignorestderr|keepnewline|noecho|nottycopy|force|--?|s|h)$/.test(word)
      );
      const command = words.map(quoted).join(" ");
      if (/^(?:exec|spawn|overlay|system)$/.test(name)) run(name === "system" ? words.join(" ") : command);
      // Words that end in a return are typed into what was started.
      else if (name === "send") run((words[0] ?? "").replace(/(?:\\[rn]|\r)+$/, ""));
      else if (name === "open" && words[0]?.startsWith("|") === true) run(words[0].slice(1));
      else if (/^file\s+delete/.test(name)) run(`rm -r ${command}`);
      else if (/^file\s+(?:rename|copy)/.test(name)) {
        run(`${/rename/.test(name) ? "mv" : "cp -r"} ${command}`);
      }
    }
  }
}

/** Words of a command of Tcl, without the bracket that closes what it stands in. */
function tclWords(text: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if (/\s/.test(char)) {
      at++;
      continue;
    }
    if (char === "]" || char === "}") break;
    const close = char === '"' ? '"' : char === "{" ? "}" : undefined;
    const from = close === undefined ? at : at + 1;
    let end = from;
    while (end < text.length && (close === undefined ? !/[\s\]}]/.test(text[end]!) : text[end] !== close)) {
      end += text[end] === "\\" ? 2 : 1;
    }
    words.push(text.slice(from, end));
    at = close === undefined ? end : end + 1;
  }
  return words;
}

/** A word of Tcl as one of the shell: its variables of the environment are the shell's, a tilde is home. */
function quoted(word: string): string {
  const text = word.replaceAll(/\$\{?(?:::)?env\((\w+)\)\}?/g, "$$$1");
  if (/^[<>|&]+$/.test(text) || /^~/.test(text)) return text;
  return `"${text.replaceAll(/["`]/g, "\\$&")}"`;
}
