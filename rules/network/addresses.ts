/** Hosts in URLs: in every spelling that a client accepts. */

import type { Word } from "../../src/shell/model.ts";

/** Stands for an unknown part of a URL; no real host holds it. */
const unknownPart = "guardunknownpart";

export interface Address {
  /** `http:`, `https:`, … */
  readonly scheme: string;
  /**
   * Lower case; IPv4 in dotted decimal whatever its spelling, IPv6 with IPv4 inside as that IPv4. Undefined
   * when a part of it is not known.
   */
  readonly host: string | undefined;
  readonly path: string;
  /** What stands before the `@`, without a password; empty when nothing does. */
  readonly user: string;
}

const read = new WeakMap<Word, { readonly address: Address | undefined }>();

/** Reads a URL as a client does; a text without a scheme counts as http. Undefined when it is no URL. */
export function addressOf(word: Word): Address | undefined {
  let known = read.get(word);
  if (known === undefined) {
    const text = word.pieces.map((piece) => piece.kind === "unknown" ? unknownPart : piece.text).join("");
    read.set(word, known = { address: addressOfText(text) });
  }
  return known.address;
}

/** The same for text. */
export function addressOfText(written: string): Address | undefined {
  const text = written.trim();
  if (text === "" || text.length > 8192) return undefined;
  // Clients also take one slash, three of them, or none after the schemes of the web.
  const scheme = /^[a-z][a-z0-9+.-]*:(?=[\\/]{2})|^(?:https?|ftps?|wss?):/i.exec(text)?.[0]
    ?.toLowerCase();
  if (scheme === "file:") return { scheme, host: "", path: text.slice(scheme.length), user: "" };
  const rest = scheme === undefined ? text : text.slice(scheme.length);
  // A zone names an interface of this machine.
  const bare = /^[0-9a-f:.]*:[0-9a-f.]*:[0-9a-f:.]*(?:%\w+)?$/i.test(rest) ? `[${rest}]` : rest;
  const plain = bare.replace(/^[\\/]*/, "").replace(/^(\[[0-9a-f:.]*)%[^\]/]*\]/i, "$1]");
  let url: URL;
  try {
    // The parser of the web platform normalises decimal, octal, hexadecimal and short addresses, full-width
    // digits, encoded characters and user parts. It does so for its own schemes only.
    url = new URL(`http://${plain}`);
  } catch {
    return undefined;
  }
  const host = hostOf(url.hostname);
  return {
    scheme: scheme ?? "http:",
    host: host.includes(unknownPart) ? undefined : host,
    path: url.pathname + url.search,
    user: url.username,
  };
}

/** Most spellings of one address that are written out. */
const mostSpellings = 64;

/** A text with the alternatives in it written out as curl does: `{a,b}` and `[1-3]`. */
export function spellingsOf(written: string): readonly string[] {
  if (written.length > 8192 || !/[{[]/.test(written)) return [written];
  let done = [""];
  let at = 0;
  for (const match of written.matchAll(/\{([^{}]*)\}|\[(\d{1,5}|[a-z])-(\d{1,5}|[a-z])(?::\d{1,5})?\]/gi)) {
    const [whole, list, first, last] = match;
    const choices = list !== undefined ? list.split(",") : counted(first!, last!);
    if (done.length * choices.length > mostSpellings) break;
    const between = written.slice(at, match.index);
    done = done.flatMap((start) => choices.map((choice) => start + between + choice));
    at = match.index + whole.length;
  }
  return done.map((start) => start + written.slice(at));
}

function counted(first: string, last: string): readonly string[] {
  const digits = /^\d/.test(first);
  const value = (text: string) => digits ? Number(text) : text.charCodeAt(0);
  const length = Math.min(Math.max(value(last) - value(first) + 1, 1), mostSpellings);
  return Array.from({ length }, (_, index) => {
    const number = value(first) + index;
    return digits ? String(number).padStart(first.length, "0") : String.fromCharCode(number);
  });
}

/** The addresses that a client may take a word for: curl writes out alternatives in it. */
export function addressesOfWord(word: Word): readonly Address[] {
  if (word.isStatic && /[{[]/.test(word.text)) {
    return spellingsOf(word.text).flatMap((text) => addressOfText(text) ?? []);
  }
  const whole = addressOf(word);
  return whole === undefined ? [] : [whole];
}

/** One spelling for a host as the URL parser gives it. */
function hostOf(name: string): string {
  const host = name.toLowerCase().replace(/\.+$/, "");
  if (!host.startsWith("[")) return host;
  const groups = ipv6Groups(host.slice(1, -1));
  return (groups && embeddedIpv4(groups)) ?? host;
}

/** The eight groups of an IPv6 address without brackets; undefined for anything else. */
export function ipv6Groups(text: string): number[] | undefined {
  const [head = "", tail] = text.split("::");
  const parse = (part: string) => part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const first = parse(head);
  const last = tail === undefined ? [] : parse(tail);
  const groups = tail === undefined
    ? first
    : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}

/** IPv4 inside IPv6: mapped, compatible, translated (64:ff9b::), 6to4 (2002::), ISATAP. */
function embeddedIpv4(groups: readonly number[]): string | undefined {
  const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const leading = groups.slice(0, 5).every((group) => group === 0);
  if (leading && (groups[5] === 0xffff || (groups[5] === 0 && groups[6] !== 0))) {
    return dotted(groups[6], groups[7]);
  }
  if (groups.slice(0, 4).every((group) => group === 0) && groups[4] === 0xffff && groups[5] === 0) {
    return dotted(groups[6], groups[7]);
  }
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return dotted(groups[6], groups[7]);
  if (groups[0] === 0x2002) return dotted(groups[1], groups[2]);
  // ISATAP.
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe) return dotted(groups[6], groups[7]);
  return undefined;
}

/** The developer's own machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host.endsWith(".localdomain") ||
    /^127\.\d+\.\d+\.\d+$/.test(host) || host === "0.0.0.0" || host === "[::1]" || host === "[::]" ||
    host === "::1" || host === "host.docker.internal" || host === "gateway.docker.internal" ||
    host === "host.containers.internal";
}

const metadataNames = new Set([
  "metadata.google.internal",
  "metadata.goog",
  "metadata",
  "metadata.azure.internal",
  "metadata.azure.com",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
  "instance-data",
  "instance-data.ec2.internal",
  "rancher-metadata",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
]);

/** Services that hand out a machine's credentials to whoever asks from inside. */
export function isMetadataHost(host: string): boolean {
  if (metadataNames.has(host) || isLinkLocal(host)) return true;
  // fd00:ec2::254 and fd00:ec2::23, fd20:ce::254.
  if (/^\[fd00:ec2::(?:254|23)\]$|^\[fd20:ce::254\]$/.test(host)) return true;
  return standsForHosts(host).some((one) => metadataNames.has(one) || isMetadataHost(one));
}

/** Link-local addresses: 169.254.169.254, 169.254.170.2 and their neighbours. */
function isLinkLocal(host: string): boolean {
  return /^169\.254\.\d+\.\d+$/.test(host);
}

/** Name servers that answer with the address that is written in the name. */
const wildcardName =
  /^(.*)\.(?:nip\.io|sslip\.io|xip\.io|nip\.direct|traefik\.me|1u\.ms|rbndr\.us|backname\.io|ip\.addr\.tools)$/;

/**
 * The addresses that names such as `app.169-254-169-254.nip.io`, `a9fea9fe.nip.io` and `fd00-ec2--254.sslip.io` stand
 * for; empty for other names.
 */
export function standsForHosts(host: string): readonly string[] {
  if (host.length > 253) return [];
  const name = wildcardName.exec(host)?.[1];
  if (name === undefined) {
    return /(?:^|\.)(?:localtest\.me|lvh\.me|vcap\.me)$/.test(host) ? ["127.0.0.1"] : [];
  }
  const found: string[] = [];
  for (
    const [, a, b, c, d] of name.matchAll(/(?<!\d)(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d)/g)
  ) {
    found.push(addressOfText(`${Number(a)}.${Number(b)}.${Number(c)}.${Number(d)}`)?.host ?? "");
  }
  for (const [hex] of name.matchAll(/(?<![0-9a-f])[0-9a-f]{8}(?![0-9a-f])/g)) {
    found.push([0, 2, 4, 6].map((at) => parseInt(hex.slice(at, at + 2), 16)).join("."));
  }
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (/^[0-9a-f-]*--?[0-9a-f-]*$/.test(last)) {
    found.push(addressOfText(`[${last.replaceAll("-", ":")}]`)?.host ?? "");
  }
  return found.filter((one) => one !== "");
}

/** URLs in a piece of program text or other data, at most a hundred. */
export function addressesIn(text: string): readonly Address[] {
  const found: Address[] = [];
  for (const match of text.slice(0, 65_536).matchAll(/[a-z][a-z0-9+]{1,9}:\/\/[^\s"'`<>\\)]{1,2000}/gi)) {
    const address = addressOfText(match[0]);
    if (address !== undefined) found.push(address);
    if (found.length >= 100) break;
  }
  return found;
}
