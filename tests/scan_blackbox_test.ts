/** `guard scan` and `guard redact` as a person runs them, on repositories made for the test. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { makePlace, runGuard, targets } from "./hook_process.ts";

const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");
const address = `postgres://svc:${password}@db.acme.dev/app`;
const other = address.replace("Zx9", "Yw8");

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
    Deno.writeTextFileSync(join(folder, name), text);
  }
}

function git(folder: string, ...args: readonly string[]): void {
  const { success, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgSign=false", ...args],
    cwd: folder,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}

for (const target of targets()) {
  const scan = (name: string, test: (home: string, run: typeof runGuard) => Promise<void> | void) =>
    Deno.test(`${target.name}: ${name}`, async () => {
      const place = makePlace();
      // Below no other repository.
      const folder = Deno.makeTempDirSync({ prefix: "guard-scan-" });
      try {
        await test(
          folder,
          (_target, _place, args, options) => runGuard(target, place, args, { cwd: folder, ...options }),
        );
      } finally {
        place.remove();
        Deno.removeSync(folder, { recursive: true });
      }
    });
  const none = undefined as never;

  scan("a scan names the place, and never shows the secret", async (folder, run) => {
    put(folder, { "src/db.ts": `// one\nconnect("${address}");\n`, "README.md": "nothing\n" });
    const found = await run(none, none, ["scan"]);
    assert.equal(found.code, 2);
    assert.match(found.stdout, /db\.ts:2:25 {2}password in an address/);
    assert.match(found.stdout, /1 secret in 2 texts/);
    for (const format of [[], ["--json"], ["--sarif"]]) {
      const said = await run(none, none, ["scan", ...format]);
      assert.equal(said.code, 2);
      assert.ok(!`${said.stdout}${said.stderr}`.includes(password));
    }
    const log = JSON.parse((await run(none, none, ["scan", "--sarif"])).stdout);
    assert.equal(log.version, "2.1.0");
    assert.deepEqual(log.runs[0].results[0].locations[0].physicalLocation, {
      artifactLocation: { uri: "src/db.ts" },
      region: { startLine: 2, startColumn: 25 },
    });
  });

  scan("files that git ignores are left out unless they are named", async (folder, run) => {
    git(folder, "init", "-q");
    put(folder, { ".gitignore": ".env\n", ".env": `URL=${address}\n`, "a.txt": "a\n" });
    assert.equal((await run(none, none, ["scan"])).code, 0);
    assert.equal((await run(none, none, ["scan", ".env"])).code, 2);
    put(folder, { ".gitignore": ".env\nout/\n", "out/a.txt": `${address}\n` });
    assert.equal((await run(none, none, ["scan"])).code, 0);
    assert.equal((await run(none, none, ["scan", "out"])).code, 2);
  });

  scan("what is staged is looked through with its lines", async (folder, run) => {
    git(folder, "init", "-q");
    put(folder, { "a.txt": `1\n2\n`, "b c.txt": "x\n" });
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "one");
    put(folder, {
      "a.txt": `1\n2\n3 ${address}\n`,
      "b c.txt": `++ ${other}\nx\n`,
      "new.txt": `${address}\n`,
    });
    git(folder, "add", "a.txt", "b c.txt");
    const { code, stdout } = await run(none, none, ["scan", "--staged", "--json"]);
    assert.equal(code, 2);
    const { leaks } = JSON.parse(stdout);
    assert.deepEqual(leaks.map((leak: { path: string; line: number }) => [leak.path, leak.line]), [
      ["a.txt", 3],
      ["b c.txt", 1],
    ]);
  });

  scan("a history names the commit that brought a secret, though it is gone", async (folder, run) => {
    git(folder, "init", "-q");
    put(folder, { "a.txt": `${address}\n` });
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "one");
    put(folder, { "a.txt": "clean\n" });
    git(folder, "commit", "-qam", "two");
    assert.equal((await run(none, none, ["scan"])).code, 0);
    const { code, stdout } = await run(none, none, ["scan", "--history", "--json"]);
    assert.equal(code, 2);
    const { leaks } = JSON.parse(stdout);
    assert.equal(leaks.length, 1);
    assert.match(leaks[0].commit, /^[0-9a-f]{40}$/);
  });

  scan("a baseline leaves out what is known, and nothing else", async (folder, run) => {
    put(folder, { "a.txt": `${address}\n` });
    assert.equal((await run(none, none, ["scan", "--write-baseline", "known.json"])).code, 0);
    assert.ok(!Deno.readTextFileSync(join(folder, "known.json")).includes(password));
    assert.equal((await run(none, none, ["scan", "--baseline", "known.json"])).code, 0);
    put(folder, { "a.txt": `moved\n${address}\n`, "b.txt": `${other}\n` });
    const found = await run(none, none, ["scan", "--baseline", "known.json"]);
    assert.equal(found.code, 2);
    assert.match(found.stdout, /b\.txt:1/);
    assert.doesNotMatch(found.stdout, /a\.txt/);
    put(folder, { "known.json": "[]" });
    const wrong = await run(none, none, ["scan", "--baseline", "known.json"]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /expected in known\.json/);
  });

  scan("nothing that a repository names is started", async (folder, run) => {
    git(folder, "init", "-q");
    const mark = join(folder, "started");
    put(folder, {
      "run.sh": `#!/bin/sh\ntouch '${mark}'\ncat\n`,
      ".gitattributes": "*.txt diff=x filter=x\n",
      "a.txt": "a\n",
    });
    git(folder, "add", ".");
    git(folder, "commit", "-qm", "one");
    Deno.chmodSync(join(folder, "run.sh"), 0o755);
    for (
      const name of [
        "diff.x.command",
        "diff.x.textconv",
        "filter.x.clean",
        "diff.external",
        "core.fsmonitor",
        "core.pager",
      ]
    ) {
      git(folder, "config", name, join(folder, "run.sh"));
    }
    put(folder, { "a.txt": "b\n" });
    git(folder, "-c", "filter.x.clean=", "-c", "core.fsmonitor=false", "add", "a.txt");
    for (const args of [[], ["--staged"], ["--history"]]) await run(none, none, ["scan", ...args]);
    assert.throws(() => Deno.lstatSync(mark));
  });

  scan("the hook of git that the documentation shows lets no secret into a commit", (folder) => {
    git(folder, "init", "-q");
    const page = Deno.readTextFileSync(new URL("../docs/scan.md", import.meta.url));
    const hook = /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(page)![1]!;
    const started = [target.command, ...target.args].map((word) => `'${word}'`).join(" ");
    // The command as it would be found on the PATH.
    put(folder, {
      ".git/bin/guard": `#!/bin/sh\nexec ${started} "$@"\n`,
      ".git/hooks/pre-commit": hook,
      "a.txt": "a\n",
    });
    for (const name of ["bin/guard", "hooks/pre-commit"]) Deno.chmodSync(join(folder, ".git", name), 0o755);
    const commit = () => {
      const { success, stdout, stderr } = new Deno.Command("git", {
        args: ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "one"],
        cwd: folder,
        clearEnv: true,
        env: {
          PATH: `${join(folder, ".git", "bin")}:${Deno.env.get("PATH")}`,
          HOME: folder,
          GIT_CONFIG_NOSYSTEM: "1",
          DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "", ".cache", "deno"),
        },
      }).outputSync();
      return { success, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
    };
    git(folder, "add", "a.txt");
    assert.deepEqual(commit().success, true);
    put(folder, { "a.txt": `${address}\n` });
    git(folder, "add", "a.txt");
    const { success, said } = commit();
    assert.equal(success, false);
    assert.match(said, /a\.txt:1:16 {2}password in an address/);
    assert.ok(!said.includes(password));
  });

  scan("comments count by the user's policy alone, and are told of otherwise", async (folder, run) => {
    const rule = "content/secret-in-file";
    git(folder, "init", "-q");
    put(folder, {
      "a.py": `A = "${address}"  # guard:allow ${rule}\n`,
      "b.ts": `// guard:allow ${rule}\nconst b = "${other}";\n`,
      "c.ts": `const c = "${address}"; // guard:allow content/*\n`,
      ".guard/policy.jsonc": '{"inlineAllow": true}',
    });
    git(folder, "add", ".");
    const config = (text: string) => {
      put(folder, { "config/guard/policy.jsonc": text });
      return { env: { XDG_CONFIG_HOME: join(folder, "config"), APPDATA: join(folder, "config") } };
    };
    for (const options of [{}, config("{}")]) {
      for (const format of [[], ["--json"], ["--sarif"]]) {
        const { code, stdout, stderr } = await run(none, none, ["scan", "--staged", ...format], options);
        assert.equal(code, 2);
        assert.match(
          stderr,
          /^guard: 2 comments guard:allow content\/secret-in-file did not count; .*"inlineAllow": true/m,
        );
        assert.match(stdout, /a\.py/);
      }
    }
    const counts = config('{"inlineAllow": true}');
    for (const args of [["--staged"], ["a.py", "b.ts", "c.ts"]]) {
      const { code, stdout, stderr } = await run(none, none, ["scan", ...args], counts);
      assert.equal(code, 2);
      assert.match(stdout, /^c\.ts:1:/m);
      assert.match(stdout, /1 secret in/);
      assert.doesNotMatch(`${stdout}${stderr}`, /a\.py|b\.ts|did not count/);
    }
    assert.equal((await run(none, none, ["scan", "a.py"], counts)).code, 0);
  });

  scan("personal data is looked for when asked, and known by a baseline", async (folder, run) => {
    const mail = ["erika.muster", "posteo.de"].join("@");
    const phone = ["+49 30 2093", "7141"].join(" ");
    put(folder, { "people.csv": `name,mail\nErika,${mail},${phone}\n`, "a.ts": `x("${address}");\n` });
    assert.match((await run(none, none, ["scan", "people.csv"])).stdout, /^No secrets in 1 text\.$/m);
    const found = await run(none, none, ["scan", "--personal"]);
    assert.equal(found.code, 2);
    assert.match(found.stdout, /people\.csv:2:7 {2}e-mail address\n/);
    assert.match(found.stdout, /1 secret and 2 × personal data in 2 texts\./);
    const log = JSON.parse((await run(none, none, ["scan", "--personal", "--sarif", "people.csv"])).stdout);
    assert.deepEqual(
      log.runs[0].results.map((one: { ruleId: string }) => one.ruleId),
      ["personal-email", "personal-phone"],
    );
    for (const text of [found.stdout, JSON.stringify(log)]) {
      assert.ok(!text.includes(mail) && !text.includes(phone));
    }
    const written = await run(none, none, ["scan", "--personal", "--write-baseline", "known.json"]);
    assert.match(written.stdout, /3 known findings/);
    const rest = ["scan", "--personal", "--baseline", "known.json", "people.csv", "a.ts"];
    assert.equal((await run(none, none, rest)).code, 0);
    put(folder, { "people.csv": `name,mail\nErika,${mail},${phone}\nMax,${mail.replace("erika", "max")}\n` });
    const later = await run(none, none, rest);
    assert.match(later.stdout, /people\.csv:3:5/);
    assert.match(later.stdout, /1 × personal data in 2 texts\.$/m);
  });

  scan("stdin, and usage that contradicts itself", async (_folder, run) => {
    const found = await run(none, none, ["scan", "-"], { stdin: `a\n${address}\n` });
    assert.equal(found.code, 2);
    assert.match(found.stdout, /^-:2:16/m);
    for (
      const args of [["--staged", "--history"], ["-", "a"], ["--json", "--sarif"], ["--staged", "a"], [
        "missing",
      ]]
    ) {
      const wrong = await run(none, none, ["scan", ...args]);
      assert.equal(wrong.code, 64, args.join(" "));
      assert.match(wrong.stderr, /Run: guard scan --help/);
    }
    const outside = await run(none, none, ["scan", "--staged"]);
    assert.equal(outside.code, 1);
    assert.match(outside.stderr, /expected a git repository/);
  });

  scan("a filter takes secrets out of what passes through", async (_folder, run) => {
    const { code, stdout, stderr } = await run(none, none, ["redact"], { stdin: `a ${address} b\n` });
    assert.equal(code, 0);
    assert.equal(stdout, "a postgres://svc:[redacted: url-password]@db.acme.dev/app b\n");
    assert.match(stderr, /took out 1 × password in an address/);
  });
}
