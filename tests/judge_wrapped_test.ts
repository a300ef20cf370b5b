/** Faults that writing the examples of rules in other ways has found. */

import { table } from "./judge_table.ts";

table("what a script for tar hands on", "ask", [
  "tar xf a.tar --to-command='echo '\\''\\! id'\\'' | psql'",
]);
