/**
 * Named starting values for a policy. A profile stands for the same keys written into the same file, and what the file
 * writes itself counts before it.
 */

import type { PolicyFile } from "./schema.ts";

/** A profile's name. */
export type Profile = NonNullable<PolicyFile["profile"]>;

/** What a profile sets; everything else has its built-in value. */
export type ProfileValues = Readonly<Omit<PolicyFile, "profile" | "$schema">>;

/** Questions that `minimal` leaves out: what they are about destroys nothing for good, and tells nobody a secret. */
const questions = [
  "content/orders-in-output",
  "databases/open-rights",
  "filesystem/delete-many",
  "filesystem/open-to-all",
  "filesystem/overwrite-work",
  "filesystem/unpack-over-work",
  "git/delete-branch",
  "git/delete-tag",
  "mcp/destructive-tool",
  "platforms/release-to-users",
  "processes/stop-service",
  "publishing/publish",
  "shell/unknown-code",
  "shell/unknown-program",
  "system/network",
  "system/settings",
  "tampering/shell-history",
];

/** From the mildest to the strictest. One line each for a key. */
export const profiles: Readonly<Record<Profile, ProfileValues>> = {
  minimal: {
    prompts: "off",
    // Denials stay.
    rules: Object.fromEntries(questions.map((id) => [id, "deny-only"])),
  },
  standard: {},
  strict: {
    level: "strict",
    prompts: "deny",
    // What names one person for certain; of addresses and telephone numbers a repository is full.
    personalData: { card: "redact", iban: "redact", nationalId: "redact" },
    addresses: { private: "ask" },
    rules: { "content/secret-to-server": "deny", "mcp/changed-server": "deny" },
  },
};

/** A file with the values of its profile. */
export interface Expanded {
  readonly file: PolicyFile;
  /** What the profile sets in it: keys, and members of keys as `rules git/delete-tag`. */
  readonly set: ReadonlySet<string>;
}

/** Fills in the profile that a file names. Own members of a key with members stand beside those of the profile. */
export function expanded(file: PolicyFile): Expanded {
  const values = file.profile === undefined ? {} : profiles[file.profile];
  const filled: Record<string, unknown> = { ...file };
  const set = new Set<string>();
  for (const [key, value] of Object.entries<unknown>(values)) {
    const own: unknown = file[key as keyof PolicyFile];
    if (own === undefined) filled[key] = value;
    if (isMembers(value)) {
      // One value for all members (`"personalData": "off"`) says something about each of them.
      if (own !== undefined && !isMembers(own)) continue;
      const written = own ?? {};
      // A category that the file decides about is decided.
      const names = Object.keys(value).filter((name) =>
        !Object.hasOwn(written, name) && (key !== "rules" || !Object.hasOwn(written, categoryOf(name)))
      );
      const members: Readonly<Record<string, unknown>> = value;
      filled[key] = { ...Object.fromEntries(names.map((name) => [name, members[name]])), ...written };
      for (const name of names) set.add(`${key} ${name}`);
    } else if (own === undefined) set.add(key);
  }
  return { file: filled as PolicyFile, set };
}

function categoryOf(id: string): string {
  return `${id.slice(0, id.indexOf("/"))}/*`;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
