/** Programs that git is told to run: settings, environment, options, remote helpers. */

import type { Word } from "../../src/shell/model.ts";
import type { Match } from "../../src/types.ts";
import { shorten } from "../evidence.ts";
import { parseArguments } from "../options.ts";
import { type GitCommand, type Setting, settingOf } from "./command.ts";
import { gitRule } from "./rule.ts";

/** What a setting holds, which decides what value is harmless. */
type Kind = "editor" | "pager" | "ssh" | "ask" | "helper" | "tool" | "filter" | "gpg" | "hooks" | "code";

const exact: Readonly<Record<string, Kind>> = {
  "core.hookspath": "hooks",
  "core.fsmonitor": "code",
  "core.sshcommand": "ssh",
  "core.editor": "editor",
  "sequence.editor": "editor",
  "core.pager": "pager",
  "core.askpass": "ask",
  "core.gitproxy": "code",
  "core.alternaterefscommand": "code",
  "credential.helper": "helper",
  "diff.external": "tool",
  "interactive.difffilter": "pager",
  "gpg.program": "gpg",
  "gpg.ssh.defaultkeycommand": "code",
  "uploadpack.packobjectshook": "code",
  "include.path": "code",
  "init.templatedir": "hooks",
  "web.browser": "tool",
  "sendemail.sendmailcmd": "code",
  "sendemail.tocmd": "code",
  "sendemail.cccmd": "code",
};

/** First and last part of names with something between them. */
const patterns: readonly (readonly [string, string, Kind])[] = [
  ["filter.", ".clean", "filter"],
  ["filter.", ".smudge", "filter"],
  ["filter.", ".process", "filter"],
  ["diff.", ".command", "tool"],
  ["diff.", ".textconv", "code"],
  ["merge.", ".driver", "code"],
  ["difftool.", ".cmd", "tool"],
  ["mergetool.", ".cmd", "tool"],
  ["browser.", ".cmd", "tool"],
  ["man.", ".cmd", "code"],
  ["credential.", ".helper", "helper"],
  ["gpg.", ".program", "gpg"],
  ["includeif.", ".path", "code"],
  ["remote.", ".uploadpack", "code"],
  ["remote.", ".receivepack", "code"],
  ["remote.", ".vcs", "code"],
  ["trailer.", ".command", "code"],
  ["trailer.", ".cmd", "code"],
  ["tar.", ".command", "code"],
  ["hook.", ".command", "code"],
  ["pager.", "", "pager"],
];

function kindOf({ name, value }: Setting): Kind | undefined {
  if (Object.hasOwn(exact, name)) return exact[name];
  if (name.startsWith("alias.")) {
    return value === undefined || value.text.trimStart().startsWith("!") ? "code" : undefined;
  }
  if (name.startsWith("submodule.") && name.endsWith(".update")) {
    return value === undefined || value.text.trimStart().startsWith("!") ? "code" : undefined;
  }
  if (name === "protocol.ext.allow" || name === "protocol.allow") {
    return value === undefined || /^always$|^user$/i.test(value.text) ? "code" : undefined;
  }
  return patterns.find(([start, end]) =>
    name.startsWith(start) && name.endsWith(end) && name.length > start.length + end.length
  )?.[2];
}

const editors =
  /^(?:vi|vim|nvim|view|ex|ed|nano|pico|emacs|emacsclient|code|code-insiders|cursor|windsurf|subl|zed|mate|hx|helix|kak|micro|joe|gedit|kate|notepad|notepad\+\+|idea|true|false|:|cat|echo|sed|touch)$/;
const pagers = /^(?:cat|less|more|most|delta|diff-so-fancy|bat|moor|head|tail|true|colordiff|ydiff|riff)$/;
const tools =
  /^(?:diff|vimdiff|nvimdiff|nvim|vim|code|cursor|meld|kdiff3|opendiff|difft|difftastic|bc|bcomp|bcompare|p4merge|smerge|idea|webstorm|pycharm|firefox|chromium|google-chrome|open|xdg-open|true|cat|delta|colordiff)$/;
const helpers =
  /^(?:cache|manager|manager-core|osxkeychain|libsecret|gnome-keyring|wincred|oauth|github|gh)$/;

/** Syntax that makes a shell do more than start one program with arguments. */
const shellSyntax = /[;&|<>`\n]|\$\(/;

/** A value that does no more than the setting is there for. */
function isHarmless(kind: Kind, value: Word | undefined): boolean {
  if (value === undefined) return false;
  const text = value.text.trim();
  if (text === "") return true;
  if (text.length > 1000) return false;
  if (kind === "hooks") return text === "/dev/null" || text === "NUL";
  if (/^(?:true|false|yes|no|on|off|0|1)$/i.test(text)) return true;
  if (shellSyntax.test(text)) return false;
  const words = text.split(/\s+/).map((word) => word.replaceAll(/["']/g, ""));
  const program = (words[0] ?? "").replace(/^.*[/\\]/, "").replace(/\.exe$/i, "").toLowerCase();
  const systemPath = !/[/\\]/.test(words[0] ?? "") ||
    /^(?:\/usr(?:\/local)?\/s?bin|\/s?bin|\/opt\/homebrew\/bin)\/[^/]+$/.test(words[0] ?? "");
  if (!systemPath || value.pieces[0]?.kind !== "text") return false;
  switch (kind) {
    case "editor":
      // The e command of GNU sed runs programs, so only plain editing of the list passes.
      return editors.test(program) &&
        (program !== "sed" || !/(?:^|[;\d/$}])e(?:\s|$)|\/[a-z]*e[a-z]*$/.test(text));
    case "pager":
      return pagers.test(program);
    case "tool":
      return tools.test(program);
    case "helper":
      return value.isStatic && words.length === 1 && helpers.test(program);
    case "filter":
      return program === "git-lfs" || (program === "git" && words[1] === "lfs") || program === "git-crypt";
    case "gpg":
      return /^(?:gpg2?|gpgsm|ssh-keygen|op-ssh-sign|smimesign|gitsign)$/.test(program);
    case "ask":
      return /^(?:true|echo|false)$/.test(program);
    case "ssh":
      return /^(?:ssh|autossh|plink|tortoiseplink)$/.test(program) &&
        !words.some((word) =>
          /^(?:-o)?(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|XAuthLocation)\b/i
            .test(word) || /^-I/.test(word)
        );
    default:
      return false;
  }
}

const variables: Readonly<Record<string, Kind>> = {
  GIT_SSH_COMMAND: "ssh",
  GIT_SSH: "ssh",
  GIT_EXTERNAL_DIFF: "tool",
  GIT_PAGER: "pager",
  PAGER: "pager",
  GIT_EDITOR: "editor",
  GIT_SEQUENCE_EDITOR: "editor",
  EDITOR: "editor",
  VISUAL: "editor",
  GIT_ASKPASS: "ask",
  SSH_ASKPASS: "ask",
  GIT_PROXY_COMMAND: "code",
  GIT_EXEC_PATH: "code",
  GIT_CONFIG_PARAMETERS: "code",
  GIT_TEMPLATE_DIR: "hooks",
  GIT_CONFIG_GLOBAL: "hooks",
  GIT_CONFIG_SYSTEM: "hooks",
};

const configSpec = {
  values: ["-f", "--file", "--blob", "-t", "--type", "--default", "--comment", "--value", "--url"],
  long: [
    "--global",
    "--system",
    "--local",
    "--worktree",
    "--replace-all",
    "--add",
    "--get",
    "--get-all",
    "--get-regexp",
    "--get-urlmatch",
    "--unset",
    "--unset-all",
    "--list",
    "--edit",
    "--rename-section",
    "--remove-section",
    "--null",
    "--name-only",
    "--show-origin",
    "--show-scope",
    "--includes",
    "--append",
    "--all",
    "--regexp",
    "--fixed-value",
    "--bool",
    "--int",
    "--bool-or-int",
    "--path",
    "--expiry-date",
  ],
} as const;

/** What `git config` writes, in both of its grammars. */
function written(command: GitCommand): Setting | undefined {
  if (command.verb !== "config") return undefined;
  const parsed = parseArguments(command.args, configSpec);
  if (
    parsed.options.some(({ name }) =>
      /^(?:-l|-e|--(?:get|unset|list|edit|remove|rename)(?:-.*)?)$/.test(name)
    )
  ) {
    return undefined;
  }
  const operands = parsed.operands[0]?.text === "set" ? parsed.operands.slice(1) : parsed.operands;
  const [name, value] = operands;
  if (name === undefined || value === undefined) return undefined;
  if (
    operands === parsed.operands && /^(?:get|unset|list|edit|rename-section|remove-section)$/.test(name.text)
  ) {
    return undefined;
  }
  return { name: name.text.toLowerCase(), value };
}

/** Options whose value is a program, by subcommand. */
function programOption(command: GitCommand): string | undefined {
  const { verb, args } = command;
  if (verb === "grep") {
    const parsed = parseArguments(args, {
      values: ["-e", "-f", "-A", "-B", "-C", "-m", "--max-depth", "--threads"],
      attached: ["-O", "--open-files-in-pager", "--color", "--column"],
      long: ["--or", "--only-matching", "--untracked", "--cached"],
    });
    for (const { name, value } of parsed.options) {
      if ((name === "-O" || name === "--open-files-in-pager") && value !== undefined) {
        if (!isHarmless("pager", value) && !isHarmless("editor", value)) return value.text;
      }
    }
    return undefined;
  }
  if (verb === "difftool") {
    const value = parseArguments(args, {
      values: [
        "-x",
        "--extcmd",
        "-t",
        "--tool",
      ],
    }).value("-x", "--extcmd");
    return value !== undefined && !isHarmless("tool", value) ? value.text : undefined;
  }
  if (/^(?:fetch|pull|clone|ls-remote|fetch-pack|push|send-pack|archive)$/.test(verb)) {
    const parsed = parseArguments(args, {
      values: [
        "--upload-pack",
        "--receive-pack",
        "--exec",
        "-b",
        "-o",
        "-j",
        "--depth",
        "--branch",
        "--origin",
        "--config",
        ...(verb === "clone" ? ["-u", "-c", "--template"] : []),
      ],
      attached: ["--recurse-submodules", "--force-with-lease", "--signed"],
      long: ["--update-head-ok", "--unshallow", "--update-shallow", "--reject-shallow", "--recursive"],
    });
    const value = parsed.value(
      "--upload-pack",
      "--receive-pack",
      "--exec",
      ...(verb === "clone" ? ["-u"] : []),
    );
    if (value === undefined) return undefined;
    // The plain names in another directory are what the option is for.
    return /^(?:[\w./~-]*\/)?git-(?:upload-pack|receive-pack|upload-archive)$/.test(value.text)
      ? undefined
      : value.text;
  }
  return undefined;
}

/** Addresses that make git start a program: the ext helper, options smuggled in as a host. */
function launchingAddress(command: GitCommand): string | undefined {
  if (!/^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive|fetch-pack)$/.test(command.verb)) {
    return undefined;
  }
  return command.args.find((word) =>
    /^(?:--(?:remote|repo)=)?(?:ext::|fd::|ssh:\/\/-|-oProxyCommand)/i.test(word.text)
  )?.text;
}

function cloneSettings(command: GitCommand): readonly Setting[] {
  if (command.verb !== "clone") return [];
  return parseArguments(command.args, {
    values: ["-c", "--config", "-b", "--branch", "-o", "--origin", "-u", "--upload-pack", "-j", "--depth"],
  }).values("-c", "--config").map(settingOf);
}

export const runProgram = gitRule({
  id: "git/run-program",
  title: "Making git run a chosen program",
  severity: "high",
  decision: "ask",
  rationale:
    "Hooks, filters, helpers, aliases and transport commands run without being seen, now or at the next ordinary git command.",
  advice: "Run the program itself, in plain sight, or leave git's settings as they are.",
  examples: {
    match: [
      { action: "git config core.hooksPath .hooks", decision: "ask" },
      { action: "git config --global alias.st '!sh -c id'", decision: "ask" },
      { action: "git config set core.fsmonitor ./watch.sh", decision: "ask" },
      { action: "git -c core.sshCommand='sh -c id' fetch", decision: "ask" },
      { action: "GIT_SSH_COMMAND='sh -c id' git fetch", decision: "ask" },
      { action: "GIT_SSH_COMMAND='ssh -o ProxyCommand=id' git fetch", decision: "ask" },
      { action: "export GIT_SSH_COMMAND='sh -c id'; git fetch", decision: "ask" },
      { action: "git grep -O/usr/bin/id TODO", decision: "ask" },
      { action: "git clone 'ext::sh -c id% '", decision: "ask" },
      { action: "git ls-remote --upload-pack='touch x' .", decision: "ask" },
      { action: "git difftool -y -x id", decision: "ask" },
      {
        action: "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=id git log",
        decision: "ask",
      },
      {
        action: "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x git log",
        decision: "ask",
      },
    ],
    pass: [
      { action: "git config user.name 'Dev'" },
      { action: "git config --get core.hooksPath" },
      { action: "git config --unset core.hooksPath" },
      { action: "git config alias.st status" },
      { action: "git -c core.pager=cat log" },
      { action: "GIT_EDITOR=true git rebase --continue" },
      { action: "GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main" },
      { action: "GIT_SSH_COMMAND='ssh -i ~/.ssh/deploy -o IdentitiesOnly=yes' git push" },
      { action: "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/src git log" },
      { action: "GIT_SSH_COMMAND=./helper git status" },
      { action: "git grep -n TODO" },
      { action: "git clone https://example.com/a.git" },
    ],
  },
  references: ["https://git-scm.com/docs/git-config", "https://git-scm.com/docs/git#_environment_variables"],
}, (command): Omit<Match, "evidence"> | undefined => {
  const setting = written(command);
  if (setting !== undefined) {
    const kind = kindOf(setting);
    if (kind !== undefined && !isHarmless(kind, setting.value)) {
      return { message: `git would run ${shownValue(setting)} (${setting.name}) from now on.` };
    }
  }
  for (const one of [...command.settings, ...cloneSettings(command)]) {
    const kind = kindOf(one);
    // An inline alias runs only when it is called.
    if (one.name.startsWith("alias.") && command.verb !== "!") continue;
    if (one.name === "core.sshcommand" && isLocal(command)) continue;
    if (kind !== undefined && !isHarmless(kind, one.value)) {
      return { message: `git would run ${shownValue(one)} (${one.name}).` };
    }
  }
  const settings = environmentProblem(command);
  if (settings !== undefined) return { message: settings };
  for (const { name, value } of command.environment) {
    if (kindNeedsNetwork(name) && isLocal(command)) continue;
    const kind = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (kind !== undefined && !isHarmless(kind, value)) {
      return { message: `git would run ${shorten(value.text, 60)} (${name}).` };
    }
  }
  if (command.execPath !== undefined && command.execPath.text !== "") {
    return { message: `git would take its own programs from ${shorten(command.execPath.text, 60)}.` };
  }
  const program = programOption(command);
  if (program !== undefined) return { message: `git would run ${shorten(program, 60)}.` };
  const address = launchingAddress(command);
  if (address !== undefined) {
    return { message: `The address ${shorten(address, 60)} makes git run a program.` };
  }
  return undefined;
});

/** Subcommands that look at names and settings only, and so never open a connection. */
function isLocal({ verb, args }: GitCommand): boolean {
  if (verb === "remote") {
    return args.length === 0 || (args.length === 1 && /^(?:-v|--verbose)$/.test(args[0]!.text));
  }
  return /^(?:status|branch|config|rev-parse|tag|version|help|check-ignore|symbolic-ref)$/.test(verb);
}

function kindNeedsNetwork(variable: string): boolean {
  return /^(?:GIT_SSH|GIT_SSH_COMMAND|GIT_PROXY_COMMAND)$/.test(variable);
}

/** Settings in the environment that cannot be told: a strange number of them, or a key without a value. */
function environmentProblem({ environment }: GitCommand): string | undefined {
  const last = (name: string) => environment.findLast((one) => one.name === name)?.value;
  const count = last("GIT_CONFIG_COUNT");
  if (count === undefined || count.text === "" || count.text === "0") return undefined;
  const number = count.isStatic && /^[1-9]\d?$/.test(count.text) ? Number(count.text) : undefined;
  if (number === undefined) {
    return "git would take settings from the environment, and how many cannot be told.";
  }
  for (let index = 0; index < number; index++) {
    const key = last(`GIT_CONFIG_KEY_${index}`);
    if (
      key === undefined || !key.isStatic || key.text === "" || last(`GIT_CONFIG_VALUE_${index}`) === undefined
    ) {
      return "git would take settings from the environment that are not in the command.";
    }
  }
  return undefined;
}

function shownValue(setting: Setting): string {
  return setting.value === undefined ? "a program named in the environment" : shorten(setting.value.text, 60);
}
