/** Rules about removing the traces of what was done: shell histories, logs, auditing. Their files are with the other files. */

import type { Rule } from "../src/types.ts";
import { always, type Called, formRule } from "./shared/form_rule.ts";

const settings = /^(?:HISTFILE|HISTSIZE|HISTFILESIZE|SAVEHIST|HISTCONTROL|HISTIGNORE)(?:=|$)/;
const silencing =
  /^(?:HISTFILE=(?:\/dev\/null|)$|(?:HISTSIZE|HISTFILESIZE|SAVEHIST)=(?:0|-?)$|HISTIGNORE=\*$)/;

function clearsHistory({ invocation, some, has, verb, texts }: Called): boolean {
  switch (invocation.program) {
    case "history":
      return some(/^-[a-z]*[cd]/) || /^(?:clear|delete|clear-session)$/.test(verb);
    case ":":
      return invocation.assignments.some(({ name, value }) => silencing.test(`${name}=${value.text}`));
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
      { action: "HISTFILE=/dev/null" },
      { action: "set +o history" },
      { action: { kind: "shell", command: "Clear-History", dialect: "powershell" } },
    ],
    pass: [
      { action: "history | tail -20" },
      { action: "export HISTSIZE=10000" },
      { action: "HISTSIZE=10000" },
      { action: "set -euo pipefail" },
      { action: "unset NODE_ENV" },
      { action: { kind: "shell", command: "Get-History", dialect: "powershell" } },
    ],
  },
}, {
  "history : unset export declare typeset local set shopt set-psreadlineoption": clearsHistory,
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
      {
        action: { kind: "shell", command: "Clear-EventLog -LogName Application", dialect: "powershell" },
        decision: "deny",
      },
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
    return has("-D") || texts.includes("-e0") || (at >= 0 && texts[at + 1] === "0")
      ? "deny"
      : has("-d", "-W");
  },
  auditpol: ({ some, texts }) =>
    some(/^\/(?:clear|remove)$/i) || (some(/^\/set$/i) && /:disable/i.test(texts.join(" "))) ? "deny" : false,
  dmesg: ({ has, some }) =>
    has("-c", "--read-clear", "-C", "--clear", "-D", "--console-off") ||
    some(/^-[a-zA-Z]*[cC]/) && !some(/^--/),
  wevtutil: ({ verb, some }) =>
    /^(?:cl|clear-log)$/.test(verb) || (/^(?:sl|set-log)$/.test(verb) && some(/^\/(?:e|enabled):false$/i))
      ? "deny"
      : false,
  "clear-eventlog remove-eventlog": () => "deny",
  "limit-eventlog": always,
  log: ({ verb }) => verb === "erase" ? "deny" : false,
  utmpdump: ({ has }) => has("-r", "--reverse"),
});

export const rules: readonly Rule[] = [history, journals];
