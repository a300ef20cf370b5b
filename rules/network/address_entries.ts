/** Entries of a policy about hosts: names, suffixes, addresses and ranges of them. */

import { addressOfText, ipv6Groups, isLoopback, standsForHosts } from "./addresses.ts";

/** What an entry stands for. */
export type Entry =
  | { readonly kind: "all" }
  | { readonly kind: "name"; readonly name: string }
  /** What is below this name, which begins with a dot. */
  | { readonly kind: "suffix"; readonly suffix: string }
  | Range;

interface Range {
  readonly kind: "range";
  /** Four of IPv4, sixteen of IPv6. */
  readonly bytes: readonly number[];
  readonly bits: number;
}

const parsed = new Map<string, Entry | undefined>();

/** Undefined for a text that is no entry. Remembers what it has read. */
export function parseEntry(text: string): Entry | undefined {
  if (parsed.has(text)) return parsed.get(text);
  const entry = readEntry(text.trim());
  if (parsed.size < 4000) parsed.set(text, entry);
  return entry;
}

function readEntry(text: string): Entry | undefined {
  if (text === "*") return { kind: "all" };
  if (text === "" || text.length > 260 || /[\s@?#\\%]/.test(text)) return undefined;
  const [base = "", bits, ...more] = text.split("/");
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined;
  if (base.startsWith("*.")) {
    const host = nameOf(base.slice(2));
    return bits === undefined && host !== undefined && bytesOf(host) === undefined
      ? { kind: "suffix", suffix: `.${host}` }
      : undefined;
  }
  const host = nameOf(base);
  if (host === undefined) return undefined;
  const bytes = bytesOf(host);
  if (bytes === undefined) return bits === undefined ? { kind: "name", name: host } : undefined;
  const width = bytes.length * 8;
  if (bits === undefined) return { kind: "range", bytes, bits: width };
  // `::ffff:10.0.0.0/104` is a range of IPv4.
  const given = Number(bits) - (base.includes(":") && width === 32 ? 96 : 0);
  return given < 0 || given > width ? undefined : { kind: "range", bytes, bits: given };
}

/** A host as addresses have it; undefined for what holds more than a host. */
function nameOf(text: string): string | undefined {
  if (text === "" || text.includes("*")) return undefined;
  const plain = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (plain.includes(":")) {
    return /^[0-9a-f:.]+$/i.test(plain) ? addressOfText(`[${plain}]`)?.host : undefined;
  }
  return addressOfText(plain)?.host;
}

/** The bytes of a host that is an IP address. */
export function bytesOf(host: string): readonly number[] | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    const bytes = host.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? bytes : undefined;
  }
  if (!host.startsWith("[")) return undefined;
  return ipv6Groups(host.slice(1, -1))?.flatMap((group) => [group >> 8, group & 255]);
}

function isIn(bytes: readonly number[], range: Range): boolean {
  if (bytes.length !== range.bytes.length) return false;
  for (let at = 0, left = range.bits; left > 0; at++, left -= 8) {
    const shift = Math.max(8 - left, 0);
    if ((bytes[at]! ^ range.bytes[at]!) >> shift !== 0) return false;
  }
  return true;
}

/** Whether an entry is about a host, `*` aside; names that stand for an address are not looked into. */
export function concerns(entry: Entry | undefined, host: string): boolean {
  switch (entry?.kind) {
    case "name":
      return host === entry.name;
    case "suffix":
      return host.endsWith(entry.suffix);
    case "range": {
      const bytes = bytesOf(host);
      return bytes !== undefined && isIn(bytes, entry);
    }
    default:
      return false;
  }
}

/** Whether some entry is about a host, or about an address for which its name stands. */
export function isDenied(entries: readonly string[], host: string): boolean {
  const all = [host, ...standsForHosts(host)];
  return entries.some((text) => all.some((one) => concerns(parseEntry(text), one)));
}

/** Whether the host itself, or everything for which its name stands, is meant by an entry. */
export function isAllowed(entries: readonly string[], host: string): boolean {
  const meant = (one: string) => entries.some((text) => concerns(parseEntry(text), one));
  if (meant(host)) return true;
  const stands = standsForHosts(host);
  return stands.length > 0 && stands.every(meant);
}

/** Ranges that no network routes between organisations. */
const privateRanges = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  // Shared by the customers of a provider.
  "100.64.0.0/10",
  // Link-local.
  "169.254.0.0/16",
  "fe80::/10",
  "fc00::/7",
  // Site-local of former times.
  "fec0::/10",
];

/** Names that only a network of one's own answers. */
const privateNames = /\.(?:internal|local|lan|intranet|corp|home|private|localnet|home\.arpa)$/;

/** True for addresses and names of private networks; this machine's own are none. */
export function isPrivate(host: string): boolean {
  return [host, ...standsForHosts(host)].some((one) => {
    if (isThisMachine(one)) return false;
    if (bytesOf(one) !== undefined) return isDenied(privateRanges, one);
    // The public name service knows no name without a dot.
    return privateNames.test(one) || !/[.[]/.test(one);
  });
}

/** True for loopback, under any of its names. */
export function isThisMachine(host: string): boolean {
  if (isLoopback(host)) return true;
  const stands = standsForHosts(host);
  return stands.length > 0 && stands.every(isLoopback);
}
