import assert from "node:assert/strict";
import { below, fromFileUrl, isWithin, nameOf, normalise, parentOf, windowsView } from "./normal.ts";

const table: readonly [path: string, base: string, windows: boolean, expected: string][] = [
  ["a/b", "/home/eva", false, "/home/eva/a/b"],
  ["../..", "/home/eva/shop", false, "/home"],
  ["../../../../..", "/home/eva", false, "/"],
  ["/a//b/./c/", "/", false, "/a/b/c"],
  ["/", "/x", false, "/"],
  [".", "/x/y", false, "/x/y"],
  ["C:\\Users\\eva", "/", false, "C:/Users/eva"],
  ["c:/users", "/", false, "C:/users"],
  ["C:\\", "/", false, "C:/"],
  ["..\\x", "C:/work/app", true, "C:/work/x"],
  ["\\Windows", "D:/work", true, "D:/Windows"],
  ["\\\\?\\C:\\x", "/", false, "C:/x"],
  ["\\\\?\\UNC\\srv\\share\\x", "/", true, "//srv/share/x"],
  ["\\\\srv\\share\\..\\x", "/", true, "//srv/share/x"],
  ["/c/Users/eva", "C:/work", true, "C:/Users/eva"],
  ["/c/Users/eva", "/work", false, "/c/Users/eva"],
  ["file. ", "C:/work", true, "C:/work/file"],
  ["a\\b", "/work", false, "/work/a\\b"],
];

for (const [path, base, windows, expected] of table) {
  Deno.test(`${JSON.stringify(path)} in ${base}${windows ? " on Windows" : ""}`, () => {
    assert.equal(normalise(path, base, { windows }), expected);
    // The normal form is a fixed point.
    assert.equal(normalise(expected, "/", { windows }), expected);
  });
}

Deno.test("parents, names and containment", () => {
  assert.equal(parentOf("/a/b"), "/a");
  assert.equal(parentOf("/a"), "/");
  assert.equal(parentOf("/"), "/");
  assert.equal(parentOf("C:/a"), "C:/");
  assert.equal(nameOf("/a/b"), "b");
  assert.equal(nameOf("C:/"), "");
  assert.ok(isWithin("/a/b", "/a") && isWithin("/a", "/") && !isWithin("/ab", "/a"));
  assert.equal(below("/a/b/c", "/a"), "b/c");
  assert.equal(below("/a", "/a"), undefined);
  assert.equal(windowsView("/mnt/c/Windows"), "C:/Windows");
  assert.equal(windowsView("/mnt/data"), undefined);
});

Deno.test("a file URL names a path of this machine in every spelling that clients take", () => {
  for (
    const [url, path] of [
      ["file:///home/dev/x", "/home/dev/x"],
      ["FILE://localhost/home/dev/x", "/home/dev/x"],
      ["file:/home/dev/x", "/home/dev/x"],
      ["file:////home/dev/x", "/home/dev/x"],
      ["file:///home/dev/%2Eaws/x?y#z", "/home/dev/.aws/x"],
      ["file:///C:/Users/x", "C:/Users/x"],
      ["file:///a%zz", "/a%zz"],
      ["/plain/%2E", "/plain/%2E"],
      ["file.txt", "file.txt"],
    ] as const
  ) assert.equal(fromFileUrl(url), path, url);
});
