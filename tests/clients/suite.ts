/** The tests that every real client must pass; one file per client calls this, so that clients run beside each other. */
import assert from "node:assert/strict";
import { loadAdapter } from "../../adapters/registry.ts";
import type { HostAdapter } from "../../src/types.ts";
import type { Client, Failure, Place } from "./client.ts";
import { subagentTask, type ToolCall } from "./model/model.ts";
import { obstacleHere, type Outcome, prepare, type Session, withSession } from "./session.ts";

/** One tool call and how to see whether it took place. */
interface Probe {
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

const exists = (path: string) => {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
};

/** A command that destroys the home only in a home that was made for a test, so that it does no harm should guard let it through. */
const destroyHome = "test -f ~/made-for-a-test && rm -rf ~";

function probes(client: Client, place: Place): Probe[] {
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

function check(probe: Probe, heard: string | undefined, outcome: Outcome): void {
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  assert.ok(heard !== undefined, `the call was never answered${context}`);
  if (probe.forbidden) {
    assert.ok(!probe.happened(heard), `the call went through${context}`);
    assert.match(heard, ruleId, `guard's reason did not reach the model${context}`);
  } else {
    assert.ok(probe.happened(heard), `the call did not take place${context}`);
  }
}

/** Stand-ins for a guard that fails at a tool call; they let the prompt pass, which the hook of the tool would else never see. */
function standIn(adapter: HostAdapter, failure: Failure): string {
  const gating = adapter.events.filter((event) => event.gates && event.install && event.id !== "prompt");
  const names = gating.map((event) => `*${event.native}*`).join(" | ");
  const atTools = (what: string) => `#!/bin/sh\ncase "$*" in ${names}) ${what} ;; esac\n`;
  switch (failure) {
    case "killed":
      return atTools("kill -9 $$");
    case "missing":
      return '#!/bin/sh\nrm -f "$0"\n';
    case "failing":
      return atTools("echo 'thread panicked at }{'; exit 1");
    case "garbage":
      return atTools("echo '}{ no JSON'");
    case "hanging":
      // Fails in the end, so that a host that waits for it blocks.
      return atTools("sleep 8; exit 1");
  }
}

const failures: readonly Failure[] = ["killed", "missing", "failing", "garbage", "hanging"];

async function replaceGuard(
  client: Client,
  adapter: HostAdapter,
  place: Place,
  failure: Failure,
): Promise<void> {
  await Deno.remove(place.guard);
  await Deno.writeTextFile(place.guard, standIn(adapter, failure), { mode: 0o755 });
  if (failure !== "hanging" || client.timeout === undefined) return;
  const { file, key, short } = client.timeout;
  const path = `${place.home}/${file}`;
  const before = await Deno.readTextFile(path);
  const after = before.replace(new RegExp(`("${key}"\\s*:\\s*)\\d+`, "g"), `$1${short}`);
  assert.notEqual(after, before, "the installed entries have no timeout to shorten");
  await Deno.writeTextFile(path, after);
}

/** A harmless command, to see whether the host lets anything through while guard fails. */
async function failing(
  client: Client,
  adapter: HostAdapter,
  session: Session,
  failure: Failure,
): Promise<void> {
  const { place } = session;
  await prepare(client, place);
  await session.guard(["install", "--host", client.id]);
  await replaceGuard(client, adapter, place, failure);
  const canary = `${place.work}/canary`;
  const outcome = await session.run({ calls: [client.shell(`touch ${canary}`)] });
  const heard = outcome.heard[0];
  const context = `\nthe model heard: ${heard}\nthe client printed: ${outcome.output.slice(-1500)}`;
  const expected = client.failures[failure];
  assert.ok(heard !== undefined, `the call was never answered${context}`);
  if (expected === "blocked") {
    assert.ok(!exists(canary), `the call went through${context}`);
    // What a failing guard printed itself may take the place of the reason.
    if (failure !== "failing") {
      assert.match(heard, /guard blocked this call or did not run/, `no reason reached the model${context}`);
    }
  } else {
    assert.ok(
      exists(canary),
      `the limit no longer holds, say so in the description: ${expected.limit}${context}`,
    );
  }
}

/** Where the executable is gone from the start, a prompt is blocked already where prompts can be. */
async function vanished(client: Client, session: Session): Promise<void> {
  const { place } = session;
  await prepare(client, place);
  await session.guard(["install", "--host", client.id]);
  await Deno.remove(place.guard);
  const canary = `${place.work}/canary`;
  const { requests, output } = await session.run({ calls: [client.shell(`touch ${canary}`)] });
  const printed = `\nthe client printed: ${output.slice(-1500)}`;
  if (client.failures.missing === "blocked") assert.ok(!exists(canary), `the call went through${printed}`);
  if (client.prompt === "blocked") assert.equal(requests, 0, `the prompt reached the model${printed}`);
  else assert.notEqual(requests, 0, `the limit no longer holds: ${client.prompt.limit}${printed}`);
}

/** Every file below a folder with its content, links as links; guard's own state is left out. */
async function tree(folder: string, prefix = ""): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of Deno.readDir(`${folder}/${prefix}`)) {
    const path = `${prefix}${entry.name}`;
    if (path === ".local/state/guard") continue;
    if (entry.isDirectory) {
      for (const [name, text] of await tree(folder, `${path}/`)) found.set(name, text);
    } else if (entry.isFile) found.set(path, await Deno.readTextFile(`${folder}/${path}`));
    else found.set(path, `link to ${await Deno.readLink(`${folder}/${path}`)}`);
  }
  return found;
}

async function uninstalled(client: Client, session: Session): Promise<void> {
  const { place } = session;
  await prepare(client, place);
  const before = await tree(place.home);
  await session.guard(["install", "--host", client.id]);
  assert.notDeepEqual(await tree(place.home), before, "guard install changed nothing");
  await session.guard(["uninstall", "--host", client.id]);
  assert.deepEqual(await tree(place.home), before, "guard uninstall left something changed");
  await Deno.remove(place.guard);
  const canary = `${place.work}/canary`;
  const { output } = await session.run({
    calls: [client.shell(`cat ~/.ssh/id_ed25519 > /dev/null; touch ${canary}`)],
  });
  assert.ok(exists(canary), `the client is still blocked: ${output.slice(-1500)}`);
}

/** What a subagent does is judged as well. */
async function subagents(client: Client, session: Session, t: Deno.TestContext): Promise<void> {
  const { place } = session;
  await prepare(client, place);
  await session.guard(["install", "--host", client.id]);
  const list = probes(client, place).filter(({ name }) =>
    /^a harmless command$|^a command that reads/.test(name)
  );
  const outcome = await session.run({
    calls: [client.subagent!(`Please do ${subagentTask}.`)],
    subagent: list.map((probe) => probe.call),
  });
  for (const [index, probe] of list.entries()) {
    await t.step(probe.name, () => check(probe, outcome.subagentHeard[index], outcome));
  }
}

/** Places where a missing client is a failure, not a skip: ids in GUARD_REQUIRE_CLIENTS, separated by spaces. */
const required = new Set((Deno.env.get("GUARD_REQUIRE_CLIENTS") ?? "").split(/\s+/));

/** Registers the tests of one client. A client that cannot be driven is a counted skip, or a failure where it is required. */
export function clientTests(client: Client): void {
  const { id } = client;
  const missing = obstacleHere(client);
  const test = (
    name: string,
    run: (session: Session, t: Deno.TestContext, adapter: HostAdapter) => Promise<void>,
  ) =>
    Deno.test({
      name: `${id}: ${name}${missing !== undefined ? ` (${missing})` : ""}`,
      ignore: missing !== undefined && !required.has(id),
      fn: async (t) => {
        assert.equal(missing, undefined, `${id} cannot be driven here: ${missing}`);
        const adapter = await loadAdapter(id);
        assert.ok(adapter !== undefined, `guard has no host ${id}`);
        await withSession(client, (session) => run(session, t, adapter));
      },
    });

  test("allowed tool calls run, forbidden ones do not, and the model is told why", async (session, t) => {
    await prepare(client, session.place);
    await session.guard(["install", "--host", id]);
    const list = probes(client, session.place);
    const outcome = await session.run({ calls: list.map((probe) => probe.call) });
    for (const [index, probe] of list.entries()) {
      await t.step(probe.name, () => check(probe, outcome.heard[index], outcome));
    }
  });
  if (client.subagent !== undefined) {
    test("what a subagent does is judged too", (session, t) => subagents(client, session, t));
  }
  for (const failure of failures) {
    const expected = client.failures[failure];
    const name = expected === "blocked" ? "the call is blocked" : `known limit: ${expected.limit}`;
    test(`guard ${failure}: ${name}`, (session, _t, adapter) => failing(client, adapter, session, failure));
  }
  test("guard missing from the start: nothing runs", (session) => vanished(client, session));
  test("uninstalling leaves no trace", (session) => uninstalled(client, session));
}
