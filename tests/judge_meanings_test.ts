/** Commands whose meaning hangs on something said elsewhere: options that cancel others, quotes that get lost, what is run later. */

import { type Row, table } from "./judge_table.ts";

const changed: Row = {
  facts: {
    files: { "/home/eva/shop/lib/cart.ts": "x" },
    git: { modified: ["lib/cart.ts"], untracked: [], ignored: [], tracked: ["lib/cart.ts", "lib/pay.ts"] },
  },
};

table("code inside arithmetic runs", "deny", [
  "echo $((`rm -rf /etc` + 2))",
  "echo $((n`rm -rf /usr`m))",
  "(( k = `rm -rf ~` ))",
  "echo $[`rm -rf ~`]",
  "for ((i=`rm -rf /`; i<3; i++)); do echo $i; done",
]);
table("arithmetic of numbers and dates is nothing to ask about", "none", [
  "echo $((`date +%s` - 60))",
  "(( k = `nproc` * 2 ))",
]);

table("words that a launcher joins count as they were meant, too", "deny", [
  "watch sh -c 'rm -rf /usr'",
  "parallel bash -c 'rm -rf ~' ::: one",
  "ssh box sudo bash -c 'rm -rf /etc'",
  "echo 'rm -rf /' | xargs bash -c",
  "printf '%s\\n' 'rm -rf ~' | xargs sh -c 'eval \"$1\"' _",
]);
table("joined words that do no harm", "none", [
  "watch sh -c 'git status'",
  "ssh box sh -c 'df -h'",
  "parallel sh -c 'wc -l {}' ::: a b",
  "parallel python3 -c 'print(1)' ::: x",
  "parallel sh -c 'rm -rf {1}' ::: node_modules",
]);

table("words from elsewhere that can turn a command", "ask", [
  "cat refs | xargs git push",
  "cat refs | xargs git reset",
  "cat dirs | xargs git -C sub",
  "parallel git push",
  "ls | xargs find",
  "parallel git -c {} log",
  "cat x | xargs -I{} git --config-env={} log",
]);
table("words from elsewhere that only name something", "none", [
  "git diff --name-only | xargs git add",
  "git tag | xargs -n1 git show",
  "cat branches | xargs -I{} git merge {}",
  "ls -d */ | xargs -I{} find {} -name '*.md'",
]);

table(
  "the last of two opposite options counts",
  "ask",
  [
    "git rm --force --dry-run --no-dry-run lib/cart.ts",
    "git rm --force --cached --no-cached lib/cart.ts",
    "git reset --merge",
    "git restore --patch",
  ].map((command) => [command, changed] as const),
);
table(
  "options that leave the files alone",
  "none",
  [
    "git rm --force --cached lib/cart.ts",
    "git rm --force --no-cached --cached lib/cart.ts",
    "git rm --force --dry-run lib/cart.ts",
    "git restore lib/cart.ts --version",
    "git checkout --track origin/main topic",
  ].map((command) => [command, changed] as const),
);

table("cmdlets in a line of a POSIX shell are read as PowerShell reads them", "deny", [
  "Remove-Item -Recurse -Force ~",
  "Get-Date; Remove-Item / -Recurse",
]);
table("harmless cmdlets", "none", ["Get-ChildItem lib", "Write-Host done"]);

table("shells that only check their code run nothing", "none", [
  "bash -n deploy.sh",
  "bash -n -c 'rm -rf /'",
  "sh -n <<'END'\nrm -rf /usr\nEND\n",
  "bash -o noexec -c 'rm -rf /'",
]);
table("shells that check nothing, or check no more", "deny", [
  "bash -n +n -c 'rm -rf /'",
  "bash -n -i -c 'rm -rf /'",
  "bash -c 'rm -rf /' -n",
]);

table("functions reach shells that are started only when they are exported", "none", [
  "wipe() { rm -rf /; }; sh -c wipe",
]);
table("exported functions", "deny", [
  "wipe() { rm -rf /; }; export -f wipe; bash -c wipe",
  "wipe() { rm -rf /; }; declare -fx wipe; bash -c wipe",
  "set -a; wipe() { rm -rf /; }; bash -c wipe",
  "wipe() { rm -rf /; }; wipe",
]);

table("a trap at the exit sees what variables hold then", "none", [
  'trap \'rm -rf "$work"\' EXIT; work=$(mktemp -d); cp -r lib "$work"',
]);
table("a trap that deletes what it should not", "deny", [
  "trap 'rm -rf $work' EXIT; work=/usr",
  "work=/tmp/w; trap 'rm -rf $work' EXIT; work=/etc",
  'work=/etc; trap "rm -rf $work" EXIT; work=$(mktemp -d)',
  "trap 'rm -rf /etc' EXIT",
]);

table("programs that nobody knows may run what they are given", "deny", [
  "wrapper rm -rf /",
  "wrapper bash -c 'rm -rf ~'",
]);
table("programs that only speak about others", "none", [
  "man git push --force",
  "brew install git gnupg",
  "less git push --force",
  "wrapper git status",
]);

table("links that find follows lead anywhere", "ask", [
  "find -L /tmp/cache -delete",
  "find /tmp/cache -follow -delete",
]);
table("find below temp without links", "none", [
  "find /tmp/cache -delete",
  "find -L /tmp/cache -name '*.o' -delete",
]);

table("names that are no names of programs", "ask", ["'rm -rf /tmp/old'", "1X=2 git status", "a-b=c ls"]);
table("what initialises a shell", "none", [
  'eval "$(ssh-agent -s)"',
  'eval "$(pyenv init -)"',
  'eval "$(brew shellenv)"',
]);
table("what only looks like it", "ask", [
  'eval "$(PATH=/tmp/x ssh-agent -s)"',
  'eval "$(ssh-agent "$MODE")"',
]);
