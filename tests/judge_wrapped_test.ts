/** Faults that writing the examples of rules in other ways has found. */

import { table } from "./judge_table.ts";

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
