import assert from "node:assert/strict";
import { difference } from "./difference.ts";

Deno.test("equal texts have no difference", () => {
  assert.equal(difference("f", "a\n", "a\n"), "");
});

Deno.test("changes come with three lines of context, far ones in hunks of their own", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const changed = lines.toSpliced(4, 1, "five", "and a half").toSpliced(26, 1);
  assert.equal(
    difference("f", lines.join("\n") + "\n", changed.join("\n") + "\n"),
    [
      "--- f",
      "+++ f",
      "@@ -2,7 +2,8 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+five",
      "+and a half",
      " line 6",
      " line 7",
      " line 8",
      "@@ -23,7 +24,6 @@",
      " line 23",
      " line 24",
      " line 25",
      "-line 26",
      " line 27",
      " line 28",
      " line 29",
      "",
    ].join("\n"),
  );
});

Deno.test("a missing file is /dev/null", () => {
  assert.equal(difference("f", undefined, "a\n"), "--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  assert.equal(difference("f", "a\n", undefined), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
});
