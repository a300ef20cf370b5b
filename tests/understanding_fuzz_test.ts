/**
 * Searches at random for commands that guard misjudges: the examples of the rules are written in other ways, and
 * none may loosen the verdict. `GUARD_FUZZ_SECONDS` and `GUARD_FUZZ_SEED` are described in tests/fuzz.ts.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "unbash";
import { judge } from "../src/judge.ts";
import { loadAllParts } from "../src/parts.ts";
import { loadAllRules } from "../src/rules_loader.ts";
import type { Action, Decision, Example, Level, Rule, Verdict } from "../src/types.ts";
import { exampleCall } from "./example_call.ts";
import { search } from "./fuzz.ts";
import { wrappings } from "./wrappings.ts";

await loadAllParts();
const rules = await loadAllRules();

const rank: Readonly<Record<Decision, number>> = { allow: 0, none: 0, ask: 1, deny: 2 };

/** A command of an example, with the world that it is judged in. */
interface Base {
  readonly command: string;
  readonly example: Example;
  readonly level: Level;
  readonly decision: Decision;
  /** It is one command of plain words, of a program that is no builtin of the shell. */
  readonly simple: boolean;
}

function verdictOn(
  base: Pick<Base, "example" | "level">,
  command: string,
  by: readonly Rule[] = rules,
): Verdict {
  const action: Action = { kind: "shell", command, dialect: "posix" };
  const { call, context } = exampleCall({ ...base.example, action }, { level: base.level });
  return judge(call, by, context);
}

function commandOf({ action }: Example): string | undefined {
  if (typeof action === "string") return action;
  const plain = action.kind === "shell" && action.dialect === "posix" && action.cwd === undefined &&
    action.unobservedInput !== true;
  return plain ? action.command : undefined;
}

/** Words of the shell itself: no program starts them. */
const builtins = new Set(
  (". : [ [[ alias bg bind break builtin cd chdir command continue coproc declare dirs eval exec exit export false fc " +
    "fg function getopts hash history jobs let local logout popd pushd read readarray mapfile readonly return set " +
    "setopt shift shopt source suspend test time times trap true type typeset ulimit umask unalias unhash unset wait")
    .split(" "),
);

function isSimple(command: string): boolean {
  const words = command.split(" ");
  if (!words.every((word) => /^[\w./:@%+,-][\w./:@%+,=-]*$/.test(word))) return false;
  if (words[0]!.includes("=") || builtins.has(words[0]!)) return false;
  const { commands, errors } = parse(command);
  return errors === undefined && commands.length === 1 && commands[0]!.command.type === "Command";
}

const harmful: readonly Base[] = rules.flatMap((rule) =>
  rule.examples.match.flatMap((example): readonly Base[] => {
    const command = commandOf(example);
    if (command === undefined) return [];
    const level = rule.level ?? "standard";
    const { decision } = verdictOn({ example, level }, command);
    return rank[decision] === 0 ? [] : [{ command, example, level, decision, simple: isSimple(command) }];
  })
);

async function searchEach<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  fault: (input: T) => string | undefined,
): Promise<void> {
  const faults = (many: readonly T[]) => Promise.resolve(many.map(fault));
  const { inputs: tried } = await search({ name, inputs, faults, batch: 400 });
  assert.ok(tried >= 400);
}

const oneOf = <T>(from: readonly T[]) => fc.nat(from.length - 1).map((index) => from[index]!);
const simple = wrappings.filter((one) => one.simple === true);
const whole = wrappings.filter((one) => one.simple !== true);

/** An example, written in up to three ways inside each other. */
const wrapped = fc.tuple(oneOf(harmful), fc.option(oneOf(simple)), fc.array(oneOf(whole), { maxLength: 2 }))
  .map(([base, first, others]) => {
    const ways = [...first !== null && base.simple ? [first] : [], ...others];
    return { base, ways, command: ways.reduce((command, way) => way.wrap(command), base.command) };
  });

Deno.test("no other way to write a command loosens its verdict", async () => {
  await searchEach("wrapped commands", wrapped, ({ base, ways, command }) => {
    const { failure, decision } = verdictOn(base, command);
    const least = ways.some((way) => way.adds === true) ? "ask" : base.decision;
    if (failure === undefined && rank[decision] >= Math.min(rank[least], rank[base.decision])) {
      return undefined;
    }
    const names = ways.map(({ name }) => name).join(", then ");
    return `${base.decision} became ${failure ?? decision}: ${base.command}\n  (${names})\n${command}`;
  });
});

Deno.test("another rule never loosens a verdict", async () => {
  const inputs = fc.tuple(
    oneOf(harmful),
    fc.array(fc.nat(rules.length - 1), { maxLength: 40 }),
    fc.nat(rules.length - 1),
  );
  await searchEach("sets of rules", inputs, ([base, chosen, added]) => {
    const few = [...new Set(chosen)].map((index) => rules[index]!);
    const more = [...new Set([...chosen, added])].map((index) => rules[index]!);
    const before = verdictOn(base, base.command, few).decision;
    const after = verdictOn(base, base.command, more).decision;
    if (rank[after] >= rank[before] && rank[base.decision] >= rank[after]) return undefined;
    return `${before} became ${after} with ${rules[added]!.id} (${base.decision} with all): ${base.command}`;
  });
});
