/** Hosts run each other's hooks: whoever calls is judged and answered as that host, whatever the command line says. */

import assert from "node:assert/strict";
import { respond } from "../src/hook.ts";
import { allAdapters } from "../src/install/hosts.ts";
import { homeDirectory } from "../src/locations.ts";
import type { HostAdapter } from "../src/types.ts";
import { outcome } from "./host_reading.ts";

const adapters = (await allAdapters()).filter(({ install }) => install.length > 0);

function source(payload: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  let at = 0;
  return {
    read(buffer: Uint8Array): Promise<number | null> {
      const part = bytes.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
  };
}

function toolEvents({ events }: HostAdapter): string[] {
  return events.filter(({ id, gates, install }) => id === "pre_tool" && gates && install).map(({ native }) =>
    native
  );
}

/** The call of a host that plainly says who it is; undefined where its payloads do not. */
function probeOf(caller: HostAdapter, event: string, harmful: boolean, cwd: string) {
  const payload = caller.probe?.(event, { harmful, session: "s", cwd, home: homeDirectory() });
  return payload !== undefined && caller.payload !== "text" && caller.recognises(payload)
    ? payload
    : undefined;
}

for (const caller of adapters) {
  Deno.test(`${caller.id}: the hooks of every other host answer it in its own words`, async () => {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "guard-callers-" }));
    try {
      Deno.mkdirSync(`${root}/app/.git`, { recursive: true });
      for (const event of toolEvents(caller)) {
        for (const harmful of [true, false]) {
          const payload = probeOf(caller, event, harmful, `${root}/app`);
          if (payload === undefined) continue;
          for (const installed of adapters.filter((one) => one.payload !== "text")) {
            for (const registered of toolEvents(installed)) {
              const args = ["--host", installed.id, "--event", registered, "--state", `${root}/state`];
              const { reply, record } = await respond(
                [...args, "--policy", `${root}/policy.jsonc`],
                source(payload),
              );
              const told = `--host ${installed.id} --event ${registered}, called by ${caller.id}`;
              assert.equal(outcome(caller.id, event, reply), harmful ? "stopped" : "runs", told);
              assert.equal(record?.host, caller.id, told);
            }
          }
        }
      }
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}

Deno.test("callers that run the hooks of others are told apart by what they send", () => {
  const known = adapters.filter((caller) =>
    toolEvents(caller).some((event) => probeOf(caller, event, true, "/srv/app") !== undefined)
  ).map(({ id }) => id);
  for (const id of ["cursor", "copilot", "copilot-vscode", "grok", "devin", "claude"]) {
    assert(known.includes(id), id);
  }
});
