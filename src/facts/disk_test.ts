import assert from "node:assert/strict";
import { join } from "node:path";
import { diskFacts } from "./disk.ts";

const posix = Deno.build.os !== "windows";

function inTemporary(name: string, body: (directory: string) => void): void {
  Deno.test({
    name,
    ignore: !posix,
    fn() {
      const directory = Deno.realPathSync(Deno.makeTempDirSync());
      try {
        body(directory);
      } finally {
        Deno.removeSync(directory, { recursive: true });
      }
    },
  });
}

inTemporary("disk facts: kinds, sizes, names and texts", (directory) => {
  Deno.writeTextFileSync(join(directory, "a"), "ab");
  Deno.mkdirSync(join(directory, "d"));
  Deno.symlinkSync("a", join(directory, "l"));
  assert.ok(new Deno.Command("mkfifo", { args: [join(directory, "f")] }).outputSync().success);
  const facts = diskFacts({ git: false });
  const kinds = ["a", "d", "l", "f", "none", "a/b"].map((name) => facts.kind(join(directory, name)));
  assert.deepEqual(kinds, ["file", "directory", "link", "other", "missing", "missing"]);
  assert.deepEqual(["a", "l", "d", "f", "none"].map((name) => facts.size(join(directory, name))), [
    2,
    2,
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual([...facts.list(directory) ?? []].sort(), ["a", "d", "f", "l"]);
  assert.equal(facts.list(join(directory, "a")), undefined);
  assert.equal(facts.text(join(directory, "l"), 2), "ab");
  assert.equal(facts.text(join(directory, "a"), 1), undefined);
  assert.equal(facts.text(join(directory, "f"), 10), undefined);
  assert.equal(facts.git(directory), undefined);
});

inTemporary(
  "disk facts: links are resolved as far as the path exists, and beyond a dangling one",
  (directory) => {
    Deno.mkdirSync(join(directory, "real", "deep"), { recursive: true });
    Deno.symlinkSync("real/deep", join(directory, "in"));
    Deno.symlinkSync("../up", join(directory, "real", "deep", "dangling"));
    Deno.symlinkSync("y", join(directory, "x"));
    Deno.symlinkSync("x", join(directory, "y"));
    const facts = diskFacts({ git: false });
    const resolved = (path: string) => facts.realPath(join(directory, path));
    assert.equal(resolved("in/new/file"), join(directory, "real/deep/new/file"));
    assert.equal(resolved("in/dangling"), join(directory, "real/up"));
    assert.equal(resolved("in/dangling/below"), join(directory, "real/up/below"));
    assert.equal(resolved("x/z"), join(directory, "x/z"), "a loop gives the input back");
    assert.equal(resolved("none/../in"), join(directory, "real/deep"));
  },
);

inTemporary("disk facts: answers are remembered, lists are bounded", (directory) => {
  const facts = diskFacts({ git: false });
  assert.equal(facts.kind(join(directory, "a")), "missing");
  for (let index = 0; index < 5000; index++) Deno.createSync(join(directory, `a${index}`)).close();
  Deno.writeTextFileSync(join(directory, "a"), "");
  assert.equal(facts.kind(join(directory, "a")), "missing");
  assert.equal(diskFacts({ git: false }).kind(join(directory, "a")), "file");
  assert.equal(facts.list(directory)?.length, 4096);
});

inTemporary("disk facts: thousands of paths deep below a missing directory cost little", (directory) => {
  const facts = diskFacts({ git: { path: Deno.env.get("PATH"), untrusted: [directory] } });
  const started = performance.now();
  let path = join(directory, "none");
  for (let depth = 0; depth < 900; depth++) {
    path = `${path}/x`;
    assert.equal(facts.realPath(path), path);
    assert.equal(facts.git(path), undefined);
  }
  const took = performance.now() - started;
  assert.ok(took < 2000, `${Math.round(took)} ms`);
});

inTemporary("disk facts: a missing directory below a link resolves as if it were looked at", (directory) => {
  Deno.mkdirSync(join(directory, "real"));
  Deno.symlinkSync("real", join(directory, "link"));
  Deno.symlinkSync("real/made/later", join(directory, "dangling"));
  const facts = diskFacts({ git: false });
  const resolved = (path: string) => facts.realPath(join(directory, path)).slice(directory.length);
  for (let round = 0; round < 2; round++) {
    assert.equal(resolved("link/a/b/c"), "/real/a/b/c");
    assert.equal(resolved("link/a/b"), "/real/a/b");
    assert.equal(resolved("link/a/d/e"), "/real/a/d/e");
    assert.equal(resolved("dangling/x/y"), "/real/made/later/x/y");
    assert.equal(resolved("dangling/x"), "/real/made/later/x");
  }
});
