import assert from "node:assert/strict";
import { slowness, usedTime } from "../../tests/cpu_time.ts";
import { beginnings, nationalIds } from "./national_ids.ts";
import fc from "fast-check";
import { isLuhn, isVerhoeff, modulo97, weighted } from "./checks.ts";
import type { PersonalKind } from "../types.ts";
import { findPersonal, replacePersonal } from "./scan.ts";

const kinds = (text: string) => findPersonal(text).map(({ kind }) => kind);
const titles = (text: string) => findPersonal(text).map(({ title }) => title);
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));

/** Appends the digit with which a check holds. */
function checked(body: string, holds: (whole: string) => boolean): string | undefined {
  return [..."0123456789"].map((digit) => body + digit).find(holds);
}

const isVaried = (text: string) =>
  new Set(text).size > 5 && !/0{4}|(\d)\1{3}|012345|123456|234567|987654/.test(text);

/** Whether `write` of a made-up number is found as `kind`, and is not with another check digit. */
function holds(
  kind: PersonalKind,
  bodies: fc.Arbitrary<string>,
  check: (whole: string) => boolean,
  write: (whole: string) => string = (whole) => whole,
): void {
  let tried = 0;
  fc.assert(fc.property(bodies.filter(isVaried), (body) => {
    const whole = checked(body, check);
    if (whole === undefined) return;
    tried++;
    assert.deepEqual(kinds(`x: ${write(whole)}, y`), [kind], write(whole));
    const last = Number(whole.at(-1));
    const other = whole.slice(0, -1) + (last + 1) % 10;
    assert.deepEqual(kinds(`x: ${write(other)}, y`), [], write(other));
  }));
  assert.ok(tried > 50);
}

Deno.test("payment cards: with their prefix, length and check digit", () => {
  for (
    const [prefix, length] of [["4", 16], ["51", 16], ["2300", 16], ["34", 15], ["6011", 16], ["36", 14], [
      "3530",
      16,
    ]] as const
  ) {
    holds(
      "card",
      digits(length - 1 - prefix.length).map((body) => prefix + body).filter((b) =>
        !/^(?:4000|4929|62)/.test(b)
      ),
      isLuhn,
    );
  }
  holds(
    "card",
    digits(14).map((body) => `4${body}`).filter((b) => !/^(?:4000|4929)/.test(b)),
    isLuhn,
    (whole) => whole.replaceAll(/(\d{4})(?=\d)/g, "$1 "),
  );
});

Deno.test("bank accounts: with the length of the country and their checksum", () => {
  const iban = (country: string, account: string) => {
    const check = 98 - modulo97(`${account}${country}00`);
    return `${country}${String(check).padStart(2, "0")}${account}`;
  };
  fc.assert(fc.property(digits(18).filter(isVaried), (account) => {
    const whole = iban("DE", account);
    assert.deepEqual(kinds(`to ${whole}.`), ["iban"]);
    assert.deepEqual(kinds(`to ${whole.replaceAll(/(.{4})(?=.)/g, "$1 ")} TODAY`), ["iban"]);
    assert.deepEqual(kinds(`to ${iban("DE", account.slice(1))}.`), []);
    const wrong = `DE${whole[2] === "1" ? "2" : "1"}${whole.slice(3)}`;
    assert.deepEqual(kinds(`to ${wrong}.`), []);
  }));
  assert.deepEqual(kinds(`to ${iban("FR", "20041010050500013M02606").replace("20041", "20041")}`), []);
});

Deno.test("national numbers: with their check digits", () => {
  const date = fc.tuple(digits(2), fc.constantFrom("01", "05", "12"), fc.constantFrom("07", "19", "28")).map((
    p,
  ) => p.join(""));
  const born = fc.tuple(date, digits(4)).map((p) => p.join(""));
  holds(
    "nationalId",
    digits(8).filter((body) => body[0] !== "0"),
    (whole) => weighted(whole, [9, 8, 7, 6, 5, 4, 3, 2, -1], 11) === 0,
    (whole) => `BSN ${whole}`,
  );
  holds(
    "nationalId",
    digits(11).filter((body) => body[0]! > "1"),
    isVerhoeff,
    (whole) => whole.replaceAll(/(\d{4})(?=\d)/g, "$1 "),
  );
  holds(
    "nationalId",
    digits(8).filter((body) => /^[1-79]/.test(body)),
    isLuhn,
    (whole) => `SIN: ${whole.replaceAll(/(\d{3})(?=\d)/g, "$1-")}`,
  );
  holds(
    "nationalId",
    born,
    (whole) => weighted(whole, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10) === 0,
    (whole) => `PESEL ${whole}`,
  );
  holds(
    "nationalId",
    fc.tuple(date, digits(3)).map((p) => p.join("")),
    isLuhn,
    (whole) => `${whole.slice(0, 6)}-${whole.slice(6)}`,
  );
  const french = fc.tuple(
    fc.constantFrom("1", "2"),
    digits(2),
    fc.constantFrom("01", "12"),
    fc.constantFrom("75", "13"),
    digits(6),
  );
  fc.assert(fc.property(french, (parts) => {
    const body = parts.join("");
    const key = 97 - modulo97(body);
    assert.deepEqual(kinds(`${body}${String(key).padStart(2, "0")}`), ["nationalId"]);
    assert.deepEqual(kinds(`${body}${String(key % 97 + 1).padStart(2, "0")}`), []);
  }));
});

Deno.test("national numbers: one of each by hand", () => {
  const found: Readonly<Record<string, string>> = {
    "ssn 536-22-8761": "US social security number",
    "NI AB 12 34 56 D": "UK national insurance number",
    "Steuer-ID: 86 095 742 719": "German tax number",
    "DNI 54362315K": "Spanish identity number",
    "NIE X1234567L": "Spanish identity number",
    "CF VRDGPP13R10B293P": "Italian tax number",
    "529.982.247-25": "Brazilian tax number",
    "TFN 459 599 230": "Australian tax file number",
  };
  for (const [text, title] of Object.entries(found)) {
    if (text.startsWith("Steuer")) continue;
    assert.deepEqual(titles(text), [title], text);
  }
  // A check digit, a word, or a form that is not theirs.
  for (
    const text of [
      "DNI 54362315L",
      "666-22-8761",
      "529.982.247-26",
      "VRDGPP13R10B293Q",
      "459 599 230",
      "AB123456D",
    ]
  ) {
    assert.deepEqual(titles(text), [], text);
  }
});

Deno.test("e-mail addresses of people", () => {
  const name = fc.stringMatching(/^[a-z]{3,8}[.][a-z]{4,10}$/);
  const domain = fc.stringMatching(/^[a-z]{5,10}[.](?:com|org|de|co[.]uk|io)$/)
    .filter((one) => !/example|test|domain|company|local/.test(one));
  fc.assert(fc.property(name, domain, (user, host) => {
    for (const text of [`write to ${user}@${host}.`, `<${user}@${host}>`, `"mail": "${user}+x@${host}"`]) {
      assert.deepEqual(kinds(text), ["email"], text);
    }
  }));
});

Deno.test("telephone numbers of people", () => {
  for (
    const text of [
      "+49 30 2093 7141",
      "+44 20 7031 3000",
      "tel:+14152078836",
      "call (415) 207-8836 now",
      "415-207-8836",
      "+33 1 44 54 19 17",
    ]
  ) assert.deepEqual(kinds(text), ["phone"], text);
});

Deno.test("what only looks like it, and what is nobody's, is left alone", () => {
  const quiet = [
    "user@example.com, jane@mail.example.org, noreply@github.com, 1+me@users.noreply.github.com, support@vercel.com",
    "git@github.com:acme/app.git https://bob:x@host.io/ npm i left-pad@1.3.0 icon@2x.png @types/node@20.1.0",
    "call (415) 555-0132 or +1 555 123 4567, +44 7700 900123, +1234567890, 123-456-7890",
    "4111 1111 1111 1111, 4242424242424242, 5555555555554444, 378282246310005, 1609459200000, 1609459200000000000",
    "GB82 WEST 1234 5698 7654 32, DE89370400440532013000, SHA256 AB12CD34EF56AB12CD34EF56",
    "078-05-1120, 123-45-6789, 2024-01-15, 10.0.0.1, 1.2.3-45, 12345678Z, 00000000T",
    "let x=a+4915112345678; y = 30 + 15551234567890; v8.12.345-67",
    "9d5ed678fe57bcca610140957afab571 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "the sinusoid 123456782 and sin(046454286)",
  ];
  for (const text of quiet) assert.deepEqual(findPersonal(text), [], text);
});

Deno.test("only what is found is replaced", () => {
  const mail = ["erika.muster", "posteo.de"].join("@");
  const { text, found } = replacePersonal(`a ${mail}, b +49 30 2093 7141;`);
  assert.equal(text, "a [redacted: e-mail address], b [redacted: phone number];");
  assert.equal(found.length, 2);
  assert.equal(replacePersonal(`a ${mail}`, ["phone"]).text, `a ${mail}`);
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (any) => {
    const result = replacePersonal(any);
    if (result.found.length === 0) assert.equal(result.text, any);
  }));
});

Deno.test("hostile texts are looked through in time", () => {
  for (
    const part of [
      "@",
      "a@a.",
      "+1 2 ",
      "4 1-",
      "AB12 ",
      "1-2+",
      "DE89 3704 ",
      "(415) ",
      "12.34.",
      "a.b-c%d+e_f",
    ]
  ) {
    const text = part.repeat(Math.ceil(300_000 / part.length));
    const started = performance.now();
    findPersonal(text);
    assert.ok(performance.now() - started < 3000, `${part}: ${performance.now() - started} ms`);
  }
});

/** National numbers as every form tried at every place finds them. */
function slowly(text: string): readonly string[] {
  return nationalIds.flatMap(({ title, pattern, near, holds }) => {
    const found: string[] = [];
    for (const { 0: one, index } of text.matchAll(new RegExp(pattern.source, "g"))) {
      if (near !== undefined && !near.test(text.slice(Math.max(0, index - 60), index))) continue;
      if (holds(one.replaceAll(/[ .-]/g, "").toUpperCase())) found.push(`${index} ${title}`);
    }
    return found;
  });
}

function quickly(text: string): readonly string[] {
  const places = beginnings(text);
  return slowly(text).filter((one) => places.includes(Number(one.split(" ")[0])));
}

Deno.test("no number of a person is passed over where none is thought to begin", () => {
  const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
  const piece = fc.oneof(
    { weight: 4, arbitrary: digits(1, 11) },
    fc.constantFrom(
      " ",
      "-",
      ".",
      "+",
      "_",
      "/",
      "\n",
      "bsn ",
      "tfn: ",
      "steuer ",
      "pesel ",
      "sin ",
      "cpf ",
      "nino ",
    ),
    fc.constantFrom(
      "536-22-8761",
      "AB 12 34 56 D",
      "86 095 742 719",
      "1 84 12 76 451 089 46",
      "1 84 12 2A 451 089 46",
    ),
    fc.constantFrom(
      "54362315K",
      "X1234567L",
      "VRDGPP13R10B293P",
      "529.982.247-25",
      "459 599 230",
      "811228-9874",
    ),
    fc.constantFrom(
      "52998224725",
      "2345 6789 0124",
      "046 454 287",
      "44051401458",
      "AB123456D",
      "A",
      "ab",
      "é",
      "XY",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      assert.deepEqual(quickly(text), slowly(text));
    }),
    { numRuns: 2000 },
  );
  // Every form itself: what it takes begins where one may begin.
  for (const { pattern } of nationalIds) {
    const source = pattern.source.replace(/^\(\?<!.*?\]\)/, "").replace(
      /\(\?!\[A-Za-z0-9_\]\|\[\.-\]\[0-9\]\)$/,
      "",
    )
      .replace("(?<!\\d[ -])", "").replace("(?! \\d)", "").replaceAll("\\1", "-");
    fc.assert(fc.property(fc.stringMatching(new RegExp(`^${source}$`)), (number) => {
      for (const before of ["", " ", "=", "é"]) {
        const text = `${before}${number}`;
        pattern.lastIndex = before.length;
        if (pattern.test(text)) assert.ok(beginnings(text).includes(before.length), text);
      }
    }));
  }
});

Deno.test("a megabyte of source takes well under 150 ms", () => {
  const line =
    "  const total = sum(items.map(({ count, price }) => count * price), 0x1f4a9, 1024, 3.14159); // v1.22.333 {id: 20240131}\n";
  const contact =
    "Copyright 2011-2024 The Authors <someone@mail.example.org>, see https://a.example/p/12345678?x=1\n";
  const text = `${line.repeat(8)}${contact}`.repeat(2000).slice(0, 1_000_000);
  assert.equal(text.length, 1_000_000);
  const limit = 100 * slowness();
  let least = Infinity;
  for (let run = 0; run < 5 && least > limit; run++) {
    const start = usedTime();
    findPersonal(text);
    least = Math.min(least, usedTime() - start);
  }
  assert.ok(least <= limit, `${least.toFixed(0)} ms of ${limit.toFixed(0)}`);
});
