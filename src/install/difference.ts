/** A unified difference of two texts, for people. */

const context = 3;
/** Beyond this many lines between the first and the last change, the middle counts as replaced. */
const alignLimit = 2000;

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** The difference with three lines of context; empty when the texts are equal. Undefined is a missing file. */
export function difference(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const lines = align(linesOf(before), linesOf(after));
  const from = before === undefined ? "/dev/null" : path;
  const to = after === undefined ? "/dev/null" : path;
  return [`--- ${from}`, `+++ ${to}`, ...hunks(lines)].join("\n") + "\n";
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function align(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const kept = (text: string): Line => ({ mark: " ", text });
  return [
    ...before.slice(0, head).map(kept),
    ...alignMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

/** Longest common subsequence. */
function alignMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const removed = (text: string): Line => ({ mark: "-", text });
  const added = (text: string): Line => ({ mark: "+", text });
  if (before.length > alignLimit || after.length > alignLimit) {
    return [...before.map(removed), ...after.map(added)];
  }
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: " ", text: before[i]! });
      i++;
      j++;
    } else if (
      i < before.length &&
      (j === after.length || lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      lines.push(removed(before[i++]!));
    } else {
      lines.push(added(after[j++]!));
    }
  }
  return lines;
}

function hunks(lines: readonly Line[]): string[] {
  const output: string[] = [];
  let shownUntil = 0;
  let oldLine = 1;
  let newLine = 1;
  const numbers = lines.map((line) => {
    const at = { old: oldLine, new: newLine };
    if (line.mark !== "+") oldLine++;
    if (line.mark !== "-") newLine++;
    return at;
  });
  for (let index = 0; index < lines.length; index++) {
    if (lines[index]!.mark === " " || index < shownUntil) continue;
    const start = Math.max(shownUntil, index - context);
    let end = index + 1;
    for (let quiet = 0; end < lines.length && quiet < 2 * context; end++) {
      quiet = lines[end]!.mark === " " ? quiet + 1 : 0;
    }
    while (end > index && lines[end - 1]!.mark === " ") end--;
    end = Math.min(lines.length, end + context);
    const part = lines.slice(start, end);
    const olds = part.filter((line) => line.mark !== "+").length;
    const news = part.filter((line) => line.mark !== "-").length;
    const at = numbers[start]!;
    output.push(
      `@@ -${olds === 0 ? at.old - 1 : at.old},${olds} +${news === 0 ? at.new - 1 : at.new},${news} @@`,
    );
    output.push(...part.map((line) => line.mark + line.text));
    shownUntil = end;
  }
  return output;
}
