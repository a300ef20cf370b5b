/** What a shell command was understood to do: the currency between src/shell and the rules. */

/** A half-open range `[start, end)` of UTF-16 code units in the outermost command text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Shell language in which a command is written. */
export type Dialect = "posix" | "powershell" | "cmd";

/** Where the value of an unknown piece comes from. */
export type UnknownOrigin =
  | "variable"
  | "positional"
  | "command"
  | "process"
  | "arithmetic"
  | "stdin"
  | "limit";

/** Source of the piece that stands for the directory in which `which` finds a program. */
export const foundPlace = "…";

/** One piece of a word after quotes, escapes, tilde and constants were resolved. */
export type Piece =
  /** Bytes that are known. `quoted` means that glob and tilde characters in it are plain characters. */
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /** An active glob operator: `*`, `?`, `[…]`, `**`, an extended pattern. */
  | { readonly kind: "glob"; readonly text: string }
  /** Bytes that cannot be known without running the command. */
  | {
    readonly kind: "unknown";
    /** The source text, for messages. */
    readonly source: string;
    readonly origin: UnknownOrigin;
    /** Variable name without `$`, where there is one. */
    readonly name?: string;
    /** True unless an operator (`:?`) or the construct guarantees at least one character. */
    readonly mayBeEmpty: boolean;
    /** It stands in double quotes: it makes a word even when it is empty, and no more than one. */
    readonly quoted?: boolean;
    /** For command and process substitutions: what runs inside. */
    readonly invocations?: readonly Invocation[];
  };

/** One argument as the program would receive it. */
export interface Word {
  readonly pieces: readonly Piece[];
  /** All text joined; globs as written; unknown pieces as their source text. */
  readonly text: string;
  /** True when every piece is text: the program receives exactly `text`. */
  readonly isStatic: boolean;
  readonly hasGlob: boolean;
  readonly span: Span;
}

/** An assignment in front of a command, through `env`, or through `export`. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** Operators of redirections. */
export type RedirectionOperator = "<" | ">" | ">>" | ">|" | "<>" | "&>" | "&>>" | ">&" | "<&" | "<<" | "<<<";

/** A redirection of one descriptor. */
export interface Redirection {
  readonly operator: RedirectionOperator;
  /** File descriptor, when written; defaults are 0 for input and 1 for output. */
  readonly descriptor?: number;
  readonly target: Word;
  /** Body of a heredoc or here-string. */
  readonly body?: Word;
  readonly span: Span;
}

/**
 * A working directory that is tracked along the line. `path` is absolute and normalised; undefined when a
 * `cd` to something unknown came before. `certain` is false when the `cd` may have failed or not have run
 * (`cd x; rm -rf *` runs in both): `alternatives` then lists the other absolute directories.
 */
export interface Directory {
  readonly path: string | undefined;
  readonly certain: boolean;
  readonly alternatives?: readonly string[];
}

/** Where an invocation was found, innermost last in `via`. */
export type Provenance =
  | "line"
  | "substitution"
  | "process-substitution"
  | "nested-script"
  | "heredoc"
  | "pipe"
  | "script-file"
  | "function"
  | "alias"
  | "wrapper"
  | "interpreter";

/** A directory of this machine that a container sees in another place. */
export interface Mount {
  /** Absolute, here. */
  readonly from: string;
  /** Absolute, in the container. */
  readonly to: string;
  readonly readonly?: boolean;
}

/** Where code was read. */
export interface Within {
  /** For messages: `the script clean of package.json`. */
  readonly text: string;
  /** A task of the project, as its people run it by its name. */
  readonly task?: boolean;
}

/** A program that would really be started (or a shell builtin that would run). */
export interface Invocation {
  /**
   * Name by which rules know the program: base name without directory and `.exe`, as typed otherwise.
   * PowerShell cmdlets and aliases are canonical and lower case (`remove-item`). Empty when it is unknown.
   */
  readonly program: string;
  /** The command word itself (path included). */
  readonly word: Word;
  /** Arguments after expansion of braces, constants and word splitting; without the command word. */
  readonly args: readonly Word[];
  /** Environment given to this program on the command line. */
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  readonly directory: Directory;
  readonly dialect: Dialect;
  /** Position in its pipeline; `id` is shared by the members of one pipeline. Length 1 when not piped. */
  readonly pipeline: { readonly id: number; readonly index: number; readonly length: number };
  readonly provenance: Provenance;
  /** Wrappers and nesting around it, outermost first: `["sudo", "sh -c", "xargs"]`. */
  readonly via: readonly string[];
  /** True under sudo, doas, `su -c`, `ssh root@…` or a container that runs as root on host paths. */
  readonly privileged: boolean;
  /** The file that holds it, when it does not stand in the command itself. */
  readonly within?: Within;
  /** Set when it runs elsewhere: an ssh destination, a container, a pod. Paths are then not local. */
  readonly remote?: string;
  /** What of this machine is seen there. */
  readonly mounts?: readonly Mount[];
  /** True when it gets further arguments that cannot be seen (`xargs`, `find -exec {}` has its own words). */
  readonly moreArguments: boolean;
  /** Standard input, when it is known: text of a heredoc, here-string or a literal `echo`/`printf` before it. */
  readonly stdin?: Word;
  /** True when it runs in the background or detached. */
  readonly background: boolean;
  readonly span: Span;
}

/**
 * Operations on paths that programs, redirections and interpreter one-liners perform. `handed` is a path of which it
 * is not known what the program does with it; only those are noted that may be guard's own or a host's settings.
 */
export type PathOperation =
  | "read"
  | "list"
  | "write"
  | "append"
  | "delete"
  | "mode"
  | "execute"
  | "link"
  | "handed";

/**
 * A use of a path, in the terms that file tools use too. It is produced from invocations by a table of
 * programs, from redirections, from recognised interpreter calls, and from file actions.
 */
export interface PathUse {
  readonly operation: PathOperation;
  /** The path as resolved so far; relative to `directory` when it is not absolute. */
  readonly path: Word;
  readonly directory: Directory;
  /** The operation reaches everything below the path. */
  readonly recursive: boolean;
  /** Only names below are affected that match this (find -name), when known. */
  readonly filter?: string;
  /** The content or length written is known to be empty (`>`, `truncate`, `cp /dev/null`). */
  readonly empties?: boolean;
  readonly invocation?: Invocation;
  readonly remote?: string;
  readonly span: Span;
}

/** Something that could not be resolved and could be dangerous; judged as `ask`. */
export interface Doubt {
  readonly reason:
    | "too-long"
    | "too-complex"
    | "syntax"
    | "unknown-program"
    | "unknown-code"
    | "encoded-code"
    | "too-deep";
  readonly message: string;
  readonly span: Span;
}

/** The whole command, understood. */
export interface Understanding {
  readonly invocations: readonly Invocation[];
  readonly doubts: readonly Doubt[];
}
