/** Rules that keep guard, its hook entries and the approvals of agents as the person set them. */

import type { Action, CommandRule, Context, InvocationRule, Match, PathRule, Rule } from "../src/types.ts";
import type { Invocation, PathUse } from "../src/shell/model.ts";
import { locate, type Location, shown } from "../src/paths.ts";
import { matchesGlob } from "../src/paths/glob.ts";
import { landings } from "../src/paths/landings.ts";
import { markerName } from "../src/paths/markers.ts";
import { below, nameOf } from "../src/paths/normal.ts";
import {
  holdsOwn,
  hostSettingsBelow,
  isEditorSettings,
  isHostDirectory,
  isHostSettings,
  ownOf,
} from "../src/paths/protected.ts";
import { parseArguments } from "./options.ts";
import { evidenceOf } from "./filesystem/uses.ts";
import { agentPrograms, approvalsOff, exportedBy, rememberedBy, rememberingPrograms } from "./self/agents.ts";
import { copiedExecutable, isFoundExecutable, mountedOwn, mountPrograms } from "./self/copies.ts";
import { compare, settingsChange, switchesApprovalsOff } from "./self/settings.ts";
import { typedCommand, typingPrograms } from "./self/typing.ts";

/** What follows the name of a directory of which the contents are meant. */
function inside(contents: boolean, name: string): string {
  return !contents ? "" : name.endsWith("/") ? "*" : "/*";
}

function changesOwn(use: PathUse, action: Action, context: Context): Match | undefined {
  if (use.remote !== undefined) return undefined;
  if (action.kind === "shell" && isFoundExecutable(use.path, ownName(context))) {
    return { evidence: evidenceOf(use), message: `${use.path.text} is guard's own executable.` };
  }
  const writes = use.operation === "write" || use.operation === "append";
  for (const location of locate(use, context).locations) {
    const { path, contents, filter } = location;
    const landed = writes ? landings(use, location, context).map((one) => one.path) : [];
    const own = ownOf(path, context) ??
      landed.map((one) => ownOf(one, context)).find((one) => one !== undefined);
    const name = shown(path, context);
    if (own !== undefined) return { evidence: evidenceOf(use), message: `${name} is guard's own ${own}.` };
    // A search by name may also change what it finds.
    const takes = use.operation === "delete" || (use.operation === "mode" && use.recursive) ||
      (use.filter !== undefined && use.filter !== "*");
    const reached = (inner: string) => {
      const [first = ""] = inner.split("/");
      if (use.filter !== undefined) return matchesGlob(nameOf(`/${inner}`), use.filter);
      // A bare `*` skips hidden names.
      if (contents && filter === undefined) {
        return !first.startsWith(".") || use.invocation?.program === "find";
      }
      return filter === undefined || matchesGlob(first, filter) || matchesGlob(inner, filter);
    };
    if (takes && holdsOwn(path, context, reached)) {
      return {
        evidence: evidenceOf(use),
        message: `${name}${inside(contents, name)} holds files of guard itself.`,
      };
    }
  }
  return undefined;
}

function changesHost(use: PathUse, action: Action, context: Context): Match | undefined {
  if (use.remote !== undefined) return undefined;
  for (const location of locate(use, context).locations) {
    const { path, contents, filter } = location;
    const evidence = evidenceOf(use);
    const writes = use.operation === "write" || use.operation === "append";
    const whole = use.operation === "delete" || (use.operation === "mode" && use.recursive);
    const holds = (directory: string): Match => {
      const name = shown(directory, context);
      return {
        evidence,
        message: `${name}${inside(contents, name)} holds the hooks and settings of an agent's host.`,
      };
    };
    if (
      whole && isHostDirectory(path, context) &&
      (filter === undefined || /set|hook|conf|json|\*\*/.test(filter))
    ) return holds(path);
    const found = reached(use, location, context);
    if (found !== undefined) {
      return { decision: decide(use, action, found, context), evidence, message: changed(found, context) };
    }
    if (contents) continue;
    for (const landing of writes ? landings(use, location, context) : [{ path, tree: false }]) {
      if (isHostSettings(landing.path, context)) {
        const decision = decide(use, action, landing.path, context);
        const name = shown(landing.path, context);
        return {
          decision,
          evidence,
          message: decision === "deny"
            ? changed(landing.path, context)
            : `${name} holds the settings of an agent's host.`,
        };
      }
      // Which files come into it, or out of it, is not told.
      if (landing.tree && isHostDirectory(landing.path, context)) {
        return { ...holds(landing.path), decision: "ask" };
      }
    }
  }
  return undefined;
}

function changed(path: string, context: Context): string {
  return `This changes hooks or permissions in ${shown(path, context)}.`;
}

/** A settings file of a host that a glob, or a search by name, takes along. */
function reached(use: PathUse, location: Location, context: Context): string | undefined {
  const { path, contents, filter } = location;
  const narrow = use.filter ?? filter;
  // Everything below a directory is a matter of the directory.
  if (narrow === undefined || (!contents && use.filter === undefined)) return undefined;
  const inProject = below(`${path}/`, context.workspace) !== undefined || path === context.workspace;
  const deletes = use.operation === "delete" || use.operation === "mode";
  // A search through the sources that edits what it finds is meant for the sources, unless it names more.
  if (use.filter !== undefined && inProject && !deletes && /[*?[]/.test(nameOf(`/${narrow}`))) {
    return undefined;
  }
  let known = searched.get(context);
  if (known === undefined) searched.set(context, known = new Map());
  const key = JSON.stringify([path, narrow, use.filter === undefined]);
  // A command can search the same directory a thousand times.
  if (known.has(key)) return known.get(key);
  const found = hostSettingsBelow(
    path,
    context,
    (inner) =>
      use.filter === undefined ? matchesGlob(inner, narrow) : matchesGlob(nameOf(`/${inner}`), narrow) ||
        [inner, `./${inner}`, `${path}/${inner}`].some((one) => matchesGlob(one, narrow, { slashes: true })),
  );
  known.set(key, found);
  return found;
}

/** What {@link reached} found below a directory. */
const searched = new WeakMap<Context, Map<string, string | undefined>>();

/** Files that hold nothing but hooks. */
function isHooksOnly(path: string): boolean {
  return /\/hooks(?:\.v1)?\.json$|\/hooks\/|\/plugins?\/|\/extensions\//i.test(path);
}

function decide(use: PathUse, action: Action, path: string, context: Context): "ask" | "deny" {
  if (use.operation === "delete" || use.operation === "mode" || isHooksOnly(path)) return "deny";
  if (action.kind === "file") return settingsChange(action, path, context);
  // In a command the new text is known only when it is written out.
  const text = use.operation === "write" ? use.invocation?.stdin : undefined;
  if (text === undefined || !text.isStatic || !/^(?:cat|tee)$/.test(use.invocation?.program ?? "")) {
    return "deny";
  }
  return compare(context.facts.text(path, 256 * 1024) ?? "", text.text);
}

const files: readonly PathRule[] = [
  {
    on: "path",
    id: "self/change-guard",
    title: "Changes guard's own files",
    severity: "critical",
    decision: "deny",
    rationale: "Whoever is guarded must not edit the guard.",
    advice: "Tell the person what should be different; `guard policy path` shows where they can set it.",
    operations: ["write", "append", "delete", "mode"],
    examples: {
      match: [
        { action: "echo '{}' > ~/.config/guard/policy.jsonc" },
        { action: "rm -f ~/.local/state/guard/audit.jsonl" },
        { action: { kind: "file", operation: "edit", path: ".guard/policy.jsonc", content: "x" } },
        { action: "mv ~/.config/guard /tmp/g" },
        { action: "rm -rf ~/.config" },
        { action: "rm -rf ~/.local/st*" },
        { action: "chmod 000 /etc/guard/policy.jsonc" },
        { action: "chmod -x $(which guard)" },
        { action: "git clone https://example.com/guard.git ~/.config/guard" },
        { action: "cp -r /tmp/guard ~/.config" },
        { action: "mkfifo ~/.config/guard/policy.jsonc" },
        { action: "git config --file ~/.config/guard/policy.jsonc mode.x observe" },
        { action: "mknod ~/.local/state/guard/audit.jsonl p" },
        { action: "gzip ~/.config/guard/policy.jsonc" },
        { action: "xz -9 ~/.local/state/guard/audit.jsonl" },
      ],
      pass: [
        { action: "cat ~/.config/guard/policy.jsonc" },
        { action: "git config --file ~/.config/guard/policy.jsonc --get mode.x" },
        { action: "tail ~/.local/state/guard/audit.jsonl" },
        { action: "cd ~ && rm -f *.tmp" },
        { action: "gzip -c ~/.local/state/guard/audit.jsonl > /tmp/audit.gz" },
        { action: "mkfifo /tmp/pipe" },
        { action: { kind: "file", operation: "write", path: "src/guard/policy.ts", content: "x" } },
      ],
    },
    match: (use, context, action) => changesOwn(use, action, context),
  },
  {
    on: "path",
    id: "self/change-marker",
    title: "Changes a file that says what nobody is to touch",
    severity: "high",
    decision: "ask",
    rationale:
      "A `.guardignore` keeps agents out of what it names; without it, or with other lines in it, they get in.",
    advice: "Ask the person to change the file.",
    operations: ["write", "append", "delete", "mode", "link", "handed"],
    examples: {
      match: [
        { action: "rm .guardignore" },
        { action: "mv private/.guardignore private/old" },
        { action: "echo '!notes' >> docs/.guardignore" },
        { action: "sed -i d .guardignore" },
        { action: "cp empty.txt private/.guardignore" },
        { action: "git checkout main -- .guardignore" },
        { action: "rm .guard*" },
        {
          action: { kind: "file", operation: "edit", path: ".guardignore", previous: "secret", content: "" },
        },
        {
          action: {
            kind: "mcp",
            server: "fs",
            tool: "write_file",
            input: { path: "a/.guardignore", content: "" },
          },
        },
      ],
      pass: [
        { action: "cat .guardignore" },
        { action: "ls -la .guardignore" },
        { action: "rm .gitignore" },
        { action: "echo dist >> .gitignore" },
        { action: { kind: "file", operation: "read", path: ".guardignore" } },
      ],
    },
    match(use, context) {
      if (use.remote !== undefined) return undefined;
      const writes = use.operation === "write" || use.operation === "append";
      for (const location of locate(use, context).locations) {
        const { path, contents, filter } = location;
        const paths = writes ? landings(use, location, context).map((one) => one.path) : [path];
        const named = [path, ...paths].find((one) => nameOf(one).toLowerCase() === markerName);
        const glob = use.filter ?? filter;
        const meant = named ?? (
          (contents || use.filter !== undefined) && glob !== undefined && /^[.{[\\]/.test(glob) &&
            matchesGlob(markerName, glob)
            ? `${path}/${markerName}`
            : undefined
        );
        if (meant === undefined) continue;
        return {
          evidence: evidenceOf(use),
          message: `${shown(meant, context)} says what agents are to leave alone.`,
        };
      }
      return undefined;
    },
  },
  {
    on: "path",
    id: "self/link-guard",
    title: "Links to guard's own files, or to the settings of an agent's host",
    severity: "critical",
    decision: "deny",
    rationale: "Through the link they could be changed under a name that nobody watches.",
    advice: "Read the files where they are.",
    operations: ["link"],
    examples: {
      match: [
        { action: "ln -s ~/.local/state/guard/grants x" },
        { action: "ln ~/.config/guard/policy.jsonc p" },
        { action: "ln -s /etc/guard" },
        { action: "cp --link ~/.config/guard/policy.jsonc p" },
        { action: "ln .claude/settings.json s.json" },
        { action: "ln -s ~/.claude c", decision: "ask" },
      ],
      pass: [
        { action: "ln -s ../guard/lib lib" },
        { action: "ln -s ~/.config/nvim/init.lua x" },
        { action: "ls -l ~/.local/state/guard" },
        { action: "ln -s ../.claude/skills .agents/skills" },
        { action: "ln -s AGENTS.md CLAUDE.md" },
      ],
    },
    match(use, context) {
      if (use.remote !== undefined) return undefined;
      const paths = locate(use, context).locations.map(({ path }) => path);
      const own = paths.map((path) => ownOf(path, context)).find((one) => one !== undefined);
      const evidence = evidenceOf(use);
      if (own !== undefined) return { evidence, message: `This links to guard's own ${own}.` };
      const settings = paths.find((path) => isHostSettings(path, context));
      if (settings !== undefined) {
        return {
          evidence,
          message: `This links to ${shown(settings, context)}, the settings of an agent's host.`,
        };
      }
      const directory = paths.find((path) => isHostDirectory(path, context));
      return directory === undefined ? undefined : {
        decision: "ask",
        evidence,
        message: `${shown(directory, context)} holds the hooks and settings of an agent's host.`,
      };
    },
  },
  {
    on: "path",
    id: "self/hand-over-guard",
    title: "Names guard's own files, or hooks of a host, to a program that guard does not know",
    severity: "high",
    decision: "ask",
    rationale: "Most programs that are given a file to write to need no more than its name.",
    advice: "Look at the file with `cat` or `jq`; write what a program makes to another place.",
    operations: ["handed"],
    examples: {
      match: [
        { action: "dasel delete -f ~/.claude/settings.json hooks" },
        { action: "npx json -I -f ~/.claude/settings.json -e 'delete this.hooks'" },
        { action: "gcc -o ~/.config/guard/policy.jsonc x.c" },
        { action: "go build -o ~/.config/guard/policy.jsonc ./cmd/x" },
        { action: "ffmpeg -i a.mp4 -y ~/.local/state/guard/audit.jsonl" },
        { action: "prettier --write .claude/settings.json" },
        { action: "some-tool --output=.cursor/hooks.json" },
      ],
      pass: [
        { action: "prettier --check .claude/settings.json" },
        { action: "echo ~/.claude/settings.json" },
        { action: "go build -o bin/guard ./cmd/guard" },
        { action: "dasel select -f ~/.claude/settings.json hooks" },
        { action: "npx ajv validate -d .claude/settings.json" },
        { action: "claude -p 'explain' .claude/settings.json" },
        { action: "some-tool --config=tools/settings.json" },
        { action: "deno run tools/show.ts .claude/settings.json" },
      ],
    },
    match(use, context) {
      for (const { path } of locate(use, context).locations) {
        const own = ownOf(path, context);
        if (own !== undefined) {
          const message = `${shown(path, context)} is guard's own ${own}, and what ${
            use.invocation?.program ?? "this"
          } does with it is not known.`;
          return { evidence: evidenceOf(use), message };
        }
        if (isHostSettings(path, context)) {
          const message = `${shown(path, context)} holds the settings of an agent's host, and what ${
            use.invocation?.program ?? "this"
          } does with them is not known.`;
          return { evidence: evidenceOf(use), message };
        }
      }
      return undefined;
    },
  },
  {
    on: "path",
    id: "self/copy-guard",
    title: "Gives guard's executable another name",
    severity: "critical",
    decision: "deny",
    rationale: "Under another name guard's own commands are not recognised.",
    advice: "Call guard by its name. `guard version` says which one it is.",
    operations: ["write", "append", "link"],
    examples: {
      match: [
        { action: "cp $(which guard) g; ./g allow K7QM2XWP" },
        { action: 'ln -s "$(command -v guard)" /tmp/g' },
        { action: "install -m755 ~/.local/bin/guard /tmp/g" },
        { action: "cat /usr/local/bin/guard > /tmp/g" },
        { action: "dd if=/usr/local/bin/guard of=/tmp/g" },
      ],
      pass: [
        { action: "ls -l $(which guard)" },
        { action: "cp src/guard.ts src/other.ts" },
        { action: "cp -r guard other" },
        { action: "ln -s ../guard/lib lib" },
        { action: "sha256sum /usr/local/bin/guard" },
        { action: "cp dist/bin/guard dist/bin/guard-old" },
      ],
    },
    match({ invocation }, context, action) {
      if (invocation === undefined || action.kind !== "shell") return undefined;
      const copied = copiedExecutable(invocation, context, ownName(context));
      return copied === undefined
        ? undefined
        : { evidence: { text: `${invocation.word.text} ${copied.text}`, span: invocation.span } };
    },
  },
  {
    on: "path",
    id: "self/change-host-settings",
    title: "Changes the settings of an agent's host",
    severity: "critical",
    decision: "deny",
    rationale: "Hooks and permissions live there: one line switches every check off.",
    advice: "Tell the person which setting is wanted and let them change it. Reading it is fine.",
    operations: ["write", "append", "delete", "mode"],
    examples: {
      match: [
        {
          action: {
            kind: "file",
            operation: "write",
            path: ".claude/settings.json",
            content: '{"disableAllHooks":true}',
          },
        },
        {
          action: {
            kind: "file",
            operation: "edit",
            path: "~/.claude/settings.json",
            previous: '"hooks": {',
            content: '"off": {',
          },
        },
        {
          action: {
            kind: "file",
            operation: "write",
            path: ".claude/settings.local.json",
            content: '{"model":"x"}',
          },
          decision: "ask",
        },
        { action: "echo '{}' > ~/.cursor/hooks.json" },
        { action: "rm -rf .claude" },
        { action: "rm ~/.codex/config.toml" },
        { action: "sed -i s/guard/true/ ~/.gemini/settings.json" },
        { action: "mv /tmp/hooks.json .cursor", facts: { directories: ["/home/dev/app/.cursor"] } },
        { action: "git checkout HEAD~3 -- .claude/settings.json" },
        { action: "git apply <<'E'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\nE" },
        { action: "rm .c*/hooks.json", facts: { files: { "/home/dev/app/.cursor/hooks.json": "{}" } } },
        { action: "tar xf a.tar -C ~/.claude", decision: "ask" },
        { action: "cp -r /tmp/.claude ~", decision: "ask" },
      ],
      pass: [
        { action: "cat .claude/settings.json" },
        { action: "sed -n 1,20p .claude/hooks/check.sh" },
        { action: "cp review.md .claude/commands/" },
        { action: "git checkout -- src/app.ts" },
        { action: "git clone https://example.com/a/b.git" },
        { action: { kind: "file", operation: "write", path: "settings.json", content: "{}" } },
        {
          action: { kind: "file", operation: "write", path: ".claude/commands/review.md", content: "Review" },
        },
      ],
    },
    match: (use, context, action) => changesHost(use, action, context),
  },
  {
    on: "path",
    id: "self/editor-approvals-off",
    title: "Switches approvals of an editor's agent off",
    severity: "high",
    decision: "deny",
    rationale: "Afterwards commands run in the editor without anybody being asked.",
    advice: "Leave the approvals on. Other settings of the editor can be changed by themselves.",
    operations: ["write", "append"],
    examples: {
      match: [
        {
          action: {
            kind: "file",
            operation: "edit",
            path: ".vscode/settings.json",
            previous: "{",
            content: '{ "chat.tools.autoApprove": true,',
          },
        },
        {
          action: {
            kind: "file",
            operation: "write",
            path: "app.code-workspace",
            content: '{"settings":{"chat.tools.terminal.autoApprove":{"/.*/":true}}}',
          },
        },
        { action: `echo '{"chat.tools.global.autoApprove":true}' > .vscode/settings.json` },
      ],
      pass: [
        {
          action: {
            kind: "file",
            operation: "write",
            path: ".vscode/settings.json",
            content: '{"editor.tabSize":2}',
          },
        },
        { action: "cat .vscode/settings.json" },
        { action: `echo '{"editor.tabSize":2}' > .vscode/settings.json` },
      ],
    },
    match(use, context, action) {
      const hit = locate(use, context).locations.some(({ path }) => isEditorSettings(path));
      if (!hit) return undefined;
      let off = approvalsOffIn.get(action);
      if (off === undefined) {
        const text = action.kind === "file"
          ? action.content ?? ""
          : action.kind === "shell"
          ? action.command
          : "";
        approvalsOffIn.set(action, off = switchesApprovalsOff(text));
      }
      return off || handsOff(use.invocation) ? { evidence: evidenceOf(use) } : undefined;
    },
  },
];

/** True when what a program is given switches approvals off: in the command it may stand encoded. */
function handsOff(invocation: Invocation | undefined): boolean {
  if (invocation === undefined) return false;
  let off = handedOff.get(invocation);
  if (off === undefined) {
    const text = [...invocation.args, ...(invocation.stdin === undefined ? [] : [invocation.stdin])]
      .map((word) => word.text).join("\n");
    handedOff.set(invocation, off = switchesApprovalsOff(text));
  }
  return off;
}

const handedOff = new WeakMap<Invocation, boolean>();

/** Whether the text of an action switches approvals off; read once for all the paths in it. */
const approvalsOffIn = new WeakMap<Action, boolean>();

/** Name of guard's executable, without extension. */
function ownName(context: Context): string {
  const executable = context.own.executable?.replaceAll("\\", "/");
  return executable === undefined ? "guard" : nameOf(executable).replace(/\.exe$/i, "");
}

const ownerVerbs = new Set(["allow", "uninstall", "pause", "resume", "disable", "off", "trust"]);

/** The arguments with which guard itself is called, also from a checkout; undefined for other programs. */
function guardArguments(invocation: Invocation, context: Context): readonly string[] | undefined {
  const texts = invocation.args.map((word) => word.text);
  const { program } = invocation;
  if (program === "guard" || program === ownName(context)) return texts;
  if (program === "deno" && texts[0] === "task") {
    const task = texts.indexOf("guard");
    return task < 0 ? undefined : texts.slice(task + 1);
  }
  if (program === "deno" && texts[0] === "run") {
    const main = texts.findIndex((text) => /(?:^|\/)main\.ts$/.test(text));
    return main < 0 ? undefined : texts.slice(main + 1);
  }
  return undefined;
}

const debuggers = "gdb lldb strace ltrace reptyr rr frida frida-trace bpftrace perf".split(" ");

const attaching = /^(?:-p\d*|--pid(?:=.*)?|-n|--attach(?:-pid|-name|=.*)?|attach\b.*|process attach\b.*)$/;

/** What a debugger is told to attach to, when that is guard or an agent; undefined otherwise. */
function attachedTo({ program, args }: Invocation, context: Context): string | undefined {
  if (
    !args.some(({ text }) => attaching.test(text)) && program !== "reptyr" && !program.startsWith("frida")
  ) return undefined;
  const own = ownName(context);
  const named = (text: string) =>
    text.split(/[^\w.-]+/).find((word) =>
      word === "guard" || word === own || (agents.has(word) && !interpreters.has(word))
    );
  return args.map(({ text }) => named(text)).find((name) => name !== undefined);
}

const commands: readonly InvocationRule[] = [
  {
    on: "invocation",
    id: "self/command-guard",
    title: "Uses guard's commands that belong to the person",
    severity: "critical",
    decision: "deny",
    rationale:
      "Permissions, pauses and the removal of guard are decided by the person at their own terminal.",
    advice: "Ask the person to do it. `guard check` and `guard explain` are yours to use.",
    programs: ["guard", "deno"],
    examples: {
      match: [
        { action: "guard uninstall --all" },
        { action: "guard allow 4F7K" },
        { action: "guard policy set mode observe" },
        { action: "guard mcp trust github" },
        { action: "guard mcp --json trust github" },
        { action: "npx -y deno task guard uninstall --host claude" },
        { action: "guard install --all", decision: "ask" },
      ],
      pass: [
        { action: "guard check -- rm -rf build" },
        { action: "guard doctor" },
        { action: "guard log --json" },
        { action: `echo '{"tool_name":"Bash"}' | guard hook --host claude` },
        { action: "deno task test" },
        { action: "guard policy" },
        { action: "guard mcp" },
      ],
    },
    match(invocation, context) {
      const args = guardArguments(invocation, context);
      if (args === undefined) return undefined;
      const [verb = "", next = ""] = args.filter((text) => !text.startsWith("-"));
      const evidence = { text: [invocation.word.text, verb].join(" "), span: invocation.span };
      if (args.includes("--help") || args.includes("-h")) return undefined;
      if (verb === "allow" && args.includes("--list")) return undefined;
      if (ownerVerbs.has(verb)) return { evidence };
      if (verb === "mcp" && /^(?:trust|forget|accept|reset)$/.test(next)) return { evidence };
      if (verb === "policy" && /^(?:set|unset|edit|reset|trust|allow|add|remove|init|import)$/.test(next)) {
        return { evidence };
      }
      if (verb === "install") return args.includes("--dry-run") ? undefined : { decision: "ask", evidence };
      return undefined;
    },
  },
  {
    on: "invocation",
    id: "self/type-command",
    title: "Types a command of guard's that belongs to the person into a terminal",
    severity: "critical",
    decision: "deny",
    rationale: "In another terminal guard cannot tell an agent from the person.",
    advice: "Ask the person to do it. `guard check` and `guard explain` are yours to use.",
    programs: typingPrograms,
    examples: {
      match: [
        { action: "tmux send-keys -t 0 guard Space allow Space K7QM2XWP Enter" },
        { action: "screen -S main -X stuff 'guard allow K7QM2XWP\\n'" },
        { action: `osascript -e 'tell application "Terminal" to do script "guard allow K7QM2XWP"'` },
        { action: "xdotool type 'guard allow K7QM2XWP'" },
        { action: "tmux send-keys -t 0 'guard mcp trust github' Enter" },
        { action: "wezterm cli send-text 'guard uninstall --all'" },
        { action: "kitty @ send-text 'guard policy set mode observe'" },
        { action: `expect -c 'spawn guard allow K7QM2XWP; send "y\\r"; interact'` },
        { action: "script -q /dev/null guard allow K7QM2XWP" },
        { action: "xterm -e guard allow K7QM2XWP" },
      ],
      pass: [
        { action: "tmux send-keys -t 0 'guard check -- ls' Enter" },
        { action: "tmux send-keys -t 0 'npm test' Enter" },
        { action: "xdotool getactivewindow" },
        { action: "git commit -m 'say what guard allow does'" },
        { action: "grep -rn 'guard allow' docs" },
      ],
    },
    match(invocation, context) {
      const typed = typedCommand(invocation, ownName(context));
      return typed === undefined
        ? undefined
        : { evidence: { text: `${invocation.word.text} … ${typed}`, span: invocation.span } };
    },
  },
  {
    on: "invocation",
    id: "self/move-settings",
    title: "Has agents that are started later look for their settings in another place",
    severity: "critical",
    decision: "deny",
    rationale: "There nothing says that guard is to be asked.",
    advice: "Give a variable to the one command that needs it, as in `NODE_ENV=test npm start`.",
    programs: rememberingPrograms,
    examples: {
      match: [
        { action: "systemctl --user set-environment CLAUDE_CONFIG_DIR=/tmp/x" },
        { action: "launchctl setenv CODEX_HOME /tmp/x" },
        { action: "tmux set-environment -g XDG_CONFIG_HOME /tmp/x" },
        { action: "dbus-update-activation-environment --systemd HOME=/tmp/x" },
        { action: "setx CLAUDE_CONFIG_DIR C:\\x" },
        { action: "fish -c 'set -Ux CLAUDE_CONFIG_DIR /tmp/x'" },
      ],
      pass: [
        { action: "systemctl --user set-environment EDITOR=vim" },
        { action: "systemctl --user show-environment" },
        { action: "tmux set-environment -g COLORTERM truecolor" },
        { action: "set -e" },
        { action: "dbus-update-activation-environment --systemd DISPLAY" },
      ],
    },
    match(invocation) {
      const variable = rememberedBy(invocation);
      return variable === undefined
        ? undefined
        : { evidence: { text: `${invocation.word.text} … ${variable}`, span: invocation.span } };
    },
  },
  {
    on: "invocation",
    id: "self/debug-guard",
    title: "Attaches to a process of guard or of an agent",
    severity: "critical",
    decision: "deny",
    rationale:
      "Whoever controls the process decides what guard says, or what the agent takes for its answer.",
    advice: "Leave these processes alone. To look into your own program, start it: `gdb --args ./build/app`.",
    programs: debuggers,
    examples: {
      match: [
        { action: "gdb -p $(pgrep guard)" },
        { action: "gdb -batch -ex 'call exit(0)' -p $(pgrep -f claude)" },
        { action: "lldb -n guard" },
        { action: "strace -f -p $(pidof guard)" },
        { action: "gdb -ex 'attach guard'" },
        { action: "frida -n codex" },
      ],
      pass: [
        { action: "gdb -p 1234" },
        { action: "gdb --args ./build/app" },
        { action: "strace -p $(pgrep nginx)" },
        { action: "strace -o guard.log ls" },
        { action: "lldb ./guard" },
      ],
    },
    match(invocation, context) {
      const name = attachedTo(invocation, context);
      return name === undefined
        ? undefined
        : { evidence: { text: `${invocation.word.text} … ${name}`, span: invocation.span } };
    },
  },
  {
    on: "invocation",
    id: "self/mount-own",
    title: "Makes guard's own directories available in another place, or covers them",
    severity: "critical",
    decision: "deny",
    rationale: "Through another path its permissions, policy and log could be changed unseen.",
    advice: "Leave guard's directories where they are.",
    programs: mountPrograms,
    examples: {
      match: [
        { action: "sudo mount --bind /tmp/x ~/.config/guard" },
        { action: "bindfs ~/.local/state/guard x" },
        { action: "sudo mount -t overlay -o lowerdir=/tmp/a overlay ~/.config/guard" },
      ],
      pass: [{ action: "mount" }, { action: "bindfs data x" }, { action: "mount --bind data /mnt/x" }],
    },
    match(invocation, context) {
      const mounted = mountedOwn(invocation, context);
      return mounted === undefined
        ? undefined
        : { evidence: { text: `${invocation.word.text} ${mounted.text}`, span: invocation.span } };
    },
  },
];

const interactive = new Set([
  "bash",
  "sh",
  "zsh",
  "dash",
  "ksh",
  "fish",
  "pwsh",
  "powershell",
  "cmd",
  "python",
  "python3",
  "ipython",
  "node",
  "deno",
  "ruby",
  "irb",
  "perl",
  "php",
  "lua",
  "psql",
  "mysql",
  "mariadb",
  "sqlite3",
  "mongosh",
  "redis-cli",
  "ssh",
  "telnet",
  "ftp",
  "sftp",
  "gdb",
  "bc",
  "ghci",
  "R",
  "julia",
  "scala",
  "jshell",
  "erl",
  "iex",
  "bun",
  "tclsh",
  "su",
  "screen",
  "tmux",
  "script",
]);

/** True when a program would sit there and take commands that nobody judges. */
function waitsForInput(invocation: Invocation): boolean {
  const { program, args, pipeline, redirections } = invocation;
  if (!interactive.has(program)) return false;
  if (pipeline.index > 0 || invocation.stdin !== undefined) return false;
  if (redirections.some((one) => one.operator.startsWith("<"))) return false;
  const texts = args.map((word) => word.text);
  if (texts.some((text) => /^--?(?:version|help)$|^-[Vh]$/.test(text))) return false;
  const parsed = parseArguments(args, {
    values: [
      "-o",
      "-O",
      "-p",
      "-l",
      "-F",
      "-i",
      "-J",
      "-L",
      "-R",
      "-D",
      "-h",
      "-U",
      "-u",
      "-d",
      "-W",
      "-X",
      "-b",
      "-P",
      "-E",
      "-S",
      "-w",
    ],
    stopAtOperand: true,
  });
  const operands = parsed.operands.length;
  switch (program) {
    case "ssh":
    case "telnet":
      return operands < 2 && !parsed.has("-N", "-f", "-V", "-Q", "-G", "-T");
    case "ftp":
    case "sftp":
      return !parsed.has("-b");
    case "psql":
    case "mysql":
    case "mariadb":
      return !texts.some((text) =>
        /^(?:-[A-Za-z]*[cfel]|--(?:command|file|execute|list)(?:=.*)?)/.test(text)
      );
    case "redis-cli":
      return operands === 0;
    case "mongosh":
      return !texts.some((text) => text.startsWith("--eval") || text.endsWith(".js"));
    case "sqlite3":
      return operands < 2;
    case "su":
      return !texts.some((text) => /^(?:-[a-z]*c|--command)/.test(text));
    case "tmux":
      return operands === 0 ||
        /^(?:attach|a|new|new-session)$/.test(parsed.operands[0]!.text) && !texts.includes("-d");
    case "screen":
      return !texts.includes("-ls") && !texts.some((text) => /^-[a-z]*d/.test(text) || text === "-X");
    case "script":
      return !parsed.has("-c", "--command");
    case "deno":
      return operands === 0 || parsed.operands[0]!.text === "repl";
    case "bun":
      return parsed.operands[0]?.text === "repl";
    case "cmd":
      return !texts.some((text) => /^\/[cC]/.test(text));
    case "gdb":
      return !parsed.has("--batch", "-batch");
    default:
      if (
        texts.some((text) => /^(?:-i|--interactive|-[a-z]*i[a-z]*)$/.test(text) && !text.startsWith("--"))
      ) {
        return !texts.some((text) => /^-[a-z]*c/.test(text)) || !/^(?:ba|z|da|k)?sh$|^fish$/.test(program);
      }
      if (
        texts.some((text) =>
          /^-{1,2}(?:[a-zA-Z]*[cemrpE]|eval|print|command|file|encodedcommand|check|test|run)$/i.test(text)
        )
      ) {
        return false;
      }
      return operands === 0;
  }
}

const agents: ReadonlySet<string> = new Set(agentPrograms);

/** Programs that agents are written for, and that run other things too. */
const interpreters: ReadonlySet<string> = new Set(["node", "nodejs", "bun", "deno", "agent", "q", "pi"]);

const killers = new Set("pkill killall kill taskkill stop-process killall5 skill xkill fuser".split(" "));

/** True when it ends guard's processes by their name, or those that a search for it found. */
function endsGuard(one: Invocation, all: readonly Invocation[], context: Context): boolean {
  const own = new RegExp(`\\b${ownName(context).replaceAll(/\W/g, ".")}\\b`);
  const names = ({ args }: Invocation) => args.some(({ text }) => /\bguard\b/i.test(text) || own.test(text));
  if (one.program === "fuser" && !one.args.some(({ text }) => /^(?:-[a-zA-Z]*k|--kill)/.test(text))) {
    return false;
  }
  return names(one) ||
    (one.moreArguments &&
      all.some((other) =>
        /^(?:pgrep|pidof|ps|grep|rg|awk|lsof)$/.test(other.program) &&
        other.pipeline.id === one.pipeline.id &&
        other.pipeline.index < one.pipeline.index && names(other)
      ));
}

const processes: readonly CommandRule[] = [
  {
    on: "command",
    id: "self/kill-guard",
    title: "Ends guard's processes",
    severity: "critical",
    decision: "deny",
    rationale: "On most hosts a hook that was killed counts as consent.",
    advice: "Leave guard running. To end your own server, name its process, as in `kill %1`.",
    programs: [...killers],
    examples: {
      match: [
        { action: "pkill -9 guard" },
        { action: "killall guard" },
        { action: "pkill -f 'guard hook'" },
        { action: "kill -9 $(pgrep guard)" },
        { action: "pgrep guard | xargs kill" },
        { action: "fuser -k ~/.local/bin/guard" },
      ],
      pass: [
        { action: "pkill -f vite" },
        { action: "kill 1234" },
        { action: "killall node" },
        { action: "pgrep node | xargs kill" },
        { action: "pgrep guard" },
      ],
    },
    match(understanding, _uses, context) {
      return understanding.invocations.filter((one) => killers.has(one.program)).flatMap((one) =>
        endsGuard(one, understanding.invocations, context)
          ? [{ evidence: { text: one.word.text, span: one.span } }]
          : []
      );
    },
  },
  {
    on: "command",
    id: "self/agent-without-approvals",
    title: "Starts another agent without its approvals or hooks",
    severity: "critical",
    decision: "deny",
    rationale: "The second agent could do everything that the first one is refused.",
    advice: "Do the work here, or start the other agent with its approvals on.",
    programs: agentPrograms,
    examples: {
      match: [
        { action: "claude -p 'fix it' --dangerously-skip-permissions" },
        { action: "codex exec --dangerously-bypass-approvals-and-sandbox 'fix it'" },
        { action: "npx @google/gemini-cli --yolo -p 'fix it'" },
        { action: "CLAUDE_CONFIG_DIR=/tmp/c claude -p 'fix it'" },
        { action: "export CLAUDE_CONFIG_DIR=/tmp/c; claude -p 'fix it'" },
        { action: "setenv CODEX_HOME /tmp/c; codex exec 'fix it'" },
        { action: "declare -x CODEX_HOME=/tmp/c && codex exec 'fix it'" },
        { action: "codex exec --disable hooks 'fix it'" },
        { action: "cursor-agent -p --force 'fix it'" },
        { action: "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare -p 'fix it'" },
        { action: "codex features disable hooks" },
        { action: "sudo -u other claude -p 'fix it'" },
        { action: "su other -c 'codex exec fix'" },
      ],
      pass: [
        { action: "claude -p 'explain this'" },
        { action: "export NODE_ENV=test; claude -p 'explain this'" },
        { action: "export HOME; claude -p 'explain this'" },
        { action: "claude -p 'explain this'; export CLAUDE_CONFIG_DIR=/tmp/c" },
        { action: "codex --version" },
        { action: "gemini -p 'explain this'" },
        { action: "git log --author=claude" },
      ],
    },
    match({ invocations }) {
      const exported = new Map<string, ReturnType<typeof exportedBy>[number]>();
      return invocations.flatMap((one) => {
        for (const variable of exportedBy(one)) exported.set(variable.name, variable);
        if (!agents.has(one.program)) return [];
        const found = approvalsOff(one, [...exported.values()]);
        return found === undefined
          ? []
          : [{ evidence: { text: `${one.word.text} ${found}`, span: one.span } }];
      });
    },
  },
];

const shells: readonly CommandRule[] = [
  {
    on: "command",
    id: "self/unobserved-shell",
    title: "Opens a shell or interpreter into which more is typed later",
    severity: "high",
    decision: "deny",
    rationale: "This host shows guard only what starts a session, not what is typed into it afterwards.",
    advice: "Run each command by itself, as in `python3 script.py` or `ssh host.example.com uptime`.",
    programs: [...interactive],
    examples: {
      match: [
        {
          host: "codex",
          action: { kind: "shell", command: "bash", dialect: "posix", unobservedInput: true },
        },
        {
          host: "codex",
          action: { kind: "shell", command: "cd src && python3 -i", dialect: "posix", unobservedInput: true },
        },
        {
          host: "codex",
          action: { kind: "shell", command: "ssh host.example.com", dialect: "posix", unobservedInput: true },
        },
        {
          host: "codex",
          action: { kind: "shell", command: "sqlite3 app.db", dialect: "posix", unobservedInput: true },
        },
      ],
      pass: [
        {
          host: "codex",
          action: {
            kind: "shell",
            command: "bash -lc 'git status'",
            dialect: "posix",
            unobservedInput: true,
          },
        },
        {
          host: "codex",
          action: { kind: "shell", command: "python3 tool.py", dialect: "posix", unobservedInput: true },
        },
        {
          host: "codex",
          action: { kind: "shell", command: "echo 1+1 | python3", dialect: "posix", unobservedInput: true },
        },
        {
          host: "codex",
          action: {
            kind: "shell",
            command: "ssh host.example.com uptime",
            dialect: "posix",
            unobservedInput: true,
          },
        },
        { action: "bash" },
      ],
    },
    match(understanding, _uses, _context, action) {
      if (action.unobservedInput !== true) return [];
      return understanding.invocations.filter((one) =>
        one.provenance !== "substitution" && waitsForInput(one)
      )
        .map((one) => ({ evidence: { text: one.word.text, span: one.span } }));
    },
  },
];

export const rules: readonly Rule[] = [...files, ...commands, ...processes, ...shells];
