import assert from "node:assert/strict";
import { fileOf, follow } from "./test_output.ts";

const stream = (text: string) =>
  new Blob([text]).stream() as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;

Deno.test("the file of a test's line is the one that was asked for", () => {
  assert.equal(fileOf("./tests/a_test.ts => deny: rm => x ... ok (3ms)"), "tests/a_test.ts");
  assert.equal(fileOf(".\\tests\\a_test.ts => x ... ok"), undefined);
  assert.equal(fileOf("./tests\\a_test.ts => x ... ignored (0ms)"), "tests/a_test.ts");
  assert.equal(fileOf("running 1 test from ./src/b_test.ts"), "src/b_test.ts");
  assert.equal(fileOf("ok | 3 passed | 0 failed (1s)"), undefined);
  assert.equal(fileOf("something ./tests/a_test.ts => x"), undefined);
});

Deno.test("files named among the errors did not run by that", async () => {
  const printed = "./a_test.ts => one ... ok (1ms)\n./a_test.ts => two ... FAILED (1ms)\n\n ERRORS \n\n" +
    "./b_test.ts => ./b_test.ts:3:6\nFAILED | 1 passed";
  const told: string[] = [];
  assert.deepEqual([...await follow(stream(printed), (line) => told.push(line))], ["a_test.ts"]);
  assert.deepEqual(told, [
    "a_test.ts",
    " ERRORS ",
    "",
    "./b_test.ts => ./b_test.ts:3:6",
    "FAILED | 1 passed",
  ]);
});
