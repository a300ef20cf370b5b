/** Which files hold secrets. Decided by name and place alone; paths are in normal form. */

import type { Context } from "../types.ts";
import { matchesGlob } from "./glob.ts";
import { below, nameOf } from "./normal.ts";
import { contextPath, folded } from "./place.ts";

/** A kind of secret. */
export interface Secret {
  readonly kind: "key" | "credentials" | "keyring" | "browser" | "environment" | "process" | "account";
  /** Words for a message: "a private key". */
  readonly title: string;
  /** False for what a project keeps for its own use (`.env`): reading it is a question, not a denial. */
  readonly grave: boolean;
}

const key: Secret = { kind: "key", title: "a private key", grave: true };
const credentials: Secret = { kind: "credentials", title: "stored credentials", grave: true };
const keyring: Secret = { kind: "keyring", title: "a key store", grave: true };
const browser: Secret = { kind: "browser", title: "a browser's stored logins or cookies", grave: true };
const environment: Secret = { kind: "environment", title: "a project's secret settings", grave: false };
const projectKey: Secret = { kind: "key", title: "a key file", grave: false };
const projectCredentials: Secret = { kind: "credentials", title: "a file with credentials", grave: false };
const account: Secret = { kind: "account", title: "password hashes of the system", grave: true };
const process: Secret = { kind: "process", title: "the environment of a running process", grave: false };

/** Below a home directory: exact files, and directories (with a slash at the end) as a whole. */
const inHome: readonly (readonly [string, Secret])[] = [
  [".aws/credentials", credentials],
  [".aws/sso/cache/", credentials],
  [".aws/cli/cache/", credentials],
  [".config/gcloud/", credentials],
  ["AppData/Roaming/gcloud/", credentials],
  [".azure/", credentials],
  [".config/gh/hosts.yml", credentials],
  ["AppData/Roaming/GitHub CLI/hosts.yml", credentials],
  [".config/glab-cli/config.yml", credentials],
  [".config/hub", credentials],
  [".kube/config", credentials],
  [".docker/config.json", credentials],
  [".config/containers/auth.json", credentials],
  [".netrc", credentials],
  ["_netrc", credentials],
  [".authinfo", credentials],
  [".authinfo.gpg", credentials],
  [".git-credentials", credentials],
  [".config/git/credentials", credentials],
  [".npmrc", projectCredentials],
  [".yarnrc.yml", projectCredentials],
  [".pypirc", credentials],
  [".gem/credentials", credentials],
  [".cargo/credentials", credentials],
  [".cargo/credentials.toml", credentials],
  [".composer/auth.json", credentials],
  [".config/composer/auth.json", credentials],
  [".nuget/NuGet/NuGet.Config", projectCredentials],
  [".m2/settings.xml", projectCredentials],
  [".m2/settings-security.xml", credentials],
  [".gradle/gradle.properties", projectCredentials],
  [".pgpass", credentials],
  [".my.cnf", credentials],
  [".mylogin.cnf", credentials],
  [".s3cfg", credentials],
  [".boto", credentials],
  [".vault-token", credentials],
  [".terraform.d/credentials.tfrc.json", credentials],
  [".terraformrc", projectCredentials],
  [".config/doctl/config.yaml", credentials],
  [".config/hcloud/cli.toml", credentials],
  [".config/rclone/rclone.conf", credentials],
  [".fly/config.yml", credentials],
  [".config/heroku/", credentials],
  [".config/stripe/config.toml", credentials],
  [".config/op/", credentials],
  [".config/sops/age/keys.txt", key],
  [".oci/", credentials],
  [".databrickscfg", credentials],
  [".snowflake/connections.toml", credentials],
  [".snowflake/config.toml", credentials],
  ["AppData/Roaming/postgresql/pgpass.conf", credentials],
  ["AppData/Roaming/rclone/rclone.conf", credentials],
  ["AppData/Roaming/terraform.d/credentials.tfrc.json", credentials],
  ["Library/Application Support/doctl/config.yaml", credentials],
  [".config/Bitwarden CLI/data.json", keyring],
  ["Library/Application Support/Bitwarden CLI/data.json", keyring],
  ["AppData/Roaming/Bitwarden CLI/data.json", keyring],
  ["Library/Group Containers/2BUA8C4S2C.com.1password/", keyring],
  [".local/share/gem/credentials", credentials],
  [".config/kaggle/kaggle.json", credentials],
  [".cache/huggingface/stored_tokens", credentials],
  [".IdentityService/", credentials],
  ["AppData/Local/.IdentityService/", credentials],
  [".snowsql/config", credentials],
  [".kaggle/kaggle.json", credentials],
  [".cache/huggingface/token", credentials],
  [".huggingface/token", credentials],
  [".codex/auth.json", credentials],
  [".claude/.credentials.json", credentials],
  [".gemini/oauth_creds.json", credentials],
  [".local/share/opencode/auth.json", credentials],
  [".gnupg/", keyring],
  [".password-store/", keyring],
  [".local/share/keyrings/", keyring],
  [".local/share/kwalletd/", keyring],
  ["Library/Keychains/", keyring],
  ["AppData/Roaming/Microsoft/Credentials/", keyring],
  ["AppData/Local/Microsoft/Credentials/", keyring],
  ["AppData/Roaming/Microsoft/Protect/", keyring],
  [".electrum/wallets/", keyring],
  [".bitcoin/wallet.dat", keyring],
  [".ethereum/keystore/", keyring],
  [".config/solana/id.json", key],
];

const browserRoots = [
  ".mozilla/firefox/",
  ".librewolf/",
  ".config/google-chrome/",
  ".config/chromium/",
  ".config/BraveSoftware/",
  ".config/microsoft-edge/",
  "snap/firefox/common/.mozilla/firefox/",
  "Library/Application Support/Google/Chrome/",
  "Library/Application Support/Firefox/",
  "Library/Application Support/BraveSoftware/",
  "Library/Application Support/Microsoft Edge/",
  "Library/Cookies/",
  "AppData/Local/Google/Chrome/User Data/",
  "AppData/Local/Microsoft/Edge/User Data/",
  "AppData/Roaming/Mozilla/Firefox/",
];

const browserNames = new Set([
  "login data",
  "cookies",
  "web data",
  "local state",
  "logins.json",
  "key4.db",
  "key3.db",
  "cookies.sqlite",
  "formhistory.sqlite",
  "cookies.binarycookies",
]);

const publicInSsh =
  /^(?:.*\.pub|known_hosts(?:\.old|2)?|config|config\.d|authorized_keys2?|environment|rc)$/i;
const templateSuffix =
  /\.(?:example|sample|template|tmpl|tpl|dist|defaults?|schema|spec|md|example\.[a-z]+|sample\.[a-z]+)$/i;
const publicCertificate =
  /(?:^|[-_.])(?:cert|certs|certificate|ca|cacert|chain|fullchain|bundle|public|pub|root|csr)(?:[-_.]|$)/i;

/** What secret a file holds; undefined when it is none. */
export function secretOf(path: string, context: Context): Secret | undefined {
  const name = nameOf(path);
  if (name === "") return undefined;
  const inner = homePart(path, context);
  const inHomeOf = inner === undefined ? undefined : secretInHome(inner);
  if (inHomeOf !== undefined) return inHomeOf;
  const byName = secretByName(name, path);
  if (byName !== undefined) return byName;
  if (/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/.test(path)) return process;
  const at = folded(path, context);
  if (/^(?:\/private)?\/etc\/(?:g?shadow|master\.passwd|security\/passwd)-?$/.test(at)) return account;
  if (
    /^\/etc\/(?:ssl\/private|ssh\/ssh_host_[a-z0-9]+_key$|kubernetes\/(?:admin|kubelet)\.conf$|krb5\.keytab$)/
      .test(at)
  ) {
    return key;
  }
  if (/^[a-z]:\/windows\/system32\/config\/(?:sam|system|security)$/i.test(at)) return account;
  if (/^\/(?:var\/)?run\/secrets\//.test(at)) return credentials;
  return undefined;
}

function secretByName(name: string, path: string): Secret | undefined {
  const lower = name.toLowerCase();
  if (lower === ".env" || lower.startsWith(".env.") || lower.startsWith(".env-") || lower === ".dev.vars") {
    return templateSuffix.test(lower) || /^\.env[.-](?:example|sample|template)/.test(lower)
      ? undefined
      : environment;
  }
  if (/^[\w-]+\.env$/.test(lower)) {
    return /^(?:example|sample|template)\./.test(lower) ? undefined : environment;
  }
  if (/^id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)(?:[._-].*)?$/.test(lower)) {
    return lower.endsWith(".pub") ? undefined : key;
  }
  if (/\.(?:ppk|p12|pfx|jks|keystore|kdbx|kdb|agekey|keytab)$/.test(lower)) {
    return lower.endsWith(".kdbx") || lower.endsWith(".kdb") ? keyring : projectKey;
  }
  if (/\.(?:pem|key)$/.test(lower)) {
    return publicCertificate.test(lower.slice(0, lower.lastIndexOf("."))) ||
        /\.pub\.|\/site-packages\/|\/node_modules\//.test(path)
      ? undefined
      : projectKey;
  }
  if (
    /^(?:\.git-credentials|\.netrc|_netrc|\.pgpass|\.htpasswd|\.vault_pass(?:word)?(?:\.txt)?)$/.test(lower)
  ) {
    return credentials;
  }
  if (
    /^(?:secrets?|credentials?|creds)(?:\.[\w-]+)?\.(?:json|ya?ml|toml|ini|txt|env|properties|enc)$/.test(
      lower,
    )
  ) {
    return templateSuffix.test(lower) || /example|sample|template/.test(lower)
      ? undefined
      : projectCredentials;
  }
  if (/^(?:service[-_]?account|gcp[-_]?key|client[-_]secret|firebase[-_]adminsdk).*\.json$/.test(lower)) {
    return /example|sample|template/.test(lower) ? undefined : projectCredentials;
  }
  if (
    /^terraform\.tfstate(?:\.backup)?$|\.auto\.tfvars$|^(?:secrets?|prod(?:uction)?)\.tfvars$/.test(lower)
  ) {
    return projectCredentials;
  }
  if (/^(?:master\.key|credentials\.yml\.enc)$/.test(lower)) {
    return lower === "master.key" ? projectKey : undefined;
  }
  return undefined;
}

/** The part of a path below some user's home, the current user's or another's. */
function homePart(path: string, context: Context): string | undefined {
  const own = below(folded(path, context), folded(contextPath(context.home, context), context));
  if (own !== undefined) return path.slice(path.length - own.length);
  const other =
    /^(?:\/(?:home|[Uu]sers)\/[^/]+|\/root|[A-Z]:\/[Uu]sers\/[^/]+|\/(?:mnt|cygdrive)\/[a-z]\/[Uu]sers\/[^/]+)\/(.+)$/
      .exec(path);
  return other?.[1];
}

function secretInHome(inner: string): Secret | undefined {
  const lower = inner.toLowerCase();
  if (lower.startsWith(".ssh/")) {
    const name = lower.slice(5).split("/").at(-1) ?? "";
    return publicInSsh.test(name) ? undefined : key;
  }
  for (const [written, secret] of inHome) {
    const known = written.toLowerCase();
    if (known.endsWith("/") ? lower.startsWith(known) : lower === known) return secret;
  }
  for (const root of browserRoots) {
    if (lower.startsWith(root.toLowerCase()) && browserNames.has(lower.split("/").at(-1) ?? "")) {
      return browser;
    }
  }
  return undefined;
}

/** Directories of which nearly everything is secret: reading or copying them as a whole. */
const secretDirectories = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".config/gcloud",
  ".config/gh",
  ".docker",
  ".password-store",
  ".local/share/keyrings",
  "Library/Keychains",
  ".mozilla/firefox",
  ".config/google-chrome",
  ".config/chromium",
];

/** The secret that a directory as a whole stands for. */
export function secretDirectory(path: string, context: Context): Secret | undefined {
  const inner = homePart(path, context)?.toLowerCase();
  if (inner === undefined) return undefined;
  const found = secretDirectories.find((one) => inner === one.toLowerCase());
  if (found === undefined) return undefined;
  return found.includes("irefox") || found.includes("chrom") ? browser : found === ".ssh" ? key : credentials;
}

/** Names to try a glob on: if one of them matches and is a secret there, the glob may read it. */
const sampleNames = [
  ".env",
  ".env.local",
  ".env.production",
  "prod.env",
  "id_rsa",
  "id_ed25519",
  "server.key",
  "key.pem",
  "server.p12",
  "secrets.yaml",
  "secrets.json",
  "credentials.json",
  "credentials",
  "hosts.yml",
  "config",
  "config.json",
  ".netrc",
  ".git-credentials",
  ".pgpass",
  ".npmrc",
  ".pypirc",
  "logins.json",
  "key4.db",
  "Login Data",
  "Cookies",
  "private-keys-v1.d/x.key",
  "login.keychain-db",
  ".ssh/id_rsa",
  ".aws/credentials",
  "environ",
  "shadow",
];

/** The gravest secret that a glob in a directory may match. Tried on typical names, so that no disk is read. */
export function secretByGlob(
  directory: string,
  filter: string | undefined,
  context: Context,
): Secret | undefined {
  let worst: Secret | undefined;
  const base = directory === "/" ? "" : directory;
  for (const name of sampleNames) {
    if (filter === undefined) {
      // A bare `*` skips hidden names.
      if (name.startsWith(".") || name.includes("/")) continue;
    } else if (!matchesGlob(name, filter, { caseInsensitive: context.caseInsensitive })) continue;
    else if (name.startsWith(".") && !/^[.\\{[]/.test(filter) && !filter.startsWith("**")) continue;
    const secret = secretOf(`${base}/${name}`, context);
    // A bare `*` outside a secret directory is not aimed at a secret.
    if (secret === undefined || (filter === undefined && !secret.grave)) continue;
    if (filter === undefined && secretDirectory(directory, context) === undefined) continue;
    if (worst === undefined || (secret.grave && !worst.grave)) worst = secret;
  }
  if (worst === undefined && filter !== undefined) {
    // Names in a directory that holds nothing else, as `~/.ssh/deploy*`.
    const sample = filter.replaceAll(/\\(.)/g, "$1").replaceAll(/[*?[\]]/g, "x");
    worst = secretOf(`${base}/${sample}`, context);
  }
  return worst;
}

const databaseName =
  /\.(?:sqlite3?|db3?|mdb|accdb|duckdb|realm|dump|rdb|mdf|ldf|frm|ibd|sql\.gz)(?:-wal|-shm|-journal)?$/i;

/** True for files that hold a database or its dump. */
export function isDatabase(path: string): boolean {
  const name = nameOf(path);
  return databaseName.test(name) && name.toLowerCase() !== "thumbs.db";
}
