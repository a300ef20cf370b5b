/** A configuration file that guard leaves as it is. */

import { GuardError } from "../errors.ts";

/** Line and column, both from 1; the column counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Why a file was not edited. The file is byte-identical to before. */
export class RefusedError extends GuardError {
  override readonly name = "RefusedError";
  readonly position: Position | undefined;

  constructor(message: string, position?: Position) {
    super(position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`);
    this.position = position;
  }
}

/** Position of an offset in a text whose lines end with LF, CRLF or CR. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let index = 0; index < offset && index < text.length; index++) {
    const char = text[index];
    if (char === "\n" || (char === "\r" && text[index + 1] !== "\n")) {
      line++;
      start = index + 1;
    }
  }
  return { line, column: offset - start + 1 };
}
