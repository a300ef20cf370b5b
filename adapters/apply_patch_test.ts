import assert from "node:assert/strict";
import fc from "fast-check";
import { PayloadError } from "../src/errors.ts";
import { patchActions } from "./apply_patch.ts";

Deno.test("every kind of change becomes its own action", () => {
  const patch = [
    "*** Begin Patch",
    "*** Add File: lib/new.rb",
    "+puts 1",
    "*** Update File: lib/old.rb",
    "@@",
    " keep",
    "-gone",
    "+here",
    "*** Delete File: lib/dead.rb",
    "*** Update File: from.txt",
    "*** Move to: to.txt",
    "*** End Patch",
  ].join("\n");
  assert.deepEqual(patchActions(patch), [
    { kind: "file", operation: "write", path: "lib/new.rb", content: "puts 1" },
    { kind: "file", operation: "edit", path: "lib/old.rb", content: "here", previous: "gone" },
    { kind: "file", operation: "delete", path: "lib/dead.rb" },
    { kind: "file", operation: "delete", path: "from.txt" },
    { kind: "file", operation: "write", path: "to.txt", content: "" },
  ]);
});

Deno.test("added and removed lines that look like headers are content", () => {
  const actions = patchActions("*** Update File: a\n+*** Delete File: b\n-*** Add File: c\n");
  assert.deepEqual(actions, [
    {
      kind: "file",
      operation: "edit",
      path: "a",
      content: "*** Delete File: b",
      previous: "*** Add File: c",
    },
  ]);
});

Deno.test("an indented header counts, as it does for the client", () => {
  assert.deepEqual(patchActions("\t *** Delete File: x\r\n"), [
    { kind: "file", operation: "delete", path: "x" },
  ]);
});

Deno.test("white space at the ends of a header is what the client takes for it", () => {
  for (const space of ["\u0085", "\u00a0", "\u3000", "\v"]) {
    assert.deepEqual(patchActions(`*** Add File: a\n+1\n${space}*** Delete File: b${space}`), [
      { kind: "file", operation: "write", path: "a", content: "1" },
      { kind: "file", operation: "delete", path: "b" },
    ]);
  }
});

Deno.test("a second target of a move does not hide the first", () => {
  const actions = patchActions("*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** Move to: c");
  assert.deepEqual(actions.map((action) => action.kind === "file" ? action.path : ""), ["a", "b", "c"]);
});

Deno.test("a patch without a file is refused", () => {
  for (const patch of ["", "*** Begin Patch\n*** End Patch", "diff --git a b", "*** Rename File: a"]) {
    assert.throws(() => patchActions(patch), PayloadError);
  }
});

Deno.test("any text is either a patch or refused, and no named file is lost", () => {
  const path = fc.stringMatching(/^[a-z./]{1,12}$/);
  const line = fc.oneof(
    fc.string(),
    path.map((name) => `*** Delete File: ${name}`),
    path.map((name) => `*** Add File: ${name}`),
  );
  fc.assert(fc.property(fc.array(line), (lines) => {
    const named = lines.filter((text) => /^\*\*\* (?:Add|Delete) File: [a-z./]+$/.test(text));
    try {
      assert(patchActions(lines.join("\n")).length >= named.length);
    } catch (error) {
      assert(error instanceof PayloadError, String(error));
      assert.equal(named.length, 0);
    }
  }));
});
