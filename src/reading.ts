/** What an action does: what it stands for, what a command runs, which paths are used. */

import { categories } from "../rules/registry.ts";
import { fileUses, pathUses } from "./path_uses.ts";
import { normalise } from "./paths/normal.ts";
import { programPaths } from "./paths/programs.ts";
import { loadPart, MissingPart, part } from "./parts.ts";
import { plainUnderstanding } from "./plain_command.ts";
import type { PathUse, Understanding } from "./shell/model.ts";
import type { Action, ActionOf, Context } from "./types.ts";

/** Longest script file that is looked into, in bytes. */
const maxScript = 64 * 1024;

/** An action with all that it stands for. */
export interface Standing {
  readonly all: readonly Action[];
  readonly complete: boolean;
}

const standing = new WeakMap<Action, Standing>();

/** An action with all that it stands for: the arguments of an unknown tool are judged as what they look like. */
export function standsFor(action: Action): readonly Action[] {
  return standingOf(action).all;
}

/** As {@link standsFor}; `complete` is false when there may be more. Throws MissingPart like {@link readAction}. */
export function standingOf(action: Action): Standing {
  let known = standing.get(action);
  if (known === undefined) standing.set(action, known = findStanding(action));
  return known;
}

function findStanding(action: Action): Standing {
  if (action.kind === "mcp" || action.kind === "unknown") {
    const { actions, complete } = part("toolArguments").impliedActions(action);
    return { all: [action, ...actions], complete };
  }
  if (action.kind === "fetch" && /^file:\//i.test(action.url)) {
    return { all: [action, { kind: "file", operation: "read", path: action.url }], complete: true };
  }
  return { all: [action], complete: true };
}

/** What an action does, and the context of the directory in which it does it. */
export interface Reading {
  readonly place: Context;
  readonly understanding?: Understanding;
  readonly uses: readonly PathUse[];
}

const readings = new WeakMap<Action, readonly [Context, Reading]>();

/**
 * Understands an action: what a command runs, and which paths are used. Worked out once per context. Throws
 * MissingPart where {@link loadPartsFor} has not been asked before.
 */
export function readAction(action: Action, context: Context): Reading {
  const known = readings.get(action);
  if (known !== undefined && (known[0] === context || known[1].place === context)) return known[1];
  const reading = read(action, context);
  readings.set(action, [context, reading]);
  return reading;
}

function read(action: Action, context: Context): Reading {
  if (action.kind === "file") return { place: context, uses: fileUses(action, context) };
  if (action.kind !== "shell") return { place: context, uses: [] };
  const place = action.cwd === undefined || action.cwd === ""
    ? context
    : { ...context, cwd: normalise(action.cwd, context.cwd, context) };
  const understanding = understandAction(action, place);
  return { place, understanding, uses: pathUses(understanding, place, action.command) };
}

/** Loads what it takes to understand an action, which {@link readAction} then does. */
export async function loadPartsFor(action: Action, context: Context): Promise<void> {
  while (true) {
    try {
      readAction(action, context);
      return;
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error;
      await loadPart(error.part);
    }
  }
}

/** True for programs that a rule or the table of paths knows. */
export function isKnown(program: string): boolean {
  return programPaths(program) !== undefined ||
    categories.some((category) => category.programs.includes(` ${program} `));
}

function plainly(action: ActionOf<"shell">, place: Context): Understanding | undefined {
  if (action.dialect !== "posix" || place.windows) return undefined;
  return plainUnderstanding(action.command, place.cwd, place.home);
}

function understandAction(action: ActionOf<"shell">, place: Context): Understanding {
  const plain = plainly(action, place);
  if (plain !== undefined) return plain;
  return part("parser").understand(action.command, {
    dialect: action.dialect,
    cwd: place.cwd,
    home: place.home,
    windows: place.windows,
    host: place.host,
    workspace: place.workspace,
    isKnown,
    isSecret: (path) => part("secretPaths").secretOf(path, place) !== undefined,
    list: (path) => place.facts.list(path),
    readFile: (path) => place.facts.text(path, maxScript),
  });
}
