import assert from "node:assert/strict";
import fc from "fast-check";
import { GuardError } from "../errors.ts";
import { requestOf } from "./request.ts";

const limit = 1000;

function of(text: string) {
  return requestOf({ bytes: new TextEncoder().encode(text), tooLong: false }, limit);
}

Deno.test("a request is its id, its event and its payload", () => {
  assert.deepEqual(of('{"id":"a-1","event":"PreToolUse","payload":{"x":1}}'), {
    id: "a-1",
    event: "PreToolUse",
    payload: { x: 1 },
  });
  assert.deepEqual(of('{"payload":{},"id":7}'), { id: 7, payload: {} });
});

Deno.test("a line that is no request keeps its id, and a problem stands in the place of the payload", () => {
  const lines = [
    '{"id":"7","event":"PreToolUse","payload":[]}',
    '{"id":"7","event":"PreToolUse","payload":null}',
    '{"id":"7","event":"PreToolUse"}',
    '{"id":"7","event":1,"payload":{}}',
    '{"id":"7","payload":{},"further":1}',
    '{"id":"7","payload":{"a":1,"a":2}}',
    '{"id":"7","payload":{}',
    '{"id":"7","payload":{}} {}',
    `{"id":"7","payload":${"[".repeat(300)}${"]".repeat(300)}}`,
  ];
  for (const line of lines) {
    const request = of(line);
    assert.equal(request.id, "7", line);
    assert(request.payload instanceof GuardError, line);
  }
});

Deno.test("an id that cannot be told is null", () => {
  const lines = [
    "",
    "x",
    "[]",
    '{"payload":{}}',
    '{"id":null,"payload":{}}',
    '{"id":"","payload":{}}',
    '{"id":1.5,"payload":{}}',
    '{"id":{},"payload":{}}',
    `{"id":"${"x".repeat(65)}","payload":{}}`,
    '{"id":"7\\u0022","payload":{}',
  ];
  for (const line of lines) assert.equal(of(line).id, null, line);
});

Deno.test("of a line that is too long the id at its start is known", () => {
  const bytes = new TextEncoder().encode('{"id":"12","event":"PreToolUse","payload":{"x":"aaaa');
  const request = requestOf({ bytes, tooLong: true }, limit);
  assert.equal(request.id, "12");
  assert.match(String(request.payload), /at most 1000 bytes/);
});

Deno.test("no line throws, and an id is never another one than the line's", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string({ maxLength: 9 }), (text, id) => {
    of(text);
    const request = of(JSON.stringify({ id, payload: { text } }));
    assert.equal(request.id, id === "" ? null : id);
  }));
});
