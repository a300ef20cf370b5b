/** What is known around a command while a line is followed. */

import type { Assignment, Dialect, Mount, Provenance, Redirection, Span, Within, Word } from "./model.ts";
import type { Atom } from "./pieces.ts";
import type { Scope, Source } from "./scope.ts";

/** Text that a command prints; undefined when it is not known. */
export type Output = readonly Atom[] | undefined;

/** Known standard input; `read` takes lines off it. */
export interface Input {
  atoms: readonly Atom[];
}

/** Where a command stands: constant for everything inside it. */
export interface Frame {
  readonly source: Source;
  readonly provenance: Provenance;
  readonly via: readonly string[];
  readonly privileged: boolean;
  readonly remote?: string;
  readonly mounts?: readonly Mount[];
  /** The file that holds it. */
  readonly within?: Within;
  readonly background: boolean;
  readonly pipeline?: { readonly id: number; readonly index: number; readonly length: number };
  readonly stdin?: Input;
  /** Language of the text around it; POSIX when absent. */
  readonly dialect?: Dialect;
  /** Nested scripts, functions and substitutions around it. */
  readonly depth: number;
  readonly moreArguments: boolean;
  /** A program starts it, which knows nothing of the functions and aliases of the shell. */
  readonly external?: boolean;
  /** Values around it that are being read as expressions. */
  readonly expressions?: number;
  /** Loops around it that are in their second round. */
  readonly loops?: number;
  /** Functions that are being run. */
  readonly calls: readonly string[];
}

/** A program about to run, with everything expanded. */
export interface Call {
  readonly program: string;
  readonly word: Word;
  readonly args: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  readonly scope: Scope;
  readonly frame: Frame;
  readonly span: Span;
}

/** Thrown when a command needs more work than is reasonable; caught in `understand`. */
export class TooComplex extends Error {}
