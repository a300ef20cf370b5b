/** `guard hook` as a process: the cases of hook_cases.ts against the source and the compiled executable. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type HookCase, hookCases } from "./hook_cases.ts";
import { makePlace, type Place, runHook, type Target, targets } from "./hook_process.ts";
import { outcome } from "./host_reading.ts";

/** Milliseconds within which every hook must have answered, whatever comes. */
const limit = 5000;

function filled(text: string, place: Place): string {
  return text.replaceAll("{home}", escaped(place.home)).replaceAll("{project}", escaped(place.project));
}

/** As the inside of a JSON string. */
function escaped(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function encoded(text: string, encoding: HookCase["encoding"] = "utf-8"): Uint8Array {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  if (encoding === "utf-8-bom") return new TextEncoder().encode(`\ufeff${text}`);
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, encoding === "utf-16le");
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 + at * 2, text.charCodeAt(at), encoding === "utf-16le");
  }
  return bytes;
}

async function check(target: Target, one: HookCase): Promise<void> {
  const place = makePlace();
  try {
    if (one.policy !== undefined) Deno.writeTextFileSync(place.policy, one.policy);
    for (const [path, text] of Object.entries(one.files ?? {})) {
      const file = join(place.project, path);
      Deno.mkdirSync(dirname(file), { recursive: true });
      Deno.writeTextFileSync(file, text);
    }
    const args = one.args ?? ["--host", one.host, "--event", one.event];
    const places = one.args === undefined || one.exitCode !== 2
      ? ["--policy", place.policy, "--state", place.state]
      : [];
    const text = one.text ?? filled(JSON.stringify(one.payload), place);
    const stdin = encoded(text, one.encoding);
    const result = await runHook(target, { args: [...args, ...places], place, stdin });
    const heard = `${result.stdout}${result.stderr}`;
    assert.equal(outcome(one.host, one.event, result), one.outcome, heard);
    if (one.says !== undefined) assert.match(heard, one.says);
    if (one.exitCode !== undefined) assert.equal(result.exitCode, one.exitCode, heard);
    if (result.exitCode === 0) assert.equal(result.stderr, "");
    assert(result.milliseconds < limit, `${result.milliseconds} ms`);
  } finally {
    place.remove();
  }
}

for (const target of targets()) {
  for (const one of hookCases) {
    Deno.test(`${target.name}: ${one.name}`, () => check(target, one));
  }
}

Deno.test("names of the cases are unique", () => {
  const names = hookCases.map((one) => one.name);
  assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
});
