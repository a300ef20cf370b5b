/** What a client does while the registered guard fails. */
import assert from "node:assert/strict";
import type { HostAdapter } from "../../src/types.ts";
import type { Client, Failure, Place } from "./client.ts";
import { exists } from "./probes.ts";
import type { Session } from "./session.ts";

/**
 * A stand-in for a guard that fails at a tool call. It lets the prompt pass, which the hook of the tool would else never see. One that
 * went missing during the prompt ends as a shell does that finds no program.
 */
function standIn(client: Client, adapter: HostAdapter, failure: Failure): string {
  const gating = adapter.events.filter((event) => event.gates && event.install);
  const pattern = (events: typeof gating) => events.map((event) => `*${event.native}*`);
  const [prompts, tools] = [true, false].map((is) =>
    pattern(gating.filter(({ id }) => (id === "prompt") === is))
  );
  // A plugin first tries to have one process for all calls.
  const names = ["serve\\ *", ...tools!].join(" | ");
  const atTools = (what: string) => `#!/bin/sh\ncase "$*" in ${names}) ${what} ;; esac\n`;
  switch (failure) {
    case "killed":
      return atTools("kill -9 $$");
    case "missing":
      return `${atTools('rm -f "$0"; exit 127')}case "$*" in ${
        prompts!.join(" | ") || "none"
      }) rm -f "$0" ;; esac\n`;
    case "failing":
      return atTools("echo 'thread panicked at }{'; exit 1");
    case "garbage":
      return atTools("echo '}{ no JSON'");
    case "hanging":
      // Past the shortened timeout of the host, or what guard's plugin waits. Fails then, so that a host that waits for it blocks.
      return atTools(`sleep ${client.timeout === undefined ? 60 : 8}; exit 1`);
  }
}

export const failures: readonly Failure[] = ["killed", "missing", "failing", "garbage", "hanging"];

async function replaceGuard(
  client: Client,
  adapter: HostAdapter,
  place: Place,
  failure: Failure,
): Promise<void> {
  await Deno.remove(place.guard);
  // Nothing asks it before the tool does, so that it can be gone from the start.
  if (failure === "missing" && client.prompt !== "blocked") return;
  await Deno.writeTextFile(place.guard, standIn(client, adapter, failure), { mode: 0o755 });
  if (failure !== "hanging" || client.timeout === undefined) return;
  const { file, key, short } = client.timeout;
  const path = `${place.home}/${file}`;
  const before = await Deno.readTextFile(path);
  const after = before.replace(new RegExp(`("${key}"\\s*:\\s*)\\d+`, "g"), `$1${short}`);
  assert.notEqual(after, before, "the installed entries have no timeout to shorten");
  await Deno.writeTextFile(path, after);
}

/** A harmless command, to see whether the host lets anything through while guard fails. */
export async function failing(
  client: Client,
  adapter: HostAdapter,
  session: Session,
  failure: Failure,
): Promise<void> {
  const { place } = session;
  await session.guard(["install", "--host", client.id]);
  await replaceGuard(client, adapter, place, failure);
  const canary = `${place.work}/canary`;
  const outcome = await session.run({ calls: [client.shell(`touch ${canary}`)] });
  const heard = outcome.heard[0];
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  const expected = client.failures[failure];
  assert.notEqual(outcome.requests, 0, `the model was never asked${context}`);
  if (expected === "blocked") {
    assert.ok(!exists(canary), `the call went through${context}`);
    // What a failing guard printed itself may take the place of the reason.
    if (client.silent === undefined && failure !== "failing") {
      // Where the client asks guard before the model hears of the result too, the person alone is told.
      const told = heard ?? outcome.output;
      assert.match(
        told,
        /guard (?:blocked this call or did not run|could not judge this call)/,
        `no reason reached anybody${context}`,
      );
    }
  } else {
    assert.ok(
      exists(canary),
      `the limit no longer holds, say so in the description: ${expected.limit}${context}`,
    );
  }
}

/** Where the executable is gone from the start, the prompt is blocked already. */
export async function vanished(client: Client, session: Session): Promise<void> {
  const { place } = session;
  await session.guard(["install", "--host", client.id]);
  await Deno.remove(place.guard);
  const canary = `${place.work}/canary`;
  const { requests, output } = await session.run({ calls: [client.shell(`touch ${canary}`)] });
  const printed = `\nthe client printed: ${output.slice(-1500)}`;
  assert.ok(!exists(canary), `the call went through${printed}`);
  assert.equal(requests, 0, `the prompt reached the model${printed}`);
}
