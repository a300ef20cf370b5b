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
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text.replace(/^\/\//, "")}`;
  let url: URL;
  try {
    // The parser of the web platform normalises decimal, octal, hexadecimal and short addresses, full-width
    // digits and user parts. It does so for its own schemes only.
    url = new URL(
      full.replace(/^(?:ftps?|tftp|sftp|scp|gopher|dict|telnet|ldaps?|socks\w*|tcp):\/\//i, "http://"),
    );
  } catch {
    return undefined;
  }
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(full)?.[1]?.toLowerCase() ?? url.protocol;
  const host = hostOf(url.hostname);
  return { scheme, host: host.includes(unknownPart) ? undefined : host, path: url.pathname + url.search };
}

/** One spelling for a host as the URL parser gives it. */
function hostOf(name: string): string {
  const host = name.toLowerCase().replace(/\.$/, "");
  if (!host.startsWith("[")) return host;
  const groups = ipv6Groups(host.slice(1, -1));
  return (groups && embeddedIpv4(groups)) ?? host;
}

function ipv6Groups(text: string): number[] | undefined {
  const [head = "", tail] = text.split("::");
  const parse = (part: string) => part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const first = parse(head);
  const last = tail === undefined ? [] : parse(tail);
  const groups = tail === undefined
    ? first
    : [...first, ...Array(8 - first.length - last.length).fill(0), ...last];
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}

/** IPv4 inside IPv6: mapped, compatible, translated (64:ff9b::), 6to4 (2002::). */
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
  return undefined;
}

/** The developer's own machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host.endsWith(".localdomain") ||
    /^127\.\d+\.\d+\.\d+$/.test(host) || host === "0.0.0.0" || host === "[::1]" || host === "[::]" ||
    host === "::1" || host === "host.docker.internal";
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
  const wildcard = /^(.*)\.(?:nip\.io|sslip\.io|xip\.io|nip\.direct|localtest\.me|traefik\.me)$/.exec(host)
    ?.[1];
  return wildcard !== undefined && isMetadataLabel(wildcard);
}

/** Link-local addresses: 169.254.169.254, 169.254.170.2 and their neighbours. */
function isLinkLocal(host: string): boolean {
  return /^169\.254\.\d+\.\d+$/.test(host);
}

/** The address that names such as `app.169-254-169-254.nip.io` and `a9fea9fe.nip.io` stand for. */
function isMetadataLabel(name: string): boolean {
  const dotted = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})$/.exec(name);
  if (dotted !== null) return isMetadataHost(dotted.slice(1, 5).join("."));
  const hex = /(?:^|[.-])([0-9a-f]{8})$/.exec(name)?.[1];
  if (hex === undefined) return false;
  return isMetadataHost([0, 2, 4, 6].map((at) => parseInt(hex.slice(at, at + 2), 16)).join("."));
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
