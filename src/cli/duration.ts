/** Durations as a person types them. */

import { UsageError } from "../errors.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of `90s`, `10m`, `2h`, `7d`.
 *
 * @param option Option that it belongs to, for the message.
 * @throws UsageError when it is no duration, or longer than `most` milliseconds.
 */
export function parseDuration(text: string, option: string, most = Infinity): number {
  const found = /^(\d{1,6})\s*([smhd])$/i.exec(text.trim());
  const milliseconds = Number(found?.[1]) * (UNITS[(found?.[2] ?? "").toLowerCase()] ?? NaN);
  if (!(milliseconds > 0)) {
    throw new UsageError(`expected ${option} to be a duration such as 30s, 10m or 2h, found "${text}"`);
  }
  if (milliseconds > most) {
    throw new UsageError(`expected ${option} to be at most ${durationText(most)}, found "${text}"`);
  }
  return milliseconds;
}

/** A duration in its largest whole unit: `10m`, `24h`, `90s`. */
export function durationText(milliseconds: number): string {
  for (const unit of ["h", "m"] as const) {
    const size = UNITS[unit] ?? 1;
    if (milliseconds >= size && milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${Math.ceil(milliseconds / 1000)}s`;
}
