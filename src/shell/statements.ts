/** The walk over statements, lists, pipelines and commands. */

import type { AndOr, ArithmeticExpression, CommandNode, CompoundList, Pipeline, Statement } from "unbash";
import type { Directory } from "./model.ts";
import { evaluateArithmetic } from "./arithmetic.ts";
import { overChoices } from "./choices.ts";
import { expandTest, runArithmeticFor, runCase, runFor, runIf, runWhile } from "./compound.ts";
import type { Evaluation } from "./evaluate.ts";
import type { Frame, Input, Output } from "./frame.ts";
import { concat, unknown } from "./pieces.ts";
import { joinDirectories, mergeScope, type Scope } from "./scope.ts";
import { emitRedirections, fileInput, readRedirections, redirected, runSimple } from "./simple_command.ts";

/** Runs statements in order. Returns what they print, when that is known. */
export function runStatements(
  evaluation: Evaluation,
  statements: readonly Statement[],
  scope: Scope,
  frame: Frame,
): Output {
  return evaluation.deeper(() => {
    let output: Output = [];
    for (const [index, statement] of statements.entries()) {
      evaluation.step();
      const inner = index < statements.length - 1 ? alone(frame) : frame;
      const printed = runStatement(evaluation, statement, scope, inner);
      output = output === undefined || printed === undefined ? undefined : concat(output, printed);
      settle(scope);
    }
    return output;
  });
}

/** The frame of a command behind which others stand: what is added to a script is added to the last one. */
function alone(frame: Frame): Frame {
  return frame.moreArguments ? { ...frame, moreArguments: false } : frame;
}

/** Runs one statement. */
export function runStatement(
  evaluation: Evaluation,
  statement: Statement,
  scope: Scope,
  frame: Frame,
): Output {
  if (statement.background !== true) return runList(evaluation, statement.command, scope, frame);
  return inSubshell(
    evaluation,
    scope,
    (inner) => runList(evaluation, statement.command, inner, { ...frame, background: true }),
  );
}

function inSubshell(evaluation: Evaluation, scope: Scope, run: (inner: Scope) => Output): Output {
  const inner = evaluation.fork(scope);
  return evaluation.inShell(inner, () => run(inner));
}

function runList(evaluation: Evaluation, node: Statement["command"], scope: Scope, frame: Frame): Output {
  if (node.type === "AndOr") return runAndOr(evaluation, node, scope, frame);
  if (node.type === "Pipeline") return runPipeline(evaluation, node, scope, frame);
  return runCommand(evaluation, node, scope, frame);
}

function runAndOr(evaluation: Evaluation, node: AndOr, scope: Scope, frame: Frame): Output {
  let output = runList(evaluation, node.commands[0]!, scope, alone(frame));
  let failedAt: Directory | undefined = scope.failed;
  scope.failed = undefined;
  let sure = alwaysSucceeds(node.commands[0]!);
  for (let index = 0; index < node.operators.length; index++) {
    const right = node.commands[index + 1]!;
    const inner = index < node.operators.length - 1 ? alone(frame) : frame;
    evaluation.step();
    if (node.operators[index] === "&&") {
      const branch = sure ? scope : evaluation.fork(scope);
      const printed = runList(evaluation, right, branch, inner);
      output = output === undefined || printed === undefined ? undefined : concat(output, printed);
      if (branch.failed !== undefined) {
        failedAt = failedAt === undefined ? branch.failed : joinDirectories(failedAt, branch.failed);
        branch.failed = undefined;
      }
      if (branch !== scope) {
        // Inside the chain the right side counts as run; what it found before stays possible.
        const before = scope.directory;
        mergeScope(scope, branch);
        scope.directory = branch.directory;
        if (before !== branch.directory && failedAt === undefined) failedAt = before;
      }
      sure = sure && alwaysSucceeds(right);
    } else {
      const branch = evaluation.fork(scope);
      if (failedAt !== undefined) branch.directory = failedAt;
      const printed = runList(evaluation, right, branch, inner);
      if (output === undefined || (output.length === 0 && !sure)) {
        output = output === undefined ? undefined : printed;
      }
      if (leaves(right)) {
        // `cd x || exit`: what follows runs only where the left side succeeded.
        failedAt = undefined;
      } else {
        settle(branch);
        const success = scope.directory;
        mergeScope(scope, branch);
        scope.directory = joinDirectories(success, branch.directory);
        failedAt = undefined;
      }
      sure = false;
    }
  }
  scope.failed = failedAt;
  return output;
}

function runPipeline(evaluation: Evaluation, node: Pipeline, scope: Scope, frame: Frame): Output {
  const outer = frame.pipeline;
  const id = outer?.id ?? evaluation.newPipeline();
  const first = outer?.index ?? 0;
  const length = Math.max(outer?.length ?? 0, first + node.commands.length);
  let stdin = frame.stdin;
  let output: Output;
  node.commands.forEach((command, index) => {
    evaluation.step();
    const last = index === node.commands.length - 1;
    const single = node.commands.length === 1;
    const inner = {
      ...(last ? frame : alone(frame)),
      pipeline: single ? outer : { id, index: first + index, length },
      stdin,
    };
    output = single
      ? runCommand(evaluation, command, scope, inner)
      : inSubshell(evaluation, scope, (own) => runCommand(evaluation, command, own, inner));
    stdin = output === undefined || last ? undefined : { atoms: output };
  });
  return output;
}

/** Runs one command of a pipeline. */
export function runCommand(evaluation: Evaluation, node: CommandNode, scope: Scope, frame: Frame): Output {
  evaluation.step();
  switch (node.type) {
    case "Command":
      return runSimple(evaluation, node, scope, frame);
    case "Redirected": {
      const read = overChoices(evaluation, scope, frame, (expander, branch) => {
        const found = readRedirections(evaluation, node.redirects, branch, frame, expander);
        if (found.redirections.some((one) => one.operator !== "<<" && one.operator !== "<<<")) {
          emitRedirections(evaluation, found.redirections, [], evaluation.spanOf(node, frame), branch, frame);
        }
        return found;
      });
      const { redirections } = read[0]!;
      const stdin = read.length > 1 && read[0]!.stdin !== undefined ? unknownInput() : read[0]!.stdin;
      const inner = stdin === undefined
        ? fileInput(evaluation, redirections, scope, frame)
        : { ...frame, stdin };
      const output = runCommand(evaluation, node.command, scope, inner);
      return redirected(evaluation, output, redirections, scope);
    }
    case "Subshell":
      return inSubshell(
        evaluation,
        scope,
        (inner) => runStatements(evaluation, node.body.commands, inner, frame),
      );
    case "BraceGroup":
      return runStatements(evaluation, node.body.commands, scope, frame);
    case "If":
      return runIf(evaluation, node, scope, frame);
    case "While":
      return runWhile(evaluation, node, scope, frame);
    case "For":
    case "Select":
      return runFor(evaluation, node, scope, frame);
    case "ArithmeticFor":
      return runArithmeticFor(evaluation, node, scope, frame);
    case "Case":
      return runCase(evaluation, node, scope, frame);
    case "TestCommand":
      expandTest(evaluation, node.expression, scope, frame);
      return [];
    case "ArithmeticCommand":
      overChoices(
        evaluation,
        scope,
        frame,
        (expander) =>
          evaluateArithmetic(node.expression as ArithmeticExpression | undefined, expander, {
            pos: node.pos,
            end: node.end,
            text: node.body,
          }),
      );
      return [];
    case "Function": {
      const name = node.name.value;
      scope.functions.set(name, { node, source: frame.source });
      return [];
    }
    case "Coproc": {
      const inner = { ...frame, background: true };
      const body = node.body;
      const branch = evaluation.fork(scope);
      if (body.type === "CompoundList") runStatements(evaluation, body.commands, branch, inner);
      else runCommand(evaluation, body, branch, inner);
      return [];
    }
  }
}

function unknownInput(): Input {
  return { atoms: [unknown("stdin", "stdin")] };
}

/** Joins the directory of a command that may have failed with the one behind it. */
export function settle(scope: Scope): void {
  if (scope.failed === undefined) return;
  if (!scope.exitOnError) scope.directory = joinDirectories(scope.directory, scope.failed);
  scope.failed = undefined;
}

const steady = new Set([
  "true",
  ":",
  "export",
  "echo",
  "printf",
  "set",
  "unset",
  "alias",
  "declare",
  "local",
  "shopt",
]);

function alwaysSucceeds(node: Statement["command"]): boolean {
  if (node.type !== "Command") return node.type === "Function";
  return node.name === undefined || steady.has(node.name.text) || node.name.text === "cd";
}

const leaving = new Set(["exit", "return", "break", "continue", "exec", "die", "fail", "abort"]);

/** True when nothing after this command runs in the same list. */
function leaves(node: Statement["command"]): boolean {
  if (node.type === "Command") return leaving.has(node.name?.text ?? "");
  if (node.type === "BraceGroup") return endsList(node.body);
  return false;
}

/** True when nothing runs behind this list. */
export function endsList(list: CompoundList): boolean {
  const last = list.commands[list.commands.length - 1];
  return last !== undefined && leaves(last.command);
}
