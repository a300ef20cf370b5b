import assert from "node:assert/strict";
import { launcherWords } from "../../tests/launcher_words.ts";
import { list, listInvocation, understood } from "./listing.ts";

type Case = readonly [command: string, ...invocations: string[]];

const files: Readonly<Record<string, string>> = {
  "/home/u/p/build.sh": '#!/bin/sh\nset -e\nrm -rf "$1"\n',
  "/home/u/p/sub/x.sh": "rm sub\n",
  "/home/u/p/loop.sh": "sh loop.sh\n",
};
const readFile = (path: string) => files[path];

const groups: Readonly<Record<string, readonly Case[]>> = {
  wrappers: [
    ["sudo rm -rf x", "rm -rf x"],
    ["sudo -u root -- rm x", "rm x"],
    ["sudo -iu root A=b rm x", "rm x"],
    ["env -u C A=b rm x", "rm x"],
    ["env -S 'r\\m -rf' x", "rm -rf x"],
    ["env -i rm x", "rm x"],
    ["env --split-string='rm -rf' x", "rm -rf x"],
    ["nice -n 5 ionice -c2 rm x", "rm x"],
    ["nice -10 rm x", "rm x"],
    ["timeout -k 5 10s rm x", "rm x"],
    ["time -p rm x", "rm x"],
    ["command rm x", "rm x"],
    ["command -v rm", "command -v rm"],
    ["exec rm x", "rm x"],
    ["exec -a n rm x", "rm x"],
    ["builtin cd /tmp; ls", "cd /tmp", "ls"],
    ["nohup rm x &", "rm x"],
    ["xargs rm -rf", "rm -rf …"],
    ["echo a b | xargs rm", "echo a b", "rm a b"],
    ["printf 'a\\nb' | xargs -I{} rm {}/x", "printf a\\nb", "rm a/x", "rm b/x"],
    ["ls | xargs -0 -n1 rm", "ls", "rm …"],
    ["find . -name '*.o' -exec rm -f {} +", "find . -name *.o -exec rm -f {} +", "rm -f «{}»"],
    [
      "find . -exec sh -c 'rm \"$1\"' _ {} \\;",
      'find . -exec sh -c "rm \\"$1\\"" _ {} ;',
      'sh -c "rm \\"$1\\"" _ «{}»',
      "rm «{}»",
    ],
    ["fd -x rm {}", "fd -x rm {}", "rm «{}»"],
    ["watch -n 1 'rm x'", "rm x"],
    ["tar xf a --to-command='a | b'", "a", "b", 'tar xf a "--to-command=a | b"'],
    [
      "tar cf a --rsh-command='a; b && c | d' b",
      "a",
      "b",
      "c",
      "d …",
      'tar cf a "--rsh-command=a; b && c | d" b',
    ],
    [
      "tar cf a --rsh-command='f() { c; }; f' b",
      "c",
      'tar cf a "--rsh-command=f() { c; }; f" b',
    ],
    ["parallel rm ::: a b", "rm a", "rm b"],
    ["parallel -j4 'rm {}/x' ::: a", "rm a/x"],
    ["ls | parallel rm", "ls", "rm …"],
    ["ssh host rm -rf x", "ssh host rm -rf x", "rm -rf x"],
    ["ssh -p 22 root@host 'cd /; rm x'", `ssh -p 22 root@host "cd /; rm x"`, "cd /", "rm x"],
    ["docker exec -it c rm x", "docker exec -it c rm x", "rm x"],
    ["docker run --rm -v /:/h img rm -rf /h", "docker run --rm -v /:/h img rm -rf /h", "rm -rf /h"],
    ["docker compose exec web rm x", "docker compose exec web rm x", "rm x"],
    ["docker ps", "docker ps"],
    ["kubectl exec pod -c app -- rm x", "kubectl exec pod -c app -- rm x", "rm x"],
    ["kubectl get pods", "kubectl get pods"],
    ["su -c 'rm x'", "rm x"],
    ["su - u -c 'rm x'", "rm x"],
    ["flock l -c 'rm x'", "rm x"],
    ["flock l rm x", "rm x"],
    ["busybox rm x", "rm x"],
    ["coreutils rm x", "rm x"],
    ["coreutils --coreutils-prog=rm -f x", "rm -f x"],
    ["/lib64/ld-linux-x86-64.so.2 --library-path /l /bin/rm x", "rm x"],
    ["ld.so /bin/rm x", "rm x"],
    ["PAGER='rm x' man ls", "rm x", "man ls"],
    ["LESSOPEN='|rm x' less f", "rm x", "less f"],
    ["PAGER=cat man ls", "man ls"],
    ["PROMPT_COMMAND='rm x' bash -i", "rm x", "bash -i"],
    ["PS4='$(rm x)' bash -xc :", "rm x", ": ''", "bash -xc :", ":"],
    ["make --eval='a:; @rm x' a", 'make "--eval=a:; @rm x" a', "rm x"],
    ["make -f - <<'E'\na: b\n\t-rm $$X\nV = a:b;c\nE", "make -f -", "rm «$X»"],
    ["make all", "make all"],
    ["npx -y rimraf x", "npx -y rimraf x", "rimraf x"],
    ["uv run python x.py", "uv run python x.py", "python x.py"],
    ["pnpm exec rimraf x", "pnpm exec rimraf x", "rimraf x"],
    ["npm run build", "npm run build"],
    ["script -qc 'rm x' /dev/null", `script -qc "rm x" /dev/null`, "rm x"],
    ["setsid -f rm x", "rm x"],
    ["stdbuf -oL rm x", "rm x"],
    ["doas rm x", "rm x"],
    ["chroot /m rm x", "chroot /m rm x", "rm x"],
    ["cross-env A=b rm x", "rm x"],
    ["strace -f -o t rm x", "rm x"],
  ],
  shells: [
    ["sh -c 'rm x'", `sh -c "rm x"`, "rm x"],
    ["bash -lc 'rm \"$1\"' _ y", `bash -lc "rm \\"$1\\"" _ y`, "rm y"],
    ["bash -c \"bash -c 'rm x'\"", `bash -c "bash -c 'rm x'"`, `bash -c "rm x"`, "rm x"],
    ["bash -c 'rm $X'", `bash -c "rm $X"`, "rm «$X»"],
    ["X=y bash -c 'rm $X'", `bash -c "rm $X"`, "rm y"],
    ["X=y; export X; sh -c 'rm $X'", "export X", `sh -c "rm $X"`, "rm y"],
    ["bash -o pipefail -c 'rm x'", `bash -o pipefail -c "rm x"`, "rm x"],
    ["zsh -c 'rm x'", `zsh -c "rm x"`, "rm x"],
    ["fish -c 'rm x'", `fish -c "rm x"`, "rm x"],
    ["eval 'rm x'", `eval "rm x"`, "rm x"],
    ["eval rm '$X'", "eval rm $X", "rm «$X»"],
    ['X=1; eval "rm $X"', `eval "rm 1"`, "rm 1"],
    ['eval "$(echo rm x)"', "echo rm x", `eval "rm x"`, "rm x"],
    ["sh <<E\nrm x\nE", "sh", "rm x"],
    ["bash <<'E'\nrm $X\nE", "bash", "rm «$X»"],
    ["X=y; sh <<E\nrm $X\nE", "sh", "rm y"],
    ["sh <<< 'rm x'", "sh", "rm x"],
    ["echo 'rm x' | sh", `echo "rm x"`, "sh", "rm x"],
    ["printf 'rm %s' x | bash", `printf "rm %s" x`, "bash", "rm x"],
    ["cat <<E | sh -s\nrm x\nE", "cat", "sh -s", "rm x"],
    ["bash <(echo 'rm x')", `echo "rm x"`, "bash «<(echo 'rm x')»", "rm x"],
    ["source /dev/stdin <<< 'rm x'", "source /dev/stdin", "rm x"],
    ["echo 'rm x' | . /dev/fd/0", `echo "rm x"`, ". /dev/fd/0", "rm x"],
    ["bash /proc/self/fd/0 <<< 'rm x'", "bash /proc/self/fd/0", "rm x"],
    ["source <(echo 'rm x')", `echo "rm x"`, "source «<(echo 'rm x')»", "rm x"],
    ["echo 'rm x' | sudo tee /dev/null | sh", `echo "rm x"`, "tee /dev/null", "sh", "rm x"],
    ["bash", "bash"],
    ["ssh h <<'E'\nrm x\nE", "ssh h", "rm x"],
    ["at now <<< 'rm x'", "at now", "rm x"],
    ["sudo -s <<< 'rm x'", "sudo -s", "rm x"],
    ["echo 'rm x' | su root", `echo "rm x"`, "su root", "rm x"],
    ["tmux send-keys -t a 'rm x' Enter", `tmux send-keys -t a "rm x" Enter`, "rm x Enter"],
    ["echo 'rm x' | batch", `echo "rm x"`, "batch", "rm x"],
    [
      "(crontab -l; echo '*/5 * * * * rm x') | crontab -",
      "crontab -l",
      `echo "*/5 * * * * rm x"`,
      "crontab -",
      "rm x",
    ],
    ["echo '@daily rm x' | crontab -", `echo "@daily rm x"`, "crontab -", "rm x"],
    ["echo $\\\n(rm x)", "rm x", "echo"],
    ["X=rm; $\\\n{X} a &\\\n& b", "rm a", "b"],
  ],
  decoders: [
    ["echo cm0geA== | base64 -d | sh", "echo cm0geA==", "base64 -d", "sh", "rm x"],
    ["echo cm0geA== | base64 --decode | bash", "echo cm0geA==", "base64 --decode", "bash", "rm x"],
    ["echo 726d2078 | xxd -r -p | sh", "echo 726d2078", "xxd -r -p", "sh", "rm x"],
    ["echo 'x mr' | rev | sh", `echo "x mr"`, "rev", "sh", "rm x"],
    ["echo 'ez k' | tr ekz rxm | sh", `echo "ez k"`, "tr ekz rxm", "sh", "rm x"],
    ['bash -c "$(echo cm0geA== | base64 -d)"', "echo cm0geA==", "base64 -d", `bash -c "rm x"`, "rm x"],
    ["base64 -d <<< cm0geA== | sh", "base64 -d", "sh", "rm x"],
    ["echo 'rX x' | sed s/X/m/ | sh", `echo "rX x"`, "sed s/X/m/", "sh", "rm x"],
  ],
  files: [
    ["sh build.sh out", "sh build.sh out", "set -e", "rm -rf out"],
    ["bash ./build.sh out", "bash ./build.sh out", "set -e", "rm -rf out"],
    ["./build.sh out", "build.sh out", "set -e", "rm -rf out"],
    ["cd sub && sh x.sh", "cd sub", "sh x.sh", "rm sub"],
    [". ./build.sh out", ". ./build.sh out", "set -e", "rm -rf out"],
    ["cat build.sh | sh -s out", "cat build.sh", "sh -s out", "set -e", "rm -rf out"],
    ["sh < build.sh", "sh", "set -e", "rm -rf ''"],
    ["echo 'rm x' > a.sh; sh a.sh", `echo "rm x"`, "sh a.sh", "rm x"],
    ["echo 'rm x' > a.sh && chmod +x a.sh && ./a.sh", `echo "rm x"`, "chmod +x a.sh", "a.sh", "rm x"],
    ["cat > a.sh <<'E'\nrm $1\nE\nbash a.sh y", "cat", "bash a.sh y", "rm y"],
    ["printf 'rm ' > a; printf x >> a; sh a", `printf "rm "`, "printf x", "sh a", "rm x"],
    ["echo 'rm x' | tee a >/dev/null; sh a", `echo "rm x"`, "tee a", "sh a", "rm x"],
    ["echo 'rm x' > a; cp a b; sh b", `echo "rm x"`, "cp a b", "sh b", "rm x"],
    ["sh missing.sh", "sh missing.sh"],
  ],
  git: [
    ["git -c alias.x='!rm y' x", "rm y"],
    ["git -c alias.p='push --force' p origin main", "git push --force origin main"],
    ["git -c core.sshCommand='rm y' fetch", "rm y", 'git -c "core.sshCommand=rm y" fetch'],
    ["GIT_SSH_COMMAND='rm y' git fetch", "rm y", "git fetch"],
    ["git rebase -x 'rm y' main", `git rebase -x "rm y" main`, "rm y"],
    ["git rebase --exec='rm y' main", `git rebase "--exec=rm y" main`, "rm y"],
    ["git bisect run sh -c 'rm y'", `git bisect run sh -c "rm y"`, `sh -c "rm y"`, "rm y"],
    ["git submodule foreach --recursive 'rm y'", `git submodule foreach --recursive "rm y"`, "rm y"],
    ["git submodule foreach rm -rf y", "git submodule foreach rm -rf y", "rm -rf y"],
    ["git filter-branch --tree-filter 'rm y' HEAD", `git filter-branch --tree-filter "rm y" HEAD`, "rm y"],
    ["git grep -O'rm y' x", `git grep "-Orm y" x`, "rm y …"],
    ["git grep --open-files-in-pager='rm y' x", `git grep "--open-files-in-pager=rm y" x`, "rm y …"],
    ["git clone ext::'rm y' d", `git clone "ext::rm y" d`, "rm y"],
    ["git fetch --upload-pack='rm y' .", `git fetch "--upload-pack=rm y" .`, "rm y …"],
    ["git push --receive-pack 'rm y' .", `git push --receive-pack "rm y" .`, "rm y …"],
    ["git fetch origin main", "git fetch origin main"],
    ["git grep -n O x", "git grep -n O x"],
  ],
};

for (const [group, cases] of Object.entries(groups)) {
  Deno.test(`understand: ${group}`, () => {
    const wrong: unknown[] = [];
    for (const [command, ...expected] of cases) {
      const got = list(command, { readFile });
      const plain = expected.map((line) => line.replaceAll('\\"', '"'));
      if (JSON.stringify(got.map((line) => line.replaceAll('\\"', '"'))) !== JSON.stringify(plain)) {
        wrong.push({ command, got, expected });
      }
    }
    assert.deepEqual(wrong, []);
  });
}

/** Directory of the last invocation: path, then what else it may be. */
const directories: readonly (readonly [command: string, path: string | undefined, ...others: string[]])[] = [
  ["rm x", "/home/u/p"],
  ["cd /tmp && rm x", "/tmp"],
  ["cd sub && rm x", "/home/u/p/sub"],
  ["cd sub; rm x", "/home/u/p/sub", "/home/u/p"],
  ["cd sub || exit 1; rm x", "/home/u/p/sub"],
  ["set -e; cd sub; rm x", "/home/u/p/sub"],
  ["cd sub || rm x", "/home/u/p"],
  ["cd .. && cd .. && rm x", "/home"],
  ["cd && rm x", "/home/u"],
  ["cd ~ && rm x", "/home/u"],
  ["cd - ; rm x", undefined],
  ["cd /tmp && cd - && rm x", "/home/u/p"],
  ["(cd /tmp && ls); rm x", "/home/u/p"],
  ["cd /tmp | cat; rm x", "/home/u/p"],
  ["pushd /tmp && popd && rm x", "/home/u/p"],
  ["pushd /tmp && rm x", "/tmp"],
  ['cd "$X" && rm x', undefined, "/home/u/p"],
  ["bash -c 'cd /tmp'; rm x", "/home/u/p"],
  ["bash -c 'cd /tmp && rm x'", "/tmp"],
  ["eval 'cd /tmp' && rm x", "/tmp"],
  ["env -C /tmp rm x", "/tmp"],
  ["f() { cd /tmp; }; f && rm x", "/tmp"],
  ["if [ -d /tmp ]; then cd /tmp; fi; rm x", "/tmp", "/home/u/p"],
  ["cd /tmp & rm x", "/home/u/p"],
  ["find . -execdir rm x \\;", undefined],
  ["ssh h rm x", undefined],
];

Deno.test("the directory is tracked", () => {
  const wrong: unknown[] = [];
  for (const [command, path, ...others] of directories) {
    const { invocations } = understood(command);
    const directory = invocations[invocations.length - 1]?.directory;
    const got = [directory?.path, ...directory?.alternatives ?? []];
    if (JSON.stringify(got) !== JSON.stringify([path, ...others])) wrong.push({ command, got, path, others });
  }
  assert.deepEqual(wrong, []);
});

Deno.test("every launcher of the table leads to its command", () => {
  const wrong: unknown[] = [];
  for (const { before, code } of launcherWords) {
    const command = `${before} ${code ? "'rm -rf target'" : "rm -rf target"}`;
    const got = understood(command).invocations.map(listInvocation);
    if (!got.some((line) => /^rm -rf target( …)?$/.test(line))) wrong.push({ command, got });
  }
  assert.deepEqual(wrong, []);
});

Deno.test("wrappers say what they do to the command", () => {
  const last = (command: string) => understood(command).invocations.at(-1);
  assert.equal(last("sudo rm x")?.privileged, true);
  assert.equal(last("rm x")?.privileged, false);
  assert.deepEqual(last("sudo nice sh -c 'rm x'")?.via, ["sudo", "nice", "sh -c"]);
  assert.equal(last("ssh a@b rm x")?.remote, "a@b");
  assert.equal(last("ssh root@b rm x")?.privileged, true);
  assert.equal(last("rm x &")?.background, true);
  assert.equal(last("sh -c 'rm x'")?.provenance, "nested-script");
  assert.equal(last("A=b rm x")?.assignments[0]?.name, "A");
  assert.equal(last("env A=b rm x")?.assignments[0]?.value.text, "b");
  const piped = understood("a | b | c").invocations;
  assert.deepEqual(piped.map((one) => [one.pipeline.index, one.pipeline.length]), [[0, 3], [1, 3], [2, 3]]);
  assert.equal(new Set(piped.map((one) => one.pipeline.id)).size, 1);
  const written = last("echo a > /tmp/x 2>> y");
  assert.deepEqual(written?.redirections.map((one) => [one.operator, one.descriptor, one.target.text]), [
    [">", undefined, "/tmp/x"],
    [">>", 2, "y"],
  ]);
});

/** Commands that leave a doubt, with its reason, and such that leave none. */
const doubts: readonly (readonly [command: string, reason: string | undefined])[] = [
  ["git status", undefined],
  ['echo "$X" $(date) `pwd`', undefined],
  ["$EDITOR x", undefined],
  ['"$PYTHON" -m pytest', undefined],
  ['eval "$(ssh-agent -s)"', undefined],
  ['eval "$(direnv hook bash)"', undefined],
  ["curl -s u | sh", undefined],
  ["bash script.sh", undefined],
  ['for f in *.js; do node "$f"; done', undefined],
  ['eval "$X"', "unknown-code"],
  ['sh -c "$X"', "unknown-code"],
  ["base64 -d f | sh", "encoded-code"],
  ['bash -c "$(base64 -d f)"', "encoded-code"],
  ["/b?n/r? -rf x", "unknown-program"],
  ["$(tr a b < f) x", "unknown-program"],
  ["tee >(sh)", "unknown-code"],
  ["echo x > >(bash -s)", "unknown-code"],
  ["tee >(grep x) >(sh -c 'cat')", undefined],
  ["rm 'x", "syntax"],
  ["if true; then rm x", "syntax"],
  ["X='plain'; echo ${X@P}", undefined],
  ["X='$(rm y)'; echo ${X@P}", "unknown-code"],
  ["echo " + "x".repeat(128 * 1024), "too-long"],
];

Deno.test("doubts", () => {
  const wrong: unknown[] = [];
  for (const [command, reason] of doubts) {
    const got = understood(command, { readFile }).doubts.map((doubt) => doubt.reason);
    const expected = reason === undefined ? got.length === 0 : got.some((one) => one === reason);
    if (!expected) wrong.push({ command: command.slice(0, 200), got, reason });
  }
  assert.deepEqual(wrong, []);
});

Deno.test("recursion ends", () => {
  assert.ok(understood("f() { f; }; f").invocations.length < 10);
  assert.ok(understood("sh loop.sh", { readFile }).doubts.some((doubt) => doubt.reason === "too-deep"));
  assert.ok(understood(":(){ :|:& };:").invocations.some((one) => one.program === ":"));
});
