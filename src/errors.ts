/** Errors that guard itself raises: each says what was expected, what came, and what to do next. */

/** Anything guard cannot do; `next` is the command or step that helps, when there is one. */
export class GuardError extends Error {
  override readonly name: string = "GuardError";
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.next = next;
  }
}

/** A hook payload that lacks what its event needs, or that cannot be read as one JSON document. */
export class PayloadError extends GuardError {
  override readonly name: string = "PayloadError";
}

/** A wrong command line: an unknown, missing or contradictory option or argument. */
export class UsageError extends GuardError {
  override readonly name: string = "UsageError";
}
