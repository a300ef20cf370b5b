import type { Finding, Note } from "./types.ts";

/** A finding that stops nothing, told to the person and to the model. */
export function findingNote({ rule, message, advice }: Finding): Note {
  return { rule, text: `guard: ${message} ${advice}`, forModel: true };
}
