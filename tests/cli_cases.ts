/** Black-box cases of the command line as data; tests/cli_blackbox_test.ts runs them. */

export interface CliCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Files below the temporary home before the run; the project is `app`, with a `.git`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly code: number;
  /** Each has to occur. */
  readonly stdout?: readonly (string | RegExp)[];
  readonly stderr?: readonly (string | RegExp)[];
  /** The whole of stdout, one JSON document a line, of which these members are compared. */
  readonly json?: readonly Readonly<Record<string, unknown>>[];
}

const policyFile = ".config/guard/policy.jsonc";

/** A host that fires a hook for the tool and one for its command. */
const firedTwice = [
  { nativeEvent: "preToolUse", decision: "none", rules: ["git/x"] },
  { nativeEvent: "beforeShellExecution", decision: "deny", rules: ["git/y"] },
  { nativeEvent: "preToolUse", decision: "none", rules: [], subject: "make" },
].map((record) =>
  JSON.stringify({
    time: "2026-01-01T00:00:00Z",
    host: "cursor",
    event: "pre_tool",
    session: "s-1",
    subject: "git push -f",
    ...record,
  }) + "\n"
).join("");

export const cliCases: readonly CliCase[] = [
  {
    name: "no command shows the help on stderr",
    args: [],
    code: 64,
    stderr: ["Usage: guard", "Exit codes:"],
  },
  {
    name: "help is the answer when it is asked for",
    args: ["--help"],
    code: 0,
    stdout: ["Usage: guard", "64"],
  },
  {
    name: "help of a command",
    args: ["check", "--help"],
    code: 0,
    stdout: ["Exit codes:", "Examples:", "--jsonl"],
  },
  { name: "version", args: ["--version"], code: 0, stdout: [/^\d+\.\d+\.\d+\n$/] },
  { name: "version as JSON", args: ["version", "--json"], code: 0, json: [{ platform: Deno.build.target }] },
  {
    name: "an unknown command suggests the nearest",
    args: ["chekc"],
    code: 64,
    stderr: ["guard: unknown command 'chekc'", "Did you mean check?"],
  },
  {
    name: "an unknown command has no help",
    args: ["pause", "--help"],
    code: 64,
    stderr: ["guard: unknown command 'pause'", "Run: guard --help"],
  },
  {
    name: "an unknown host that is nearly one",
    args: ["hosts", "curser"],
    code: 64,
    stderr: ['The host "curser" is not known', "Run: guard hosts cursor"],
  },
  {
    name: "an unknown host that is like none",
    args: ["install", "--host", "7up", "--dry-run"],
    code: 64,
    stderr: ['The host "7up" is not known', /^Run: guard hosts$/m],
  },
  {
    name: "an unknown option suggests the nearest",
    args: ["log", "--limt", "3"],
    code: 64,
    stderr: ["guard: unknown option '--limt'", "Did you mean --limit?", "Run: guard log --help"],
  },
  {
    name: "check of several words quotes them",
    args: ["check", "--json", "--", "echo", "rm -rf /"],
    code: 0,
    json: [{ decision: "none" }],
  },
  {
    name: "check of one word takes it as the text of a command",
    args: ["check", "--json", "--", "rm -rf /"],
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "check says deny with the rule and what to do instead",
    args: ["check", "--", "rm", "-rf", "/"],
    code: 2,
    stdout: ["deny", "filesystem/", "Instead: "],
  },
  {
    name: "check of something harmless",
    args: ["check", "--", "git", "status"],
    code: 0,
    stdout: [/^none\n$/],
  },
  {
    name: "check of a question",
    args: ["check", "--json", "--", "git reset --hard"],
    code: 3,
    json: [{ decision: "ask" }],
  },
  {
    name: "check of a file that is read",
    args: ["check", "--read", "~/.ssh/id_rsa", "--json"],
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "check of a file that is written",
    args: ["check", "--write", "notes.txt", "--json"],
    code: 0,
    json: [{ decision: "none" }],
  },
  {
    name: "check in a directory that does not exist",
    args: ["check", "--cwd", "/nowhere/at/all", "--json", "--", "rm -rf ../../.."],
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "check of an MCP tool looks at its arguments",
    args: ["check", "--json", "--mcp", "files", "delete_file", '{"path": "/etc/passwd"}'],
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "check of a prompt",
    args: ["check", "--json", "--prompt", "what is rm -rf / for?"],
    code: 0,
    json: [{ decision: "none" }],
  },
  {
    name: "check without an action",
    args: ["check"],
    code: 64,
    stderr: ["guard: expected a command after --", "Run: guard check --help"],
  },
  {
    name: "check of two actions",
    args: ["check", "--read", "a", "--url", "https://example.com"],
    code: 64,
    stderr: ["expected one action, found 2"],
  },
  {
    name: "check of broken MCP input",
    args: ["check", "--mcp", "a", "b", "{"],
    code: 64,
    stderr: ["to be JSON"],
  },
  {
    name: "servers of a host that is not known",
    args: ["mcp", "--host", "clod"],
    code: 64,
    stderr: ['The host "clod" is not known', "guard mcp --host claude"],
  },
  {
    name: "check in an unknown language",
    args: ["check", "--dialect", "fish", "--", "ls"],
    code: 64,
    stderr: ["expected --dialect to be posix, powershell, cmd"],
  },
  {
    name: "check of lines keeps the order, the ids and goes on after bad ones",
    args: ["check", "--jsonl"],
    stdin: [
      '{"id":1,"command":"git status","unknown":true}',
      "",
      "nonsense",
      '{"id":"b","action":{"kind":"shell","command":"rm -rf /"}}',
      '{"id":[3],"action":{"kind":"dance"}}',
      '{"action":{"kind":"file","operation":"read","path":"README.md"}}',
    ].join("\n"),
    code: 1,
    json: [
      { id: 1, decision: "none", findings: [] },
      { id: null },
      { id: "b", decision: "deny" },
      { id: [3] },
      { id: null, decision: "none" },
    ],
  },
  {
    name: "check of good lines succeeds whatever was decided",
    args: ["check", "--jsonl"],
    stdin: '{"id":1,"command":"rm -rf /"}\n{"id":2,"command":"ls"}\n',
    code: 0,
    json: [{ id: 1, decision: "deny" }, { id: 2, decision: "none" }],
  },
  {
    name: "an answer is one line to every reader",
    args: ["check", "--jsonl"],
    stdin: '{"id":"a\u2028b\u0085c","command":"ls"}\n',
    code: 0,
    stdout: [/^(?!.*[\u0085\u2028])/s],
    json: [{ id: "a\u2028b\u0085c", decision: "none" }],
  },
  { name: "check of no lines", args: ["check", "--jsonl"], stdin: "", code: 0, json: [] },
  {
    name: "explain shows what would run, where it matched, why, and what instead",
    args: ["explain", "--", 'cd build && sudo rm -rf "$OUT"/*'],
    code: 2,
    stdout: [
      "What would run",
      "through sudo",
      "as root",
      "→ /",
      "^^^^^^^^",
      "Why: ",
      "Instead: ",
      /^(?!.*(?:undefined|switches))/s,
    ],
  },
  {
    name: "explain makes control characters visible",
    args: ["explain", "--", "rm -rf / \u001b[2J"],
    code: 2,
    stdout: ["\\e[2J"],
  },
  {
    name: "explain as JSON",
    args: ["explain", "--json", "--", "git status"],
    code: 0,
    json: [{ decision: "none", findings: [] }],
  },
  {
    name: "explain says what the policy changed",
    args: ["explain", "--", "git reset --hard"],
    files: { [policyFile]: '{"rules": {"git/*": "off"}}' },
    code: 0,
    stdout: ["Policy: the user policy switches git/* off"],
  },
  {
    name: "rules",
    args: ["rules"],
    code: 0,
    stdout: [/git\/\S+ +(ask|deny) +(low|medium|high|critical) +\S/],
  },
  {
    name: "rules at a level",
    args: ["rules", "--level", "strict", "--category", "strict"],
    code: 0,
    stdout: [/strict\/print-environment +ask/],
  },
  {
    name: "rules below their level",
    args: ["rules", "--category", "strict"],
    code: 0,
    stdout: [/strict\/print-environment +off/],
  },
  {
    name: "rules at an unknown level",
    args: ["rules", "--level", "lax"],
    code: 64,
    stderr: ["expected --level to be standard, strict, paranoid, found", "Run: guard rules --help"],
  },
  {
    name: "rules in a profile",
    args: ["rules", "--profile", "minimal", "--category", "git"],
    code: 0,
    stdout: [/git\/delete-tag +deny-only/, /git\/force-push +ask/],
  },
  {
    name: "rules in an unknown profile",
    args: ["rules", "--profile", "lax"],
    code: 64,
    stderr: ["expected --profile to be minimal, standard, strict, found", "Run: guard rules --help"],
  },
  {
    name: "rules of a category",
    args: ["rules", "--category", "gti"],
    code: 64,
    stderr: ['did you mean "git"?'],
  },
  {
    name: "a rule",
    args: ["rules", "show", "git/force-push"],
    code: 0,
    stdout: ["git/force-push", "Instead", "It stops", "It lets pass"],
  },
  {
    name: "doctor of an unknown host names its own command",
    args: ["doctor", "--host", "cluade"],
    code: 64,
    stderr: ['The host "cluade" is not known', "Run: guard doctor --host cl"],
  },
  {
    name: "an unknown rule suggests the nearest",
    args: ["rules", "show", "git/forse-push"],
    code: 64,
    stderr: ['did you mean "git/force-push"?', "Run: guard rules show git/force-push"],
  },
  {
    name: "policy without files",
    args: ["policy"],
    code: 0,
    stdout: [/user +\S+policy\.jsonc +\(none\)/, /mode +enforce +\(built-in\)/, "guard policy init"],
  },
  {
    name: "policy says what a profile sets, and what the file writes itself",
    args: ["policy"],
    files: {
      [policyFile]:
        '{"profile": "minimal", "prompts": "warn", "tools": [{"tool": "a/b", "decision": "ask"}]}',
    },
    code: 0,
    stdout: [
      /profile +minimal +\(user\)/,
      /prompts +warn +\(user\)/,
      /rules git\/delete-tag +deny-only +\(user, profile minimal\)/,
      /tool a\/b +ask +\(user\)/,
    ],
  },
  {
    name: "policy says which members a profile sets",
    args: ["policy"],
    files: { [policyFile]: '{"profile": "strict", "personalData": {"card": "deny"}}' },
    code: 0,
    stdout: [
      /personalData card +deny +\(user\)/,
      /personalData iban +redact +\(user, profile strict\)/,
      /addresses private +ask +\(user, profile strict\)/,
    ],
  },
  {
    name: "a profile of the project only tightens, and says so",
    args: ["policy"],
    files: { "app/.guard/policy.jsonc": '{\n  "profile": "minimal"\n}' },
    code: 0,
    stdout: [/policy\.jsonc:2:14: of the profile "minimal", prompts.*is ignored: a project can only tighten/],
  },
  {
    name: "a profile is obeyed",
    args: ["check", "--json", "--", "git tag -d v1.0.0"],
    files: { [policyFile]: '{"profile": "minimal"}' },
    code: 0,
    json: [{ decision: "none" }],
  },
  {
    name: "policy with a host in tools that nobody knows",
    args: ["policy"],
    files: { [policyFile]: '{"toolDefaults": {"claud": "ask"}}' },
    code: 0,
    stdout: ['no host has the id "claud"; did you mean "claude"?'],
  },
  {
    name: "an MCP tool that the policy denies",
    args: ["check", "--json", "--mcp", "git-hub", "merge", "{}"],
    files: { [policyFile]: '{"tools": [{"tool": "mcp__git_hub__merge", "decision": "deny"}]}' },
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "policy with a broken file names line and column",
    args: ["policy"],
    files: { [policyFile]: '{\n  "mode": "observ"\n}' },
    code: 1,
    stdout: [/policy\.jsonc:2:11: expected mode to be "enforce" or "observe", found "observ"/],
  },
  {
    name: "a broken policy fails a check",
    args: ["check", "--", "ls"],
    files: { [policyFile]: "{" },
    code: 1,
    stderr: ["guard: the policy cannot be used", "Run: guard policy"],
  },
  {
    name: "policy reports ids that no rule has",
    args: ["policy"],
    files: { [policyFile]: '{"rules": {"git/forcepush": "off"}}' },
    code: 0,
    stdout: ['no rule has the id "git/forcepush"; did you mean "git/force-push"?'],
  },
  {
    name: "a project cannot loosen the policy",
    args: ["check", "--json", "--", "rm -rf /"],
    files: {
      "app/.guard/policy.jsonc": '{"mode": "observe", "rules": {"filesystem/*": "off", "self/*": "off"}}',
    },
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "a project tightens the policy",
    args: ["check", "--json", "--", "kubectl get pods"],
    files: {
      "app/.guard/policy.jsonc":
        '{"ownRules": [{"id": "team/k", "title": "t", "decision": "deny", "advice": "a", "match": {"program": "kubectl"}}]}',
    },
    code: 2,
    json: [{ decision: "deny" }],
  },
  {
    name: "a project policy that loosens is reported beside the answer",
    args: ["check", "--json", "--", "git", "status"],
    files: { "app/.guard/policy.jsonc": '{"mode": "observe"}' },
    code: 0,
    json: [{ decision: "none" }],
    stderr: [/policy\.jsonc:1:10: "mode": "observe" is ignored/],
  },
  {
    name: "check without the two dashes says where they go",
    args: ["check", "rm", "-rf", "build"],
    code: 64,
    stderr: ["guard check -- rm -rf build"],
  },
  {
    name: "a broken project policy neither loosens nor stops everything",
    args: ["check", "--jsonl"],
    files: { "app/.guard/policy.jsonc": "{ broken" },
    stdin: '{"command":"rm -rf /"}\n{"command":"git status"}\n',
    code: 0,
    json: [{ decision: "deny" }, { decision: "none" }],
  },
  {
    name: "an allowed command",
    args: ["check", "--json", "--", "git", "status"],
    files: { [policyFile]: '{"allowedCommands": ["git status"]}' },
    code: 0,
    json: [{ decision: "allow" }],
  },
  {
    name: "policy init leaves a policy as it is",
    args: ["policy", "init"],
    files: { [policyFile]: "{}" },
    code: 1,
    stderr: ["found one; it is left as it is"],
  },
  {
    name: "install into a project that does not exist",
    args: ["install", "--host", "claude", "--scope", "project", "--project", "no-such-place"],
    code: 64,
    stderr: ["expected --project to be a directory, found none at", "no-such-place"],
  },
  {
    name: "log without records",
    args: ["log"],
    code: 0,
    stdout: [/^$/],
    stderr: ["Nothing has been decided yet."],
  },
  {
    name: "log shows records, newest last, and counts torn lines",
    args: ["log", "--json"],
    files: {
      ".local/state/guard/audit.jsonl": [
        '{"time":"2026-01-01T00:00:00Z","host":"claude","subject":"a","decision":"deny","rules":["git/x"]}',
        '{"time":"2026-01-01T00:00:01Z","ho',
        '{"time":"2026-01-01T00:00:02Z","host":"codex","subject":"b","decision":"none","rules":[]}',
        "",
      ].join("\n"),
    },
    code: 0,
    json: [{ subject: "a" }, { subject: "b" }],
    stderr: ["1 line that is no record skipped"],
  },
  {
    name: "log shows a call for which several hooks were fired once, with all answers",
    args: ["log"],
    files: { ".local/state/guard/audit.jsonl": firedTwice },
    code: 0,
    stdout: [
      /^[^\n]* deny [^\n]*git\/x git\/y[^\n]*git push -f \[preToolUse: none, beforeShellExecution: deny\]\n[^\n]*make\n$/,
    ],
  },
  {
    name: "log counts calls, and finds one by any of its answers",
    args: ["log", "--limit", "1", "--decision", "none", "--rule", "git/x"],
    files: { ".local/state/guard/audit.jsonl": firedTwice },
    code: 0,
    stdout: [/^[^\n]*git push -f \[[^\n]*\]\n$/],
  },
  {
    name: "log shows a hostile line as text, or not at all",
    args: ["log"],
    files: {
      ".local/state/guard/audit.jsonl": [
        '{"time":"\\u001b[2J\\u009b","host":"\\u001b[1m","subject":"\\u202eb","decision":"none","rules":["\\u001b[3m"]}',
        '{"time":"2026-01-01T00:00:01Z","host":"codex","subject":"x","decision":"none","rules":[],"session":{"toString":1}}',
        '{"time":"2026-01-01T00:00:01Z","host":"codex","subject":"x","decision":"none","rules":[],"failure":5}',
        '{"time":"2026-01-01T00:00:01Z","host":"codex","subject":"x","decision":"deny","answered":"\\u001b[2Jnone","rules":[]}',
        '{"time":"2026-01-01T00:00:02Z","host":"codex","subject":"kept","decision":"deny","rules":[]}',
        "",
      ].join("\n"),
    },
    code: 0,
    // deno-lint-ignore no-control-regex
    stdout: [/^[^\x1b\x9b\u202e]* kept\n$/, /\\e\[2J\\x9b/],
    stderr: ["3 lines that are no record skipped"],
  },
  {
    name: "log for programs keeps escaped what a terminal would act on",
    args: ["log", "--json"],
    files: {
      ".local/state/guard/audit.jsonl":
        '{"time":"2026-01-01T00:00:00Z","host":"codex","subject":"a\\u009b2J\\u202eb","decision":"none","rules":[]}\n',
    },
    code: 0,
    stdout: [/"subject":"a\\u009b2J\\u202eb"/],
  },
  {
    name: "log for programs has every record",
    args: ["log", "--json"],
    files: { ".local/state/guard/audit.jsonl": firedTwice },
    code: 0,
    json: [{ decision: "none" }, { decision: "deny" }, { subject: "make" }],
  },
  {
    name: "log filters",
    args: ["log", "--json", "--decision", "deny", "--host", "claude", "--rule", "git/*"],
    files: {
      ".local/state/guard/audit.jsonl": [
        '{"time":"2026-01-01T00:00:00Z","host":"claude","subject":"a","decision":"deny","rules":["git/x"]}',
        '{"time":"2026-01-01T00:00:02Z","host":"codex","subject":"b","decision":"deny","rules":["git/x"]}',
        '{"time":"2026-01-01T00:00:03Z","host":"claude","subject":"c","decision":"deny","rules":["network/x"]}',
        "",
      ].join("\n"),
    },
    code: 0,
    json: [{ subject: "a" }],
  },
  {
    name: "log tells when nothing can be written to it",
    args: ["log"],
    files: { ".local/state/guard/audit.jsonl/inside": "" },
    code: 0,
    stderr: ["audit.jsonl is not a regular file, so decisions are not written down."],
  },
  {
    name: "log tells when its directory is none",
    args: ["log"],
    files: { ".local/state/guard": "" },
    code: 0,
    stderr: ["cannot be written, so decisions are not written down"],
  },
  {
    name: "log with a wrong limit",
    args: ["log", "--limit", "0"],
    code: 64,
    stderr: ["a whole number from 1"],
  },
  {
    name: "log with a wrong decision",
    args: ["log", "--decision", "dney"],
    code: 64,
    stderr: ['found "dney"'],
  },
  {
    name: "allow without a code",
    args: ["allow"],
    code: 64,
    stderr: ["expected a code, --list or --revoke"],
  },
  {
    name: "allow with something that is no code",
    args: ["allow", "../x"],
    code: 64,
    stderr: ["eight letters"],
  },
  {
    name: "allow away from a terminal",
    args: ["allow", "ABCDEFGH"],
    code: 1,
    stderr: ["only a person may allow an action", "terminal"],
  },
  {
    name: "allow --list",
    args: ["allow", "--list", "--json"],
    code: 0,
    json: [{ pending: [], allowed: [] }],
  },
  {
    name: "allow --revoke of nothing",
    args: ["allow", "--revoke", "ABCDEFGH"],
    code: 1,
    stderr: ["ABCDEFGH"],
  },
];
