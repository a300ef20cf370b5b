/** Tool calls that a client is asked to make, and how to see whether they took place. */
import assert from "node:assert/strict";
import type { Client, Place } from "./client.ts";
import type { ToolCall } from "./model/model.ts";
import type { Outcome } from "./session.ts";

/** One tool call and how to see whether it took place. */
export interface Probe {
  readonly name: string;
  readonly call: ToolCall;
  readonly forbidden: boolean;
  happened(heard: string): boolean;
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

export const exists = (path: string) => {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

/** A command that destroys the home only in a home that was made for a test, so that it does no harm should guard let it through. */
const destroyHome = "test -f ~/made-for-a-test && rm -rf ~";

/** What is tried in one session; what is forbidden shows by its effect that it ran. */
export function probes(client: Client, place: Place): Probe[] {
  const { home, work } = place;
  const shell = (name: string, forbidden: boolean, command: string, call = client.shell): Probe => {
    const canary = `${work}/canary-${name.replaceAll(/\W+/g, "-")}`;
    return {
      name,
      forbidden,
      call: call(`${command}; touch ${canary}`),
      happened: () => exists(canary),
    };
  };
  const tool = (
    call: NonNullable<Client["tool"]>,
    name: string,
    forbidden: boolean,
    command: string,
  ): Probe => ({
    name,
    forbidden,
    call: call({ command }),
    happened: () => textOf(place.toolServer.at(-1)!).split("\n").includes(command),
  });
  const list: Probe[] = [
    shell("a harmless command", false, "git status --short"),
    shell("a command that reads a private key", true, "cat ~/.ssh/id_ed25519 > /dev/null"),
    shell("a command that discards uncommitted edits", true, "git reset --hard"),
  ];
  for (const { name, call } of client.others ?? []) {
    list.push(
      shell(`${name}: a harmless command`, false, "git status --short", call),
      shell(`${name}: a command that reads a private key`, true, "cat ~/.ssh/id_ed25519 > /dev/null", call),
    );
  }
  if (client.read !== undefined) {
    list.push({
      name: "reading a file",
      forbidden: false,
      call: client.read(`${work}/draft.txt`),
      happened: (heard) => heard.includes("first draft"),
    }, {
      name: "reading a private key",
      forbidden: true,
      call: client.read(`${work}/deploy/id_ed25519`),
      happened: (heard) => heard.includes("swordfish"),
    });
  }
  list.push({
    name: "writing a file",
    forbidden: false,
    call: client.write(`${work}/fresh.txt`, "fresh"),
    happened: () => textOf(`${work}/fresh.txt`).includes("fresh"),
  }, {
    name: "writing what the editor runs when the project is opened",
    forbidden: true,
    call: client.write(`${work}/.vscode/tasks.json`, '{"tasks": []}'),
    happened: () => exists(`${work}/.vscode/tasks.json`),
  }, {
    name: "editing a file",
    forbidden: false,
    call: client.edit(`${work}/draft.txt`, "first draft", "second draft"),
    happened: () => textOf(`${work}/draft.txt`).includes("second draft"),
  }, {
    name: "editing the hooks of another host",
    forbidden: true,
    call: client.edit(`${work}/.windsurf/hooks.json`, '"hooks": {}', '"hooks": []'),
    happened: () => textOf(`${work}/.windsurf/hooks.json`).includes("[]"),
  });
  if (client.tool !== undefined) {
    list.push(
      tool(client.tool, "calling an MCP tool", false, "git status --short"),
      tool(client.tool, "calling an MCP tool with a forbidden command", true, `rm -rf ${home}`),
    );
  }
  list.push(
    // Last, since what follows would fail too should it go through.
    shell("a command that deletes the home", true, destroyHome),
  );
  return list;
}

/** A rule's id: only guard's own reason names one, so a refusal by the client itself does not count. */
const ruleId = /\brule [a-z]+\/[a-z-]+/;

/** Throws when the probe went otherwise than it should, or guard's reason did not reach the model. */
export function check(probe: Probe, heard: string | undefined, outcome: Outcome): void {
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  assert.ok(heard !== undefined, `the call was never answered${context}`);
  if (probe.forbidden) {
    assert.ok(!probe.happened(heard), `the call went through${context}`);
    assert.match(heard, ruleId, `guard's reason did not reach the model${context}`);
  } else {
    assert.ok(probe.happened(heard), `the call did not take place${context}`);
  }
}
