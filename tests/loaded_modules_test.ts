/** What looks through contents is loaded only for actions that have one. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const scanners = /\/src\/(?:secrets|injection|personal)\/|\/src\/output\.ts$/;

/** The scanners among the modules that one call of the hook runs, as the runtime's own coverage tells. */
async function loadedFor(payload: Readonly<Record<string, unknown>>): Promise<string[]> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "guard-loaded-" }));
  try {
    const input = JSON.stringify({ session_id: "s", cwd: root, ...payload });
    const places = ["--policy", join(root, "none.jsonc"), "--state", join(root, "state")];
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-check", "--quiet", `--coverage=${join(root, "coverage")}`, main],
        ...["hook", "--host", "claude", ...places],
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { code, stderr } = await child.output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const modules = [...Deno.readDirSync(join(root, "coverage"))].filter(({ name }) => name.endsWith(".json"))
      .map(({ name }) => JSON.parse(Deno.readTextFileSync(join(root, "coverage", name))).url as string);
    assert.ok(modules.some((url) => url.endsWith("/src/hook.ts")), `no coverage: ${modules.join(" ")}`);
    return modules.filter((url) => scanners.test(url));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const call = (tool: string, input: unknown) => ({
  hook_event_name: "PreToolUse",
  tool_name: tool,
  tool_input: input,
});

for (
  const [name, payload] of Object.entries({
    "a command that only looks": call("Bash", { command: "git status" }),
    "a command": call("Bash", { command: "npm run build" }),
    "a command that is denied": call("Bash", { command: "git reset --hard" }),
    "a file that is read": call("Read", { file_path: "/srv/app/README.md" }),
  })
) {
  Deno.test(`${name} loads nothing that looks through contents`, async () => {
    assert.deepEqual(await loadedFor(payload), []);
  });
}

Deno.test("a result loads what looks through it", async () => {
  const loaded = await loadedFor({
    ...call("Bash", { command: "make" }),
    hook_event_name: "PostToolUse",
    tool_response: { stdout: "made", stderr: "" },
  });
  assert.ok(loaded.some((url) => url.endsWith("/src/output.ts")), loaded.join(" "));
});
