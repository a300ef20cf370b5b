/** What a diff of git adds, file by file. */

import type { Source } from "./finding.ts";

/** Options of `git diff` and `git log` for what {@link added} reads: no context, and no program but git itself. */
export const diffOptions: readonly string[] = [
  "--unified=0",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--ignore-submodules=all",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

/** What begins the line that names a commit, as `--format` has to write it. */
export const commitMark = "commit ";

/** The added parts, from the lines of the diff. What is added in one place is one source. */
export async function* added(lines: AsyncIterable<string>): AsyncGenerator<Source> {
  let path = "";
  let commit: string | undefined;
  let first = 0;
  let part: string[] = [];
  // How many lines of the hunk are still to come: only then a line is content, whatever it looks like.
  let removedLeft = 0;
  let addedLeft = 0;
  const flush = (): Source | undefined => {
    if (part.length === 0) return undefined;
    const source = {
      path,
      text: part.join("\n"),
      firstLine: first,
      ...(commit === undefined ? {} : { commit }),
    };
    part = [];
    return source;
  };
  for await (const line of lines) {
    if (addedLeft > 0 && line.startsWith("+")) {
      part.push(line.slice(1).replace(/\r$/, ""));
      addedLeft--;
      continue;
    }
    if (removedLeft > 0 && line.startsWith("-")) {
      removedLeft--;
      continue;
    }
    if (line.startsWith("\\")) continue;
    const source = flush();
    if (source !== undefined) yield source;
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      removedLeft = Number(hunk[1] ?? 1);
      first = Number(hunk[2]);
      addedLeft = Number(hunk[3] ?? 1);
    } else if (line.startsWith("+++ ")) path = pathOf(line.slice(4));
    else if (line.startsWith(commitMark)) commit = line.slice(commitMark.length);
  }
  const source = flush();
  if (source !== undefined) yield source;
}

/** `b/src/a.ts`, or in quotes with escapes for names with control characters. A tab ends a name with blanks. */
function pathOf(text: string): string {
  const name = text.replace(/\t$/, "");
  if (!name.startsWith('"')) return name.replace(/^b\//, "");
  return name.slice(1, -1).replace(/^b\//, "").replace(/\\(.)/g, "$1");
}
