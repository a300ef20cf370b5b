/** The nearest known name to a mistyped one. */

/** Edit distance in which a swap of neighbours counts as one step; stops counting beyond `most`. */
export function distance(a: string, b: string, most = 8): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      }
      next.push(steps);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * The known name that `name` most likely means, or undefined when none is near: at most a third of the
 * letters differ, or it is the beginning or the last part (after `/`) of exactly one name.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length === 0 || name.length > 100) return undefined;
  const wanted = name.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let steps = most + 1;
  for (const candidate of known) {
    const found = distance(wanted, candidate.toLowerCase(), most);
    if (found < steps) {
      best = candidate;
      steps = found;
    }
  }
  if (best !== undefined) return best;
  const parts = known.filter((k) =>
    k.toLowerCase().startsWith(wanted) || k.toLowerCase().endsWith(`/${wanted}`)
  );
  return parts.length === 1 ? parts[0] : undefined;
}
