import assert from "node:assert/strict";
import fc from "fast-check";
import { unknownWord } from "../../src/words.ts";
import {
  addressesIn,
  addressOf,
  addressOfText,
  isLoopback,
  isMetadataHost,
  spellingsOf,
  standsForHosts,
} from "./addresses.ts";

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
        `[fe80::5efe:${pair(a, b)}:${pair(c, d)}%25eth0]`,
        `${dotted}..`.slice(0, -1),
        dotted.replaceAll(".", "%2e"),
        dotted.replaceAll(".", "。"),
      ];
      for (const spelling of spellings) {
        for (
          const start of ["http://", "http:/", "http:", "https:///", "HTTP:\\\\", "gopher://", "git+ssh://"]
        ) {
          assert.equal(addressOfText(`${start}${spelling}/x`)?.host, dotted, `${start}${spelling}`);
        }
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

Deno.test("alternatives in an address are written out as curl does, and never too many", () => {
  assert.deepEqual(spellingsOf("http://a{b,c}.d/[1-2]"), [
    "http://ab.d/1",
    "http://ab.d/2",
    "http://ac.d/1",
    "http://ac.d/2",
  ]);
  assert.deepEqual(spellingsOf("x[08-10]"), ["x08", "x09", "x10"]);
  assert.deepEqual(spellingsOf("x[a-c]"), ["xa", "xb", "xc"]);
  assert.deepEqual(spellingsOf("http://[::1]/"), ["http://[::1]/"]);
  assert.ok(spellingsOf("http://a/" + "{1,2,3}".repeat(500)).length <= 64);
  assert.ok(spellingsOf("[0-99999]".repeat(9)).length <= 64);
});

Deno.test("names that stand for an address", () => {
  assert.deepEqual(standsForHosts("app.10-0-0-1.nip.io"), ["10.0.0.1"]);
  assert.deepEqual(standsForHosts("7f000001.a9fea9fe.rbndr.us"), ["127.0.0.1", "169.254.169.254"]);
  assert.deepEqual(standsForHosts("fd00-ec2--254.sslip.io"), ["[fd00:ec2::254]"]);
  assert.deepEqual(standsForHosts("db.lvh.me"), ["127.0.0.1"]);
  assert.deepEqual(standsForHosts("10.0.0.1.example.com"), []);
  for (const host of ["fd00-ec2--254.sslip.io", "x.169.254.170.2.1u.ms"]) {
    assert.ok(isMetadataHost(host), host);
  }
});

Deno.test("an address without brackets, and one with a zone, are IPv6", () => {
  assert.equal(addressOfText("fd00:ec2::254")?.host, "[fd00:ec2::254]");
  assert.equal(addressOfText("fe80::1%eth0")?.host, "[fe80::1]");
  assert.equal(addressOfText("http://[fe80::1%25eth0]:80/")?.host, "[fe80::1]");
  assert.equal(addressOfText("localhost:3000")?.host, "localhost");
});
