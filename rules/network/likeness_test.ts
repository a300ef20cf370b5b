import assert from "node:assert/strict";
import fc from "fast-check";
import { domainToUnicode } from "node:url";
import { addressOfText } from "./addresses.ts";
import { fromPunycode, takenFor } from "./likeness.ts";

const host = (name: string) => addressOfText(`https://${name}/`)?.host ?? "";

Deno.test("what a label behind xn-- stands for is what the platform says", () => {
  const letters = fc.constantFrom(..."abz019éüßаеоіıñ例えテスト президентορ漢字🦕".replace(" ", ""));
  let compared = 0;
  fc.assert(fc.property(fc.array(letters, { minLength: 1, maxLength: 12 }), (parts) => {
    const name = host(`${parts.join("")}.example`);
    const label = name.split(".")[0]!;
    if (!label.startsWith("xn--")) return;
    compared++;
    assert.equal(fromPunycode(label.slice(4)), domainToUnicode(label).normalize("NFC"));
  }));
  assert.ok(compared > 20, `${compared}`);
});

Deno.test("no text behind xn-- makes the decoder fail or run on", () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), fc.string({ maxLength: 80 }), (a, b) => {
    fromPunycode(`${a}-${b}`);
    fromPunycode(a.toLowerCase().replace(/[^a-z0-9]/g, "9"));
  }));
  assert.equal(fromPunycode("9".repeat(64)), undefined);
});

Deno.test("hosts that look like a known one, and those that do not", () => {
  for (
    const [name, known] of [
      ["gіthub.com", "github.com"],
      ["www.gооgle.com", "google.com"],
      ["api.оpenai.com", "openai.com"],
      ["npmjѕ.org", "npmjs.org"],
      ["pyрi.org", "pypi.org"],
      ["mіcrosoft.com", "microsoft.com"],
      ["rnicrosoft.com", "microsoft.com"],
      ["g00gle.com", "google.com"],
      ["paypaI.com".replace("I", "1"), "paypal.com"],
      ["gíthub.com", "github.com"],
    ] as const
  ) assert.equal(takenFor(host(name))?.known, known, name);
  for (
    const name of [
      "github.com",
      "www.google.com",
      "müller.de",
      "президент.рф",
      "пример.испытание",
      "例え.jp",
      "faß.de",
      "xn--nxasmq6b.example",
      "modern.example",
      "corner.com",
      "10.0.0.1",
      "github.io",
      "localhost",
    ]
  ) assert.equal(takenFor(host(name)), undefined, name);
});
