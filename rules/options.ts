/** Parses the arguments of a program the way that program does. */

import type { Word } from "../src/shell/model.ts";
import { dropStart, literalStart } from "../src/words.ts";

/** How a program reads its options. All names are written with their dashes. */
export interface OptionSpec {
  /** Options that take a value: attached, after `=`, or as the next word. */
  readonly values?: readonly string[];
  /** Options whose value is optional and therefore only ever attached (`-i.bak`, `--color=always`). */
  readonly attached?: readonly string[];
  /** Other long options; with these, unambiguous abbreviations of long options are written out. */
  readonly long?: readonly string[];
  /**
   * `clusters` (default): `-abc` is `-a -b -c`. `words`: `-name` is one option (find, java, terraform).
   * `powershell`: `-Name` without regard to case, abbreviations, `-Name:value`. `cmd`: `/x`.
   */
  readonly style?: "clusters" | "words" | "powershell" | "cmd";
  /** Options end at the first operand. */
  readonly stopAtOperand?: boolean;
}

export interface ParsedOption {
  /** As the program names it, with dashes; lower case for PowerShell and cmd. */
  readonly name: string;
  readonly value?: Word;
  readonly word: Word;
}

export interface ParsedArguments {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  /** True when one of these options is present. */
  has(...names: readonly string[]): boolean;
  /** Value of the last of these options that has one. */
  value(...names: readonly string[]): Word | undefined;
  /** Values of all of these options, in order. */
  values(...names: readonly string[]): readonly Word[];
}

/** Whether an option that has an opposite (`--no-…`) is on after the last mention of both. */
export function isOn(parsed: ParsedArguments, ...names: readonly string[]): boolean {
  let on = false;
  for (const { name } of parsed.options) {
    if (names.includes(name)) on = true;
    else if (name.startsWith("--no-") && names.includes(`--${name.slice("--no-".length)}`)) on = false;
  }
  return on;
}

class Arguments implements ParsedArguments {
  readonly options: ParsedOption[] = [];
  readonly operands: Word[] = [];

  has(...names: readonly string[]): boolean {
    return this.options.some((option) => names.includes(option.name));
  }

  value(...names: readonly string[]): Word | undefined {
    return this.values(...names).at(-1);
  }

  values(...names: readonly string[]): readonly Word[] {
    const found: Word[] = [];
    for (const option of this.options) {
      if (option.value !== undefined && names.includes(option.name)) found.push(option.value);
    }
    return found;
  }
}

/** Takes the arguments without the command word; never fails: what it cannot place is an operand. */
export function parseArguments(args: readonly Word[], spec: OptionSpec = {}): ParsedArguments {
  const found = new Arguments();
  const values = new Set(spec.values);
  const attached = new Set(spec.attached);
  const style = spec.style ?? "clusters";
  const known = style === "powershell" || spec.long !== undefined
    ? [...values, ...attached, ...(spec.long ?? [])]
    : [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    const text = literalStart(word);
    if (style === "cmd") {
      if (/^\/[A-Za-z?](:|$)/.test(text) || /^(\/[A-Za-z])+$/.test(text)) {
        for (const part of text.split("/").filter((part) => part !== "")) {
          found.options.push({ name: `/${part.slice(0, 1).toLowerCase()}`, word });
        }
      } else found.operands.push(word);
      continue;
    }
    if (style !== "powershell" && text === "--" && word.isStatic) {
      found.operands.push(...args.slice(index + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-" || (style === "powershell" && /^-\d/.test(text))) {
      if (spec.stopAtOperand) {
        found.operands.push(...args.slice(index));
        break;
      }
      found.operands.push(word);
      continue;
    }
    if (style === "powershell") {
      const colon = text.indexOf(":");
      const name = complete((colon < 0 ? text : text.slice(0, colon)).toLowerCase(), known);
      if (colon >= 0) found.options.push({ name, value: dropStart(word, colon + 1), word });
      else if (values.has(name)) found.options.push({ name, value: args[++index], word });
      else found.options.push({ name, word });
      continue;
    }
    if (text.startsWith("--") || style === "words") {
      const equals = text.indexOf("=");
      const given = equals < 0 ? text : text.slice(0, equals);
      const name = text.startsWith("--") ? complete(given, known) : given;
      if (equals >= 0) found.options.push({ name, value: dropStart(word, equals + 1), word });
      else if (values.has(name)) found.options.push({ name, value: args[++index], word });
      else found.options.push({ name, word });
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const name = `-${text[at]}`;
      const restKnown = at + 1 < word.text.length;
      if (values.has(name)) {
        found.options.push({ name, value: restKnown ? dropStart(word, at + 1) : args[++index], word });
        break;
      }
      if (attached.has(name)) {
        found.options.push(restKnown ? { name, value: dropStart(word, at + 1), word } : { name, word });
        break;
      }
      found.options.push({ name, word });
    }
  }
  return found;
}

/** Writes out an abbreviated long option when exactly one known option begins with it. */
function complete(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const matches = known.filter((candidate) => candidate.startsWith(name) && candidate.startsWith("-"));
  return matches.length === 1 ? matches[0]! : name;
}
