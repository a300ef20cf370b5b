/** Numbers of the cost measurement. */

/** The middle value; the mean of the two middle ones for an even count. @throws Error for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error("expected at least one value for a median, got none");
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/** The value that a share of all values (0 to 1) does not exceed. @throws Error for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("expected at least one value for a percentile, got none");
  return value;
}

/** User and system seconds added up, from the line that bash prints for TIMEFORMAT='%3U %3S'. */
export function cpuSeconds(line: string): number {
  const match = /^(\d+)[.,](\d{3}) (\d+)[.,](\d{3})$/.exec(line.trim());
  if (match === null) throw new Error(`expected two times like "0.012 0.003", got ${JSON.stringify(line)}`);
  const [, user, userMilliseconds, system, systemMilliseconds] = match.map(Number);
  return user! + system! + (userMilliseconds! + systemMilliseconds!) / 1000;
}
