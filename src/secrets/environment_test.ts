import assert from "node:assert/strict";
import fc from "fast-check";
import { findWithEnvironment } from "./environment.ts";
import { findSecrets } from "./scan.ts";

/** Made at run time, of letters and digits that no format knows. */
const value = ["q7Xv2", "Lw9Zt", "K4mR8", "bN3pY", "6sHd1", "Jf5Gc"].join("");
const environment = { DEPLOY_TOKEN: value, HOME: "/home/dev", SHORT_TOKEN: "k3Fv9" };

function parts(text: string, variables: Readonly<Record<string, string>> = environment): readonly string[] {
  return findWithEnvironment(text, variables).map(({ start, end }) => text.slice(start, end));
}

Deno.test("a value of the environment is found whole, and without its beginning or end", () => {
  assert.deepEqual(findSecrets(`got ${value}`), [], "its shape tells nothing");
  assert.deepEqual(parts(`got ${value}, done`), [value]);
  for (const cut of [value.slice(5), value.slice(0, -5), value.slice(2, -3)]) {
    assert.deepEqual(parts(`got ${cut}`), [cut]);
  }
  assert.deepEqual(parts(`${value}${value}`), [value, value]);
  const [match] = findWithEnvironment(value, environment);
  assert.equal(match?.title, "secret from the variable DEPLOY_TOKEN");
});

Deno.test("short parts, other variables and what a person has chosen are no secrets", () => {
  assert.deepEqual(parts(`got ${value.slice(0, 20)}`), []);
  assert.deepEqual(parts(`/home/dev ${environment.SHORT_TOKEN}`), []);
  const chosen = {
    SESSION_SECRET: "a-development-secret",
    API_TOKEN: "your-token-goes-here-1a2b3c",
    BUILD_ID: value,
  };
  assert.deepEqual(parts(Object.values(chosen).join(" "), chosen), []);
  assert.deepEqual(parts(value, {}), []);
});

Deno.test("a key of a known shape is found in part, and named once as a whole", () => {
  const key = ["sk-ant-api03", "a".repeat(3), value, value.toLowerCase(), value, "xyAA"].join("-");
  const variables = { ANTHROPIC_API_KEY: key };
  const rest = key.slice(7);
  assert.deepEqual(parts(`the first are dropped: ${rest}`, variables), [rest]);
  assert.equal(findWithEnvironment(`KEY ${key}`, variables).length, findSecrets(`KEY ${key}`).length || 1);
});

Deno.test("what is found is in order, without overlaps, and holds all that the shapes find", () => {
  const word = fc.constantFrom(
    value,
    value.slice(4),
    value.slice(0, 13),
    `postgres://svc:${["Zx9", "kQ2", "vT7", "mB4"].join("-")}@db.acme.dev/app`,
    "plain",
    "é",
    "=",
    "\n",
  );
  fc.assert(fc.property(fc.array(word, { maxLength: 12 }), (words) => {
    const text = words.join("");
    const found = findWithEnvironment(text, environment);
    for (const [index, { start, end }] of found.entries()) {
      assert.ok(start < end && start >= (found[index - 1]?.end ?? 0) && end <= text.length);
    }
    for (const one of findSecrets(text)) {
      assert.ok(found.some(({ start, end }) => start === one.start && end === one.end), text);
    }
    const rest = found.reduceRight(
      (left, { start, end }) => left.slice(0, start) + "·" + left.slice(end),
      text,
    );
    assert.ok(!rest.includes(value), text);
  }));
});

Deno.test("a text without any is looked through once, whatever the environment holds", () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`T${index}_TOKEN`, `${value}${index}`.repeat(200)]),
  );
  const text = value.slice(0, 12).repeat(90_000);
  assert.deepEqual(parts(text, many), []);
});
