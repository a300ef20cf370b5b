/** Whether MCP servers are still the ones that were first seen. Loaded for calls of their tools alone. */

import type { Surroundings } from "../install/location.ts";
import { runningSystem } from "../locations.ts";
import type { Context, HookCall, ServerChange, ServerSource } from "../types.ts";
import { type Defined, definitionsOf, type Part } from "./definitions.ts";
import { readRecord, remember, type Remembered, type ServerRecord, writeRecord } from "./records.ts";

/** Where a call is made from. */
export interface ServerPlace {
  readonly host: string;
  readonly sources: readonly ServerSource[];
  /** Absolute; guard's state. */
  readonly state: string;
  readonly home: string;
  readonly workspace: string;
  /** Where a host may have been started instead. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What may be different about the servers of a call, action by action. Never rejects. */
export async function serverChanges(
  call: Pick<HookCall, "host" | "actions">,
  sources: readonly ServerSource[],
  context: Pick<Context, "home" | "workspace" | "cwd">,
  state: string,
): Promise<readonly ServerChange[]> {
  const place: ServerPlace = { host: call.host, sources, state, ...context, env: Deno.env.toObject() };
  const known = new Map<string, string | undefined>();
  const changes: ServerChange[] = [];
  for (const [action, one] of call.actions.entries()) {
    if (one.kind !== "mcp" || one.server === "") continue;
    const key = JSON.stringify([one.server, one.tool]);
    if (!known.has(key)) {
      // What fails here has not been compared, and that is said.
      // Where the server's name ends is not told by every host: the tool's name helps.
      const text = await compare(one.server, one.tool, place).catch(() =>
        "It could not be compared with what was first seen of it."
      );
      known.set(key, text);
    }
    const text = known.get(key);
    if (text !== undefined) changes.push({ action, server: one.server, text });
  }
  return changes;
}

/** Places in which a host may look for the settings of its project. */
export function surroundingsOf(
  { home, workspace, cwd, env }: Omit<ServerPlace, "sources" | "host" | "state">,
): Surroundings[] {
  return [...new Set([workspace, cwd])].map((project) => ({ system: runningSystem(), home, project, env }));
}

async function compare(server: string, tool: string, place: ServerPlace): Promise<string | undefined> {
  const { host, workspace, state } = place;
  const defined = await definitionsOf(server, tool, place.sources, surroundingsOf(place));
  const name = defined.name ?? server;
  const record = await readRecord(state, host, workspace, name);
  const now = await Promise.all(defined.definitions.map(remember));
  if (record === undefined) {
    if (now.length > 0) {
      await writeRecord(state, {
        version: 1,
        host,
        workspace,
        server: name,
        seen: Date.now(),
        definitions: now,
        ...(defined.unreadable === undefined ? {} : { unreadable: true }),
      })
        // Where nothing can be written there is nothing to compare with next time either.
        .catch(() => {});
    }
    return undefined;
  }
  return difference(record, now, defined);
}

/** What is different, as sentences; undefined when nothing is. */
export function difference(
  record: ServerRecord | "damaged",
  now: readonly Remembered[],
  { unreadable }: Pick<Defined, "unreadable">,
): string | undefined {
  if (record === "damaged") return "What was remembered of it is damaged, so that it cannot be compared.";
  const since = `when it was first seen on ${new Date(record.seen).toISOString().slice(0, 10)}`;
  const known = new Set(record.definitions.map(({ fingerprint }) => fingerprint));
  const news = now.filter(({ fingerprint }) => !known.has(fingerprint));
  if (news.length > 0) {
    return news.slice(0, 3).map((one) => differences(record.definitions, one, since)).join(" ");
  }
  // A file that cannot be looked at any more may say something else about it, and the host may read it.
  if (unreadable !== undefined && (now.length === 0 || record.unreadable !== true)) {
    return `It cannot be compared with what was first seen of it: ${unreadable}.`;
  }
  // One that is left was known before.
  if (now.length > 0) return undefined;
  // A person has trusted it as it is without a definition.
  if (record.definitions.length === 0) return undefined;
  return "It was defined in the host's configuration, and no longer is.";
}

function differences(known: readonly Remembered[], one: Remembered, since: string): string {
  // Which of several it takes the place of is told by what they have in common.
  const same = (other: Remembered) =>
    (Object.keys(one.hashes) as Part[]).filter((part) => other.hashes[part] === one.hashes[part]).length;
  const before = known.toSorted((a, b) => same(b) - same(a))[0];
  const parts = [...new Set([...Object.keys(before?.hashes ?? {}), ...Object.keys(one.hashes)])] as Part[];
  return parts.filter((part) => before?.hashes[part] !== one.hashes[part]).map((part) => {
    const [old, next] = [before?.shown[part], one.shown[part]];
    if (old === undefined) return `Its ${part} is ${JSON.stringify(next)}, and there was none ${since}.`;
    if (next === undefined) return `It has no ${part} any more, which was ${JSON.stringify(old)} ${since}.`;
    return old === next
      ? `Its ${part} is not what it was ${since} (what differs is not shown).`
      : `Its ${part} was ${JSON.stringify(old)} ${since}, and is ${JSON.stringify(next)}.`;
  }).join(" ");
}
