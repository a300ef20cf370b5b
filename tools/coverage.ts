/** Line coverage of the product's own code, from an lcov report. */

/** Least share of lines of src/, rules/ and adapters/ that the tests must run. */
export const threshold = 0.75;

const measured = /^(?:src|rules|adapters)\/(?!.*_test\.ts$).*\.ts$/;

export interface Coverage {
  readonly lines: number;
  readonly hit: number;
  /** Files with the most lines that no test runs, worst first. */
  readonly worst: readonly { readonly file: string; readonly missed: number }[];
}

/** Adds up an lcov report. `root` is cut from the file names. */
export function coverageOf(lcov: string, root: string): Coverage {
  let lines = 0;
  let hit = 0;
  const worst: { file: string; missed: number }[] = [];
  for (const record of lcov.split("end_of_record")) {
    const source = /^SF:(.*)$/m.exec(record)?.[1]?.replaceAll("\\", "/");
    if (source === undefined) continue;
    const prefix = `${root.replaceAll("\\", "/")}/`;
    const file = source.startsWith(prefix) ? source.slice(prefix.length) : source;
    if (!measured.test(file)) continue;
    const found = Number(/^LF:(\d+)/m.exec(record)?.[1] ?? 0);
    const reached = Number(/^LH:(\d+)/m.exec(record)?.[1] ?? 0);
    lines += found;
    hit += reached;
    worst.push({ file, missed: found - reached });
  }
  return { lines, hit, worst: worst.toSorted((a, b) => b.missed - a.missed) };
}
