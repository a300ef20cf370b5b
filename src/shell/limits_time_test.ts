import assert from "node:assert/strict";
import { usedTime } from "../../tests/cpu_time.ts";
import type { Dialect } from "./model.ts";
import { loadAllParts } from "../parts.ts";
import { understand } from "./understand.ts";

await loadAllParts();

const options = { cwd: "/home/u/p", home: "/home/u", readFile: () => undefined };

/** Hostile texts of about a given length. */
const floods: Readonly<Record<string, (length: number) => string>> = {
  "here-documents": (length) => "cat " + "<<A ".repeat(length / 4),
  "here-documents with bodies": (length) => "cat <<A\nx\nA\n".repeat(length / 12),
  "here-documents of one line": (length) => "cat <<A <<B <<C\n" + "A\nB\n".repeat(length / 4),
  "long here-document": (length) => "cat <<A\n" + "$x ".repeat(length / 3) + "\nA\n",
  substitutions: (length) => "echo " + "$(".repeat(length / 2),
  "closed substitutions": (length) => "echo " + "$(echo ".repeat(length / 8) + ")".repeat(length / 8),
  "many substitutions": (length) => "echo " + "$(a) ".repeat(length / 5),
  "many nested echoes": (length) => "echo " + "$(echo $(echo a)) ".repeat(length / 18),
  backquotes: (length) => "echo " + "`".repeat(length),
  "escaped backquotes": (length) => "echo `" + "\\`".repeat(length / 2),
  subshells: (length) => "(".repeat(length),
  "closed subshells": (length) => "(".repeat(length / 2 - 1) + "a" + ")".repeat(length / 2),
  groups: (length) => "{ ".repeat(length / 2),
  tests: (length) => "[[ ".repeat(length / 3),
  "brackets in tests": (length) => "[[ " + "( ".repeat(length / 2),
  "logical tests": (length) => "[[ " + "a && ".repeat(length / 5) + "b ]]",
  arithmetic: (length) => "((".repeat(length / 2),
  "arithmetic in words": (length) => "echo " + "$((".repeat(length / 3),
  sums: (length) => "echo $((" + "1+".repeat(length / 2) + "1))",
  "brackets in arithmetic": (length) =>
    "echo $((" + "(".repeat(length / 2) + "1" + ")".repeat(length / 2) + "))",
  "double quotes": (length) => '"'.repeat(length),
  "single quotes": (length) => "'".repeat(length),
  "quotes in substitutions": (length) => '"$('.repeat(length / 3),
  backslashes: (length) => "\\".repeat(length),
  "escaped letters": (length) => "echo " + "\\a".repeat(length / 2),
  dollars: (length) => "$".repeat(length),
  "braces opened": (length) => "echo " + "{".repeat(length),
  "braces nested": (length) => "echo " + "{a,".repeat(length / 4) + "}".repeat(length / 4),
  "braces multiplied": (length) => "echo " + "{a,b}".repeat(length / 5),
  "brace list": (length) => "echo {" + "a,".repeat(length / 2) + "}",
  "brace sequences": (length) => "echo " + "{1..9} ".repeat(length / 7),
  parameters: (length) => "echo " + "${".repeat(length / 2),
  "nested defaults": (length) => "echo " + "${x:-".repeat(length / 5) + "}".repeat(length / 5),
  "long word": (length) => "echo " + "a".repeat(length),
  "many words": (length) => "echo " + "a ".repeat(length / 2),
  "many commands": (length) => "a;".repeat(length / 2),
  "many lists": (length) => "a&&".repeat(length / 3) + "a",
  "long pipe": (length) => "a|".repeat(length / 2) + "a",
  "piped echoes": (length) => "echo a|" + "cat|".repeat(length / 4) + "cat",
  "many directories": (length) => "cd a;".repeat(length / 5),
  "certain directories": (length) => "cd a&&".repeat(length / 6) + "b",
  "growing value": (length) => "x=a;" + "x=$x$x;".repeat(length / 7) + "echo $x",
  "long value used often": (length) => `x=${"a".repeat(length / 2)};echo "${"$x".repeat(length / 4)}"`,
  "long value in a here-document": (length) =>
    `x=${"a".repeat(length / 2)};cat <<A\n${"$x".repeat(length / 4)}\nA\n`,
  "long value in python": (length) =>
    `python -c "x='${"a".repeat(length / 2)}';open(${"x+".repeat(length / 4)}x)"`,
  "list in python": (length) => `python -c "x=[];${"x=x+[1];".repeat(length / 9)}"`,
  "added values": (length) => "x+=a;".repeat(length / 5) + "echo $x",
  "array elements": (length) => "a+=(b);".repeat(length / 7),
  "many variables": (length) =>
    Array.from({ length: length / 12 }, (_, index) => `v${index}=1;`).join("") + "(a)",
  "variables in branches": (length) => "x=1;y=2;" + "(a);b&&c;".repeat(length / 9),
  functions: (length) => "f(){ g;};".repeat(length / 9),
  "nested ifs": (length) => "if a;then ".repeat(length / 10),
  "nested loops": (length) => "for i in 1 2;do ".repeat(length / 16) + "a;" + "done;".repeat(length / 16),
  "doubling loops": (length) =>
    "for i in 1 2;do ".repeat(12) + "a;" + "done;".repeat(12) + "#".repeat(length - 300),
  "doubling functions": (length) =>
    Array.from({ length: 24 }, (_, index) => `f${index + 1}(){ f${index};f${index};};`).join("") + "f24" +
    " ".repeat(length - 600),
  "removed pattern": (length) => `x=${"a".repeat(length)};echo \${x##*b*c*d} \${x%%*b*c*d}`,
  "removed patterns": (length) => `x=${"a".repeat(500)};` + "echo ${x##*b*c} ${x%%*b*c};".repeat(length / 27),
  "replaced pattern": (length) => `x=${"a".repeat(length)};echo \${x//?b/c}`,
  "replaced patterns": (length) => `x=${"a".repeat(60)};` + "echo ${x//*b*c*d/c};".repeat(length / 20),
  "replaced text": (length) => `x=${"a".repeat(length / 2)};echo \${x//a/${"b".repeat(length / 2)}}`,
  "case pattern": (length) => `case ${"a".repeat(length / 2)} in ${"*a".repeat(length / 4)}b) c;; esac`,
  "case items": (length) => "case a in " + "b) c;;".repeat(length / 6) + "esac",
  globs: (length) => "echo " + "*".repeat(length),
  "extended globs": (length) => "echo " + "@(".repeat(length / 2),
  redirections: (length) => "a" + ">b".repeat(length / 2),
  comments: (length) => "#\n".repeat(length / 2),
  evals: (length) => "eval ".repeat(length / 5) + "a",
  "nested shells": (length) => "sh -c '" + "a;".repeat(length / 2) + "'",
  launchers: (length) => "sudo ".repeat(length / 5) + "a",
  xargs: (length) => "echo " + "a ".repeat(length / 2) + "|xargs -n1 rm",
  "find with many actions": (length) => "find . " + "-exec a {} \\; ".repeat(length / 15),
  base64: (length) => `echo ${"YQ".repeat(length / 2)}|base64 -d|sh`,
  reversed: (length) => `echo '${"a;".repeat(length / 2)}'|rev|sh`,
  translated: (length) => `echo '${"a;".repeat(length / 2)}'|tr a b|sh`,
  "long printf": (length) => `printf '${"%s".repeat(length / 4)}' ${"a ".repeat(length / 4)}|sh`,
  "read in a loop": (length) => `printf '${"a\\n".repeat(length / 3)}'|while read x;do b $x;done`,
  "python calls": (length) => `python -c "${"os.remove('a');".repeat(length / 15)}"`,
  "python brackets": (length) => `python -c "${"(".repeat(length)}"`,
  "python nested calls": (length) => `python -c "${"f(".repeat(length / 2)}"`,
  "python sums": (length) => `python -c "x=${"'a'+".repeat(length / 4)}'a'; os.remove(x)"`,
  "python growing value": (length) => `python -c "x='a';${"x=x+x;".repeat(length / 6)}os.remove(x)"`,
  "python text in text": (length) => `python -c "x=f'${"{f'".repeat(length / 3)}"`,
  "node calls": (length) => `node -e "${"rmSync('a');".repeat(length / 12)}"`,
  "node blocks": (length) => `node -e "${"{".repeat(length)}"`,
  "node slashes": (length) => `node -e "${"/ ".repeat(length / 2)}"`,
  "perl replacements": (length) => `perl -e '${"s{}{".repeat(length / 6)}${"}e".repeat(length / 6)}'`,
  "continued lines": (length) => "echo " + "$\\\n".repeat(length / 3),
  "continued names": (length) => "echo " + "$a\\\nb".repeat(length / 5),
  "fed shells": (length) => "a " + ">(sh) ".repeat(length / 6),
  "variables before braces": (length) => "echo " + "$a{b,c}".repeat(length / 7),
  crontab: (length) => `echo '${"* * * * * a\\n".repeat(length / 12)}'|crontab -`,
  "parallel values": (length) => "parallel a ::: " + "b ".repeat(length / 2),
  "parallel sources": (length) => `parallel '${"{}".repeat(length / 8)}' ` + "::: b ".repeat(length / 8),
  "parallel marks": (length) => `parallel '${"{=".repeat(length / 2)}' ::: a`,
  "parallel tags": (length) =>
    "parallel " + "--rpl '{x} 1' ".repeat(length / 28) + "{y}".repeat(length / 6) + " ::: a",
  "perl variables": (length) => `perl -e 'unlink "${"$a".repeat(length / 2)}"'`,
  "sed commands": (length) => `sed '${"s/a/b/;".repeat(length / 7)}'`,
  "git options": (length) => "git " + "-c a.b=c ".repeat(length / 9) + "d",
  unicode: (length) => "echo " + "\u{1F600}é\u200b".repeat(length / 4),
  "lone surrogates": (length) => "echo " + "\ud800".repeat(length),
  "private use": (length) => "echo " + "\uE000\uE001".repeat(length / 2),
  "private use in shells": (length) => `sh -c 'echo ${"\uE0000\uE001".repeat(length / 3)}'`,
  nul: (length) => "echo " + "\0".repeat(length),
  newlines: (length) => "\n".repeat(length),
};

const windows: Readonly<Record<string, (length: number) => string>> = {
  brackets: (length) => "(".repeat(length),
  blocks: (length) => "{".repeat(length),
  "closed blocks": (length) => "{".repeat(length / 2) + "}".repeat(length / 2),
  "sub-expressions": (length) => "$(".repeat(length / 2),
  "closed sub-expressions": (length) => "a " + "$(".repeat(length / 3) + ")".repeat(length / 3),
  arrays: (length) => "@(".repeat(length / 2),
  types: (length) => "[a]".repeat(length / 3),
  members: (length) => "$a" + ".b".repeat(length / 2),
  quotes: (length) => '"'.repeat(length),
  "texts with expressions": (length) => '"$('.repeat(length / 3),
  "here-strings": (length) => "@'\n".repeat(length / 3),
  "many statements": (length) => "ri a;".repeat(length / 5),
  "long pipe": (length) => "a|".repeat(length / 2),
  lists: (length) => "ri " + "a,".repeat(length / 2),
  sums: (length) => "$x=" + "'a'+".repeat(length / 4) + "'a';ri $x",
  "growing value": (length) => "$x='a';" + "$x=$x+$x;".repeat(length / 9) + "ri $x",
  "added values": (length) => "$x+='a';".repeat(length / 8) + "ri $x",
  escapes: (length) => "`".repeat(length),
  comments: (length) => "<#".repeat(length / 2),
  carets: (length) => "^".repeat(length),
  percents: (length) => "%a".repeat(length / 2),
  conditions: (length) => "if exist a ".repeat(length / 11) + "del b",
  "command line in itself": (length) => "cmd /c ".repeat(length / 7) + "del a",
  "powershell in itself": (length) => "powershell ".repeat(length / 11) + "del a",
  "assigned in itself": (length) => "set a=%a%%a%&".repeat(length / 13) + "del %a%",
  "start": (length) => "start ".repeat(length / 6) + "a",
};

/** Longest time that any text up to the limit may take here, in milliseconds; a fraction of it is usual. */
const limit = 2500;

function took(text: string, dialect: Dialect): number {
  const start = usedTime();
  understand(text, { ...options, dialect });
  return usedTime() - start;
}

function slow(dialect: Dialect, texts: Readonly<Record<string, (length: number) => string>>): unknown[] {
  const found: unknown[] = [];
  for (const [name, make] of Object.entries(texts)) {
    // A shorter one first, so that what grows without bound is found before it takes hours.
    const short = took(make(15_000), dialect);
    if (short > limit) {
      found.push({ name, short: Math.round(short) });
      continue;
    }
    let half = took(make(60_000), dialect);
    let whole = took(make(120_000), dialect);
    // Twice the text may take twice as long; small times are noise, and so is what does not happen again.
    const suspicious = () => whole > limit || (whole > 600 && whole > half * 3.5);
    for (let again = 0; again < 2 && suspicious(); again++) {
      half = took(make(60_000), dialect);
      whole = took(make(120_000), dialect);
    }
    if (suspicious()) found.push({ name, half: Math.round(half), whole: Math.round(whole) });
  }
  return found;
}

Deno.test("hostile texts take time in proportion to their length", () => {
  assert.deepEqual(slow("posix", floods), []);
});

Deno.test("hostile texts for the shells of Windows take time in proportion to their length", () => {
  assert.deepEqual([...slow("powershell", windows), ...slow("cmd", windows)], []);
});

Deno.test("of very many files none is read for what they hold together", () => {
  let read = 0;
  const readFile = () => {
    read++;
    return "a\n";
  };
  const doubts = (count: number) =>
    understand(`cat ${"x ".repeat(count)}| sh`, { ...options, dialect: "posix", readFile }).doubts.length;
  assert.equal(doubts(100), 0);
  assert.ok(read > 0);
  read = 0;
  assert.equal(doubts(101), 1);
  assert.equal(read, 0);
});
