/** The words of a find expression: which take a value, and where what `-exec` runs ends. */

import type { Word } from "./model.ts";

/** Tests of names and paths. */
export const findNames: ReadonlySet<string> = new Set([
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-iwholename",
]);

/** Other parts of the expression that are followed by a value. */
const findValued: ReadonlySet<string> = new Set(
  ("-type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -user -group -perm -regex -iregex " +
    "-lname -ilname -links -inum -uid -gid -samefile -fstype -used -maxdepth -mindepth -regextype -printf -fprint " +
    "-fprint0 -fprintf -fls -context -files0-from -D -newermt -newerct -newerat")
    .split(" "),
);

/** Parts of the expression that run a program. */
export const findRuns: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** One part of a find expression: its name, the value after it, and the words of the program that it runs. */
export interface FindTerm {
  readonly name: string;
  readonly value: Word | undefined;
  readonly run?: readonly Word[];
}

/** The parts of an expression that begins at `from`. */
export function findTerms(args: readonly Word[], from: number): readonly FindTerm[] {
  const terms: FindTerm[] = [];
  for (let index = from; index < args.length; index++) {
    const name = args[index]!.text;
    if (findRuns.has(name)) {
      const run: Word[] = [];
      let closed = false;
      for (index++; index < args.length && !closed; index++) {
        const { text } = args[index]!;
        closed = text === ";" || (text === "+" && args[index - 1]!.text === "{}");
        if (!closed) run.push(args[index]!);
      }
      index--;
      // Words that nothing closes are read as they were meant: of a `;` that the shell took nobody sees a trace.
      terms.push({ name, value: undefined, run });
    } else if (findValued.has(name) || findNames.has(name)) {
      terms.push({ name, value: args[++index] });
      if (name === "-fprintf") index++;
    } else terms.push({ name, value: undefined });
  }
  return terms;
}
