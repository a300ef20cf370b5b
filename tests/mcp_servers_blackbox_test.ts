/** MCP servers that change between two calls, seen by `guard hook` and `guard mcp` as processes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { claude, codex } from "./hook_cases.ts";
import { type Place, runGuard, runHook, type Target, targets, testsIn } from "./hook_process.ts";
import { outcome } from "./host_reading.ts";

async function call(target: Target, place: Place, host: "claude" | "codex", tool: string, policy?: string) {
  const payload = JSON.stringify((host === "claude" ? claude : codex)(tool, { a: 1 }))
    .replaceAll("{home}", place.home).replaceAll("{project}", place.project);
  if (policy !== undefined) Deno.writeTextFileSync(place.policy, policy);
  const args = ["--host", host, "--event", "PreToolUse", "--policy", place.policy, "--state", place.state];
  const reply = await runHook(target, { args, place, stdin: new TextEncoder().encode(payload) });
  return { heard: `${reply.stdout}${reply.stderr}`, is: outcome(host, "PreToolUse", reply) };
}

for (const target of targets()) {
  const test = testsIn(target);
  const define = (place: Place, definition: unknown) =>
    Deno.writeTextFileSync(
      join(place.project, ".mcp.json"),
      JSON.stringify({ mcpServers: { docs: definition } }),
    );

  test("a server whose command changed is asked about until it is what it was", async (place) => {
    define(place, { command: "docs-server", args: ["--stdio"] });
    assert.equal((await call(target, place, "claude", "mcp__docs__search")).is, "runs");
    assert.equal((await call(target, place, "claude", "mcp__docs__search")).is, "runs");
    define(place, { command: "docs-server", args: ["--stdio", "--remote"] });
    const changed = await call(target, place, "claude", "mcp__docs__search");
    assert.equal(changed.is, "asked", changed.heard);
    assert.match(changed.heard, /docs-server --stdio --remote/);
    // Other tools are not concerned.
    assert.equal((await call(target, place, "claude", "mcp__other__search")).is, "runs");
    define(place, { command: "docs-server", args: ["--stdio"] });
    assert.equal((await call(target, place, "claude", "mcp__docs__search")).is, "runs");
  });

  test("a host that cannot ask denies, and names a code", async (place) => {
    const config = join(place.home, ".codex", "config.toml");
    Deno.mkdirSync(join(place.home, ".codex"));
    Deno.writeTextFileSync(config, '[mcp_servers.docs]\ncommand = "docs-server"\n');
    assert.equal((await call(target, place, "codex", "mcp__docs__search")).is, "runs");
    Deno.writeTextFileSync(config, '[mcp_servers.docs]\nurl = "https://docs.example.com/mcp"\n');
    const changed = await call(target, place, "codex", "mcp__docs__search");
    assert.equal(changed.is, "stopped", changed.heard);
    assert.match(changed.heard, /guard allow [A-Z2-9]{8}/);
    const off = '{ "rules": { "mcp/changed-server": "off" } }';
    assert.equal((await call(target, place, "codex", "mcp__docs__search", off)).is, "runs");
  });

  test("guard mcp shows what was seen, and refuses to trust without a person", async (place) => {
    define(place, { command: "docs-server" });
    await call(target, place, "claude", "mcp__docs__search");
    const mcp = (...args: string[]) => runGuard(target, place, ["mcp", "--state", place.state, ...args]);
    const same = await mcp();
    assert.equal(same.code, 0, same.stderr);
    assert.match(same.stdout, /docs +claude +[0-9a-f]{12} .*as first seen/);
    define(place, { command: "other-server" });
    const changed = await mcp();
    assert.equal(changed.code, 3);
    assert.match(changed.stdout, /changed[\s\S]*"docs-server"[\s\S]*"other-server"/);
    const [record] = JSON.parse((await mcp("--json")).stdout);
    assert.deepEqual([record.server, record.host, record.definitions], ["docs", "claude", [{
      command: "docs-server",
    }]]);
    assert.equal(record.now[0].command, "other-server");
    const trusted = await mcp("trust", "docs");
    assert.equal(trusted.code, 1);
    assert.match(trusted.stderr, /only a person may trust a server/);
    assert.equal((await mcp()).code, 3);
    // What nobody can read any more is not listed, and can be put right.
    const [file] = [...Deno.readDirSync(join(place.state, "servers"))];
    Deno.writeTextFileSync(join(place.state, "servers", file!.name), "{");
    assert.match((await mcp("trust", "docs")).stderr, /only a person may trust a server/);
    const unknown = await mcp("trust", "nothing");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /expected the name of an MCP server that was called/);
  });

  test("an agent cannot trust a server, nor change what was seen", async (place) => {
    const bash = async (command: string) => {
      const payload = JSON.stringify(claude("Bash", { command })).replaceAll("{project}", place.project);
      const args = [
        "--host",
        "claude",
        "--event",
        "PreToolUse",
        "--policy",
        place.policy,
        "--state",
        place.state,
      ];
      return outcome(
        "claude",
        "PreToolUse",
        await runHook(target, { args, place, stdin: new TextEncoder().encode(payload) }),
      );
    };
    assert.equal(await bash("guard mcp trust docs"), "stopped");
    assert.equal(await bash("guard mcp"), "runs");
    assert.equal(await bash(`touch ${place.state}/servers/x.json`), "stopped");
  });
}
