import assert from "node:assert/strict";
import { isAllowed } from "./allowed.ts";

const rule = "content/secret-in-file";
const value = "SECRET";

function allowed(text: string): boolean {
  return isAllowed(text, { start: text.indexOf(value) }, rule);
}

Deno.test("a comment on the line, or alone on the line above, allows what begins there", () => {
  for (
    const text of [
      `key = ${value} # guard:allow ${rule}`,
      `key = ${value} // guard:allow ${rule} a key for tests`,
      `<a b="${value}"> <!-- guard:allow ${rule}-->`,
      `key = ${value} /* guard:allow ${rule}*/`,
      `select '${value}' -- guard:allow ${rule}`,
      `key = ${value} #guard:allow content/secret-in-commit, ${rule},git/force-push`,
      `a\n  # guard:allow ${rule}\nkey = ${value}\n`,
      `// guard:allow ${rule}\r\nkey = ${value}\r\n`,
    ]
  ) assert.ok(allowed(text), text);
});

Deno.test("what is no comment, names another rule, or stands elsewhere allows nothing", () => {
  for (
    const text of [
      `key = ${value}`,
      `key = ${value} guard:allow ${rule}`,
      `key = ${value} # guard:allow`,
      `key = ${value} # guard:allow content/*`,
      `key = ${value} # guard:allow *`,
      `key = ${value} # guard:allow content/secret`,
      `key = ${value} # guard:allow ${rule}-not`,
      `key = ${value} # guard:allow ${rule}/x`,
      `key = ${value} # guard:allow content/secret-in-commit`,
      `key = ${value} # Guard:Allow ${rule}`,
      `key = ${value} # guard:allowed ${rule}`,
      `key = ${value} # guard:allow content/*,${rule}`,
      `key = ${value}\n# guard:allow ${rule}`,
      `# guard:allow ${rule}\n\nkey = ${value}`,
      `other = 1 # guard:allow ${rule}\nkey = ${value}`,
    ]
  ) assert.ok(!allowed(text), text);
});

Deno.test("a long line is looked at in part", () => {
  const far = `key = ${value}${" ".repeat(5000)} # guard:allow ${rule}`;
  assert.ok(!allowed(far));
  const above = `# guard:allow ${rule}\n${"x".repeat(5000)}${value}`;
  assert.ok(!allowed(above));
});
