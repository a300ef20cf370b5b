/** Every agent's ways to start without approvals, and what merely looks like one. */

import assert from "node:assert/strict";
import { judged } from "../../tests/rule_world.ts";
import { rules } from "../self.ts";

const off: readonly string[] = [
  "claude --dangerously-skip-permissions",
  "claude -p 'fix' --permission-mode bypassPermissions",
  "claude --permission-mode=bypassPermissions -p 'fix'",
  "codex --yolo 'fix'",
  "codex exec --dangerously-bypass-approvals-and-sandbox 'fix'",
  "codex -a never -s danger-full-access 'fix'",
  "codex exec --sandbox=danger-full-access 'fix'",
  "codex exec --full-auto 'fix'",
  "codex -c sandbox_mode=danger-full-access 'fix'",
  "claude plugin disable guard",
  "claude plugin uninstall guard@somewhere",
  "gemini extensions disable guard",
  "gemini -y -p 'fix'",
  "gemini --approval-mode yolo",
  "gemini --approval-mode=yolo",
  "qwen -y",
  "iflow --yolo",
  "cursor-agent -f -p 'fix'",
  "cursor-agent --force",
  "cursor-agent --yolo",
  "OPENCODE_PERMISSION='{\"bash\":\"allow\"}' opencode run 'fix'",
  "copilot --allow-all-tools -p 'fix'",
  "copilot --yolo",
  "COPILOT_ALLOW_ALL=true copilot -p 'fix'",
  "aider --yes-always",
  "AIDER_YES_ALWAYS=1 aider",
  "aider --no-git-commit-verify",
  "AIDER_GIT_COMMIT_VERIFY=false aider",
  "amp --dangerously-allow-all -x 'fix'",
  "GOOSE_MODE=auto goose run -t 'fix'",
  "droid exec --skip-permissions-unsafe 'fix'",
  "cline --yolo 'fix'",
  "cline --config /tmp/c 'fix'",
  "agy --dangerously-skip-permissions -p 'fix'",
  "junie --config-location /tmp/c.json 'fix'",
  "kiro-cli chat --trust-all-tools",
  "kiro-cli chat --trust-tools=execute_bash",
  "crush run 'fix'",
  "crush --yolo",
  "kilocode --auto 'fix'",
  "kimi --print -c 'fix'",
  "codebuddy -p 'fix' -y",
  "qodercli --yolo",
  "cn --auto",
  "vibe --auto-approve",
  "interpreter -y",
  "gptme --no-confirm 'fix'",
  "openhands --headless -t 'fix'",
  "acli rovodev run --yolo 'fix'",
  "npx -y @anthropic-ai/claude-code --dangerously-skip-permissions",
  "bash -c 'codex --yolo'",
  "nohup gemini --yolo -p x &",
];

const on: readonly string[] = [
  "claude -p 'explain'",
  "claude --version",
  "claude plugin list",
  "claude plugin disable formatter",
  "gemini extensions install https://example.com/guard",
  "codex 'explain'",
  "codex exec -s read-only 'explain'",
  "codex -a on-request",
  "gemini -p 'explain'",
  "gemini --approval-mode default",
  "qwen --help",
  "cursor-agent -p 'explain'",
  "opencode run 'explain'",
  "COPILOT_ALLOW_ALL=0 copilot -p 'explain'",
  "copilot -p 'explain'",
  "aider README.md",
  "AIDER_GIT_COMMIT_VERIFY=true aider --git-commit-verify",
  "cline 'explain'",
  "agy -p 'explain'",
  "GOOSE_MODE=approve goose session",
  "droid exec 'explain'",
  "kiro-cli chat",
  "crush",
  "acli jira workitem view A-1",
  "cn -p 'explain'",
  "echo 'claude --dangerously-skip-permissions'",
  "git commit -m 'Refuse codex --yolo'",
];

for (const command of off) {
  Deno.test(`approvals are off: ${command}`, () => {
    const { findings } = judged(command, rules);
    assert.deepEqual(findings.map(({ rule, decision }) => [rule, decision]), [[
      "self/agent-without-approvals",
      "deny",
    ]]);
  });
}

for (const command of on) {
  Deno.test(`approvals are on, or it is no agent: ${command}`, () => {
    assert.deepEqual(judged(command, rules).findings, []);
  });
}
