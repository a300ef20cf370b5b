import assert from "node:assert/strict";
import nodePath from "node:path";
import fc from "fast-check";
import { native, node, posix } from "./native_path.ts";

const part = fc.oneof(
  fc.constantFrom(
    "",
    "/",
    "a",
    "/a/b",
    "a/b/",
    "..",
    ".",
    "../x",
    "/..",
    "//",
    "/a//b",
    "/a/./b",
    "/a/..",
    ".a",
    "/.a",
    "a..",
    "C:\\x",
    "\\",
    "é",
  ),
  fc.stringMatching(/^[a\/.]{0,8}$/),
);

Deno.test("paths are handled as Node handles them", () => {
  for (const [mine, other] of [[posix, nodePath.posix], [native, nodePath]] as const) {
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        assert.equal(mine.isAbsolute(a), other.isAbsolute(a));
        assert.equal(mine.normalize(a), other.normalize(a));
        assert.equal(mine.join(a, b), other.join(a, b));
        assert.equal(mine.join(a, b, c), other.join(a, b, c));
        assert.equal(mine.resolve(a), other.resolve(a));
        assert.equal(mine.resolve(a, b), other.resolve(a, b));
        assert.equal(mine.resolve(a, b, c), other.resolve(a, b, c));
        assert.equal(mine.dirname(a), other.dirname(a));
        assert.equal(mine.basename(a), other.basename(a));
        assert.equal(mine.basename(a, "b"), other.basename(a, "b"));
      }),
      { numRuns: 3000 },
    );
  }
});

Deno.test("Node's modules are there without an import", () => {
  assert.equal(typeof node().getBuiltinModule("node:fs").openSync, "function");
});
