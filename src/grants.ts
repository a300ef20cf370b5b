/**
 * One-time permissions: a denied action gets a code, and the person may allow exactly that action with
 * `guard allow CODE`.
 *
 * `<state>/pending/<CODE>.json` says what was stopped; `<state>/grants/<fingerprint>.json` that it may run.
 * A permission for once is used up by renaming it to `<fingerprint>.<instant>.<caller>.used`, which only one
 * process can do. Cursor asks twice about one command (`preToolUse`, then `beforeShellExecution`), and hosts run
 * each other's hooks, so within a few seconds the same session may be answered once more through each other event
 * and each other registered command; `….also` remembers through which.
 */

import { native } from "./native_path.ts";
import { subjectOf } from "./audit.ts";
import { openText } from "./facts/open.ts";
import { redact, redactor } from "./redact.ts";
import { writeWhole } from "./whole_file.ts";
import type { Action, Decision, Finding, Policy } from "./types.ts";

/** What is asked about: an action with its directory and what was found. */
export interface GrantRequest {
  /** Directory of guard's state. */
  readonly state: string;
  readonly actions: readonly Action[];
  /** Absolute directory of the call. */
  readonly cwd: string;
  /** Every finding that decides, exceptions already removed. */
  readonly findings: readonly Finding[];
  readonly policy: Pick<Policy, "floor">;
  readonly host: string;
  readonly nativeEvent: string;
  /** The registered command that is run: a host may run several about one call. */
  readonly registration?: string;
  readonly session?: string;
  /** Milliseconds since 1970; default: now. */
  readonly now?: number;
}

/** What a person is shown before they allow it. Holds no secret. */
export interface Pending {
  readonly version: 1;
  readonly code: string;
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly offered: number;
  readonly host: string;
  readonly cwd: string;
  readonly decision: Decision;
  readonly rules: readonly string[];
  readonly subject: string;
  readonly messages: readonly string[];
}

/** A permission that a person gave. */
export interface Grant {
  readonly version: 1;
  readonly code: string;
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly granted: number;
  /** Milliseconds since 1970 from which it no longer counts. */
  readonly expires: number;
  /** Used up by the first call. */
  readonly once: boolean;
  readonly cwd: string;
  readonly rules: readonly string[];
  readonly subject: string;
}

const HOUR = 3_600_000;
/** Longest permission for a time. */
export const LONGEST = 24 * HOUR;
/** How long a code can be allowed, and an unused permission for once counts. */
const PENDING_AGE = HOUR;
const PENDING_LIMIT = 200;
/** How long another event of the same call is covered by a used permission. */
const SAME_CALL = 5000;
/** A clock may be set back by this much between granting and use. */
const CLOCK_SKEW = 5000;
const FILE_LIMIT = 64 * 1024;

/** Without 0, 1, I, L and O, which look alike. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const CODE_LENGTH = 8;

/**
 * Whether a person may allow these findings at all. Never: what protects guard itself (`self/*`), since the
 * permission would come from where it is attacked, and what the administrator's policy denies.
 */
export function isGrantable(findings: readonly Finding[], policy: Pick<Policy, "floor">): boolean {
  return findings.length > 0 && findings.every(({ rule }) => {
    if (rule.startsWith("self/")) return false;
    const floor = policy.floor?.rules ?? {};
    const category = `${rule.slice(0, rule.indexOf("/"))}/*`;
    const said = Object.hasOwn(floor, rule)
      ? floor[rule]
      : Object.hasOwn(floor, category)
      ? floor[category]
      : undefined;
    return said !== "deny";
  });
}

/**
 * Writes down what was stopped and returns the code for it; the same action in the same directory with the
 * same findings gets the same code on every host. Undefined when nobody may allow it or nothing can be
 * written.
 */
export async function offer(request: GrantRequest): Promise<string | undefined> {
  if (!isGrantable(request.findings, request.policy)) return undefined;
  try {
    const now = request.now ?? Date.now();
    const fingerprint = await fingerprintOf(request);
    const subject = subjectOf(request.actions).slice(0, 16_000);
    const hide = redactor(subject);
    const pending: Pending = {
      version: 1,
      code: codeOf(fingerprint),
      fingerprint,
      offered: now,
      host: request.host,
      cwd: request.cwd.slice(0, 4096),
      decision: request.findings.some((f) => f.decision === "deny") ? "deny" : "ask",
      rules: ruleIds(request.findings).slice(0, 40),
      subject: redact(subject).slice(0, 8000),
      messages: request.findings.slice(0, 10).map((f) => hide(f.message.slice(0, 2000)).slice(0, 500)),
    };
    const directory = native.join(request.state, "pending");
    writeWhole(directory, `${pending.code}.json`, `${JSON.stringify(pending)}\n`);
    prunePending(directory, now);
    return pending.code;
  } catch {
    return undefined;
  }
}

/** Whether a person has allowed exactly this; uses up a permission for once. Never throws. */
export async function granted(request: GrantRequest): Promise<boolean> {
  try {
    const directory = native.join(request.state, "grants");
    // `Deno.*` here and below, since the first use of node:fs costs a hook some milliseconds.
    if (!Deno.statSync(directory).isDirectory || !isGrantable(request.findings, request.policy)) return false;
    const now = request.now ?? Date.now();
    const fingerprint = await fingerprintOf(request);
    const path = native.join(directory, `${fingerprint}.json`);
    const grant = readGrant(path);
    const caller = (await digest(JSON.stringify([request.host, request.session ?? ""]))).slice(0, 16);
    const event = `${request.nativeEvent}${request.registration ?? ""}`.replace(/[^A-Za-z0-9]/g, "").slice(
      0,
      96,
    );
    if (grant !== undefined && grant.fingerprint === fingerprint && counts(grant, now)) {
      if (!grant.once) return true;
      try {
        Deno.renameSync(path, native.join(directory, `${fingerprint}.${now}.${caller}-${event}.used`));
        return true;
      } catch {
        // Another process was first; it may have been the same call through another event.
      }
    }
    return sameCall(directory, { fingerprint, caller, event }, now);
  } catch {
    return false;
  }
}

/** Who asks about what, as it stands in the names of files. */
interface Asked {
  readonly fingerprint: string;
  /** The host and its session. */
  readonly caller: string;
  /** The event and the registered command. */
  readonly event: string;
}

/** Whether the permission was just used by the same call through another entry; answers yes once for each. */
function sameCall(directory: string, { fingerprint, caller, event }: Asked, now: number): boolean {
  for (const { name } of Deno.readDirSync(directory)) {
    const [print, instant, who, end] = name.split(".");
    if (print !== fingerprint || end !== "used" || who === undefined) continue;
    const age = now - Number(instant);
    const [usedBy, usedFor] = who.split("-");
    if (!(age >= -CLOCK_SKEW && age <= SAME_CALL) || usedBy !== caller || usedFor === event) continue;
    try {
      const also = native.join(directory, `${fingerprint}.${instant}.${caller}-${event}.also`);
      Deno.openSync(also, { write: true, createNew: true, mode: 0o600 }).close();
      return true;
    } catch {
      continue;
    }
  }
  return false;
}

/** Whether a permission counts now; a clock before the granting, or an endless one, makes it void. */
function counts(grant: Grant, now: number): boolean {
  return now >= grant.granted - CLOCK_SKEW && now < grant.expires && grant.expires - grant.granted <= LONGEST;
}

/**
 * Turns a pending action into a permission.
 *
 * @param duration Milliseconds for which every such call is allowed; undefined allows one call.
 */
export function allow(
  state: string,
  pending: Pending,
  duration: number | undefined,
  now = Date.now(),
): Grant {
  const grant: Grant = {
    version: 1,
    code: pending.code,
    fingerprint: pending.fingerprint,
    granted: now,
    expires: now + (duration === undefined ? PENDING_AGE : Math.min(duration, LONGEST)),
    once: duration === undefined,
    cwd: pending.cwd,
    rules: pending.rules,
    subject: pending.subject,
  };
  const directory = native.join(state, "grants");
  writeWhole(directory, `${grant.fingerprint}.json`, `${JSON.stringify(grant)}\n`);
  pruneGrants(directory, now);
  try {
    Deno.removeSync(native.join(state, "pending", `${pending.code}.json`));
  } catch {
    // It lapses by itself.
  }
  return grant;
}

/** Actions that wait for a permission, newest first. */
export function pendingActions(state: string, now = Date.now()): Pending[] {
  return namesIn(native.join(state, "pending"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => readPending(native.join(state, "pending", name)))
    .filter((pending): pending is Pending => pending !== undefined && isFresh(pending, now))
    .sort((a, b) => b.offered - a.offered);
}

/** The pending action with this code, or why there is none. */
export function findPending(state: string, code: string, now = Date.now()): Pending | "unknown" | "lapsed" {
  const pending = readPending(native.join(state, "pending", `${code}.json`));
  if (pending === undefined || pending.code !== code) return "unknown";
  return isFresh(pending, now) ? pending : "lapsed";
}

/** Permissions that count now, newest first. */
export function grants(state: string, now = Date.now()): Grant[] {
  return namesIn(native.join(state, "grants"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => readGrant(native.join(state, "grants", name)))
    .filter((grant): grant is Grant => grant !== undefined && counts(grant, now))
    .sort((a, b) => b.granted - a.granted);
}

/** Takes back the permission with this code; false when there is none. */
export function revoke(state: string, code: string): boolean {
  let found = false;
  for (const name of namesIn(native.join(state, "grants"))) {
    const path = native.join(state, "grants", name);
    if (!name.endsWith(".json") || readGrant(path)?.code !== code) continue;
    Deno.removeSync(path);
    found = true;
  }
  return found;
}

/** A code as a person types it, in the form it is stored in; undefined when it cannot be one. */
export function normaliseCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, "");
  return code.length === CODE_LENGTH && [...code].every((c) => ALPHABET.includes(c)) ? code : undefined;
}

function isFresh(pending: Pending, now: number): boolean {
  const age = now - pending.offered;
  return age <= PENDING_AGE && age >= -CLOCK_SKEW;
}

function ruleIds(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map((finding) => finding.rule))].sort();
}

/**
 * SHA-256 over what would be done, where, and what was found. The host does not count, nor the directory of
 * the call where the action has its own: the events of one host differ in it.
 */
function fingerprintOf(request: GrantRequest): Promise<string> {
  const actions = request.actions.map((action) => {
    switch (action.kind) {
      case "shell":
        return ["shell", action.dialect, action.command, action.cwd ?? request.cwd];
      case "file": {
        const where = native.isAbsolute(action.path) ? null : request.cwd;
        return [
          "file",
          action.operation,
          action.path,
          where,
          action.content ?? null,
          action.previous ?? null,
        ];
      }
      case "fetch":
        return ["fetch", action.url, request.cwd];
      case "mcp":
        return ["mcp", action.server, action.tool, action.input, request.cwd];
      case "prompt":
        return ["prompt", action.text, request.cwd];
      case "output":
        return ["output", action.tool, action.text, request.cwd];
      case "session":
        return ["session", action.phase, request.cwd];
      case "unknown":
        return ["unknown", action.tool, action.input, request.cwd];
    }
  });
  return digest(JSON.stringify([1, actions, ruleIds(request.findings)]));
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The first bits of a fingerprint in an alphabet for people. */
function codeOf(fingerprint: string): string {
  let rest = BigInt(`0x${fingerprint.slice(0, 16)}`);
  let code = "";
  for (let i = 0; i < CODE_LENGTH; i++) {
    code += ALPHABET[Number(rest % BigInt(ALPHABET.length))];
    rest /= BigInt(ALPHABET.length);
  }
  return code;
}

/** Removes pending actions that lapsed, and the oldest beyond the limit. */
function prunePending(directory: string, now: number): void {
  const names = namesIn(directory);
  // Looking at each costs more than the rest; it is done now and then, and whenever there are many.
  if (names.length <= PENDING_LIMIT && names.length % 16 !== 0) return;
  const aged = names.flatMap((name) => {
    try {
      return [{ name, time: Deno.lstatSync(native.join(directory, name)).mtime?.getTime() ?? 0 }];
    } catch {
      return [];
    }
  }).sort((a, b) => b.time - a.time);
  for (const [index, { name, time }] of aged.entries()) {
    if (index >= PENDING_LIMIT || now - time > PENDING_AGE) remove(native.join(directory, name));
  }
}

/** Removes permissions and traces of used ones that no longer count. */
function pruneGrants(directory: string, now: number): void {
  for (const name of namesIn(directory)) {
    const path = native.join(directory, name);
    if (name.endsWith(".json")) {
      const grant = readGrant(path);
      if (grant === undefined || !counts(grant, now)) remove(path);
    } else {
      const instant = Number(name.split(".")[1]);
      if (!(Math.abs(now - instant) < 60_000)) remove(path);
    }
  }
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Another process was first.
  }
}

function namesIn(directory: string): string[] {
  try {
    return [...Deno.readDirSync(directory)].map((entry) => entry.name);
  } catch {
    return [];
  }
}

function readJson(path: string): Record<string, unknown> | undefined {
  const opened = openText(path, FILE_LIMIT);
  if (opened.state !== "text") return undefined;
  try {
    const value: unknown = JSON.parse(opened.text);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : undefined;
  } catch {
    return undefined;
  }
}

function readGrant(path: string): Grant | undefined {
  const value = readJson(path);
  if (value === undefined || value.version !== 1) return undefined;
  const { code, fingerprint, granted, expires, once, cwd, rules, subject } = value;
  return typeof code === "string" && typeof fingerprint === "string" && Number.isFinite(granted) &&
      Number.isFinite(expires) && typeof once === "boolean" && typeof cwd === "string" && isTexts(rules) &&
      typeof subject === "string"
    ? value as unknown as Grant
    : undefined;
}

function readPending(path: string): Pending | undefined {
  const value = readJson(path);
  if (value === undefined || value.version !== 1) return undefined;
  const { code, fingerprint, offered, host, cwd, decision, rules, subject, messages } = value;
  return typeof code === "string" && typeof fingerprint === "string" && Number.isFinite(offered) &&
      typeof host === "string" && typeof cwd === "string" && (decision === "deny" || decision === "ask") &&
      isTexts(rules) && typeof subject === "string" && isTexts(messages)
    ? value as unknown as Pending
    : undefined;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
