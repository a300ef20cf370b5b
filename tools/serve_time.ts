/**
 * Measures the round trip of a request to a warm `guard serve`: what a plugin waits for at each tool call.
 *
 *   deno task serve-time [--requests N] [--source]
 *
 * Needs what `deno task compile` needs; with --source guard runs from the checkout. Fails when a limit is exceeded, which a busy machine
 * can cause as well.
 */
import { parseArgs } from "node:util";
import { environment, makePlace, targets } from "../tests/hook_process.ts";
import { compileGuard } from "./compile.ts";
import { checkVersion, root } from "./deno.ts";
import { commands } from "./judging.ts";

/** Milliseconds. */
const limits = { median: 2, p99: 10 };

/**
 * Commands that guard lets pass by itself, as nearly all are: a denial is kept for the person, and for some commands
 * git is asked, which takes longer than guard.
 */
const load = commands.filter((command) => !/\b(?:sed -i|rm -rf|push|curl|rmtree)\b/.test(command));

function payload(project: string, command: string): Record<string, unknown> {
  return {
    session_id: "measured",
    cwd: project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  };
}

/** The value below which a share of sorted numbers lies. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

if (import.meta.main) {
  checkVersion();
  const { values } = parseArgs({
    args: Deno.args,
    options: { requests: { type: "string" }, source: { type: "boolean" } },
  });
  const count = Math.max(100, Number(values.requests ?? 1000));
  const target = values.source === true
    ? targets()[0]!
    : { name: "executable", command: await compileGuard(`${root}/dist/serve/guard`), args: [] };
  const place = makePlace();
  const child = new Deno.Command(target.command, {
    args: [...target.args, "serve", "--host", "claude", "--policy", place.policy, "--state", place.state],
    cwd: place.project,
    clearEnv: true,
    env: environment(place),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  const line = async () => {
    let text = "";
    while (!text.endsWith("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("guard serve has ended");
      text += decoder.decode(value, { stream: true });
    }
    return text;
  };
  await line();
  const ask = async (command: string): Promise<number> => {
    const request = { id: "m", event: "PreToolUse", payload: payload(place.project, command) };
    const bytes = new TextEncoder().encode(`${JSON.stringify(request)}\n`);
    const started = performance.now();
    await writer.write(bytes);
    const answer = await line();
    const passed = performance.now() - started;
    if (answer !== '{"id":"m","reply":{"stdout":"","stderr":"","exitCode":0}}\n') {
      throw new Error(`guard answered ${answer}`);
    }
    return passed;
  };
  const first = await ask(load[0]!);
  for (let warm = 0; warm < 100; warm++) await ask(load[warm % load.length]!);
  const times: number[] = [];
  for (let at = 0; at < count; at++) times.push(await ask(load[at % load.length]!));
  await writer.close();
  await child.status;
  place.remove();

  times.sort((a, b) => a - b);
  const found = { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
  let failed = 0;
  for (const name of ["median", "p99"] as const) {
    const over = found[name] > limits[name];
    if (over) failed++;
    const value = found[name].toFixed(2);
    console.log(
      `${over ? "over " : "ok   "} ${name} of ${count} requests: ${value} ms (limit ${limits[name]} ms)`,
    );
  }
  console.log(
    `      first ${first.toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(1)} ms, ${load.length} commands`,
  );
  Deno.exit(failed === 0 ? 0 : 1);
}
