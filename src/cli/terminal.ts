/** Writing for people and programs: stdout carries the answer alone, colour only where a person sees it. */

type Style = "bold" | "dim" | "red" | "yellow" | "green" | "cyan";

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
};

/** Whether a stream shows colour: a terminal, and neither `NO_COLOR` nor a dumb one. */
export function hasColour(
  stream: { isTerminal(): boolean } = Deno.stdout,
  env: (name: string) => string | undefined = Deno.env.get,
): boolean {
  return stream.isTerminal() && (env("NO_COLOR") ?? "") === "" && env("TERM") !== "dumb";
}

/** Whether a person can be asked: both input and output are a terminal that can show a question. */
export function isInteractive(): boolean {
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal() || Deno.env.get("TERM") === "dumb") return false;
  try {
    // Terminals that do not know their size say zero.
    return Deno.consoleSize().columns >= 20;
  } catch {
    return false;
  }
}

/** Paints text for stdout, or returns it as it is. */
export function paint(style: Style, text: string, colour = hasColour()): string {
  const [on, off] = CODES[style];
  return colour ? `\x1b[${on}m${text}\x1b[${off}m` : text;
}

/** Writes to stdout, all of it; a reader that has gone (`guard rules | head`) ends the process quietly. */
export function write(text: string): void {
  writeTo(Deno.stdout, text);
}

/** Writes a line to stdout. */
export function line(text = ""): void {
  write(`${text}\n`);
}

/** Writes a line to stderr. */
export function warn(text: string): void {
  writeTo(Deno.stderr, `${text}\n`);
}

function writeTo(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = new TextEncoder().encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(Number(Deno.exitCode));
    throw error;
  }
}

/** Columns that one character takes in a terminal. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (/\p{Mark}/u.test(character)) return 0;
  const wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0xa4cf) || (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f680 && code <= 0x1f6ff) ||
    (code >= 0x1f900 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** Columns that a text takes in a terminal; escape sequences of `paint` count as nothing. */
export function width(text: string): number {
  let total = 0;
  for (const character of text.replace(PAINTED, "")) total += characterWidth(character);
  return total;
}

const PAINTED = new RegExp(`${String.fromCharCode(27)}\\[[0-9]+m`, "g");

/** Rows in aligned columns, two blanks apart; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, width(cell));
  }
  return rows.map((row) =>
    row.map((cell, i) => i === row.length - 1 ? cell : cell + " ".repeat((widths[i] ?? 0) - width(cell)))
      .join("  ").trimEnd()
  ).join("\n");
}

/** Breaks a text into lines of at most `columns`, at blanks, with an indent. */
export function wrap(text: string, indent: string, columns = lineLength()): string {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let current = "";
    for (const word of paragraph.split(" ")) {
      if (current !== "" && width(current) + 1 + width(word) > columns - indent.length) {
        lines.push(current);
        current = word;
      } else {
        current = current === "" ? word : `${current} ${word}`;
      }
    }
    lines.push(current);
  }
  return lines.map((l) => (indent + l).trimEnd()).join("\n");
}

/** Columns to write for: the terminal's, at most 110; 100 when there is none. */
export function lineLength(): number {
  try {
    const columns = Deno.stdout.isTerminal() ? Deno.consoleSize().columns : 100;
    // A terminal that was never told its size says 0.
    return columns === 0 ? 80 : Math.max(40, Math.min(110, columns));
  } catch {
    return 100;
  }
}
