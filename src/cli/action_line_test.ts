import assert from "node:assert/strict";
import fc from "fast-check";
import { parseActionLine } from "./action_line.ts";

Deno.test("actions of every kind, with unknown members ignored", () => {
  const lines: readonly (readonly [text: string, action: unknown])[] = [
    ['{"command":"ls"}', { kind: "shell", command: "ls", dialect: "posix" }],
    ['{"command":"dir","dialect":"cmd","x":1}', { kind: "shell", command: "dir", dialect: "cmd" }],
    [
      '{"action":{"kind":"shell","command":"ls","dialect":"powershell","x":1}}',
      { kind: "shell", command: "ls", dialect: "powershell" },
    ],
    [
      '{"action":{"kind":"file","operation":"write","path":"a","content":""}}',
      { kind: "file", operation: "write", path: "a", content: "" },
    ],
    ['{"action":{"kind":"fetch","url":"u"}}', { kind: "fetch", url: "u" }],
    [
      '{"action":{"kind":"mcp","server":"s","tool":"t","input":[1]}}',
      { kind: "mcp", server: "s", tool: "t", input: [1] },
    ],
    ['{"action":{"kind":"prompt","text":"p"}}', { kind: "prompt", text: "p" }],
    ['{"action":{"kind":"output","tool":"t","text":"o"}}', { kind: "output", tool: "t", text: "o" }],
  ];
  for (const [text, action] of lines) {
    const parsed = parseActionLine(text);
    assert.ok("action" in parsed, text);
    assert.deepEqual(parsed.action, action);
  }
});

Deno.test("id and cwd are kept", () => {
  const parsed = parseActionLine('{"id":{"a":1},"cwd":"/w","command":"ls"}');
  assert.ok("action" in parsed);
  assert.deepEqual(parsed.id, { a: 1 });
  assert.equal(parsed.cwd, "/w");
});

Deno.test("a bad line says what was expected and keeps its id", () => {
  const lines: readonly (readonly [text: string, id: unknown, error: RegExp])[] = [
    ["", null, /expected a JSON object/],
    ["nonsense", null, /expected a JSON object/],
    ["[]", null, /found an array/],
    ["null", null, /found null/],
    ['{"id":7}', 7, /"action" or "command", found neither/],
    ['{"id":"a","command":1}', "a", /"command" to be a string, found a number/],
    ['{"id":1,"command":"ls","cwd":[]}', 1, /"cwd" to be a string/],
    ['{"id":1,"action":[]}', 1, /"action" to be an object, found an array/],
    ['{"id":1,"action":{"kind":"dance"}}', 1, /"action.kind".*found "dance"/],
    ['{"id":1,"action":{"kind":"file","operation":"eat","path":"a"}}', 1, /"action.operation".*found "eat"/],
    ['{"id":1,"action":{"kind":"file","operation":"read"}}', 1, /"action.path" to be a string, found none/],
    ['{"id":1,"command":"ls","dialect":"fish"}', 1, /"dialect".*found "fish"/],
  ];
  for (const [text, id, error] of lines) {
    const parsed = parseActionLine(text);
    assert.ok("error" in parsed, text);
    assert.deepEqual(parsed.id, id);
    assert.match(parsed.error, error);
  }
});

Deno.test("any line gives an action or an error", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
    const parsed = parseActionLine(text);
    assert.ok("action" in parsed || parsed.error.startsWith("expected"));
  }));
});
