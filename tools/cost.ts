/**
 * Measures what a hook costs: the CPU time (user and system) of the whole process against that of an empty program which is compiled
 * the same way. Both are written anew, run in pairs one after the other, and the median of the pairs' ratios counts.
 *
 *   deno task cost [--pairs N] [--repeat N]
 *
 * Needs bash (its `time` is the clock) and what `deno task compile` needs. Fails when a limit is exceeded.
 */
import { parseArgs } from "node:util";
import { compile, compileGuard } from "./compile.ts";
import { checkVersion, root } from "./deno.ts";
import { judgingTimes } from "./judging.ts";
import { cpuSeconds, median } from "./ratio.ts";

interface Load {
  readonly name: string;
  readonly command: string;
  /** Most that the hook may cost, as a multiple of the empty program. */
  readonly limit: number;
  readonly denied: boolean;
}

const line = "A line of a document that somebody writes, 64 characters long.\n";
const document = `cat > notes.md <<'EOF'\n${line.repeat(320)}EOF`;

const loads: readonly Load[] = [
  { name: "git status", command: "git status", limit: 1.35, denied: false },
  { name: "rm -rf ~", command: "rm -rf ~", limit: 1.35, denied: true },
  { name: "heredoc of 20 KB", command: document, limit: 1.6, denied: false },
];

/** Most that judging may take in process at the median, in milliseconds. */
const judgingLimit = 1;

/** Runs a command line `repeat` times with the payload on stdin. @returns CPU seconds of one run. */
async function measure(command: readonly string[], payload: string, repeat: number): Promise<number> {
  const script = `TIMEFORMAT='%3U %3S'; payload=$1; repeat=$2; shift 2
time for ((i = 0; i < repeat; i++)); do "$@" <"$payload" >/dev/null 2>&1; done`;
  const { stderr, success } = await new Deno.Command("bash", {
    args: ["-c", script, "measure", payload, String(repeat), ...command],
    // Without a zone the runtime looks through all there are when it starts, which would hide what a hook costs.
    env: { LC_ALL: "C", TZ: "UTC" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`${command[0]} failed: ${new TextDecoder().decode(stderr)}`);
  return cpuSeconds(new TextDecoder().decode(stderr)) / repeat;
}

/** What the hook answers, so that a program that only fails is not measured as a cheap one. */
async function answer(command: readonly string[], payload: string): Promise<string> {
  const file = await Deno.open(payload);
  const child = new Deno.Command(command[0]!, {
    args: command.slice(1),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await file.readable.pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  if (code !== 0) throw new Error(`the hook ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

interface Runs {
  readonly payload: string;
  readonly pairs: number;
  readonly repeat: number;
}

async function ratios(empty: readonly string[], hook: readonly string[], runs: Runs) {
  const { payload, pairs, repeat } = runs;
  const found: number[] = [];
  let emptySeconds = 0;
  for (let pair = 0; pair < pairs; pair++) {
    // Which one goes first alternates, so that a machine that grows slower or faster favours none.
    const first = pair % 2 === 0 ? empty : hook;
    const second = pair % 2 === 0 ? hook : empty;
    const a = await measure(first, payload, repeat);
    const b = await measure(second, payload, repeat);
    const [base, cost] = pair % 2 === 0 ? [a, b] : [b, a];
    emptySeconds += base;
    found.push(cost / base);
  }
  return { median: median(found), empty: emptySeconds / pairs, spread: found.toSorted((a, b) => a - b) };
}

if (import.meta.main) {
  checkVersion();
  const { values } = parseArgs({
    args: Deno.args,
    options: { pairs: { type: "string" }, repeat: { type: "string" } },
  });
  const pairs = Math.max(20, Number(values.pairs ?? 24));
  const repeat = Number(values.repeat ?? 4);
  const folder = `${root}/dist/cost`;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(`${folder}/work`, { recursive: true });
  await Deno.writeTextFile(`${folder}/empty.ts`, "export {};\n");
  const guard = await compileGuard(`${folder}/guard`);
  const empty = await compile({
    entry: `${folder}/empty.ts`,
    chunks: `${folder}/chunks`,
    output: `${folder}/empty`,
  });
  const hook = [guard, "hook", "--host", "claude", "--event", "PreToolUse"];
  hook.push("--policy", `${folder}/policy.jsonc`, "--state", `${folder}/state`);

  let failed = 0;
  const report = (name: string, value: number, limit: number, note: string) => {
    if (value > limit) failed++;
    console.log(`${value > limit ? "over " : "ok   "} ${name}: ${value.toFixed(3)} (limit ${limit}${note})`);
  };
  for (const load of loads) {
    const payload = `${folder}/payload.json`;
    // As Claude Code 2.1.332 sends it.
    const call = {
      session_id: "00000000-0000-4000-8000-000000000000",
      transcript_path: `${folder}/transcript.jsonl`,
      cwd: `${folder}/work`,
      prompt_id: "00000000-0000-4000-8000-000000000001",
      permission_mode: "default",
      effort: { level: "medium" },
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: load.command, description: "measured" },
      tool_use_id: "toolu_01",
    };
    await Deno.writeTextFile(payload, JSON.stringify(call) + "\n");
    const said = await answer(hook, payload);
    if (load.denied !== said.includes('"deny"')) {
      const expected = load.denied ? "a denial" : "no denial";
      console.log(`wrong ${load.name}: expected ${expected}, got ${JSON.stringify(said)}`);
      failed++;
      continue;
    }
    await measure([empty], payload, 2);
    const result = await ratios([empty], hook, { payload, pairs, repeat });
    const range = `${result.spread[0]!.toFixed(2)}–${result.spread.at(-1)!.toFixed(2)}`;
    const note = `; ${pairs} pairs ${range}, empty program ${(result.empty * 1000).toFixed(1)} ms`;
    report(`${load.name}: times the empty program`, result.median, load.limit, note);
  }
  const times = await judgingTimes();
  const note = `; ${times.length} commands`;
  report("judging in process: milliseconds at the median", median(times), judgingLimit, note);
  Deno.exit(failed === 0 ? 0 : 1);
}
