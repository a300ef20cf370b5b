/** Secrets in files as people and programs are told of them. */

import type { PersonalMatch } from "../personal/scan.ts";
import { isAllowed } from "../secrets/allowed.ts";
import { findSecrets, type SecretMatch } from "../secrets/scan.ts";
import type { PersonalKind } from "../types.ts";

/** A text to look through. */
export interface Source {
  /** As the user named it, or from the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** Number of the first line, and of its first column; 1 if absent. */
  readonly firstLine?: number;
  readonly firstColumn?: number;
  /** Secrets are taken from it that begin from here on; 0 if absent. */
  readonly from?: number;
  /** Secrets are taken from it that begin before; its length if absent. */
  readonly to?: number;
  /** Which part of a large file it is, from 0. */
  readonly part?: number;
  /** Bytes of the file that are looked through with it. */
  readonly bytes?: number;
  /** Commit that added it, when a history is looked through. */
  readonly commit?: string;
}

/** What was not looked through, and why. */
export interface Skipped {
  readonly path: string;
  readonly reason: "too large" | "unreadable" | "no file";
}

/** A secret, or personal data, at its place. Does not hold what was found. */
export interface Leak {
  readonly path: string;
  /** From 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly title: string;
  /** Absent for personal data. */
  readonly revoke?: string;
  readonly minor: boolean;
  readonly encoded: boolean;
  readonly commit?: string;
  /** True where a comment `guard:allow content/secret-in-file` stands at it, whether it counts or not. */
  readonly commented?: boolean;
  /** The same for the same secret in the same file, wherever it stands; tells nothing of the secret without the salt. */
  readonly fingerprint: string;
}

/** The rule that a comment has to name. */
export const COMMENTED_RULE = "content/secret-in-file";

const personalIds: Readonly<Record<PersonalKind, string>> = {
  email: "personal-email",
  phone: "personal-phone",
  card: "personal-card",
  iban: "personal-iban",
  nationalId: "personal-national-id",
};

type Found = Pick<SecretMatch, "start" | "end" | "kind" | "title" | "minor" | "encoded"> & {
  readonly revoke?: string;
};

/** Secrets and what is about people, in their order; what is within a secret is a part of it. */
function both(secrets: readonly SecretMatch[], people: readonly PersonalMatch[]): readonly Found[] {
  const found: Found[] = [];
  let next = 0;
  for (const { kind, title, start, end } of people) {
    while (next < secrets.length && secrets[next]!.end <= start) found.push(secrets[next++]!);
    const secret = secrets[next];
    if (secret !== undefined && secret.start < end) continue;
    found.push({ kind: personalIds[kind], title, start, end, minor: false, encoded: false });
  }
  return [...found, ...secrets.slice(next)];
}

/**
 * The leaks of a text in their order.
 *
 * @param personal finds what is about people, when that is looked for
 */
export async function leaksIn(
  source: Source,
  salt: string,
  personal?: (text: string) => readonly PersonalMatch[],
): Promise<readonly Leak[]> {
  const { path, text, firstLine = 1, firstColumn = 1, from = 0, to = text.length, commit } = source;
  const leaks: Leak[] = [];
  let line = firstLine;
  let lineStart = 0;
  const secrets = findSecrets(text);
  const all: readonly Found[] = personal === undefined ? secrets : both(secrets, personal(text));
  for (const secret of all) {
    if (secret.start < from || secret.start >= to) continue;
    for (
      let next = text.indexOf("\n", lineStart);
      next >= 0 && next < secret.start;
      next = text.indexOf("\n", lineStart)
    ) {
      line++;
      lineStart = next + 1;
    }
    leaks.push({
      path,
      line,
      column: secret.start - lineStart + (line === firstLine ? firstColumn : 1),
      kind: secret.kind,
      title: secret.title,
      ...(secret.revoke === undefined ? {} : { revoke: secret.revoke }),
      minor: secret.minor,
      encoded: secret.encoded,
      ...(commit === undefined ? {} : { commit }),
      ...(secret.revoke !== undefined && isAllowed(text, secret, COMMENTED_RULE) ? { commented: true } : {}),
      fingerprint: await fingerprintOf(salt, path, secret, text),
    });
  }
  return leaks;
}

async function fingerprintOf(salt: string, path: string, found: Found, text: string): Promise<string> {
  const place = [salt, path.replaceAll("\\", "/"), found.kind];
  const value = text.slice(found.start, found.end);
  if (found.revoke !== undefined) return await hashOf([...place, value], 12);
  // A baseline holds the salt, and there are few telephone numbers: so little of the hash of one leaves many that it can be.
  return await hashOf(place, 10) + await hashOf([...place, value], 2);
}

/** Hexadecimal digits of the first bytes of the hash. */
async function hashOf(parts: readonly string[], length: number): Promise<string> {
  const bytes = new TextEncoder().encode(parts.join("\0"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, length);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
