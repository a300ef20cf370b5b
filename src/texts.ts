/**
 * What guard says to the agent and to the person: what was stopped and by which rule, why, and what to do
 * instead. One line, bounded, without secrets and without characters that a terminal acts on.
 */

import { redact, redactor } from "./redact.ts";
import type { Action, Finding, Verdict } from "./types.ts";
import { visible } from "./visible.ts";

/** Most findings that a text spells out. */
const findingLimit = 3;
/** Longest evidence, sentence and whole text, in characters. */
const evidenceLimit = 160;
const sentenceLimit = 400;
const textLimit = 2000;

/** How the verdict reaches the person: refused, asked by the host, or refused because the host cannot ask. */
export type Manner = "deny" | "ask" | "cannot-ask";

/**
 * The reason of a denial or question; never empty.
 *
 * @param actions What was judged, to say it in the agent's own words; without them the evidence is quoted.
 */
export function reasonText(verdict: Verdict, manner: Manner, actions: readonly Action[] = []): string {
  if (verdict.failure !== undefined) return failureText(verdict.failure, manner);
  const hide = redactor(actions.map(quotable).join("\n"));
  const findings = [...verdict.findings].sort(strictestFirst);
  const shown = findings.slice(0, findingLimit);
  const parts = [
    `guard: ${opening(manner, shown[0], actions, hide)}`,
    ...shown.map((finding, index) => findingText(finding, index > 0, hide)),
  ];
  if (findings.length > shown.length) {
    parts.push(`There are ${findings.length - shown.length} further findings.`);
  }
  const text = visible(parts.join(" "), textLimit);
  return verdict.code === undefined || manner === "ask" ? text : `${text} ${consentText(verdict.code)}`;
}

/** A note for an event at which nothing can be stopped. */
export function noteText(failure: string): string {
  return visible(`guard: this event was not looked at, since ${clean(failure, sentenceLimit)}.`, textLimit);
}

/** A sentence of guard's with parts of what was judged in it: bounded, without secrets, and visible. */
export function quotedText(text: string): string {
  return visible(redact(text.slice(0, textLimit * 2)), textLimit);
}

/** What `guard hook` says when its own command line is wrong. */
export function usageText(problem: string): string {
  return visible(
    `guard: blocked, since the hook is registered with a wrong command line: ${
      clean(problem, sentenceLimit)
    }. ` +
      "Expected: guard hook --host ID [--event NAME] [--policy PATH] [--state DIR]. " +
      "The user can repair the registration with: guard install.",
    textLimit,
  );
}

/** The reason when guard itself failed. */
export function failureText(failure: string, manner: Manner = "deny"): string {
  const opening = manner === "ask" ? "needs a person's consent" : "blocked";
  return visible(
    `guard: ${opening}, since guard could not judge this call: ${clean(failure, sentenceLimit)}. ` +
      "Tell the user, who can find the cause with: guard doctor.",
    textLimit,
  );
}

type Hide = (text: string) => string;

/** Longest text of an action in which secrets are looked for, in characters. */
const quotableLimit = 16_384;

function quotable(action: Action): string {
  return action.kind === "shell" ? action.command.slice(0, quotableLimit) : "";
}

function opening(manner: Manner, first: Finding | undefined, actions: readonly Action[], hide: Hide): string {
  const subject = first === undefined ? "this call" : quoted(subjectOf(first, actions[first.action]), hide);
  const rule = first === undefined ? "" : ` (rule ${first.rule})`;
  switch (manner) {
    case "deny":
      return `blocked ${subject}${rule}.`;
    case "ask":
      return `${subject} needs a person's consent${rule}.`;
    case "cannot-ask":
      return `blocked ${subject}, which needs a person's consent, and this host cannot ask for it${rule}.`;
  }
}

function findingText(finding: Finding, further: boolean, hide: Hide): string {
  const subject = further ? `Also ${quoted(finding.evidence.text, hide)} (rule ${finding.rule}): ` : "";
  const advice = clean(finding.advice, sentenceLimit, hide);
  return `${subject}${sentence(clean(finding.message, sentenceLimit, hide))}${
    advice === "" ? "" : ` Instead: ${sentence(advice)}`
  }`;
}

function consentText(code: string): string {
  return "If it is really wanted, ask the user: a person, not an agent, can allow exactly this from their own " +
    `terminal with: guard allow ${code}`;
}

/** A short command as it was given, else the piece of it that the finding is about. */
function subjectOf({ evidence }: Finding, action: Action | undefined): string {
  switch (action?.kind) {
    case "shell":
      if (action.command.length <= evidenceLimit) return action.command;
      return evidence.span === undefined
        ? evidence.text
        : action.command.slice(evidence.span.start, Math.max(evidence.span.end, evidence.span.start + 1));
    case "file":
      return `${action.operation} ${action.path}`;
    case "mcp":
      return `${action.server}/${action.tool}`;
    case "unknown":
      return action.tool;
    default:
      return evidence.text;
  }
}

function quoted(text: string, hide: Hide): string {
  return `\`${clean(text.trim(), evidenceLimit, hide).replaceAll("`", "'")}\``;
}

function sentence(text: string): string {
  return text === "" || /[.!?…:]$/.test(text) ? text : `${text}.`;
}

/** Cut before it is redacted, since it may be very long; a secret that the cut goes through is cut again. */
function clean(text: string, limit: number, hide: Hide = redact): string {
  return visible(hide(text.slice(0, limit * 4)), limit).trim().replace(/\.$/, "");
}

function strictestFirst(a: Finding, b: Finding): number {
  return Number(b.decision === "deny") - Number(a.decision === "deny");
}
