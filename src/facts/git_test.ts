import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { gitLookup, parseStatus } from "./git.ts";

const posix = Deno.build.os !== "windows";
const git = findGit();

function findGit(): string | undefined {
  for (const entry of (Deno.env.get("PATH") ?? "").split(delimiter)) {
    const path = join(entry, posix ? "git" : "git.exe");
    try {
      if (Deno.statSync(path).isFile) return path;
    } catch {
      // Not in this entry.
    }
  }
  return undefined;
}

interface Scene {
  readonly root: string;
  /** Runs git in the scene and gives its output. */
  run(...args: string[]): string;
  write(path: string, text: string): void;
  lookup(budget?: number): ReturnType<typeof gitLookup>;
}

function inRepository(name: string, body: (scene: Scene) => void): void {
  Deno.test({
    name,
    ignore: git === undefined || !posix,
    fn() {
      const root = Deno.realPathSync(Deno.makeTempDirSync());
      const scene: Scene = {
        root,
        run(...args) {
          const result = new Deno.Command(git ?? "git", {
            args: ["-C", root, ...args],
            clearEnv: true,
            env: {
              PATH: Deno.env.get("PATH") ?? "",
              HOME: root,
              GIT_CONFIG_NOSYSTEM: "1",
              GIT_AUTHOR_NAME: "A",
              GIT_AUTHOR_EMAIL: "a@example.com",
              GIT_COMMITTER_NAME: "A",
              GIT_COMMITTER_EMAIL: "a@example.com",
            },
          }).outputSync();
          const decoder = new TextDecoder();
          assert.ok(result.success, `git ${args.join(" ")}: ${decoder.decode(result.stderr)}`);
          return decoder.decode(result.stdout);
        },
        write(path, text) {
          Deno.mkdirSync(join(root, path, ".."), { recursive: true });
          Deno.writeTextFileSync(join(root, path), text);
        },
        // The machine that runs the tests is slow at times; the default budget has a test of its own.
        lookup: (budget = 20_000) => gitLookup({ path: Deno.env.get("PATH"), untrusted: [root], budget }),
      };
      try {
        scene.run("init", "-q", "-b", "main");
        scene.write("a.txt", "a\n");
        scene.write("src/b.txt", "b\n");
        scene.write(".gitignore", "node_modules/\n*.log\n.env\n");
        scene.run("add", "-A");
        scene.run("commit", "-q", "-m", "one");
        body(scene);
      } finally {
        Deno.removeSync(root, { recursive: true });
      }
    },
  });
}

/** Makes the times of a file say nothing, so that git has to compare its content. */
function touch(path: string): void {
  Deno.utimeSync(path, new Date(1e12), new Date(1e12));
}

inRepository("git facts: a clean tree, then every kind of change", (scene) => {
  const clean = scene.lookup()(scene.root);
  assert.ok(clean);
  assert.equal(clean.root, scene.root);
  assert.equal(clean.branch(), "main");
  assert.equal(clean.defaultBranch(), undefined);
  assert.deepEqual(clean.modified(), []);
  assert.deepEqual(clean.untracked(), []);
  touch(join(scene.root, "a.txt"));
  assert.deepEqual(scene.lookup()(scene.root)?.modified(), [], "touched is not modified");
  scene.write("a.txt", "changed\n");
  scene.write("new dir/ü.txt", "n");
  scene.write("staged.txt", "s");
  scene.run("add", "staged.txt");
  scene.write("node_modules/x/i.js", "x");
  scene.write("debug.log", "x");
  scene.write(".env", "x");
  const facts = scene.lookup()(join(scene.root, "src", "not", "there"));
  assert.ok(facts);
  assert.deepEqual([...facts.modified() ?? []].sort(), ["a.txt", "staged.txt"]);
  assert.deepEqual(facts.untracked(), ["new dir/"]);
  assert.deepEqual(facts.conflicted(), []);
  assert.deepEqual([...facts.ignored(scene.root) ?? []].sort(), [".env", "debug.log", "node_modules/"]);
  assert.deepEqual(facts.ignored(join(scene.root, "src")), []);
  assert.deepEqual(facts.tracked(join(scene.root, "src"), 10), ["src/b.txt"]);
  assert.equal(facts.tracked(scene.root, 2)?.length, 2);
  assert.deepEqual(facts.tracked(join(scene.root, "node_modules"), 10), []);
  assert.deepEqual(clean.modified(), [], "answers are remembered for one judging");
});

inRepository("git facts: branches, what is merged and how far ahead", (scene) => {
  scene.run("checkout", "-q", "-b", "topic");
  scene.write("t.txt", "t");
  scene.run("add", "t.txt");
  scene.run("commit", "-q", "-m", "two");
  let facts = scene.lookup()(scene.root);
  assert.equal(facts?.branch(), "topic");
  assert.equal(facts?.merged("topic"), false);
  assert.equal(facts?.merged("main"), true, "topic holds all of main");
  assert.equal(facts?.merged("absent"), undefined);
  for (const name of ["", "-x", "a b", "*", "a..b", "x@{1}"]) {
    assert.equal(facts?.merged(name), undefined, name);
  }
  assert.equal(facts?.ahead("main"), 1);
  assert.equal(facts?.ahead("HEAD"), 0);
  assert.equal(facts?.ahead("absent"), undefined);
  assert.equal(facts?.ahead("--all"), undefined);
  scene.run("update-ref", "refs/remotes/origin/develop", "topic");
  scene.run("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop");
  facts = scene.lookup()(scene.root);
  assert.equal(facts?.defaultBranch(), "develop");
  assert.equal(facts?.merged("topic"), true, "a remote has it");
  scene.run("checkout", "-q", "--detach");
  assert.equal(scene.lookup()(scene.root)?.branch(), undefined);
});

inRepository(
  "git facts: conflicts, worktrees, links and .git itself lead to the right repository",
  (scene) => {
    scene.run("checkout", "-q", "-b", "other");
    scene.write("a.txt", "other\n");
    scene.run("commit", "-q", "-am", "o");
    scene.run("checkout", "-q", "main");
    scene.write("a.txt", "main\n");
    scene.run("commit", "-q", "-am", "m");
    assert.throws(() => scene.run("merge", "-q", "other"));
    const facts = scene.lookup()(join(scene.root, ".git", "hooks"));
    assert.equal(facts?.root, scene.root);
    assert.deepEqual(facts?.conflicted(), ["a.txt"]);
    scene.run("merge", "--abort");
    const outside = Deno.realPathSync(Deno.makeTempDirSync());
    try {
      assert.equal(scene.lookup()(outside), undefined);
      scene.run("worktree", "add", "-q", join(outside, "wt"), "other");
      assert.equal(scene.lookup()(join(outside, "wt"))?.branch(), "other");
      Deno.symlinkSync(join(scene.root, "src"), join(outside, "link"));
      assert.equal(scene.lookup()(join(outside, "link"))?.root, scene.root);
      Deno.mkdirSync(join(outside, "broken", ".git"), { recursive: true });
      assert.equal(scene.lookup()(join(outside, "broken"))?.modified(), undefined);
    } finally {
      Deno.removeSync(outside, { recursive: true });
    }
  },
);

inRepository("git facts: nothing that the repository configures is run", (scene) => {
  const canary = join(scene.root, "..", `canary-${crypto.randomUUID()}`);
  const program = join(scene.root, "program.sh");
  Deno.writeTextFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`, { mode: 0o755 });
  scene.write(".gitattributes", "* filter=evil diff=evil\nsrc/** filter=with.dots\n*.log filter\n");
  scene.write("included", `[filter "late"]\n\tclean = ${program}\n\trequired\n`);
  scene.write(".git/info/attributes", "a.txt filter=late\n");
  for (
    const name of [
      "core.fsmonitor",
      "core.pager",
      "core.sshCommand",
      "core.alternateRefsCommand",
      "core.editor",
      "diff.external",
      "diff.evil.command",
      "diff.evil.textconv",
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.with.dots.clean",
      "filter.with.dots.process",
      "credential.helper",
      "gpg.program",
      "pager.status",
    ]
  ) scene.run("config", name, program);
  scene.run("config", "filter.evil.required", "true");
  scene.run("config", "include.path", join(scene.root, "included"));
  scene.run("config", "alias.status", `!${program}`);
  for (const hook of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"]) {
    Deno.writeTextFileSync(join(scene.root, ".git", "hooks", hook), `#!/bin/sh\ntouch '${canary}'\n`, {
      mode: 0o755,
    });
  }
  try {
    for (const name of ["a.txt", "src/b.txt"]) touch(join(scene.root, name));
    const before = Deno.readFileSync(join(scene.root, ".git", "index"));
    const facts = scene.lookup()(scene.root);
    assert.deepEqual(facts?.modified(), []);
    assert.ok(facts?.untracked()?.includes("program.sh"));
    facts?.branch();
    facts?.defaultBranch();
    facts?.tracked(scene.root, 5);
    facts?.ignored(scene.root);
    facts?.merged("main");
    facts?.ahead("HEAD");
    assert.throws(() => Deno.statSync(canary), Deno.errors.NotFound);
    assert.deepEqual(
      Deno.readFileSync(join(scene.root, ".git", "index")),
      before,
      "the index is not rewritten",
    );
    // The same question asked carelessly does run it: the trap is a real one.
    scene.run("status", "--porcelain");
    assert.ok(Deno.statSync(canary).isFile);
  } finally {
    try {
      Deno.removeSync(canary);
    } catch {
      // Never made.
    }
  }
});

inRepository("git facts: a filter that cannot be switched off makes the answer unknown", (scene) => {
  const config = join(scene.root, ".git", "config");
  Deno.writeTextFileSync(config, `[filter "a=b"]\n\tclean = touch ran\n`, { append: true });
  scene.write(".gitattributes", "* filter=a=b\n");
  touch(join(scene.root, "a.txt"));
  assert.equal(scene.lookup()(scene.root)?.modified(), undefined);
  assert.throws(() => Deno.statSync(join(scene.root, "ran")), Deno.errors.NotFound);
});

inRepository(
  "git facts: a repository that blocks costs no more than the budget, all questions together",
  (scene) => {
    Deno.renameSync(join(scene.root, ".git", "index"), join(scene.root, ".git", "old"));
    assert.ok(new Deno.Command("mkfifo", { args: [join(scene.root, ".git", "index")] }).outputSync().success);
    const facts = gitLookup({ path: Deno.env.get("PATH"), untrusted: [] })(scene.root);
    const started = performance.now();
    assert.equal(facts?.modified(), undefined);
    assert.equal(facts?.tracked(scene.root, 10), undefined);
    assert.equal(facts?.ignored(scene.root), undefined);
    assert.ok(performance.now() - started < 1500, "300 ms and the slack of a busy machine");
  },
);

inRepository("git facts: git is not taken from the workspace or a relative entry of PATH", (scene) => {
  const canary = join(scene.root, "canary");
  scene.write("bin/git", `#!/bin/sh\ntouch '${canary}'\n`);
  Deno.chmodSync(join(scene.root, "bin", "git"), 0o755);
  const entries = [join(scene.root, "bin"), "bin", "", "."];
  const only = gitLookup({ path: entries.join(":"), untrusted: [scene.root], budget: 20_000 });
  assert.equal(only(scene.root), undefined);
  const both = gitLookup({
    path: [...entries, Deno.env.get("PATH")].join(":"),
    untrusted: [scene.root],
    budget: 20_000,
  });
  assert.equal(both(scene.root)?.branch(), "main");
  const outside = Deno.makeTempDirSync();
  try {
    Deno.symlinkSync(join(scene.root, "bin", "git"), join(outside, "git"));
    assert.equal(gitLookup({ path: outside, untrusted: [scene.root] })(scene.root), undefined);
  } finally {
    Deno.removeSync(outside, { recursive: true });
  }
  assert.throws(() => Deno.statSync(canary), Deno.errors.NotFound);
});

inRepository("git facts: git that everybody can change is not started", (scene) => {
  const outside = Deno.makeTempDirSync();
  const canary = join(outside, "canary");
  const bin = join(outside, "bin");
  const git = join(bin, "git");
  const used = () => {
    gitLookup({ path: bin, untrusted: [scene.root], budget: 20_000 })(scene.root)?.branch();
    return [...Deno.readDirSync(outside)].some((entry) => entry.name === "canary");
  };
  try {
    Deno.mkdirSync(bin);
    Deno.writeTextFileSync(git, `#!/bin/sh\ntouch '${canary}'\n`);
    Deno.chmodSync(git, 0o777);
    assert.equal(used(), false, "the file");
    Deno.chmodSync(git, 0o755);
    for (const mode of [0o777, 0o1777]) {
      Deno.chmodSync(bin, mode);
      assert.equal(used(), false, `the directory with ${mode.toString(8)}`);
    }
    Deno.chmodSync(bin, 0o755);
    assert.equal(used(), true, "the same file where only its owner can change it");
  } finally {
    Deno.removeSync(outside, { recursive: true });
  }
});

inRepository(
  "git facts: what is ignored, existing or not, and what is staged",
  ({ root, run, write, lookup }) => {
    write(".gitignore", "node_modules/\n*.log\n!kept.log\n.env\n");
    write("a.txt", "a\n++ more\n");
    write("src/b.txt", "b\nnot staged\n");
    run("add", ".gitignore", "a.txt");
    const facts = lookup()(root)!;
    const ignored = [".env", "x.log", "node_modules/p/i.js", "kept.log", "new.txt", "a.txt", "src"];
    assert.deepEqual(
      ignored.map((name) => facts.ignores(join(root, name))),
      [true, true, true, false, false, false, false],
    );
    assert.equal(facts.staged(), "!kept.log\n\n++ more");
  },
);

Deno.test("git facts: no PATH, no git, a relative path", () => {
  assert.equal(gitLookup({ path: undefined, untrusted: [] })("/"), undefined);
  assert.equal(gitLookup({ path: "", untrusted: [] })("relative"), undefined);
});

Deno.test("status records are parsed whole, whatever their names hold", () => {
  assert.deepEqual(parseStatus(" M a b\0?? x\ny/\0UU c\0AA d\0A  e\0!! f\0 T g\0\0"), {
    modified: ["a b", "c", "d", "e", "g"],
    untracked: ["x\ny/"],
    conflicted: ["c", "d"],
  });
  assert.deepEqual(parseStatus(""), { modified: [], untracked: [], conflicted: [] });
});
