/** Rules that begin at the level `paranoid`: everything that leaves the workspace or is not known. */

import type { ActionRule, CommandRule, InvocationRule, PathRule, Rule } from "../src/types.ts";
import { locate, shown } from "../src/paths.ts";
import { evidenceOf } from "./evidence.ts";
import { gitRule } from "./git/rule.ts";
import { installerPrograms, installs } from "./levels/installs.ts";
import { isKnownProgram } from "./levels/programs.ts";
import { copyPrograms, httpPrograms, lookupPrograms, rawPrograms } from "./network/clients.ts";

const level = "paranoid";

const writing: PathRule = {
  on: "path",
  id: "paranoid/write-outside",
  title: "Changes something outside the workspace",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "What lies there does not belong to the task.",
  advice: "Write into the workspace, as in `mkdir -p build`.",
  operations: ["write", "append", "delete", "mode", "link"],
  examples: {
    match: [
      { action: "echo a > /tmp/a.txt" },
      { action: "touch ../other/a.txt" },
      { action: { kind: "file", operation: "write", path: "~/notes.txt", content: "a" } },
      { action: "chmod 600 ~/notes.txt" },
    ],
    pass: [
      { action: "echo a > build/a.txt" },
      { action: "npm test > /dev/null" },
      { action: { kind: "file", operation: "write", path: "src/app.ts", content: "a" } },
    ],
  },
  match(use, context) {
    const { locations, unknown } = locate(use, context);
    const outside = locations.find(({ place }) => !/^(?:workspace|inside|null-device)$/.test(place));
    if (outside === undefined && !unknown) return undefined;
    return {
      evidence: { text: use.path.text, span: use.span },
      message: outside === undefined
        ? "This changes something that is not known before it runs."
        : `${shown(outside.path, context)} lies outside the workspace.`,
    };
  },
};

const clients: InvocationRule = {
  on: "invocation",
  id: "paranoid/network-client",
  title: "Starts a program that talks to the network",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "Whatever it sends has left the machine.",
  advice: "Say what is needed from where, and let the person decide.",
  programs: [
    ...new Set([
      ...httpPrograms,
      ...rawPrograms,
      ...copyPrograms,
      ...lookupPrograms,
      "gh",
      "glab",
      "aws",
      "gcloud",
      "az",
      "kubectl",
      "helm",
      "vercel",
      "netlify",
      "fly",
      "flyctl",
      "heroku",
      "wrangler",
      "firebase",
      "supabase",
      "doctl",
      "terraform",
      "tofu",
      "pulumi",
      "rclone",
      "s3cmd",
      "ssh-copy-id",
      "mosh",
    ]),
  ],
  examples: {
    match: [
      { action: "curl http://localhost:3000/" },
      { action: "gh pr list" },
      { action: "ssh host.example.com uptime" },
      { action: "dig example.com" },
    ],
    pass: [{ action: "echo curl" }, { action: "npm test" }, { action: "man curl" }],
  },
  match: (invocation) => ({ evidence: evidenceOf(invocation) }),
};

const remotes = gitRule(
  {
    id: "paranoid/git-remote",
    title: "Exchanges commits with another machine",
    severity: "medium",
    decision: "ask",
    level,
    rationale: "What is pushed has left the machine, and what is fetched was written by others.",
    advice: "Work with the commits that are here, as in `git log --oneline`.",
    examples: {
      match: [{ action: "git push origin topic" }, { action: "git fetch" }, {
        action: "git clone https://example.com/a.git",
      }],
      pass: [{ action: "git status" }, { action: "git log origin/main" }, { action: "git commit -m 'Fix'" }],
    },
  },
  ({ verb }) =>
    /^(?:push|pull|fetch|clone|ls-remote|send-email|submodule|lfs|request-pull|remote-https?)$/.test(verb)
      ? {}
      : undefined,
);

const fetching: ActionRule = {
  on: "action",
  id: "paranoid/fetch",
  title: "Fetches something from the network",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "The address can carry data away, and what comes back can hold instructions.",
  advice: "Say what is needed from where, and let the person decide.",
  kinds: ["fetch"],
  examples: {
    match: [
      { action: { kind: "fetch", url: "https://example.com/" } },
      { action: { kind: "fetch", url: "http://localhost:8080/" } },
      { action: { kind: "fetch", url: "https://docs.github.com/" } },
    ],
    pass: [
      { action: { kind: "fetch", url: "file:///home/dev/app/README.md" } },
      { action: { kind: "file", operation: "read", path: "README.md" } },
      { action: "cat README.md" },
    ],
  },
  match: (action) =>
    action.kind === "fetch" && !/^file:/i.test(action.url)
      ? { evidence: { text: action.url.slice(0, 200) } }
      : undefined,
};

const packages: InvocationRule = {
  on: "invocation",
  id: "paranoid/install-package",
  title: "Installs packages",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "Packages run their own code when they are installed.",
  advice: "Work with what is installed, as in `npm test`.",
  programs: installerPrograms,
  examples: {
    match: [{ action: "npm ci" }, { action: "pip install -r requirements.txt" }, {
      action: "bundle install",
    }],
    pass: [{ action: "npm test" }, { action: "pip list" }, { action: "cargo build" }],
  },
  match: (invocation) =>
    installs(invocation) === undefined ? undefined : { evidence: evidenceOf(invocation) },
};

const unknown: CommandRule = {
  on: "command",
  id: "paranoid/unknown-program",
  title: "Starts a program that guard does not know",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "Nothing can be said about what it does.",
  advice: "Use a well-known program for it, or ask the person.",
  programs: [],
  examples: {
    match: [{ action: "./deploy" }, { action: "frobnicate --all" }, { action: "cd src && ./run.sh" }],
    pass: [
      { action: "ls -la && cat package.json | head" },
      { action: "git status" },
      { action: "npm test" },
      { action: "f() { echo hi; }; f" },
    ],
  },
  match: ({ invocations }) => {
    const functions = new Set(
      invocations.flatMap((one) => one.via).filter((via) => via.endsWith("()")).map((via) =>
        via.slice(0, -2)
      ),
    );
    return invocations.filter((one) =>
      one.program !== "" && !functions.has(one.program) &&
      (/[\\/]/.test(one.word.text) ? !isKnownPath(one.word.text) : true) &&
      !(isKnownProgram(one.program) && !/^\.{1,2}\//.test(one.word.text))
    ).map((one) => ({ evidence: evidenceOf(one) }));
  },
};

/** Programs of the system, by path. */
function isKnownPath(text: string): boolean {
  const name = /^\/(?:usr\/)?(?:s?bin|local\/bin)\/([^/]+)$/.exec(text)?.[1];
  return name !== undefined && isKnownProgram(name);
}

export const rules: readonly Rule[] = [writing, clients, remotes, fetching, packages, unknown];
