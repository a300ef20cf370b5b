/**
 * Compares what the shell model makes of lines with what bash runs. The lines are made at random by
 * tests/bash_grammar.ts; tests/bash_process.ts says why no line can start a program.
 */

import assert from "node:assert/strict";
import { compare } from "./bash_comparison.ts";
import { branchingLine, straightLine, wordsLine } from "./bash_grammar.ts";
import { hasBash, runInBash } from "./bash_process.ts";
import { type Search, search } from "./fuzz.ts";

/**
 * Lines of one kind: how many are tried, and the least shares of them that have to be compared at all, and word for
 * word.
 */
const kinds = [
  {
    name: "words are expanded as bash expands them",
    inputs: wordsLine,
    straight: true,
    batch: 400,
    least: 2000,
    compared: 0.9,
    exact: 0.8,
  },
  {
    name: "the commands of a line are those that bash runs, in the same order",
    inputs: straightLine,
    straight: true,
    batch: 150,
    least: 900,
    compared: 0.9,
    exact: 0.4,
  },
  {
    name: "no command that bash runs is missing, whatever it depends on",
    inputs: branchingLine,
    straight: false,
    batch: 150,
    least: 900,
    compared: 0.9,
    exact: 0,
  },
];

for (const { name, inputs, straight, batch, least, compared: leastCompared, exact: leastExact } of kinds) {
  Deno.test({
    name,
    ignore: !hasBash,
    async fn() {
      let compared = 0;
      let exact = 0;
      let commands = 0;
      const faults: Search<string>["faults"] = async (lines) => {
        const ran = await runInBash(lines);
        return lines.map((line, index) => {
          const comparison = compare(line, ran[index]!, straight);
          if (comparison.compared) {
            compared++;
            commands += ran[index]!.commands.length;
          }
          if (comparison.exact) exact++;
          return comparison.fault;
        });
      };
      const { inputs: tried } = await search({
        name,
        inputs,
        faults,
        batch,
        least,
      });
      console.log(`note: ${name}: compared ${commands} commands in ${compared} of ${tried} lines with bash`);
      // The comparison means nothing if most lines are unknown to the model.
      assert.ok(compared >= tried * leastCompared, `only ${compared} of ${tried} lines could be compared`);
      assert.ok(exact >= tried * leastExact, `only ${exact} of ${tried} lines were known word for word`);
    },
  });
}

Deno.test("of several outcomes the one that bash has is enough, and nothing else is", () => {
  const line = 'wb; va="$@"; wa "${va:+x}"; wb x';
  const faultOf = (text: string, ...commands: string[][]) =>
    compare(text, { commands, ended: true }, true).fault?.split(/[:\n]/)[0];
  const right = [["wb"], ["wa", ""], ["wb", "x"]];
  assert.equal(faultOf(line, ...right), undefined);
  const [first, second, third] = right as [string[], string[], string[]];
  assert.equal(faultOf(line, first, ["wa", "x"], third), "shown differently");
  assert.equal(faultOf(line, first, third), "shown differently");
  assert.equal(faultOf(line, first, second), "shown differently");
  assert.equal(faultOf(line, second, first, third), "shown differently");
  assert.equal(faultOf(line, first, ["wa", "y"], third), "not shown");
  assert.equal(faultOf(`set -- w; ${line}`, ...right), "not shown");
  assert.equal(faultOf(`va=q; wb || va=w; wa "$va"`, ["wb"], ["wa", "w"]), "shown differently");
});

Deno.test({
  name: "no line can start a program, open a file or change the directory",
  ignore: !hasBash,
  async fn() {
    // Harmless programs of every system; each line would run one, or write a file, were it let.
    const lines: readonly (readonly [line: string, ...noted: string[]])[] = [
      ["/bin/true", ...[]],
      ["true; uname -a", "uname -a"],
      ["PATH=/bin; uname", ...[]],
      ["PATH=/bin uname", "uname"],
      ["unset PATH; uname", "uname"],
      ["command -p uname", "-p uname"],
      ["unset -f command; command -p uname", "command -p uname"],
      ["unset -f exec; exec uname", "exec uname"],
      ["unset -f builtin; builtin exec uname", "builtin exec uname"],
      ["enable exec; exec uname", "enable exec", "uname"],
      ["hash -p /bin/uname uname; uname", "hash -p /bin/uname uname", "uname"],
      ["BASH_CMDS[uname]=/bin/uname; uname", "uname"],
      [". /etc/profile", ". /etc/profile"],
      ["set +r; /bin/uname", ...[]],
      ["unset -f command_not_found_handle; uname", "uname"],
      ["noted() { :; }; wa x", "wa x"],
      ["cd /; wa", "cd /", "wa"],
      ["echo x > left", ...[]],
      ["echo x >> left", ...[]],
      ["echo x &> left", ...[]],
      ["eval '> left'", ...[]],
    ];
    const ran = await runInBash(lines.map(([line]) => line));
    assert.deepEqual(
      ran.map(({ commands }, index) => [lines[index]![0], ...commands.map((words) => words.join(" "))]),
      lines,
    );
    assert.ok(ran.every(({ ended }) => ended));
  },
});
