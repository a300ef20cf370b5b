/** Requests to hosts that are made to be taken for a well-known one. */

import type { ActionRule, CommandRule, Match } from "../../src/types.ts";
import { evidenceOf, shorten } from "../evidence.ts";
import { addressesOfWord, addressOfText } from "./addresses.ts";
import { httpPrograms, requestOf } from "./clients.ts";
import { deceit } from "./likeness.ts";

/** What the rules about them say, whatever asks. */
export const lookAlike = {
  severity: "high",
  decision: "ask",
  rationale:
    "Letters of other scripts, digits in the place of letters, and a known name in front of `@` make the address of somebody else look like that of a known service.",
  advice: "Write the address of the real service, or ask the person whether this one is meant.",
} as const;

export const lookAlikeCommand: CommandRule = {
  ...lookAlike,
  id: "network/look-alike-host",
  title: "Asking a host that looks like a well-known one",
  examples: {
    match: [
      { action: "curl -O https://gіthub.com/cli/cli/archive/v2.tar.gz", decision: "ask" },
      { action: "wget https://xn--pypal-4ve.com/login", decision: "ask" },
      { action: "curl https://registry.rnicrosoft.com/x", decision: "ask" },
      { action: "curl https://github.com@files.example/tool.tar.gz", decision: "ask" },
    ],
    pass: [
      { action: "curl https://github.com/cli/cli/archive/v2.tar.gz" },
      { action: "curl https://müller.de/" },
      { action: "curl https://президент.рф/" },
      { action: "curl https://x-access-token:$GITHUB_TOKEN@github.com/a/b" },
      { action: "curl https://api.example.com/" },
    ],
  },
  on: "command",
  programs: [...httpPrograms],
  match(understanding): readonly Match[] {
    return understanding.invocations.flatMap((invocation) => {
      const urls = requestOf(invocation)?.urls ?? [];
      const message = urls.flatMap(addressesOfWord).map(deceit).find((one) => one !== undefined);
      return message === undefined ? [] : [{ message, evidence: evidenceOf(invocation) }];
    });
  },
};

export const lookAlikeFetch: ActionRule = {
  ...lookAlike,
  id: "network/fetch-look-alike-host",
  title: "Fetching from a host that looks like a well-known one",
  examples: {
    match: [
      { action: { kind: "fetch", url: "https://www.gооgle.com/" }, decision: "ask" },
      { action: { kind: "fetch", url: "https://gıthub.com/" }, decision: "ask" },
      { action: { kind: "fetch", url: "https://npmjs.com%2F@evil.example/" }, decision: "ask" },
      { action: { kind: "fetch", url: "https://paypa1.com/" }, decision: "ask" },
    ],
    pass: [
      { action: { kind: "fetch", url: "https://bücher.example/" } },
      { action: { kind: "fetch", url: "https://例え.jp/" } },
      { action: { kind: "fetch", url: "https://www.google.com/" } },
      { action: { kind: "fetch", url: "https://eva@example.com/" } },
    ],
  },
  on: "action",
  kinds: ["fetch"],
  match(action): Match | undefined {
    if (action.kind !== "fetch") return undefined;
    const address = addressOfText(action.url);
    const message = address === undefined ? undefined : deceit(address);
    return message === undefined ? undefined : { message, evidence: { text: shorten(action.url, 120) } };
  },
};
