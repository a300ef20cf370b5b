import assert from "node:assert/strict";
import { parsePolicy } from "../policy/parse.ts";
import { ownershipWarning, starter } from "./policy.ts";

Deno.test("an administrator's file that others can write is reported", () => {
  assert.equal(ownershipWarning("/etc/p", { uid: 0, mode: 0o100644 }), undefined);
  assert.equal(ownershipWarning("/etc/p", { uid: null, mode: null }), undefined);
  assert.match(ownershipWarning("/etc/p", { uid: 1000, mode: 0o100644 }) ?? "", /owner 1000 and mode 644/);
  assert.match(ownershipWarning("/etc/p", { uid: 0, mode: 0o100666 }) ?? "", /owner 0 and mode 666/);
});

Deno.test("the policy to start from says nothing yet", () => {
  assert.deepEqual(parsePolicy(starter).file, {});
});
