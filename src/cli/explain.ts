/** `guard explain`. */

import type { Command } from "commander";
import { locate } from "../paths.ts";
import { floorOf } from "../policy/merge.ts";
import type { Invocation, PathUse } from "../shell/model.ts";
import type { Context, Finding } from "../types.ts";
import { visible } from "../visible.ts";
import {
  actionFrom,
  type ActionOptions,
  addActionOptions,
  decisionText,
  exitCodeOf,
  warnOfPolicy,
} from "./check.ts";
import { exitCodes } from "./exit_codes.ts";
import { type Hidden, hiding } from "./hidden.ts";
import type { Judged } from "./judging.ts";
import { line, lineLength, paint, wrap } from "./terminal.ts";
import { underline } from "./underline.ts";

/** A use of a path as it is explained. */
interface ExplainedUse {
  readonly operation: string;
  readonly written: string;
  readonly recursive: boolean;
  readonly remote?: string;
  /** Absolute paths that it may reach, with the kind of place each of them is. */
  readonly reaches: readonly {
    readonly path: string;
    readonly place: string;
    readonly contents: boolean;
    readonly linked: boolean;
    readonly onlyIfEmpty: boolean;
  }[];
  /** It may also reach something that cannot be known. */
  readonly unknown: boolean;
}

interface ExplainedInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether every argument is known exactly. */
  readonly known: boolean;
  readonly directory: string | null;
  readonly otherDirectories: readonly string[];
  readonly via: readonly string[];
  readonly privileged: boolean;
  readonly remote?: string;
  readonly provenance: string;
}

/** A finding with its reasons and with what the policy made of it. */
interface ExplainedFinding extends Finding {
  readonly title: string;
  readonly rationale: string;
  /** Decision after the policy; `none` when the policy removed the finding. */
  readonly effective: "none" | "ask" | "deny";
  readonly policy?: string;
}

function explainUse(use: PathUse, context: Context): ExplainedUse {
  const { locations, unknown } = locate(use, context);
  return {
    operation: use.operation,
    written: use.path.text,
    recursive: use.recursive,
    ...(use.remote === undefined ? {} : { remote: use.remote }),
    reaches: locations.map((location) => ({
      path: location.path,
      place: location.place,
      contents: location.contents,
      linked: location.linked,
      onlyIfEmpty: location.assumedEmpty,
    })),
    unknown,
  };
}

function explainInvocation(invocation: Invocation): ExplainedInvocation {
  return {
    program: invocation.program,
    args: invocation.args.map((word) => word.text),
    known: invocation.args.every((word) => word.isStatic) && !invocation.moreArguments,
    directory: invocation.directory.path ?? null,
    otherDirectories: invocation.directory.alternatives ?? [],
    via: invocation.via,
    privileged: invocation.privileged,
    ...(invocation.remote === undefined ? {} : { remote: invocation.remote }),
    provenance: invocation.provenance,
  };
}

interface AfterPolicy {
  readonly effective: "none" | "ask" | "deny";
  readonly policy?: string;
}

/**
 * What the policy made of a finding, as the decision that is left and a sentence; undefined when another finding
 * of the verdict says all that this one would.
 */
function afterPolicy(finding: Finding, judged: Judged): AfterPolicy | undefined {
  const { verdict, policy: { policy, origins } } = judged;
  const same = (other: Finding) =>
    other.rule === finding.rule && other.evidence.text === finding.evidence.text &&
    other.evidence.span?.start === finding.evidence.span?.start;
  const kept = verdict.findings.find(same);
  const category = `${finding.rule.slice(0, finding.rule.indexOf("/"))}/*`;
  const id = Object.hasOwn(policy.rules, finding.rule) ? finding.rule : category;
  if (kept === undefined) {
    const excepted = verdict.excepted.find(same);
    if (excepted?.excepted === true) {
      return {
        effective: "none",
        policy: `a guard:allow comment, by inlineAllow of the ${origins.inlineAllow} policy`,
      };
    }
    if (excepted !== undefined) {
      const index = policy.exceptions.findIndex(({ rule }) => rule === finding.rule || rule === category);
      const reason = policy.exceptions[index]?.reason;
      const layer = origins.exceptions[index];
      return { effective: "none", policy: `an exception of the ${layer} policy: ${reason}` };
    }
    if (policy.rules[id] !== "off") return undefined;
    return { effective: "none", policy: `the ${origins.rules[id]} policy switches ${id} off` };
  }
  if (kept.decision === finding.decision) return { effective: kept.decision };
  const written = Object.hasOwn(policy.rules, finding.rule) || Object.hasOwn(policy.rules, category);
  const floored = floorOf(policy.floor, finding.rule) === kept.decision;
  if (!floored && !written) {
    return {
      effective: kept.decision,
      policy:
        `the level ${policy.level} of the ${origins.level} policy makes it ${kept.decision} instead of ${finding.decision}`,
    };
  }
  const layer = floored ? "managed" : origins.rules[id];
  return {
    effective: kept.decision,
    policy: `the ${layer} policy says ${kept.decision} instead of ${finding.decision}`,
  };
}

async function explanation(judged: Judged) {
  const { catalogue } = await import("./all_rules.ts");
  const rules = await catalogue(judged.policy.policy.ownRules);
  const examined = judged.examine();
  const findings: ExplainedFinding[] = examined.flatMap((one) => one.findings).flatMap((finding) => {
    const left = afterPolicy(finding, judged);
    if (left === undefined) return [];
    const rule = rules.find((entry) => entry.id === finding.rule);
    return [{ ...finding, title: rule?.title ?? finding.rule, rationale: rule?.rationale ?? "", ...left }];
  });
  return {
    action: judged.call.actions[0],
    cwd: judged.context.cwd,
    workspace: judged.context.workspace,
    decision: judged.verdict.decision,
    ...(judged.verdict.failure === undefined ? {} : { failure: judged.verdict.failure }),
    invocations: examined.flatMap((one) => one.understanding?.invocations ?? []).map(explainInvocation),
    doubts: examined.flatMap((one) => one.understanding?.doubts ?? []),
    uses: examined.flatMap((one) => one.uses).map((use) => explainUse(use, judged.context)),
    findings,
    mode: judged.policy.policy.mode,
    level: judged.policy.policy.level,
  };
}

type Explanation = Awaited<ReturnType<typeof explanation>>;

function showUnderstanding(explained: Explanation, hidden: Hidden): void {
  if (explained.invocations.length > 0) line(paint("bold", "What would run"));
  for (const invocation of explained.invocations.slice(0, 50)) {
    const words = [invocation.program || "(unknown program)", ...invocation.args].map((word) =>
      visible(hidden.text(word), 200)
    );
    line(wrap(hidden.text(words.join(" ")).slice(0, 2000), "  "));
    const about: string[] = [];
    if (invocation.directory === null) about.push("in a directory that is not known");
    else if (invocation.directory !== explained.cwd) about.push(`in ${visible(invocation.directory, 200)}`);
    if (invocation.otherDirectories.length > 0) {
      about.push(`or in ${invocation.otherDirectories.map((path) => visible(path, 200)).join(", ")}`);
    }
    if (invocation.via.length > 0) {
      about.push(`through ${invocation.via.map((via) => visible(via, 80)).join(" › ")}`);
    }
    if (invocation.privileged) about.push("as root");
    if (invocation.remote !== undefined) about.push(`on ${visible(invocation.remote, 100)}`);
    if (!invocation.known) about.push("with arguments that are not known before it runs");
    if (about.length > 0) line(paint("dim", wrap(about.join("; "), "    ")));
  }
  const more = explained.invocations.length - 50;
  if (more > 0) line(`  … and ${more} more`);
  if (explained.uses.length > 0) {
    line();
    line(paint("bold", "Paths"));
  }
  for (const use of explained.uses.slice(0, 50)) {
    const what = `${use.operation}${use.recursive ? ", with everything below" : ""}`;
    line(`  ${visible(hidden.text(use.written), 200)}  ${paint("dim", what)}`);
    for (const reached of use.reaches.slice(0, 10)) {
      const notes = [
        reached.place,
        ...(reached.contents ? ["what lies in it"] : []),
        ...(reached.linked ? ["through a link"] : []),
        ...(reached.onlyIfEmpty ? ["when the variable is empty"] : []),
        ...(use.remote === undefined ? [] : [`on ${visible(use.remote, 100)}`]),
      ];
      line(`    → ${visible(hidden.text(reached.path), 200)}  ${paint("dim", `(${notes.join("; ")})`)}`);
    }
    if (use.unknown) line("    → something that is not known before it runs");
  }
  if (explained.uses.length > 50) line(`  … and ${explained.uses.length - 50} more`);
}

function showFinding(finding: ExplainedFinding, command: string | undefined, hidden: Hidden): void {
  line();
  const changed = finding.policy === undefined ? "" : ` → ${finding.effective}`;
  line(`${paint("bold", finding.rule)}: ${decisionText(finding.decision)}${changed}`);
  const { span, text } = finding.evidence;
  // Where a secret is cut out, carets would stand below the wrong words.
  if (command !== undefined && span !== undefined && hidden.text(command) === command) {
    const marked = underline(command, span, lineLength() - 4);
    line(`    ${marked.text}`);
    line(paint("red", `    ${marked.carets}`));
  } else if (text !== "") {
    line(`    ${visible(hidden.text(text), 200)}`);
  }
  line(wrap(visible(hidden.text(finding.message), 1000), "  "));
  if (finding.rationale !== "") line(wrap(`Why: ${finding.rationale}`, "  "));
  line(wrap(`Instead: ${visible(hidden.text(finding.advice), 1000)}`, "  "));
  if (finding.policy !== undefined) line(wrap(`Policy: ${visible(finding.policy, 500)}`, "  "));
}

function show(explained: Explanation): void {
  const { action } = explained;
  const command = action?.kind === "shell" ? action.command : undefined;
  const hidden = hiding(action);
  line(`${decisionText(explained.decision)}  ${paint("dim", `in ${visible(explained.cwd, 200)}`)}`);
  if (explained.workspace !== explained.cwd) {
    line(paint("dim", `workspace ${visible(explained.workspace, 200)}`));
  }
  line();
  showUnderstanding(explained, hidden);
  for (const finding of explained.findings.slice(0, 30)) showFinding(finding, command, hidden);
  if (explained.findings.length > 30) line(`\n… and ${explained.findings.length - 30} more findings`);
  if (explained.findings.length === 0) line("\nNo rule objects.");
  if (explained.failure !== undefined) line(wrap(`guard failed: ${visible(explained.failure, 500)}`, ""));
  if (explained.mode === "observe") line("\nThe policy only observes: a host would not be stopped.");
}

export function register(program: Command): void {
  addActionOptions(
    program
      .command("explain")
      .description("say how an action was understood, which rules matched where, and why; nothing is run"),
  )
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Exit codes: 0 nothing to object (none, allow); 2 deny; 3 ask; 1 guard failed; 64 wrong usage.

Examples:
  $ guard explain -- 'cd build && sudo rm -rf "$OUT"/*'
  $ guard explain --write ~/.bashrc
  $ guard explain --json -- git push --force`,
    )
    .action(async (words: string[], options: ActionOptions) => {
      const action = actionFrom(words, options, "explain");
      const { judging } = await import("./judging.ts");
      const judged = await (await judging({ policy: options.policy })).judge(
        action,
        options.cwd,
        options.host,
      );
      const explained = await explanation(judged);
      if (options.json) line(hiding(explained.action).json(explained));
      else show(explained);
      warnOfPolicy(judged);
      Deno.exitCode = explained.failure === undefined ? exitCodeOf(explained.decision) : exitCodes.failed;
    });
}
