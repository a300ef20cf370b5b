/** Rules made of a table: names of programs, and a test of what one of them is told to do. */

import type { Invocation } from "../../src/shell/model.ts";
import type { Context, InvocationRule, Match } from "../../src/types.ts";
import { evidenceOf } from "../evidence.ts";

/** An invocation as the tests look at it. */
export interface Called {
  readonly invocation: Invocation;
  readonly context: Context;
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

export type FormTest = (called: Called) => Found;

/** One line of a table: names of programs with spaces between them, and the test. */
export type Forms = Readonly<Record<string, FormTest>>;

export interface FormRuleData extends Omit<InvocationRule, "on" | "programs" | "match"> {
  /** It counts in a container too. Otherwise what a container does to itself is its own affair. */
  readonly inContainers?: boolean;
}

/** A rule that is asked for the programs of a table. */
export function formRule(data: FormRuleData, forms: Forms): InvocationRule {
  const { inContainers, ...texts } = data;
  const tests = new Map<string, FormTest>();
  for (const [names, test] of Object.entries(forms)) {
    for (const name of names.split(" ")) tests.set(name, test);
  }
  return {
    ...texts,
    on: "invocation",
    programs: [...tests.keys()],
    match(invocation, context): Match | undefined {
      if (invocation.remote?.startsWith("container ") === true && inContainers !== true) return undefined;
      const called = calledOf(invocation, context);
      if (called.has("--help", "--version", "-WhatIf")) return undefined;
      const found = tests.get(invocation.program)?.(called) ?? false;
      if (found === false) return undefined;
      const evidence = evidenceOf(invocation);
      if (found === true) return { evidence };
      return typeof found === "string" ? { decision: found, evidence } : { ...found, evidence };
    },
  };
}

function calledOf(invocation: Invocation, context: Context): Called {
  const texts = invocation.args.map((word) => word.text);
  const operands = texts.filter((text) => !text.startsWith("-"));
  return {
    invocation,
    context,
    texts,
    operands,
    verb: operands[0]?.toLowerCase() ?? "",
    some: (pattern) => texts.some((text) => pattern.test(text)),
    has: (...names) =>
      texts.some((text) => names.some((name) => text === name || text.startsWith(`${name}=`))),
  };
}

/** A test that is true for every call. */
export const always: FormTest = () => true;

/** A test that is true when the first operand is one of these, alternatives with `|`. */
export function verbs(alternatives: string): FormTest {
  const known = new Set(alternatives.split("|"));
  return ({ verb }) => known.has(verb);
}
