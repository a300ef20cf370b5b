/** Starting another agent without its approvals or without hooks. */

import { movingVariables, uncheckedAgents } from "../../src/host_data.ts";
import type { Invocation } from "../../src/shell/model.ts";
import type { Unchecked } from "../../src/types.ts";
import { parseArguments } from "../options.ts";

/** Agents that have no adapter. */
const others: readonly Unchecked[] = [
  { programs: ["goose"], options: [], variables: { GOOSE_MODE: "^auto$" } },
  // Its print mode approves everything by itself.
  { programs: ["kimi", "kimi-cli"], options: ["-y", "--yolo", "--yes", "--auto-approve", "--print"] },
  {
    programs: ["codebuddy"],
    options: ["-y", "--dangerously-skip-permissions"],
    values: { "--permission-mode": "^bypassPermissions$" },
  },
  { programs: ["qodercli"], options: ["--yolo", "--dangerously-skip-permissions"] },
  { programs: ["iflow"], options: ["-y", "--yolo"], values: { "--approval-mode": "^(?:yolo|auto_edit)$" } },
  { programs: ["cn"], options: ["--auto"], values: { "--allow": "^(?:\\*|[Bb]ash)" } },
  { programs: ["vibe"], options: ["--auto-approve"], values: { "--agent": "^auto-approve$" } },
  { programs: ["interpreter"], options: ["-y", "--auto_run"] },
  { programs: ["gptme"], options: ["-y", "--no-confirm", "-n", "--non-interactive"] },
  { programs: ["openhands"], options: ["--always-approve", "--yolo", "--headless"] },
  { programs: ["acli"], options: ["--yolo"] },
];

/** Subcommands of agents with which guard's plugin or hook goes: `claude plugin disable guard`. */
const takesGuardOut = /^(?:plugins?|extensions?|hooks?) (?:disable|uninstall|remove|rm)\b.*\bguard\b/i;

/** The agents by the names of their programs. */
const agents = new Map<string, Unchecked>();
for (const agent of [...others, ...uncheckedAgents]) {
  for (const program of agent.programs) agents.set(program, agent);
}

/** Interpreters that run the script of an agent. */
const interpreters = ["node", "nodejs", "bun", "deno"];

/** Program names that start an agent. */
export const agentPrograms: readonly string[] = [...agents.keys(), ...interpreters];

/** Programs that start another as a user that they are told, or as root. */
const asAnother = /^(?:sudo|doas|su|runuser|pkexec|gosu|su-exec|setpriv|machinectl|run0)(?: |$)/;

/** Names that other programs have too. */
const ordinary: ReadonlySet<string> = new Set([
  "agent",
  "q",
  "goose",
  "cn",
  "vibe",
  "interpreter",
  "acli",
  "pi",
]);

/** Variables that give an agent another home, and with it other settings. */
const relocating = new Set(["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", ...movingVariables]);

/** The agent whose script an interpreter runs, and which argument the script is. */
function scriptOf(
  { program, args }: Invocation,
): { readonly agent: Unchecked; readonly at: number } | undefined {
  if (!interpreters.includes(program)) return undefined;
  const at = args.findIndex((word) => /[\\/]/.test(word.text) && !word.text.startsWith("-"));
  const path = `/${args[at]?.text.replaceAll("\\", "/") ?? ""}`;
  const agent = uncheckedAgents.find(({ packages }) => packages?.some((name) => path.includes(`/${name}/`)));
  return agent === undefined ? undefined : { agent, at };
}

/** A variable of an agent's environment. */
interface Variable {
  readonly name: string;
  readonly value: { readonly text: string };
}

/** Programs that set variables for all that follows in the line: `export A=b`, `declare -x A=b`, `set -x A b` of fish. */
const exporting: ReadonlySet<string> = new Set(["export", "declare", "typeset", "setenv", "set"]);

/** Variables that take the checks from some agent. */
const agentVariables = new Set(
  [...others, ...uncheckedAgents].flatMap((one) => Object.keys(one.variables ?? {})),
);

/** Programs that set variables for what the session starts later, and the words that say so. */
const remembering: Readonly<Record<string, RegExp>> = {
  systemctl: /^(?:set-environment|import-environment)$/,
  launchctl: /^setenv$/,
  "dbus-update-activation-environment": /(?:)/,
  tmux: /^(?:setenv|set-environment)$/,
  setx: /(?:)/,
  set: /^-[a-zA-Z]*U/,
};

/** Names of {@link remembering}'s programs. */
export const rememberingPrograms: readonly string[] = Object.keys(remembering);

/** The variable that agents started later find, and that takes them to other settings; undefined when there is none. */
export function rememberedBy({ program, args }: Invocation): string | undefined {
  const word = Object.hasOwn(remembering, program) ? remembering[program]! : undefined;
  if (word === undefined || !args.some(({ text }) => word.test(text))) return undefined;
  return args.map(({ text }) => text.split("=", 1)[0]!).find((name) =>
    relocating.has(name) || agentVariables.has(name)
  );
}

/** The variables that an invocation sets for the agents after it. */
export function exportedBy({ program, args }: Invocation): readonly Variable[] {
  if (!exporting.has(program)) return [];
  const telling = (name: string) => relocating.has(name) || agentVariables.has(name);
  return args.flatMap(({ text }, index) => {
    const equals = text.indexOf("=");
    if (equals > 0 && telling(text.slice(0, equals))) {
      return [{ name: text.slice(0, equals), value: { text: text.slice(equals + 1) } }];
    }
    // `export HOME` alone changes nothing.
    const value = /^set/.test(program) && telling(text) ? args[index + 1] : undefined;
    return value === undefined ? [] : [{ name: text, value: { text: value.text } }];
  });
}

/**
 * What of a command line takes the checks from an agent that it starts; undefined when nothing does.
 *
 * @param exported variables that the line has set before
 */
export function approvalsOff(
  invocation: Invocation,
  exported: readonly Variable[] = [],
): string | undefined {
  const script = scriptOf(invocation);
  const known = script?.agent ?? agents.get(invocation.program);
  if (known === undefined) return undefined;
  // `agent` and `q` are ordinary words for other programs.
  const args = script === undefined ? invocation.args : invocation.args.slice(script.at + 1);
  const parsed = parseArguments(args, { values: Object.keys(known.values ?? {}) });
  if (parsed.has("--version", "--help")) return undefined;
  // Another user has other settings, and no hooks in them.
  const other = invocation.via.find((one) => asAnother.test(one));
  if (other !== undefined && !ordinary.has(invocation.program)) return `as another user (${other})`;
  const variables = [...exported, ...invocation.assignments];
  const moved = variables.find((one) => relocating.has(one.name));
  if (moved !== undefined) return moved.name;
  for (const option of parsed.options) {
    if (known.options.includes(option.name)) return option.name;
    const wanted = known.values?.[option.name];
    if (wanted !== undefined && option.value !== undefined && new RegExp(wanted).test(option.value.text)) {
      return `${option.name} ${option.value.text}`;
    }
  }
  const words = parsed.operands.slice(0, 8).map((word) => word.text).join(" ");
  if (known.commands !== undefined && new RegExp(known.commands, "i").test(words)) return words;
  if (takesGuardOut.test(words)) return words;
  const verb = parsed.operands[0]?.text;
  if (verb !== undefined && known.verbs?.includes(verb)) return verb;
  for (const { name: variable, value } of variables) {
    const counts = known.variables !== undefined && Object.hasOwn(known.variables, variable)
      ? known.variables[variable]
      : undefined;
    if (counts !== undefined && new RegExp(counts, "i").test(value.text)) return `${variable}=${value.text}`;
  }
  return undefined;
}
