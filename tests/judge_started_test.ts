/** What programs start that are not known, what the environment turns into code, and what runs at the end of a line. */

import assert from "node:assert/strict";
import { categories } from "../rules/registry.ts";
import { launchers } from "../src/shell/launchers.ts";
import { readAction } from "../src/reading.ts";
import { exampleCall } from "./example_call.ts";
import { table } from "./judge_table.ts";

table("programs that are not known start what is named to them", "deny", [
  "frobnicate rm -rf ~",
  "frobnicate --quiet rm -rf ~",
  "frobnicate -v --color /bin/rm -rf ~",
  "frobnicate -- git push --force origin main",
  "frobnicate run -- rm -rf ~",
  "frobnicate exec sudo rm -rf /etc",
  "frobnicate proxy terraform destroy -auto-approve",
  "rtk --verbose rm -rf /",
  "rtk proxy rm -rf ~",
  "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf ~",
  "autoexpect -f log.exp rm -rf ~",
]);
table("programs that only take such words as words", "none", [
  "hg rm src/old.ts",
  "svn rm src/old.ts",
  "gsutil ls gs://bucket/rm",
  "jest -t rm find",
  "pytest -k git push",
  "man -k find files",
  "jj git push",
  "frobnicate run build",
  "frobnicate rm",
  "frobnicate exec",
  "rtk git status",
  "rtk ls src",
]);

Deno.test("a program that a rule knows starts nothing that only its operands name", () => {
  for (const program of categories.flatMap(({ programs }) => programs.split(" "))) {
    if (program === "" || Object.hasOwn(launchers, program) || /^(?:env|eval)$|^ld-/.test(program)) continue;
    const { call, context } = exampleCall({ action: `${program} rm x` });
    const { understanding } = readAction(call.actions[0]!, context);
    assert.deepEqual([program, understanding!.invocations.some((one) => one.program === "rm")], [
      program,
      false,
    ]);
  }
});

table("functions in the environment replace programs", "deny", [
  "env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls",
  "env BASH_FUNC_git%%='() { rm -rf /etc; }' make release",
  "sudo env 'BASH_FUNC_cd()=() { rm -rf ~; }' ./build.sh",
]);
table("functions in the environment that do no harm", "none", [
  "env 'BASH_FUNC_hi%%=() { echo hi; }' bash -c hi",
  "env FUNC='() { echo hi; }' bash -c true",
]);

table("double brackets are subshells to small shells", "deny", [
  "sh -c '((rm -rf ~))'",
  "dash -c 'true; ((rm -rf /etc))'",
  "echo '((rm -rf ~))' | sh",
]);
table("double brackets that are arithmetic", "none", [
  "bash -c '((rm -rf / 2))'",
  "sh -c 'i=1; ((i++)); echo $i'",
  "sh -c 'if ((n > 1)); then echo many; fi'",
]);

const many = Array.from({ length: 1200 }, (_, index) => `cmd${index} a`).join("; ");
table("what runs at the end counts, also of a line that is not followed to it", "deny", [
  `trap 'rm -rf ~' EXIT; ${many}`,
  `d=/etc; trap 'rm -rf "$d"' EXIT; ${many}`,
]);
table("a line that is not followed to its end", "ask", [
  many,
  `trap 'rm -f /tmp/x.lock' EXIT; ${many}`,
]);
