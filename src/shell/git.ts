/** Git as a launcher: aliases on the command line, commands in configuration, environment and options. */

import type { Evaluation } from "./evaluate.ts";
import type { Call, Output } from "./frame.ts";
import { nested, noteUnknownCode } from "./nested.ts";
import { dropText, plain, textWord } from "./pieces.ts";
import type { Word } from "./model.ts";
import type { Scope } from "./scope.ts";

/** Notes git itself, resolves an alias given with `-c alias.x=…`, and follows commands in options. */
export function runGit(evaluation: Evaluation, call: Call): Output {
  const aliases = new Map<string, Word>();
  const { args } = call;
  let directory: Word | undefined;
  let index = 0;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === "-c" || text === "--config-env") {
      const setting = args[++index];
      if (setting !== undefined && text === "-c") {
        const equals = setting.text.indexOf("=");
        const key = setting.text.slice(0, equals).toLowerCase();
        if (equals > 0) {
          const value = dropText(setting, equals + 1);
          if (key.startsWith("alias.")) aliases.set(key.slice(6), value);
          else if (isCommandSetting(key)) runValue(evaluation, call, value, key);
        }
      }
    } else if (
      text === "-C" || text === "--git-dir" || text === "--work-tree" || text === "--namespace" ||
      text === "--exec-path"
    ) {
      index++;
      if (text === "-C") directory = args[index];
    } else if (!text.startsWith("-")) break;
  }
  for (const { name, value } of call.assignments) {
    if (commandVariables.has(name)) runValue(evaluation, call, value, name);
  }
  const subcommand = args[index]?.text;
  const alias = subcommand === undefined
    ? undefined
    : aliases.get(subcommand.toLowerCase()) ?? configuredAlias(evaluation, call, args[index]!, directory);
  if (alias !== undefined && !call.frame.calls.includes(`git ${subcommand}`)) {
    const rest = args.slice(index + 1);
    // The alias works where -C leads.
    const place = directory === undefined
      ? []
      : [{ kind: "text" as const, text: `-C ${evaluation.mark(directory.pieces)} `, quoted: true }];
    const frame = nested(call, "alias", `git ${subcommand}`, {
      calls: [...call.frame.calls, `git ${subcommand}`],
    });
    const more = rest.flatMap((
      word,
    ) => [{ kind: "text" as const, text: " " + evaluation.mark(word.pieces), quoted: true }]);
    if (alias.text.startsWith("!")) {
      return evaluation.runCode([...dropText(alias, 1).pieces, ...more], alias.span, call.scope, frame);
    }
    return evaluation.runCode(
      [{ kind: "text", text: "git ", quoted: true }, ...place, ...alias.pieces, ...more],
      alias.span,
      call.scope,
      frame,
    );
  }
  evaluation.emit(evaluation.invocation(call));
  if (subcommand !== undefined) runSubcommand(evaluation, call, subcommand, args.slice(index + 1));
  const { workspace } = evaluation.options;
  const { path, certain } = call.scope.directory;
  const asksForTop = index === 0 && args.length === 2 && subcommand === "rev-parse" &&
    args[1]!.text === "--show-toplevel";
  const inside = workspace !== undefined && certain &&
    (path === workspace || path?.startsWith(`${workspace}/`) === true);
  return asksForTop && inside ? [plain(`${workspace}\n`)] : undefined;
}

/** Subcommands of git itself, which no alias can replace. */
const builtins: ReadonlySet<string> = new Set(
  ("add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout checkout-index cherry " +
    "cherry-pick citool clean clone commit commit-tree config count-objects credential describe diff diff-files diff-index " +
    "diff-tree difftool fast-export fast-import fetch filter-branch filter-repo for-each-ref format-patch fsck gc grep gui " +
    "hash-object help init instaweb lfs log ls-files ls-remote ls-tree maintenance merge merge-base merge-tree mergetool mv " +
    "name-rev notes pack-objects prune pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere " +
    "reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stash status " +
    "submodule subtree svn switch symbolic-ref tag update-index update-ref verify-commit verify-tag version whatchanged " +
    "worktree write-tree").split(" "),
);

/** An alias that the settings of the project or the user hold; looked for only when git has no such subcommand. */
function configuredAlias(
  evaluation: Evaluation,
  call: Call,
  name: Word,
  directory: Word | undefined,
): Word | undefined {
  const { readFile, workspace, home } = evaluation.options;
  if (
    readFile === undefined || !name.isStatic || !/^[A-Za-z][\w-]{0,60}$/.test(name.text) ||
    builtins.has(name.text)
  ) {
    return undefined;
  }
  const other = directory === undefined ? undefined : evaluation.absolute(directory, call.scope);
  const tops = [other, workspace, call.scope.directory.path].filter((path) => path !== undefined);
  const files = [...new Set(tops)].map((path) => `${path}/.git/config`);
  for (const file of [...files, `${home}/.gitconfig`, `${home}/.config/git/config`]) {
    const value = aliasIn(readFile(file) ?? "", name.text.toLowerCase());
    if (value !== undefined) return textWord(value, name.span);
  }
  return undefined;
}

/** The value of `name` in the section `[alias]` of a file of git's settings. */
function aliasIn(text: string, name: string): string | undefined {
  let inside = false;
  let found: string | undefined;
  for (const line of text.split("\n")) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) inside = section.trim().toLowerCase() === "alias";
    const setting = inside
      ? /^\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line.replace(/^\s*\[[^\]]*\]/, ""))
      : null;
    if (setting === null || setting[1]!.toLowerCase() !== name) continue;
    const value = setting[2]!.trim();
    const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
    found = (quoted ?? value).replaceAll(/\\(["\\])/g, "$1");
  }
  return found;
}

/** Options of subcommands whose value is a command; with `more`, git adds arguments to it. */
const commandOptions: Readonly<
  Record<string, { readonly names: readonly string[]; readonly more?: boolean }>
> = {
  rebase: { names: ["-x", "--exec"] },
  "filter-branch": {
    names: [
      "--setup",
      "--env-filter",
      "--tree-filter",
      "--index-filter",
      "--parent-filter",
      "--msg-filter",
      "--commit-filter",
      "--tag-name-filter",
    ],
  },
  grep: { names: ["-O", "--open-files-in-pager"], more: true },
  difftool: { names: ["-x", "--extcmd"], more: true },
  clone: { names: ["-u", "--upload-pack"], more: true },
  fetch: { names: ["--upload-pack"], more: true },
  pull: { names: ["--upload-pack"], more: true },
  "ls-remote": { names: ["--upload-pack", "--exec"], more: true },
  "fetch-pack": { names: ["--upload-pack", "--exec"], more: true },
  push: { names: ["--receive-pack", "--exec"], more: true },
  "send-pack": { names: ["--receive-pack", "--exec"], more: true },
  archive: { names: ["--exec"], more: true },
  "send-email": { names: ["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd"], more: true },
};

/** Follows the commands that a subcommand of git starts. */
function runSubcommand(evaluation: Evaluation, call: Call, subcommand: string, args: readonly Word[]): void {
  const label = `git ${subcommand}`;
  const run = (code: Word, more: boolean) => {
    if (code.text === "") return;
    noteUnknownCode(evaluation, call, code.pieces);
    evaluation.runCode(
      code.pieces,
      code.span,
      { ...call.scope },
      nested(call, "nested-script", label, { stdin: undefined, moreArguments: more }),
    );
  };
  const known = Object.hasOwn(commandOptions, subcommand) ? commandOptions[subcommand] : undefined;
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const { text } = word;
    if (text === "--") break;
    for (const name of known?.names ?? []) {
      const attached = name.startsWith("--") ? `${name}=` : name;
      // The value of `-O` is optional and always attached.
      if (text === name && name !== "-O" && name !== "--open-files-in-pager") {
        const value = args[++index];
        if (value !== undefined) run(value, known!.more === true);
        break;
      }
      if (text.startsWith(attached) && text.length > attached.length) {
        run(dropText(word, attached.length), known!.more === true);
        break;
      }
    }
    if (text.startsWith("ext::")) run(dropText(word, 5), false);
  }
  if (subcommand === "submodule" || subcommand === "bisect") {
    const starts = subcommand === "submodule" ? "foreach" : "run";
    const at = args.findIndex((word) => !word.text.startsWith("-"));
    if (args[at]?.text !== starts) return;
    let command = args.slice(at + 1);
    while (subcommand === "submodule" && /^(?:--recursive|-q|--quiet)$/.test(command[0]?.text ?? "")) {
      command = command.slice(1);
    }
    const [first] = command;
    if (first === undefined) return;
    if (subcommand === "submodule" && command.length === 1) {
      run(first, false);
      return;
    }
    const scope: Scope = subcommand === "submodule"
      ? { ...call.scope, directory: { path: undefined, certain: false } }
      : { ...call.scope };
    evaluation.runWords(
      command,
      [],
      [],
      call.span,
      scope,
      nested(call, "wrapper", label, { stdin: undefined }),
    );
  }
}

const commandVariables = new Set(
  "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND PAGER EDITOR VISUAL SSH_ASKPASS"
    .split(" "),
);

function isCommandSetting(key: string): boolean {
  return /^(?:core\.(?:sshcommand|fsmonitor|pager|editor|askpass|gitproxy)|sequence\.editor|diff\.external|credential\.helper|pager\..*|(?:diff|merge|filter|difftool|mergetool)\..*\.(?:command|driver|clean|smudge|process|textconv|cmd)|gpg\.program|uploadpack\.packobjectshook)$/
    .test(key);
}

function runValue(evaluation: Evaluation, call: Call, value: Word, label: string): void {
  if (/^(?:true|false|[0-9]|)$/i.test(value.text)) return;
  const code = value.text.startsWith("!") ? dropText(value, 1) : value;
  evaluation.runCode(code.pieces, value.span, { ...call.scope }, nested(call, "nested-script", label));
}
