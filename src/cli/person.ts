/** What only a person at a terminal may do. */

import { GuardError } from "../errors.ts";
import { visible } from "../visible.ts";
import { agentAmong, agentMarker, ancestors } from "./below_agent.ts";
import { write } from "./terminal.ts";

/**
 * Refuses unless a person is at the terminal.
 *
 * @param what what only a person may do, such as `allow an action`
 * @param otherwise command that shows another way to it
 *
 * @throws GuardError that says why.
 */
export function requirePerson(what: string, otherwise: string): void {
  const marker = agentMarker();
  if (marker !== undefined) {
    throw new GuardError(
      `only a person may ${what}, and this runs below an agent (${marker} is set); use your own terminal`,
    );
  }
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) {
    throw new GuardError(
      `only a person may ${what}; expected input and output to be a terminal, found a pipe or a file`,
    );
  }
  const above = ancestors();
  if (above === undefined) {
    throw new GuardError(
      `only a person may ${what}, and it cannot be seen which program started this one; ` +
        "use your policy instead",
      otherwise,
    );
  }
  const agent = agentAmong(above);
  if (agent !== undefined) {
    throw new GuardError(
      `only a person may ${what}, and this was started by ${visible(agent, 80)}; use your own terminal`,
    );
  }
}

/** Whether the person at the terminal answers yes. */
export function askPerson(question: string): boolean {
  write(question);
  const bytes = new Uint8Array(256);
  let typed = "";
  while (!typed.includes("\n")) {
    const count = Deno.stdin.readSync(bytes);
    if (count === null) break;
    typed += new TextDecoder().decode(bytes.subarray(0, count));
  }
  return /^(?:y|yes)$/i.test(typed.trim());
}
