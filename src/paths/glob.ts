/** Globs in linear space and at most `pattern × text` steps; no regular expressions. */

type Step =
  | { readonly kind: "char"; readonly char: string }
  /** One character but no slash. */
  | { readonly kind: "one" }
  /** Any number of characters but no slash. */
  | { readonly kind: "many" }
  /** Any number of characters, slashes included. */
  | { readonly kind: "deep" }
  | {
    readonly kind: "set";
    readonly negated: boolean;
    readonly ranges: readonly (readonly [string, string])[];
  };

/** How a glob is matched. */
export interface GlobOptions {
  readonly caseInsensitive?: boolean;
  /** `*` and `?` match slashes too (find -path, text patterns). */
  readonly slashes?: boolean;
}

/** True when the whole text matches: `*`, `?`, `[a-z]`, `[!a]`, `**`, `{a,b}`, and `\` as escape. */
export function matchesGlob(text: string, pattern: string, options: GlobOptions = {}): boolean {
  const subject = options.caseInsensitive ? text.toLowerCase() : text;
  return alternatives(options.caseInsensitive ? pattern.toLowerCase() : pattern).some((one) =>
    run(compile(one, options.slashes === true), subject)
  );
}

/** Writes out `{a,b}`; at most 64 alternatives, the rest of the braces is then literal. */
function alternatives(pattern: string): readonly string[] {
  let done: string[] = [""];
  let at = 0;
  while (at < pattern.length) {
    const open = pattern.indexOf("{", at);
    const close = open < 0 ? -1 : pattern.indexOf("}", open);
    const choices = close < 0 ? [] : pattern.slice(open + 1, close).split(",");
    if (choices.length < 2 || done.length * choices.length > 64) {
      return done.map((start) => start + pattern.slice(at));
    }
    done = done.flatMap((start) => choices.map((choice) => start + pattern.slice(at, open) + choice));
    at = close + 1;
  }
  return done;
}

function compile(pattern: string, slashes: boolean): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "\\" && at + 1 < pattern.length) {
      steps.push({ kind: "char", char: pattern[++at]! });
    } else if (char === "*") {
      if (pattern[at + 1] === "*") {
        while (pattern[at + 1] === "*") at++;
        // `**/` also stands for nothing, so that `**/x` matches `x`.
        const before = at < 2 || pattern[at - 2] === "/";
        if (pattern[at + 1] === "/" && before) at++;
        steps.push({ kind: "deep" });
      } else steps.push({ kind: slashes ? "deep" : "many" });
    } else if (char === "?") {
      steps.push({ kind: "one" });
    } else if (char === "[") {
      const end = pattern.indexOf("]", at + 2);
      if (end < 0) {
        steps.push({ kind: "char", char });
        continue;
      }
      const body = pattern.slice(at + 1, end);
      const negated = body.startsWith("!") || body.startsWith("^");
      const ranges: [string, string][] = [];
      for (let index = negated ? 1 : 0; index < body.length; index++) {
        if (body[index + 1] === "-" && index + 2 < body.length) {
          ranges.push([body[index]!, body[index + 2]!]);
          index += 2;
        } else ranges.push([body[index]!, body[index]!]);
      }
      steps.push({ kind: "set", negated, ranges });
      at = end;
    } else steps.push({ kind: "char", char });
  }
  return steps;
}

/** Runs the steps as a set of positions, so that no pattern is worse than steps × characters. */
function run(steps: readonly Step[], text: string): boolean {
  let positions = new Set<number>();
  enter(0, positions, steps);
  for (const char of text) {
    const next = new Set<number>();
    for (const position of positions) {
      const step = steps[position];
      if (step === undefined) continue;
      if (step.kind === "deep" || (step.kind === "many" && char !== "/")) enter(position, next, steps);
      else if (
        (step.kind === "char" && step.char === char) ||
        (step.kind === "one" && char !== "/") ||
        (step.kind === "set" && step.negated !== step.ranges.some(([from, to]) => char >= from && char <= to))
      ) enter(position + 1, next, steps);
    }
    if (next.size === 0) return false;
    positions = next;
  }
  return positions.has(steps.length);
}

function enter(position: number, positions: Set<number>, steps: readonly Step[]): void {
  let at = position;
  positions.add(at);
  while (steps[at]?.kind === "many" || steps[at]?.kind === "deep") positions.add(++at);
}
