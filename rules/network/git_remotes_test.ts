import assert from "node:assert/strict";
import { staticWord } from "../../src/words.ts";
import { remotesOf } from "./git_remotes.ts";

const host = "https://git.example.com/a/b";
const short = "git@git.example.com:a/b";

Deno.test("the repository of a git command is found behind any options", () => {
  for (
    const [line, ...expected] of [
      [`clone ${host}`, host],
      [`clone --filter blob:none ${host} here`, host],
      [`clone -b main --depth 1 ${short}`, short],
      [`clone --an-option-of-tomorrow value ${host}`, "value", host],
      [`fetch -t ${short}`, short],
      [`fetch -u ${short} main:main`, short],
      [`push -u ${short} main`, short],
      [`push --repo ${host}`, host],
      [`pull -X ours ${short}`, short],
      [`remote add -t main origin ${short}`, short],
      [`remote set-url origin ${host}`, host],
      [`archive --remote=${short} HEAD`, short],
      ["push origin main:main", "origin"],
      ["remote -v"],
      ["status"],
    ] as const
  ) {
    const [verb = "", ...words] = line.split(" ");
    const found = remotesOf(verb, words.map((word) => staticWord(word)));
    assert.deepEqual(found, expected, line);
  }
});
