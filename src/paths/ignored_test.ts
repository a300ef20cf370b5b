import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { ignorePatterns, matchesName } from "./ignored.ts";

const names = ["a", "b", "ab", "a.b", "abc", ".x", "a b", "a-b", "[a]", "#a", "!a"];
const directories = [...names, ...names.map((name) => `b/${name}`)];
const files = directories.filter((one) => one !== "b").flatMap((one) =>
  names.map((name) => `${one}/${name}`)
);

/** What git says, in a repository with these directories and files. */
function withGit(test: (ignores: (patterns: string) => ReadonlySet<string>) => void): void {
  const root = Deno.makeTempDirSync();
  const run = (args: readonly string[]) =>
    new Deno.Command("git", {
      args: [
        "-c",
        "core.excludesFile=",
        "-c",
        "core.ignoreCase=false",
        "-c",
        "core.quotePath=false",
        ...args,
      ],
      cwd: root,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
      stdin: "null",
    }).outputSync();
  try {
    run(["init", "-q"]);
    for (const directory of directories) Deno.mkdirSync(join(root, directory), { recursive: true });
    for (const file of files) Deno.writeTextFileSync(join(root, file), "");
    test((patterns) => {
      Deno.writeTextFileSync(join(root, ".gitignore"), patterns);
      const { stdout, code, stderr } = run(["check-ignore", "--no-index", "--", ...directories, ...files]);
      assert.ok(code === 0 || code === 1, new TextDecoder().decode(stderr));
      return new Set(new TextDecoder().decode(stdout).split("\n").filter((path) => path !== ""));
    });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("patterns name what git says they name", () => {
  const piece = fc.constantFrom(
    ..."a b ab * ** ? [ab] [!a] [^b] [a-c] [[:alpha:]] \\* \\# \\! . - { } , []a] abc".split(" "),
  );
  const part = fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));
  const pattern = fc.record({
    start: fc.constantFrom("", "", "", "!", "/", "!/", "**/", "#"),
    parts: fc.array(fc.oneof(part, fc.constant("**")), { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom("", "", "/", "/**", " ", "\\ ", "\r"),
  }).map(({ start, parts, end }) => `${start}${parts.join("/")}${end}`);
  let ignored = 0;
  withGit((gitIgnores) =>
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines.join("\n");
        const expected = gitIgnores(text);
        const own = ignorePatterns(text, false)!;
        for (const path of [...directories, ...files]) {
          const said = own.ignores(path, directories.includes(path));
          if (said) ignored++;
          assert.equal(said, expected.has(path), JSON.stringify([text, path]));
        }
      }),
      { numRuns: 60 },
    )
  );
  assert.ok(ignored > 100, `${ignored}`);
});

Deno.test("an empty file stands for everything, comments for nothing", () => {
  assert.ok(ignorePatterns("", false)!.ignores("any/file", false));
  assert.ok(ignorePatterns("\uFEFF \r\n", false)!.ignores("any", true));
  assert.ok(!ignorePatterns("# nothing yet\n", false)!.ignores("any", false));
  assert.ok(ignorePatterns("\uFEFFSECRET\r\n", true)!.ignores("sub/Secret", false));
  assert.ok(!ignorePatterns("SECRET", false)!.ignores("secret", false));
});

Deno.test("what is too large to be looked through is no file of patterns", () => {
  assert.equal(ignorePatterns("a\n".repeat(501), false), undefined);
  assert.equal(ignorePatterns("a".repeat(17_000), false), undefined);
});

Deno.test("hostile patterns take no more than pattern times name", () => {
  const name = "a".repeat(255);
  const began = performance.now();
  for (
    const pattern of [
      "*a".repeat(120) + "b",
      "[a-z]*".repeat(40) + "!",
      "?*".repeat(120) + "b",
      "[".repeat(250),
    ]
  ) {
    const text = Array.from({ length: Math.floor(16_000 / (pattern.length + 1)) }, () => pattern).join("\n");
    const patterns = ignorePatterns(text, false)!;
    assert.ok(!patterns.ignores(Array(8).fill(name).join("/"), false));
    assert.ok(!matchesName(pattern, name));
  }
  const deep = ignorePatterns(Array(60).fill("**/a/".repeat(40) + "b").join("\n"), false)!;
  assert.ok(!deep.ignores("a/".repeat(60) + "c", false));
  assert.ok(deep.ignores("a/".repeat(500) + "c", false), "deeper than is looked at");
  // A hundred times of what it takes on an idle machine.
  assert.ok(performance.now() - began < 20_000);
});
