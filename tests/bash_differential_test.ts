/**
 * Compares what the shell model makes of a line with what bash makes of it. The lines are generated from words of
 * letters that name no program; the only command that exists is a function that prints its arguments. Bash runs
 * them with an empty environment, an empty PATH and in an empty temporary directory.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { loadAllParts } from "../src/parts.ts";
import { understand } from "../src/shell/understand.ts";

await loadAllParts();

const home = "/nowhere/home";

/** Letters of which words are made; no program has such a name. */
const letters = "wxyz";
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 4 });
const spaced = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));
const variable = fc.constantFrom("va", "vb", "vc");

const escapes = fc.constantFrom(
  "\\x77",
  "\\170",
  "\\n",
  "\\t",
  "\\'",
  "\\\\",
  "\\u0079",
  "w",
  "x ",
  "\\x7a\\x7a",
);

/** A piece of a word. */
const piece: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: spaced.map((text) => `'${text}'`) },
  { weight: 2, arbitrary: spaced.map((text) => `"${text}"`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "''",
      '""',
      "\\w",
      "\\ ",
      "\\$va",
      "\\'",
      '\\"',
      "\\\\",
      "\\\n",
      '"\\$va"',
      '"\\w\\""',
      '"`printf x`"',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.array(escapes, { minLength: 1, maxLength: 3 }).map((parts) => `$'${parts.join("")}'`),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(variable, fc.boolean()).map(([name, quoted]) => quoted ? `"$${name}"` : `$${name}`),
  },
  { weight: 2, arbitrary: variable.map((name) => `\${${name}}`) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      variable,
      fc.constantFrom(
        ":-w",
        "-w",
        ":+x",
        "+x",
        "#w",
        "##*w",
        "%x",
        "%%x*",
        "/w/y",
        "//w/y",
        "/#w/y",
        "/%x/y",
        ":1",
        ":0:2",
        ":1:1",
        "^^",
        ",,",
        "^",
        "//[wx]/z",
        "/?/z",
      ),
      fc.boolean(),
    ).map(([name, operator, quoted]) => quoted ? `"\${${name}${operator}}"` : `\${${name}${operator}}`),
  },
  { weight: 1, arbitrary: variable.map((name) => `\${#${name}}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(spaced, fc.boolean()).map(([text, quoted]) =>
      quoted ? `"$(echo ${text})"` : `$(echo ${text})`
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(word, word).map(([first, second]) => `$(printf '%s-%s' ${first} ${second})`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(9), fc.constantFrom("+", "-", "*"), fc.nat(9)).map(([a, sign, b]) =>
      `$((${a}${sign}${b}))`
    ),
  },
  {
    weight: 2,
    arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }).map((parts) => `{${parts.join(",")}}`),
  },
  { weight: 1, arbitrary: fc.tuple(word, word, word).map(([a, b, c]) => `{${a},{${b},${c}}}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "{1..3}",
      "{w..z}",
      "{3..1}",
      "{01..03}",
      "{w}",
      "{}",
      "{w,}",
      "{,x}",
      '{"w x",y}',
      "{w,'x'}",
    ),
  },
);

const argument = fc.oneof(
  { weight: 8, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("~", "~/w", "w~", '"~"', "\\~", "w=~/x", "{~,w}/x") },
);

const assignment = fc.tuple(
  variable,
  fc.oneof(
    piece.filter((text) => !text.includes("{") || text.startsWith("$")),
    spaced.map((text) => `'${text}'`),
    fc.constantFrom("'w,x'", "' w  x '", '"w:x"', ""),
  ),
).map(([name, value]) => `${name}=${value}`);

/** A line: assignments, then one command with arguments. Some lines split fields at another character. */
const line = fc.tuple(
  fc.array(assignment, { maxLength: 3 }),
  fc.option(fc.constantFrom("IFS=,", "IFS=:", "IFS="), { freq: 6, nil: undefined }),
  fc.array(argument, { maxLength: 4 }),
).map(([before, separators, args]) => {
  const first = ["va='w x'", "vb=wxyz", "vc=", ...before, ...separators === undefined ? [] : [separators]];
  return `${first.join("; ")}; wshow ${args.join(" ")}`;
});

/** The arguments of the last command, or undefined where the model does not know them. */
function modelled(text: string): readonly string[] | undefined {
  const { invocations, doubts } = understand(text, { dialect: "posix", cwd: "/nowhere", home });
  const last = invocations.at(-1);
  if (doubts.length > 0 || last?.program !== "wshow") return undefined;
  if (
    !last.args.every((one) => one.isStatic || one.hasGlob) ||
    last.args.some((one) => one.pieces.some((part) => part.kind === "unknown"))
  ) {
    return undefined;
  }
  return last.args.map((one) => one.text);
}

/** What bash passes on, for each line; undefined where it fails. */
async function reallyPassed(lines: readonly string[]): Promise<(readonly string[] | undefined)[]> {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${directory}/empty`);
    await Deno.mkdir(`${directory}/work`);
    const script = [
      'wshow() { printf \'%s\\0\' "$#" "$@"; }',
      // Nothing but the function and the builtins that the lines use.
      "enable -n eval exec source . command builtin kill trap",
      "set -f",
      ...lines.map((text) => `( ${text}\n) 2>/dev/null || printf '%s\\0' failed`),
    ].join("\n");
    await Deno.writeTextFile(`${directory}/lines.sh`, script);
    const { stdout } = await new Deno.Command("/bin/bash", {
      args: ["--norc", "--noprofile", `${directory}/lines.sh`],
      cwd: `${directory}/work`,
      clearEnv: true,
      env: { PATH: `${directory}/empty`, HOME: home },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).output();
    assert.deepEqual([...Deno.readDirSync(`${directory}/work`)], [], "the lines leave nothing behind");
    const parts = new TextDecoder().decode(stdout).split("\0");
    const passed: (readonly string[] | undefined)[] = [];
    for (let at = 0; at < parts.length - 1;) {
      const count = parts[at++]!;
      if (count === "failed") {
        passed.push(undefined);
        continue;
      }
      passed.push(parts.slice(at, at + Number(count)));
      at += Number(count);
    }
    return passed;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const hasBash = Deno.build.os !== "windows" && await Deno.stat("/bin/bash").then(() => true, () => false);

Deno.test({
  name: "words are expanded as bash expands them",
  ignore: !hasBash,
  async fn() {
    const lines = fc.sample(line, { numRuns: 1500 });
    const passed = await reallyPassed(lines);
    assert.equal(passed.length, lines.length, "every line gives one answer");
    const wrong: unknown[] = [];
    let compared = 0;
    for (const [index, text] of lines.entries()) {
      const expected = passed[index];
      const got = modelled(text);
      if (expected === undefined || got === undefined) continue;
      compared++;
      if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push({ text, got, expected });
    }
    assert.deepEqual(wrong.slice(0, 10), []);
    // The comparison means nothing if most lines are unknown to the model.
    assert.ok(compared > lines.length * 0.8, `only ${compared} of ${lines.length} lines could be compared`);
  },
});
