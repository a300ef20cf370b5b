/** Targets and made-up configurations for the tests of the installer. */

import fc from "fast-check";
import type { MergeTarget } from "../types.ts";

/** Entries in groups with handlers, as in most hosts. */
export const grouped: Pick<MergeTarget, "format" | "entries"> = {
  format: "jsonc",
  entries: ["PreToolUse", "UserPromptSubmit"].map((event) => ({
    event,
    at: ["hooks", event],
    value: (command: string) => ({ hooks: [{ type: "command", command, timeout: 30 }] }),
  })),
};

/** Entries that are handlers themselves, in a file with a version. */
export const flat: Pick<MergeTarget, "format" | "entries" | "skeleton"> = {
  format: "jsonc",
  skeleton: { version: 1 },
  entries: ["preToolUse", "sessionStart"].map((event) => ({
    event,
    at: ["hooks", event],
    value: (command: string) => ({ command, failClosed: true }),
  })),
};

/** The command line of an event, as an executable at `program` would register it. */
export function sampleCommand(event: string, program = "/opt/guard/bin/guard"): string {
  return `${program} hook --host sample --event ${event} --policy /home/x/p.jsonc --state /home/x/s`;
}

const key = fc.constantFrom("env", "model", "note", "x,} y,]", "theme", "// no comment", "permissions");
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string(),
  fc.constant('say "guard hook", /* not a comment */ x,} y,]'),
);
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const foreignEntry = fc.oneof(
  fc.record({
    matcher: fc.constantFrom("Bash", "*"),
    hooks: fc.array(fc.constant({ type: "command", command: "/srv/bodyguard/scan.sh hook" }), {
      maxLength: 2,
    }),
  }),
  fc.record({ command: fc.constantFrom("./x.sh", "echo guard hook --host claude", "guardian hook") }),
);

/** A configuration as a plain value, with or without other people's hooks. */
export const configuration = fc.tuple(
  fc.dictionary(key, anything, { maxKeys: 4, noNullPrototype: true }),
  fc.option(
    fc.dictionary(
      fc.constantFrom("PreToolUse", "preToolUse", "UserPromptSubmit", "Stop"),
      fc.array(foreignEntry, { maxLength: 3 }),
      { maxKeys: 3, noNullPrototype: true },
    ),
    { nil: undefined },
  ),
  fc.boolean(),
).map(([rest, hooks, first]) => {
  if (hooks === undefined) return rest;
  return first ? { hooks, ...rest } : { ...rest, hooks };
});

export interface Layout {
  readonly newline: string;
  readonly unit: string;
  readonly mode: "compact" | "spaced" | "pretty" | "noisy";
  readonly mark: boolean;
  readonly final: boolean;
  readonly trailingCommas: boolean;
  readonly comments: boolean;
  readonly noise: readonly number[];
}

/** How a configuration is written. */
export const layout: fc.Arbitrary<Layout> = fc.record({
  newline: fc.constantFrom("\n", "\r\n"),
  unit: fc.constantFrom("  ", "    ", "\t", " "),
  mode: fc.constantFrom("compact", "spaced", "pretty", "noisy"),
  mark: fc.boolean(),
  final: fc.boolean(),
  trailingCommas: fc.boolean(),
  comments: fc.boolean(),
  noise: fc.array(fc.nat(1000), { minLength: 5, maxLength: 40 }),
});

/** Writes a value in a layout; comments and trailing commas only where the format has them. */
export function write(value: unknown, how: Layout, format: "json" | "jsonc"): string {
  let step = 0;
  const pick = (limit: number) => how.noise[step++ % how.noise.length]! % limit;
  const comments = how.comments && format === "jsonc";
  const filler = (): string => {
    const choices = ["", " ", how.newline, `\t${how.newline} `, "  "];
    let text = choices[pick(choices.length)]!;
    if (comments && pick(4) === 0) text += pick(2) === 0 ? "/* , ] } */" : `// it's "x", }${how.newline}`;
    return text + choices[pick(choices.length)]!;
  };
  const write = (item: unknown, depth: number): string => {
    if (typeof item !== "object" || item === null) return JSON.stringify(item);
    const array = Array.isArray(item);
    const parts = array
      ? item.map((child) => write(child, depth + 1))
      : Object.entries(item).map(([name, child]) => {
        const space = how.mode === "compact" ? "" : how.mode === "noisy" ? filler() : " ";
        return `${JSON.stringify(name)}:${space}${write(child, depth + 1)}`;
      });
    const [open, close] = array ? ["[", "]"] : ["{", "}"];
    const trailing = how.trailingCommas && format === "jsonc" && parts.length > 0;
    if (how.mode === "noisy") {
      const inner = parts.map((part) => filler() + part + filler()).join(",");
      return open + (parts.length === 0 ? filler() : inner) + (trailing ? `,${filler()}` : "") + close;
    }
    if (parts.length === 0) return open + close;
    if (how.mode !== "pretty") {
      return open + parts.join(how.mode === "compact" ? "," : ", ") + (trailing ? "," : "") + close;
    }
    const lines = parts.map((part, index) => {
      const last = index === parts.length - 1;
      const comma = last && !trailing ? "" : ",";
      const remark = comments && pick(5) === 0 ? " // keep me, }" : "";
      return how.unit.repeat(depth + 1) + part + comma + remark;
    });
    return open + how.newline + lines.join(how.newline) + how.newline + how.unit.repeat(depth) + close;
  };
  return (how.mark ? "\ufeff" : "") + write(value, 0) + (how.final ? how.newline : "");
}
