import assert from "node:assert/strict";
import { makeContext } from "./context.ts";
import { fakeFacts } from "./facts/fake.ts";
import { judge } from "./judge.ts";
import { loadAllParts } from "./parts.ts";
import { builtInPolicy } from "./policy/built_in.ts";
import { compileRule } from "./rule_matcher.ts";
import type { Action, RuleMatcher } from "./types.ts";

await loadAllParts();

function matches(match: RuleMatcher, action: Action | string): boolean {
  const form = { id: "team/own", title: "Own", decision: "ask" as const, advice: "Do not.", match };
  const rule = compileRule(form, (source) => (text) => text.includes(source));
  const call = {
    host: "claude",
    event: "pre_tool" as const,
    nativeEvent: "PreToolUse",
    cwd: "/home/eva/shop",
    actions: [
      typeof action === "string"
        ? { kind: "shell" as const, command: action, dialect: "posix" as const }
        : action,
    ],
  };
  const policy = { ...builtInPolicy, ownRules: [rule] };
  const context = makeContext({ call, home: "/home/eva", processDirectory: "/", facts: fakeFacts(), policy });
  const verdict = judge(call, [], context);
  assert.equal(verdict.failure, undefined);
  return verdict.findings.some((finding) => finding.rule === "team/own");
}

const table: readonly [RuleMatcher, string | Action, boolean][] = [
  [{ program: "terraform" }, "cd infra && terraform apply", true],
  [{ program: "terraform" }, "echo terraform", false],
  [{ program: ["kubectl", "oc"], subcommand: ["delete|drain"] }, "kubectl -n prod delete pod x", true],
  [{ program: "kubectl", subcommand: ["delete"] }, "kubectl get delete", false],
  [{ program: "git", subcommand: ["push"], anyOption: ["--force", "-f"] }, "git -C x push -uf origin", true],
  [{ program: "git", subcommand: ["push"], noOption: ["--dry-run"] }, "git push --dry-run", false],
  [
    { program: "terraform", allOptions: ["-auto-approve", "-lock=false"] },
    "terraform apply -auto-approve -lock=false",
    true,
  ],
  [{ program: "make", operand: "deploy*" }, "make deploy-prod", true],
  [{ path: "migrations/**", operation: ["write"] }, "echo x > migrations/1.sql", true],
  [{ path: "migrations/**", operation: ["write"] }, "cat migrations/1.sql", false],
  [{ path: "*.lock" }, { kind: "file", operation: "edit", path: "a/b.lock", content: "" }, true],
  [{ path: "~/notes/**" }, { kind: "file", operation: "read", path: "/home/eva/notes/a" }, true],
  [{ tool: "jira/*" }, { kind: "mcp", server: "jira", tool: "create_issue", input: {} }, true],
  [{ tool: "jira/*" }, { kind: "mcp", server: "files", tool: "jira", input: {} }, false],
  [{ url: "*.example.com" }, { kind: "fetch", url: "https://a.example.com/x" }, true],
  [{ url: "*.example.com" }, "curl https://a.example.com:8080/x", true],
  [{ url: "*.example.com" }, { kind: "fetch", url: "https://example.com.evil.org/" }, false],
  [{ program: "curl", url: "example.com" }, "curl https://example.com/", true],
  [{ text: "hunter" }, { kind: "prompt", text: "what does hunter say" }, true],
  [{ program: "rm", path: "src/**" }, "rm src/a", true],
  [{ program: "rm", path: "src/**" }, "cat src/a; rm b", false],
];

for (const [match, action, expected] of table) {
  Deno.test(`${JSON.stringify(match)} ${expected ? "matches" : "leaves"} ${JSON.stringify(action)}`, () => {
    assert.equal(matches(match, action), expected);
  });
}

Deno.test("a text without a compiler is refused", () => {
  const form = {
    id: "team/own",
    title: "Own",
    decision: "ask" as const,
    advice: "No.",
    match: { text: "x" },
  };
  assert.throws(() => compileRule(form), /team\/own/);
});
