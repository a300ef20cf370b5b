/** Deleting or emptying what tells afterwards who did what. */

import type { PathUse } from "../../src/shell/model.ts";
import type { Context, Match, PathRule } from "../../src/types.ts";
import { locate, shown } from "../../src/paths.ts";
import { evidenceOf } from "./uses.ts";

/** Histories that shells and interpreters keep. */
const histories =
  /\/\.(?:bash|zsh|sh|ksh|ash|python|node_repl|psql|mysql|sqlite|rediscli|mongo|irb)_?(?:history|hist)(?:\.\w+)?$|\/\.(?:histfile|history|lesshst|zhistory|dbshell)$|\/fish\/fish_history$|\/consolehost_history\.txt$/i;

/** Logs of who logged in, and of auditing. */
const accounting =
  /^(?:\/private)?\/var\/(?:log\/(?:auth\.log|secure|wtmp|btmp|lastlog|faillog|tallylog|sudo(?:\.log)?|audit(?:\/.*)?|sudo-io(?:\/.*)?)|run\/utmp)(?:\.\d+)?(?:\.gz)?$|^\/run\/utmp$/;
const logs = /^(?:\/private)?\/var\/log(?:\/|$)/;

function clearsTrace(use: PathUse, context: Context): Match | undefined {
  if (use.remote?.startsWith("container ") === true) return undefined;
  for (const { path, contents, filter } of locate(use, context).locations) {
    const evidence = evidenceOf(use);
    if (!contents && histories.test(path)) {
      return { evidence, message: `${shown(path, context)} is the history of a shell or an interpreter.` };
    }
    if (!logs.test(path) && !accounting.test(path)) continue;
    // A directory of logs holds those of who logged in.
    const all = /^(?:\/private)?\/var\/log$/.test(path) && filter === undefined &&
      (contents || use.recursive);
    return {
      decision: all || accounting.test(path) ? "deny" : "ask",
      evidence,
      message: `${shown(path, context)} holds logs of the system.`,
    };
  }
  return undefined;
}

export const traces: readonly PathRule[] = [{
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
}];
