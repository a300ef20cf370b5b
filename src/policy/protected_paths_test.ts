import assert from "node:assert/strict";
import { exampleCall } from "../../tests/example_call.ts";
import { judgeLazily } from "../judge_lazily.ts";

Deno.test("globs of protected paths are read as those of entries about paths", async () => {
  for (const glob of ["notes", "./notes", "notes/", "notes/**", "/home/dev/app/notes", "**/notes"]) {
    for (const [path, expected] of [["notes/a.md", "deny"], ["notes", "deny"], ["notes2/a.md", "none"]]) {
      const action = { kind: "file", operation: "write", path: path!, content: "x" } as const;
      const { call, context } = exampleCall({ action }, { protectedPaths: [glob] });
      const { decision, failure } = await judgeLazily(call, context);
      assert.equal(failure, undefined);
      assert.equal(decision, expected, `${glob}: ${path}`);
    }
  }
});
