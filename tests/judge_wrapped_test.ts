/** Faults that writing the examples of rules in other ways has found. */

import { type Row, table } from "./judge_table.ts";

const filled: Row = { facts: { files: { "/home/eva/shop/.env": "PIN=1234\n" } } };

table("what a shell under env reads, it reads for itself", "deny", [
  "env sh -c 'cat ~/.ssh/id_rsa'",
  `env -S 'sh -c "cat ~/.ssh/id_rsa"'`,
  "env A=b bash -lc 'cat ~/.aws/credentials'",
]);

table("what a shell under env reads of the project", "ask", [
  ["env sh -c 'cat .env'", filled],
]);

table("settings that env loads", "none", [
  ["env $(cat .env | xargs) npm test", filled],
  ["env $(grep -v '^#' .env | xargs) sh -c 'npm test'", filled],
]);

table("a list of processes inside another pipeline", "ask", [
  "echo 'ps -eo pid | xargs kill -9' | sh",
  "cat <<'E' | bash\nps -eo pid | xargs kill -9\nE",
  "sudo ps -eo pid | sudo xargs kill -9",
]);

table("a list of processes that is narrowed, inside another pipeline", "none", [
  "echo 'pgrep -f vite | xargs kill' | sh",
]);

table("what a script for tar hands on", "ask", [
  "tar xf a.tar --to-command='echo '\\''\\! id'\\'' | psql'",
]);

table("a first word that may vanish", "deny", [
  "$SUDO rm -rf /etc",
  '"$SUDO" rm -rf /etc',
  "timeout 5 $RUNNER rm -rf /etc",
  "clean() { rm -rf $1; }; clean $FLAGS /etc",
]);

table("aliases that are not in force yet", "deny", [
  "alias rm=echo; rm -rf /etc",
]);
