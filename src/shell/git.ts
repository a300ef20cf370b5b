/** Git as a launcher: aliases on the command line, commands in configuration, environment and options. */

import type { Call, Evaluation, Output } from "./evaluate.ts";
import { nested } from "./programs.ts";
import { dropText } from "./pieces.ts";
import type { Word } from "./model.ts";

/** Notes git itself, resolves an alias given with `-c alias.x=…`, and follows commands in options. */
export function runGit(evaluation: Evaluation, call: Call): Output {
  const aliases = new Map<string, Word>();
  const { args } = call;
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
    } else if (!text.startsWith("-")) break;
  }
  for (const { name, value } of call.assignments) {
    if (commandVariables.has(name)) runValue(evaluation, call, value, name);
  }
  const subcommand = args[index]?.text;
  const alias = subcommand === undefined ? undefined : aliases.get(subcommand.toLowerCase());
  if (alias !== undefined && !call.frame.calls.includes(`git ${subcommand}`)) {
    const rest = args.slice(index + 1);
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
      [{ kind: "text", text: "git ", quoted: true }, ...alias.pieces, ...more],
      alias.span,
      call.scope,
      frame,
    );
  }
  evaluation.emit(evaluation.invocation(call));
  return undefined;
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
