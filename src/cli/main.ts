/** The command line: everything but `guard hook`. */

import { Command, CommanderError, Help } from "commander";
import { GuardError, UsageError } from "../errors.ts";
import { prepareRedaction } from "../redact.ts";
import { version } from "../version.ts";
import { exitCodes } from "./exit_codes.ts";
import { warn, write } from "./terminal.ts";

/** A module of one command. */
interface CommandModule {
  register(program: Command): void;
}

/** Commands in the order of the help; each module is loaded only when its command is called. */
const commands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  check: () => import("./check.ts"),
  explain: () => import("./explain.ts"),
  rules: () => import("./rules.ts"),
  install: () => import("./install.ts"),
  uninstall: () => import("./uninstall.ts"),
  status: () => import("./status.ts"),
  doctor: () => import("./doctor.ts"),
  allow: () => import("./allow.ts"),
  log: () => import("./log.ts"),
  mcp: () => import("./mcp.ts"),
  policy: () => import("./policy.ts"),
  hosts: () => import("./hosts.ts"),
  scan: () => import("./scan.ts"),
  redact: () => import("./redact.ts"),
  version: () => import("./version.ts"),
};

const EXIT_CODES = `Exit codes:
  0   nothing to object, or done
  1   guard failed
  2   deny
  3   ask
  64  wrong usage`;

/** Runs a command and sets the exit code of the process. Never throws. */
export async function cli(args: readonly string[]): Promise<void> {
  const program = new Command();
  try {
    await prepareRedaction();
    await build(program, args);
    await program.parseAsync(asked(args), { from: "user" });
  } catch (error) {
    Deno.exitCode = fail(error);
  }
}

/** The arguments; of a command that does not exist its name alone, which `--help` would answer with the general help. */
function asked(args: readonly string[]): readonly string[] {
  const [first] = args;
  const unknown = first !== undefined && !first.startsWith("-") && first !== "help" &&
    !Object.hasOwn(commands, first);
  return unknown ? [first] : args;
}

/** Registers the called command, or all of them when the help or a suggestion has to name them. */
async function build(program: Command, args: readonly string[]): Promise<void> {
  program
    .name("guard")
    .description("Stands between AI coding agents and the machine they work on.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .showHelpAfterError("Run: guard --help")
    .configureOutput({
      writeOut: write,
      writeErr: (text) => warn(text.trimEnd()),
      outputError: (text, writeErr) => writeErr(text.replace(/^error: /, "guard: ")),
    })
    .configureHelp({ helpWidth: 100, subcommandTerm: (command) => new Help().subcommandTerm(command) })
    .addHelpText(
      "after",
      `
${EXIT_CODES}

Examples:
  $ guard check -- rm -rf build       what guard says about a command
  $ guard explain -- git push -f      how it was understood, and why
  $ guard install --all               register guard with the agents on this machine
  $ guard log --since 1h              what was decided lately

Hosts run "guard hook"; "guard install" registers it.`,
    );
  const first = args.find((arg) => !arg.startsWith("-"));
  const wanted = first === undefined || !Object.hasOwn(commands, first)
    ? Object.values(commands)
    : [commands[first]];
  for (const load of wanted) (await load?.())?.register(program);
  for (const command of program.commands) {
    command
      .helpOption("-h, --help", "show this help")
      .exitOverride()
      .copyInheritedSettings(program)
      .showHelpAfterError(nextStep(command.name()));
    for (const sub of command.commands) {
      sub.copyInheritedSettings(program).showHelpAfterError(
        `Run: guard ${command.name()} ${sub.name()} --help`,
      );
    }
  }
}

/** The last lines of a message about wrong usage of a command. */
function nextStep(command: string): string {
  const help = `Run: guard ${command} --help`;
  // The options of a command that is judged are taken for guard's own without the dashes.
  return command === "check" || command === "explain"
    ? `A command to ${command} stands after two dashes: guard ${command} -- rm -rf build\n${help}`
    : help;
}

/** Says what went wrong on stderr and returns the exit code for it. */
export function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has written its message; help and version that were asked for are no error.
    return error.exitCode === 0 ? exitCodes.none : exitCodes.usage;
  }
  if (error instanceof GuardError) {
    warn(`guard: ${error.message}`);
    if (error.next !== undefined) warn(`Run: ${error.next}`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
  warn(`guard: expected to finish, failed with: ${error instanceof Error ? error.message : String(error)}`);
  return exitCodes.failed;
}
