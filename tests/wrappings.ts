/** Ways in which a command can be written so that it still runs: chained, nested, launched, quoted, encoded. */

import { launcherWords } from "./launcher_words.ts";

/** A way of writing. `wrap` takes a whole command, which may have lines and here-documents. */
export interface Wrapping {
  readonly name: string;
  readonly wrap: (command: string) => string;
  /** It takes one simple command of a program only, which is no builtin of the shell. */
  readonly simple?: boolean;
  /** It gives the command further arguments, which may make it do something else. */
  readonly adds?: boolean;
}

/** The text as one word of the shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** The text as a string of Python, JavaScript, Lua, AWK. */
const literal = JSON.stringify;

/** The text as a string in single quotes of Perl, Ruby, PHP. */
function single(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function bytesOf(text: string): readonly number[] {
  return [...new TextEncoder().encode(text)];
}

function base64(text: string): string {
  return btoa(bytesOf(text).map((byte) => String.fromCharCode(byte)).join(""));
}

function hex(text: string, before = ""): string {
  return bytesOf(text).map((byte) => before + byte.toString(16).padStart(2, "0")).join("");
}

function octal(text: string): string {
  return bytesOf(text).map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

const forms: Readonly<Record<string, (command: string) => string>> = {
  "behind another": (command) => `true; ${command}`,
  "before another": (command) => `${command}\ntrue`,
  "after success": (command) => `true && ${command}`,
  "after failure": (command) => `false || ${command}`,
  negated: (command) => `! { ${command}\n}`,
  subshell: (command) => `( ${command}\n)`,
  group: (command) => `{ ${command}\n}`,
  background: (command) => `{ ${command}\n} &`,
  piped: (command) => `{ ${command}\n} | cat`,
  "output away": (command) => `{ ${command}\n} > /dev/null 2>&1`,
  condition: (command) => `if ${command}\nthen true; fi`,
  then: (command) => `if true; then ${command}\nfi`,
  else: (command) => `if test -f x; then true; else ${command}\nfi`,
  while: (command) => `while true; do ${command}\nbreak; done`,
  until: (command) => `until ${command}\ndo true; done`,
  "for": (command) => `for i in 1; do ${command}\ndone`,
  "for with numbers": (command) => `for ((i = 0; i < 1; i++)); do ${command}\ndone`,
  "case": (command) => `case a in b) ;; *) ${command}\n;; esac`,
  "unknown case": (command) => `case $ANSWER in y) ${command}\n;; esac`,
  function: (command) => `work() { ${command}\n}; work`,
  "function with a keyword": (command) => `function work { ${command}\n}\nwork`,
  substitution: (command) => `echo "$( ${command}\n)"`,
  "in an assignment": (command) => `result=$( ${command}\n)`,
  "in a test": (command) => `[[ -n $( ${command}\n) ]]`,
  "in arithmetic": (command) => `(( $( ${command}\n) > 0 ))`,
  "in a default": (command) => `echo \${unset_name:-$( ${command}\n)}`,
  "in a here-document": (command) => `cat <<E0\n$( ${command}\n)\nE0`,
  "process substitution": (command) => `cat <( ${command}\n)`,
  timed: (command) => `time { ${command}\n}`,
  coprocess: (command) => `coproc { ${command}\n}`,
  eval: (command) => `eval ${shellQuoted(command)}`,
  "eval in double quotes": (command) => `eval ${doubleQuoted(command)}`,
  "eval of a variable": (command) => `code=${shellQuoted(command)}; eval "$code"`,
  trap: (command) => `trap ${shellQuoted(command)} EXIT`,
  alias: (command) => `alias work=${shellQuoted(command)}\nwork`,
  "sh -c": (command) => `sh -c ${shellQuoted(command)}`,
  "bash -lc": (command) => `bash -lc ${doubleQuoted(command)}`,
  "zsh -c": (command) => `zsh -c ${shellQuoted(command)}`,
  "bash -c of a variable": (command) => `code=${doubleQuoted(command)}; bash -c "$code"`,
  "env sh -c": (command) => `env A=b sh -c ${shellQuoted(command)}`,
  "shell with a here-document": (command) => `bash <<'E1'\n${command}\nE1`,
  "shell with a here-string": (command) => `sh <<< ${shellQuoted(command)}`,
  "echo into a shell": (command) => `echo ${shellQuoted(command)} | sh`,
  "printf into a shell": (command) => `printf '%s\\n' ${shellQuoted(command)} | bash -s`,
  "cat into a shell": (command) => `cat <<'E2' | sh\n${command}\nE2`,
  "sourced process": (command) => `source <(echo ${shellQuoted(command)})`,
  "sourced input": (command) => `. /dev/stdin <<'E3'\n${command}\nE3`,
  "script written first": (command) => `cat > /tmp/work.sh <<'E4'\n${command}\nE4\nsh /tmp/work.sh`,
  "script written by echo": (command) =>
    `echo ${shellQuoted(command)} > work.sh && chmod +x work.sh && ./work.sh`,
  "base64 into a shell": (command) => `echo ${base64(command)} | base64 -d | sh`,
  "base64 in eval": (command) => `eval "$(echo ${base64(command)} | base64 --decode)"`,
  "base64 by openssl": (command) => `echo ${base64(command)} | openssl base64 -d -A | bash`,
  "hex into a shell": (command) => `echo ${hex(command)} | xxd -r -p | sh`,
  "hex printed": (command) => `printf '${hex(command, "\\x")}' | sh`,
  "octal in bash -c": (command) => `bash -c "$(printf '${octal(command)}')"`,
  "ANSI-C quoting": (command) => `eval $'${hex(command, "\\x")}'`,
  reversed: (command) =>
    command.includes("\n") ? command : `echo ${shellQuoted([...command].reverse().join(""))} | rev | sh`,
  "find -exec sh": (command) =>
    command.includes("{}") ? command : `find . -maxdepth 0 -exec sh -c ${shellQuoted(command)} \\;`,
  "xargs sh": (command) => `echo a | xargs -I%% sh -c ${shellQuoted(command)}`,
  parallel: (command) => `parallel ::: ${shellQuoted(command)}`,
  "env -S": (command) => `env -S ${shellQuoted(`sh -c ${doubleQuoted(command)}`)}`,
  python: (command) => `python3 -c ${shellQuoted(`import os; os.system(${literal(command)})`)}`,
  "python with subprocess": (command) =>
    `python3 - <<'E5'\nimport subprocess\nsubprocess.run(${literal(command)}, shell=True, check=True)\nE5`,
  node: (command) => `node -e ${shellQuoted(`require("child_process").execSync(${literal(command)})`)}`,
  deno: (command) =>
    `deno eval ${shellQuoted(`new Deno.Command("sh", { args: ["-c", ${literal(command)}] }).outputSync()`)}`,
  bun: (command) => `bun -e ${shellQuoted(`Bun.spawnSync(["bash", "-c", ${literal(command)}])`)}`,
  ruby: (command) => `ruby -e ${shellQuoted(`system(${single(command)})`)}`,
  perl: (command) => `perl -e ${shellQuoted(`system(${single(command)});`)}`,
  php: (command) => `php -r ${shellQuoted(`shell_exec(${single(command)});`)}`,
  lua: (command) => `lua -e ${shellQuoted(`os.execute(${literal(command)})`)}`,
  awk: (command) => `awk ${shellQuoted(`BEGIN { system(${literal(command)}) }`)}`,
  "git alias": (command) => `git -c ${shellQuoted(`alias.work=!${command}`)} work`,
  "git rebase": (command) => `git rebase -x ${shellQuoted(command)} HEAD~1`,
  vim: (command) => command.includes("\n") ? command : `vim -c ${shellQuoted(`!${command}`)} -c q`,
  tar: (command) => `tar xf a.tar --to-command=${shellQuoted(command)}`,
};

/** Launchers whose command runs here. */
const launching: readonly Wrapping[] = launcherWords.filter((one) => !one.remote).map((one) =>
  one.code
    ? { name: one.name, wrap: (command) => `${one.before} ${shellQuoted(command)}` }
    : one.script
    ? { name: one.name, wrap: (command) => `${one.before} sh -c ${shellQuoted(shellQuoted(command))}` }
    // What begins with a dash would be an option and not code, where it is one word.
    : {
      name: one.name,
      simple: true,
      wrap: (command) => `${/^-/.test(one.before) ? " " : ""}${one.before} ${command}`,
    }
);

/** All ways. */
export const wrappings: readonly Wrapping[] = [
  ...Object.entries(forms).map(([name, wrap]) => ({ name, wrap })),
  ...launching,
  { name: "xargs", simple: true, adds: true, wrap: (command) => `ls | xargs ${command}` },
  { name: "find -exec", simple: true, wrap: (command) => `find . -exec ${command} \\;` },
  { name: "fd -x", simple: true, adds: true, wrap: (command) => `fd -x ${command}` },
  { name: "env", simple: true, wrap: (command) => `env -u A B=c ${command}` },
  { name: "unknown program", simple: true, wrap: (command) => `$RUNNER ${command}` },
];
