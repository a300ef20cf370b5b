/** What the rules about git share: how they are built, what they see, how they name files. */

import type { Understanding, Word } from "../../src/shell/model.ts";
import type { CommandRule, Context, GitFacts, Match } from "../../src/types.ts";
import { evidenceOf, shorten } from "../evidence.ts";
import { parseArguments } from "../options.ts";
import { type GitCommand, gitCommands, gitPrograms, repositories } from "./command.ts";

/** What a rule sees besides the command. */
export interface World {
  readonly context: Context;
  /** Repositories that the command may work on; undefined stands for one whose state is not known. Never empty. */
  readonly repositories: readonly (GitFacts | undefined)[];
  /** Branch that is checked out when the command runs; undefined when not known. */
  readonly branch: string | undefined;
  /** An earlier command of the line changed what is checked out, so that HEAD of now is not HEAD of then. */
  readonly moved: boolean;
  /** All git commands of the line. */
  readonly commands: readonly GitCommand[];
}

type RuleData = Omit<CommandRule, "on" | "programs" | "match">;

/** A rule that is asked for each git command of a line. */
export function gitRule(
  data: RuleData,
  match: (command: GitCommand, world: World) => Omit<Match, "evidence"> | undefined,
): CommandRule {
  return {
    ...data,
    on: "command",
    programs: gitPrograms,
    match(understanding: Understanding, _uses, context): readonly Match[] {
      const commands = gitCommands(understanding, context);
      const matches: Match[] = [];
      let checkout: Word | undefined;
      for (const command of commands) {
        const found = match(command, worldOf(command, checkout, commands, context));
        checkout = checkedOut(command) ?? checkout;
        if (found !== undefined) matches.push({ ...found, evidence: evidenceOf(command.invocation) });
      }
      return matches;
    },
  };
}

function worldOf(
  command: GitCommand,
  checkout: Word | undefined,
  commands: readonly GitCommand[],
  context: Context,
): World {
  let known: readonly (GitFacts | undefined)[] | undefined;
  const world = {
    context,
    // Asked only by rules that have matched so far: the answer costs a child process.
    get repositories() {
      return known ??= repositories(command, context);
    },
    get branch() {
      if (checkout !== undefined) return checkout.isStatic ? checkout.text : undefined;
      const branches = new Set(world.repositories.map((facts) => facts?.branch()));
      return branches.size === 1 ? [...branches][0] : undefined;
    },
    moved: checkout !== undefined,
    commands,
  };
  return world;
}

/** The branch that `checkout` or `switch` leaves checked out; undefined when it changes no branch. */
function checkedOut(command: GitCommand): Word | undefined {
  if (command.verb !== "checkout" && command.verb !== "switch") return undefined;
  if (command.args.some((word) => word.isStatic && word.text === "--")) return undefined;
  const parsed = parseArguments(command.args, {
    values: ["-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create", "--conflict"],
  });
  const made = parsed.value("-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create");
  if (made !== undefined) return made;
  return parsed.operands.length === 1 && !/^\.|[/*]$/.test(parsed.operands[0]!.text)
    ? parsed.operands[0]
    : undefined;
}

/** A few names of files for a message. */
export function nameFiles(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => shorten(name, 60)).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
