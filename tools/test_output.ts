/** Reads what `deno test --parallel --reporter=pretty` prints, without color. */

/** A test's line, as parallel runs print it, and the heading of a file, as runs of a single file do. */
const lines = [/^\.\/(\S+) => /, /^running \d+ tests? from \.\/(\S+)$/];

/**
 * The file whose tests a line tells of, relative to the checkout: the file that was asked for, while the report
 * of `--junit-path` names the one that calls `Deno.test`, which may be a helper. Undefined for other lines.
 */
export function fileOf(line: string): string | undefined {
  for (const pattern of lines) {
    const file = pattern.exec(line)?.[1];
    if (file !== undefined) return file.replaceAll("\\", "/");
  }
  return undefined;
}

/**
 * Prints each file once, when its first test ends, what tests note (`note: …`), and everything from the errors on.
 * @returns the files of which a test was run or skipped
 */
export async function follow(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  print: (line: string) => void = console.log,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  let errors = false;
  let rest = "";
  const take = (line: string) => {
    if (line.trim() === "ERRORS") errors = true;
    if (errors || line.startsWith("note: ")) print(line);
    const file = errors ? undefined : fileOf(line);
    if (file === undefined || seen.has(file)) return;
    seen.add(file);
    print(file);
  };
  for await (const piece of output.pipeThrough(new TextDecoderStream())) {
    const found = (rest + piece).split("\n");
    rest = found.pop() ?? "";
    for (const line of found) take(line);
  }
  if (rest !== "") take(rest);
  return seen;
}
