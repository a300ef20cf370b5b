/** Secrets in files as people and programs are told of them. */

import { findSecrets, type SecretMatch } from "../secrets/scan.ts";

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

/** A secret at its place. Does not hold the secret itself. */
export interface Leak {
  readonly path: string;
  /** From 1; columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly title: string;
  readonly revoke: string;
  readonly minor: boolean;
  readonly encoded: boolean;
  readonly commit?: string;
  /** The same for the same secret in the same file, wherever it stands; tells nothing of the secret without the salt. */
  readonly fingerprint: string;
}

/** The leaks of a text in their order. */
export async function leaksIn(source: Source, salt: string): Promise<readonly Leak[]> {
  const { path, text, firstLine = 1, firstColumn = 1, from = 0, to = text.length, commit } = source;
  const leaks: Leak[] = [];
  let line = firstLine;
  let lineStart = 0;
  for (const secret of findSecrets(text)) {
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
      revoke: secret.revoke,
      minor: secret.minor,
      encoded: secret.encoded,
      ...(commit === undefined ? {} : { commit }),
      fingerprint: await fingerprintOf(salt, path, secret, text),
    });
  }
  return leaks;
}

async function fingerprintOf(salt: string, path: string, secret: SecretMatch, text: string): Promise<string> {
  const parts = [salt, path.replaceAll("\\", "/"), secret.kind, text.slice(secret.start, secret.end)];
  const bytes = new TextEncoder().encode(parts.join("\0"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 12);
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
