/** Rules that begin at the level `strict`: ordinary things that some want to be asked about. */

import type { ActionRule, CommandRule, InvocationRule, PathRule, Policy, Rule } from "../src/types.ts";
import { locate, shown } from "../src/paths.ts";
import { isAllowed } from "./network/address_entries.ts";
import { evidenceOf } from "./evidence.ts";
import { formRule } from "./shared/form_rule.ts";
import { gitRule } from "./git/rule.ts";
import { installerPrograms, installs } from "./levels/installs.ts";
import { addressOf, addressOfText, isLoopback } from "./network/addresses.ts";
import { httpPrograms, requestOf } from "./network/clients.ts";
import { parseArguments } from "./options.ts";

const level = "strict";

const environment = formRule({
  id: "strict/print-environment",
  title: "Prints the whole environment",
  severity: "low",
  decision: "ask",
  level,
  rationale: "Tokens and passwords are often handed to programs through it.",
  advice: "Ask for the one variable that is needed, as in `printenv PATH`.",
  inContainers: true,
  examples: {
    match: [
      { action: "env" },
      { action: "printenv" },
      { action: "env | sort" },
      { action: "export -p" },
    ],
    pass: [
      { action: "printenv PATH" },
      { action: "env NODE_ENV=test npm test" },
      { action: "export NODE_ENV=test" },
      { action: "set -e" },
    ],
  },
}, {
  env: ({ operands, texts }) =>
    operands.filter((text) => !/^[A-Za-z_]\w*=/.test(text)).length === 0 &&
    !texts.some((text) => /^(?:-i|-|--ignore-environment|-S.*|--split-string.*)$/.test(text)),
  printenv: ({ operands }) => operands.length === 0,
  "export declare typeset": ({ operands, texts }) =>
    operands.length === 0 && texts.every((text) => /^-[px]+$/.test(text)),
  set: ({ texts }) => texts.length === 0,
});

const skipChecks = gitRule({
  id: "strict/skip-checks",
  title: "Commits or pushes past the checks of the project",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "The hooks of the project hold what its people agreed to check.",
  advice: "Let the hooks run and mend what they find, as in `git commit -m 'Fix the total'`.",
  examples: {
    match: [
      { action: "git commit --no-verify -m 'Fix'" },
      { action: "git commit -nm 'Fix'" },
      { action: "git push --no-verify origin topic" },
      { action: "HUSKY=0 git commit -m 'Fix'" },
    ],
    pass: [
      { action: "git commit -m 'Fix'" },
      { action: "git commit -m '--no-verify is bad'" },
      { action: "git log -n 5" },
      { action: "git push -n origin topic" },
    ],
  },
}, ({ verb, args, environment }) => {
  if (!/^(?:commit|push|merge|am|rebase)$/.test(verb)) return undefined;
  const parsed = parseArguments(args, {
    values: verb === "commit"
      ? [
        "-m",
        "--message",
        "-F",
        "--file",
        "-C",
        "-c",
        "-t",
        "--template",
        "--author",
        "--date",
        "--fixup",
        "--squash",
      ]
      : verb === "push"
      ? ["-o", "--push-option", "--repo"]
      : ["-m", "-s", "-X", "-x", "--onto"],
    attached: ["-u", "-S"],
    long: ["--no-verify", "--verify", "--no-verbose"],
  });
  const skips = parsed.has("--no-verify") || (verb === "commit" && parsed.has("-n"));
  const off = environment.some(({ name, value }) =>
    (/^(?:HUSKY|LEFTHOOK|PRE_COMMIT)$/.test(name) && /^(?:0|false)$/.test(value.text)) ||
    /^(?:SKIP|HUSKY_SKIP_HOOKS|SKIP_SIMPLE_GIT_HOOKS|LEFTHOOK_EXCLUDE)$/.test(name)
  );
  return skips || off ? {} : undefined;
});

const pushDefault = gitRule({
  id: "strict/push-default-branch",
  title: "Pushes to the default branch",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "Others build on it, and what is pushed there has not been looked at by anybody else.",
  advice: "Push a branch of your own and open a pull request: `git push -u origin topic`.",
  examples: {
    match: [
      { action: "git push origin main", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push", facts: { git: { branch: "main", default: "main" } } },
      { action: "git push origin HEAD:main", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push origin", facts: { git: {} } },
    ],
    pass: [
      { action: "git push -u origin topic", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push", facts: { git: { branch: "topic", default: "main" } } },
      { action: "git push --dry-run origin main", facts: { git: { branch: "main", default: "main" } } },
      { action: "git pull origin main", facts: { git: { branch: "main", default: "main" } } },
    ],
  },
}, ({ verb, args }, world) => {
  if (verb !== "push") return undefined;
  const parsed = parseArguments(args, {
    values: ["-o", "--push-option", "--receive-pack", "--exec", "--repo"],
    attached: ["--force-with-lease", "--signed", "--recurse-submodules"],
  });
  if (parsed.has("-n", "--dry-run", "--tags") && parsed.operands.length < 2) return undefined;
  if (parsed.has("-n", "--dry-run")) return undefined;
  const named = new Set(world.repositories.map((facts) => facts?.defaultBranch()));
  const isDefault = (branch: string | undefined) =>
    branch === undefined || named.has(branch) ||
    ([...named].some((one) => one === undefined) && /^(?:main|master|trunk)$/.test(branch));
  const refs = parsed.operands.slice(1);
  if (parsed.has("--all", "--branches", "--mirror")) return {};
  if (refs.length === 0) return isDefault(world.branch) ? {} : undefined;
  return refs.some((word) => {
      if (!word.isStatic) return true;
      const target = word.text.replace(/^\+/, "").split(":").at(-1)!.replace(/^refs\/heads\//, "");
      return isDefault(target === "HEAD" || target === "@" ? world.branch : target);
    })
    ? {}
    : undefined;
});

const addPackage: InvocationRule = {
  on: "invocation",
  id: "strict/add-package",
  title: "Installs a package that the project does not list",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "A package runs its own code when it is installed, and a name is easily mistaken for another.",
  advice: "Install what the project lists, as in `npm ci`, and ask the person about new packages.",
  programs: installerPrograms,
  examples: {
    match: [
      { action: "npm install left-pad" },
      { action: "pip install requests" },
      { action: "cargo add serde" },
      { action: "uv pip install httpx" },
      { action: "npx cowsay hello" },
    ],
    pass: [
      { action: "npm install" },
      { action: "npm ci" },
      { action: "pip install -r requirements.txt" },
      { action: "pip install -e ." },
      { action: "cargo build" },
      { action: "yarn" },
    ],
  },
  match: (invocation) => installs(invocation) === "new" ? { evidence: evidenceOf(invocation) } : undefined,
};

/** Hosts on which code and its documentation are published. */
const known =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|github\.io|gitlab\.com|bitbucket\.org|codeberg\.org|npmjs\.(?:org|com)|pypi\.org|pythonhosted\.org|crates\.io|docs\.rs|rubygems\.org|golang\.org|go\.dev|pkg\.go\.dev|maven\.org|debian\.org|ubuntu\.com|python\.org|nodejs\.org|deno\.land|deno\.com|rust-lang\.org|mozilla\.org|wikipedia\.org|stackoverflow\.com|readthedocs\.io|example\.(?:com|org|net))$/;

/** Hosts that the policy allows are known; a user's word does not count against an administrator's level. */
function isUnknownHost(host: string | undefined, { addresses, floor }: Policy): boolean {
  if (host === undefined) return true;
  return !isLoopback(host) && !known.test(host) &&
    !addresses.some(({ allow, layer }) =>
      (layer === "managed" || (layer === "user" && floor === undefined)) && isAllowed(allow, host)
    );
}

const request: InvocationRule = {
  on: "invocation",
  id: "strict/request-unknown-host",
  title: "Sends a request to a host that is not widely known",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "What is sent there, and what comes back, is in the hands of whoever runs it.",
  advice:
    "Name the host and the reason to the person. The own machine is fine: `curl http://localhost:3000/health`.",
  programs: httpPrograms,
  examples: {
    match: [
      { action: "curl https://files.unheard-of.dev/a.json" },
      { action: "wget http://203.0.113.9/list.txt" },
      { action: 'curl "$API_URL"' },
    ],
    pass: [
      { action: "curl http://localhost:3000/health" },
      { action: "curl -sSL https://api.github.com/repos/denoland/deno" },
      { action: "curl --version" },
      { action: "wget https://nodejs.org/dist/index.json" },
    ],
  },
  match(invocation, { policy }) {
    const asked = requestOf(invocation);
    const addresses = [...(asked?.urls ?? []), ...(asked?.detours ?? [])].map(addressOf).filter((one) =>
      one !== undefined
    );
    const unknown = addresses.find((address) => isUnknownHost(address.host, policy));
    return unknown === undefined ? undefined : {
      evidence: evidenceOf(invocation),
      message: unknown.host === undefined
        ? "This sends a request to a host that is not known before it runs."
        : `This sends a request to ${unknown.host}.`,
    };
  },
};

const fetching: ActionRule = {
  on: "action",
  id: "strict/fetch-unknown-host",
  title: "Fetches from a host that is not widely known",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "The page can hold instructions for the agent, and the address can carry data away.",
  advice: "Name the host and the reason to the person.",
  kinds: ["fetch"],
  examples: {
    match: [
      { action: { kind: "fetch", url: "https://files.unheard-of.dev/a" } },
      { action: { kind: "fetch", url: "http://203.0.113.9/" } },
      { action: { kind: "fetch", url: "https://github.com.unheard-of.dev/" } },
    ],
    pass: [
      { action: { kind: "fetch", url: "https://docs.github.com/en/rest" } },
      { action: { kind: "fetch", url: "http://localhost:8080/" } },
      { action: { kind: "fetch", url: "https://developer.mozilla.org/en-US/" } },
    ],
  },
  match(action, { policy }) {
    if (action.kind !== "fetch" || /^file:/i.test(action.url)) return undefined;
    return isUnknownHost(addressOfText(action.url)?.host, policy)
      ? { evidence: { text: action.url.slice(0, 200) } }
      : undefined;
  },
};

const reading: PathRule = {
  on: "path",
  id: "strict/read-outside",
  title: "Reads a file outside the workspace",
  severity: "low",
  decision: "ask",
  level,
  rationale:
    "What lies there belongs to other projects or to the person, and may end up in the conversation.",
  advice: "Work with the files of this project, or ask the person for the one that is needed.",
  operations: ["read"],
  examples: {
    match: [
      { action: "cat ~/notes.txt" },
      { action: "cat ../other/package.json" },
      { action: { kind: "file", operation: "read", path: "/etc/hosts" } },
    ],
    pass: [
      { action: "cat package.json" },
      { action: "cat /tmp/build.log" },
      { action: { kind: "file", operation: "read", path: "src/app.ts" } },
      { action: "wc -l < /dev/null" },
    ],
  },
  match(use, context) {
    if (use.remote !== undefined) return undefined;
    const outside = locate(use, context).locations.find(({ place }) =>
      !/^(?:workspace|inside|temp|temp-root|null-device)$/.test(place)
    );
    return outside === undefined ? undefined : {
      evidence: { text: use.path.text, span: use.span },
      message: `${shown(outside.path, context)} lies outside the workspace.`,
    };
  },
};

const background: CommandRule = {
  on: "command",
  id: "strict/detach",
  title: "Starts something that goes on after the command has ended",
  severity: "low",
  decision: "ask",
  level,
  rationale: "What it does later is seen by nobody.",
  advice: "Run it in the foreground, with an end: `timeout 60 npm test`.",
  programs: [],
  examples: {
    match: [
      { action: "nohup npm start &" },
      { action: "setsid ./server" },
      { action: "npm start & disown" },
    ],
    pass: [
      { action: "timeout 60 npm test" },
      { action: "npm test & wait" },
      { action: "jobs" },
    ],
  },
  match: ({ invocations }) =>
    invocations.filter((one) =>
      /^(?:disown|daemonize|start-stop-daemon)$/.test(one.program) ||
      one.via.some((via) => /^(?:nohup|setsid)$/.test(via))
    ).map((one) => ({ evidence: evidenceOf(one) })),
};

const elevated: CommandRule = {
  on: "command",
  id: "strict/become-root",
  title: "Runs something as root",
  severity: "medium",
  decision: "ask",
  level,
  rationale: "A mistake then reaches the whole machine and everybody on it.",
  advice: "Do it without root, or let the person run that one command.",
  programs: [],
  examples: {
    match: [
      { action: "sudo make install" },
      { action: "doas pkg info" },
      { action: "su -c 'make install'" },
      { action: "pkexec id" },
    ],
    pass: [{ action: "make install" }, { action: "echo sudo" }, { action: "man sudo" }],
  },
  match: ({ invocations }) =>
    invocations.filter((one) =>
      one.privileged || /^(?:sudo|doas|su|pkexec|runas|gsudo|run0)$/.test(one.program)
    )
      .map((one) => ({ evidence: evidenceOf(one) })),
};

export const rules: readonly Rule[] = [
  environment,
  skipChecks,
  pushDefault,
  addPackage,
  request,
  fetching,
  reading,
  background,
  elevated,
];
