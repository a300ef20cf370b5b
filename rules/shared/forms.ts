/** Rules that are tables: which subcommands of a command-line client do harm, and with which options. */

import type { Assignment, Invocation, Word } from "../../src/shell/model.ts";
import type { CommandRule, Match } from "../../src/types.ts";
import { type OptionSpec, parseArguments, type ParsedArguments, type ParsedOption } from "../options.ts";
import { type FormRuleData, type FormTest, tableRule } from "./form_rule.ts";
import { isProduction, Surroundings } from "./production.ts";

/** One form of a command. */
export interface Form {
  /** Names of programs, separated by spaces. */
  readonly on: string;
  /** Leading operands: alternatives with `|`, `*` at an end of one stands for anything. None: any. */
  readonly words?: string;
  /** At least one of these options is given (`--name`, `-n`, `--name=value`). */
  readonly options?: readonly string[];
  /** With one of these it does no harm. */
  readonly without?: readonly string[];
  /** With one of these, or with the answer piped into it, nobody is asked any more: it is denied. */
  readonly unasked?: readonly string[];
  readonly decision?: "ask" | "deny";
  /** Production makes it no worse. */
  readonly anywhere?: boolean;
  /** What else has to hold. */
  readonly when?: (command: FormCommand) => boolean;
  /** What would happen; one sentence without a full stop. */
  readonly says: string;
}

/** A command as its client reads it. */
export interface FormCommand {
  readonly invocation: Invocation;
  readonly operands: readonly Word[];
  readonly options: readonly ParsedOption[];
  /** What the line puts into its environment. */
  readonly environment: readonly Assignment[];
  readonly production: boolean;
  has(...names: readonly string[]): boolean;
}

/** How clients read their options; those without an entry have clusters and no known values. */
export type Clients = Readonly<Record<string, OptionSpec | ((args: readonly Word[]) => OptionSpec)>>;

/** Options with which a client only tells something. */
const telling = ["--help", "-help", "--dry-run", "--dryrun", "-dry-run"];

/** Programs that run a package's program by its name: `yarn prisma …`, `npx prisma@5 …`. */
const runners = ["yarn", "pnpm", "bun", "npx", "pnpx", "bunx"];

/**
 * A rule of forms, which is asked for each of their programs.
 *
 * @param run the programs come as packages too, and are then run by a package manager
 */
export function formRule(
  data: FormRuleData,
  clients: Clients,
  forms: readonly Form[],
  run?: "by-runners",
): CommandRule {
  const byProgram = new Map<string, ReadForm[]>();
  for (const written of forms) {
    const form = { ...written, choices: written.words?.split(" ").map((choices) => choices.split("|")) };
    for (const program of form.on.split(" ")) {
      const list = byProgram.get(program);
      if (list === undefined) byProgram.set(program, [form]);
      else list.push(form);
    }
  }
  const tests = [...byProgram].map(([program, known]): [string, FormTest<Surroundings>] => [
    program,
    ({ invocation, before }, surroundings) => {
      const client = (Object.hasOwn(clients, program) ? clients[program] : undefined) ?? {};
      const spec = typeof client === "function" ? client(invocation.args) : client;
      const answered = () => isAnswered(invocation, before());
      return matchForms(known, invocation, spec, surroundings, answered, data.decision) ?? false;
    },
  ]);
  return tableRule(data, Object.fromEntries(tests), {
    programs: run === undefined ? [] : runners,
    begin: () => new Surroundings(),
    note(started, surroundings, programs) {
      surroundings.note(started);
      return run === undefined ? started : runBy(started, programs);
    },
  });
}

/** The invocation of the program that a package manager is told to run, when that is one of these. */
function runBy(invocation: Invocation, programs: ReadonlyMap<string, unknown>): Invocation {
  if (!runners.includes(invocation.program)) return invocation;
  const at = invocation.args.findIndex(({ text }) =>
    !text.startsWith("-") && !/^(?:run|exec|dlx|x)$/.test(text)
  );
  const word = invocation.args[at];
  const name = word?.text.replace(/(?!^)@[^/]*$/, "") ?? "";
  if (word === undefined || !programs.has(name)) return invocation;
  // Without a version the program is an invocation of its own.
  if (/^(?:npx|pnpx|bunx)$/.test(invocation.program) && name === word.text) return invocation;
  return { ...invocation, program: name, word, args: invocation.args.slice(at + 1) };
}

/** A form with its words taken apart. */
interface ReadForm extends Form {
  readonly choices: readonly (readonly string[])[] | undefined;
}

function matchForms(
  forms: readonly ReadForm[],
  invocation: Invocation,
  spec: OptionSpec,
  surroundings: Surroundings,
  answered: () => boolean,
  usual: "ask" | "deny",
): Omit<Match, "evidence"> | undefined {
  const command = readCommand(invocation, spec, surroundings);
  if (telling.some((name) => command.has(name))) return undefined;
  if (command.operands[0]?.text === "help") return undefined;
  let best: Omit<Match, "evidence"> | undefined;
  for (const form of forms) {
    if (!matchesWords(form.choices, command.operands, command.doubtful)) continue;
    if (form.options !== undefined && !command.has(...form.options)) continue;
    if (form.without !== undefined && command.has(...form.without)) continue;
    if (form.when !== undefined && !form.when(command)) continue;
    const unasked = form.unasked !== undefined && (command.has(...form.unasked) || answered());
    const production = form.anywhere !== true && command.production;
    const decision = unasked || production ? "deny" : form.decision ?? usual;
    if (best !== undefined && !(decision === "deny" && best.decision !== "deny")) continue;
    const where = production ? ", in production" : unasked ? ", and nobody is asked before" : "";
    best = { decision, message: `${form.says}${where}.` };
    if (decision === "deny") break;
  }
  return best;
}

interface Parsed {
  readonly spec: OptionSpec;
  readonly parsed: ParsedArguments;
  /** Names of the options that are switched on. */
  readonly names: ReadonlySet<string>;
}

/** Rules of one category read the same command lines. */
const cache = new WeakMap<Invocation, Parsed>();

function parse(invocation: Invocation, spec: OptionSpec): Parsed {
  const known = cache.get(invocation);
  if (known?.spec === spec) return known;
  const parsed = parseArguments(invocation.args, spec);
  const names = new Set<string>();
  for (const { name, value } of parsed.options) {
    if (value !== undefined && /^(?:false|none|0)$/i.test(value.text) && !spec.values?.includes(name)) {
      continue;
    }
    names.add(name);
    // Go programs take one dash and two alike.
    if (spec.style === "words") names.add(name.startsWith("--") ? name.slice(1) : `-${name}`);
  }
  const read = { spec, parsed, names };
  cache.set(invocation, read);
  return read;
}

interface ReadCommand extends FormCommand {
  /** How many of the first operands may be values of options that are not known. */
  readonly doubtful: number;
}

/** Reads a command line as its client does. */
function readCommand(
  invocation: Invocation,
  spec: OptionSpec,
  surroundings: Surroundings,
): ReadCommand {
  const { parsed, names } = parse(invocation, spec);
  let production: boolean | undefined;
  // `cargo +nightly build`: the version of the tool stands in front.
  const operands = parsed.operands[0]?.text.startsWith("+") ? parsed.operands.slice(1) : parsed.operands;
  return {
    invocation,
    operands,
    options: parsed.options,
    environment: surroundings.environmentOf(invocation),
    doubtful: doubtfulOperands(invocation.args, operands, parsed.options, spec),
    get production() {
      return production ??= isProduction(invocation, surroundings);
    },
    has: (...wanted) => wanted.some((name) => names.has(name)),
  };
}

/** Operands in front that follow an option of which is not known whether it takes a value. */
function doubtfulOperands(
  args: readonly Word[],
  operands: readonly Word[],
  options: readonly ParsedOption[],
  spec: OptionSpec,
): number {
  let count = 0;
  while (count < operands.length && count < 4) {
    const at = args.indexOf(operands[count]!);
    const before = args[at - 1];
    const option = before === undefined ? undefined : options.find((one) => one.word === before);
    if (option === undefined || option.value !== undefined || spec.attached?.includes(option.name)) break;
    count++;
  }
  return count;
}

function matchesWords(
  wanted: readonly (readonly string[])[] | undefined,
  operands: readonly Word[],
  doubtful: number,
): boolean {
  if (wanted === undefined) return true;
  for (let start = 0; start <= doubtful; start++) {
    if (
      wanted.every((choices, index) => {
        const word = operands[start + index];
        return word !== undefined && choices.some((choice) => matchesWord(choice, word.text));
      })
    ) return true;
  }
  return false;
}

function matchesWord(choice: string, text: string): boolean {
  if (choice === "*") return true;
  if (choice.endsWith("*")) return text.startsWith(choice.slice(0, -1));
  if (choice.startsWith("*")) return text.endsWith(choice.slice(1));
  return choice === text;
}

/**
 * True when the answer to a question is piped or written into the command.
 *
 * @param before what runs shortly before it
 */
function isAnswered(invocation: Invocation, before: readonly Invocation[]): boolean {
  const { pipeline, stdin } = invocation;
  if (stdin?.isStatic === true && /^\s*y(?:es)?\s*$/i.test(stdin.text)) return true;
  return pipeline.index > 0 &&
    before.some((one) =>
      one.program === "yes" && one.pipeline.id === pipeline.id && one.pipeline.index === pipeline.index - 1
    );
}
