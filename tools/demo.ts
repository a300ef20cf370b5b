/**
 * Shows the main job from source: what guard answers a host that is about to delete the home, or to look at git's status.
 *
 *   deno task demo
 *
 * Nothing is installed and no command is run; policy and state are in a temporary folder.
 */
import { checkVersion, pinnedVersion, root } from "./deno.ts";

checkVersion();
const folder = await Deno.makeTempDir({ prefix: "guard-demo-" });

interface Answer {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

async function ask(command: string): Promise<string> {
  const payload = {
    session_id: "demo",
    cwd: folder,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "toolu_demo",
  };
  const guard = ["run", "-A", "--quiet", `${root}/main.ts`];
  const hook = [...guard, "hook", "--host", "claude", "--event", "PreToolUse"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...hook, "--policy", `${folder}/policy.jsonc`, "--state", folder],
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(payload)));
  await writer.close();
  const { code, stdout } = await child.output();
  if (code !== 0) throw new Error(`the hook ended with exit code ${code}`);
  console.log(`Claude Code is about to run:  ${command}`);
  console.log(`It asks guard:  ${JSON.stringify(payload)}`);
  return new TextDecoder().decode(stdout).trim();
}

try {
  const harmless = await ask("git status");
  if (harmless !== "") throw new Error(`expected silence for git status, got ${harmless}`);
  console.log("guard says nothing: no objection, the host's own permissions apply.\n");

  const denial = await ask("rm -rf ~");
  const answer: Answer = JSON.parse(denial || "{}");
  const { permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput ?? {};
  if (permissionDecision !== "deny") throw new Error(`expected a denial, got ${denial || "silence"}`);
  console.log(`guard answers:  ${denial}\n`);
  const reason = permissionDecisionReason?.replaceAll("\n", "\n  ");
  console.log(`So the command does not run, and the model is told:\n  ${reason}\n`);
  const deno = `npx -y deno@${pinnedVersion()}`;
  console.log("Try commands of your own (they are judged, not run):");
  console.log(`  ${deno} task guard check -- 'git push --force origin main'`);
  console.log("Install it into Claude Code (see what would change first; without --dry-run it is done):");
  console.log(`  ${deno} task guard install --host claude --dry-run`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
