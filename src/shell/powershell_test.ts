import assert from "node:assert/strict";
import { understand } from "./understand.ts";

function invocations(command: string): string[][] {
  const { invocations } = understand(command, { dialect: "powershell", cwd: "/srv/app", home: "/home/kim" });
  return invocations.map((one) => [one.program, ...one.args.map((word) => word.text)]);
}

Deno.test("cmdlets and their aliases have one name, and switches are written out", () => {
  for (const command of ["Remove-Item -Recurse -Force ~", "ri -r -fo ~", "del -REC -Force ~", "R`emove-Item -r -f ~"]) {
    assert.deepEqual(invocations(command), [["remove-item", "-recurse", "-force", "/home/kim"]], command);
  }
});

Deno.test("paths and variables of Windows are read", () => {
  assert.deepEqual(invocations("Get-Content C:\\Users\\kim\\notes.txt"), [["get-content", "C:/Users/kim/notes.txt"]]);
  assert.deepEqual(invocations('cat "$env:USERPROFILE\\.ssh\\id_rsa"'), [["get-content", "/home/kim/.ssh/id_rsa"]]);
});

Deno.test("programs that are no cmdlets keep their names, and so does POSIX written by habit", () => {
  assert.deepEqual(invocations("git status; rm -rf build"), [["git", "status"], ["rm", "-rf", "build"]]);
});
