/** Rules about code that runs later without being asked for, and about who may log in. */

import type { Context, InvocationRule, Match, PathRule, Rule } from "../src/types.ts";
import type { PathUse } from "../src/shell/model.ts";
import { locate, shown } from "../src/paths.ts";
import { landings } from "../src/paths/landings.ts";
import { isWithin } from "../src/paths/normal.ts";
import { isAccountFile, isStartupFile } from "../src/paths/protected.ts";
import { parseArguments } from "./options.ts";
import { evidenceOf } from "./filesystem/uses.ts";

function changes(
  use: PathUse,
  context: Context,
  what: string,
  test: (path: string, context: Context) => boolean,
): Match | undefined {
  const writes = use.operation === "write" || use.operation === "append";
  for (const location of locate(use, context).locations) {
    if (location.contents) continue;
    for (const { path } of writes ? landings(use, location, context) : [location]) {
      if (!test(path, context)) continue;
      // What the repository holds is what the person has, or pulls, anyway.
      if (use.invocation?.program === "git" && isWithin(path, context.workspace)) continue;
      return { evidence: evidenceOf(use), message: `${shown(path, context)} ${what}.` };
    }
  }
  return undefined;
}

const files: readonly PathRule[] = [
  {
    on: "path",
    id: "persistence/account-file",
    title: "Changes who may log in or become root",
    severity: "critical",
    decision: "deny",
    rationale: "An added key or account stays open long after the task is done.",
    advice: "Show the person the line that is wanted, and let them add it.",
    operations: ["write", "append", "delete", "mode"],
    examples: {
      match: [
        { action: "echo 'ssh-ed25519 AAAA x' >> ~/.ssh/authorized_keys" },
        { action: "echo 'dev ALL=(ALL) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/dev" },
        { action: "find . -name x -fprint /etc/cron.d/job" },
        { action: { kind: "file", operation: "edit", path: "/etc/passwd", content: "x" } },
      ],
      pass: [
        { action: "cat ~/.ssh/authorized_keys" },
        { action: "getent passwd dev" },
        { action: "cat /etc/passwd" },
      ],
    },
    match: (use, context) =>
      changes(use, context, "decides who may log in or what runs as root", isAccountFile),
  },
  {
    on: "path",
    id: "persistence/startup-file",
    title: "Changes a file that runs code later",
    severity: "high",
    decision: "ask",
    rationale: "What is written there runs outside of any session, without being looked at again.",
    advice: "Set it for one command instead, as in `NODE_ENV=test npm test`, or let the person add the line.",
    operations: ["write", "append"],
    examples: {
      match: [
        { action: "echo 'export A=1' >> ~/.zshrc" },
        { action: "cp hook.sh .git/hooks/pre-commit" },
        { action: "echo 'layout node' > .envrc" },
        { action: { kind: "file", operation: "write", path: ".vscode/tasks.json", content: "{}" } },
        {
          action: {
            kind: "file",
            operation: "write",
            path: "~/.config/systemd/user/x.service",
            content: "[Unit]",
          },
        },
      ],
      pass: [
        { action: "cat ~/.bashrc" },
        {
          action: { kind: "file", operation: "write", path: ".github/workflows/ci.yml", content: "on: push" },
        },
        { action: "ls .git/hooks" },
        { action: { kind: "file", operation: "write", path: "src/profile.ts", content: "" } },
      ],
    },
    match: (use, context) =>
      use.remote === undefined
        ? changes(use, context, "runs code by itself later", isStartupFile)
        : undefined,
  },
];

const schedulers: readonly InvocationRule[] = [
  {
    on: "invocation",
    id: "persistence/scheduler",
    title: "Sets up, or removes, what the system runs by itself",
    severity: "high",
    decision: "ask",
    rationale: "Jobs and services run on after the session, and replacing a table of jobs loses the old one.",
    advice:
      "Look at what is there with `crontab -l` or `systemctl list-timers`, and let the person change it.",
    programs: [
      "crontab",
      "at",
      "batch",
      "launchctl",
      "systemctl",
      "schtasks",
      "register-scheduledtask",
      "new-service",
      "sc",
      "update-rc.d",
      "chkconfig",
      "systemd-run",
      "pm2",
    ],
    examples: {
      match: [
        { action: "crontab -r" },
        { action: "echo '* * * * * x' | crontab -" },
        { action: "launchctl bootstrap gui/501 a.plist" },
        { action: "systemctl --user enable --now sync.timer" },
      ],
      pass: [
        { action: "crontab -l" },
        { action: "launchctl list" },
        { action: "systemctl status nginx" },
        { action: "systemctl --user list-timers" },
      ],
    },
    match(invocation) {
      const { program, args, word, span } = invocation;
      const parsed = parseArguments(args, { values: ["-u", "-t", "-H", "-M", "-p", "-n", "-f"] });
      const verb = parsed.operands[0]?.text.toLowerCase() ?? "";
      const texts = args.map((one) => one.text.toLowerCase());
      const sets = (() => {
        switch (program) {
          case "crontab":
            return parsed.has("-r", "-e", "-i") || parsed.operands.length > 0 ||
              (texts.length === 0 && (invocation.pipeline.index > 0 || invocation.redirections.length > 0));
          case "at":
          case "batch":
            return !parsed.has("-l", "-q", "-c", "-V", "-d") || texts.length === 0;
          case "launchctl":
            return /^(?:load|bootstrap|submit|enable|kickstart|unload|bootout|disable|remove|setenv)$/.test(
              verb,
            );
          case "systemctl":
            return /^(?:enable|disable|mask|link|edit|set-default|add-wants|revert|preset)$/.test(verb);
          case "schtasks":
            return texts.some((text) => /^[/-](?:create|delete|change)$/.test(text));
          case "sc":
            return /^(?:create|config|delete)$/.test(verb);
          case "update-rc.d":
          case "chkconfig":
            return parsed.operands.length > 1;
          case "systemd-run":
            return texts.some((text) => /^--(?:on-|timer|path-|socket-)/.test(text));
          case "pm2":
            return /^(?:startup|save)$/.test(verb);
        }
        return true;
      })();
      return sets ? { evidence: { text: word.text, span } } : undefined;
    },
  },
  {
    on: "invocation",
    id: "persistence/account",
    title: "Changes accounts of the system",
    severity: "high",
    decision: "ask",
    rationale: "New accounts, groups and passwords give access that nobody takes back.",
    advice: "Tell the person which account is needed and why. `id` shows the present one.",
    programs: [
      "useradd",
      "adduser",
      "usermod",
      "userdel",
      "deluser",
      "groupadd",
      "groupmod",
      "gpasswd",
      "passwd",
      "chpasswd",
      "visudo",
      "vipw",
      "vigr",
      "dscl",
      "sysadminctl",
      "ssh-copy-id",
      "new-localuser",
      "add-localgroupmember",
    ],
    examples: {
      match: [
        { action: "sudo useradd -m bot" },
        { action: "echo 'dev:x' | chpasswd" },
        { action: "usermod -aG docker dev" },
        { action: "ssh-copy-id dev@host.example.com" },
      ],
      pass: [{ action: "id dev" }, { action: "groups" }, { action: "dscl . -read /Users/dev" }],
    },
    match({ program, args, word, span, remote }) {
      if (remote?.startsWith("container ") === true) return undefined;
      const texts = args.map((one) => one.text.toLowerCase());
      if (texts.some((text) => /^(?:--help|--version|-S|--status)$/i.test(text))) return undefined;
      if (
        program === "dscl" &&
        !texts.some((text) => /^-?(?:create|append|delete|passwd|change|merge)$/.test(text))
      ) {
        return undefined;
      }
      return { evidence: { text: word.text, span } };
    },
  },
];

export const rules: readonly Rule[] = [...files, ...schedulers];
