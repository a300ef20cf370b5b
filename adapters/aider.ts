import { PayloadError } from "../src/errors.ts";
import type { HostAdapter, HostEvent } from "../src/types.ts";
import { findEvent } from "./events.ts";
import { text } from "./read.ts";
import { blockByExit, reasonOf, silence, stops } from "./reply.ts";
import { diffActions } from "./unified_diff.ts";

/** Aider has no hooks of its own; what it changes can be looked at when git commits it. */
const events: readonly HostEvent[] = [
  { native: "pre-commit", id: "pre_tool", gates: true, install: true },
];

/** Follows the difference when git has written all of it. */
const end = "guard-end-of-difference";

const adapter: HostAdapter = {
  id: "aider",
  aliases: ["aider-chat"],
  title: "Aider",
  documentation: "https://aider.chat/docs/git.html",
  events,
  payload: "text",
  capabilities: {
    ask: "never",
    allow: false,
    promptBlock: false,
    replaceOutput: false,
    rewriteInput: false,
    addContext: false,
    limits: [
      "Aider has no hooks: guard looks at what it commits, when the files are changed already.",
      "Aider commits with `--no-verify`, which skips the hook, unless `git-commit-verify: true` is set.",
      "Shell commands that aider suggests are not seen; it asks before it runs one, unless `--yes-always` is set.",
      "Commits that a person makes are not judged; commits below aider are told by a variable that it sets.",
    ],
  },
  hookShell: { posix: "sh", windows: "sh" },
  wrapper: true,
  detect: {
    executables: ["aider"],
    locations: [{ base: "home", segments: [".aider.conf.yml"] }, { base: "home", segments: [".aider"] }],
  },
  install: [{
    scope: "project",
    location: { base: "git-hooks", segments: ["pre-commit"] },
    format: "whole",
    events: ["pre-commit"],
    executable: true,
    content({ stamp, line }) {
      const difference = "git -c core.quotepath=false diff --cached --no-color --no-ext-diff --no-textconv " +
        "--no-renames -U0 --src-prefix=a/ --dst-prefix=b/";
      return `#!/bin/sh
# Made by guard install, and taken away by guard uninstall (${stamp}).
# Aider names itself to the programs that it starts; what a person commits is not judged.
[ "$OR_APP_NAME" = Aider ] || exit 0
{ ${difference} && echo ${end}; } |
  ${line("pre-commit")}
`;
    },
  }],
  afterInstall: [
    "Aider skips this hook unless it is told otherwise: put `git-commit-verify: true` into .aider.conf.yml, or start it with --git-commit-verify.",
  ],
  unenforced: [{
    scope: "user",
    why: "Aider has no hooks of its own: guard can only be the pre-commit hook of one repository.",
  }],
  settings: [".aider.conf.{yml,yaml}"],
  unchecked: {
    programs: ["aider"],
    options: ["--yes-always", "--yes", "--no-git-commit-verify"],
    variables: {
      AIDER_YES_ALWAYS: "^(?!(?:0|false|no|off|)$)",
      AIDER_YES: "^(?!(?:0|false|no|off|)$)",
      AIDER_GIT_COMMIT_VERIFY: "^(?:0|false|no|off)$",
    },
  },
  disabledBy: [
    {
      location: { base: "project", segments: [".aider.conf.yml"] },
      otherwise: [{ base: "home", segments: [".aider.conf.yml"] }],
      format: "yaml",
      at: ["git-commit-verify"],
      on: true,
    },
  ],

  probe(nativeEvent, { harmful }) {
    if (nativeEvent !== "pre-commit") return undefined;
    const change = harmful
      ? difference(".claude/settings.json", '{"disableAllHooks": true}')
      : difference("notes.txt", "Hello");
    return { text: `${change}${end}\n` };
  },

  marks: [],

  recognises() {
    return false;
  },

  parse(input) {
    const event = findEvent(events, input.event ?? "pre-commit") ?? events[0]!;
    const whole = text(input.payload, "text")?.trimEnd();
    if (whole === undefined || !whole.endsWith(end)) {
      throw new PayloadError(`${event.native}: expected git's difference and "${end}" on stdin, found less`);
    }
    return {
      host: "aider",
      event: event.id,
      nativeEvent: event.native,
      actions: diffActions(whole.slice(0, -end.length)),
    };
  },

  render(answer) {
    return stops(answer) ? blockByExit(reasonOf(answer)) : silence;
  },
};

export default adapter;

/** A new file of one line, in git's form. */
function difference(path: string, line: string): string {
  return [
    `diff --git a/${path} b/${path}`,
    "new file mode 100644",
    "index 0000000..1111111",
    "--- /dev/null",
    `+++ b/${path}`,
    "@@ -0,0 +1 @@",
    `+${line}`,
    "",
  ].join("\n");
}
