/** `guard check`. */

import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { problemText } from "../policy/load.ts";
import { quoteWord } from "../quote.ts";
import type { Dialect } from "../shell/model.ts";
import type { Action, Decision } from "../types.ts";
import { visible } from "../visible.ts";
import { parseActionLine } from "./action_line.ts";
import { exitCodes } from "./exit_codes.ts";
import { hiding } from "./hidden.ts";
import type { Judged, Judging } from "./judging.ts";
import { readLines } from "./line_reader.ts";
import { line, paint, warn, wrap, write } from "./terminal.ts";

/** Options that name an action; `check` and `explain` share them. */
export interface ActionOptions {
  readonly read?: string;
  readonly write?: string;
  readonly edit?: string;
  readonly delete?: string;
  readonly url?: string;
  readonly mcp?: string;
  readonly prompt?: string;
  readonly cwd?: string;
  readonly host?: string;
  readonly dialect?: string;
  readonly policy?: string;
  readonly json?: boolean;
}

interface CheckOptions extends ActionOptions {
  readonly jsonl?: boolean;
}

const DIALECTS: readonly string[] = ["posix", "powershell", "cmd"];
/** Longest line of `--jsonl` in bytes. */
const LINE_LIMIT = 16 * 1024 * 1024;

/** Adds the options that name an action. */
export function addActionOptions(command: Command): Command {
  return command
    .argument("[words...]", "command, or the arguments of --mcp, after --; several words are quoted for you")
    .option("--read <path>", "a file that would be read")
    .option("--write <path>", "a file that would be written")
    .option("--edit <path>", "a file that would be edited")
    .option("--delete <path>", "a file that would be deleted")
    .option("--url <url>", "an address that would be fetched")
    .option("--mcp <server>", "a tool of an MCP server: --mcp SERVER TOOL [JSON]")
    .option("--prompt <text>", "a prompt")
    .option("--cwd <directory>", "where it would happen; need not exist (default: the current directory)")
    .option("--host <id>", "judge as for this host")
    .option("--dialect <dialect>", "language of the command: posix, powershell or cmd", "posix")
    .option("--policy <file>", "the user's policy, when it is not in its usual place");
}

/**
 * The action that the command line names.
 *
 * @throws UsageError when it names none or several.
 */
export function actionFrom(words: readonly string[], options: ActionOptions, command: string): Action {
  const help = `guard ${command} --help`;
  const { read, write, edit, url, mcp, prompt } = options;
  const named: Action[] = [];
  if (read !== undefined) named.push({ kind: "file", operation: "read", path: read });
  if (write !== undefined) named.push({ kind: "file", operation: "write", path: write });
  if (edit !== undefined) named.push({ kind: "file", operation: "edit", path: edit });
  if (options.delete !== undefined) named.push({ kind: "file", operation: "delete", path: options.delete });
  if (url !== undefined) named.push({ kind: "fetch", url });
  if (prompt !== undefined) named.push({ kind: "prompt", text: prompt });
  let rest = words;
  if (mcp !== undefined) {
    const [tool, input = "{}", ...more] = words;
    if (tool === undefined || more.length > 0) {
      throw new UsageError(`expected --mcp SERVER TOOL [JSON], found ${words.length + 1} arguments`, help);
    }
    named.push({ kind: "mcp", server: mcp, tool, input: inputOf(input, help) });
    rest = [];
  }
  if (rest.length > 0) named.push(shellAction(rest, options, help));
  const [action, ...others] = named;
  if (action === undefined) {
    throw new UsageError(
      `expected a command after --, or an option that names an action, found neither`,
      help,
    );
  }
  if (others.length > 0) throw new UsageError(`expected one action, found ${named.length}`, help);
  for (const value of Object.values(action)) {
    if (value === "") {
      throw new UsageError("expected an action that says something, found an empty text", help);
    }
  }
  return action;
}

function shellAction(words: readonly string[], options: ActionOptions, help: string): Action {
  const dialect = options.dialect ?? "posix";
  if (!DIALECTS.includes(dialect)) {
    throw new UsageError(
      `expected --dialect to be ${DIALECTS.join(", ")}, found "${visible(dialect, 40)}"`,
      help,
    );
  }
  // One word is the text of a command; several are its words, already split by the caller's shell.
  const command = words.length === 1 ? words[0] ?? "" : words.map(quoteWord).join(" ");
  return { kind: "shell", command, dialect: dialect as Dialect };
}

function inputOf(text: string, help: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`expected the input of --mcp to be JSON, found "${visible(text, 60)}"`, help);
  }
}

/** Exit code for a decision. */
export function exitCodeOf(decision: Decision): number {
  return decision === "deny" ? exitCodes.deny : decision === "ask" ? exitCodes.ask : exitCodes.none;
}

const STYLES = { deny: "red", ask: "yellow", allow: "green", none: "green" } as const;

/** A decision in its colour. */
export function decisionText(decision: Decision): string {
  return paint(STYLES[decision], decision);
}

/** Says on stderr what in the policy files does not count. */
export function warnOfPolicy({ policy }: Judged): void {
  for (const problem of policy.problems.slice(0, 5)) warn(`guard: policy: ${problemText(problem)}`);
  const more = policy.problems.length - 5;
  if (more > 0) warn(`guard: policy: ${more} more problems. Run: guard policy`);
}

function showJudged({ call, verdict, policy }: Judged, json: boolean): void {
  const hidden = hiding(call.actions[0]);
  const { decision, findings, excepted, notes, failure } = verdict;
  if (json) {
    line(hidden.json({ decision, findings, excepted, notes, ...(failure === undefined ? {} : { failure }) }));
    return;
  }
  line(decisionText(decision));
  for (const finding of findings) {
    line(wrap(`${finding.rule} (${finding.decision}): ${visible(hidden.text(finding.message), 1000)}`, "  "));
    line(wrap(`Instead: ${visible(hidden.text(finding.advice), 1000)}`, "  "));
  }
  for (const finding of excepted) line(`  ${finding.rule}: excepted by the policy`);
  for (const note of notes) line(wrap(visible(hidden.text(note.text), 1000), "  "));
  if (failure !== undefined) line(wrap(`guard failed: ${visible(hidden.text(failure), 500)}`, "  "));
  if (policy.policy.mode === "observe" && decision !== "none") {
    line("  The policy only observes: a host would not be stopped.");
  }
}

/** JSON on one line, also for readers that take more characters than a line feed for the end of one. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The answer to one line of `--jsonl`. */
async function answerLine(text: string, judge: Judging, cwd: string | undefined): Promise<[string, boolean]> {
  const parsed = parseActionLine(text);
  if ("error" in parsed) return [jsonLine({ id: parsed.id, error: parsed.error }), false];
  try {
    const { verdict } = await judge.judge(parsed.action, parsed.cwd ?? cwd, parsed.host);
    if (verdict.failure !== undefined) {
      return [jsonLine({ id: parsed.id, error: `guard failed: ${verdict.failure}` }), false];
    }
    const findings = verdict.findings.map(({ rule, decision, message }) => ({ rule, decision, message }));
    const told: unknown = JSON.parse(hiding(parsed.action).json(findings));
    return [jsonLine({ id: parsed.id, decision: verdict.decision, findings: told }), true];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [jsonLine({ id: parsed.id, error: message }), false];
  }
}

async function checkLines(options: CheckOptions): Promise<void> {
  const { judging } = await import("./judging.ts");
  const judge = await judging({ policy: options.policy });
  for await (const lines of readLines(Deno.stdin.readable, LINE_LIMIT)) {
    let out = "";
    for (const read of lines) {
      if ("text" in read && read.text.trim() === "") continue;
      const [answer, good] = "text" in read
        ? await answerLine(read.text, judge, options.cwd)
        : [jsonLine({ id: null, error: read.problem }), false];
      if (!good) Deno.exitCode = exitCodes.failed;
      out += `${answer}\n`;
    }
    write(out);
  }
}

export function register(program: Command): void {
  addActionOptions(
    program
      .command("check")
      .description("say what guard decides about an action; nothing is run"),
  )
    .option("--json", "as JSON")
    .option("--jsonl", "judge actions from standard input, one JSON object a line, and answer line by line")
    .addHelpText(
      "after",
      `
Exit codes: 0 nothing to object (none, allow); 2 deny; 3 ask; 1 guard failed; 64 wrong usage.
With --jsonl: 0 whatever was decided; 1 when a line could not be judged.

Lines of --jsonl: {"id"?, "cwd"?, "action": {"kind": "shell", "command", "dialect"?}
  | {"kind": "file", "operation": "read|write|edit|delete", "path", "content"?} | {"kind": "fetch", "url"}
  | {"kind": "mcp", "server", "tool", "input"} | {"kind": "prompt", "text"}
  | {"kind": "output", "tool", "text"}}, or short {"command": "…"}.
Answers: {"id", "decision", "findings": [{"rule", "decision", "message"}]}, or {"id", "error"}.

Examples:
  $ guard check -- rm -rf build
  $ guard check -- 'cd /tmp && rm -rf *'
  $ guard check --read ~/.ssh/id_ed25519 --json
  $ guard check --mcp files delete_file '{"path": "/etc/hosts"}'
  $ echo '{"command": "git push --force"}' | guard check --jsonl`,
    )
    .action(async (words: string[], options: CheckOptions) => {
      if (options.jsonl) {
        if (words.length > 0) {
          throw new UsageError("expected no command beside --jsonl, found one", "guard check --help");
        }
        return await checkLines(options);
      }
      const action = actionFrom(words, options, "check");
      const { judging } = await import("./judging.ts");
      const judged = await (await judging({ policy: options.policy })).judge(
        action,
        options.cwd,
        options.host,
      );
      showJudged(judged, options.json === true);
      warnOfPolicy(judged);
      const failed = judged.verdict.failure !== undefined;
      Deno.exitCode = failed ? exitCodes.failed : exitCodeOf(judged.verdict.decision);
    });
}
