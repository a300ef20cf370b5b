/** Finds what is about people: addresses and numbers by which they are reached, pay, and are known to states. */

import { isLuhn, modulo97 } from "./checks.ts";
import type { PersonalKind } from "../types.ts";
import { beginnings, nationalIds } from "./national_ids.ts";

/** What a policy can speak of. */
export const personalKinds: readonly PersonalKind[] = ["email", "phone", "card", "iban", "nationalId"];

/** One of them in a text. */
export interface PersonalMatch {
  readonly kind: PersonalKind;
  /** What people call it, without an article. */
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

type Find = (text: string, add: (start: number, end: number, title: string) => void) => void;

/** Domains for documents (RFC 2606, RFC 6761) and of places that are nobody's. */
const nobodysDomain =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.[a-z]{2,6}(?:\.[a-z]{2})?$|^(?:acme|domain|email|mail|company|foo|bar|site|host|server|corp|yourdomain|mydomain|somewhere|test)\.[a-z]{2,6}$|(?:^|\.)noreply\.github\.com$/i;
/** Addresses of roles and of nobody, and what is written in examples. */
const nobodysName =
  /^(?:no-?reply|do-?not-?reply|git|root|admin|administrator|postmaster|webmaster|hostmaster|abuse|security|support|help|info|contact|hello|hi|sales|team|office|press|jobs|careers|billing|legal|privacy|opensource|oss|bugs?|feedback|newsletter|mailer-daemon|user(?:name)?|me|you|your[._-]?(?:name|email)?|name|email|mail|someone|somebody|foo|bar|baz|test(?:er|ing)?|example|demo|sample|alice|bob|jane\.?doe|john\.?doe|joe|jdoe|first\.?last|x+|a|b|c)$/i;
/** What follows the sign in names of files and versions. */
const noTop =
  /\.(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|tsx|jsx|css|scss|json|md|html?|xml|ya?ml|map|py|rb|go|rs|java|sh|txt|zip|tgz)$/i;

const findEmails: Find = (text, add) => {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const name = /[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}$/.exec(text.slice(Math.max(0, at - 64), at))?.[0];
    if (name === undefined) continue;
    const domain = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9_@-])/
      .exec(
        text.slice(at + 1, at + 256),
      )?.[0];
    if (domain === undefined || nobodysDomain.test(domain) || nobodysName.test(name) || noTop.test(domain)) {
      continue;
    }
    const end = at + 1 + domain.length;
    const before = text[at - name.length - 1] ?? "";
    // A user in an address, a place of ssh, a scope of a package.
    if (/[/:@]/.test(before) && text.slice(Math.max(0, at - 300), at).includes("://")) continue;
    if (text[end] === ":" && /[A-Za-z0-9~/]/.test(text[end + 1] ?? "")) continue;
    add(at - name.length, end, "e-mail address");
  }
};

/** Calling codes (ITU-T E.164), by how many digits they have. */
const callingCode =
  /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|21[1-368]|2[2-6]\d|29[0-9]|35\d|37\d|38\d|42[0-3]|50\d|59\d|67\d|68\d|69[0-2]|85[0-6]|88[0-6]|96\d|97\d|99[2-68])/;

/** Numbers that are kept for stories and documents. */
function isFictional(digits: string): boolean {
  return /^1?\d{3}555/.test(digits) || /^1?555/.test(digits) ||
    /^44(?:7700900|1632960|2079460|1\d1496)/.test(digits) ||
    /^61(?:491570|255501|3701|7?5550)/.test(digits) ||
    /^33(?:19900|26191|35301|46571|53649|63998)/.test(digits) ||
    /^49(?:15[0-9]{0,2}0{4}|3023125|69900090|4066969|2214710|8999998)/.test(digits) ||
    /012345|123456|234567|987654|(\d)\1{5}|(\d\d)\2{3}/.test(digits) || new Set(digits).size < 4;
}

const findPhones: Find = (text, add) => {
  for (
    const { 0: found, index } of text.matchAll(
      /(?<![A-Za-z0-9+.\/_-])\+[1-9][0-9](?:[ ().-]{0,2}[0-9]){6,13}(?![0-9A-Za-z_]|[.,-][0-9])/g,
    )
  ) {
    const digits = found.replaceAll(/[^0-9]/g, "");
    if (digits.length > 15 || !callingCode.test(digits) || isFictional(digits)) continue;
    if (digits.startsWith("1") && !/^1[2-9]\d\d[2-9]\d{6}$/.test(digits)) continue;
    // Bare digits behind a plus sign are a sum, unless they stand alone.
    const bare = found.length === digits.length + 1;
    if (bare && (digits.length < 10 || !/["'\s:(]/.test(text[index - 1] ?? " "))) continue;
    add(index, index + found.length, "phone number");
  }
  for (
    const { 0: found, index } of text.matchAll(
      /(?<![A-Za-z0-9._+\/=-])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-.]\d{4}(?![A-Za-z0-9_]|[.-][0-9])/g,
    )
  ) {
    const digits = found.replaceAll(/[^0-9]/g, "");
    // The same separator twice, as people write it.
    if (!found.startsWith("(") && found[3] !== found[7]) continue;
    if (!isFictional(digits)) add(index, index + found.length, "phone number");
  }
};

/** Ranges of issuers (ISO/IEC 7812) with the lengths of their numbers. */
const issuers: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9])/, [16, 19]],
  [/^(?:30[0-5]|36|38|39)/, [14]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
];

/** Numbers that issuers and payment services give out for tests. */
const testCards =
  /^(?:4111111111111111|4242424242424242|4012888888881881|4000\d{12}|4222222222222|4532015112830366|4539578763621486|4929\d{0,2}0{4}\d+|5555555555554444|5105105105105100|5200828282828210|5454545454545454|2223003122003222|2223000048400011|2221000000000009|378282246310005|371449635398431|378734493671000|374245455400126|6011111111111117|6011000990139424|6011000400000000|6011981111111113|3056930009020004|30569309025904|38520000023237|36227206271667|3530111333300000|3566002020360505|6200000000000005|62000000000000\d\d|6205500000000000004|4917610000000000|4462030000000000|5425233430109903|4263982640269299|4916338506082832|5280934283171080)$/;

const findCards: Find = (text, add) => {
  for (
    const { 0: found, index } of text.matchAll(
      /(?<![A-Za-z0-9._+\/#=-])[2-6](?:[ -]?[0-9]){12,18}(?![A-Za-z0-9_]|[.-][0-9])/g,
    )
  ) {
    const separators = new Set(found.replaceAll(/[0-9]/g, ""));
    // In groups of at least four, as on a card, or in one.
    if (
      separators.size > 1 ||
      (separators.size === 1 && !/^\d{4}(.)\d{4,6}\1\d{4,5}(?:\1\d{1,7})?$/.test(found))
    ) continue;
    const digits = found.replaceAll(/[^0-9]/g, "");
    const known = issuers.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits));
    if (!known || !isLuhn(digits) || testCards.test(digits)) continue;
    if (new Set(digits).size < 5 || /0{6}|(\d)\1{5}/.test(digits)) continue;
    add(index, index + found.length, "payment card number");
  }
};

/** Lengths by country (ISO 13616). */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  ("AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 " +
    "GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 " +
    "MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 " +
    "VA22 VG24 XK20").split(" ").map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

/** From the registry of the standard and from documents of banks. */
const exampleIbans =
  /^(?:DE89370400440532013000|DE91100000000123456789|DE02120300000000202051|DE75512108001245126199|GB82WEST12345698765432|GB29NWBK60161331926819|GB33BUKB20201555555555|FR1420041010050500013M02606|FR7630006000011234567890189|NL91ABNA0417164300|ES9121000418450200051332|ES7921000813610123456789|IT60X0542811101000000123456|BE68539007547034|BE71096123456769|CH9300762011623852957|CH5604835012345678009|AT611904300234573201|AT483200000012345864|PT50000201231234567890154|SE4550000000058398257466|NO9386011117947|DK5000400440116243|FI2112345600000785|PL61109010140000071219812874|IE29AIBK93115212345678|IE64IRCE92050112345678|LU280019400644750000|GR1601101250000000012300695|CZ6508000000192000145399|HU42117730161111101800000000)$/;

const findIbans: Find = (text, add) => {
  for (const { 0: found, index } of text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}/g)) {
    const length = ibanLengths[found.slice(0, 2)];
    if (length === undefined) continue;
    // What follows in capitals may be another word.
    let end = 0;
    let compact = "";
    while (end < found.length && compact.length < length) {
      if (found[end] !== " ") compact += found[end];
      end++;
    }
    if (compact.length < length || /[A-Za-z0-9]/.test(text[index + end] ?? "")) continue;
    if (exampleIbans.test(compact) || modulo97(compact.slice(4) + compact.slice(0, 4)) !== 1) continue;
    add(index, index + end, "bank account number (IBAN)");
  }
};

/** Characters before a number in which the word that names it has to stand. */
const reach = 60;

const findNationalIds: Find = (text, add) => {
  const places = beginnings(text);
  if (places.length === 0) return;
  for (const { title, pattern, near, holds } of nationalIds) {
    if (near !== undefined && !near.test(text)) continue;
    let end = 0;
    for (const index of places) {
      if (index < end) continue;
      pattern.lastIndex = index;
      const found = pattern.exec(text)?.[0];
      if (found === undefined) continue;
      end = index + found.length;
      if (near !== undefined && !near.test(text.slice(Math.max(0, index - reach), index))) continue;
      if (holds(found.replaceAll(/[ .-]/g, "").toUpperCase())) add(index, index + found.length, title);
    }
  }
};

const finders: Readonly<Record<PersonalKind, Find>> = {
  email: findEmails,
  phone: findPhones,
  card: findCards,
  iban: findIbans,
  nationalId: findNationalIds,
};

/** What is about people in a text, of these kinds, in its order; none overlaps another. Linear in the text. */
export function findPersonal(
  text: string,
  kinds: readonly PersonalKind[] = personalKinds,
): readonly PersonalMatch[] {
  const found: PersonalMatch[] = [];
  for (const kind of kinds) {
    finders[kind](text, (start, end, title) => void found.push({ kind, title, start, end }));
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let taken = 0;
  return found.filter(({ start, end }) => {
    if (start < taken) return false;
    taken = end;
    return true;
  });
}

/** A text without what is about people, and what that was. */
export interface Anonymous {
  readonly text: string;
  readonly found: readonly PersonalMatch[];
}

/** Puts a mark in the place of each; all else is unchanged, character by character. */
export function replacePersonal(text: string, kinds?: readonly PersonalKind[]): Anonymous {
  const found = findPersonal(text, kinds);
  let out = "";
  let from = 0;
  for (const { title, start, end } of found) {
    out += `${text.slice(from, start)}[redacted: ${title}]`;
    from = end;
  }
  return { text: out + text.slice(from), found };
}
