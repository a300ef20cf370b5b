/** `guard scan`: secrets, and personal data when asked for, in files, in what is staged, and in a history. */

import type { Command } from "commander";
import { GuardError, UsageError } from "../errors.ts";
import { baselineText, newSalt, readBaseline } from "../scan/baseline.ts";
import { added, commitMark, diffOptions } from "../scan/diff.ts";
import { filesIn, maxFile } from "../scan/files.ts";
import { COMMENTED_RULE, type Leak, leaksIn, type Skipped, type Source } from "../scan/finding.ts";
import { gitIn } from "../scan/repository.ts";
import { sarif } from "../scan/sarif.ts";
import { visible } from "../visible.ts";
import { exitCodes } from "./exit_codes.ts";
import { counted, progressLine, turns, watchInterruption } from "./progress.ts";
import { line, paint, warn } from "./terminal.ts";

interface ScanOptions {
  readonly staged?: boolean;
  readonly history?: boolean;
  readonly minor?: boolean;
  readonly personal?: boolean;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly progress: boolean;
}

export function register(program: Command): void {
  program
    .command("scan")
    .description("look for secrets in files")
    .argument("[paths...]", "files and directories, - for stdin (default: the current directory)")
    .option("--staged", "what a commit would add, for a pre-commit hook")
    .option("--history", "what the commits of all branches added")
    .option("--minor", "also keys that are not for production")
    .option("--personal", "also e-mail addresses, telephone, card and account numbers, and national numbers")
    .option("--baseline <file>", "leave out the known secrets of this file")
    .option("--write-baseline <file>", "write down what is found as known")
    .option("--json", "as JSON")
    .option("--sarif", "as SARIF 2.1.0")
    .option("--no-progress", "do not show on a terminal how far the scan is")
    .addHelpText(
      "after",
      `
In a repository, files that git ignores are left out unless they are named. The secrets themselves are never shown.
Exit code 2 means that a secret was found, 1 that something could not be looked through, 130 that the scan was
interrupted; what was found until then is shown.

Examples:
  $ guard scan
  $ guard scan --staged
  $ guard scan --write-baseline .guard-baseline.json
  $ guard scan --baseline .guard-baseline.json`,
    )
    .action(run);
}

async function run(paths: readonly string[], options: ScanOptions): Promise<void> {
  checkUsage(paths, options);
  const known = options.baseline === undefined ? undefined : readBaseline(options.baseline);
  const salt = known?.salt ?? newSalt();
  const knownLeaks = new Set(known?.leaks.map(({ fingerprint }) => fingerprint));
  const asText = options.json !== true && options.sarif !== true && options.writeBaseline === undefined;
  const leaks: Leak[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  const progress = progressLine(options.progress);
  const turn = turns();
  const interruption = watchInterruption();
  let files = 0;
  let bytes = 0;
  let found = 0;
  let people = 0;
  let uncounted = 0;
  let commentsCount: boolean | undefined;
  const personal = options.personal === true ? (await import("../personal/scan.ts")).findPersonal : undefined;
  try {
    for await (const source of sourcesOf(paths, options)) {
      if (turn.isDue()) await turn.take();
      if (interruption.signal() !== undefined) break;
      if ("reason" in source) {
        skipped.push(source);
        continue;
      }
      if ((source.part ?? 0) === 0) files++;
      bytes += source.bytes ?? source.text.length;
      progress.show(files, bytes, found);
      for (const leak of await leaksIn(source, salt, personal)) {
        if (leak.minor && options.minor !== true) continue;
        if (knownLeaks.has(leak.fingerprint)) continue;
        // In a history, the commit that brought it.
        if (options.history === true && seen.has(leak.fingerprint)) continue;
        if (leak.commented === true) {
          commentsCount ??= await doCommentsCount();
          if (commentsCount) continue;
          uncounted++;
        }
        if (options.history === true) seen.add(leak.fingerprint);
        found++;
        if (leak.revoke === undefined) people++;
        if (!asText) {
          leaks.push(leak);
          continue;
        }
        progress.clear();
        show(leak);
      }
    }
  } catch (error) {
    // A terminal interrupts git, too, which is then no failure of its own.
    if (interruption.signal() === undefined) throw error;
  } finally {
    progress.clear();
    interruption.stop();
  }
  const complete = interruption.signal() === undefined;
  if (options.writeBaseline !== undefined) {
    if (!complete) throw new GuardError("the scan was interrupted, and no baseline was written");
    Deno.writeTextFileSync(options.writeBaseline, baselineText(leaks, salt));
    const count = new Set(leaks.map(({ fingerprint }) => fingerprint)).size;
    line(
      people > 0
        ? `${options.writeBaseline}: ${counted(count, "known finding")}. Revoke the secrets all the same.`
        : `${options.writeBaseline}: ${counted(count, "known secret")}. Revoke them all the same.`,
    );
    Deno.exitCode = skipped.length > 0 ? exitCodes.failed : exitCodes.none;
  } else {
    if (options.sarif) line(JSON.stringify(sarif(leaks, complete), null, 2));
    else if (options.json) line(JSON.stringify({ files, leaks, skipped, complete }));
    else sum(found - people, people, files, options.personal === true);
    Deno.exitCode = found > 0 ? exitCodes.deny : skipped.length > 0 ? exitCodes.failed : exitCodes.none;
  }
  for (const { path, reason } of skipped) {
    const limit = reason === "too large" ? ` (more than ${maxFile / 1024 / 1024} MiB)` : "";
    warn(`guard: ${visible(path)} was not looked through: ${reason}${limit}`);
  }
  if (uncounted > 0) {
    const comments = counted(uncounted, "comment");
    warn(
      `guard: ${comments} guard:allow ${COMMENTED_RULE} did not count; "inlineAllow": true in your policy makes them count (guard policy)`,
    );
  }
  const signal = interruption.signal();
  if (signal !== undefined) {
    warn(`guard: interrupted after ${counted(files, "text")}; what comes after was not looked through`);
    Deno.exitCode = signal;
  }
}

/** Whether the user's or the administrator's policy lets comments count; what a project says about it never does. */
async function doCommentsCount(): Promise<boolean> {
  const { homeDirectory, locations } = await import("../locations.ts");
  const { loadPolicy } = await import("../policy/load.ts");
  const places = locations();
  const { policy } = await loadPolicy({
    managed: places.managed,
    user: places.policy,
    home: homeDirectory(),
  });
  return policy.inlineAllow;
}

function checkUsage(paths: readonly string[], options: ScanOptions): void {
  const help = "guard scan --help";
  const [first, second] = [
    options.staged && "--staged",
    options.history && "--history",
    paths.length > 0 && "paths",
  ].filter((one) => typeof one === "string");
  if (second !== undefined) throw new UsageError(`expected one of ${first} and ${second}, found both`, help);
  if (paths.includes("-") && paths.length > 1) {
    throw new UsageError("expected - alone, found it beside other paths", help);
  }
  if (options.json && options.sarif) {
    throw new UsageError("expected one of --json and --sarif, found both", help);
  }
  if (options.baseline !== undefined && options.writeBaseline !== undefined) {
    throw new UsageError("expected one of --baseline and --write-baseline, found both", help);
  }
}

async function* sourcesOf(
  paths: readonly string[],
  { staged, history }: ScanOptions,
): AsyncGenerator<Source | Skipped> {
  if (staged || history) {
    const git = await gitIn(Deno.cwd());
    if (git === undefined) {
      throw new GuardError(`expected a git repository in ${Deno.cwd()}, found none`, "guard scan --help");
    }
    const args = staged
      ? ["diff", "--cached", ...diffOptions]
      : ["log", "--all", "--reverse", "--patch", `--format=${commitMark}%H`, ...diffOptions];
    return yield* added(git.parts(args, "\n"));
  }
  if (paths[0] === "-") return yield { path: "-", text: await new Response(Deno.stdin.readable).text() };
  for (const path of paths) {
    try {
      await Deno.lstat(path);
    } catch {
      throw new UsageError(`expected files or directories, found nothing at ${path}`, "guard scan --help");
    }
  }
  yield* filesIn(paths.length === 0 ? ["."] : paths);
}

function show({ path, line: number, column, title, revoke, commit, encoded }: Leak): void {
  const place = `${visible(path)}:${number}:${column}`;
  const when = commit === undefined ? "" : ` in ${commit.slice(0, 12)}`;
  line(`${paint("bold", place)}${when}  ${paint("red", title)}${encoded ? ", encoded" : ""}`);
  if (revoke !== undefined) line(`  ${paint("dim", `revoke: ${revoke}`)}`);
}

function sum(secrets: number, people: number, files: number, personal: boolean): void {
  const looked = counted(files, "text");
  if (secrets + people === 0) line(`No secrets${personal ? " or personal data" : ""} in ${looked}.`);
  else {
    const parts = [
      ...(secrets > 0 ? [counted(secrets, "secret")] : []),
      ...(people > 0 ? [`${people} × personal data`] : []),
    ];
    const revoke = secrets > 0 ? " What was committed or shown counts as known to others: revoke it." : "";
    line(`${parts.join(" and ")} in ${looked}.${revoke}`);
  }
}
