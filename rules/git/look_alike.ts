/** Repositories at hosts that are made to be taken for a well-known one. */

import { addressOfText } from "../network/addresses.ts";
import { remotesOf } from "../network/git_remotes.ts";
import { deceit } from "../network/likeness.ts";
import { gitRule } from "./rule.ts";

/** `user@host:path`, which is no URL. */
const short = /^(?:[^/@\s]+@)?([^/:@\s[\]]{2,253}):(?!\/\/)/;

function hostText(remote: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(remote)) return remote;
  return short.exec(remote)?.[1];
}

export const lookAlikeRemote = gitRule({
  id: "git/look-alike-host",
  title: "Using a repository at a host that looks like a well-known one",
  severity: "high",
  decision: "ask",
  rationale:
    "Letters of other scripts, digits in the place of letters, and a known name in front of `@` make the address of somebody else look like that of a known service; what is cloned from there is built and run.",
  advice: "Write the address of the real service, or ask the person whether this one is meant.",
  examples: {
    match: [
      { action: "git clone https://gіthub.com/cli/cli" },
      { action: "git clone --filter blob:none https://g1thub.com/cli/cli.git" },
      { action: "git clone git@githuЬ.com:cli/cli.git" },
      { action: "git remote add origin https://github.com@files.example/cli/cli" },
      { action: "git -C app submodule add https://xn--gthub-n4a.com/a/b" },
    ],
    pass: [
      { action: "git clone https://github.com/cli/cli" },
      { action: "git clone git@github.com:cli/cli.git" },
      { action: "git clone https://x-access-token:$GITHUB_TOKEN@github.com/a/b" },
      { action: "git push origin main:main" },
      { action: "git clone https://git.example.com/a/b" },
    ],
  },
}, ({ verb, args }) => {
  for (const remote of remotesOf(verb, args)) {
    const text = hostText(remote);
    const address = text === undefined ? undefined : addressOfText(text);
    const message = address === undefined ? undefined : deceit(address);
    if (message !== undefined) return { message };
  }
  return undefined;
});
