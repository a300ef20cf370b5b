/** Files of guard, and settings of hosts, that are named to a program of which nobody knows what it does with them. */

import type { Invocation, Word } from "../shell/model.ts";
import type { Draft } from "./draft.ts";

/** What the path of such a file can end in; whether it is one is told by the rule. */
const telling =
  /(?:^|[\\/])(?:\.?guard(?:\.exe)?|\.?guard[\\/][^\s]*|(?:hooks|settings(?:\.local)?|config|cli|permissions)\.(?:jsonc?|toml|ya?ml))$/i;

/** Programs that only speak of what they are named, show or check it, open it for the person, or start another program. */
const harmless: ReadonlySet<string> = new Set(
  ("echo printf export local declare typeset readonly unset set cd pushd popd alias unalias read true false : which command " +
    "type whereis whence hash man return exit eval trap let expr say osascript notify-send logger " +
    "eslint jsonlint ajv check-jsonschema shellcheck yamllint glow mdcat jless fx gron jd delta difft colordiff highlight pygmentize " +
    "exiftool cspell codespell pytest jest vitest mypy tsc less sum b2sum sha384sum sha224sum " +
    "cursor windsurf zed subl idea webstorm gedit kate xdg-mime " +
    "sudo doas env nohup nice timeout time xargs find fd watch ssh npx bunx pnpx uvx pipx busybox strace exec builtin")
    .split(" "),
);

/** Programs that run code of the project, to which the arguments belong. */
const runners: ReadonlySet<string> = new Set(
  "deno bun tsx ts-node npm pnpm yarn uv poetry make just task cargo go claude codex gemini copilot opencode"
    .split(" "),
);

/** Options and first words that say that nothing is changed. */
const looking =
  /^(?:--?(?:check|list-different|dry-run|version|help|diff|validate|verify)|lint|check|validate|verify|show|view|list|info|describe|diff|inspect|status|keys|select|get)$/;

/** Options behind which stands what a program writes. */
const output = /^(?:-o|--?out(?:put|file)?(?:-file)?|--root|--target)$/;

/** The uses of such files by a program for which no table says what it does with paths. */
export function handedDrafts({ program, word, args, remote }: Invocation): readonly Draft[] {
  if (remote !== undefined || harmless.has(program)) return [];
  const found = args.flatMap((arg, index) => {
    const path = valueOf(arg);
    if (!telling.test(path.text)) return [];
    const before = args[index - 1]?.text ?? "";
    const written = output.test(before) ||
      path !== arg && output.test(arg.text.slice(0, arg.text.indexOf("=")));
    return written || !runners.has(program) ? [{ path, written }] : [];
  });
  // A script of the project is judged for what it does, where that can be read.
  if (found.length === 0 || /[\\/]/.test(word.text) && !/^(?:\/usr)?(?:\/local)?\/s?bin\//.test(word.text)) {
    return [];
  }
  const looks = args.some(({ text }, index) => looking.test(text) && (index === 0 || text.startsWith("-")));
  return found.filter(({ written }) => written || !looks).map(({ path }) => ({ operation: "handed", path }));
}

/** The value of `--option=value` or `option=value`, else the word. */
function valueOf(word: Word): Word {
  const start = word.isStatic ? /^-{0,2}[A-Za-z][\w-]*=/.exec(word.text)?.[0].length ?? 0 : 0;
  if (start === 0) return word;
  const text = word.text.slice(start);
  return { ...word, text, pieces: [{ kind: "text", text, quoted: true }] };
}
