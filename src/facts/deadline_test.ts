import assert from "node:assert/strict";
import { GuardError } from "../errors.ts";
import { untilDeadline } from "./deadline.ts";
import { diskFacts } from "./disk.ts";

Deno.test("facts are the same up to the deadline, and refused after it", () => {
  const facts = diskFacts({ git: false });
  const timely = untilDeadline(facts, Infinity);
  const late = untilDeadline(facts, performance.now() - 1);
  assert.equal(timely.kind("/"), "directory");
  assert.equal(timely.realPath("/"), facts.realPath("/"));
  assert.equal(timely.text("/none/such", 10), undefined);
  const questions = [
    () => late.kind("/"),
    () => late.realPath("/"),
    () => late.size("/"),
    () => late.list("/"),
    () => late.text("/", 10),
    () => late.git("/"),
  ];
  for (const question of questions) assert.throws(question, GuardError);
});
