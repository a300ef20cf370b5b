/** `guard status`: in one screen, what is protected. Starts nothing and changes nothing. */

import type { Command } from "commander";
import { examineHost, type HostReport } from "../doctor/host.ts";
import { lately, sessionsIn, uncalledText } from "../doctor/sessions.ts";
import { ownCalls } from "../doctor/own_calls.ts";
import { allAdapters } from "../install/hosts.ts";
import { thisMachine } from "../install/machine.ts";
import { projectPolicy } from "../locations.ts";
import { problemText, readPolicy } from "../policy/load.ts";
import { version } from "../version.ts";
import { type Activity, activityOf } from "./activity.ts";
import { line, paint, table, wrap } from "./terminal.ts";

const day = 86_400_000;

interface StatusOptions {
  readonly project?: string;
  readonly json?: boolean;
}

export function register(program: Command): void {
  program
    .command("status")
    .summary("show in one screen what is protected")
    .description(
      "Shows which hosts are here, where guard is installed, when it was called last, and which policy holds. " +
        "It looks at files alone; guard doctor starts the hooks and proves that they block.",
    )
    .option("--project <dir>", "the project that is looked at (default: the repository around here)")
    .option("--json", "answer in JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 every host that is here and can be protected is, 1 one is not, 64 wrong usage

Examples:
  $ guard status
  $ guard status --json`,
    )
    .action(run);
}

async function run(options: StatusOptions): Promise<void> {
  const machine = thisMachine(options.project);
  const { state, policy: user, managed } = machine.places;
  const now = Date.now();
  const adapters = await allAdapters();
  const activity = activityOf(state, now - day, ownCalls(adapters, machine.around.home));
  const sessions = await sessionsIn(state, lately(machine.around.project, machine.around.system, now));
  const hosts: HostReport[] = [];
  for (const adapter of adapters) hosts.push(await examineHost(adapter, machine));
  const { policy, problems } = await readPolicy({
    managed,
    user,
    project: projectPolicy(machine.around.project),
    home: machine.around.home,
  });
  const here = hosts.filter((host) => host.state !== "absent");
  const broken = problems.some((problem) => problem.broken && problem.layer !== "project");
  const reachable = here.filter((host) => host.state !== "unenforceable");
  const ok = reachable.length > 0 && reachable.every((host) => host.state === "enforced") && !broken &&
    policy.mode === "enforce";
  Deno.exitCode = ok ? 0 : 1;
  if (options.json) {
    line(JSON.stringify({
      ok,
      version,
      mode: policy.mode,
      level: policy.level,
      problems: problems.map(problemText),
      hosts: hosts.map((host) => ({
        host: host.host,
        title: host.title,
        state: host.state,
        configurations: host.configurations,
        checks: host.checks,
        ...(activity.has(host.host) ? { activity: activityJson(activity.get(host.host)!) } : {}),
        ...(sessions.has(host.host) ? { sessions: sessions.get(host.host) } : {}),
      })),
    }));
    return;
  }
  const mode = policy.mode === "enforce"
    ? "enforcing"
    : paint("yellow", "observing only, nothing is blocked");
  line(`guard ${version}: ${mode}, level ${policy.level}`);
  if (here.length > 0) {
    line();
    line(table(here.map((host) => [...row(host), calls(activity.get(host.host), now)])));
  }
  for (const host of here) explain(host);
  for (const host of hosts) {
    const text = uncalledText(host.title, sessions.get(host.host));
    if (text !== undefined) line(wrap(text, "  "));
  }
  for (const problem of problems) line(wrap(`policy: ${problemText(problem)}`, "  "));
  line();
  const absent = hosts.filter((host) => host.state === "absent").map((host) => host.title);
  if (absent.length > 0) line(wrap(`Not on this machine: ${absent.join(", ")}.`, ""));
  line(
    here.some((host) => host.state === "not installed")
      ? "Protect what is here: guard install --all"
      : "Prove that it blocks: guard doctor",
  );
}

function activityJson({ last, ...counts }: Activity) {
  return { last: new Date(last).toISOString(), lastDay: counts };
}

function row(host: HostReport): string[] {
  const scopes = host.configurations.filter((one) => one.events.length > 0).map((one) => one.scope);
  switch (host.state) {
    case "enforced":
      return [`${paint("green", "✓")} ${host.title}`, `protected (${scopes.join(", ")})`];
    case "problem":
      return [
        `${paint("red", "✗")} ${host.title}`,
        scopes.length > 0 ? `has problems (${scopes.join(", ")})` : "has problems",
      ];
    case "unenforceable":
      return [`${paint("yellow", "!")} ${host.title}`, "cannot be protected"];
    default:
      return [`${paint("yellow", "!")} ${host.title}`, "not protected"];
  }
}

/** When the host called, and what came of it. */
function calls(activity: Activity | undefined, now: number): string {
  if (activity === undefined) return paint("dim", "never called");
  const stopped = [
    activity.denied > 0 ? `${activity.denied} denied` : "",
    activity.asked > 0 ? `${activity.asked} asked` : "",
  ].filter((part) => part !== "");
  const lately = activity.calls === 0
    ? ""
    : `; ${activity.calls} ${activity.calls === 1 ? "call" : "calls"} in 24 hours${
      stopped.length === 0 ? "" : `, ${stopped.join(", ")}`
    }`;
  return `last called ${ago(now - activity.last)}${lately}`;
}

/** A span of time in its largest unit. */
export function ago(milliseconds: number): string {
  const units = [[day, "day"], [3_600_000, "hour"], [60_000, "minute"]] as const;
  for (const [size, name] of units) {
    const count = Math.floor(milliseconds / size);
    if (count >= 1) return `${count} ${name}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

/** What is wrong with a host, and what helps. */
function explain(host: HostReport): void {
  for (const check of host.checks) {
    if (check.status !== "problem") continue;
    line(wrap(`${host.title}: ${check.detail}`, "  "));
    if (check.next !== undefined) line(wrap(`-> ${check.next}`, "    "));
  }
}
