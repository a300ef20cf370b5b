/** From a verdict to what the host can express at this event. */

import { findingNote } from "./finding_note.ts";
import { noteText, quotedText, reasonText } from "./texts.ts";
import type { Action, Answer, Decision, EventId, HostCapabilities, Note, Policy, Verdict } from "./types.ts";

/** The event, and what the host can express. */
export interface LowerFrame {
  readonly event: EventId;
  /** The host can be stopped at this event. */
  readonly gates: boolean;
  readonly capabilities: HostCapabilities;
  readonly policy: Pick<Policy, "mode" | "whenAskUnsupported">;
  /** Permission mode of the call, as the host names it. */
  readonly mode?: string;
  /** What was judged, for the texts. */
  readonly actions?: readonly Action[];
}

/** A verdict as the host can express it. */
export interface Lowered {
  readonly answer: Answer;
  /** False when something was found and the host is not told to stop. */
  readonly enforced: boolean;
}

/**
 * The answer for this host. A host that cannot ask here gets what the policy says (`whenAskUnsupported`), and
 * never silence by accident; in observe mode and at events that stop nothing there is no objection.
 */
export function lower(verdict: Verdict, frame: LowerFrame): Lowered {
  const decision = loweredDecision(verdict, frame);
  const enforced = !stops(verdict) || decision === "deny" || decision === "ask";
  return { answer: answer(verdict, decision, frame), enforced };
}

function stops({ decision }: Verdict): boolean {
  return decision === "deny" || decision === "ask";
}

/** The decision of that answer alone. */
export function loweredDecision(verdict: Verdict, frame: LowerFrame): Decision {
  return frame.policy.mode === "observe" ? "none" : expressible(verdict.decision, frame);
}

function expressible(decision: Decision, frame: LowerFrame): Decision {
  const { event, gates, capabilities, policy } = frame;
  if (!gates || (event === "prompt" && !capabilities.promptBlock)) return "none";
  switch (decision) {
    case "none":
    case "deny":
      return decision;
    case "allow":
      return capabilities.allow && event === "pre_tool" ? "allow" : "none";
    case "ask":
      // At a permission event a host that can ask is about to: saying nothing is asking.
      return asks(frame) ? "ask" : policy.whenAskUnsupported;
  }
}

function asks({ event, capabilities, mode }: LowerFrame): boolean {
  return capabilities.ask === "always" && (event === "pre_tool" || event === "permission") &&
    !(mode !== undefined && capabilities.modesWithoutAsk?.includes(mode));
}

/** Without secrets, and without what a terminal acts on. */
function shown(notes: readonly Note[]): readonly Note[] {
  return notes.map((note) => ({ ...note, text: quotedText(note.text) }));
}

function answer(verdict: Verdict, decision: Decision, frame: LowerFrame): Answer {
  if (decision === "deny" || decision === "ask") {
    const manner = decision === "ask" ? "ask" : verdict.decision === "ask" ? "cannot-ask" : "deny";
    const reason = reasonText(verdict, manner, frame.actions);
    return { decision, reason, userMessage: reason, notes: shown(verdict.notes) };
  }
  const reason = decision === "allow" ? "guard: allowed by your policy." : "";
  const found = stops(verdict) && frame.event === "prompt" && frame.policy.mode === "enforce"
    ? verdict.findings.map(findingNote)
    : [];
  const failed = verdict.failure !== undefined && !frame.gates ? [{ text: noteText(verdict.failure) }] : [];
  return {
    decision,
    reason,
    userMessage: reason,
    notes: [...shown(verdict.notes), ...shown(found), ...failed],
  };
}
