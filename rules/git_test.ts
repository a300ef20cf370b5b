import assert from "node:assert/strict";
import { join } from "node:path";
import { diskFacts } from "../src/facts/disk.ts";
import type { Decision, FakeFacts } from "../src/types.ts";
import { judged } from "../tests/rule_world.ts";
import { rules } from "./git.ts";

type Row = readonly [Decision, string, FakeFacts["git"]?];

function check(name: string, rows: readonly Row[]): void {
  Deno.test(name, () => {
    for (const [expected, command, git] of rows) {
      const { decision, findings } = judged(command, rules, { facts: git === undefined ? {} : { git } });
      assert.equal(decision, expected, `${command}: ${findings.map((one) => one.message).join(" ")}`);
    }
  });
}

const clean = { branch: "topic", default: "main", modified: [], untracked: [], ignored: [], ahead: 0 };
const dirty = { ...clean, modified: ["src/a.ts", "docs/b.md", "c.txt", "d.txt", "e.txt"] };

check("losing changes depends on what is at stake", [
  ["ask", "git reset --hard"],
  ["none", "git reset --hard", clean],
  ["none", "git reset --hard @", clean],
  ["ask", "git reset --hard", dirty],
  ["ask", "git reset --hard HEAD~1", { ...clean, ahead: 1 }],
  ["ask", "git reset --hard $SHA", clean],
  ["ask", "git switch other && git reset --hard origin/other", clean],
  ["none", "git reset --mixed HEAD~1", dirty],
  ["none", "git reset -- src", dirty],
  ["ask", "git checkout -- docs", dirty],
  ["none", "git checkout -- lib", dirty],
  ["ask", "cd docs && git checkout -- .", dirty],
  ["none", "cd lib && git checkout -- .", dirty],
  ["ask", "git checkout -- '*.md'", dirty],
  ["none", "git checkout -- '*.go'", dirty],
  ["ask", "git checkout main -- src/a.ts", dirty],
  ["ask", "git checkout HEAD~2 src/a.ts", dirty],
  ["ask", "git checkout :/", dirty],
  ["none", "git checkout main", dirty],
  ["none", 'git checkout "$BRANCH"', dirty],
  ["ask", "git checkout --force main", dirty],
  ["none", "git checkout --force main", clean],
  ["ask", "git checkout -fb other", dirty],
  ["ask", "git restore .", dirty],
  ["ask", "git restore -WS src", dirty],
  ["none", "git restore -S src", dirty],
  ["none", "git restore . --staged", dirty],
  ["ask", "git restore --source main -- c.txt", dirty],
  ["ask", "git restore --pathspec-from-file=list", dirty],
  ["ask", "git switch -f main", dirty],
  ["none", "git switch -c fix/force", dirty],
  ["ask", "git read-tree --reset -u HEAD", dirty],
  ["ask", "git submodule update --init --force", clean],
  ["ask", "git checkout --ours src/a.ts", { ...dirty, conflicted: ["c.txt"] }],
  ["none", "git checkout --ours c.txt", { ...dirty, conflicted: ["c.txt"] }],
]);

check("another repository than the directory's is not known", [
  ["ask", "git --git-dir=/srv/x/.git reset --hard", clean],
  ["ask", "git --work-tree=/srv/x --git-dir=/srv/x/.git reset --hard", clean],
  ["ask", "GIT_DIR=/srv/x.git git reset --hard", clean],
  ["none", "git --git-dir=/home/dev/app/.git --work-tree=/home/dev/app reset --hard", clean],
  ["ask", "git -C /srv/x reset --hard", clean],
  ["none", "git -C src reset --hard", clean],
  ["ask", 'git -C "$DIR" reset --hard', clean],
  ["ask", "ssh host 'git reset --hard'", clean],
  ["ask", "cd $DIR; git reset --hard", clean],
]);

check("wrappers, nesting and spelling change nothing", [
  ["ask", "sudo git reset --hard", dirty],
  ["ask", "bash -c 'git reset --hard'", dirty],
  ["ask", "/usr/bin/git reset --hard", dirty],
  ["ask", "g\\it r'eset' --ha\"rd\"", dirty],
  ["ask", "git --no-pager -c user.name=x reset --hard", dirty],
  ["ask", 'git -c alias.u="reset --hard" u', dirty],
  ["ask", "eval 'git reset --hard'", dirty],
  ["none", "echo git reset --hard", dirty],
  ["none", "git commit -m 'git reset --hard'", dirty],
  ["none", "git log --grep 'push --force'", dirty],
]);

check("clean looks at what would go", [
  ["ask", "git clean -fd"],
  ["deny", "git clean -fdX"],
  ["none", "git clean -fdx", clean],
  ["none", "git clean -nd", { ...clean, untracked: ["a"] }],
  ["none", "git clean -d", { ...clean, untracked: ["a"] }],
  ["ask", "git clean -fd", { ...clean, untracked: ["notes/"] }],
  ["none", "git clean -f", { ...clean, untracked: ["notes/"] }],
  ["none", "git clean -fd", { ...clean, untracked: ["dist/", "x.log"] }],
  ["none", "git clean -fd src", { ...clean, untracked: ["notes.md"] }],
  ["ask", "git clean -fd -- notes.md", { ...clean, untracked: ["notes.md"] }],
  ["deny", "git clean -fd", { ...clean, untracked: ["prod.sqlite"] }],
  ["deny", "git clean -fxd", { ...clean, ignored: ["node_modules/", ".env.local"] }],
  ["none", "git clean -fxd -e '.env*'", { ...clean, ignored: ["node_modules/", ".env.local"] }],
  ["deny", "git clean -fxd -e '!.env*'", { ...clean, ignored: ["node_modules/", ".env.local"] }],
]);

check("a forced push is judged by the branch it would replace", [
  ["deny", "git push --force"],
  ["ask", "git push --force", clean],
  ["deny", "git push --force", { ...clean, branch: "main" }],
  ["deny", "git push --force", { ...clean, branch: "next", default: "next" }],
  ["deny", "git push --force origin HEAD", { ...clean, branch: "main" }],
  ["deny", "git push --force origin $(git branch --show-current)", { ...clean, branch: "main" }],
  ["ask", 'git push --force origin "$BRANCH"', clean],
  ["deny", "git push origin HEAD:main -f", clean],
  ["deny", "git push origin +HEAD:refs/heads/release/1.2", clean],
  ["ask", "git push origin +fix", clean],
  ["ask", "git push -fu origin topic", clean],
  ["deny", "git push --force origin topic main", clean],
  ["deny", "git push --all --force", clean],
  ["deny", "git push -f origin 'refs/heads/*:refs/heads/*'", clean],
  ["deny", "git push origin --delete main", clean],
  ["ask", "git push origin -d topic", clean],
  ["ask", "git push origin :topic", clean],
  ["ask", "git push origin :refs/tags/v1", clean],
  ["ask", "git push -f origin tag v1", clean],
  ["none", "git push origin topic:main", clean],
  ["none", "git push --force --no-force", clean],
  ["none", "git push --force-with-lease origin topic", clean],
  ["ask", "git push --force-with-lease origin develop", clean],
  ["ask", "git push --force-with-lease"],
  ["ask", "git checkout main; git push --force-with-lease", clean],
  ["none", "git checkout -b x && git push --force-with-lease", { ...clean, branch: "main" }],
  ["deny", "git push --mirror", clean],
  ["none", "git push --mirror --dry-run", clean],
]);

check("branches, stashes, reflogs and history", [
  ["ask", "git branch -D a"],
  ["none", "git branch -D a", { ...clean, merged: ["a"] }],
  ["ask", "git branch -D a b", { ...clean, merged: ["a"] }],
  ["ask", 'git branch -D "$X"', { ...clean, merged: ["a"] }],
  ["none", "git branch --merged | xargs git branch -d"],
  ["none", "git branch -m old new"],
  ["deny", "git stash clear"],
  ["ask", "git stash drop -q"],
  ["none", "git stash apply"],
  ["ask", "git gc --prune=all"],
  ["none", "git gc --auto"],
  ["ask", "git -c gc.pruneExpire=now gc"],
  ["deny", "git reflog expire --expire-unreachable=now --all; git prune"],
  ["ask", "git update-ref --stdin < list"],
  ["ask", "git worktree remove ../wt -f"],
]);

check("programs that git is told to run", [
  ["ask", "git config --global core.pager 'sh -c id'"],
  ["none", "git config --global core.pager delta"],
  ["none", "git config core.editor 'code --wait'"],
  ["ask", "git config core.editor ./edit.sh"],
  ["none", "git config core.hooksPath /dev/null"],
  ["none", "git config get core.hooksPath"],
  ["ask", "git config --add credential.helper '!cat /tmp/x'"],
  ["none", "git config credential.helper cache"],
  ["ask", "git config filter.x.clean 'sed s/a/b/'"],
  ["none", "git config --global filter.lfs.clean 'git-lfs clean -- %f'"],
  ["none", "git -c core.editor=true rebase --continue"],
  ["ask", "git -c core.fsmonitor=./x status"],
  ["ask", "git -c protocol.ext.allow=always fetch"],
  ["ask", "git clone -c core.sshCommand='sh -c id' https://example.com/a.git"],
  ["ask", "GIT_EXTERNAL_DIFF=./x git diff"],
  ["ask", "git --exec-path=/tmp/x status"],
  ["ask", "git fetch --upload-pack 'sh -c id' origin"],
  ["none", "git fetch --upload-pack /opt/git/bin/git-upload-pack origin"],
  ["ask", "git submodule add ext::sh x"],
  ["none", "PAGER=cat GIT_PAGER=cat git log"],
  ["none", "GIT_SEQUENCE_EDITOR=\"sed -i 's/^pick/edit/'\" git rebase -i HEAD~2"],
]);

Deno.test("the message names a few of the files at stake", () => {
  const { findings } = judged("git reset --hard HEAD~2", rules, { facts: { git: { ...dirty, ahead: 2 } } });
  assert.equal(
    findings[0]?.message,
    "`git reset` would throw away the uncommitted changes in src/a.ts, docs/b.md, c.txt and 2 more and 2 commits of this branch.",
  );
  assert.deepEqual(findings[0]?.evidence, { text: "git reset --hard HEAD~2", span: { start: 0, end: 23 } });
  const cleaning = judged("git clean -fdx", rules, { facts: { git: { ...clean, ignored: ["x/", ".env"] } } });
  assert.match(cleaning.findings[0]?.message ?? "", /\.env/);
});

Deno.test("every advice of these rules passes these rules", () => {
  for (const rule of rules) {
    for (const [, command] of rule.advice.matchAll(/`([^`]+)`/g)) {
      if (command === undefined) continue;
      assert.equal(
        judged(command, rules, { facts: { git: dirty } }).decision,
        "none",
        `${rule.id}: ${command}`,
      );
    }
  }
});

Deno.test("long input takes linear time", () => {
  const inputs = [
    "git prune;".repeat(10_000),
    "git push -f;".repeat(8000),
    `git checkout -- ${"a ".repeat(50_000)}`,
    `GIT_EDITOR='sed /${"e".repeat(100_000)}!' git commit`,
    `git -c alias.a=${"b".repeat(100_000)} a`,
  ];
  judged("git status", rules);
  for (const input of inputs) {
    const started = performance.now();
    judged(input, rules, { facts: { git: dirty } });
    assert.ok(performance.now() - started < 3000, input.slice(0, 40));
  }
});

Deno.test({
  name: "a real repository: the verdict follows the tree",
  ignore: Deno.build.os === "windows",
  fn() {
    const root = Deno.realPathSync(Deno.makeTempDirSync());
    const git = (...args: string[]) => {
      const result = new Deno.Command("git", {
        args: ["-C", root, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args],
        env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      }).outputSync();
      assert.ok(result.success, new TextDecoder().decode(result.stderr));
    };
    const decide = (command: string) => {
      const path = Deno.env.get("PATH");
      const real = diskFacts({ git: { path, untrusted: [root], budget: 20_000 } });
      return judged(command, rules, { real, cwd: root });
    };
    try {
      git("init", "-q", "-b", "main");
      Deno.mkdirSync(join(root, "src"));
      Deno.writeTextFileSync(join(root, "src", "a.ts"), "1\n");
      Deno.writeTextFileSync(join(root, ".gitignore"), "node_modules/\n.env\n");
      git("add", "-A");
      git("commit", "-q", "-m", "one");
      assert.equal(decide("git reset --hard").decision, "none");
      assert.equal(decide("git clean -fdx").decision, "none");
      assert.equal(decide("git push --force").decision, "deny");
      git("checkout", "-q", "-b", "topic");
      assert.equal(decide("git push --force").decision, "ask");
      assert.equal(decide("git branch -D main").decision, "none");
      Deno.writeTextFileSync(join(root, "src", "a.ts"), "2\n");
      const reset = decide("git reset --hard");
      assert.equal(reset.decision, "ask");
      assert.match(reset.findings[0]?.message ?? "", /src\/a\.ts/);
      assert.equal(decide("git checkout src/a.ts").decision, "ask");
      assert.equal(decide("git checkout -- .gitignore").decision, "none");
      git("commit", "-q", "-am", "two");
      assert.equal(decide("git reset --hard main").decision, "ask");
      assert.equal(decide("git branch -D topic").decision, "ask");
      Deno.mkdirSync(join(root, "node_modules"));
      Deno.writeTextFileSync(join(root, "node_modules", "x.js"), "");
      assert.equal(decide("git clean -fdx").decision, "none");
      Deno.writeTextFileSync(join(root, ".env"), "A=1\n");
      assert.equal(decide("git clean -fdx").decision, "deny");
      assert.equal(decide("git clean -fd").decision, "none");
      Deno.removeSync(join(root, "src", "a.ts"));
      assert.equal(decide("git restore .").decision, "none", "a deleted file has nothing left to lose");
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});
