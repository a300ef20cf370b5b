/** Compares the commands that the shell model finds in a line with those that bash has run. */

import type { Invocation, Piece, Word } from "../src/shell/model.ts";
import { loadAllParts } from "../src/parts.ts";
import { understand } from "../src/shell/understand.ts";
import { home, printed, type Ran } from "./bash_process.ts";

await loadAllParts();

/** How the model's reading of a line relates to what bash did. */
export interface Comparison {
  /** What is wrong: a command that bash ran and the model does not show, or the other way round. */
  readonly fault?: string;
  /** False when the model says itself that it cannot tell. */
  readonly compared: boolean;
  /** True when every word was known, so that the commands were compared word for word. */
  readonly exact: boolean;
}

/** Commands that bash does not note: builtins, and the functions that stand for shells and the like. */
const unnoted = new Set(
  (": [ alias break continue declare echo eval exit export false let local printf read readonly return set shift shopt " +
    "test trap true typeset unalias unset mapfile readarray cat source sh bash exec command builtin").split(
      " ",
    ),
);

/** What the model makes of a line, as far as bash notes it. */
function modelled(line: string): { readonly commands: readonly Invocation[]; readonly doubted: boolean } {
  const { invocations, doubts } = understand(line, { dialect: "posix", cwd: "/nowhere", home });
  const commands = invocations.filter(({ word }) => !(word.isStatic && unnoted.has(word.text)));
  return { commands, doubted: doubts.length > 0 };
}

function isExact({ word, args, moreArguments }: Invocation): boolean {
  return !moreArguments &&
    [word, ...args].every((one) => one.pieces.every((piece) => piece.kind !== "unknown"));
}

/** Matches the words that an invocation may have; each word is led by a NUL. */
function shapeOf({ word, args, moreArguments }: Invocation): RegExp {
  const piece = (one: Piece) =>
    one.kind === "unknown" ? "[^]*" : one.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const shape = ({ pieces }: Word) => {
    const text = `\0${pieces.map(piece).join("")}`;
    // What is unknown as a whole may be no word at all.
    return pieces.length > 0 && pieces.every((one) => one.kind === "unknown") ? `(?:${text})?` : text;
  };
  return new RegExp(`^${[word, ...args].map(shape).join("")}${moreArguments ? "[^]*" : ""}$`);
}

const listed = (words: readonly string[]) => JSON.stringify(words);
const written = ({ word, args }: Invocation) => listed([word, ...args].map((one) => one.text));

/**
 * True where the model differs only because it is not told that bash begins without parameters: it shows what bash
 * ran in that order, with nothing between but other outcomes of the same commands, and the same as bash once the line
 * says it.
 */
function isOneOfSeveral(
  line: string,
  commands: readonly Invocation[],
  ran: Ran,
  own: (words: string) => boolean,
): boolean {
  if (!/\$\{?[!#]?[@*#\d]/.test(line)) return false;
  const told = modelled(`set --; ${line}`);
  const run = ran.commands.map(listed).filter(own);
  if (told.doubted || told.commands.map(written).filter(own).join("\n") !== run.join("\n")) return false;
  const shown = commands.filter((one) => own(written(one)));
  const place = ({ span }: Invocation) => `${span.start}-${span.end}`;
  const places = new Set<string>();
  const skipped: string[] = [];
  let next = 0;
  for (const one of shown) {
    if (next < run.length && written(one) === run[next]) {
      places.add(place(one));
      next++;
    } else skipped.push(place(one));
  }
  return next === run.length && skipped.every((one) => places.has(one));
}

/**
 * Every command that bash ran must be one that the model shows. Where bash runs all of a line, and the model knows
 * every word, the commands must be the same, in the same order.
 *
 * @param straight bash runs all of the line, in the order in which it stands
 */
export function compare(line: string, ran: Ran, straight: boolean): Comparison {
  const { commands, doubted } = modelled(line);
  // Bash gives up the rest of a shell that computes with a variable whose value is itself.
  const endless = /\b([A-Za-z_]\w*)=\1\b/.test(line);
  // It does the same where something is assigned to a read-only variable.
  const fixed = /\b(?:readonly|declare -r) ([A-Za-z_]\w*)(?=[^]*\b\1\+?=)/.test(line);
  // What is arithmetic to bash is two subshells to other shells that are called sh, and shown as both.
  const either = /\bsh\b/.test(line) && line.includes("((");
  const exact = straight && !endless && !fixed && !either && commands.every(isExact);
  if (!ran.ended) return { compared: false, exact: false, fault: "bash did not come to the end of the line" };
  if (doubted) return { compared: false, exact: false };
  const shapes = commands.map(shapeOf);
  const shown = () =>
    `\n  shown: ${commands.map(written).join(" ")}\n  run:   ${ran.commands.map(listed).join(" ")}`;
  const missing = ran.commands.find((words) => {
    // What a noted command has printed, run in its turn.
    if (words[0]!.startsWith(printed)) return false;
    const text = words.map((one) => `\0${one}`).join("");
    return !shapes.some((shape) => shape.test(text));
  });
  if (missing !== undefined) {
    return { compared: true, exact, fault: `not shown: ${listed(missing)}${shown()}` };
  }
  // A function in a function of the same name is shown as well; what a noted command prints may be run.
  const own = (words: string) => !/^\["f[ab]"/.test(words) && !words.startsWith(`["${printed}`);
  const same =
    commands.map(written).filter(own).join("\n") === ran.commands.map(listed).filter(own).join("\n");
  if (exact && !same && !isOneOfSeveral(line, commands, ran, own)) {
    return { compared: true, exact, fault: `shown differently${shown()}` };
  }
  return { compared: true, exact };
}
