import assert from "node:assert/strict";
import { staticWord } from "../src/words.ts";
import { type OptionSpec, parseArguments } from "./options.ts";

function parse(line: string, spec?: OptionSpec) {
  const parsed = parseArguments(line.split(" ").map((text) => staticWord(text)), spec);
  return {
    options: parsed.options.map((option) => option.name + (option.value ? `=${option.value.text}` : "")),
    operands: parsed.operands.map((word) => word.text),
  };
}

const table: readonly [string, OptionSpec | undefined, string[], string[]][] = [
  ["-fdx src", undefined, ["-f", "-d", "-x"], ["src"]],
  ["src -rf", undefined, ["-r", "-f"], ["src"]],
  ["-- -rf", undefined, [], ["-rf"]],
  ["-n5 file", { values: ["-n"] }, ["-n=5"], ["file"]],
  ["-qn 5 file", { values: ["-n"] }, ["-q", "-n=5"], ["file"]],
  ["--lines=5 --lines 6 file", { values: ["--lines"] }, ["--lines=5", "--lines=6"], ["file"]],
  ["--recurs --forc x", { long: ["--recursive", "--force"] }, ["--recursive", "--force"], ["x"]],
  ["--re x", { long: ["--recursive", "--remove"] }, ["--re"], ["x"]],
  ["-i.bak s/a/b/ f", { attached: ["-i"] }, ["-i=.bak"], ["s/a/b/", "f"]],
  ["-name *.o -delete", { style: "words", values: ["-name"] }, ["-name=*.o", "-delete"], []],
  [
    "-Rec -Path x y",
    { style: "powershell", values: ["-path"], long: ["-recurse"] },
    ["-recurse", "-path=x"],
    ["y"],
  ],
  ["/s /q build", { style: "cmd" }, ["/s", "/q"], ["build"]],
  ["/s/q build", { style: "cmd" }, ["/s", "/q"], ["build"]],
  ["-x cmd -y", { stopAtOperand: true }, ["-x"], ["cmd", "-y"]],
  ["- file", undefined, [], ["-", "file"]],
];

for (const [line, spec, options, operands] of table) {
  Deno.test(`options of: ${line}`, () => {
    assert.deepEqual(parse(line, spec), { options, operands });
  });
}
