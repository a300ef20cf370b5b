/** Programs that talk to other machines: what they send where, and what they bring back. */

import type { Invocation, Word } from "../../src/shell/model.ts";
import { dropStart, literalStart } from "../../src/words.ts";
import { type OptionSpec, parseArguments, type ParsedArguments } from "../options.ts";

/** What an HTTP client was told to do. */
export interface Request {
  readonly urls: readonly Word[];
  /** Parts that are meant to carry credentials: headers, users, cookies. */
  readonly headers: readonly Word[];
  /** Parts that carry data: bodies, forms. A word may name a file as `@path`. */
  readonly body: readonly Word[];
  /** Addresses that replace the one in the URL: proxies, `--resolve`, `--connect-to`. */
  readonly detours: readonly Word[];
  /** Files to which the answer is written; none means standard output. */
  readonly outputs: readonly Word[];
  /** The answer is written to a file named like the end of the URL. */
  readonly namedByUrl: boolean;
  /** Standard input becomes part of what is sent. */
  readonly sendsStdin: boolean;
  /** As written; absent when the client chooses it. */
  readonly method?: Word | undefined;
  /** Commands to the server besides the request: `-Q 'DELE file'`. */
  readonly commands?: readonly Word[];
  /** A socket on this machine through which it goes. */
  readonly socket?: Word | undefined;
}

const curlSpec: OptionSpec = {
  values: [
    ..."AbcCdDeEFhHKmoPQrtTuUwxXyYz".split("").map((letter) => `-${letter}`),
    ..."url data data-raw data-binary data-urlencode data-ascii json form form-string upload-file url-query header proxy-header user oauth2-bearer proxy-user cookie cookie-jar user-agent referer output output-dir request max-time connect-timeout retry retry-delay retry-max-time cert cert-type key key-type cacert capath pass ciphers tls-max proxy proxy1.0 preproxy socks4 socks4a socks5 socks5-hostname resolve connect-to interface local-port dns-servers limit-rate speed-limit speed-time range continue-at config write-out dump-header trace trace-ascii stderr netrc-file unix-socket abstract-unix-socket aws-sigv4 max-redirs max-filesize time-cond noproxy proto proto-default proto-redir quote mail-from mail-rcpt telnet-option ftp-port doh-url hostpubmd5 krb variable expect100-timeout keepalive-time alt-svc hsts login-options parallel-max rate service-name delegation egd-file random-file crlfile pinnedpubkey"
      .split(" ").map((name) => `--${name}`),
  ],
};

const wgetSpec: OptionSpec = {
  values: [
    ..."aBDeiIloOPQRtTUwXA".split("").map((letter) => `-${letter}`),
    ..."post-data post-file body-data body-file method header user password http-user http-password proxy-user proxy-password user-agent referer output-document output-file append-output directory-prefix base input-file tries timeout dns-timeout connect-timeout read-timeout wait waitretry limit-rate quota load-cookies save-cookies certificate private-key ca-certificate ca-directory execute level accept reject domains exclude-domains include-directories exclude-directories bind-address default-page cut-dirs"
      .split(" ").map((name) => `--${name}`),
  ],
};

const httpieSpec: OptionSpec = {
  values: [
    ..."oabpsA".split("").map((letter) => `-${letter}`),
    ..."output auth auth-type session session-read-only proxy timeout print style pretty verify cert cert-key max-redirects format-options raw"
      .split(" ").map((name) => `--${name}`),
  ],
};

const powershellSpec: OptionSpec = {
  style: "powershell",
  values: [
    "-uri",
    "-method",
    "-headers",
    "-body",
    "-infile",
    "-outfile",
    "-credential",
    "-token",
    "-authentication",
    "-contenttype",
    "-useragent",
    "-timeoutsec",
    "-proxy",
    "-form",
    "-websession",
    "-sessionvariable",
    "-maximumredirection",
    "-custommethod",
    "-certificate",
    "-source",
    "-destination",
  ],
};

const plainSpec: OptionSpec = {
  values: [
    "-o",
    "-O",
    "-d",
    "--out",
    "--dir",
    "--output",
    "--output-file",
    "--header",
    "--all-proxy",
    "--http-proxy",
    "--https-proxy",
    "--ftp-proxy",
    "-i",
    "-x",
    "-s",
    "-j",
  ],
};

const nothing: Request = {
  urls: [],
  headers: [],
  body: [],
  detours: [],
  outputs: [],
  namedByUrl: false,
  sendsStdin: false,
};

/** Clients that print what they get, or save it. */
export const httpPrograms = [
  "curl",
  "curlie",
  "wget",
  "wget2",
  "http",
  "https",
  "xh",
  "xhs",
  "fetch",
  "aria2c",
  "axel",
  "lynx",
  "w3m",
  "links",
  "elinks",
  "invoke-webrequest",
  "invoke-restmethod",
  "iwr",
  "irm",
  "start-bitstransfer",
  "certutil",
  "bitsadmin",
] as const;

const cache = new WeakMap<Invocation, { readonly request: Request | undefined }>();

/** Undefined when the program is no HTTP client. */
export function requestOf(invocation: Invocation): Request | undefined {
  let known = cache.get(invocation);
  if (known === undefined) cache.set(invocation, known = { request: readRequest(invocation) });
  return known.request;
}

function readRequest(invocation: Invocation): Request | undefined {
  const { args } = invocation;
  const program = invocation.program.toLowerCase();
  // In PowerShell `curl` and `wget` are names of Invoke-WebRequest, unless written with `.exe`.
  const cmdlet = invocation.dialect === "powershell" && !/\.exe$/i.test(invocation.word.text) &&
    /^(?:curl|wget)$/.test(program);
  switch (cmdlet ? "invoke-webrequest" : program) {
    case "curl":
    case "curlie":
      return curl(parseArguments(args, curlSpec));
    case "wget":
    case "wget2":
      return wget(parseArguments(args, wgetSpec));
    case "http":
    case "https":
    case "xh":
    case "xhs":
      return httpie(parseArguments(args, httpieSpec));
    case "invoke-webrequest":
    case "invoke-restmethod":
    case "iwr":
    case "irm":
    case "start-bitstransfer": {
      const parsed = parseArguments(args, powershellSpec);
      const output = parsed.value("-outfile", "-destination");
      return {
        ...nothing,
        method: parsed.value("-custommethod", "-method"),
        urls: parsed.value("-uri", "-source") !== undefined
          ? parsed.values("-uri", "-source")
          : parsed.operands.slice(0, 1),
        headers: parsed.values("-headers", "-token", "-credential", "-websession"),
        body: parsed.values("-body", "-infile", "-form"),
        detours: parsed.values("-proxy"),
        outputs: output === undefined ? [] : [output],
      };
    }
    case "fetch":
    case "aria2c":
    case "axel":
    case "lynx":
    case "w3m":
    case "links":
    case "elinks": {
      const parsed = parseArguments(args, plainSpec);
      const saves = program === "aria2c" || program === "axel" || program === "fetch";
      const output = parsed.value("-o", "--out", "--output");
      return {
        ...nothing,
        urls: parsed.operands.filter(isUrl),
        headers: parsed.values("--header"),
        detours: parsed.values("--all-proxy", "--http-proxy", "--https-proxy", "--ftp-proxy"),
        outputs: output !== undefined && output.text !== "-" ? [output] : [],
        namedByUrl: saves && output === undefined,
      };
    }
    case "certutil":
    case "bitsadmin": {
      const urls = args.filter(isUrl);
      const last = args.at(-1);
      return { ...nothing, urls, outputs: last !== undefined && !urls.includes(last) ? [last] : [] };
    }
    default:
      return undefined;
  }
}

/** Data that stands for standard input: `@-`, `name@-`, `-`. */
function isStdin(word: Word): boolean {
  return word.text.length < 500 && /^(?:-|.*[@<](?:-|\/dev\/stdin|\/dev\/fd\/0))(?:;.*)?$/.test(word.text);
}

function curl(parsed: ParsedArguments): Request {
  const data = parsed.values(
    "-d",
    "--data",
    "--data-binary",
    "--data-urlencode",
    "--data-ascii",
    "--json",
    "-F",
    "--form",
  );
  const raw = parsed.values("--data-raw", "--form-string", "--url-query");
  const files = parsed.values("-T", "--upload-file");
  const outputs = parsed.values("-o", "--output").filter((word) => word.text !== "-");
  return {
    method: parsed.value("-X", "--request"),
    commands: parsed.values("-Q", "--quote"),
    socket: parsed.value("--unix-socket", "--abstract-unix-socket"),
    urls: [...parsed.operands, ...parsed.values("--url")],
    headers: parsed.values(
      "-H",
      "--header",
      "-u",
      "--user",
      "--oauth2-bearer",
      "-b",
      "--cookie",
      "-A",
      "--user-agent",
      "-e",
      "--referer",
      "-U",
      "--proxy-user",
      "--proxy-header",
    ),
    body: [...data, ...raw, ...files],
    detours: parsed.values(
      "--resolve",
      "--connect-to",
      "-x",
      "--proxy",
      "--preproxy",
      "--socks5",
      "--socks5-hostname",
      "--socks4",
      "--socks4a",
    ),
    outputs,
    namedByUrl: parsed.has("-O", "--remote-name", "--remote-name-all"),
    sendsStdin: data.some(isStdin) || files.some((word) => /^[-.]$|^\/dev\/stdin$/.test(word.text)) ||
      parsed.values("-K", "--config").some((word) => word.text === "-"),
  };
}

function wget(parsed: ParsedArguments): Request {
  const output = parsed.value("-O", "--output-document");
  const files = parsed.values("--post-file", "--body-file");
  return {
    method: parsed.value("--method"),
    urls: parsed.operands,
    headers: parsed.values(
      "--header",
      "--user",
      "--password",
      "--http-user",
      "--http-password",
      "-U",
      "--user-agent",
      "--referer",
    ),
    body: [...parsed.values("--post-data", "--body-data"), ...files],
    // `-e https_proxy=…`.
    detours: parsed.values("-e", "--execute").filter((word) => /^\s*\w*_proxy\s*=/i.test(word.text))
      .map((word) => dropStart(word, word.text.indexOf("=") + 1)),
    outputs: output === undefined || output.text === "-" ? [] : [output],
    namedByUrl: output === undefined,
    sendsStdin: files.some((word) => /^(?:-|\/dev\/stdin)$/.test(word.text)) ||
      parsed.values("-i", "--input-file").some((word) => word.text === "-"),
  };
}

function httpie(parsed: ParsedArguments): Request {
  const method = /^[A-Z]+$/.test(parsed.operands[0]?.text ?? "") ? parsed.operands[0] : undefined;
  const operands = method === undefined ? parsed.operands : parsed.operands.slice(1);
  const [url, ...items] = operands;
  const isHeader = (word: Word) => /^[\w-]+:(?!=)/.test(word.text);
  const output = parsed.value("-o", "--output");
  return {
    ...nothing,
    method,
    urls: url === undefined ? [] : [url],
    headers: [...items.filter(isHeader), ...parsed.values("-a", "--auth")],
    body: [...items.filter((word) => !isHeader(word)), ...parsed.values("--raw")],
    detours: parsed.values("--proxy"),
    outputs: output === undefined ? [] : [output],
    namedByUrl: parsed.has("-d", "--download") && output === undefined,
    sendsStdin: !parsed.has("-I", "--ignore-stdin"),
  };
}

function isUrl(word: Word): boolean {
  return /^(?:https?|ftps?):\/\//i.test(literalStart(word));
}

/** Programs that pass standard input to another machine as it is. */
export const rawPrograms = [
  "nc",
  "ncat",
  "netcat",
  "socat",
  "telnet",
  "ssh",
  "openssl",
  "ftp",
  "lftp",
  "sftp",
  "tftp",
  "mail",
  "mailx",
  "s-nail",
  "mutt",
  "sendmail",
  "msmtp",
  "swaks",
  "websocat",
  "wscat",
  "pastebinit",
] as const;

/** Programs that copy files to other machines. */
export const copyPrograms = [
  "scp",
  "rsync",
  "aws",
  "gsutil",
  "gcloud",
  "az",
  "azcopy",
  "rclone",
  "mc",
  "s3cmd",
  "s5cmd",
  "gh",
  "glab",
  "croc",
  "wormhole",
  "ffsend",
] as const;

/** Programs that ask name servers or other hosts about a name that is written on the command line. */
export const lookupPrograms = [
  "nslookup",
  "dig",
  "host",
  "ping",
  "ping6",
  "drill",
  "kdig",
  "whois",
  "traceroute",
] as const;

/** The host that a raw client connects to; undefined when it connects to none or it is not known. */
export function rawHost(invocation: Invocation): string | undefined {
  const words = invocation.args.map((word) => word.text);
  switch (invocation.program) {
    case "nc":
    case "ncat":
    case "netcat":
    case "telnet":
      return parseArguments(invocation.args, {
        values: [
          "-p",
          "-s",
          "-w",
          "-q",
          "-i",
          "-x",
          "-X",
          "-I",
          "-O",
          "-T",
          "-G",
          "-e",
          "-c",
          "--exec",
          "--sh-exec",
        ],
      }).operands[0]?.text;
    case "openssl": {
      const at = words.findIndex((word) => word === "-connect" || word === "-host");
      return at < 0 ? undefined : words[at + 1]?.replace(/:\d+$/, "");
    }
    case "socat": {
      for (const word of words) {
        const host = /^(?:tcp[46]?|udp[46]?|openssl|ssl|sctp[46]?)(?:-connect)?:(\[[^\]]*\]|[^:,]+)/i.exec(
          word,
        )?.[1];
        if (host !== undefined) return host;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/** True when this use of a raw program sends its standard input away. */
export function sendsInput(invocation: Invocation): boolean {
  const { program, args } = invocation;
  if (program === "openssl") return args[0]?.text === "s_client";
  if (program === "ssh") return invocation.remote === undefined;
  if (program === "socat") {
    return args.some((word) => /^(?:tcp|udp|openssl|ssl|sctp|proxy|socks)/i.test(word.text));
  }
  if (program === "nc" || program === "ncat" || program === "netcat") {
    // -z only looks whether a port is open.
    return !parseArguments(args).has("-z");
  }
  return (rawPrograms as readonly string[]).includes(program);
}

/** Operands of a copying program that leave the machine; empty when it copies nothing out. */
export function copiedOut(invocation: Invocation): readonly Word[] {
  const { program, args } = invocation;
  const words = args.map((word) => word.text);
  switch (program) {
    case "scp": {
      const { operands } = parseArguments(args, {
        values: ["-i", "-P", "-o", "-F", "-c", "-l", "-J", "-S", "-D", "-X"],
      });
      return isRemote(operands.at(-1)) ? operands.slice(0, -1).filter((word) => !isRemote(word)) : [];
    }
    case "rsync": {
      const { operands } = parseArguments(args, {
        values: [
          "-e",
          "--rsh",
          "--exclude",
          "--include",
          "--exclude-from",
          "--include-from",
          "-f",
          "--filter",
          "--files-from",
          "--bwlimit",
          "--port",
          "--password-file",
          "--log-file",
          "--rsync-path",
          "-T",
          "--temp-dir",
          "-B",
          "--timeout",
          "--chmod",
          "--chown",
          "-M",
        ],
      });
      return isRemote(operands.at(-1)) ? operands.slice(0, -1).filter((word) => !isRemote(word)) : [];
    }
    case "aws":
      return words[0] === "s3" && /^(?:cp|mv|sync)$/.test(words[1] ?? "") &&
          /^s3:/.test(operandAt(args, 3)?.text ?? "")
        ? onlyLocal(args.slice(2))
        : words.includes("put-object")
        ? valueAfter(args, "--body")
        : [];
    case "gsutil":
    case "gcloud":
    case "rclone":
    case "mc":
    case "s3cmd":
    case "s5cmd":
    case "azcopy":
      return words.some((word) => /^(?:cp|copy|copyto|mv|move|moveto|rsync|sync|put|rcat|mirror)$/.test(word))
        ? onlyLocal(args)
        : [];
    case "az":
      return words.includes("upload") || words.includes("upload-batch")
        ? [
          ...valueAfter(args, "-f"),
          ...valueAfter(args, "--file"),
          ...valueAfter(args, "-s"),
          ...valueAfter(args, "--source"),
        ]
        : [];
    case "gh":
    case "glab":
      return /^(?:gist create|gist edit|release upload|release create|snippet create)$/.test(
          words.slice(0, 2).join(" "),
        )
        ? args.slice(2)
        : [];
    case "croc":
    case "wormhole":
    case "ffsend":
      return /^(?:send|upload)$/.test(words[0] ?? "") ? args.slice(1) : [];
    default:
      return [];
  }
}

function operandAt(args: readonly Word[], index: number): Word | undefined {
  return args.filter((word) => !word.text.startsWith("-"))[index];
}

function valueAfter(args: readonly Word[], name: string): readonly Word[] {
  const found: Word[] = [];
  for (const [index, word] of args.entries()) {
    const next = args[index + 1];
    if (word.text === name && next !== undefined) found.push(next);
    else if (word.text.startsWith(`${name}=`)) found.push(dropStart(word, name.length + 1));
  }
  return found;
}

function onlyLocal(args: readonly Word[]): readonly Word[] {
  return args.filter((word) => !word.text.startsWith("-") && !isRemote(word));
}

/** `host:path`, `user@host:`, `scheme://…`; a Windows drive is local. */
function isRemote(word: Word | undefined): boolean {
  const colon = word?.text.indexOf(":") ?? -1;
  const host = word?.text.slice(0, Math.max(colon, 0)) ?? "";
  return host !== "" && !/[/\\]/.test(host) && (host.length > 1 || host.includes("@"));
}
