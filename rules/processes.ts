/** Rules about ending processes and services that others rely on. One's own server is one's own affair. */

import type { CommandRule, Rule } from "../src/types.ts";
import type { Invocation } from "../src/shell/model.ts";
import { evidenceOf } from "./evidence.ts";
import { type Called, formRule, type Found } from "./shared/form_rule.ts";
import { parseArguments } from "./options.ts";

/** Process numbers that `kill` is given; signals and options taken off. */
function targets(texts: readonly string[]): readonly string[] {
  if (texts.some((text) => /^(?:-l|-L|--list|--table)$/.test(text))) return [];
  const rest = [...texts];
  const first = rest[0] ?? "";
  if (/^(?:-s|-n|--signal)$/.test(first)) {
    if (rest[1] === "0") return [];
    rest.splice(0, 2);
  } else if (first.startsWith("--signal=")) rest.shift();
  else if (first.startsWith("-") && first !== "--" && rest.length > 1) {
    if (first === "-0") return [];
    rest.shift();
  }
  return rest.filter((text) => text !== "--");
}

/** Patterns that select nearly every process. */
function isBroad(pattern: string): boolean {
  return pattern.length < 2 || /^[.^$*?+\\[\]()|]*$/.test(pattern) || /^\.[*+]/.test(pattern);
}

const users = [
  "-u",
  "-U",
  "--user",
  "--euid",
  "--uid",
  "-G",
  "--group",
  "-t",
  "--terminal",
  "-s",
  "--session",
];

function killsMany(called: Called): Found {
  const { invocation, texts } = called;
  const values = [
    ...users,
    "-P",
    "-g",
    "-F",
    "-d",
    "-n",
    "--signal",
    "-y",
    "--younger-than",
    "-o",
    "--older-than",
  ];
  const parsed = parseArguments(invocation.args, { values });
  if (parsed.has("-l", "--list", "-0")) return false;
  const patterns = parsed.operands;
  if (invocation.program === "pkill" && parsed.has("-v", "--inverse")) return true;
  if (patterns.length === 0) return texts.length > 0 && parsed.has(...users);
  return patterns.some((word) => word.isStatic && isBroad(word.text));
}

const everything = formRule({
  id: "processes/kill-everything",
  title: "Ends all processes of the machine or of a user",
  severity: "critical",
  decision: "ask",
  rationale: "The session, the agent and all unsaved work end with them.",
  advice: "End one process by its number or its name, as in `pkill -f vite`.",
  examples: {
    match: [
      { action: "kill -9 -1", decision: "deny" },
      { action: "sudo kill -KILL 1", decision: "deny" },
      { action: "pkill -u dev" },
      { action: "killall -u dev" },
      { action: "pkill -9 -f ." },
      { action: "loginctl terminate-user dev" },
      { action: { kind: "shell", command: "taskkill /F /IM *", dialect: "cmd" } },
    ],
    pass: [
      { action: "kill 1234" },
      { action: "kill -1 1234" },
      { action: "kill -0 1" },
      { action: "pkill -f vite" },
      { action: "lsof -ti:3000 | xargs kill -9" },
      { action: "killall node" },
      { action: "pkill -u dev node" },
      { action: "kill %1" },
    ],
  },
}, {
  kill: ({ texts }) => targets(texts).some((text) => text === "-1" || text === "1") ? "deny" : false,
  killall5: ({ has }) => has("-l") ? false : "deny",
  "pkill killall skill slay": killsMany,
  loginctl: ({ verb }) => /^(?:terminate-|kill-)/.test(verb),
  taskkill: ({ texts }) =>
    texts.some((text) => text === "*" || /^(?:username|pid) (?:eq|ne|gt|ge)/i.test(text)),
  "stop-process": ({ texts }) => texts.some((text) => /^\*+$/.test(text)),
});

/** Names of processes without which a session or the machine does not go on. */
const vital = new Set(
  ("systemd init launchd dbus-daemon dockerd containerd containerd-shim sshd login loginwindow windowserver kernel_task " +
    "xorg x xwayland gnome-shell gnome-session plasmashell kwin_wayland kwin_x11 gdm sddm lightdm networkmanager " +
    "systemd-journald systemd-logind systemd-udevd auditd rsyslogd crond cron udevd securityd opendirectoryd " +
    "explorer winlogon csrss lsass lsm svchost services smss dwm wininit spoolsv msmpeng " +
    "bash zsh sh fish tmux screen").split(" "),
);

function names({ operands }: Called): boolean {
  return operands.some((text) =>
    vital.has(text.toLowerCase().replaceAll(/^\^|\$$|\.exe$/g, "").replace(/^.*[\\/]/, ""))
  );
}

const system = formRule({
  id: "processes/kill-system",
  title: "Ends a process that the session or the machine depends on",
  severity: "high",
  decision: "ask",
  rationale: "What runs below it ends too: windows, shells, containers, the agent itself.",
  advice: "End only what you started, by its number, as in `kill %1`.",
  examples: {
    match: [
      { action: "sudo killall dockerd" },
      { action: "pkill -9 sshd" },
      { action: "killall WindowServer" },
      { action: "pkill -x tmux" },
      { action: { kind: "shell", command: "taskkill /f /im explorer.exe", dialect: "cmd" } },
      { action: { kind: "shell", command: "Stop-Process -Name lsass -Force", dialect: "powershell" } },
    ],
    pass: [
      { action: "killall node" },
      { action: "pkill -f 'next dev'" },
      { action: "pgrep sshd" },
      { action: { kind: "shell", command: "taskkill /f /im node.exe", dialect: "cmd" } },
      { action: { kind: "shell", command: "Stop-Process -Id 4242", dialect: "powershell" } },
    ],
  },
}, {
  "pkill killall skill": names,
  "taskkill stop-process": names,
});

const services = formRule({
  id: "processes/stop-service",
  title: "Stops a service of the system",
  severity: "medium",
  decision: "ask",
  rationale: "Other people and programs may be using it, and it may not come back by itself.",
  advice: "Look at it with `systemctl status nginx` or `journalctl -u nginx`, and let the person stop it.",
  examples: {
    match: [
      { action: "sudo systemctl stop docker" },
      { action: "sudo service postgresql stop" },
      { action: "sudo systemctl isolate multi-user.target" },
      { action: "launchctl kill SIGKILL system/com.example.agent" },
      { action: { kind: "shell", command: "net stop MSSQLSERVER", dialect: "cmd" } },
      { action: { kind: "shell", command: "Stop-Service -Name W32Time", dialect: "powershell" } },
    ],
    pass: [
      { action: "systemctl status docker" },
      { action: "systemctl --user status" },
      { action: "systemctl --user stop my-dev-server" },
      { action: "service postgresql status" },
      { action: "journalctl -u docker -n 50" },
      { action: "brew services stop redis" },
      { action: { kind: "shell", command: "net start", dialect: "cmd" } },
      { action: { kind: "shell", command: "sc query", dialect: "cmd" } },
    ],
  },
}, {
  systemctl: ({ verb, has }) => !has("--user") && /^(?:stop|kill|isolate|clean|freeze)$/.test(verb),
  "service rc-service": ({ operands }) => /^(?:stop|force-stop|kill)$/.test(operands[1] ?? ""),
  "invoke-rc.d": ({ operands }) => operands[1] === "stop",
  initctl: ({ verb }) => verb === "stop",
  sv: ({ verb }) => /^(?:stop|down|force-stop|force-shutdown|kill|d|exit)$/.test(verb),
  launchctl: ({ verb }) => /^(?:stop|kill|reboot)$/.test(verb),
  supervisorctl: ({ verb, operands }) => verb === "shutdown" || (verb === "stop" && operands[1] === "all"),
  snap: ({ verb }) => verb === "stop",
  net: ({ verb }) => verb === "stop",
  sc: ({ operands }) => operands.slice(0, 2).some((text) => /^(?:stop|pause)$/i.test(text)),
  "stop-service suspend-service remove-service": () => true,
  "set-service": ({ texts }) => texts.some((text) => /^(?:disabled|stopped|paused)$/i.test(text)),
  psservice: ({ operands }) => operands.some((text) => /^(?:stop|setconfig)$/i.test(text)),
});

/** `Get-Process | Stop-Process`: what is stopped stands in the pipeline before it. */
const piped: CommandRule = {
  on: "command",
  id: "processes/kill-listed",
  title: "Ends every process of a list that nothing narrows",
  severity: "critical",
  decision: "ask",
  rationale: "Without a name or a condition the list holds all processes of the machine.",
  advice: "Name what you started, as in `pkill -f vite`.",
  programs: ["stop-process", "kill"],
  examples: {
    match: [
      { action: { kind: "shell", command: "Get-Process | Stop-Process -Force", dialect: "powershell" } },
      { action: "ps -eo pid | xargs kill -9" },
      { action: "pgrep -u dev | xargs kill" },
    ],
    pass: [
      { action: { kind: "shell", command: "Get-Process node | Stop-Process", dialect: "powershell" } },
      { action: "ps aux | grep vite | awk '{print $2}' | xargs kill" },
      { action: "lsof -ti tcp:8080 | xargs kill -9" },
      { action: "pgrep -f vite | xargs kill" },
    ],
  },
  match({ invocations }) {
    return invocations.filter(killsList).filter((one) => {
      const before = invocations.filter(({ pipeline }) =>
        pipeline.id === one.pipeline.id && pipeline.index < one.pipeline.index
      );
      // Of a pipeline inside another one only the inner one hands its list over.
      const nearest = Math.max(0, ...before.map((other) => sharedVia(other, one)));
      const list = before.filter((other) => sharedVia(other, one) === nearest);
      return list.length > 0 &&
        list.every(({ program, args }) => listsAll(program, args.map((word) => word.text)));
    }).map((one) => ({ evidence: evidenceOf(one) }));
  },
};

/** How many of the wrappers and scripts around two invocations are the same. */
function sharedVia(first: Invocation, second: Invocation): number {
  let count = 0;
  while (count < first.via.length && first.via[count] === second.via[count]) count++;
  return count;
}

function killsList({ program, args, moreArguments }: Invocation): boolean {
  return program === "stop-process"
    ? args.every((word) => word.text.startsWith("-"))
    : program === "kill" && moreArguments;
}

/** Programs that list processes, or pass a list on, without choosing by what the processes are. */
function listsAll(program: string, texts: readonly string[]): boolean {
  switch (program) {
    case "get-process":
      return texts.length === 0;
    case "ps":
      return !texts.some((text) => /^(?:-C|-p|--pid|--ppid|-t)/.test(text));
    case "pgrep":
      return texts.some((text) => /^-[uU]/.test(text)) &&
        texts.filter((text) => !text.startsWith("-")).length < 2;
    case "awk":
    case "tail":
    case "sort":
    case "tr":
    case "cut":
    case "sed":
      return !texts.some((text) => /\/[A-Za-z]|~/.test(text));
  }
  return false;
}

export const rules: readonly Rule[] = [everything, system, services, piped];
