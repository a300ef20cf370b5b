import assert from "node:assert/strict";
import fc from "fast-check";
import { parsePolicy } from "./parse.ts";

/** Problems as `line:column: message`. */
function problems(text: string): string[] {
  return parsePolicy(text).problems.map((p) => `${p.line}:${p.column}: ${p.message}`);
}

Deno.test("a valid file with comments, trailing commas and a BOM", () => {
  const parsed = parsePolicy(`\uFEFF{
  // why
  "mode": "observe", /* and */
  "rules": { "git/*": "deny", },
}`);
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(parsed.file, { mode: "observe", rules: { "git/*": "deny" } });
});

Deno.test("a file that says nothing is valid", () => {
  for (const text of ["", "{}", "// later\n", "\n\n"]) assert.deepEqual(parsePolicy(text).file, {});
});

Deno.test("problems name line, column, what was expected and what came", () => {
  const cases: readonly (readonly [text: string, problem: string])[] = [
    [`{\n  "mode": "observ"\n}`, `2:11: expected mode to be "enforce" or "observe", found "observ"`],
    [`{\n  "onErorr": "deny"\n}`, `2:3: expected a policy key, found "onErorr"; did you mean "onError"?`],
    [`{"protectedPaths": "a"}`, `1:20: expected protectedPaths to be an array, found "a"`],
    [`{"allowedCommands": [3]}`, `1:22: expected allowedCommands[0] to be a string, found 3`],
    [
      `{"rules": {"git/x": true}}`,
      `1:21: expected rules["git/x"] to be "off", "deny-only", "ask" or "deny", found true`,
    ],
    [
      `{"rules": {"Git": "off"}}`,
      `1:12: expected a rule id such as git/force-push, or a category such as git/*, found "Git"`,
    ],
    [
      `{"exceptions": [{"rule": "a/b"}]}`,
      `1:17: expected exceptions[0].reason to be a string, found nothing`,
    ],
    [
      `{"exceptions": [{"rule": "a/b", "reason": "r", "expires": "soon"}]}`,
      `1:59: expected exceptions[0].expires to be a date such as 2026-12-31, or an instant such as ` +
      `2026-12-31T18:00Z, found "soon"`,
    ],
    [
      `{"ownRules": [{"id": "a/b", "title": "t", "decision": "ask", "advice": "x", "match": {}}]}`,
      `1:86: expected ownRules[0].match to be at least one condition, found an empty object`,
    ],
    [`{"a": 1, "a": 2}`, `1:10: expected "a" once, found it again`],
    [`{"__proto__": {}}`, `1:2: expected a policy key, found the reserved name "__proto__"`],
    [
      `{"rules": {"constructor": "off"}}`,
      `1:12: expected a policy key, found the reserved name "constructor"`,
    ],
    [`[]`, `1:1: expected the policy to be an object, found an empty array`],
    [`{"mode": }`, `1:10: expected a value`],
    [`{"mode": "enforce"} {}`, `1:21: expected the end of the file after the policy`],
    [`{\r\n"mode":\r\n1}`, `3:1: expected mode to be "enforce" or "observe", found 1`],
  ];
  for (const [text, problem] of cases) assert.equal(problems(text)[0], problem, text);
});

Deno.test("all problems are named, not only the first", () => {
  assert.equal(problems(`{"mode": 1, "onError": 2, "rules": [], "x": 1}`).length, 4);
});

Deno.test("deep nesting is refused without recursion", () => {
  const [problem] = problems("[".repeat(500_000));
  assert.match(problem ?? "", /at most 32 levels/);
  assert.match(problems(`{"rules":`.repeat(100_000))[0] ?? "", /at most 32 levels/);
  // Brackets in strings and comments are text.
  assert.deepEqual(problems(`// ${"[".repeat(100)}\n{"protectedPaths": ["${"[".repeat(100)}"]}`), []);
});

Deno.test("hostile text never throws and never pollutes a prototype", () => {
  const piece = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    '"__proto__"',
    '"rules"',
    '"mode"',
    '"enforce"',
    "1e999",
    "null",
    "\u0000",
    "\ud800",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const parsed = parsePolicy(pieces.join(""));
    assert.ok(parsed.file !== undefined || parsed.problems.length > 0);
    assert.equal(({} as Record<string, unknown>).rules, undefined);
  }));
});

Deno.test("entries about tools are explained where they are wrong", () => {
  const told = (text: string) => parsePolicy(text).problems.map(({ message }) => message);
  assert.deepEqual(
    told('{"tools": [{"tool": "a/b", "decision": "allow"}], "toolDefaults": {"*": "ask"}}'),
    [],
  );
  assert.deepEqual(
    told(
      '{"tools": [{"tool": "a/b", "decision": "deny", "arguments": {"x": {"not": ["a*", 1, null]}, "y": true}}]}',
    ),
    [],
  );
  assert.match(told('{"tools": [{"tool": "a/b", "decision": "block"}]}')[0]!, /"allow", "ask" or "deny"/);
  assert.match(told('{"tools": [{"tol": "a/b", "decision": "deny"}]}').join("\n"), /did you mean "tool"/);
  assert.match(
    told('{"tools": [{"tool": "a/b", "decision": "deny", "arguments": {"x": {"is": 1}}}]}')[0]!,
    /a glob of at most 200 characters/,
  );
  assert.match(told('{"toolDefaults": {"Claude Code": "ask"}}')[0]!, /the id of a host/);
  assert.match(told('{"toolDefaults": {"__proto__": "ask"}}')[0]!, /reserved name/);
  assert.match(
    told(`{"tools": [${'{"tool": "a", "decision": "deny"},'.repeat(501)}]}`)[0]!,
    /at most 500/,
  );
});

Deno.test("mistakes about hosts and paths are told at their place", () => {
  const told = (text: string) => parsePolicy(text).problems.map(({ message }) => message).join("\n");
  assert.match(
    told('{"addresses": {"deny": ["https://a.example/x"]}}'),
    /a host name, \*\.suffix, an IP address/,
  );
  assert.match(told('{"addresses": {"denied": ["a.example"]}}'), /found "denied"/);
  assert.match(told('{"addresses": {"private": "off"}}'), /"none", "ask" or "deny"|none/);
  assert.match(told('{"paths": [{"paths": [], "decision": "deny"}]}'), /at least 1/);
  assert.match(told('{"paths": [{"paths": ["a"], "decision": "allow"}]}'), /"ask"/);
  assert.match(
    told('{"paths": [{"paths": ["a"], "operation": ["read"], "decision": "deny"}]}'),
    /"operations"/,
  );
  assert.equal(
    told('{"addresses": {"deny": ["*", "fd00::/8"]}, "paths": [{"paths": ["a"], "decision": "ask"}]}'),
    "",
  );
});
