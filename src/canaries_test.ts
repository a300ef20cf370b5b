import assert from "node:assert/strict";
import fc from "fast-check";
import { holdsCanary, withoutCanaries } from "./canaries.ts";

const canary = fc.stringMatching(/^[A-Za-z0-9_. -]{8,40}$/);

Deno.test("a canary is found in every form, wherever it stands", () => {
  const hex = (text: string) =>
    Array.from(new TextEncoder().encode(text), (b) => b.toString(16).padStart(2, "0")).join("");
  const forms: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => [...text].reverse().join(""),
    (text) => hex(text),
    (text) => hex(text).toUpperCase(),
    (text) => hex(text).replaceAll(/../g, "%$&"),
    (text) => text.replaceAll(/[ _.-]/g, (c) => `%${hex(c)}`),
    (text) => encodeURIComponent(text),
    (text) => `"\n${text}"`,
    (text) => encodeURIComponent(encodeURIComponent(`${text} é`)),
    (text) => [...text].join("\u200b"),
    (text) => hex(text).replaceAll(/../g, "\\x$&"),
    (text) => hex(text).replaceAll(/../g, "\\u00$&"),
    (text) => hex(text).replaceAll(/..(?=.)/g, "$&:"),
    (text) => hex(text).replaceAll(/..(?=.)/g, "$& "),
    (text) => hex(text).replaceAll(/../g, "0x$&, "),
    (text) => [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join(""),
    (text) => [...text].map((char) => `&#${char.charCodeAt(0)};`).join(""),
    (text) => [...text].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join(""),
    (text) =>
      [...text].map((char) => /[!-~]/.test(char) ? String.fromCharCode(char.charCodeAt(0) + 0xFEE0) : char)
        .join(""),
    (text) => btoa(text).replaceAll(/.{5}/g, "$&\n"),
  ];
  const around = fc.string({ maxLength: 5 }).filter((text) => !text.includes("%"));
  fc.assert(fc.property(canary, fc.constantFrom(...forms), around, around, (text, form, before, after) => {
    const whole = `${before} ${form(text)} ${after}`;
    assert.ok(holdsCanary(whole, [text]));
    assert.ok(!holdsCanary(withoutCanaries(whole, [text]), [text]));
  }));
});

Deno.test("a canary is found in base64 whatever stands before and behind it", () => {
  const ascii = fc.stringMatching(/^[ -~]{0,7}$/);
  fc.assert(fc.property(canary, ascii, ascii, (text, before, after) => {
    assert.ok(holdsCanary(btoa(before + text + after), [text]));
    assert.ok(holdsCanary(btoa(before + text + after).replaceAll("+", "-").replaceAll("/", "_"), [text]));
  }));
});

Deno.test("a canary is found at the end of a long text, in little time", () => {
  const canaries = ["canary-7Q2kX9-payroll"];
  assert.ok(holdsCanary(`${"x".repeat(5_000_000)}canary-7Q2kX9-payroll`, canaries));
  const started = performance.now();
  for (const unit of ["%41", "\\x41", "&#65;", "41:", "a\n", "\u200b", "ａ", "%25"]) {
    assert.ok(!holdsCanary(unit.repeat(1_000_000 / unit.length), canaries));
  }
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("other texts hold none", () => {
  const canaries = ["canary-7Q2kX9-payroll", "NOBODY NEEDS THIS"];
  for (
    const text of [
      "",
      "canary",
      "payroll canary-7Q2kX",
      btoa("nobody needs this at all"),
      "%zz%4",
      "a".repeat(5000),
    ]
  ) {
    assert.ok(!holdsCanary(text, canaries), text);
  }
  assert.ok(!holdsCanary("canary-7Q2kX9-payroll", []));
});

Deno.test("what is no canary stays as it is", () => {
  const canaries = ["canary-7Q2kX9-payroll"];
  assert.equal(withoutCanaries("cat A.txt canary-7q2KX9-payroll; ls", canaries), "cat A.txt [canary]; ls");
  assert.equal(withoutCanaries('echo "canary-7Q2" + "kX9-payroll"', canaries), "[canary]");
  assert.equal(withoutCanaries("cat A.txt; ls İstanbul", canaries), "cat A.txt; ls İstanbul");
});
