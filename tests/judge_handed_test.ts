/** Commands that get their words, or their code, from lists, input sources and other programs. */

import { type Row, table } from "./judge_table.ts";

const names = Array.from({ length: 120 }, (_, index) => `page${index}.html`);
const list = names.join(" ");
const key = "~/.ssh/id_ed25519";
const notes: Row = {
  facts: { files: { "/home/eva/shop/names.txt": `${names.join("\n")}\n/etc\n` }, git: {} },
};

table("the last of many values counts like the first", "deny", [
  `for f in ${list} ${key}; do cat "$f"; done`,
  `parallel cat ::: ${list} ${key}`,
  `parallel rm -rf ::: ${list} ~`,
  `printf '%s\\n' ${list} ${key} | xargs -n1 cat`,
  `printf '%s\\n' ${list} ${key} | xargs -I{} cat {}`,
  `printf '%s\\n' ${list} ${key} | while read -r f; do cat "$f"; done`,
  `printf '%s\\n' ${list} /etc | parallel rm -rf {}`,
  `cat {${names.join(",")},${key.replace("~", "/home/eva")}}`,
  `printf '%s\\n' ${"n=1 ".repeat(1100)} 'rm -rf ~' | sh`,
  `mapfile -t all < <(printf '%s\\n' ${list} ${list} ${list} ${list} ${list} ~); rm -rf "\${all[@]}"`,
  ["parallel -a names.txt rm -rf", notes],
  ["parallel rm -rf :::: names.txt", notes],
  ["xargs -a names.txt rm -rf", notes],
]);
table("many values that do no harm", "none", [
  `for f in ${list}; do wc -l "$f"; done`,
  `parallel gzip -k ::: ${list}`,
  `printf '%s\\n' ${list} | xargs -n1 wc -l`,
  `printf '%s\\n' ${list} | while read -r f; do head -n1 "$f"; done`,
  "for i in {1..2000}; do echo $i; done",
  "parallel echo ::: {1..2000}",
  "touch part{1..50}-{a..z}.txt",
  ["parallel -a names.txt wc -l", notes],
]);
table("more programs than are followed", "ask", [
  `parallel ::: ${"true ".repeat(1100)}`,
  `parallel echo ::: ${"a ".repeat(40)} ::: ${"b ".repeat(40)}`,
]);

table("values that parallel puts into its template", "deny", [
  "parallel rm -rf {2}/{1} ::: shop ::: /home/eva",
  "parallel --link rm -rf {1}{2} ::: x / ::: y usr",
  "parallel rm -rf {1}{2} ::: / ::: usr :::+ lib",
  "parallel rm -rf {//} ::: /etc/hosts",
  "parallel -I,, 'cd ,, && rm -rf *' ::: ~",
  "parallel -N2 cp ::: ~/.ssh/id_rsa /tmp/k ::: || parallel -X cat ::: ~/.ssh/id_rsa",
  "parallel ::: 'rm -rf' ::: ~",
  "parallel {= uq =} ::: 'rm -rf ~'",
  "env_parallel rm -rf ::: ~",
]);
table("Perl in a template of parallel runs, whether the jobs do or not", "deny", [
  "parallel echo '{= system(\"rm -rf ~\") =}' ::: a",
  "parallel --dry-run echo '{= system(\"rm -rf ~\") =}' ::: a",
  "parallel --dry-run --rpl '{x} system(\"rm -rf ~\")' echo {x} ::: a",
  "parallel --filter 'system(\"rm -rf ~\")' echo ::: a",
  "parallel --tagstring '{= unlink glob(\"/etc/*\") =}' echo ::: a",
]);
table("jobs of parallel that are not what their words say", "ask", [
  "parallel '{= s/x/rm/ =}' -rf build ::: x",
  "parallel --rpl '{cmd} $_=\"rm\"' {cmd} -rf build ::: x",
  "parallel -S box rm -rf cache ::: 1",
  "parallel eval 'echo ready'",
]);
table("parallel at its daily work", "none", [
  "ls *.wav | parallel 'sox {} {.}.mp3'",
  "parallel convert {} {= s/png/jpg/ =} ::: a.png b.png",
  "parallel --rpl '{b} s/\\.[^.]+$//' gzip -c {} '>' {b}.gz ::: a.txt",
  "parallel rm -rf ~ :::",
  "parallel --dry-run rm -rf {2} ::: a ::: ~",
  "cat big.csv | parallel --pipe --block 10M wc -l",
  "parallel -j4 --tagstring '{1}' ./fit.sh {1} {2} ::: 1 2 3 ::: a b",
]);

table("a default does not stand for what is handed over", "ask", [
  "ls | xargs sh -c 'rm -rf \"${1:-/tmp/x}\"' _",
  "cat names | xargs sh -c 'eval \"deploy_${1:-all}\"' _",
]);
table("a default stands for what is missing", "none", [
  "sh -c 'rm -rf \"${1:-/tmp/x}\"' _",
  "sh -c 'echo \"${1:-all}\"' _",
]);

table("eval of words from another program", "ask", [
  "cat list | xargs eval",
  "ls | parallel eval",
  'cat jobs | while read -r job; do eval "run_$job"; done',
  "xargs -I{} env STEP={} sh -c 'eval \"do_$STEP\"'",
  "cat hosts | xargs -I{} find . -exec sh {} ';'",
]);
table("eval of what is known, or of settings", "none", [
  'for job in lint test; do eval "echo $job"; done',
  'cat pairs | while read -r name; do eval "v_$name=1"; done',
  "xargs -I{} eval 'echo ok'",
  'SETUP=1 eval "$(ssh-agent -s)"',
  'eval "$(ssh-agent -s)" > /tmp/agent.env',
]);

table("functions of the shell are not seen by programs that start others", "none", [
  "clean() { rm -rf ../other; }; sudo clean",
  "clean() { rm -rf ../other; }; X=1 time clean",
  "clean() { rm -rf ../other; }; ls | xargs clean",
  "alias clean='rm -rf ../other'; env clean",
]);
table("functions of the shell are seen by the shell", "ask", [
  "clean() { rm -rf ../other; }; time clean",
  "clean() { rm -rf ../other; }; eval clean",
  "clean() { rm -rf ../other; }; export -f clean; ls | xargs -n1 bash -c clean",
  "clean() { rm -rf ../other; }; export -f clean; parallel clean ::: 1",
]);

table("start-up files that the command itself writes", "deny", [
  "cat > /tmp/s.sh <<'END'\nrm -rf ~\nEND\nBASH_ENV=/tmp/s.sh bash build.sh",
  "cat > /tmp/s.sh <<'END'\nrm -rf ~\nEND\nbash --rcfile /tmp/s.sh -i",
  "cat > /tmp/s.sh <<'END'\nrm -rf ~\nEND\ncp /tmp/other.sh /tmp/s.sh; bash /tmp/s.sh",
]);
table("start-up files of which not all is known", "ask", [
  "BASH_ENV=/tmp/s.sh bash build.sh",
  "echo 'echo hi' > /tmp/s.sh; cp /tmp/other.sh /tmp/s.sh; BASH_ENV=/tmp/s.sh bash build.sh",
]);
table("start-up files that do no harm", "none", [
  "echo 'echo hi' > /tmp/s.sh; BASH_ENV=/tmp/s.sh bash build.sh",
  "echo 'PS1=x' > /tmp/s.sh; bash --init-file /tmp/s.sh -i",
]);

table("letters that are no characters", "ask", [
  "$'r\\UFFFFFFFFm' -rf ~",
  "$'\\uD800' -rf /",
]);
table("letters that are characters, or only data", "none", [
  "printf '%s\\n' $'\\uD83D\\uDE00'",
  "printf '%s\\n' $'\\u00e9t\\u00e9'",
]);

table("values of options are no program, script or expression", "none", [
  "find . -fprintf -exec '%p\\n'",
  "parallel node --title {} server.js",
  "git restore -p --no-patch",
  'awk "$PROGRAM" data.txt',
  "parallel {}-report --out x ::: day week",
]);
table("code that is not known", "ask", [
  'python3 -c "$CODE"',
  'node -e "$CODE"',
  'cat prog | while read -r p; do awk "$p" data.txt; done',
]);
