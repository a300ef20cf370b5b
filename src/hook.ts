/** `guard hook`: one payload in, one answer out, one audit line. Whatever happens, a gating event is answered. */

import { callerOf } from "../adapters/callers.ts";
import { findEvent, resolveEvent } from "../adapters/events.ts";
import { adapterIds, loadAdapter } from "../adapters/registry.ts";
import { appendAudit, subjectOf } from "./audit.ts";
import { blockEverywhere } from "./block.ts";
import { decodePayload, decodeText, isWholePayload } from "./decode.ts";
import { GuardError, PayloadError, UsageError } from "./errors.ts";
import { type HookOptions, parseHookOptions } from "./hook_options.ts";
import { homeDirectory, type Locations, locations, managedPolicy } from "./locations.ts";
import { lower } from "./lower.ts";
import { builtInPolicy } from "./policy/built_in.ts";
import { hasNoPolicy, isQuietCall } from "./quiet.ts";
import { prepareRedaction } from "./redact.ts";
import { readBytes, readLimits, type Source } from "./stdin.ts";
import { failureText, usageText } from "./texts.ts";
import type {
  AuditRecord,
  HookCall,
  HookInput,
  HookReply,
  HostAdapter,
  HostEvent,
  Policy,
  Verdict,
} from "./types.ts";
import type { Judged } from "./verdict.ts";
import { version } from "./version.ts";

/** Milliseconds after which the hook answers with its failure mode, whatever it is waiting for. */
const answerWithin = 4500;
/** Milliseconds after which judging ends with a question: while it is busy, no timer can end it. */
const lookWithin = 3500;

const nothing: Verdict = { decision: "none", findings: [], notes: [], excepted: [] };

/** What is known so far; a failure at any step is answered from it. */
interface Progress {
  readonly options: HookOptions;
  readonly places: Locations;
  /** The host in whose dialect the answer goes out. */
  adapter: HostAdapter;
  event: HostEvent;
  call?: HookCall;
  /** What is said about the result of a tool, where there is something to say. */
  outputReply?: HookReply;
}

/** The document that a host sends. */
export type Payload = HookInput["payload"];

/** The answer, and what is to be written down about it. */
export interface Response {
  readonly reply: HookReply;
  readonly record?: AuditRecord;
  /** Directory of the audit log. */
  readonly state?: string;
}

/** Runs the hook and ends the process. */
export async function hook(args: readonly string[]): Promise<void> {
  Deno.exit(give(await respond(args, Deno.stdin)));
}

/** Gives the answer to the host and writes it down. @returns the exit code that belongs to it. */
export function give({ reply, record, state }: Response): number {
  const heard = writeAll(Deno.stdout, reply.stdout);
  // An answer that could not be given is a block on the channels that are left.
  writeAll(Deno.stderr, heard ? reply.stderr : failureText("its answer could not be written"));
  if (record !== undefined && state !== undefined) appendAudit(state, record);
  return heard ? reply.exitCode : 2;
}

/** The response to the payload that comes from `source`. Never rejects. */
export async function respond(args: readonly string[], source: Source): Promise<Response> {
  let options: HookOptions;
  try {
    options = parseHookOptions(args);
  } catch (error) {
    return { reply: blockEverywhere(usageText(messageOf(error))) };
  }
  return await respondTo(options, (form) => readPayload(source, form));
}

/** Gives the payload, which the host sends in this form. */
export type ReadPayload = (form: HostAdapter["payload"]) => Promise<Payload>;

/** The response to the payload that `read` gives, or to its failure to give one. Never rejects. */
export async function respondTo(options: HookOptions, read: ReadPayload): Promise<Response> {
  const started = performance.now();
  let progress: Progress;
  try {
    const adapter = await loadAdapter(options.host);
    if (adapter === undefined) {
      throw new UsageError(`guard hook: unknown host ${options.host}, expected ${adapterIds.join(", ")}`);
    }
    const event = expectedEvent(adapter, options.event);
    progress = { options, places: placesOf(options), adapter, event };
  } catch (error) {
    return { reply: blockEverywhere(usageText(messageOf(error))) };
  }
  try {
    const { verdict, policy } = await withinTime(
      judged(progress, read, started + lookWithin),
      answerWithin,
    );
    await prepareRedaction([verdict.failure ?? "", ...verdict.notes.map(({ text }) => text)].join("\n"));
    return answered(progress, verdict, policy, started);
  } catch (error) {
    await prepareRedaction(messageOf(error)).catch(() => {});
    const policy = await withinTime(policyFor(progress), 200).catch(() => builtInPolicy);
    return answered(progress, failure(error, policy), policy, started);
  }
}

async function judged(progress: Progress, read: ReadPayload, until: number): Promise<Judged> {
  const { options, places, adapter: installed } = progress;
  const payload = await read(installed.payload);
  const adapter = await callerOf(installed, payload);
  progress.adapter = adapter;
  const input: HookInput = { payload, event: eventFor(adapter, installed, options.event) };
  const event = resolveEvent(adapter.events, input);
  progress.event = event;
  const call = adapter.parse(input);
  progress.call = call;
  // What is written down and said holds parts of this.
  await prepareRedaction(subjectOf(call.actions));
  if (event.id === "session_start") {
    const { sessionNotes } = await import("./session_start.ts");
    const { instructionNotes } = await import("./instructions/notes.ts");
    const notes = await sessionNotes(installed, places.state);
    const about = { call, event, capabilities: adapter.capabilities, places, until };
    const { notes: more, policy } = await instructionNotes(about);
    return { verdict: { ...nothing, notes: [...notes, ...more] }, policy };
  }
  if (call.actions.length === 0 || isQuietCall(call, places)) {
    return { verdict: nothing, policy: builtInPolicy };
  }
  if (event.id === "post_tool") return await judgedOutput(progress, payload, call, until);
  const { verdictOn } = await import("./verdict.ts");
  const registration = `${options.host} ${options.event ?? ""}`;
  const { capabilities, servers } = adapter;
  return await verdictOn({ call, event, capabilities, servers, places, until, registration });
}

/** Most results hold nothing to speak of: only for others a policy is read. */
async function judgedOutput(
  progress: Progress,
  payload: Payload,
  call: HookCall,
  until: number,
): Promise<Judged> {
  const { adapter, event, places } = progress;
  const { concernsOutput, outputReply } = await import("./output.ts");
  const { environment } = await import("./facts/environment.ts");
  const texts = call.actions.flatMap((action) => action.kind === "output" ? [action.text] : []);
  // Of people only a policy speaks.
  const policy = hasNoPolicy(call, places)
    ? undefined
    : await (await import("./verdict.ts")).policyFor(call, places);
  const takeOut = policy === undefined ? undefined : (await import("./personal/output.ts")).takeOutOf(policy);
  const looking = { environment: environment(), takeOut: takeOut?.take };
  const concerned = texts.some((text) => concernsOutput(text, looking) || takeOut?.concerns(text) === true);
  if (!concerned) return { verdict: nothing, policy: builtInPolicy };
  const { verdictOn } = await import("./verdict.ts");
  const judged = await verdictOn({ call, event, capabilities: adapter.capabilities, places, policy, until });
  if (judged.policy.mode === "enforce") {
    progress.outputReply = outputReply(adapter, payload, event.native, judged.verdict, looking);
  }
  return judged;
}

/** Renders and records. Whatever goes wrong here is blocked in the form that every host obeys. */
function answered(progress: Progress, verdict: Verdict, policy: Policy, started: number): Response {
  const { adapter, event, call, places } = progress;
  try {
    const frame = { event: event.id, nativeEvent: event.native, ...(call === undefined ? {} : { call }) };
    const { capabilities } = adapter;
    const { answer, enforced } = lower(verdict, {
      event: event.id,
      gates: event.gates,
      capabilities,
      policy,
      ...(call === undefined ? {} : { actions: call.actions, mode: call.mode }),
    });
    const reply = progress.outputReply ?? adapter.render(answer, frame);
    const record: AuditRecord = {
      time: new Date().toISOString(),
      version,
      host: adapter.id,
      event: event.id,
      nativeEvent: event.native,
      ...(call?.session === undefined ? {} : { session: call.session }),
      ...(call?.callId === undefined ? {} : { callId: call.callId }),
      ...(call?.cwd === undefined ? {} : { cwd: call.cwd }),
      ...(call?.tool === undefined ? {} : { tool: call.tool }),
      subject: call === undefined ? "" : subjectOf(call.actions),
      decision: verdict.decision,
      answered: answer.decision,
      enforced: enforced || progress.outputReply !== undefined,
      rules: [...new Set(verdict.findings.map((finding) => finding.rule))],
      ...(verdict.notes.length === 0 ? {} : { notes: verdict.notes.map((note) => note.text) }),
      ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
      ...(verdict.code === undefined ? {} : { code: verdict.code }),
      milliseconds: Math.round((performance.now() - started) * 10) / 10,
    };
    return { reply, record, state: places.state };
  } catch (error) {
    return { reply: blockEverywhere(failureText(messageOf(error)), event.native) };
  }
}

async function readPayload(
  source: Source,
  form: HostAdapter["payload"],
): Promise<Payload> {
  // Nothing tells of a text whether it is whole.
  const { bytes, end } = await readBytes(source, form === "text" ? () => false : isWholePayload);
  if (end === "too-long") {
    throw new PayloadError(`expected at most ${readLimits.bytes} bytes on stdin, found more`);
  }
  if (end === "deadline") {
    throw new PayloadError(
      `expected a whole JSON object on stdin within ${readLimits.deadline} ms, found ${bytes.length} bytes of one`,
    );
  }
  return form === "text" ? { text: decodeText(bytes) } : decodePayload(bytes);
}

/** The event of the command line in the caller's words. */
function eventFor(
  caller: HostAdapter,
  installed: HostAdapter,
  event: string | undefined,
): string | undefined {
  if (event === undefined || caller === installed) return event;
  const known = findEvent(installed.events, event);
  return caller.events.find((candidate) => candidate.id === known?.id)?.native ?? event;
}

/** What the event must be taken for until the payload has been read: the strictest that is possible. */
function expectedEvent(adapter: HostAdapter, event: string | undefined): HostEvent {
  const known = event === undefined ? undefined : findEvent(adapter.events, event);
  return known ?? adapter.events.find((candidate) => candidate.id === "pre_tool") ??
    { native: event ?? "", id: "pre_tool", gates: true, install: false };
}

function failure(error: unknown, policy: Policy): Verdict {
  return { ...nothing, decision: policy.onError, failure: messageOf(error) };
}

function messageOf(error: unknown): string {
  if (error instanceof GuardError) {
    return error.next === undefined ? error.message : `${error.message} (see: ${error.next})`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function withinTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GuardError(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The policy that says how to fail, when the call itself is not known: without a project's layer. */
async function policyFor({ places }: Progress): Promise<Policy> {
  const sources = { managed: places.managed, user: places.policy, home: homeDirectory() };
  const { loadPolicy } = await import("./policy/load.ts");
  return (await loadPolicy(sources)).policy;
}

/** The paths of the command line count before those of the environment, which an agent may have set. */
export function placesOf({ policy, state }: HookOptions): Locations {
  if (policy !== undefined && state !== undefined) {
    return { managed: managedPolicy(undefined, Deno.env.get), policy, state };
  }
  const places = locations();
  return {
    ...places,
    ...(policy === undefined ? {} : { policy }),
    ...(state === undefined ? {} : { state }),
  };
}

/** Whether all of the text was taken. */
function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
    return true;
  } catch {
    return false;
  }
}
