/** Rules about using the machine up. Small, since it is looked at for every command. */

import type { Rule } from "../src/types.ts";
import type { Invocation, Understanding } from "../src/shell/model.ts";

export const rules: readonly Rule[] = [
  {
    on: "command",
    id: "resources/fork-bomb",
    title: "Starts itself again and again until the machine stops",
    severity: "critical",
    decision: "deny",
    rationale: "The machine can only be switched off, and unsaved work is lost.",
    advice: "Limit parallel work, as in `xargs -P 4`.",
    programs: [],
    examples: {
      match: [
        { action: ":(){ :|:& };:" },
        { action: "f() { f | f & }; f" },
        { action: "bomb(){ bomb & bomb; }; bomb" },
        { action: "bash -c ':(){ :|:& };:'" },
      ],
      pass: [
        { action: "f() { echo hi; }; f | cat & f" },
        { action: "echo ':(){ :|:& };:'" },
        { action: "walk() { for d in */; do (cd $d && walk); done; }; walk" },
        { action: "make -j4 &" },
      ],
    },
    match: (understanding) => bomb(understanding),
  },
];

/** A function that calls itself at least twice, in the background or in a pipe. */
function bomb({ invocations }: Understanding) {
  const calls = new Map<string, { count: number; parallel: boolean; readonly first: Invocation }>();
  for (const invocation of invocations) {
    if (invocation.provenance !== "function") continue;
    const name = `${invocation.program}()`;
    // Once around it: what the body itself calls, and not what that calls in its turn.
    if (invocation.via.filter((one) => one === name).length !== 1) continue;
    const call = calls.get(name) ?? { count: 0, parallel: false, first: invocation };
    call.count++;
    call.parallel ||= invocation.background || invocation.pipeline.length > 1;
    calls.set(name, call);
  }
  return [...calls.values()].filter((call) => call.parallel && call.count > 1)
    .map(({ first }) => ({ evidence: { text: first.word.text, span: first.span } }));
}
