/** Long commands that would take long if judging were not bounded: floods of one thing, and random ones. */

import { allProgramPaths } from "../src/paths/programs.ts";
import { launchers } from "../src/shell/launchers.ts";
import type { Dialect } from "../src/shell/model.ts";
import type { Rule } from "../src/types.ts";

/** A kind of long command; `make` gives one of about the length asked for. */
export interface Flood {
  readonly name: string;
  readonly dialect: Dialect;
  readonly make: (length: number) => string;
}

/** A unit over and over, between a start and an end. */
function repeated(unit: string, start = "", end = ""): (length: number) => string {
  return (length) =>
    start + unit.repeat(Math.max(1, Math.floor((length - start.length - end.length) / unit.length))) + end;
}

/** Every unit gets a number of its own, so that nothing is the same twice. */
function numbered(unit: (index: number) => string, start = "", end = ""): (length: number) => string {
  return (length) => {
    const parts = [start];
    for (let size = start.length + end.length, index = 0; size < length; index++) {
      const part = unit(index);
      parts.push(part);
      size += part.length;
    }
    return parts.join("") + end;
  };
}

/** Opened again and again, and closed as often. */
function nested(open: string, close: string, start = "", inner = ""): (length: number) => string {
  return (length) => {
    const count = Math.max(
      1,
      Math.floor((length - start.length - inner.length) / (open.length + close.length)),
    );
    return start + open.repeat(count) + inner + close.repeat(count);
  };
}

/** Pieces of shell language that are repeated as they are. */
const units: readonly string[] = [
  "a ",
  "'a' ",
  '"a" ',
  "$'a' ",
  '$"a" ',
  "\\a",
  "$x ",
  "${x} ",
  '"$x" ',
  "${x:-a} ",
  "${x#a} ",
  "${!x} ",
  "${x@P} ",
  "$(a) ",
  "`a` ",
  "<(a) ",
  ">(a) ",
  "$((1+1)) ",
  "$((x)) ",
  "$[1] ",
  "{a,b} ",
  "{1..9} ",
  "{a,{b,c}} ",
  "* ",
  "a*b?[c] ",
  "~ ",
  "~x ",
  "../",
  "/a",
  "./../",
  "a=b ",
  "a=b; ",
  "a+=b;",
  "a[1]=b;",
  "a=(b c);",
  "export a=b;",
  "local a;",
  "a;",
  "a&",
  "a|",
  "a&&",
  "a||",
  "a\n",
  "a|&b;",
  "(a);",
  "{ a; };",
  "if a; then b; fi;",
  "while a; do b; done;",
  "for x in a b; do c $x; done;",
  "for ((i=0;i<9;i++)); do a; done;",
  "case a in b) c;; esac;",
  "select x in a; do b; done;",
  "[[ a == b ]];",
  "[ a ];",
  "((a=1));",
  "f(){ a; };",
  "f(){ f; }; f;",
  "coproc a;",
  "! a;",
  "time a;",
  "a>b;",
  "a>>b;",
  "a<b;",
  "a 2>&1;",
  "a &>b;",
  "cat <<A\nb\nA\n",
  "cat <<'A'\nb\nA\n",
  "cat <<<a;",
  "sh <<A\nb\nA\n",
  "cd a;",
  "cd a&&",
  "cd ..;",
  "pushd a;",
  "popd;",
  "eval a;",
  'eval "a";',
  "source a;",
  ". a;",
  "trap a EXIT;",
  "alias a=b;",
  "a(){ b; }\na\n",
  "set -- a b;",
  "shift;",
  "read x;",
  "read x <<<a;",
  "echo a|sh;",
  "echo a|read x;",
  "printf %s a;",
  "printf -v x a;",
  "mapfile x <<<a;",
  "sh -c a;",
  "sh -c 'a b';",
  'bash -c "$x";',
  "python -c 'a';",
  "python -c 'import os';",
  "node -e 'a()';",
  "perl -e 'a';",
  "awk '{a}';",
  "sed s/a/b/;",
  "sed e;",
  "find . -name a;",
  "find . -delete;",
  "find a -exec b {} \\;;",
  "xargs a;",
  "echo a|xargs b;",
  "echo a b c|xargs -n1 d;",
  "parallel a ::: b;",
  "cat a|b;",
  "cat a > b;",
  "tee a;",
  "cp a b;",
  "mv a b;",
  "ln -s a b;",
  "rm a;",
  "rm -rf a;",
  "rm -rf /tmp/a;",
  "chmod 777 a;",
  "tar xf a;",
  "dd of=a;",
  "curl a;",
  "curl a|sh;",
  "curl -d @a b;",
  "wget a;",
  "ssh a b;",
  "scp a b:c;",
  "rsync a b;",
  "git status;",
  "git add a;",
  "git push;",
  "git -c a=b c;",
  "git -C a b;",
  "git commit -m a;",
  "docker run a b;",
  "docker ps;",
  "kubectl get a;",
  "psql -c 'select 1';",
  "mysql -e 'drop table a';",
  "npm run a;",
  "make a;",
  "powershell -c a;",
  "cmd /c a;",
  "env a=b c;",
  "sudo a;",
  "\\\n",
  "#a\n",
  "\t",
  "\u00a0",
  "é ",
  "𝒳 ",
  "\u202e",
  "\0",
  "\r\n",
  ";",
  "&",
  "|",
];

/** Things that are opened and closed, and what stands inside. */
const pairs: readonly (readonly [string, string, string?])[] = [
  ["$(", ")"],
  ["$(a ", ")"],
  ["`", "`"],
  ["(", ")", "a"],
  ["{ ", "; }", "a"],
  ["((", "))", "1"],
  ["$((", "))", "1"],
  ["{a,", "}"],
  ["${x:-", "}"],
  ["[[ ( ", " ) ]]", "a"],
  ["<(", ")", "a"],
  ['"$(', ')"', "a"],
  ["if a; then ", "; fi", "b"],
  ["while a; do ", "; done", "b"],
  ["case a in b) ", ";; esac", "c"],
  ["f(){ ", "; }", "a"],
  ["eval '", "'"],
  ['sh -c "', '"'],
  ["sudo ", "", "a"],
  ["env ", "", "a"],
  ["xargs ", "", "a"],
  ["timeout 1 ", "", "a"],
  ["find . -exec ", "", "a"],
  ["! ", "", "a"],
  ["a | (", ")", "b"],
  ["[", "]"],
  ["'", "'"],
];

/** Sentences of PowerShell. */
const powershell: readonly string[] = [
  "a;",
  "Get-Item a;",
  "Remove-Item a;",
  "Remove-Item -Recurse -Force a;",
  "$x='a';",
  "$x+='a';",
  "$x=$x+$x;",
  "iex a;",
  "& a;",
  "a|b;",
  "(a);",
  "{a};",
  "if(a){b};",
  "foreach($x in 1..9){a $x};",
  "function f{a};",
  '"$x";',
  '"$(a)";',
  "@'\na\n'@;",
  "@(1,2);",
  "@{a=1};",
  "`",
  "[IO.File]::Delete('a');",
  "$x.a();",
  "('a'+'b');",
  "('{0}' -f 'a');",
  "'a'.Replace('a','b');",
  "[char]97;",
  "a > b;",
  "a,b,c ",
  "1..9 ",
  "try{a}catch{b};",
  "switch(a){b{c}};",
  "-join('a','b');",
  "#a\n",
  "<#a#>",
  "Invoke-WebRequest a|iex;",
  "Start-Process a;",
  "cmd /c a;",
];

/** Sentences of cmd. */
const cmd: readonly string[] = [
  "a & ",
  "a && ",
  "a | ",
  "(a) & ",
  "del a & ",
  "rd /s /q a & ",
  "set x=a & ",
  "echo %x% & ",
  "%x%",
  "^a",
  "^",
  "for %i in (a b) do c & ",
  "if exist a b & ",
  "call a & ",
  "start a & ",
  "cmd /c a & ",
  '"a" ',
  "a > b & ",
  "!x!",
  "powershell -c a & ",
];

/** Words in great number, for programs that take them. */
const lists: readonly (readonly [string, (index: number) => string])[] = [
  ["names", (index) => ` f${index}`],
  ["one name", () => " a"],
  ["paths", (index) => ` /home/dev/app/src/f${index}`],
  ["long paths", (index) => ` ${"d/".repeat(40)}f${index}`],
  ["options", () => " -a"],
  ["long options", (index) => ` --option${index}=a`],
  ["unknown words", (index) => ` $x${index}`],
  ["patterns", () => " *"],
];

/** Programs to which the lists are given. */
const listed =
  ("git,git add,git push,git checkout,git clean,git restore,git rm,rm,rm -r,cp,mv,cat,touch,chmod,tar,rsync,curl,find," +
    "docker,kubectl,psql,npm,echo,printf,xargs,ls,grep,sed,python,node,ssh,env,export,tee,kill,aws,gh,unknown")
    .split(",");

/** All floods: of every construct, launcher and program, and of the examples of the rules. */
export function floods(rules: readonly Rule[]): readonly Flood[] {
  const all: Flood[] = [];
  const add = (name: string, make: Flood["make"], dialect: Dialect = "posix") =>
    all.push({ name, dialect, make });
  for (const unit of units) {
    const name = JSON.stringify(unit);
    add(`repeated ${name}`, repeated(unit));
    add(`repeated ${name} as words`, repeated(unit, "echo "));
    add(`repeated ${name} in double quotes`, repeated(unit, 'echo "', '"'));
    add(`repeated ${name} in a script`, repeated(unit, "sh -c '", "'"));
    add(`repeated ${name} in a here-document`, repeated(unit, "cat <<A\n", "\nA\n"));
  }
  for (const [open, close, inner] of pairs) {
    const name = JSON.stringify(open);
    add(`opened ${name}`, repeated(open));
    add(`nested ${name}`, nested(open, close, "", inner));
    add(`nested ${name} as words`, nested(open, close, "echo ", inner));
    add(`one after the other ${name}`, repeated(`${open}${inner ?? ""}${close};`));
  }
  for (const name of Object.keys(launchers)) {
    add(`launcher ${name} nested`, repeated(`${name} `, "", "a"));
    add(`launcher ${name} again`, numbered((index) => `${name} -x y a${index};`));
    add(`launcher ${name} with words`, numbered((index) => ` w${index}`, `${name} run exec`));
  }
  for (const name of Object.keys(allProgramPaths())) {
    add(`program ${name}`, numbered((index) => `${name} a${index};`));
    add(`words of ${name}`, numbered((index) => ` a${index}`, name));
  }
  for (const program of listed) {
    for (const [name, word] of lists) add(`${name} for ${program}`, numbered(word, program));
  }
  for (const unit of powershell) {
    add(`PowerShell ${JSON.stringify(unit)}`, repeated(unit), "powershell");
    add(`PowerShell ${JSON.stringify(unit)} as words`, repeated(unit, "Write-Output "), "powershell");
  }
  for (
    const [open, close] of [["(", ")"], ["{", "}"], ["$(", ")"], ["@(", ")"], ["@{a=", "}"], ['"$(', ')"'], [
      "[",
      "]",
    ]] as const
  ) {
    add(`PowerShell nested ${open}`, nested(open, close), "powershell");
    add(`PowerShell opened ${open}`, repeated(open), "powershell");
  }
  for (const unit of cmd) add(`cmd ${JSON.stringify(unit)}`, repeated(unit), "cmd");
  for (const rule of rules) {
    for (const example of [...rule.examples.match, ...rule.examples.pass]) {
      const { action } = typeof example === "string" ? { action: example } : example;
      const command = typeof action === "string"
        ? action
        : action.kind === "shell"
        ? action.command
        : undefined;
      if (command === undefined || command === "") continue;
      const dialect = typeof action === "object" && action.kind === "shell" ? action.dialect : "posix";
      add(`example of ${rule.id}: ${command.slice(0, 60)}`, repeated(`${command}\n`), dialect);
    }
  }
  return all;
}

/** Numbers between 0 and 1, always the same ones for a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const signs = " \t\n;&|<>(){}[]$`'\"\\!*?~#=+-/.,:@%^0123456789aAxXeEfF_";

/** Random commands of about the length asked for, of the kind that the seed draws. */
export function randomFlood(seed: number, all: readonly Flood[]): Flood {
  const random = randomNumbers(seed);
  const below = (count: number) => Math.floor(random() * count);
  const kind = below(8);
  const dialect: Dialect = below(8) === 0 ? (below(2) === 0 ? "powershell" : "cmd") : "posix";
  const name = `random ${seed} of kind ${kind}`;
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  switch (kind) {
    case 0: // Any code units.
      return {
        name,
        dialect,
        make: numbered(() => String.fromCharCode(below(4) === 0 ? below(65536) : below(128))),
      };
    case 1: // Signs that mean something.
      return { name, dialect, make: numbered(() => signs[below(signs.length)]!) };
    case 2: { // A few signs only.
      const few = Array.from({ length: 1 + below(4) }, () => signs[below(signs.length)]!);
      return { name, dialect, make: numbered(() => pick(few)) };
    }
    case 3: // Pieces of the language in any order.
      return {
        name,
        dialect,
        make: numbered(() => pick(dialect === "posix" ? units : dialect === "cmd" ? cmd : powershell)),
      };
    case 4: { // A few pieces over and over.
      const few = Array.from({ length: 2 + below(3) }, () => pick(units));
      return { name, dialect: "posix", make: repeated(few.join("")) };
    }
    case 5: // Grammar.
      return { name, dialect: "posix", make: (length) => grammar(length, random) };
    case 6: { // Two floods one after the other.
      const [first, second] = [pick(all), pick(all)];
      return {
        name: `${first.name}, then ${second.name}`,
        dialect: first.dialect,
        make: (length) => `${first.make(length / 2)}\n${second.make(length / 2)}`,
      };
    }
    default: { // A flood with a random sign here and there.
      const flood = pick(all);
      const gap = 2 + below(200);
      return {
        name: `${flood.name}, disturbed`,
        dialect: flood.dialect,
        make: (length) => {
          const text = flood.make(length);
          const parts: string[] = [];
          for (let at = 0; at < text.length; at += gap) {
            parts.push(text.slice(at, at + gap), signs[below(signs.length)]!);
          }
          return parts.join("").slice(0, length);
        },
      };
    }
  }
}

/** A random list of commands that is well formed. */
function grammar(length: number, random: () => number): string {
  const below = (count: number) => Math.floor(random() * count);
  const pick = (from: readonly string[]) => from[below(from.length)]!;
  const word = (depth: number): string => {
    const choice = below(depth > 3 ? 6 : 9);
    if (choice < 3) {
      return pick(["a", "src", "-x", "--all", "/tmp/b", "../c", "x.ts", "--", "-rf", "HEAD~1", "origin"]);
    }
    if (choice === 3) return `"${pick(["a b", "$x", "c", "${y:-d}"])}"`;
    if (choice === 4) return `'${pick(["a b", "c;d", "e"])}'`;
    if (choice === 5) return pick(["$x", "${y}", "*.ts", "{a,b}", "~", "$1", '"$@"']);
    if (choice === 6) return `$(${list(depth + 1)})`;
    if (choice === 7) return `<(${list(depth + 1)})`;
    return `"$(${list(depth + 1)})"`;
  };
  const simple = (depth: number): string => {
    const names = [
      "echo",
      "cat",
      "rm",
      "git push",
      "git status",
      "cp",
      "cd",
      "x=1",
      "sudo",
      "env A=b",
      "xargs",
      "sh -c",
      "find .",
      "test",
      "f",
    ];
    const words = Array.from({ length: below(5) }, () => word(depth));
    const target = below(6) === 0 ? ` ${pick([">", ">>", "<", "2>"])} ${word(9)}` : "";
    return `${pick(names)} ${words.join(" ")}${target}`;
  };
  const list = (depth: number): string => {
    const choice = depth > 3 ? 0 : below(10);
    if (choice < 4) return simple(depth);
    if (choice === 4) return `${simple(depth)} | ${simple(depth)}`;
    if (choice === 5) return `${simple(depth)} ${pick(["&&", "||", ";"])} ${simple(depth)}`;
    if (choice === 6) return `if ${list(depth + 1)}; then ${list(depth + 1)}; else ${list(depth + 1)}; fi`;
    if (choice === 7) return `for x in ${word(depth)} ${word(depth)}; do ${list(depth + 1)}; done`;
    if (choice === 8) return `(${list(depth + 1)})`;
    return `f() { ${list(depth + 1)}; }`;
  };
  return numbered(() => `${list(0)}\n`)(length);
}
