/** Schemes with which a client speaks to services that never meant to be spoken to. */

import type { ActionRule, CommandRule, Match } from "../../src/types.ts";
import { evidenceOf, shorten } from "../evidence.ts";
import { httpPrograms, requestOf } from "./clients.ts";

/** What hardly anybody asks for by hand, and what requests are forged with. */
const unusual =
  /^\s*(?:(?:url|view-source|feed):)*(gophers?|dict|ldaps?|tftp|telnet|smbs?|jar|netdoc|php|phar|expect|ssh2|ogg|glob|zip|compress\.(?:zlib|bzip2)):/i;

function schemeOf(url: string): string | undefined {
  return unusual.exec(url.slice(0, 200))?.[1]?.toLowerCase();
}

const base = {
  severity: "high",
  decision: "ask",
  rationale:
    "With `gopher:`, `dict:`, `ldap:` and their like a client sends lines of any form to any port: to a cache, a database or a mail server that trusts this machine. `jar:`, `php:` and `phar:` open and run what they name.",
  advice: "Use http or https, or the client that is made for the service; or ask the person.",
} as const;

export const schemeCommand: CommandRule = {
  ...base,
  id: "network/unusual-scheme",
  title: "Asking a service with a scheme that requests are forged with",
  examples: {
    match: [
      { action: "curl gopher://127.0.0.1:6379/_INFO", decision: "ask" },
      { action: "curl -s dict://127.0.0.1:11211/stats", decision: "ask" },
      { action: "curl 'ldap://10.0.0.5/dc=example'", decision: "ask" },
      { action: "curl -o boot.img tftp://10.0.0.5/boot.img", decision: "ask" },
    ],
    pass: [
      { action: "curl https://example.com/gopher" },
      { action: "curl -O ftp://ftp.gnu.org/gnu/hello/hello-2.12.tar.gz" },
      { action: "curl dict.example.com:80/words" },
      { action: "wget https://example.com/ldap://a" },
      { action: "grep -rn gopher:// src" },
    ],
  },
  on: "command",
  programs: [...httpPrograms],
  match(understanding): readonly Match[] {
    return understanding.invocations.flatMap((invocation) => {
      const scheme = requestOf(invocation)?.urls.map((url) => schemeOf(url.text)).find((one) =>
        one !== undefined
      );
      return scheme === undefined ? [] : [{
        message: `\`${invocation.program}\` would speak ${scheme} to a service.`,
        evidence: evidenceOf(invocation),
      }];
    });
  },
};

export const schemeFetch: ActionRule = {
  ...base,
  id: "network/fetch-unusual-scheme",
  title: "Fetching with a scheme that requests are forged with",
  examples: {
    match: [
      { action: { kind: "fetch", url: "gopher://127.0.0.1:25/_HELO" }, decision: "ask" },
      { action: { kind: "fetch", url: "jar:https://example.com/a.jar!/x" }, decision: "ask" },
      {
        action: { kind: "mcp", server: "web", tool: "get", input: { url: "dict://127.0.0.1:6379/INFO" } },
        decision: "ask",
      },
    ],
    pass: [
      { action: { kind: "fetch", url: "https://example.com/jar:x" } },
      { action: { kind: "fetch", url: "ftp://ftp.gnu.org/" } },
      { action: { kind: "mcp", server: "db", tool: "read_resource", input: { uri: "postgres://db/users" } } },
    ],
  },
  on: "action",
  kinds: ["fetch"],
  match(action): Match | undefined {
    if (action.kind !== "fetch") return undefined;
    const scheme = schemeOf(action.url);
    return scheme === undefined ? undefined : {
      message: `A service would be spoken to in ${scheme}.`,
      evidence: { text: shorten(action.url, 120) },
    };
  },
};
