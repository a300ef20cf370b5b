/** What is passed over without judging is what judging by all rules passes. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { makeContext } from "./context.ts";
import { diskFacts } from "./facts/disk.ts";
import { fakeFacts } from "./facts/fake.ts";
import { respond } from "./hook.ts";
import { judge } from "./judge.ts";
import { isQuietCall, isQuietCommand } from "./quiet.ts";
import { loadAllRules } from "./rules_loader.ts";
import type { FakeFacts, HookCall } from "./types.ts";

const rules = await loadAllRules();
const home = "/home/eva";

function callOf(command: string, cwd = "/home/eva/shop"): HookCall {
  const action = { kind: "shell", command, dialect: "posix" } as const;
  return { host: "claude", event: "pre_tool", nativeEvent: "PreToolUse", cwd, actions: [action] };
}

const ruleWords = [
  ...new Set(
    rules.flatMap(({ examples }) => [...examples.match, ...examples.pass])
      .flatMap(({ action }) => typeof action === "string" ? action.split(/\s+/) : []),
  ),
];
const starts = fc.constantFrom(
  ..."git status|git diff|git log|git show|git branch|git remote|git rev-parse|ls|pwd|whoami|date|git|git stash|git -C"
    .split("|"),
);
const words = fc.oneof(
  fc.constantFrom(...ruleWords),
  fc.constantFrom(
    ...("-s -sb -u -uno --short --porcelain --branch -5 -n -p 3 -w --stat --cached --name-only --oneline --all HEAD HEAD~1 HEAD^ main master " +
      "-a -r -v -vv --list --show-current -la -1 .ssh ~/.ssh / .. ../.. .env id_rsa src/a.ts /etc/shadow /proc/self/environ -L -u --show-toplevel")
      .split(" "),
  ),
  fc.stringMatching(/^-{0,2}[A-Za-z0-9_.\/~^-]{1,8}$/),
);
const line = fc.tuple(starts, fc.array(words, { maxLength: 4 })).map(([start, rest]) =>
  [start, ...rest].join(" ")
);
const worlds: readonly FakeFacts[] = [
  {},
  { git: { modified: ["a"], untracked: ["b/"], branch: "main" } },
];
const directories = [
  "/home/eva/shop",
  home,
  "/",
  "/etc",
  "/tmp",
  "/home/eva/.ssh",
  "/home/eva/.claude",
  "/root",
];

Deno.test("no rule has anything to say about a quiet command, wherever it runs", () => {
  let found = 0;
  fc.assert(
    fc.property(line, fc.constantFrom(...worlds), fc.constantFrom(...directories), (command, facts, cwd) => {
      if (!isQuietCommand(command)) return;
      found++;
      const call = callOf(command, cwd);
      const context = makeContext({
        call,
        home,
        processDirectory: "/",
        facts: fakeFacts(facts),
        os: "linux",
      });
      assert.deepEqual(judge(call, rules, context), {
        decision: "none",
        findings: [],
        notes: [],
        excepted: [],
      }, command);
    }),
    { numRuns: 6000 },
  );
  assert.ok(found > 600, `only ${found} commands were quiet`);
});

Deno.test("no rule has anything to say about a word alone after a quiet start", () => {
  let found = 0;
  for (
    const start of [
      "git status",
      "git diff",
      "git log",
      "git show",
      "git branch",
      "git remote",
      "git rev-parse",
      "ls",
      "pwd",
      "whoami",
      "date",
    ]
  ) {
    for (const word of ["", ...ruleWords]) {
      const command = word === "" ? start : `${start} ${word}`;
      if (!isQuietCommand(command)) continue;
      found++;
      const call = callOf(command);
      const context = makeContext({
        call,
        home,
        processDirectory: "/",
        facts: diskFacts({ git: false }),
        os: "linux",
      });
      assert.deepEqual(judge(call, rules, context), {
        decision: "none",
        findings: [],
        notes: [],
        excepted: [],
      }, command);
    }
  }
  assert.ok(found > 100, `only ${found} commands were quiet`);
});

for (
  const command of [
    "git status",
    "git status -sb",
    "git diff --stat HEAD~1",
    "git log --oneline -5",
    "git branch --show-current",
    "ls -la src",
    "pwd",
    "whoami",
  ]
) Deno.test(`quiet: ${command}`, () => assert.ok(isQuietCommand(command)));

for (
  const command of [
    "git branch -D main",
    "git branch feature",
    "git diff .env",
    "git show HEAD:.env",
    "git status; id",
    "git status\nid",
    "git log $X",
    "ls *",
    "ls ~/x",
    "git -C /x status",
    "git remote remove origin",
    "date 1",
    "whoami ",
    "git  status",
    " git status",
    "git",
    "cat a",
    "rm a",
    "ls a b\n",
    "",
  ]
) Deno.test(`not quiet: ${JSON.stringify(command)}`, () => assert.ok(!isQuietCommand(command)));

const posixOnly = { ignore: Deno.build.os === "windows" };

async function withProject(
  body: (project: string, places: { managed: string; policy: string; state: string }) => Promise<void> | void,
) {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const project = `${root}/a/b`;
    Deno.mkdirSync(project, { recursive: true });
    await body(project, {
      managed: `${root}/managed.jsonc`,
      policy: `${root}/user.jsonc`,
      state: `${root}/state`,
    });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("where any policy is, a call is judged", posixOnly, () =>
  withProject((project, places) => {
    const call = callOf("git status", project);
    const quiet = (one = call) => isQuietCall(one, places);
    assert.ok(quiet());
    assert.ok(quiet({ ...call, workspace: `${project}/c` }));
    for (const file of [places.managed, places.policy, `${project}/.guard`, `${project}/../.guard`]) {
      Deno.writeTextFileSync(file, "{}");
      assert.ok(!quiet(), file);
      Deno.removeSync(file);
    }
    const elsewhere = `${project}/../c`;
    Deno.mkdirSync(`${elsewhere}/.guard`, { recursive: true });
    assert.ok(!quiet({ ...call, workspace: Deno.realPathSync(elsewhere) }));
    // A link to nothing is something too, and so is a file where a directory is expected.
    Deno.symlinkSync("/nowhere", places.policy);
    assert.ok(!quiet());
    Deno.removeSync(places.policy);
    assert.ok(quiet());
    Deno.writeTextFileSync(`${project}/file`, "");
    assert.ok(!isQuietCall(call, { ...places, policy: `${project}/file/policy.jsonc` }));
  }));

Deno.test(
  "a call that is not exactly one plain command in a plain place is judged",
  posixOnly,
  () =>
    withProject((project, places) => {
      const call = callOf("git status", project);
      const [action] = call.actions;
      const others: readonly HookCall[] = [
        { ...call, cwd: undefined },
        { ...call, cwd: "C:\\x" },
        { ...call, cwd: `${project}/../b` },
        { ...call, cwd: `${project}//c` },
        { ...call, cwd: "/" },
        { ...call, workspace: "../x" },
        { ...call, event: "permission" },
        { ...call, actions: [] },
        { ...call, actions: [action!, action!] },
        { ...call, actions: [{ kind: "shell", command: "git status", dialect: "powershell" }] },
        { ...call, actions: [{ kind: "shell", command: "git status", dialect: "posix", cwd: "/x" }] },
        {
          ...call,
          actions: [{ kind: "shell", command: "git status", dialect: "posix", unobservedInput: true }],
        },
        { ...call, actions: [{ kind: "unknown", tool: "x", input: { command: "git status" } }] },
      ];
      for (const one of others) assert.ok(!isQuietCall(one, places), JSON.stringify(one));
    }),
);

Deno.test(
  "a rule of a policy about a quiet command counts",
  posixOnly,
  () =>
    withProject(async (project, places) => {
      const rule = {
        id: "team/no-status",
        decision: "deny",
        title: "No status.",
        advice: "Ask.",
        match: { program: "git", subcommand: ["status"] },
      };
      const payload = JSON.stringify({
        session_id: "s",
        cwd: project,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "git status" },
      });
      const run = async () => {
        const bytes = [new TextEncoder().encode(payload)];
        const source = {
          read(buffer: Uint8Array): Promise<number | null> {
            const part = bytes.shift();
            if (part === undefined) return Promise.resolve(null);
            buffer.set(part);
            return Promise.resolve(part.length);
          },
        };
        return await respond([
          "--host",
          "claude",
          "--event",
          "PreToolUse",
          "--policy",
          places.policy,
          "--state",
          places.state,
        ], source);
      };
      assert.equal((await run()).record?.decision, "none");
      Deno.writeTextFileSync(places.policy, JSON.stringify({ ownRules: [rule] }));
      const { record } = await run();
      assert.deepEqual(record?.rules, ["team/no-status"], JSON.stringify(record));
    }),
);
