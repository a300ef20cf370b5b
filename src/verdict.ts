/** From a hook call to a verdict: where it is judged, by which policy and rules, and what a person has allowed. */

import { bounded } from "./bounds.ts";
import { makeContext } from "./context.ts";
import { GuardError } from "./errors.ts";
import { untilDeadline } from "./facts/deadline.ts";
import { diskFacts } from "./facts/disk.ts";
import { judgeLazily } from "./judge_lazily.ts";
import { homeDirectory, type Locations, projectPolicy } from "./locations.ts";
import { loadPolicy } from "./policy/load.ts";
import type {
  Finding,
  HookCall,
  HostCapabilities,
  HostEvent,
  OwnPaths,
  Policy,
  ServerSource,
  Verdict,
} from "./types.ts";
import { loweredDecision } from "./lower.ts";

/** What a verdict is made from. */
export interface VerdictInput {
  /** The registered command that is run, by the host and event that it names. */
  readonly registration?: string;
  readonly call: HookCall;
  readonly event: HostEvent;
  readonly capabilities: HostCapabilities;
  /** Where the host keeps the definitions of MCP servers. */
  readonly servers?: readonly ServerSource[] | undefined;
  readonly places: Locations;
  /** The policy for the call, where it has been read already. */
  readonly policy?: Policy | undefined;
  /** Instant on the clock of `performance.now()` after which nothing is looked up any more. */
  readonly until: number;
}

/** A verdict with the policy that it follows. */
export interface Judged {
  readonly verdict: Verdict;
  readonly policy: Policy;
}

/** Where a call is made from. Throws when nothing says where it runs. */
function placeOf(call: HookCall) {
  return makeContext({
    call,
    home: homeDirectory(),
    processDirectory: directoryOf(call),
    facts: diskFacts({ git: false }),
    os: Deno.build.os,
    env: Deno.env.get,
  });
}

/** The policy for a call. Rejects when it cannot be used. */
export async function policyFor(call: HookCall, places: Locations): Promise<Policy> {
  return await policyIn(placeOf(call).workspace, places);
}

async function policyIn(workspace: string, { managed, policy: user, state }: Locations): Promise<Policy> {
  const project = projectPolicy(workspace);
  return (await loadPolicy({ managed, user, project, home: homeDirectory(), state })).policy;
}

/** Judges a call. Rejects when the policy cannot be used or nothing says where the call runs. */
export async function verdictOn(input: VerdictInput): Promise<Judged> {
  const { places, until } = input;
  const { call, excess } = bounded(input.call);
  const place = placeOf(call);
  const { workspace, temporary } = place;
  const policy = input.policy ?? await policyIn(workspace, places);
  const own: OwnPaths = {
    ...(Deno.build.standalone ? { executable: Deno.execPath() } : {}),
    policies: [places.managed, places.policy, projectPolicy(workspace)],
    state: places.state,
  };
  const git = { path: Deno.env.get("PATH"), untrusted: [workspace, ...temporary] };
  const base = { ...place, facts: untilDeadline(diskFacts({ git }), until), policy, own, until };
  const { servers, event } = input;
  const named = servers !== undefined && event.gates && call.actions.some(({ kind }) => kind === "mcp");
  const context = named
    ? {
      ...base,
      serverChanges: await (await import("./servers/changes.ts")).serverChanges(
        call,
        servers,
        base,
        places.state,
      ),
    }
    : base;
  const judged = await judgeLazily(call, context);
  const verdict = excess === undefined ? judged : withQuestion(judged, excess);
  return { verdict: await withPermission(verdict, context.cwd, policy, input), policy };
}

function withQuestion(verdict: Verdict, question: Finding): Verdict {
  return {
    ...verdict,
    decision: verdict.decision === "deny" ? "deny" : "ask",
    findings: [...verdict.findings, question],
  };
}

/**
 * The verdict after what a person has allowed, or with the code by which they can allow it. No code where the
 * host asks by itself, or where nothing is stopped.
 */
async function withPermission(
  verdict: Verdict,
  cwd: string,
  policy: Policy,
  { call, event, capabilities, places, registration }: VerdictInput,
): Promise<Verdict> {
  if (verdict.findings.length === 0 || verdict.failure !== undefined || !event.gates) return verdict;
  if (policy.mode === "observe") return verdict;
  const { granted, offer } = await import("./grants.ts");
  const request = {
    state: places.state,
    actions: call.actions,
    cwd,
    findings: verdict.findings,
    policy,
    host: call.host,
    nativeEvent: call.nativeEvent,
    ...(registration === undefined ? {} : { registration }),
    ...(call.session === undefined ? {} : { session: call.session }),
  };
  if (await granted(request)) {
    return {
      decision: "none",
      findings: [],
      notes: verdict.notes,
      excepted: [...verdict.excepted, ...verdict.findings],
    };
  }
  const decision = loweredDecision(verdict, {
    event: event.id,
    gates: event.gates,
    capabilities,
    policy,
    mode: call.mode,
  });
  const code = decision === "deny" ? await offer(request) : undefined;
  return code === undefined ? verdict : { ...verdict, code };
}

function directoryOf(call: HookCall): string {
  const said = call.cwd ?? call.workspace;
  if (said !== undefined) return said;
  try {
    return Deno.cwd();
  } catch {
    throw new GuardError("neither the host nor the system says in which directory this call runs");
  }
}
