import assert from "node:assert/strict";
import { agentAmong, agentMarker, type Ancestor, ancestors } from "./below_agent.ts";

function process(name: string, ...args: string[]): Ancestor {
  return { pid: 10, parent: 1, name, args };
}

Deno.test("agents are found by name, by script and by package", () => {
  const agents: readonly Ancestor[] = [
    process("claude", "claude"),
    process("node", "node", "/usr/local/bin/gemini"),
    process(
      "node-MainThread",
      "/usr/bin/node",
      "--no-warnings",
      "/usr/lib/node_modules/@openai/codex/bin/codex.js",
    ),
    process("node", "node", "/x/node_modules/@anthropic-ai/claude-code/cli.js", "--print"),
    process("codex", "/opt/codex", "exec"),
    process("python3", "/usr/bin/python3", "/home/me/.local/bin/aider"),
    process("cursor-agent", "/home/me/.local/bin/cursor-agent"),
    process("bun", "bun", "run", "/x/opencode.ts"),
  ];
  for (const agent of agents) {
    assert.match(agentAmong([process("bash", "-bash"), agent]) ?? "", /process 10/, agent.args.join(" "));
  }
});

Deno.test("a person's own terminals are no agents", () => {
  const above: readonly Ancestor[] = [
    process("bash", "-bash"),
    process("bash", "bash", "/home/me/claude-notes.sh"),
    process("tmux: server", "tmux", "new", "-s", "claude"),
    process("cursor", "/opt/cursor/cursor", "--type=renderer"),
    process("code", "/usr/share/code/code"),
    process("sshd", "sshd: me@pts/0"),
    process("vim", "vim", "codex.md"),
    process("node", "node", "/home/me/gemini-notes/server.js"),
    process("systemd", "/sbin/init"),
  ];
  assert.equal(agentAmong(above), undefined);
});

Deno.test("a process that an agent started is known by its environment after its parent has ended", () => {
  const above: readonly Ancestor[] = [process("sh", "sh"), {
    ...process("tmux: server", "tmux"),
    marker: "CLAUDECODE",
  }];
  assert.equal(agentAmong(above), "tmux: server (process 10, started with CLAUDECODE)");
});

Deno.test("the environments of ancestors are looked at", { ignore: Deno.build.os !== "linux" }, async () => {
  const child = new Deno.Command("/bin/sleep", { args: ["30"], clearEnv: true, env: { GEMINI_CLI: "1" } })
    .spawn();
  const plain = new Deno.Command("/bin/sleep", { args: ["30"], clearEnv: true, env: { GEMINI_CLI: "0" } })
    .spawn();
  try {
    // Between fork and exec it still has the environment of this process.
    for (let i = 0; i < 100 && ancestors(child.pid)?.[0]?.name !== "sleep"; i++) {
      await new Promise((done) => setTimeout(done, 10));
    }
    assert.equal(ancestors(child.pid)?.[0]?.marker, "GEMINI_CLI");
    assert.equal(ancestors(plain.pid)?.[0]?.marker, undefined);
  } finally {
    for (const one of [child, plain]) {
      one.kill("SIGKILL");
      await one.status;
    }
  }
});

Deno.test("markers count unless they are empty or off", () => {
  const env = (values: Record<string, string>) => (name: string) => values[name];
  assert.equal(agentMarker(env({ CLAUDECODE: "1" })), "CLAUDECODE");
  assert.equal(agentMarker(env({ CODEX_SANDBOX: "seatbelt" })), "CODEX_SANDBOX");
  assert.equal(agentMarker(env({ CLAUDECODE: "0", GEMINI_CLI: "" })), undefined);
  assert.equal(agentMarker(env({ CURSOR_TRACE_ID: "x", TERM_PROGRAM: "vscode" })), undefined);
});

Deno.test(
  "ancestors lead from the parent to the first process",
  { ignore: Deno.build.os !== "linux" },
  () => {
    const above = ancestors() ?? assert.fail("not known");
    assert.equal(above[0]?.pid, Deno.ppid);
    assert.ok(above.length >= 1);
    for (const [index, { parent }] of above.entries()) {
      if (index + 1 < above.length) assert.equal(above[index + 1]?.pid, parent);
    }
  },
);
