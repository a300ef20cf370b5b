import assert from "node:assert/strict";
import { fakeFacts } from "./fake.ts";

Deno.test("fake facts: what is not listed is missing, parents are directories", () => {
  const facts = fakeFacts({ files: { "/home/dev/app/src/a.ts": "één" } });
  assert.equal(facts.kind("/home/dev/app/src/a.ts"), "file");
  assert.equal(facts.kind("/home/dev/app/src/"), "directory");
  assert.equal(facts.kind("/home/dev/app/src/b.ts"), "missing");
  assert.equal(facts.size("/home/dev/app/src/a.ts"), 5);
  assert.equal(facts.text("/home/dev/app/src/a.ts", 4), undefined);
  assert.equal(facts.text("/home/dev/app/src/a.ts", 5), "één");
  assert.deepEqual(facts.list("/home/dev/app"), ["src"]);
  assert.deepEqual(facts.list("/home/dev/app/src"), ["a.ts"]);
  assert.equal(facts.list("/nowhere"), undefined);
  assert.equal(facts.git("/home/dev/app"), undefined);
});

Deno.test("fake facts: links are followed, loops end", () => {
  const facts = fakeFacts({
    files: { "/home/dev/.ssh/id_ed25519": "key" },
    links: { "/home/dev/app/notes": "../.ssh", "/a": "/b", "/b": "/a" },
  });
  assert.equal(facts.realPath("/home/dev/app/notes/id_ed25519"), "/home/dev/.ssh/id_ed25519");
  assert.equal(facts.text("/home/dev/app/notes/id_ed25519", 10), "key");
  assert.equal(facts.kind("/home/dev/app/notes"), "link");
  assert.equal(facts.kind("/home/dev/app/notes/id_ed25519"), "file");
  assert.equal(facts.realPath("/home/dev/app/none/../x"), "/home/dev/app/x");
  assert.match(facts.realPath("/a"), /^\/[ab]$/);
});

Deno.test("fake facts: Windows paths keep their separators", () => {
  const facts = fakeFacts({ files: { "C:\\work\\app\\a.ts": "x" } }, "C:\\work\\app");
  assert.equal(facts.kind("C:\\work\\app\\a.ts"), "file");
  assert.equal(facts.kind("C:/work/app"), "directory");
  assert.equal(facts.realPath("C:\\work\\app\\..\\x"), "C:\\work\\x");
});

Deno.test("fake facts: a repository answers below its root and leaves out what it does not know", () => {
  const facts = fakeFacts({
    git: { branch: "topic", tracked: ["src/a.ts", "src/b.ts"], ignored: ["node_modules/", ".env"] },
  });
  const git = facts.git("/home/dev/app/src");
  assert.ok(git);
  assert.equal(git.root, "/home/dev/app");
  assert.equal(git.branch(), "topic");
  assert.equal(git.modified(), undefined);
  assert.deepEqual(git.tracked("/home/dev/app/src", 1), ["src/a.ts"]);
  assert.deepEqual(git.tracked("/home/dev/app/lib", 1), []);
  assert.deepEqual(git.ignored("/home/dev/app/node_modules/x"), ["node_modules/"]);
  assert.equal(git.merged("topic"), undefined);
  assert.equal(facts.kind("/home/dev/app/node_modules"), "directory");
  assert.equal(facts.kind("/home/dev/app/.env"), "file");
  assert.equal(facts.git("/home/dev"), undefined);
  assert.equal(facts.git("/home/dev/application"), undefined);
});
