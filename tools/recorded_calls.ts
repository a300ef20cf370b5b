/** Calls of the hook that use what most calls use, for the packs of the executable (tools/compile.ts). */

import adapter from "../adapters/claude.ts";
import type { RecordedCall } from "./record_packs.ts";

/**
 * Calls as Claude Code makes them all day, and its probes, of which one is harmful. What few calls use is not among them: all
 * that V8 has compiled is read at every start.
 *
 * @param home an empty directory that may be written to
 */
export function recordedCalls(home: string): RecordedCall[] {
  const frame = { session: "recorded", cwd: `${home}/project`, home };
  const probes = [false, true].flatMap((harmful) =>
    adapter.events.filter((event) => event.gates && event.install)
      .map((event) => adapter.probe?.(event.native, { ...frame, harmful }))
  ).filter((payload) => payload !== undefined);
  const document = "cat > notes.md <<'EOF'\nA line that somebody writes.\nEOF";
  const tools = [
    ...["git status", "ls src", "npm test", "cd src && npm test", document]
      .map((command) => ({ tool_name: "Bash", tool_input: { command } })),
    { tool_name: "Read", tool_input: { file_path: "src/main.ts" } },
    { tool_name: "Write", tool_input: { file_path: "src/main.ts", content: "export {};\n" } },
    { tool_name: "Edit", tool_input: { file_path: "src/main.ts", old_string: "a", new_string: "b" } },
    { tool_name: "mcp__files__list", tool_input: { path: "src" } },
  ].map((tool) => ({
    session_id: frame.session,
    cwd: frame.cwd,
    prompt_id: "recorded",
    permission_mode: "default",
    effort: { level: "medium" },
    hook_event_name: "PreToolUse",
    ...tool,
  }));
  const places = ["--policy", `${home}/policy.jsonc`, "--state", `${home}/state`];
  return [...probes, ...tools].map((payload) => ({
    args: ["--host", adapter.id, "--event", String(payload.hook_event_name), ...places],
    payload: JSON.stringify(payload),
  }));
}
