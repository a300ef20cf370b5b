import assert from "node:assert/strict";
import fc from "fast-check";
import { redactBytes } from "./redact.ts";

const password = ["Zx9", "kQ2", "vT7", "mB4"].join("-");
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (out: Uint8Array) => new TextDecoder().decode(out);

Deno.test("secrets are taken out, and what stands around them stays", () => {
  const { out, counts } = redactBytes(bytes(`é postgres://svc:${password}@db.acme.dev/app €\n`));
  assert.equal(text(out), "é postgres://svc:[redacted: url-password]@db.acme.dev/app €\n");
  assert.deepEqual([...counts], [["password in an address", 1]]);
});

Deno.test("bytes without secrets come out as they went in, text or not", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (input) => {
      assert.deepEqual(redactBytes(input).out, input);
    }),
    { seed: 1 },
  );
});

Deno.test("bytes that are no text stay beside a secret", () => {
  const around = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const secret = bytes(` https://u:${password}@a.acme.dev `);
  const { out } = redactBytes(Uint8Array.from([...around, ...secret, ...around]));
  assert.deepEqual(out.subarray(0, 256), around);
  assert.deepEqual(out.subarray(-256), around);
  assert.ok(!text(out).includes(password));
});
