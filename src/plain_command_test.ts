import assert from "node:assert/strict";
import fc from "fast-check";
import { plainUnderstanding } from "./plain_command.ts";
import { loadAllParts } from "./parts.ts";
import { isKnown } from "./reading.ts";
import { understand } from "./shell/understand.ts";

await loadAllParts();

const cwd = "/home/eva/shop";
const home = "/home/eva";

function parsed(command: string) {
  return understand(command, { dialect: "posix", cwd, home, isKnown });
}

/** Members that are undefined do not count. */
function bare(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const programs =
  ("rm rmdir ls mkdir touch cp mv chmod chown cat head tail wc diff stat du df file tree whoami date ps uname id hostname grep " +
    "rg sort cut uniq pytest eslint prettier tsc jest vitest mvn cmake ruff mypy black git sudo env bash cd xargs find sed awk")
    .split(" ");
const verbs =
  "status diff log show add commit branch checkout switch restore reset push pull fetch stash tag merge rev-parse clean rm mv remote blame bisect rebase submodule"
    .split(" ");
const parts = fc.constantFrom(
  ...verbs,
  "rm",
  "sh",
  "bash",
  "git",
  "find",
  "dd",
  "shred",
  "zsh",
  "-rf",
  "-r",
  "--force",
  "--hard",
  "~",
  "~/x",
  "~root",
  "~+",
  "~-",
  "a",
  "a.b",
  "/",
  "..",
  "-",
  "--",
  "--x=y",
  "a=b",
  "x:~/y",
  "HEAD@",
  "--exec",
  "-c",
  "--upload-pack",
  "-n",
  "5",
  "",
  "if",
  "do",
  "a=~/b",
  "@",
  ":",
  "+",
  ",",
);
const line = fc.tuple(fc.constantFrom(...programs), fc.array(parts, { maxLength: 6 }))
  .map(([program, rest]) => [program, ...rest].join(" "));

Deno.test("what is plain is understood as the parser understands it", () => {
  let plain = 0;
  fc.assert(
    fc.property(line, (command) => {
      const found = plainUnderstanding(command, cwd, home);
      if (found === undefined) return;
      plain++;
      assert.deepEqual(bare(found), bare(parsed(command)), command);
    }),
    { numRuns: 3000 },
  );
  assert.ok(plain > 300, `only ${plain} commands were plain`);
});

const bodies = fc.array(
  fc.constantFrom(
    "a line",
    "EOF",
    "END",
    " EOF",
    "EOF ",
    "$(id)",
    "`x`",
    "\\",
    "",
    "'",
    '"',
    "a\\",
    "\t",
    "é",
    "<<'EOF'",
    "\r",
    "rm -rf x",
  ),
  { maxLength: 6 },
).map((lines) => lines.join("\n"));
const heads = fc.tuple(
  fc.constantFrom(">", ">>", ">|"),
  fc.constantFrom(" ", "", "  "),
  fc.constantFrom("notes.md", "~/x", "~root", "a/../b", "-", "5", "$X", "a b", "/etc/motd", "a=~/b"),
  fc.constantFrom("<<'EOF'", '<<"EOF"', "<<EOF", "<<-'EOF'", "<<'END'", "<< 'EOF'", "<<'E O'"),
).map(([operator, gap, path, mark]) => `cat ${operator}${gap}${path} ${mark}`);
const documents = fc.tuple(
  heads,
  bodies,
  fc.constantFrom("EOF", "END", "EOF\n", "EOF\n\n", "EOF; id", "EOF\nid", ""),
)
  .map(([head, body, end]) => `${head}\n${body}\n${end}`);

Deno.test("documents that are written plainly are understood as the parser understands them", () => {
  let plain = 0;
  fc.assert(
    fc.property(documents, (command) => {
      const found = plainUnderstanding(command, cwd, home);
      if (found === undefined) return;
      plain++;
      assert.deepEqual(bare(found), bare(parsed(command)), command);
    }),
    { numRuns: 4000 },
  );
  assert.ok(plain > 40, `only ${plain} documents were plain`);
});

for (
  const command of [
    "git status",
    "rm -rf ~",
    "rm -rf ~/x node_modules",
    "ls -la",
    "git push --force origin main",
  ]
) {
  Deno.test(`plain: ${command}`, () => {
    assert.deepEqual(bare(plainUnderstanding(command, cwd, home)), bare(parsed(command)));
  });
}

for (
  const command of [
    "sudo rm -rf x",
    "rm -rf *",
    "rm 'a b'",
    "r\\m x",
    "rm $X",
    "ls; rm x",
    "ls\nrm x",
    "A=1 ls",
    "./rm x",
    "git -c a=b status",
    "git z",
    "bash",
    "",
    " ls",
    "ls ",
    "ls  x",
    "rm ~root",
    "rm a#b",
    "git push --receive-pack=x",
    "ls > x",
    "ls &",
    "rm {a,b}",
  ]
) {
  Deno.test(`not plain: ${JSON.stringify(command)}`, () => {
    assert.equal(plainUnderstanding(command, cwd, home), undefined);
  });
}
