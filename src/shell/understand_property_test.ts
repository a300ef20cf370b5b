import assert from "node:assert/strict";
import fc from "fast-check";
import { launchers } from "./launchers.ts";
import { list, listInvocation, understood } from "./listing.ts";
import type { Dialect, Invocation, Span, Understanding } from "./model.ts";

const dialects: readonly Dialect[] = ["posix", "powershell", "cmd"];

/** Fragments of which shells, interpreters and their quoting are made. */
const fragments = [
  "rm",
  "echo",
  "cd",
  "sh -c",
  "eval",
  "python3 -c",
  "node -e",
  "perl -e",
  "git",
  "sudo",
  "env",
  "xargs",
  "find",
  "-exec",
  "sed",
  "awk",
  "iex",
  "cmd /c",
  "powershell -c",
  "if",
  "then",
  "fi",
  "for",
  "in",
  "do",
  "done",
  "while",
  "case",
  "esac",
  "function",
  "f",
  "x",
  "$x",
  "${x",
  "${x:-",
  "${x//",
  "$((",
  "$(",
  "`",
  "(",
  ")",
  "{",
  "}",
  "[[",
  "]]",
  "[",
  "]",
  "'",
  '"',
  "$'",
  "\\",
  "\n",
  " ",
  ";",
  "&",
  "&&",
  "|",
  "||",
  "<",
  ">",
  ">>",
  "<<A",
  "<<<",
  "<(",
  "A",
  "=",
  "+=",
  "~",
  "*",
  "?",
  ",",
  "..",
  "#",
  "!",
  "@",
  "%",
  "^",
  "$",
  ":",
  "/",
  "-",
  "import os",
  "os.system(",
  "shutil.rmtree(",
  "f'",
  "rmSync(",
  "system",
  "qx{",
  "%x(",
  "\uE000",
  "\uE001",
  "\uE0000\uE001",
  "\ud800",
  "\0",
  "&{",
  "@'",
  "'@",
  "$env:",
  "%X%",
  "::",
  ".Delete(",
  "1",
  "é",
  "\u{1F600}",
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join(" ")),
);

/** Every place that an understanding names. */
function spansOf({ invocations, doubts }: Understanding): readonly Span[] {
  const within = (one: Invocation) => [
    one,
    one.word,
    ...one.args,
    ...one.assignments.map(({ value }) => value),
    ...one.redirections.flatMap((redirection) => [
      redirection,
      redirection.target,
      ...redirection.body === undefined ? [] : [redirection.body],
    ]),
    ...one.stdin === undefined ? [] : [one.stdin],
  ];
  return [...invocations.flatMap(within), ...doubts].map(({ span }) => span);
}

function checkShape(understanding: Understanding, command: string): void {
  for (const span of spansOf(understanding)) {
    const inside = span.start >= 0 && span.end <= command.length && span.start <= span.end;
    assert.ok(inside, `${span.start} to ${span.end} of ${command.length}`);
  }
  for (const one of understanding.invocations) {
    assert.equal(typeof one.program, "string");
    for (const word of [one.word, ...one.args]) {
      assert.equal(word.isStatic, word.pieces.every((piece) => piece.kind === "text"));
      assert.equal(word.hasGlob, word.pieces.some((piece) => piece.kind === "glob"));
      assert.ok(word.pieces.every((piece) => piece.kind !== "text" || typeof piece.text === "string"));
    }
    assert.ok(one.pipeline.index < one.pipeline.length);
  }
}

for (const dialect of dialects) {
  Deno.test(`understand is total on any text: ${dialect}`, () => {
    fc.assert(
      fc.property(text, fc.boolean(), (command, windows) => {
        checkShape(understood(command, { dialect, windows, readFile: () => command.slice(0, 50) }), command);
      }),
      { numRuns: 1500 },
    );
  });
}

Deno.test("a script in a pipeline that is a pipeline itself keeps its place", () => {
  const command = "rm|/rm";
  for (const dialect of dialects) {
    checkShape(understood(command, { dialect, readFile: () => command }), command);
  }
});

Deno.test("what is not closed ends with the command", () => {
  for (
    const command of [
      "${x`\\",
      '"${x`\\',
      "$(`\\",
      "${x:-\\",
      "`\\",
      "$((\\",
      "<(\\",
      "a <<E\n`\\",
      "$\\\n(`\\",
    ]
  ) {
    checkShape(understood(command), command);
  }
});

Deno.test("a command behind the end of a line that is no end is shown where it stands", () => {
  const cases: readonly (readonly [command: string, ...shown: string[]])[] = [
    ["w &\\\n& x y", "w", "x y"],
    ["w |\\\n\\\n| x y; z", "w", "x y", "z"],
    ["w $\\\n(x y); z", "x y", "w $\\\n(x y)", "z"],
    ["w $\\\n(x &\\\n& y) z; x", "x", "y", "w $\\\n(x &\\\n& y) z", "x"],
    ["f() { w &\\\n& x y; }; z |\\\n| f", "w", "x y", "z"],
  ];
  for (const [command, ...shown] of cases) {
    const seen = understood(command).invocations.map(({ span }) => command.slice(span.start, span.end));
    assert.deepEqual(seen.toSorted(), shown.toSorted(), command);
  }
});

Deno.test("understand gives the same answer twice", () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...dialects), (command, dialect) => {
      assert.deepEqual(list(command, { dialect }), list(command, { dialect }));
    }),
    { numRuns: 300 },
  );
});

/** Words of letters, none of which is a program. */
const letters = fc.string({ unit: fc.constantFrom(..."wxyz"), minLength: 2, maxLength: 5 });
const name = letters.map((word) => `w${word}`);
const words = fc.tuple(name, fc.array(letters, { maxLength: 4 })).map(([first, rest]) => [first, ...rest]);

/** The same text in other quotes. */
function quoted(word: string, style: number, at: number): string {
  const cut = Math.min(at, word.length);
  switch (style) {
    case 0:
      return word;
    case 1:
      return `'${word}'`;
    case 2:
      return `"${word}"`;
    case 3:
      return `\\${word}`;
    case 4:
      return `${word.slice(0, cut)}''${word.slice(cut)}`;
    case 5:
      return `${word.slice(0, cut)}"${word.slice(cut)}"`;
    case 6:
      return `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join("")}'`;
    case 7:
      return `$'${[...word].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}'`;
    case 8:
      return `$(printf %s ${word})`;
    case 9:
      return `"$(echo ${word})"`;
    case 10:
      return `\${unset_variable:-${word}}`;
    default:
      return `${word.slice(0, cut)}\\\n${word.slice(cut)}`;
  }
}

Deno.test("other quotes around the same words make the same invocation", () => {
  fc.assert(
    fc.property(
      words,
      fc.array(fc.tuple(fc.nat(11), fc.nat(5)), { minLength: 5, maxLength: 5 }),
      (plain, styles) => {
        const command = plain.map((word, index) => quoted(word, ...styles[index]!)).join(" ");
        const last = understood(command).invocations.at(-1);
        assert.equal(last === undefined ? "" : listInvocation(last), plain.join(" "), command);
      },
    ),
    { numRuns: 1000 },
  );
});

Deno.test("a chain keeps every command in it", () => {
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(";", "&&", "||", "|", "&", "\n"),
      (commands, sign) => {
        const expected = commands.map((one) => one.join(" "));
        assert.deepEqual(list(expected.join(` ${sign} `)), expected);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("brackets, conditions and substitutions around a command keep it", () => {
  const around: readonly ((command: string) => string)[] = [
    (command) => `( ${command} )`,
    (command) => `{ ${command}; }`,
    (command) => `if ${command}; then true; fi`,
    (command) => `while false; do ${command}; done`,
    (command) => `for i in 1; do ${command}; done`,
    (command) => `case a in a) ${command};; esac`,
    (command) => `! ${command}`,
    (command) => `echo $( ${command} )`,
    (command) => `echo "\`${command}\`"`,
    (command) => `cat <(${command})`,
    (command) => `[[ -n $( ${command} ) ]]`,
    (command) => `(( $( ${command} ) ))`,
    (command) => `x=$( ${command} )`,
    (command) => `f() { ${command}; }; f`,
    (command) => `trap '${command}' EXIT`,
    (command) => `eval '${command}'`,
    (command) => `sh -c '${command}'`,
    (command) => `sh <<E\n${command}\nE`,
    (command) => `echo '${command}' | sh`,
    (command) => `time ${command}`,
    (command) => `coproc ${command}`,
    (command) => `alias zz='${command}'; zz`,
    (command) => `python3 -c "import os; os.system('${command}')"`,
    (command) => `powershell -c '${command}'`,
    (command) => `cmd /c '${command}'`,
  ];
  fc.assert(
    fc.property(
      words,
      fc.array(fc.constantFrom(...around), { minLength: 1, maxLength: 2 }),
      (plain, wraps) => {
        const inner = plain.join(" ");
        // Quotes cannot be nested here, so one of them at most uses them.
        const quoting = wraps.filter((wrap) => /['"`]/.test(wrap("a")));
        if (quoting.length > 1) return;
        // The shells of Windows read none of the others; a coprocess is for one command.
        if (wraps.slice(1).some((wrap) => /^(?:powershell|cmd|coproc)/.test(wrap("a")))) return;
        // Behind the end of a here-document nothing more fits on the line.
        if (wraps.slice(0, -1).some((wrap) => wrap("a").includes("<<"))) return;
        const command = wraps.reduce((text, wrap) => wrap(text), inner);
        assert.ok(list(command).includes(inner), command);
      },
    ),
    { numRuns: 800 },
  );
});

Deno.test("launchers around launchers keep the command", () => {
  // Those that need nothing in between.
  const plain = Object.entries(launchers).filter(([, one]) =>
    one.skip === undefined && one.subcommands === undefined && one.afterDashes === undefined &&
    one.commandAfter === undefined && one.code === undefined
  ).map(([key]) => key);
  fc.assert(
    fc.property(
      words,
      fc.array(fc.constantFrom(...plain), { minLength: 1, maxLength: 4 }),
      (command, before) => {
        const line = [...before, ...command].join(" ");
        assert.ok(list(line).includes(command.join(" ")), line);
      },
    ),
    { numRuns: 500 },
  );
});
