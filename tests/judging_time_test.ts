/**
 * How long judging takes at worst. Times are CPU times, the least of several runs, and are compared with what
 * a fixed piece of work takes on the same machine. `GUARD_TIME_INPUTS` sets the number of long commands that are
 * tried (10000 for a thorough run, which takes half an hour; a few hundred otherwise).
 */

import assert from "node:assert/strict";
import { makeContext } from "../src/context.ts";
import { fakeFacts } from "../src/facts/fake.ts";
import { judge } from "../src/judge.ts";
import { loadAllRules } from "../src/rules_loader.ts";
import type { Dialect } from "../src/shell/model.ts";
import { slowness, usedTime } from "./cpu_time.ts";
import { type Flood, floods, randomFlood } from "./judging_inputs.ts";

const rules = await loadAllRules();
const all = floods(rules);
const inputs = Number(Deno.env.get("GUARD_TIME_INPUTS") ?? "240");

function judged(command: string, dialect: Dialect): number {
  const action = { kind: "shell", command, dialect } as const;
  const call = {
    host: "claude",
    event: "pre_tool",
    nativeEvent: "PreToolUse",
    cwd: "/home/dev/app",
    actions: [action],
  } as const;
  const context = makeContext({
    call,
    home: "/home/dev",
    processDirectory: "/",
    facts: fakeFacts(),
    os: dialect === "posix" ? "linux" : "windows",
  });
  const start = usedTime();
  const verdict = judge(call, rules, context);
  const time = usedTime() - start;
  assert.equal(verdict.failure, undefined);
  return time;
}

/** The least time of `runs` runs; no more of them than it takes to come below `enough`. */
function least({ make, dialect }: Flood, length: number, enough: number, runs = 5): number {
  const command = make(length);
  let time = Infinity;
  for (let run = 0; run < runs && time > enough; run++) time = Math.min(time, judged(command, dialect));
  return time;
}

/** Floods spread evenly over all kinds. */
function spread(count: number): readonly Flood[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]!);
}

for (const flood of spread(20)) least(flood, 20_000, 0);

Deno.test("no command of 100 KB takes long to judge", () => {
  const chosen = [
    ...spread(Math.ceil(inputs / 2)),
    ...Array.from({ length: Math.floor(inputs / 2) }, (_, seed) => randomFlood(seed, all)),
  ];
  const limit = 100 * slowness();
  const slow: string[] = [];
  for (const flood of chosen) {
    const time = least(flood, 100_000, limit * 0.8);
    if (time > limit) slow.push(`${flood.name}: ${time.toFixed(0)} ms of ${limit.toFixed(0)}`);
  }
  assert.deepEqual(slow, []);
});

/** How much longer a flood of twice the length takes, when that is too much. */
function steepness(flood: Flood, runs: number): string | undefined {
  const half = least(flood, 30_000, 0, runs);
  // What takes so little time shows nothing but the noise of the machine.
  const enough = Math.max(2.5 * half, half + 40);
  const whole = least(flood, 60_000, enough, runs);
  return whole > enough ? `${flood.name}: ${half.toFixed(1)} ms, then ${whole.toFixed(1)} ms` : undefined;
}

Deno.test("a command twice as long takes at most two and a half times as long to judge", () => {
  const steep: string[] = [];
  for (const flood of spread(Math.ceil(inputs / 4))) {
    if (steepness(flood, 5) === undefined) continue;
    // Compiling, collecting and the work of others on the machine come to an end, what is steep does not.
    const found = steepness(flood, 50);
    if (found !== undefined) steep.push(found);
  }
  assert.deepEqual(steep, []);
});

Deno.test("long commands as people write them are followed to their end", () => {
  const lines = Array.from(
    { length: 200 },
    (_, index) => `echo "step ${index}" && npm run task${index} -- --flag "$X" > out${index}.log`,
  );
  const names = Array.from({ length: 300 }, (_, index) => `src/module${index}/file${index}.ts`);
  const text = "Some text, 'quoted' and \"quoted\", with $(nothing) and `nothing`; and more of it.\n".repeat(
    750,
  );
  const commands: readonly (readonly [string, string])[] = [
    ["a script of 200 lines", lines.join("\n")],
    ["300 files for git", `git add ${names.join(" ")}`],
    ["a document of 60 KB", `cat > notes.md <<'END'\n${text}END`],
    [
      "a loop over 100 names",
      `for f in ${names.slice(0, 100).join(" ")}; do wc -l "$f"; grep -c x "$f"; done`,
    ],
  ];
  for (const [name, command] of commands) {
    const decisions = ["", "\nrm -rf /etc\n"].map((end) => {
      const action = { kind: "shell", command: command + end, dialect: "posix" } as const;
      const call = {
        host: "claude",
        event: "pre_tool",
        nativeEvent: "PreToolUse",
        cwd: "/home/dev/app",
        actions: [action],
      } as const;
      const context = makeContext({
        call,
        home: "/home/dev",
        processDirectory: "/",
        facts: fakeFacts(),
        os: "linux",
      });
      return judge(call, rules, context).decision;
    });
    assert.deepEqual([name, ...decisions], [name, "none", "deny"]);
  }
});
