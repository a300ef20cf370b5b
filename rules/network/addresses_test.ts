import assert from "node:assert/strict";
import fc from "fast-check";
import { unknownWord } from "../../src/words.ts";
import { addressesIn, addressOf, addressOfText, isLoopback, isMetadataHost } from "./addresses.ts";

Deno.test("every spelling of an IPv4 address is one host", () => {
  fc.assert(
    fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
      const dotted = `${a}.${b}.${c}.${d}`;
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      const hex = (value: number) => `0x${value.toString(16)}`;
      const octal = (value: number) => `0${value.toString(8)}`;
      const pair = (high: number, low: number) => (high * 256 + low).toString(16);
      const spellings = [
        dotted,
        `${dotted}.`,
        String(number),
        hex(number),
        [a, b, c, d].map(hex).join("."),
        [a, b, c, d].map(octal).join("."),
        `${a}.${b}.${c * 256 + d}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
        `user:pass@${dotted}:8080`,
        `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
        `[::ffff:${dotted}]`,
        `[64:ff9b::${dotted}]`,
        `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
      ];
      for (const spelling of spellings) {
        assert.equal(addressOfText(`http://${spelling}/x`)?.host, dotted, spelling);
        assert.equal(addressOfText(spelling)?.host, dotted, spelling);
      }
    }),
  );
});

Deno.test("addresses never throw, whatever the text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    addressOfText(text);
    addressesIn(text);
  }));
  assert.equal(addressOfText(""), undefined);
  assert.equal(addressOfText("http://"), undefined);
});

Deno.test("an unknown host is not taken for a known one", () => {
  const url = (start: string, end: string) => ({
    ...unknownWord("$X"),
    pieces: [
      { kind: "text", text: start, quoted: true } as const,
      { kind: "unknown", source: "$X", origin: "variable", name: "X", mayBeEmpty: true } as const,
      { kind: "text", text: end, quoted: true } as const,
    ],
  });
  assert.equal(addressOf(url("https://", "/path"))?.host, undefined);
  assert.equal(addressOf(url("https://api.", ".example.com/"))?.host, undefined);
  assert.equal(addressOf(url("https://", "@example.com/"))?.host, "example.com");
  assert.equal(addressOf(url("https://example.com/", ""))?.host, "example.com");
});

Deno.test("metadata and loopback hosts", () => {
  const metadata = ["169.254.169.254", "169.254.170.2", "metadata.google.internal", "[fd00:ec2::254]"];
  for (const host of [...metadata, "100.100.100.200", "x.169-254-169-254.sslip.io", "a9fea9fe.nip.io"]) {
    assert.ok(isMetadataHost(host), host);
    assert.ok(!isLoopback(host), host);
  }
  for (
    const host of [
      "example.com",
      "10.0.0.1",
      "metadata.example.com",
      "10.0.0.1.nip.io",
      "254.169.254.169",
    ]
  ) {
    assert.ok(!isMetadataHost(host), host);
  }
  for (
    const host of [
      "localhost",
      "127.0.0.1",
      "127.1.2.3",
      "[::1]",
      "app.localhost",
    ]
  ) assert.ok(isLoopback(host), host);
  for (const host of ["localhost.example.com", "127.0.0.1.example.com", "128.0.0.1"]) {
    assert.ok(!isLoopback(host), host);
  }
});
