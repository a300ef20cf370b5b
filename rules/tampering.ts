/** Rules about removing the traces of what was done: shell histories, logs, auditing. */

import type { PathUse } from "../src/shell/model.ts";
import type { Context, Match, PathRule, Rule } from "../src/types.ts";
import { locate, shown } from "../src/paths.ts";
import { shorten } from "./evidence.ts";
import { always, type Called, formRule } from "./forms/form_rule.ts";

const settings = /^(?:HISTFILE|HISTSIZE|HISTFILESIZE|SAVEHIST|HISTCONTROL|HISTIGNORE)(?:=|$)/;
const silencing = /^(?:HISTFILE=(?:\/dev\/null|)$|(?:HISTSIZE|HISTFILESIZE|SAVEHIST)=(?:0|-?)$|HISTIGNORE=\*$)/;

/** Histories that shells and interpreters keep. */
const histories =
  /\/\.(?:bash|zsh|sh|ksh|ash|python|node_repl|psql|mysql|sqlite|rediscli|mongo|irb)_?(?:history|hist)(?:\.\w+)?$|\/\.(?:histfile|history|lesshst|zhistory|dbshell)$|\/fish\/fish_history$|\/consolehost_history\.txt$/i;

function clearsHistory({ invocation, some, has, verb, texts }: Called): boolean {
  switch (invocation.program) {
    case "history":
      return some(/^-[a-z]*[cd]/) || /^(?:clear|delete|clear-session)$/.test(verb);
    case "unset":
      return texts.some((text) => settings.test(text));
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "set":
      return texts.some((text) => silencing.test(text.replace(/["']/g, ""))) ||
        (has("+o") && texts.includes("history"));
    case "shopt":
      return has("-u") && texts.includes("histappend");
    case "set-psreadlineoption":
      return texts.some((text) => /^savenothing$/i.test(text));
  }
  return true;
}

const history = formRule({
  id: "tampering/shell-history",
  title: "Clears the history of the shell or stops it from being kept",
  severity: "medium",
  decision: "ask",
  rationale: "The person can then no longer see what was done.",
  advice: "Leave the history as it is; `history 20` shows the last commands.",
  examples: {
    match: [
      { action: "history -c" },
      { action: "unset HISTFILE" },
      { action: "export HISTFILE=/dev/null" },
      { action: "set +o history" },
      { action: { kind: "shell", command: "Clear-History", dialect: "powershell" } },
    ],
    pass: [
      { action: "history | tail -20" },
      { action: "export HISTSIZE=10000" },
      { action: "set -euo pipefail" },
      { action: "unset NODE_ENV" },
      { action: { kind: "shell", command: "Get-History", dialect: "powershell" } },
    ],
  },
}, {
  "history unset export declare typeset local set shopt set-psreadlineoption": clearsHistory,
  "clear-history": always,
});

const journals = formRule({
  id: "tampering/system-journal",
  title: "Clears the journals of the system or switches auditing off",
  severity: "high",
  decision: "ask",
  rationale: "They are what tells afterwards who did what.",
  advice: "Look at their size with `journalctl --disk-usage`, and let the person shorten them.",
  examples: {
    match: [
      { action: "sudo journalctl --vacuum-time=1s" },
      { action: "sudo auditctl -e 0", decision: "deny" },
      { action: "sudo auditctl -D", decision: "deny" },
      { action: "sudo dmesg --clear" },
      { action: { kind: "shell", command: "wevtutil cl Security", dialect: "cmd" }, decision: "deny" },
      { action: { kind: "shell", command: "Clear-EventLog -LogName Application", dialect: "powershell" }, decision: "deny" },
    ],
    pass: [
      { action: "journalctl -u app --since today" },
      { action: "sudo auditctl -l" },
      { action: "dmesg | tail" },
      { action: "sudo logrotate -f /etc/logrotate.conf" },
      { action: { kind: "shell", command: "wevtutil qe Application /c:5", dialect: "cmd" } },
      { action: { kind: "shell", command: "Get-EventLog -List", dialect: "powershell" } },
    ],
  },
}, {
  journalctl: ({ some }) => some(/^--(?:vacuum-|rotate$)/),
  auditctl: ({ texts, has }) => {
    const at = texts.indexOf("-e");
    return has("-D") || texts.includes("-e0") || (at >= 0 && texts[at + 1] === "0") ? "deny" : has("-d", "-W");
  },
  auditpol: ({ some, texts }) =>
    some(/^\/(?:clear|remove)$/i) || (some(/^\/set$/i) && /:disable/i.test(texts.join(" "))) ? "deny" : false,
  dmesg: ({ has, some }) => has("-c", "--read-clear", "-C", "--clear", "-D", "--console-off") || some(/^-[a-zA-Z]*[cC]/) && !some(/^--/),
  wevtutil: ({ verb, some }) =>
    /^(?:cl|clear-log)$/.test(verb) || (/^(?:sl|set-log)$/.test(verb) && some(/^\/(?:e|enabled):false$/i)) ? "deny" : false,
  "clear-eventlog remove-eventlog": () => "deny",
  "limit-eventlog": always,
  log: ({ verb }) => verb === "erase" ? "deny" : false,
  utmpdump: ({ has }) => has("-r", "--reverse"),
});

/** Logs of who logged in, and of auditing. */
const accounting =
  /^(?:\/private)?\/var\/(?:log\/(?:auth\.log|secure|wtmp|btmp|lastlog|faillog|tallylog|sudo(?:\.log)?|audit(?:\/.*)?|sudo-io(?:\/.*)?)|run\/utmp)(?:\.\d+)?(?:\.gz)?$|^\/run\/utmp$/;
const logs = /^(?:\/private)?\/var\/log(?:\/|$)/;

function clearsTrace(use: PathUse, context: Context): Match | undefined {
  if (use.remote?.startsWith("container ") === true) return undefined;
  for (const { path, contents, filter } of locate(use, context).locations) {
    const evidence = { text: shorten(use.path.text, 120), span: use.span };
    if (!contents && histories.test(path)) {
      return { evidence, message: `${shown(path, context)} is the history of a shell or an interpreter.` };
    }
    if (!logs.test(path) && !accounting.test(path)) continue;
    // A directory of logs holds those of who logged in.
    const all = /^(?:\/private)?\/var\/log$/.test(path) && filter === undefined && (contents || use.recursive);
    return {
      decision: all || accounting.test(path) ? "deny" : "ask",
      evidence,
      message: `${shown(path, context)} holds logs of the system.`,
    };
  }
  return undefined;
}

const files: PathRule = {
  on: "path",
  id: "tampering/log-file",
  title: "Deletes or empties a history of commands or a log of the system",
  severity: "high",
  decision: "ask",
  rationale: "They are what tells afterwards who did what.",
  advice: "Leave them as they are, or show how large they are: `du -sh /var/log`.",
  operations: ["write", "delete"],
  examples: {
    match: [
      { action: "rm ~/.bash_history" },
      { action: "truncate -s 0 ~/.zsh_history" },
      { action: "sudo truncate -s 0 /var/log/syslog" },
      { action: "sudo shred -u /var/log/auth.log", decision: "deny" },
      { action: { kind: "file", operation: "write", path: "~/.python_history", content: "" } },
    ],
    pass: [
      { action: "tail -f /var/log/syslog" },
      { action: "rm -f logs/app.log" },
      { action: "grep sshd /var/log/auth.log" },
      { action: "cat ~/.zsh_history | wc -l" },
      { action: "truncate -s 0 logs/app.log" },
    ],
  },
  match: (use, context) => clearsTrace(use, context),
};

export const rules: readonly Rule[] = [history, journals, files];
