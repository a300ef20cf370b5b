/** Entry of the shell model: what a command would do, found without running anything. */

import { MissingPart, part } from "../parts.ts";
import type { Dialect, Directory, Invocation, Understanding } from "./model.ts";
import { Evaluation } from "./evaluate.ts";
import { type Frame, TooComplex } from "./frame.ts";
import { plain } from "./pieces.ts";
import type { Scope } from "./scope.ts";

/** Where and as what a command is judged. */
export interface UnderstandOptions {
  readonly dialect: Dialect;
  /** Absolute directory in which it starts; undefined when the host did not say. */
  readonly cwd: string | undefined;
  /** Absolute home directory. */
  readonly home: string;
  /** Windows path rules. */
  readonly windows?: boolean;
  /** Text of a script file, or undefined when it cannot be read; called with absolute paths. */
  readonly readFile?: (path: string) => string | undefined;
  /** Names in a directory, or undefined when it cannot be read; called with absolute paths. */
  readonly list?: (path: string) => readonly string[] | undefined;
  /** True for files whose text must not become part of words: only that they were read counts. */
  readonly isSecret?: (path: string) => boolean;
  /** Absolute root of the project. */
  readonly workspace?: string;
  /** True for programs about which rules or paths know: they do not start what is named to them. */
  readonly isKnown?: (program: string) => boolean;
  readonly host?: string;
  /** Environment variables whose values are known. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Longest command that is parsed, in UTF-16 code units: the most that Linux takes as one argument. */
export const maxCommandLength = 128 * 1024;

/**
 * Resolves what a command would run. What cannot be resolved and could be dangerous comes back as a
 * doubt. Throws MissingPart, and nothing else, when a part has to be loaded first.
 */
export function understand(command: string, options: UnderstandOptions): Understanding {
  const span = { start: 0, end: command.length };
  if (command.length > maxCommandLength) {
    return {
      invocations: [],
      doubts: [{
        reason: "too-long",
        message: `the command has ${command.length} characters; at most ${maxCommandLength} are judged`,
        span,
      }],
    };
  }
  const evaluation = new Evaluation(command, options);
  const scope = startScope(options);
  try {
    const source = { text: command };
    const frame: Frame = {
      source,
      provenance: "line",
      via: [],
      privileged: false,
      background: false,
      depth: 0,
      moreArguments: false,
      calls: [],
    };
    if (options.dialect === "powershell") {
      part("powershell").runPowerShell(evaluation, [plain(command)], undefined, scope, frame);
    } else if (options.dialect === "cmd") {
      part("cmd").runCommandLine(evaluation, [plain(command)], undefined, scope, frame);
    } else evaluation.runText(command, source, scope, frame);
    evaluation.exit(scope);
    // A cmdlet in a line that was announced as one of a POSIX shell: PowerShell would read all of it.
    if (options.dialect === "posix" && evaluation.invocations.some(isCmdlet)) {
      part("powershell").runPowerShell(evaluation, [plain(command)], undefined, startScope(options), frame);
    }
  } catch (error) {
    if (error instanceof MissingPart) throw error;
    const message = error instanceof TooComplex
      ? "the command is too complex to be followed"
      : "the command could not be followed to its end";
    evaluation.doubt("too-complex", message, span);
    evaluation.exitEarly(scope);
  }
  return { invocations: evaluation.invocations, doubts: evaluation.doubts };
}

/** True for a name as only PowerShell has them: `Remove-Item`. */
function isCmdlet({ dialect, provenance, word }: Invocation): boolean {
  return dialect === "posix" && provenance === "line" &&
    /^(?:Add|Clear|Copy|Disable|Enable|Expand|Export|ForEach|Format|Get|Import|Install|Invoke|Join|Move|New|Out|Push|Read|Register|Remove|Rename|Reset|Resolve|Restart|Select|Send|Set|Split|Start|Stop|Test|Uninstall|Update|Where|Write)-[A-Z][A-Za-z]+$/
      .test(word.text);
}

function startScope(options: UnderstandOptions): Scope {
  const directory: Directory = { path: options.cwd, certain: options.cwd !== undefined };
  return {
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    positional: undefined,
    zero: "bash",
    directory,
    failed: undefined,
    previous: undefined,
    stack: [],
    exitOnError: false,
    traps: [],
  };
}
