/**
 * Runs lines of shell language in real bash, with every command replaced by a function that notes its arguments.
 *
 * No line can start a program, whatever it says: bash is restricted (`set -r`: no slash in the name of a command,
 * no file opened for writing, no change of directory or PATH), PATH names an empty directory and cannot be
 * changed, of the builtins only those stay that neither start nor load anything, names that are not found go to a
 * function, and no process may write to a file (`ulimit -f 0`). The environment is empty, and so is the directory.
 */

import assert from "node:assert/strict";

/** What bash did with a line. */
export interface Ran {
  /** Words of every command that was run, in the order in which they were run. */
  readonly commands: readonly (readonly string[])[];
  /** False when the shell was ended from outside before the end of the line. */
  readonly ended: boolean;
}

/** Home directory that the lines see. */
export const home = "/nowhere/home";

/** Milliseconds after which bash is ended, for one line on top of the start. */
const timeLimit = (count: number) => 60_000 + 1000 * count;

/** Builtins that stay; every other one is switched off. */
const builtins = (
  ": [ alias break continue declare echo eval exit export false let local printf read readonly return set shift " +
  "shopt test trap true typeset unalias unset mapfile readarray"
).split(" ");

/** What a noted command prints; what a substitution makes of it is not known to anyone who only reads the line. */
export const printed = "zz";

const setup = String.raw`
exec 9>&1 8<"$1" >/dev/null 2>/dev/null
ulimit -f 0 -c 0 -t 60
shopt -s expand_aliases
set --
# Fails where the name begins so: conditions go both ways.
noted() {
  # One note is one write, which ends at the end of a line.
  printf '%s\0' "$line_number" "$#" "${"$"}{@//$'\n'/$'\1'}" >&9
  printf %s '${printed}'
  case $1 in wf*) return 1;; esac
}
command_not_found_handle() { noted "$@"; }
wa() { noted wa "$@"; }
wb() { noted wb "$@"; }
wf() { noted wf "$@"; }
command() { "$@"; }
builtin() { "$@"; }
exec() { "$@"; exit; }
cat() { IFS= read -r -d '' all; printf %s "$all"; }
source() { eval "$(<"$1")"; }
# Another shell: the code is an argument or comes from standard input.
sh() {
  case $1 in
    -c) code=$2; shift; [ $# -gt 1 ] && shift; shift $(( $# > 0 )) ;;
    *) IFS= read -r -d '' code; [ "$1" = -s ] && shift ;;
  esac
  ( unalias -a; trap - EXIT; eval "$code" )
}
bash() { sh "$@"; }
line_number=0
for one in $(compgen -b); do
  case " ${builtins.join(" ")} enable " in *" $one "*) ;; *) enable -n "$one";; esac
done
enable -n enable
readonly -f noted command_not_found_handle
set -r
while IFS= read -r -d '' -u 8 line_text; do
  ( eval "$line_text"; ) </dev/null
  printf '%s\0' "$line_number" end >&9
  line_number=$((line_number + 1))
done
`;

/** Whether bash is here in a version that reads here-documents without writing files. */
export const hasBash = Deno.build.os !== "windows" && await versionOf("/bin/bash") >= 5.1;

async function versionOf(path: string): Promise<number> {
  try {
    const { stdout } = await new Deno.Command(path, {
      args: ["--norc", "--noprofile", "-c", 'printf %s "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"'],
      clearEnv: true,
      stdin: "null",
      stderr: "null",
    }).output();
    return Number(new TextDecoder().decode(stdout));
  } catch {
    return 0;
  }
}

/** Fewer lines than these are not worth a process of their own. */
const leastShare = 50;

/**
 * Runs lines, each in a shell of its own, on all processors. Throws when bash did not come to the end, or left
 * something behind.
 */
export async function runInBash(lines: readonly string[]): Promise<readonly Ran[]> {
  const size = Math.max(leastShare, Math.ceil(lines.length / navigator.hardwareConcurrency));
  const shares = Array.from(
    { length: Math.ceil(lines.length / size) },
    (_, index) => runShare(lines.slice(index * size, (index + 1) * size)),
  );
  return (await Promise.all(shares)).flat();
}

/** Runs lines one after the other in one process. */
async function runShare(lines: readonly string[]): Promise<readonly Ran[]> {
  for (const line of lines) assert.ok(!line.includes("\0") && !/dev\/(?:tcp|udp)/.test(line), line);
  const directory = await Deno.makeTempDir({ prefix: "guard-bash-" });
  try {
    await Deno.mkdir(`${directory}/empty`);
    await Deno.mkdir(`${directory}/work`);
    await Deno.writeTextFile(`${directory}/setup.sh`, setup);
    await Deno.writeTextFile(`${directory}/lines`, lines.map((line) => `${line}\0`).join(""));
    const child = new Deno.Command("/bin/bash", {
      args: ["--norc", "--noprofile", `${directory}/setup.sh`, `${directory}/lines`],
      cwd: `${directory}/work`,
      clearEnv: true,
      env: { PATH: `${directory}/empty`, HOME: home, TMPDIR: `${directory}/empty` },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => child.kill("SIGKILL"), timeLimit(lines.length));
    const { stdout, success } = await child.output();
    clearTimeout(timer);
    assert.ok(success, "bash did not come to the end of the lines");
    for (const place of ["work", "empty"]) {
      assert.deepEqual([...Deno.readDirSync(`${directory}/${place}`)], [], "the lines leave nothing behind");
    }
    return records(new TextDecoder().decode(stdout), lines.length);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** The notes of bash: number of the line, then `end`, or a count and as many words. */
function records(text: string, count: number): readonly Ran[] {
  const parts = text.replaceAll("\x01", "\n").split("\0");
  const all = Array.from({ length: count }, () => ({ commands: [] as string[][], ended: false }));
  for (let at = 0; at < parts.length - 1;) {
    const one = all[Number(parts[at++])];
    const size = parts[at++]!;
    assert.ok(one !== undefined, "a note belongs to a line");
    if (size === "end") one.ended = true;
    else {
      one.commands.push(parts.slice(at, at + Number(size)));
      at += Number(size);
    }
  }
  return all;
}
