/** What a host makes of a hook's answer, judged by the form in which its adapter renders a denial. */

import type { Answer, HookReply, HostAdapter, ReplyFrame } from "../types.ts";
import type { Run } from "./start.ts";

export type Reading =
  | { readonly is: "passed" }
  /** `reason` is what the host is told; empty when the denial carries none. */
  | { readonly is: "blocked"; readonly reason: string }
  /** The answer is in no form that the adapter gives; `why` is for the person. */
  | { readonly is: "unclear"; readonly why: string };

const marker = "guard-doctor-marker";

/** Reads the answer of a run that ended by itself. */
export function readReply(adapter: HostAdapter, frame: ReplyFrame, run: Run): Reading {
  const reply = { stdout: run.stdout, stderr: run.stderr, exitCode: run.exitCode };
  const denial = renderedFor(adapter, frame, "deny");
  if (fits(denial, reply)) {
    return {
      is: "blocked",
      reason: markedText(parsed(denial.stdout)?.value, parsed(reply.stdout)?.value) ?? reply.stderr.trim(),
    };
  }
  for (const decision of ["none", "allow"] as const) {
    if (fits(renderedFor(adapter, frame, decision), reply)) return { is: "passed" };
  }
  return { is: "unclear", why: unclear(run) };
}

function renderedFor(adapter: HostAdapter, frame: ReplyFrame, decision: Answer["decision"]): HookReply {
  return adapter.render({ decision, reason: marker, userMessage: marker, notes: [] }, frame);
}

/** Same exit code, and the same document but for the texts. */
function fits(template: HookReply, reply: HookReply): boolean {
  return template.exitCode === reply.exitCode && fitsText(template.stdout, reply.stdout) &&
    (template.stderr === "" || reply.stderr.trim() !== "");
}

function fitsText(template: string, actual: string): boolean {
  if (template.trim() === "") return actual.trim() === "";
  const expected = parsed(template);
  if (expected === undefined) return actual.trim() !== "";
  const found = parsed(actual);
  return found !== undefined && fitsValue(expected.value, found.value);
}

function fitsValue(template: unknown, actual: unknown): boolean {
  if (typeof template === "string" && template.includes(marker)) {
    return typeof actual === "string" && actual.trim() !== "";
  }
  if (typeof template !== "object" || template === null) return template === actual;
  if (typeof actual !== "object" || actual === null) return false;
  const left = Object.entries(template);
  const right = new Map<string, unknown>(Object.entries(actual));
  return left.length === right.size &&
    left.every(([key, value]) => right.has(key) && fitsValue(value, right.get(key)));
}

/** The text of an answer that stands where the template has the marker. */
function markedText(template: unknown, actual: unknown): string | undefined {
  if (typeof template === "string") {
    return template.includes(marker) && typeof actual === "string" ? actual : undefined;
  }
  if (typeof template !== "object" || template === null || typeof actual !== "object" || actual === null) {
    return undefined;
  }
  const found = new Map<string, unknown>(Object.entries(actual));
  for (const [key, value] of Object.entries(template)) {
    const text = markedText(value, found.get(key));
    if (text !== undefined) return text;
  }
  return undefined;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function unclear(run: Run): string {
  if (run.timedOut) return "it had not ended in time";
  const foreign = foreignText(run.stdout);
  if (foreign !== undefined) {
    return `stdout has other text beside the answer (${
      JSON.stringify(foreign.slice(0, 80))
    }); a start-up file of the shell may print it`;
  }
  const said = (run.stderr.trim() || run.stdout.trim()).split("\n")[0] ?? "";
  return `it ended with exit code ${run.exitCode}${said === "" ? "" : ` and said: ${said.slice(0, 160)}`}`;
}

/** Text before or after the JSON document on stdout; undefined when there is none. */
export function foreignText(stdout: string): string | undefined {
  const open = stdout.indexOf("{");
  const close = stdout.lastIndexOf("}");
  if (open < 0 || close < open || parsed(stdout) !== undefined) return undefined;
  if (parsed(stdout.slice(open, close + 1)) === undefined) return undefined;
  const around = (stdout.slice(0, open) + stdout.slice(close + 1)).trim();
  return around === "" ? undefined : around;
}
