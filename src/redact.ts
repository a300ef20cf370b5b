/**
 * Replaces obvious secrets in text that guard writes down or shows: the audit log, messages, pending
 * permissions. Every pass is linear in the text: patterns begin with a fixed word and either succeed at
 * once or look at a bounded number of characters.
 */

const MARK = "[redacted]";

/**
 * Tokens that name their issuer. The prefix stays, since it says which key has to be revoked. The first
 * group is unmistakable anywhere; the second only where a word begins (`risk-…` is no key).
 */
const ANYWHERE =
  /(gh[opusr]_|github_pat_|glpat-|gldt-|glrt-|glptt-|gloas-|glcbt-|sk-ant-|sk-proj-|sk-or-v1-|sk_live_|sk_test_|rk_live_|rk_test_|whsec_|xox[abeoprs]-|xapp-|AIza|pypi-|dop_v1_|doo_v1_|shpat_|shpss_|shpca_|ya29\.|GOCSPX-|AGE-SECRET-KEY-1|hvs\.|hvb\.|lin_api_|figd_|dckr_pat_|sntrys_|sbp_|pscale_tkn_|pscale_pw_|PMAK-|rubygems_|tskey-|nvapi-|EAACEdEose0cBA|LTAI)[A-Za-z0-9_.\-]{12,}/g;
const AT_WORD =
  /(?<![A-Za-z0-9])(sk-|npm_|hf_|r8_|gsk_|xai-|SG\.|ops_|AKIA|ASIA|dp\.pt\.|key-)(?=[A-Za-z_\-]{0,16}[0-9A-Z])[A-Za-z0-9_.\-]{14,}/g;
const JSON_WEB_TOKEN = /eyJ[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]+)*/g;
const TELEGRAM = /(?<![0-9])([0-9]{8,10}:)AA[A-Za-z0-9_\-]{30,}/g;
const BEARER = /\b(bearer)([ \t]{1,4})[A-Za-z0-9._~+\/=\-]{6,}/gi;
/** An assigned value of the alphabet of keys; `looksRandom` decides. */
const ASSIGNED = /([=:]["']?)([A-Za-z0-9+\/_\-]{24,})/g;

/** A word that makes what it names a secret, what may follow in the name, and optional quotes. */
const SENSITIVE =
  /(passwords?|passwd|passphrase|pass(?![a-z])|pwd|secrets?|tokens?|api[_-]?keys?|apikey|access[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?|authorization|auth[_-]?key|(?:master|session|storage|consumer|shared|hmac|webhook)[_-]?key|_auth(?![a-z])|jwt|x-amz-signature|sharedaccesssignature|x-auth|set-cookie|cookie)([A-Za-z0-9_\-]{0,32})(\\?["'])?/gi;
/** Names that point to a secret without being one. */
const POINTS_TO =
  /(?:file|path|dir|url|uri|name|stdin|env|type|id|ttl|length|expiry|expires|count|limit)s?$/i;

/**
 * For a look at a text before patterns are compiled, whose first use costs more than all that a hook does else:
 * where none of these occurs, the patterns named after it match nothing. Separated by blanks.
 */
const glances = {
  /** In ANYWHERE and AT_WORD. */
  issuers:
    "gho_ ghp_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- gloas- glcbt- sk-ant- sk-proj- sk-or-v1- sk_live_ sk_test_ " +
    "rk_live_ rk_test_ whsec_ xox xapp- AIza pypi- dop_v1_ doo_v1_ shpat_ shpss_ shpca_ ya29. GOCSPX- AGE-SECRET-KEY-1 hvs. hvb. " +
    "lin_api_ figd_ dckr_pat_ sntrys_ sbp_ pscale_ PMAK- rubygems_ tskey- nvapi- EAACEdEose0cBA LTAI " +
    "sk- npm_ hf_ r8_ gsk_ xai- SG. ops_ AKIA ASIA dp.pt. key-",
  /** In SENSITIVE, in lower case. */
  names: "pass pwd secret token key cred auth jwt signature cookie",
  /** In `programPasswords`. */
  programs:
    "mysql mariadb sshpass redis-cli openssl docker podman nerdctl buildah skopeo helm mongo cqlsh rabbitmq influx rdesktop ncftp " +
    "user zip sqlcmd mosquitto ldap security freerdp snmp htpasswd doctl vault config curl wget lftp http smb rpcclient -stdin " +
    "--with-token chpasswd sudo login",
};
/** Programs whose names are parts of other words. */
const SHORT_PROGRAMS = /\b(?:oc|az|oras|crane|bcp|isql|gh|xh|bao)\b|\b7z|rar\b/;

/** The least that follows the name of an issuer, and what stands before a value in every form of `programPasswords`. */
const LONG = /[A-Za-z0-9_.\-]{12}/;
const HANDED = /\s[-\/]|<<<|\||login|passwd|set/;

/** What every secret of a known shape has a part of. */
const SHAPED = /[A-Za-z0-9_+=.%~-]{20}|[A-Za-z0-9_+=%\/-]{32}/;

/** Takes out secrets of a known shape; loaded when a text may hold one. */
let shaped: ((text: string) => string) | undefined;

/**
 * Loads what knows the shapes of secrets, if a text that will be redacted may hold one. Where it has not been loaded,
 * {@link redact} takes out everything that is long and holds digits instead.
 *
 * @param text all that will be redacted stands in it; absent means anything
 */
export async function prepareRedaction(text?: string): Promise<void> {
  if (shaped !== undefined || (text !== undefined && !SHAPED.test(text))) return;
  const { replaceSecrets } = await import("./secrets/replace.ts");
  const { environment } = await import("./facts/environment.ts");
  shaped = (part) => replaceSecrets(part, { environment: environment(), markOf: () => MARK }).text;
}

/** Take out what a policy wants to be shown nowhere. */
const others = new Map<string, (text: string) => string>();
const maxOthers = 50;

/** Has {@link redact} take out more from now on, in a process that may serve several policies. */
export function redactAlso(key: string, hide: (text: string) => string): void {
  others.delete(key);
  others.set(key, hide);
  for (const oldest of others.keys()) if (others.size > maxOthers) others.delete(oldest);
}

/** Stands in for what is not loaded. */
function longParts(text: string): string {
  return text.replace(
    /[A-Za-z0-9_+=.%~-]{20,}|[A-Za-z0-9_+=%\/-]{32,}/g,
    (part) => /[0-9].*[0-9]/.test(part) ? MARK : part,
  );
}

function hasAny(text: string, words: string): boolean {
  return words.split(" ").some((word) => text.includes(word));
}

/**
 * Returns the text with secrets replaced by `[redacted]`; the length may change.
 *
 * @param glance false tries every pattern; the result is the same
 */
export function redact(text: string, glance = true): string {
  if (text.length < 6) return text;
  for (const hide of others.values()) text = hide(text);
  const has = (words: string, within = text) => !glance || hasAny(within, words);
  let out = text;
  if (SHAPED.test(text)) out = (shaped ?? longParts)(out);
  if (out.includes("-----BEGIN")) out = keyBlocks(out);
  if (out.includes("://")) out = urlPasswords(out);
  if (!glance || (LONG.test(text) && hasAny(text, glances.issuers))) {
    out = out.replace(ANYWHERE, `$1${MARK}`).replace(AT_WORD, `$1${MARK}`);
  }
  if (out.includes("eyJ")) out = out.replace(JSON_WEB_TOKEN, MARK);
  if (out.includes(":AA")) out = out.replace(TELEGRAM, `$1${MARK}`);
  const lower = text.toLowerCase();
  if (has(glances.names, lower)) out = namedValues(out);
  if (has("bearer", lower)) out = out.replace(BEARER, `$1$2${MARK}`);
  if (!glance || (HANDED.test(text) && (hasAny(text, glances.programs) || SHORT_PROGRAMS.test(text)))) {
    out = programPasswords(out);
  }
  if (!glance || out.includes("=") || out.includes(":")) {
    out = out.replace(ASSIGNED, (all, lead: string, value: string) => looksRandom(value) ? lead + MARK : all);
  }
  return out;
}

/** PEM blocks that hold a private key, to their end or to the end of the text. */
function keyBlocks(text: string): string {
  let out = "";
  let from = 0;
  while (true) {
    const begin = text.indexOf("-----BEGIN", from);
    if (begin < 0) return out + text.slice(from);
    const headEnd = text.indexOf("-----", begin + 10);
    const head = headEnd < 0 || headEnd - begin > 80
      ? text.slice(begin, begin + 80)
      : text.slice(begin, headEnd);
    if (!head.includes("PRIVATE KEY")) {
      out += text.slice(from, begin + 10);
      from = begin + 10;
      continue;
    }
    out += `${text.slice(from, begin)}-----BEGIN PRIVATE KEY-----${MARK}`;
    const end = text.indexOf("-----END", begin);
    if (end < 0) return out;
    const close = text.indexOf("-----", end + 8);
    from = close < 0 || close - end > 80 ? end + 8 : close + 5;
  }
}

/** `scheme://user:password@host`, and a long user part without a password (a token). */
function urlPasswords(text: string): string {
  let out = "";
  let from = 0;
  while (true) {
    const at = text.indexOf("://", from);
    if (at < 0) return out + text.slice(from);
    const start = at + 3;
    let end = start;
    let last = -1;
    for (; end < text.length; end++) {
      const c = text.charCodeAt(end);
      // Blanks and control characters, quotes, and what ends an authority.
      if (
        c <= 32 || c === 34 || c === 39 || c === 96 || c === 60 || c === 62 || c === 35 || c === 63 ||
        c === 47
      ) {
        break;
      }
      if (c === 64) last = end;
    }
    if (last < 0) {
      out += text.slice(from, end);
    } else {
      const user = text.slice(start, last);
      const colon = user.indexOf(":");
      const value = colon < 0 ? user : user.slice(colon + 1);
      const plain = isReference(value) || value === "" || (colon < 0 && value.length < 16);
      out += text.slice(from, start) +
        (plain ? user : (colon < 0 ? "" : user.slice(0, colon + 1)) + MARK) + text.slice(last, end);
    }
    from = end;
  }
}

/** Values of names such as `password`, `API_KEY`, `Authorization`, as assignment, member, header or option. */
function namedValues(text: string): string {
  SENSITIVE.lastIndex = 0;
  let out = "";
  let from = 0;
  for (let found = SENSITIVE.exec(text); found !== null; found = SENSITIVE.exec(text)) {
    const word = found[1] ?? "";
    const name = word + (found[2] ?? "");
    const after = SENSITIVE.lastIndex;
    if ((POINTS_TO.test(name) && !/secret_?id$/i.test(name)) || isWorkingDirectory(text, found.index, name)) {
      continue;
    }
    const header = /^(?:authorization|x-auth|set-cookie|cookie)/i.test(word);
    let start = skipBlanks(text, after, 4);
    const separator = text[start];
    if (separator === "=" || separator === ":") {
      start = skipBlanks(
        text,
        start + (text.startsWith(":=", start) || text.startsWith("=>", start) ? 2 : 1),
        4,
      );
    } else if (start > after && isOption(text, found.index)) {
      if (separator === "-" || separator === undefined) continue;
    } else {
      continue;
    }
    const end = header ? headerEnd(text, start) : valueEnd(text, start);
    if (end <= start) continue;
    const value = text.slice(start, end);
    if (isReference(value) || value.startsWith(MARK)) {
      SENSITIVE.lastIndex = end;
      continue;
    }
    const quote = value[0] === '"' || value[0] === "'" ? value[0] : "";
    const scheme = header
      ? /^(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+/i.exec(value)?.[0] ?? ""
      : "";
    if (header && isReference(value.slice(scheme.length))) continue;
    const closed = quote !== "" && value.length > 1 && value.endsWith(quote);
    out += text.slice(from, start) + quote + scheme + MARK + (closed ? quote : "");
    from = end;
    SENSITIVE.lastIndex = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** `PWD=…` and `OLDPWD=…` are directories. */
function isWorkingDirectory(text: string, at: number, name: string): boolean {
  if (name.toLowerCase() !== "pwd") return false;
  const before = text[at - 1] ?? " ";
  return !/[A-Za-z_\-]/.test(before) || text.slice(Math.max(0, at - 3), at).toUpperCase() === "OLD";
}

function skipBlanks(text: string, at: number, most: number): number {
  let i = at;
  while (i < text.length && i - at < most && (text[i] === " " || text[i] === "\t")) i++;
  return i;
}

/** Whether the name that contains position `at` is written as an option (`-x`, `--db-password`). */
function isOption(text: string, at: number): boolean {
  let i = at;
  while (i > 0 && at - i < 40 && /[A-Za-z0-9_\-]/.test(text[i - 1] ?? "")) i--;
  return text[i] === "-";
}

/** End of a value that follows the shell's quoting, or that is a quoted string of JSON and its like. */
function valueEnd(text: string, start: number): number {
  let i = start;
  let quote = "";
  // Inside an escaped JSON string the quotes themselves are escaped.
  const escaped = text[start] === "\\" && (text[start + 1] === '"' || text[start + 1] === "'");
  if (escaped) {
    const close = text.indexOf(`\\${text[start + 1]}`, start + 2);
    return close < 0 ? text.length : close;
  }
  for (; i < text.length; i++) {
    const c = text[i] ?? "";
    if (c === "[" && text.startsWith(MARK, i)) i += MARK.length - 1;
    else if (quote !== "") {
      if (c === "\\" && quote === '"') i++;
      else if (c === quote) {
        quote = "";
        const next = text[i + 1];
        if (next === undefined || /[\s,;}\])&|]/.test(next)) return i + 1;
      }
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "\\") i++;
    else if (/[\s;&|<>)`]/.test(c)) break;
  }
  i = Math.min(i, text.length);
  // A closing bracket at the end belongs to what the value stands in.
  while (i > start && /[}\]]/.test(text[i - 1] ?? "") && !text.startsWith(MARK, i - MARK.length)) i--;
  return i;
}

/** End of a header value: the closing quote of the argument it is in, or the end of the line. */
function headerEnd(text: string, start: number): number {
  if (text[start] === '"' || text[start] === "'") return valueEnd(text, start);
  let i = start;
  while (i < text.length && !/["'\r\n]/.test(text[i] ?? "")) i++;
  return i;
}

/** `$NAME`, `${NAME}`, `$(…)`, `%NAME%`, `<placeholder>`: names of secrets, worth keeping in a message. */
function isReference(value: string): boolean {
  const bare = value.replace(/^"/, "");
  return /^\$(?:\{[A-Za-z_]|[A-Za-z_][A-Za-z0-9_]*"?$|\(|env:)/.test(bare) || /^%[A-Za-z_]+%"?$/.test(bare);
}

/** A value as it is written on a command line; a reference to a variable is none. */
const VALUE = String.raw`(?!\$[A-Za-z_({])(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"';|&]+)`;

/**
 * Options whose value is a password only for some programs, as one group that stays. What follows is the value,
 * attached or behind blanks as the group says.
 */
const PROGRAM_OPTIONS: readonly (readonly [program: RegExp, option: string])[] = [
  [/mysql|mariadb/, String.raw`\s-p`],
  [/sshpass/, String.raw`\bsshpass\s{1,4}-p\s{0,4}`],
  [/\bredis-cli\b/, String.raw`\s(?:-a|--pass)\s{1,4}`],
  [/\bopenssl\b/, String.raw`\s-(?:[kK]|hmac|passin|passout|pass|macopt)\s{1,4}`],
  [/\bopenssl\s{1,4}passwd\b/, String.raw`\bpasswd\s{1,4}(?:-[a-z0-9]{1,8}\s{1,4}){0,3}(?!-)`],
  [
    /\b(?:login|mongo[a-z]{0,8}|cqlsh|rabbitmqadmin|influx|rdesktop|ncftp[a-z]{0,4})\b/,
    String.raw`\s-p\s{1,4}`,
  ],
  [/\b(?:useradd|usermod)\b/, String.raw`\s-p\s{1,4}`],
  [/\b(?:zip|unzip|zipcloak|sqlcmd|bcp|mosquitto_(?:pub|sub)|isql)\b/, String.raw`\s-P\s{0,4}`],
  [/\b(?:7z|7za|7zr|7zz|rar|unrar)\b/, String.raw`\s-h?p`],
  [/\b(?:ldap(?:search|add|modify|delete|whoami|passwd))\b/, String.raw`\s-w\s{1,4}`],
  [/\bsecurity\s{1,4}(?:add|set|unlock)/, String.raw`\s-[wp]\s{1,4}`],
  [/\bfreerdp/, String.raw`\s\/p:`],
  [/\bsnmp[a-z]{2,9}\b/, String.raw`\s-[AXc]\s{1,4}`],
  [
    /\bhtpasswd\b/,
    String.raw`\bhtpasswd\s{1,4}-[a-zA-Z0-9]{0,8}b[a-zA-Z0-9]{0,8}\s{1,4}\S{1,200}\s{1,4}\S{1,100}\s{1,4}`,
  ],
  [/\bgh\s{1,4}(?:secret|variable)\b/, String.raw`\s(?:-b|--body)[\s=]{1,4}`],
  [/\bdoctl\b/, String.raw`\s-t\s{1,4}`],
  [/\b(?:vault|bao)\s{1,4}login\b/, String.raw`\blogin\s{1,4}(?!-)`],
  [
    /\bconfig(?:ure)?\s{1,4}set\b/,
    String.raw`\bset\s{1,4}\S{0,80}(?:secret|token|pass|_auth|key)\S{0,40}\s{1,4}(?![=:-])`,
  ],
  [/\bcurl\b/, String.raw`\s(?:-b\s{0,4}(?=\S{1,200}=)|--oauth2-bearer\s{1,4})`],
  [
    /\b(?:curl|lftp|wget|http|https|xh)\b/,
    String.raw`\s(?:-u|-a|-U|--user|--auth|--proxy-user)[ \t=]{0,4}[^\s:,"'$]{1,64}[:,](?!\/\/)`,
  ],
  [/\bsmb(?:client|get|map)\b|\brpcclient\b/, String.raw`\s-U\s{0,4}[^\s%"'$]{1,64}%`],
  // What is piped into a program that reads a password.
  [/<<</, String.raw`(?:-stdin|--with-token|\bchpasswd|\bsudo\s{1,4}-S)\b[^\n|;&<]{0,120}<<<\s{0,4}`],
];

/** The same for a user and a password in one pair of quotes. */
const QUOTED_PAIR =
  /(\s(?:-u|-a|-U|--user|--auth|--proxy-user)[ \t=]{0,4})(?:"([^\s:,%"$]{1,64}[:,%])(?!\/\/|\$)[^"\n]+|'([^\s:,%'$]{1,64}[:,%])(?!\/\/)[^'\n]+)/g;

/** What `echo` and its like hand to a program that reads a password from its input. */
const PIPED =
  /(\b(?:echo|printf)\s{1,4}(?:-[neE]{1,3}\s{1,4}){0,2}(?:["']?%s(?:\\n)?["']?\s{1,4})?)(?!\$[A-Za-z_({])("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"'|;&]{1,200})(?=\s{0,4}\|\s{0,4}[^|;&\n]{0,120}?(?:-stdin\b|--with-token\b|\bchpasswd\b|\bsudo\s{1,4}(?:-[a-zA-Z]{1,8}\s{1,4}){0,2}-[a-zA-Z]{0,4}S))/g;

/** Passwords that are an option of one program or its input: `mysql -pX`, `curl -u a:b`, `echo X | sudo -S id`. */
function programPasswords(text: string): string {
  let out = text;
  if (/curl|lftp|wget|http|\bxh\b|smb|rpcclient/.test(out)) {
    out = out.replace(
      QUOTED_PAIR,
      (_all, lead: string, double: string | undefined, single: string | undefined) =>
        `${lead}${double === undefined ? `'${single ?? ""}` : `"${double}`}${MARK}`,
    );
  }
  for (const [program, option] of PROGRAM_OPTIONS) {
    if (!program.test(out)) continue;
    out = out.replace(new RegExp(`(${option})${VALUE}`, "g"), (all, lead: string) => {
      const value = all.slice(lead.length);
      if (value.startsWith(MARK)) return all;
      const quote = /^(["']).*\1$/s.exec(value)?.[1] ?? "";
      return lead + quote + MARK + quote;
    });
  }
  if (/-stdin|--with-token|chpasswd|sudo/.test(out)) {
    out = out.replace(PIPED, (_all, lead: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? "";
      return lead + quote + MARK + quote;
    });
  }
  return out;
}

/**
 * Redaction for texts that quote parts of another one. A part may have lost what shows that it is a secret:
 * of `--password hunter22` only the second word. Every value that is redacted in the source is redacted in them.
 */
export function redactor(source: string): (text: string) => string {
  const values = hiddenValues(source);
  return (text) => {
    let out = text;
    for (const value of values) {
      if (out.includes(value)) out = out.replaceAll(value, MARK);
    }
    return redact(out);
  };
}

/** What stands in the source where its redacted form has marks, longest first. */
function hiddenValues(source: string): readonly string[] {
  const redacted = redact(source);
  if (redacted === source) return [];
  const [first = "", ...kept] = redacted.split(MARK);
  const found = new Set<string>();
  let at = first.length;
  for (const [index, part] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const end = isLast ? source.length - part.length : part === "" ? at : source.indexOf(part, at + 1);
    if (end < at || found.size >= 64) break;
    const value = source.slice(at, end);
    for (const form of [value, value.replaceAll(/["'\\]/g, "")]) if (form.length >= 4) found.add(form);
    at = end + part.length;
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** True for values that no person writes: mixed case, digits, and many different characters. */
function looksRandom(value: string): boolean {
  if (!/[0-9]/.test(value) || !/[A-Z]/.test(value) || !/[a-z]/.test(value)) return false;
  const sample = value.slice(0, 128);
  const counts = new Map<string, number>();
  for (const c of sample) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= n / sample.length * Math.log2(n / sample.length);
  return bits >= 3.9;
}
