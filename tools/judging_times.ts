/**
 * Judges actions from files of JSON lines, as `guard check --jsonl` reads them, and says how long that takes.
 *
 *   deno task judging FILE … [--median MS] [--p99 MS]
 *
 * Times are milliseconds of CPU time in process, for each action the least of several runs after a warm-up: no
 * process start, no disk, no policy file. Fails over the limits (0.5 at the median, 5 at the 99th percentile).
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { parseActionLine } from "../src/cli/action_line.ts";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judge } from "../src/judge.ts";
import { loadRulesFor } from "../src/rules_loader.ts";
import type { Action, Decision, HookCall } from "../src/types.ts";
import { percentile } from "./ratio.ts";

/** One action, judged. */
export interface Timed {
  readonly text: string;
  readonly decision: Decision;
  /** CPU time. */
  readonly milliseconds: number;
}

const runs = 4;

function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Judges every line of a text. Directories default to a project in a home directory, in a repository without
 * changes.
 *
 * @throws Error for a line that is no action.
 */
export async function timeLines(text: string): Promise<Timed[]> {
  const times: Timed[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = parseActionLine(line);
    if ("error" in read) throw new Error(`line ${index + 1}: ${read.error}`);
    times.push(await timed(read.action, read.cwd, read.host));
  }
  return times;
}

async function timed(action: Action, cwd = "/home/dev/app", host = "claude"): Promise<Timed> {
  const call: HookCall = { host, event: "pre_tool", nativeEvent: "PreToolUse", cwd, actions: [action] };
  const facts = fakeFacts({ git: { branch: "topic", default: "main", modified: [] } }, cwd);
  const context = makeContext({ call, home: "/home/dev", processDirectory: "/home/dev/app", facts });
  const rules = await loadRulesFor(call, context);
  let milliseconds = Infinity;
  let decision: Decision = "none";
  for (let run = 0; run < runs; run++) {
    const start = used();
    // A context of its own, since what was understood once is kept with it.
    decision = judge(call, rules, { ...context }).decision;
    milliseconds = Math.min(milliseconds, used() - start);
  }
  const text = action.kind === "shell" ? action.command : JSON.stringify(action);
  return { text, decision, milliseconds };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { median: { type: "string", default: "0.5" }, p99: { type: "string", default: "5" } },
    allowPositionals: true,
  });
  if (positionals.length === 0) {
    console.log("expected files of JSON lines, found none. Run: deno task judging FILE …");
    Deno.exit(64);
  }
  const texts = await Promise.all(positionals.map((path) => Deno.readTextFile(path)));
  // What is compiled at its first use counts for none of them.
  await timeLines(texts.map((text) => text.split("\n").slice(0, 300).join("\n")).join("\n"));
  const all: Timed[] = [];
  for (const [index, text] of texts.entries()) {
    const times = await timeLines(text);
    all.push(...times);
    console.log(`${positionals[index]}: ${summary(times)}`);
  }
  const slowest = all.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 5);
  for (const { text, milliseconds } of slowest) {
    console.log(
      `  ${milliseconds.toFixed(2)} ms, ${text.length} characters: ${JSON.stringify(text.slice(0, 60))}`,
    );
  }
  console.log(`all: ${summary(all)}`);
  const over = (share: number, limit: string) =>
    percentile(all.map((one) => one.milliseconds), share) > Number(limit);
  const failed = over(0.5, values.median) || over(0.99, values.p99);
  console.log(`limits: median ${values.median} ms, p99 ${values.p99} ms: ${failed ? "exceeded" : "held"}`);
  Deno.exit(failed ? 1 : 0);
}

function summary(times: readonly Timed[]): string {
  const at = (share: number) => `${percentile(times.map((one) => one.milliseconds), share).toFixed(3)} ms`;
  const count = (...decisions: readonly Decision[]) =>
    times.filter((one) => decisions.includes(one.decision)).length;
  return `${times.length} judged (${count("none", "allow")} none, ${count("ask")} ask, ${
    count("deny")
  } deny); ` +
    `median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`;
}
