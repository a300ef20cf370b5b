/** Traps that run at any time: on an error, on a signal. They see what variables are then. */

import type { Evaluation } from "./evaluate.ts";
import { unknown } from "./pieces.ts";
import { define, mergeScope, type Scope } from "./scope.ts";

/** A trap that is run anew whenever something that it uses has changed. */
export interface Watch {
  readonly code: string;
  /** Names in its code, and in the functions that are named there. */
  readonly names: readonly string[];
  readonly run: (scope: Scope) => void;
  /** What it used when it ran last. */
  last: readonly unknown[];
  runs: number;
  isRunning: boolean;
}

/** After so many runs what a trap uses is taken as not known. */
const maxRuns = 50;
/** More traps, and more names in one of them, are not what a person writes. */
const maxWatches = 8;
const maxNames = 100;

/** Runs a trap now, and whenever something that it uses has changed. */
export function watchScope(
  evaluation: Evaluation,
  code: string,
  scope: Scope,
  run: (scope: Scope) => void,
): void {
  const { watches = [] } = scope;
  if (watches.some((one) => one.code === code)) return runWatches(evaluation, scope);
  if (watches.length >= maxWatches) return run(scope);
  const names = namesIn(code);
  for (const name of names) {
    const known = scope.functions.get(name);
    if (known === undefined || names.size > maxNames) continue;
    const { body } = known.node;
    evaluation.step((body.end - body.pos) >> 3);
    // Names that are added here are looked at in their turn.
    for (const inner of namesIn(known.source.text.slice(body.pos, body.end))) names.add(inner);
  }
  evaluation.step(code.length >> 3);
  const used = [...names].slice(0, maxNames);
  const watch: Watch = { code, names: used, run, last: [], runs: 0, isRunning: false };
  scope.watches = [...watches, watch];
  runWatches(evaluation, scope);
}

function namesIn(code: string): Set<string> {
  return new Set(code.match(/[A-Za-z_][A-Za-z_0-9]*/g) ?? []);
}

/** Runs the traps that use something that has changed since they ran. */
export function runWatches(evaluation: Evaluation, scope: Scope): void {
  for (const watch of scope.watches ?? []) {
    if (watch.isRunning || watch.runs > maxRuns) continue;
    evaluation.step(1 + (watch.names.length >> 2));
    const used = usedBy(watch, scope);
    if (used.length === watch.last.length && used.every((one, index) => one === watch.last[index])) continue;
    const branch = evaluation.fork(scope);
    if (++watch.runs > maxRuns) {
      for (const name of watch.names) {
        if (branch.variables.has(name)) {
          define(branch, name, { values: [[unknown(`$${name}`, "limit", { name })]] });
        }
      }
    }
    watch.isRunning = true;
    try {
      watch.run(branch);
    } finally {
      watch.isRunning = false;
    }
    mergeScope(scope, branch);
    watch.last = usedBy(watch, scope);
  }
}

function usedBy({ names }: Watch, scope: Scope): unknown[] {
  return [
    scope.positional,
    scope.directory,
    ...names.map((name) => scope.variables.get(name)),
    ...names.map((name) => scope.functions.get(name)),
  ];
}
