/** Ways to change what guard and the hosts keep on disk that never write to it by its own name, and their harmless likes. */

import { type Row, table } from "./judge_table.ts";

const hooks = '{"hooks":{"PreToolUse":[]}}';
const settings = [
  ".claude/settings.json",
  ".cursor/hooks.json",
  ".gemini/settings.json",
  ".codex/hooks.json",
];
const world: Row = {
  facts: {
    files: {
      ...Object.fromEntries(
        ["/home/eva", "/home/eva/shop"].flatMap((base) =>
          settings.map((name) => [`${base}/${name}`, hooks] as const)
        ),
      ),
      "/home/eva/.config/guard/policy.jsonc": "{}",
      "/home/eva/.local/state/guard/audit.jsonl": "{}",
      "/home/eva/.local/bin/guard": "ELF",
      "/home/eva/.bashrc": "x",
      "/home/eva/shop/lib/cart.ts": "x",
    },
    git: { modified: [], untracked: [], ignored: [], tracked: ["lib/cart.ts", ...settings] },
  },
  own: {
    executable: "/home/eva/.local/bin/guard",
    policies: ["/home/eva/.config/guard/policy.jsonc", "/home/eva/shop/.guard/policy.jsonc"],
    state: "/home/eva/.local/state/guard",
  },
};
const here = (commands: readonly string[], more: Row = {}) =>
  commands.map((command) => [command, { ...world, ...more }] as const);

const unified = "--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\n";
const removal =
  "diff --git a/.cursor/hooks.json b/.cursor/hooks.json\n--- a/.cursor/hooks.json\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
const renaming =
  "diff --git a/x b/.claude/settings.local.json\nrename from x\nrename to .claude/settings.local.json\n";
const codexPatch = "*** Begin Patch\n*** Update File: .codex/hooks.json\n@@\n-a\n+b\n*** End Patch\n";

table(
  "patches",
  "deny",
  here([
    `apply_patch <<'E'\n${codexPatch}E`,
    `apply_patch '${codexPatch}'`,
    `cd ~ && apply_patch <<'E'\n${codexPatch}E`,
    `printf '%s' '${codexPatch}' | apply_patch`,
    `apply_patch <<'E'\n*** Begin Patch\n*** Delete File: .cursor/hooks.json\n*** End Patch\nE`,
    `apply_patch <<'E'\n*** Update File: a\n*** Move to: .cursor/hooks.json\nE`,
    `git apply <<'E'\n${unified}E`,
    `git -C .. apply -p1 <<'E'\n${unified}E`,
    `git apply <<'E'\n${removal}E`,
    `git apply <<'E'\n${renaming}E`,
    `cat <<'E' | git apply\n${unified}E`,
    `patch -p1 <<'E'\n${unified}E`,
    `patch --strip=1 <<'E'\n${removal}E`,
    `cat <<'E' | patch -p1\n${unified}E`,
    "cd .claude && patch <<'E'\n--- settings.json\n+++ settings.json\n@@ -1 +1 @@\n-a\n+b\nE",
    "patch .claude/settings.json < p",
  ]),
);
table(
  "patches of which the files are not told, in a directory of a host",
  "ask",
  here(["patch -d ~/.claude -p1 < p", "git apply --directory=.claude p"]),
);
table(
  "patches of sources",
  "none",
  here([
    "git apply <<'E'\n--- a/lib/cart.ts\n+++ b/lib/cart.ts\n@@ -1 +1 @@\n-x\n+y\nE",
    "patch -p1 < fix.patch",
    `git apply --check <<'E'\n${unified}E`,
    `patch --dry-run -p1 <<'E'\n${unified}E`,
    "cat > notes.md <<'E'\n--- a/.claude/settings.json\nE",
  ]),
);

table(
  "files that git brings, moves or takes",
  "deny",
  here([
    "git checkout HEAD~3 -- .claude/settings.json",
    "git checkout HEAD~3 .claude/settings.json",
    "git checkout stash@{0} -- .cursor/hooks.json",
    "git restore --source=HEAD~1 .claude/settings.json",
    "git restore .cursor/hooks.json",
    "git -C ~ checkout -- .claude/settings.json",
    "git checkout-index -f .claude/settings.json",
    "git stash push .claude/settings.json",
    "git stash push -m x -- .cursor/hooks.json",
    "git rm .cursor/hooks.json",
    "git rm -f .cursor/hooks.json",
    "git mv .cursor/hooks.json x",
    "git mv x .claude/settings.local.json",
    "git mv sub/hooks.json .cursor",
    "git clone https://example.com/a ~/.config/guard",
    "cd ~/.config && git clone https://example.com/guard.git",
    "git worktree add ~/.config/guard",
    "gh repo clone a/b ~/.config/guard",
    "npx degit a/b ~/.config/guard",
    "svn checkout https://example.com/a ~/.config/guard",
  ]),
);
table(
  "whole directories that git brings, moves or takes",
  "ask",
  here([
    "git mv .cursor old",
    "git rm -r .cursor",
    "git checkout HEAD~9 .claude",
    "git restore --source HEAD~9 .gemini",
    "git clone https://example.com/a ~/.claude",
  ]),
);
table(
  "everyday git",
  "none",
  here([
    "git checkout topic",
    "git checkout -b feature/x",
    "git checkout -- lib/cart.ts",
    "git restore lib/cart.ts",
    "git restore --staged .claude/settings.json",
    "git mv lib/cart.ts lib/basket.ts",
    "git rm lib/cart.ts",
    "git rm --cached .claude/settings.json",
    "git add .claude/settings.json",
    "git diff .claude/settings.json",
    "git clone https://example.com/a/b.git",
    "git clone https://example.com/a/b ~/code/b",
    "git worktree add ../shop-2 topic",
    "git worktree add .claude/worktrees/x topic",
    "git stash push -m wip lib/cart.ts",
    "git init sub",
    "git restore .husky/pre-commit",
  ]),
);

table(
  "copies that land under a name of their own",
  "deny",
  here([
    "cp settings.json ~/.claude/",
    "cp -t ~/.claude x/settings.json",
    "mv /tmp/settings.json ~/.claude",
    "mv /tmp/hooks.json .cursor",
    "install settings.json ~/.claude",
    "ln -sf /tmp/settings.json ~/.claude/",
    "rsync x/settings.json ~/.claude/",
    "scp box:settings.json ~/.claude/",
    "cp /tmp/guard ~/.local/bin/",
    "cp -r /tmp/guard ~/.config",
    "cp -r /tmp/guard ~/.local/state/",
    "cd ~/.claude && curl -O https://example.com/settings.json",
    "curl -O --output-dir ~/.claude https://example.com/settings.json?x=1",
    "cd ~/.claude && wget https://example.com/a/settings.json",
    "wget -P ~/.claude https://example.com/settings.json",
    "docker cp web:/x ~/.claude/settings.json",
    "kubectl cp pod:/x ~/.claude/settings.json",
    "aws s3 cp s3://b/x ~/.claude/settings.json",
    "gsutil cp gs://b/x ~/.claude/settings.json",
    "rclone copyto r:x ~/.claude/settings.json",
    "tar -C ~ -xf a.tar .config/guard/policy.jsonc",
    "gawk -i inplace '{print}' ~/.claude/settings.json",
    "split -b 1 x ~/.local/state/guard/audit.jsonl",
  ]),
);
table(
  "copies and archives of which the names are not told",
  "ask",
  here([
    "cp -r x/. ~/.claude/",
    "cp -r x/* ~/.claude/",
    "cp x/*.json ~/.claude/",
    "cp -r /tmp/.claude ~",
    "cp -rT x ~/.claude",
    "rsync -a x/ ~/.claude/",
    "rsync -a x/.claude ~",
    "tar xf a.tar -C ~/.claude",
    "cd ~/.claude && tar xf /tmp/a.tar",
    "unzip a.zip -d ~/.claude",
    "7z x a.7z -o/home/eva/.claude",
    "cpio -i -D ~/.claude < a.cpio",
    "ar x a.a --output ~/.claude",
    `node -e "require('fs').cpSync('x','/home/eva/.claude',{recursive:true})"`,
  ]),
);
table("start-up files under a name of their own", "ask", here(["cp x/.bashrc ~", "mv /tmp/.zshrc ~/"]));
table(
  "copies beside them",
  "none",
  here([
    "cp review.md ~/.claude/commands/",
    "cp notes.md ~/.claude/",
    "cp *.md ~/.claude/",
    "cp -r .claude/commands .cursor/",
    "mv a.ts b.ts lib",
    "tar xf a.tar -C vendor",
    "tar xf a.tar README.md",
    "unzip -o a.zip -d public",
    "wget https://example.com/a.tar.gz",
    "curl -O https://example.com/a.tar.gz",
    "docker cp web:/app/out.log .",
    "aws s3 cp s3://b/x data/x",
    "aws s3 sync public s3://b/x",
    "split -l 100 data.csv part-",
    "rsync -av dist/ box:/var/www/",
    "chmod +x scripts/run.sh",
    "strip -o out target/app",
  ]),
);

table(
  "other names for them",
  "deny",
  here([
    "ln .claude/settings.json s",
    "ln -s .claude/settings.json s",
    "cp -l .claude/settings.json s",
    "cp --symbolic-link ~/.local/state/guard/audit.jsonl s",
    "cp -al ~/.config/guard/policy.jsonc p",
    `python3 -c "import os; os.link('.claude/settings.json','s')"`,
  ]),
);
table(
  "other names for their directories",
  "ask",
  here(["ln -s ~/.claude c", "ln -s $PWD/.cursor /tmp/c", "cp -as ~/.claude c"]),
);
table(
  "links to what is no setting",
  "none",
  here(["ln -s ../AGENTS.md .claude/CLAUDE.md", "ln -s ../.claude/skills .agents/skills", "ln -s a b"]),
);

table(
  "globs and searches that take them along",
  "deny",
  here([
    "rm .c*/hooks.json",
    "rm ~/.c*/settings.json",
    "rm .cl?ude/settings.json",
    "rm */settings.json .*/settings.json",
    "sed -i s/a/b/ .c*/settings.json",
    "sed -i s/a/b/ ~/.c*/*.json",
    "cp /tmp/x .cl*/settings.json",
    "find . -name hooks.json -delete",
    "find . -name 'hook*' -delete",
    "find . -path './.cursor/*' -delete",
    "find . -name settings.json -exec rm {} +",
    "find . -name hooks.json | xargs rm",
    "find ~ -name settings.json -exec sed -i s/a/b/ {} +",
    "find ~ -name policy.jsonc -exec sed -i s/a/b/ {} +",
    "find ~ -name audit.jsonl -exec truncate -s 0 {} +",
  ]),
);
table(
  "searches through the sources",
  "none",
  here([
    "find . -name '*.json' -exec sed -i s/a/b/ {} +",
    "find lib -name '*.ts' | xargs sed -i s/a/b/",
    "find . -name settings.json",
    "find . -name '*.pyc' -delete",
    "rm -f *.log",
  ]),
);

table(
  "the executable as a search for it prints it",
  "deny",
  here([
    "chmod -x $(which guard)",
    'chmod 000 "$(command -v guard)"',
    "chmod -x ~/.local/bin/guard",
    "chmod a-x,u-w ~/.local/bin/guard",
    "strip $(which guard)",
    "mv $(which guard) /tmp",
    "echo x > $(which guard)",
    "tee `which guard` < x",
    `echo ${btoa("chmod -x $(which guard)")} | base64 -d | sh`,
    `eval "$(printf 'chmod -x \\044(which guard)')"`,
  ]),
);
table("looking at it", "none", here(["ls -l $(which guard)", "file $(which guard)", "echo $(which guard)"]));
table(
  "a file of its name beside a search for another program",
  "none",
  here(["N=guard; which node; chmod +x $N"]),
);
table(
  "approvals switched off in a command that is encoded",
  "deny",
  here([
    `echo ${
      btoa("echo '{\"chat.tools.global.autoApprove\":true}' > .vscode/settings.json")
    } | base64 -d | sh`,
  ]),
);

table(
  "hooks and approvals switched off through the agents' own commands",
  "deny",
  here([
    "claude config set disableAllHooks true",
    "codex features disable hooks",
    "gemini hooks disable guard",
    "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare -p x",
    "node node_modules/@openai/codex/bin/codex.js exec --yolo x",
  ]),
);
table(
  "everyday use of agents",
  "none",
  here([
    "claude config list",
    "claude mcp list",
    "codex features list",
    "node_modules/.bin/claude --version",
    "node server.js --settings x",
  ]),
);

table(
  "guard's processes and secrets by detours",
  "deny",
  here([
    "pgrep -f 'guard hook' | xargs kill -9",
    "ps aux | grep guard | awk '{print $2}' | xargs kill",
    "fuser -k ~/.local/bin/guard",
    "awk '{print > \"/home/eva/.claude/settings.json\"}' x",
    "sqlite3 x '.output /home/eva/.config/guard/policy.jsonc' '.print {}'",
    "sqlite3 :memory: \"select readfile('/home/eva/.ssh/id_rsa')\"",
    "cmp -l ~/.ssh/id_rsa /dev/null",
    "git grep --no-index . ~/.ssh/id_rsa",
    "docker cp ~/.ssh/id_rsa web:/x",
    "docker run -v $HOME/.config/guard:/g alpine sh",
    "mv ~/.ssh/id_rsa key.txt",
  ]),
);
table(
  "directories of hosts and whole homes in containers",
  "ask",
  here([
    "docker run -v $HOME/.claude:/c alpine sh",
    "podman run --mount type=bind,source=/home/eva/.cursor,target=/c alpine sh",
    "docker run -v $HOME:/h alpine sh",
  ]),
);
table(
  "containers with what they need",
  "none",
  here([
    'docker run --rm -v "$PWD":/app node npm test',
    "docker run --rm -v ~/.npm:/root/.npm -v .:/app node npm ci",
    "docker run -v $HOME/.claude:/c:ro alpine ls /c",
    "pgrep node | xargs kill",
    "sqlite3 dev.db '.tables'",
    "sqlite3 dev.db '.backup copy.db'",
  ]),
);
