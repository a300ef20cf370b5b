/** `guard log`. */

import type { Command } from "commander";
import { auditFiles, auditJson, auditPath, parseAudit } from "../audit.ts";
import { checkLog } from "../doctor/log.ts";
import { type OwnCalls, ownCalls } from "../doctor/own_calls.ts";
import { UsageError } from "../errors.ts";
import { allAdapters } from "../install/hosts.ts";
import { homeDirectory, locations } from "../locations.ts";
import type { AuditRecord, Decision } from "../types.ts";
import { visible } from "../visible.ts";
import { endOf } from "./activity.ts";
import { parseDuration } from "./duration.ts";
import { answersOf, Calls, callsOf, type OneCall } from "./one_call.ts";
import { line, lineLength, paint, table, warn } from "./terminal.ts";

interface LogOptions {
  readonly limit: string;
  readonly decision?: string;
  readonly host?: string;
  readonly rule?: string;
  readonly since?: string;
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly state?: string;
}

const DECISIONS: readonly Decision[] = ["none", "allow", "ask", "deny"];

/** Which records are wanted. */
interface Filter {
  readonly decisions?: readonly string[];
  readonly host?: string;
  readonly rule?: string;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly isOwn: OwnCalls;
}

/** Whether a record is wanted, which those of `guard doctor` never are; `rule` is an id, a category with `/*`, or the last part of an id. */
export function wants(filter: Filter, record: AuditRecord): boolean {
  const { decisions, host, rule, from, isOwn } = filter;
  return !isOwn(record) &&
    (decisions === undefined || decisions.includes(record.decision)) &&
    (host === undefined || record.host === host) &&
    (from === undefined || Date.parse(record.time) >= from) &&
    (rule === undefined ||
      record.rules.some((id) =>
        id === rule || id.endsWith(`/${rule}`) || (rule.endsWith("/*") && id.startsWith(rule.slice(0, -1)))
      ));
}

function filterOf(options: LogOptions, isOwn: OwnCalls): Filter {
  const decisions = options.decision?.split(",").map((decision) => decision.trim());
  const unknown = decisions?.find((decision) => !DECISIONS.includes(decision as Decision));
  if (unknown !== undefined) {
    throw new UsageError(
      `expected --decision to be ${DECISIONS.join(", ")} or several of them, found "${unknown}"`,
      "guard log --help",
    );
  }
  return {
    decisions,
    isOwn,
    host: options.host,
    rule: options.rule,
    from: options.since === undefined ? undefined : Date.now() - parseDuration(options.since, "--since"),
  };
}

/** Whether one of a call's records is wanted. */
const wantsCall = (filter: Filter, { records }: OneCall) => records.some((record) => wants(filter, record));

/** The calls of records as they are shown: together as one, or each record on its own for programs. */
function shownCalls(records: readonly AuditRecord[], filter: Filter, each: boolean): OneCall[] {
  const calls = each ? records.map((record) => ({ record, records: [record] })) : callsOf(records);
  return calls.filter((call) => wantsCall(filter, call));
}

/** The last `limit` wanted calls, newest last; files are read from the newest on, as far as needed. */
function lastCalls(
  state: string,
  filter: Filter,
  { limit, each }: { readonly limit: number; readonly each: boolean },
): { calls: OneCall[]; torn: number } {
  let calls: OneCall[] = [];
  let torn = 0;
  for (const path of auditFiles(state).reverse()) {
    const parsed = parseAudit(endOf(path));
    torn += parsed.torn;
    calls = [...shownCalls(parsed.records, filter, each), ...calls];
    if (calls.length >= limit) break;
    const first = parsed.records[0];
    if (filter.from !== undefined && first !== undefined && Date.parse(first.time) < filter.from) break;
  }
  return { calls: calls.slice(-limit), torn };
}

const STYLES = { deny: "red", ask: "yellow", allow: "green", none: "dim" } as const;

function localTime(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return visible(instant, 19);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

function row(call: OneCall): string[] {
  const { record, records } = call;
  const decision = record.decision in STYLES ? record.decision : "none";
  const told = record.answered !== undefined && record.answered !== record.decision
    ? ` (told ${record.answered})`
    : "";
  const open = record.enforced === false ? " (not enforced)" : "";
  const failure = record.failure === undefined ? "" : ` guard failed: ${visible(record.failure, 120)}`;
  const answers = answersOf(call);
  const rules = new Set(records.flatMap((one) => one.rules));
  return [
    localTime(record.time),
    visible(record.host, 16),
    paint(STYLES[decision], `${visible(record.decision, 8)}${told}${open}`),
    [...rules].map((rule) => visible(rule, 60)).join(" ") || "-",
    visible(record.subject, Math.max(40, lineLength() - 50)) + failure +
    (answers === "" ? "" : paint("dim", ` [${visible(answers, 200)}]`)),
  ];
}

function show(calls: readonly OneCall[], json: boolean): void {
  if (json) { for (const { record } of calls) line(auditJson(record)); }
  else if (calls.length > 0) line(table(calls.map(row)));
}

/** Records as they came last, for people: the first of a call, and one that answers more strictly than those before. */
function freshCalls(records: readonly AuditRecord[], known: Calls): OneCall[] {
  return records.flatMap((record) => {
    const { call, first } = known.add(record);
    return first || call.record === record ? [{ record, records: [record] }] : [];
  });
}

/** Shows records as they are appended, until the process is ended; also across a rotation. */
async function follow(state: string, filter: Filter, json: boolean): Promise<never> {
  const path = auditPath(state);
  const known = new Calls();
  const statusOf = () => {
    try {
      return Deno.statSync(path);
    } catch {
      return undefined;
    }
  };
  let inode = statusOf()?.ino;
  let offset = statusOf()?.size ?? 0;
  let rest = "";
  while (true) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const status = statusOf();
    if (status === undefined) continue;
    if (status.ino !== inode || status.size < offset) {
      inode = status.ino;
      offset = 0;
      rest = "";
    }
    if (status.size === offset) continue;
    using file = Deno.openSync(path);
    file.seekSync(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(status.size - offset);
    const count = file.readSync(bytes) ?? 0;
    offset += count;
    const text = rest + new TextDecoder().decode(bytes.subarray(0, count));
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    const { records } = parseAudit(text.slice(0, end));
    const calls = json ? shownCalls(records, filter, true) : freshCalls(records, known);
    show(calls.filter((call) => wantsCall(filter, call)), json);
  }
}

/** A hook that cannot write its record keeps quiet about it; whoever reads the log must not take it for whole. */
async function warnWhenUnwritable(state: string): Promise<void> {
  // Looking at a log makes no directory.
  if (await Deno.lstat(state).catch(() => undefined) === undefined) return;
  const check = await checkLog(state);
  if (check.status !== "problem") return;
  warn(`guard: ${check.detail}`);
  if (check.next !== undefined) warn(check.next);
}

function isEmpty(state: string): boolean {
  try {
    return Deno.statSync(auditPath(state)).size === 0;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

export function register(program: Command): void {
  program
    .command("log")
    .description(
      "show recent decisions, newest last; a call for which the host fired several hooks stands there once, with what " +
        "each was answered",
    )
    .option("-n, --limit <number>", "how many", "20")
    .option("--decision <list>", "only these: none, allow, ask, deny; several with commas")
    .option("--host <id>", "only calls of this host")
    .option("--rule <id>", "only calls with a finding of this rule (id, or category/*)")
    .option("--since <duration>", "only the last 30s, 10m, 2h, 7d")
    .option("-f, --follow", "go on and show new ones as they come")
    .option("--json", "every record, one JSON object a line")
    .option("--state <directory>", "guard's state, when it is not in its usual place")
    .addHelpText(
      "after",
      `
Examples:
  $ guard log
  $ guard log --decision deny,ask --since 2h
  $ guard log --rule 'git/*' --json --limit 1000
  $ guard log --follow`,
    )
    .action(async (options: LogOptions) => {
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1 || limit > 1_000_000) {
        throw new UsageError(
          `expected --limit to be a whole number from 1, found "${options.limit}"`,
          "guard log --limit 50",
        );
      }
      const state = options.state ?? locations().state;
      const filter = filterOf(options, ownCalls(await allAdapters(), homeDirectory()));
      const { calls, torn } = lastCalls(state, filter, { limit, each: options.json === true });
      show(calls, options.json === true);
      if (calls.length === 0 && !options.json) {
        warn(isEmpty(state) ? "Nothing has been decided yet." : "No decisions match.");
      }
      if (!options.json || torn > 0) {
        const skipped = torn === 0
          ? ""
          : `; ${torn} ${torn === 1 ? "line that is" : "lines that are"} no record skipped`;
        warn(
          paint(
            "dim",
            `Log: ${auditPath(state)}${skipped}`,
            Deno.stderr.isTerminal() && !Deno.env.get("NO_COLOR"),
          ),
        );
      }
      await warnWhenUnwritable(state);
      if (options.follow) await follow(state, filter, options.json === true);
    });
}
