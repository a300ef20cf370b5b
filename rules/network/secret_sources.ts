/** Where secrets come from in a command: files, dumps of the environment, programs that print them, variables. */

import type { Invocation, PathUse, Word } from "../../src/shell/model.ts";
import type { Context } from "../../src/types.ts";
import { locate } from "../../src/paths.ts";
import { isSecretName } from "../../src/secrets/names.ts";
import { secretByGlob, secretDirectory, secretOf } from "../../src/paths/secret.ts";
import { shorten } from "../evidence.ts";

/** A secret that a command gets hold of. */
export interface Leak {
  readonly kind: "file" | "dump" | "program" | "variable";
  /** Words for a message. */
  readonly title: string;
  /** Program or variable name; what its owner is told from. */
  readonly name: string;
}

/** The secret that a use of a path reads. */
export function secretRead(use: PathUse, context: Context): Leak | undefined {
  if (use.operation !== "read" || use.remote !== undefined) return undefined;
  for (const { path, contents, filter, place, assumedEmpty } of locate(use, context).locations) {
    if (assumedEmpty) continue;
    const narrowed = filter ?? use.filter;
    const secret = contents || narrowed !== undefined
      ? secretByGlob(path === "/" ? "" : path, narrowed, context)
      : secretOf(path, context) ?? secretDirectory(path, context);
    if (secret !== undefined) {
      return { kind: "file", title: `${secret.title} (${shorten(use.path.text, 60)})`, name: path };
    }
    if (
      use.recursive && (place === "home" || place === "homes" || place === "root") && narrowed === undefined
    ) {
      return { kind: "file", title: "a home directory with its keys", name: path };
    }
  }
  return undefined;
}

/** Secret variables that appear in a word. */
export function variablesIn(word: Word): readonly Leak[] {
  const found: Leak[] = [];
  for (const piece of word.pieces) {
    if (
      piece.kind === "unknown" && piece.origin === "variable" && piece.name !== undefined &&
      isSecretName(piece.name)
    ) {
      found.push({ kind: "variable", title: `the value of ${piece.name}`, name: piece.name });
    }
  }
  return found;
}

/** The environment as a whole. */
function dump(invocation: Invocation): Leak | undefined {
  const { program, args } = invocation;
  const words = args.map((word) => word.text);
  const bare = words.every((word) => word.startsWith("-"));
  const whole: Leak = { kind: "dump", title: "the environment with its secrets", name: program };
  switch (program.toLowerCase()) {
    case "env":
      return bare ? whole : undefined;
    case "printenv": {
      if (bare) return whole;
      const name = words.find((word) => !word.startsWith("-") && isSecretName(word));
      return name === undefined ? undefined : { kind: "variable", title: `the value of ${name}`, name };
    }
    case "set":
      return words.length === 0 ? whole : undefined;
    case "export":
    case "declare":
    case "typeset":
    case "readonly":
      return words.length === 0 || (bare && words.some((word) => /^-[a-z]*[px]/.test(word)))
        ? whole
        : undefined;
    case "ps":
      // `ps e` is the BSD spelling; `ps -e` lists all processes.
      return words.some((word) => /^[a-z]+$/.test(word) && word.includes("e")) && !words[0]?.startsWith("-")
        ? { ...whole, title: "the environments of running processes" }
        : undefined;
    case "get-childitem":
    case "gci":
    case "dir":
    case "ls":
      return words.some((word) => /^env:/i.test(word)) ? whole : undefined;
    default:
      return undefined;
  }
}

/** Programs that print a secret, by their first words. */
const printers: readonly (readonly [string, RegExp, string])[] = [
  ["gpg", /--export-secret-(?:keys|subkeys)/, "private keys"],
  ["gpg2", /--export-secret-(?:keys|subkeys)/, "private keys"],
  ["security", /^(?:find-(?:generic|internet)-password|dump-keychain|export)\b/, "a keychain entry"],
  ["gh", /^auth token\b|^auth status\b.*(?:-t\b|--show-token)/, "a GitHub token"],
  ["glab", /^auth (?:token|status)\b.*(?:-t\b|--show-token)/, "a GitLab token"],
  ["gcloud", /^auth (?:application-default )?print-(?:access|identity)-token\b/, "a Google token"],
  ["gcloud", /^secrets versions access\b/, "a stored secret"],
  [
    "aws",
    /^configure (?:get\b.*(?:secret|token|key)|export-credentials)|^secretsmanager get-secret-value|^ssm get-parameters?\b.*--with-decryption|^sts (?:get-session-token|assume-role)|^ecr get-login-password/,
    "AWS credentials",
  ],
  ["az", /^account get-access-token|^keyvault secret (?:show|download)/, "an Azure token"],
  ["kubectl", /^(?:-\S+ )*get secrets?\b|^config view\b.*--raw/, "cluster secrets"],
  ["vault", /^(?:kv get|read|print token)\b/, "a stored secret"],
  ["op", /^(?:read|item get)\b/, "a stored secret"],
  ["bw", /^(?:get|export|list)\b/, "a stored secret"],
  ["pass", /^(?:show\b|[^-\s]+\/)/, "a stored password"],
  ["gopass", /^(?:show|cat)\b/, "a stored password"],
  ["secret-tool", /^(?:lookup|search)\b/, "a stored password"],
  ["keyring", /^get\b/, "a stored password"],
  ["git", /^credential(?:-\w+)? (?:fill|get)\b/, "git credentials"],
  ["heroku", /^(?:auth:token|config)\b/, "a Heroku token"],
  ["doppler", /^secrets\b/, "stored secrets"],
  ["ansible-vault", /^(?:view|decrypt)\b/, "decrypted secrets"],
  ["sops", /^(?:-d\b|--decrypt\b|decrypt\b)/, "decrypted secrets"],
  ["mimikatz", /./, "passwords in memory"],
];

const printing: ReadonlySet<string> = new Set(["echo", "printf", "print", "write-output", "write-host"]);

/** What a program brings in by itself. */
export function leaksOf(invocation: Invocation, uses: readonly PathUse[], context: Context): readonly Leak[] {
  const leaks: Leak[] = [];
  for (const use of uses) {
    const leak = secretRead(use, context);
    if (leak !== undefined) leaks.push(leak);
  }
  const whole = dump(invocation);
  if (whole !== undefined) leaks.push(whole);
  const words = invocation.args.map((word) => word.text).join(" ");
  for (const [program, pattern, title] of printers) {
    if (invocation.program === program && pattern.test(words)) {
      leaks.push({ kind: "program", title, name: program });
    }
  }
  if (printing.has(invocation.program.toLowerCase())) leaks.push(...invocation.args.flatMap(variablesIn));
  for (const { body } of invocation.redirections) if (body !== undefined) leaks.push(...variablesIn(body));
  return leaks;
}
