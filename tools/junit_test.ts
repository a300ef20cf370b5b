import assert from "node:assert/strict";
import { parseJunit } from "./junit.ts";

const report = (cases: string) =>
  `<?xml version="1.0"?>\n<testsuites name="deno test" tests="1">\n<testsuite>${cases}</testsuite>\n</testsuites>\n`;

Deno.test("a report's cases are passed, failed or skipped", () => {
  const cases = parseJunit(report(`
    <testcase name="a &lt;failure&gt;" classname="./x_test.ts" time="0"></testcase>
    <testcase name="b" classname="./x_test.ts"><failure message="m &lt;skipped/&gt;">text</failure></testcase>
    <testcase name="c" classname="./x_test.ts"><skipped/></testcase>
    <testcase name="d" classname=".\\tests\\y_test.ts"><error message="Cancelled"/></testcase>`));
  assert.deepEqual(cases, [
    { file: "x_test.ts", name: "a <failure>", outcome: "passed" },
    { file: "x_test.ts", name: "b", outcome: "failed" },
    { file: "x_test.ts", name: "c", outcome: "skipped" },
    { file: "tests/y_test.ts", name: "d", outcome: "failed" },
  ]);
});

Deno.test("a report that was cut short is an error, not an empty success", () => {
  assert.throws(() => parseJunit(""), /expected a whole JUnit report/);
  assert.throws(() => parseJunit('<testsuites name="x"><testsuite>'), /expected a whole JUnit report/);
});
