/** Rules made of a table: names of programs, and a test of what one of them is told to do. */

import type { Invocation, Understanding } from "../../src/shell/model.ts";
import type { CommandRule, Context, Match } from "../../src/types.ts";
import { evidenceOf } from "../evidence.ts";

/** An invocation as the tests look at it. */
export interface Called {
  readonly invocation: Invocation;
  readonly context: Context;
  /** What runs shortly before it in the line. */
  readonly before: () => readonly Invocation[];
  /** Arguments as written. */
  readonly texts: readonly string[];
  /** Arguments that do not begin with a dash. */
  readonly operands: readonly string[];
  /** The first operand in lower case; empty when there is none. */
  readonly verb: string;
  /** Whether some argument matches. */
  some(pattern: RegExp): boolean;
  /** Whether one of these options is given, also with `=value`. */
  has(...names: readonly string[]): boolean;
}

/** False: nothing to object. True: the rule's own decision. */
export type Found = boolean | "ask" | "deny" | Omit<Match, "evidence">;

/** @param line what a {@link Reading} remembers of the line so far */
export type FormTest<L = undefined> = (called: Called, line: L) => Found;

/** One line of a table: names of programs with spaces between them, and the test. */
export type Forms<L = undefined> = Readonly<Record<string, FormTest<L>>>;

/** How the lines of commands are read for a table; without it each invocation is looked at by itself. */
export interface Reading<L> {
  /** Further programs that may stand for one of the table. */
  readonly programs?: readonly string[];
  /** What is remembered while a line is gone through. */
  begin(): L;
  /** Takes notice of an invocation, of the table or not. @returns the one that it stands for */
  note(started: Invocation, line: L, tests: ReadonlyMap<string, unknown>): Invocation;
}

/** What a rule is but for its table. */
export type FormRuleData = Omit<CommandRule, "on" | "programs" | "match">;

/** A rule that is asked for the programs of a table, and finds what its tests find. */
export function tableRule<L>(data: FormRuleData, forms: Forms<L>, reading: Reading<L>): CommandRule {
  const tests = new Map<string, FormTest<L>>();
  for (const [names, test] of Object.entries(forms)) {
    for (const name of names.split(" ")) tests.set(name, test);
  }
  return {
    ...data,
    on: "command",
    programs: [...new Set([...tests.keys(), ...reading.programs ?? []])],
    match({ invocations }: Understanding, _uses, context): readonly Match[] {
      const matches: Match[] = [];
      const line = reading.begin();
      for (const [at, started] of invocations.entries()) {
        const invocation = reading.note(started, line, tests);
        const test = tests.get(invocation.program);
        if (test === undefined) continue;
        const before = () => invocations.slice(Math.max(0, at - 8), at);
        const found = test(calledOf(invocation, context, before), line);
        if (found === false) continue;
        const evidence = evidenceOf(invocation);
        if (found === true) matches.push({ evidence });
        else matches.push(typeof found === "string" ? { decision: found, evidence } : { ...found, evidence });
      }
      return matches;
    },
  };
}

const plainly: Reading<undefined> = { begin: () => undefined, note: (started) => started };

/**
 * A rule of tests that look at each invocation by itself, and at none that only tells something.
 *
 * @param data `inContainers`: it counts in a container too. Otherwise what a container does to itself is its own affair.
 */
export function formRule(
  data: FormRuleData & { readonly inContainers?: boolean },
  forms: Forms,
): CommandRule {
  const { inContainers, ...texts } = data;
  const guarded = Object.entries(forms).map(([names, test]): [string, FormTest] => [names, (called) => {
    if (called.invocation.remote?.startsWith("container ") === true && inContainers !== true) return false;
    return !called.has("--help", "--version", "-WhatIf") && test(called, undefined);
  }]);
  return tableRule(texts, Object.fromEntries(guarded), plainly);
}

function calledOf(invocation: Invocation, context: Context, before: Called["before"]): Called {
  let texts: readonly string[] | undefined;
  let operands: readonly string[] | undefined;
  const called: Called = {
    invocation,
    context,
    before,
    get texts() {
      return texts ??= invocation.args.map((word) => word.text);
    },
    get operands() {
      return operands ??= called.texts.filter((text) => !text.startsWith("-"));
    },
    get verb() {
      return called.operands[0]?.toLowerCase() ?? "";
    },
    some: (pattern) => called.texts.some((text) => pattern.test(text)),
    has: (...names) =>
      called.texts.some((text) => names.some((name) => text === name || text.startsWith(`${name}=`))),
  };
  return called;
}

/** A test that is true for every call. */
export const always: FormTest = () => true;

/** A test that is true when the first operand is one of these, alternatives with `|`. */
export function verbs(alternatives: string): FormTest {
  const known = new Set(alternatives.split("|"));
  return ({ verb }) => known.has(verb);
}
