import assert from "node:assert/strict";
import { join } from "node:path";
import { parseDocument } from "../install/document.ts";
import { ownEntries } from "../install/entry.ts";
import { checkCodexTrust, trustHash } from "./trust.ts";

const command = "/opt/guard hook --host codex --event PreToolUse --policy /p --state /s";
const text = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [{ type: "command", command: "theirs" }] },
      { matcher: "*", hooks: [{ type: "command", command, timeout: 30 }] },
    ],
  },
});

Deno.test("trust is looked up by file, event, group and handler, and compared with the handler's hash", async () => {
  const root = await Deno.makeTempDir({ prefix: "guard-trust-" });
  try {
    const entries = ownEntries(parseDocument(text, "json")!);
    const config = join(root, "config.toml");
    const check = () => checkCodexTrust("/c/hooks.json", config, entries);
    assert.equal((await check()).status, "problem", "without a configuration nothing is trusted");
    const state = (place: string, hash: string) =>
      `model = "m"\n[hooks.state."/c/hooks.json:pre_tool_use:${place}"]\ntrusted_hash = "${hash}"\n`;
    const hash = trustHash(entries[0]!, "pre_tool_use");
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
    await Deno.writeTextFile(config, state("1:0", hash));
    assert.equal((await check()).status, "ok");
    await Deno.writeTextFile(config, state("0:0", hash));
    assert.match((await check()).detail, /does not trust these hooks yet.*PreToolUse/);
    await Deno.writeTextFile(config, state("1:0", "sha256:0"));
    assert.match((await check()).detail, /changed after you trusted/);
    await Deno.writeTextFile(config, "not = = toml");
    assert.equal((await check()).status, "note");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the hash covers the compact description with sorted keys", () => {
  const own = ownEntries(parseDocument(text, "json")!)[0]!;
  const described = `{"event_name":"pre_tool_use","hooks":[{"async":false,"command":${
    JSON.stringify(command)
  },"timeout":30,"type":"command"}],"matcher":"*"}`;
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(described)).then((digest) => {
    const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    assert.equal(trustHash(own, "pre_tool_use"), `sha256:${hex}`);
  });
});
