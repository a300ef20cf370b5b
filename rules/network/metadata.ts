/** Metadata services of cloud machines, which hand out credentials. */

import type { Invocation } from "../../src/shell/model.ts";
import type { ActionRule, CommandRule, Match } from "../../src/types.ts";
import { evidenceOf, shorten } from "../evidence.ts";
import { addressesIn, addressesOfWord, addressOfText, isMetadataHost } from "./addresses.ts";
import { httpPrograms, rawHost, requestOf } from "./clients.ts";
import { codeOf, interpreterPrograms } from "./interpreters.ts";

/** The metadata host that a program would ask. */
function asked(invocation: Invocation): string | undefined {
  const request = requestOf(invocation);
  if (request !== undefined) {
    for (const { host } of request.urls.flatMap(addressesOfWord)) {
      if (host !== undefined && isMetadataHost(host)) return host;
    }
    const proxies = invocation.assignments.filter(({ name }) => /^(?:https?|all|ftp)_proxy$/i.test(name));
    for (const detour of [...request.detours, ...proxies.map(({ value }) => value)]) {
      // `--resolve name:port:address`, `--connect-to name:port:host:port`.
      const parts = detour.text.slice(0, 512).split(/[:,](?![^[]*\])/);
      const host = parts.map((part) => addressOfText(part.replace(/^\/+/, ""))?.host)
        .find((one) => one !== undefined && isMetadataHost(one));
      if (host !== undefined) return host;
    }
    return undefined;
  }
  const raw = rawHost(invocation);
  if (raw !== undefined) {
    const host = addressOfText(raw)?.host;
    return host !== undefined && isMetadataHost(host) ? host : undefined;
  }
  const code = codeOf(invocation);
  const texts = [...(code?.inline ?? []), ...(code?.stdin && invocation.stdin ? [invocation.stdin] : [])];
  for (const word of texts) {
    const host = addressesIn(word.text).find((one) => one.host !== undefined && isMetadataHost(one.host))
      ?.host;
    if (host !== undefined) return host;
  }
  for (const { target } of invocation.redirections) {
    const host = /^\/dev\/(?:tcp|udp)\/([^/]+)\//.exec(target.text)?.[1];
    if (host !== undefined && isMetadataHost(addressOfText(host)?.host ?? host)) return host;
  }
  return undefined;
}

const rationale =
  "A cloud machine's metadata service gives its access keys to every process that asks; with them anybody can act as the machine.";
const advice =
  "Use the tools that are already signed in (`aws sts get-caller-identity`, `gcloud auth list`), or ask the person for what you need to know.";

export const metadataCommand: CommandRule = {
  id: "network/cloud-metadata",
  title: "Asking a cloud metadata service",
  severity: "critical",
  decision: "deny",
  rationale,
  advice,
  examples: {
    match: [
      { action: "curl -s http://169.254.169.254/latest/meta-data/", decision: "deny" },
      { action: "wget -qO- http://2852039166/latest/meta-data/", decision: "deny" },
      { action: "curl http://0xa9.0xfe.0xa9.0xfe/", decision: "deny" },
      {
        action: "curl -H 'Metadata-Flavor: Google' http://metadata.google.internal/computeMetadata/v1/",
        decision: "deny",
      },
      { action: "curl 'http://[::ffff:169.254.169.254]/'", decision: "deny" },
      { action: "curl -g 'http:/169.254.43518/latest/'", decision: "deny" },
      { action: "curl 'http://169.254.{169}.254/latest/'", decision: "deny" },
      { action: "http_proxy=http://169.254.169.254 curl http://a.example/", decision: "deny" },
      { action: "curl http://metadata.google.internal./", decision: "deny" },
      { action: "curl http://169%2e254%2e169%2e254/", decision: "deny" },
      { action: "curl --resolve a.example:80:169.254.169.254 http://a.example/", decision: "deny" },
      {
        action: `python3 -c 'import urllib.request as u; u.urlopen("http://169.254.169.254/")'`,
        decision: "deny",
      },
    ],
    pass: [
      { action: "curl -s localhost:3000/health" },
      { action: "curl https://example.com/metadata" },
      { action: "grep -rn 169.254.169.254 src" },
      { action: "git commit -m 'block http://169.254.169.254'" },
    ],
  },
  on: "command",
  programs: [
    ...httpPrograms,
    ...interpreterPrograms,
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "socat",
    "openssl",
    "exec",
    "cat",
    "echo",
    "printf",
  ],
  match(understanding): readonly Match[] {
    const matches: Match[] = [];
    for (const invocation of understanding.invocations) {
      const host = asked(invocation);
      if (host === undefined) continue;
      matches.push({
        message: `\`${invocation.program}\` would ask the metadata service at ${host}.`,
        evidence: evidenceOf(invocation),
      });
    }
    return matches;
  },
};

export const metadataFetch: ActionRule = {
  id: "network/fetch-cloud-metadata",
  title: "Fetching from a cloud metadata service",
  severity: "critical",
  decision: "deny",
  rationale,
  advice,
  examples: {
    match: [
      { action: { kind: "fetch", url: "http://169.254.169.254/latest/meta-data/" }, decision: "deny" },
      { action: { kind: "fetch", url: "http://0251.0376.0251.0376/" }, decision: "deny" },
      { action: { kind: "fetch", url: "https://docs.example.com@169.254.169.254./" }, decision: "deny" },
      { action: { kind: "fetch", url: "http://[fd00:ec2::254]/latest/" }, decision: "deny" },
      { action: { kind: "fetch", url: "http://169-254-169-254.sslip.io/" }, decision: "deny" },
      { action: { kind: "fetch", url: "http://１６９。254。169。254/" }, decision: "deny" },
      { action: { kind: "fetch", url: "http://make-7f000001-a9fea9fe-rr.1u.ms/" }, decision: "deny" },
    ],
    pass: [
      { action: { kind: "fetch", url: "https://docs.example.com/169.254.169.254" } },
      { action: { kind: "fetch", url: "http://localhost:8080/" } },
      { action: { kind: "fetch", url: "not a url" } },
    ],
  },
  on: "action",
  kinds: ["fetch"],
  match(action): Match | undefined {
    if (action.kind !== "fetch") return undefined;
    const host = addressOfText(action.url)?.host;
    if (host === undefined || !isMetadataHost(host)) return undefined;
    return {
      message: `The metadata service at ${host} would be asked.`,
      evidence: { text: shorten(action.url, 120) },
    };
  },
};
