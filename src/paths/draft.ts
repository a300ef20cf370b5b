/** A use of a path as a program's own table or function gives it. */

import type { PathOperation, Word } from "../shell/model.ts";

/** What is known of a use before its place in the command is added. */
export interface Draft {
  readonly operation: PathOperation;
  readonly path: Word;
  readonly recursive?: boolean;
  readonly filter?: string;
  readonly empties?: boolean;
  /** Directory against which the path resolves, relative to the invocation's own. */
  readonly base?: Word;
}
